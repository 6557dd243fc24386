"""Errors of tasks as answers, without a server: their kinds, and what they keep to themselves."""

from types import SimpleNamespace
from typing import Any

import pytest

from gemhunter.errors import EngineError, GemHunterError, InputError, TooLargeError, WrongAnswerError
from gemhunter.optional_packages import FOR_CLIENTS, missing_text
from gemhunter.web.questions.algorithms import CompareBody, write_report
from gemhunter.web.questions.games import AgentBody, watch_agent
from gemhunter.web.questions.question import Task, Worker
from gemhunter.web.server.api import error_of, prepare_worker
from gemhunter.web.server.guards import WebLimits
from gemhunter.wording import program_name
from gemhunter.work.jobs import BusyError, JobFaultError, StoppedJobError


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (BusyError("full"), 429, "busy"),
        (StoppedJobError("time limit of 1 s"), 408, "stopped"),
        (TooLargeError("a million cells"), 413, "too-large"),
        (InputError("not a board"), 422, "bad-request"),
        (EngineError("it crashed"), 500, "failed"),
        (JobFaultError("a bug"), 500, "failed"),
        (WrongAnswerError("a clue does not hold"), 500, "failed"),
        (GemHunterError("of a kind that the API does not know"), 500, "failed"),
    ],
)
def test_an_error_that_the_api_does_not_know_is_a_failure_of_the_server(
    error: GemHunterError, status: int, code: str
) -> None:
    found, record = error_of(error)
    assert (found, record["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("task", "body"),
    [
        (watch_agent, AgentBody(id="4x4n2#1", moves=[], agent="logic")),
        (
            write_report,
            CompareBody.model_validate({"boards": [{"grid": ["_1_"], "name": "a"}], "engines": ["dpll"]}),
        ),
    ],
)
def test_a_cancelled_question_was_stopped_and_its_request_is_not_to_blame(task: Task, body: Any) -> None:
    nothing = dict.fromkeys(("tick", "send", "pause"), lambda *_: None)
    job: Any = SimpleNamespace(is_cancelled=lambda: True, **nothing)
    with pytest.raises(StoppedJobError, match="cancelled"):
        task(Worker(job, WebLimits()), body)


def test_what_clients_are_advised_to_type_names_no_path_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GEMHUNTER_COMMAND", "/srv/clone/run")
    monkeypatch.setenv(FOR_CLIENTS, "")
    prepare_worker()
    missing = (
        "cryptominisat needs the package pycryptosat; install it: pip install 'gemhunter[cryptominisat]'"
    )
    assert missing_text("cryptominisat needs", "pycryptosat") == missing
    assert program_name() == "gemhunter"
