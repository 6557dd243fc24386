"""Compiling in the background of the server, if there is something to compile."""

import os
from pathlib import Path

import pytest

from gemhunter.jit.choice import Mode, compiling
from gemhunter.web.server import serve as background
from gemhunter.web.server.serve import compile_parts, compiling_in_background
from gemhunter.work.timed_child import CLOCK, TaskReporter
from processes import wait_until

MODULE = """
from gemhunter.work.timed_child import serve_tasks
serve_tasks(lambda task, reporter: {})
"""


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines said on a machine where nothing is compiled yet and compiling takes no time."""
    (tmp_path / "compiles_nothing.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(background, "BACKGROUND_MODULE", "compiles_nothing")
    monkeypatch.setattr(background, "is_installed", lambda: True)
    monkeypatch.setattr(background, "is_warm", lambda: False)
    return []


def test_the_beginning_and_the_end_are_announced(said: list[str]) -> None:
    with compiling(Mode.AUTO), compiling_in_background(said.append):
        assert wait_until(lambda: len(said) == 2)
    assert said[0].startswith("compiling engines and agents in the background, once per machine")
    assert said[1] == "everything is compiled"


def test_nothing_is_compiled_twice_or_against_the_environment(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with compiling(Mode.NEVER), compiling_in_background(said.append):
        pass
    monkeypatch.setattr(background, "is_warm", lambda: True)
    with compiling(Mode.AUTO), compiling_in_background(said.append):
        pass
    assert said == []


def test_engines_come_before_agents_and_all_at_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(background, "warm_part", done.append)
    monkeypatch.setattr(os, "nice", done.append, raising=False)
    monkeypatch.setattr(TaskReporter, "send", lambda _self, kind, value: done.append((kind, value)))
    compile_parts({}, TaskReporter.__new__(TaskReporter))
    assert done[:2] == [19, (CLOCK, True)]
    assert done.index("cdcl") < done.index("rules of the game") < done.index("agent expert")
