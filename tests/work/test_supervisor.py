"""No program outlives the process that started it, and none leaves processes behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import cast

import pytest

from gemhunter.errors import EngineError
from gemhunter.work.child_process import ChildCommand, Exit, run_child
from gemhunter.work.jobs import JobPool, Message, MessageKind
from gemhunter.work.line_program import LineProgram
from gemhunter.work.timed_child import TimedChild
from processes import children_of, end, needs_proc, wait_until
from program_starters import PROCESSES, WAYS, escaping, running, start_in_a_job

pytestmark = needs_proc

MARKS = (f"{86_400 + number}.{os.getpid()}" for number in count())


@pytest.fixture
def mark() -> Iterator[str]:
    """A time to sleep that no other process sleeps; what still sleeps after the test is killed."""
    mark = next(MARKS)
    yield mark
    for pid in running(mark):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("way", WAYS)
def test_a_program_ends_with_the_process_that_started_it(way: str, number: signal.Signals, mark: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "program_starters", way, mark]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            assert wait_until(lambda: len(running(mark)) == PROCESSES)
            process.send_signal(number)
            process.wait(60)
        finally:
            process.kill()
    assert wait_until(lambda: not running(mark))


def test_a_program_that_ends_leaves_nothing_behind(mark: str) -> None:
    wait = f"while [ $(pgrep -cf '^sleep {mark}') -lt {PROCESSES - 1} ]; do sleep 0.01; done; exit 3"
    ended = run_child(
        ChildCommand("program", escaping(mark, wait)), seconds_left=lambda: None, stop=lambda: None
    )
    assert isinstance(ended, Exit)
    assert (ended.code, running(mark)) == (3, [])


def test_a_program_that_is_stopped_leaves_nothing_behind(mark: str) -> None:
    stopped = run_child(
        ChildCommand("program", escaping(mark)),
        seconds_left=lambda: None,
        stop=lambda: "enough" if len(running(mark)) == PROCESSES else None,
    )
    assert (stopped, running(mark)) == ("enough", [])


def test_a_program_that_answers_lines_leaves_nothing_behind(mark: str) -> None:
    program = LineProgram("program", escaping(mark))
    assert wait_until(lambda: len(running(mark)) == PROCESSES)
    program.end(seconds=0)
    assert running(mark) == []


def test_a_child_that_is_cancelled_leaves_no_program_behind(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    with TimedChild("child", "program_starters") as child:
        child.ask({"mark": mark}, 1000.0, lambda: len(running(mark)) == PROCESSES)
    assert running(mark) == []


def test_a_job_whose_worker_is_killed_leaves_no_program_behind(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    messages: SimpleQueue[Message] = SimpleQueue()
    with JobPool(1) as pool:
        job = pool.submit(start_in_a_job, mark, on_message=messages.put)
        assert wait_until(lambda: len(running(mark)) == PROCESSES)
        job.cancel()
        assert messages.get().kind is MessageKind.FAILURE
    assert wait_until(lambda: not running(mark))


def test_programs_can_be_started_after_the_supervisor_was_killed() -> None:
    def exit_code(code: int) -> int:
        command = ChildCommand("program", ("/bin/sh", "-c", f"exit {code}"))
        return cast("Exit", run_child(command, seconds_left=lambda: None, stop=lambda: None)).code

    assert exit_code(3) == 3
    supervisors = [
        pid
        for pid in children_of(os.getpid())
        if b"gemhunter.work.supervisor" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    for pid in supervisors:
        for each in (*children_of(pid), pid):
            os.kill(each, signal.SIGKILL)
    assert len(supervisors) == 1
    assert exit_code(4) == 4


def test_a_program_whose_guard_is_killed_counts_as_killed(mark: str) -> None:
    program = LineProgram("program", ("sleep", mark))
    status = Path(f"/proc/{program._process.pid}/status").read_text("utf-8")
    guard = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("PPid:"))
    os.kill(guard, signal.SIGKILL)
    assert program._process.wait(60.0) == -signal.SIGKILL
    program.end()
    assert end(program._process.pid)


def test_programs_run_and_end_on_systems_without_guards(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    command = ChildCommand("program", ("/bin/sh", "-c", "cat; exit 3"), text="read")
    assert run_child(command, seconds_left=lambda: None, stop=lambda: None) == Exit(3, b"read", b"")
    program = LineProgram("program", ("/bin/sleep", mark))
    program.end(seconds=0)
    assert program._process.wait(0) == -signal.SIGKILL


def test_a_program_that_cannot_be_started_is_named(tmp_path: Path) -> None:
    for words, reason in [
        ((str(tmp_path / "missing"),), "No such file or directory"),
        ((str(tmp_path),), "Permission denied"),
        (("/bin/sh", "a\0b"), "embedded null byte"),
    ]:
        with pytest.raises(EngineError, match=f"^program: cannot be started: {reason}$"):
            run_child(ChildCommand("program", words), seconds_left=lambda: None, stop=lambda: None)
