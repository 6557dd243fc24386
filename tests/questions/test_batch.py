"""Boards × engines and formulas × engines: what comes out, in which order, and how a batch is stopped."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemhunter import InputError, parse_grid
from gemhunter.board.position import Position, bare_position
from gemhunter.errors import EngineError
from gemhunter.files.folders import BoardFile
from gemhunter.questions import batch
from gemhunter.questions.batch import (
    BatchEvent,
    Failure,
    FormulaResult,
    Interrupts,
    Opened,
    Question,
    Result,
    Unreadable,
    answers,
    formula_answers,
)
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Report
from gemhunter.solving.run import Limits, never

BOARDS = {"one": "1, _\n_, 1", "none": "0, _\n_, 3"}


class Log:
    """A progress that writes down what happens."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def begin(self, name: str) -> None:
        self.lines.append(name)

    def tick(self, seconds: float, steps: int) -> None:
        """Nothing to write down."""

    def clear(self) -> None:
        self.lines.append("over")


def read(path: str) -> tuple[Position, list[str]]:
    if path not in BOARDS:
        raise InputError(f"{path}: no such file")
    return bare_position(parse_grid(BOARDS[path])), [f"{path} is odd"]


def events(
    *paths: str,
    engines: tuple[str, ...] = ("dpll",),
    log: Log | None = None,
    cancel: Callable[[], bool] = never,
) -> list[BatchEvent]:
    question = Question(engines)
    boards = [BoardFile(path) for path in paths]
    progress = log or Log()
    return list(
        answers(boards, question.board_engines(), question, read=read, progress=progress, cancel=cancel)
    )


def test_each_board_is_followed_by_an_answer_of_each_engine() -> None:
    said = events("one", "none", engines=("dpll", "cdcl"))
    assert [type(each) for each in said] == [Opened, Result, Result] * 2
    assert [each.engine for each in said if isinstance(each, Result)] == ["dpll", "cdcl"] * 2


def test_what_is_odd_about_a_board_comes_with_it() -> None:
    opened = events("one")[0]
    assert isinstance(opened, Opened)
    assert opened.warnings == ["one is odd"]


def test_a_board_that_cannot_be_read_does_not_stop_the_others() -> None:
    missing, *others = events("missing", "one")
    assert missing == Unreadable(BoardFile("missing"), "missing: no such file")
    assert [type(each) for each in others] == [Opened, Result]


def test_progress_names_the_board_and_the_engine() -> None:
    log = Log()
    events("one", log=log)
    assert log.lines == ["one dpll", "over"]


def test_a_batch_that_is_cancelled_ends_without_the_answer_that_was_cut_short() -> None:
    assert [type(each) for each in events("one", "none", cancel=lambda: True)] == [Opened]


def test_an_engine_that_fails_is_a_result_with_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise EngineError("dpll: out of order")

    monkeypatch.setattr("gemhunter.questions.batch.solve", fail)
    result = events("one")[1]
    assert isinstance(result, Result)
    assert result.answer == Failure("dpll", "dpll: out of order")
    assert result.seconds is None


def test_an_engine_that_reads_no_clauses_takes_no_encoding() -> None:
    with pytest.raises(InputError, match=r"backtracking.* reads no clauses"):
        Question(("backtracking",), encoding="totalizer").board_engines()


def test_an_engine_that_cannot_keep_a_limit_is_refused_before_any_board_is_read() -> None:
    with pytest.raises(InputError, match="pysat:lingeling has no steps to limit"):
        Question(("pysat:lingeling",), Limits(steps=5)).board_engines()


def test_formulas_are_answered_in_order_and_bad_ones_are_errors(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.cnf", tmp_path / "bad.cnf"
    good.write_text("p cnf 1 1\n1 0\n", encoding="utf-8")
    bad.write_text("p cnf x\n", encoding="utf-8")
    question, log = Question(("dpll",)), Log()
    engines = question.formula_engines()
    said = list(formula_answers([str(bad), str(good)], engines, question, progress=log, cancel=never))
    assert [type(each) for each in said[1:]] == [FormulaResult]
    assert isinstance(said[0], InputError)


@pytest.mark.parametrize(
    ("paths", "engines", "first"),
    [
        (("one",), ("dpll",), []),
        (("one", "none"), ("dpll",), ["dpll"]),
        (("one",), ("dpll", "cdcl"), ["dpll", "cdcl"]),
    ],
)
def test_first_calls_come_before_times_that_are_compared(
    paths: tuple[str, ...], engines: tuple[str, ...], first: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(batch, "make_first_calls", lambda engine: calls.append(f"first {engine.info.name}"))

    def noted(*arguments: Any, **named: Any) -> Report:
        calls.append("solve")
        return solve(*arguments, **named)

    monkeypatch.setattr(batch, "solve", noted)
    events(*paths, engines=engines)
    assert calls == [*(f"first {name}" for name in first), *["solve"] * (len(paths) * len(engines))]


def test_each_worker_makes_first_calls_once_for_each_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(batch, "make_first_calls", lambda engine: calls.append(engine.info.name))
    monkeypatch.setattr("gemhunter.work.workers.ignore_interrupts", never_listen)
    batch._make_first_calls_here.cache_clear()
    for engine in ("dpll", "cdcl", "dpll"):
        batch._ask_here(read("one")[0], Question((engine,)), Interrupts(never_listen, never))
    assert calls == ["dpll", "cdcl"]


def never_listen() -> None:
    """Handle no signals."""
