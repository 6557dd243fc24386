"""A child that does one task after the other, and when the clock of a task starts."""

import errno
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest

from gemhunter.errors import EngineError
from gemhunter.work.child_process import Exit, child_folder
from gemhunter.work.timed_child import (
    CANCELLED,
    CLOCK,
    COMPILING,
    NEVER_STARTED,
    STARTING_SECONDS,
    TOO_LATE,
    ChildClock,
    Stopped,
    TimedChild,
)

MODULE = """
import os, sys, time
from gemhunter.work.child_process import child_folder
from gemhunter.work.timed_child import serve_tasks

def do(task, reporter):
    print("printed by a task")
    if task.get("dies"): sys.exit("a last word")
    for line in task.get("compiles", ()): reporter.say_compiling(line, lasting=False)
    reporter.say_compiling("a note that stays", lasting=True)
    if task.get("hangs"):
        reporter.start_clock()
        time.sleep(1000)
    with child_folder() as folder: parent = str(folder.parent)
    return {"process": os.getpid(), "read": sys.stdin.read(), "folder": parent}

serve_tasks(do)
"""


class FakeTime:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that does tasks."""
    (tmp_path / "child_of_a_test.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "child_of_a_test"


def ask(child: TimedChild, **task: Any) -> dict[str, Any] | Exit | Stopped:
    return child.ask(task, 1000.0, lambda: False)


def test_the_clock_of_a_task_starts_when_its_child_says_so() -> None:
    clock = FakeTime()
    watch = ChildClock(10.0, clock)
    clock.now = STARTING_SECONDS
    watch.hear(COMPILING)
    assert watch.reason_to_stop() is None
    watch.hear(CLOCK)
    clock.now += 11.0
    assert watch.reason_to_stop() is None
    clock.now += 2.0
    assert watch.reason_to_stop() == Stopped(TOO_LATE)


def test_a_child_whose_clock_never_starts_is_ended() -> None:
    clock = FakeTime()
    watch = ChildClock(10.0, clock)
    clock.now = STARTING_SECONDS + 1.0
    assert watch.reason_to_stop() == Stopped(NEVER_STARTED)


def test_compiling_sets_a_clock_that_runs_back() -> None:
    clock = FakeTime()
    watch = ChildClock(10.0, clock)
    watch.hear(CLOCK)
    clock.now = 13.0
    watch.hear(COMPILING)
    assert watch.reason_to_stop() is None


def test_a_child_does_one_task_after_the_other_whatever_they_print_or_read(module: str) -> None:
    with TimedChild("child", module) as child:
        first, second = ask(child), ask(child)
    assert first == second
    assert isinstance(first, dict)
    assert first["read"] == ""
    assert first["folder"] == str(child.folder)  # so that nothing is left of a child that is killed
    assert not child.folder.exists()


def test_lines_about_compiling_are_passed_on(module: str) -> None:
    heard: list[str] = []
    lines = ["compiling 1 of 2", "compiling 2 of 2", ""]
    with TimedChild("child", module) as child:
        child.ask({"compiles": lines}, 1000.0, lambda: False, heard.append)
    assert heard == lines


def test_a_child_that_dies_leaves_its_exit_code_and_last_words(module: str) -> None:
    with TimedChild("child", module) as child:
        ended = ask(child, dies=True)
        assert not child.is_alive
        assert isinstance(ended, Exit)
        assert ended.failure == "failed with exit code 1: a last word"


@pytest.mark.parametrize(("seconds", "reason"), [(0.01, TOO_LATE), (1000.0, CANCELLED)])
def test_a_task_ends_at_its_limit_or_when_cancelled(
    seconds: float, reason: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemhunter.work.timed_child.SLACK_SECONDS", 0.0)
    with TimedChild("child", module) as child:
        stopped = child.ask({"hangs": True}, seconds, lambda: reason == CANCELLED)
        assert (stopped, child.is_alive) == (Stopped(reason), False)


def test_a_full_disk_is_an_error_that_names_the_folder_of_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(EngineError, match=f"cannot write to {re.escape(str(tmp_path))}: "), child_folder():
        raise OSError(errno.ENOSPC, "No space left on device")
