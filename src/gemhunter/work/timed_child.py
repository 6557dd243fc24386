"""A child process whose time limit begins when the child says so, such as after importing and compiling.

The task and the result are JSON files in a folder of their own. The file STARTED is there while the clock of
the child runs, which is set back to zero each time that the file is touched.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gemhunter.work.child import Exit, child_folder, module_command, run_child

CHILD_TASK_FILE, CHILD_RESULT_FILE, STARTED = "task.json", "result.json", "started"

STARTING_SECONDS = 600.0
"""How long a child may take before its clock starts."""

SLACK_SHARE, SLACK_SECONDS = 0.1, 1.0
"""A child that keeps its time limit may be late by this share and this many seconds; then it is ended."""

CANCELLED, TOO_LATE, NEVER_STARTED = "cancelled", "time limit", "did not start"


@dataclass(frozen=True, slots=True)
class Stopped:
    """A child that was ended from outside: `CANCELLED`, `TOO_LATE` or `NEVER_STARTED`."""

    reason: str


@dataclass(frozen=True, slots=True)
class TimedTask:
    """A task for one of our own modules, within `seconds`; `files` are further files for its folder."""

    name: str
    """What the child is called in messages."""
    module: str
    task: Mapping[str, Any]
    seconds: float
    files: Mapping[str, str]


def run_timed_child(asked: TimedTask, is_cancelled: Callable[[], bool]) -> dict[str, Any] | Exit | Stopped:
    """The result of a task in a fresh process; how the process ended if it left none."""
    with child_folder() as folder:
        for name, text in asked.files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        (folder / CHILD_TASK_FILE).write_text(json.dumps(asked.task), encoding="utf-8")
        clock = ChildClock(folder, asked.seconds, is_cancelled)
        command = module_command(asked.name, asked.module, str(folder))
        ended = run_child(command, folder, seconds_left=lambda: None, stop=clock.reason_to_stop)
        if isinstance(ended, Stopped) or not (folder / CHILD_RESULT_FILE).exists():
            return ended
        result: dict[str, Any] = json.loads((folder / CHILD_RESULT_FILE).read_text(encoding="utf-8"))
        return result


class ChildClock:
    """Watches a child from outside: has its clock started, is its time over, was it cancelled?"""

    def __init__(self, folder: Path, seconds: float, is_cancelled: Callable[[], bool]) -> None:
        self._started, self._is_cancelled = folder / STARTED, is_cancelled
        self._began = time.time()
        self._most = seconds * (1 + SLACK_SHARE) + SLACK_SECONDS

    def reason_to_stop(self) -> Stopped | None:
        """Why to end the child now, if there is a reason."""
        if self._is_cancelled():
            return Stopped(CANCELLED)
        if not self._started.exists():
            is_late = time.time() - self._began > STARTING_SECONDS
            return Stopped(NEVER_STARTED) if is_late else None
        return Stopped(TOO_LATE) if time.time() - self._started.stat().st_mtime > self._most else None


class StartMark:
    """In the child: the file by which the process that waits knows since when the clock runs."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def start(self) -> None:
        """Start the clock."""
        self._file.touch()

    def stop(self) -> None:
        """Stop the clock: what follows has no time limit of its own."""
        self._file.unlink()

    def set_back(self, *_: object, **__: object) -> None:
        """Set a clock that runs back to zero, as while something is compiled, which does not count."""
        if self._file.exists():
            self._file.touch()


def read_task(folder: Path) -> dict[str, Any]:
    """In the child: the task in its folder."""
    task: dict[str, Any] = json.loads((folder / CHILD_TASK_FILE).read_text(encoding="utf-8"))
    return task


def write_result(folder: Path, record: Mapping[str, Any]) -> None:
    """In the child: leave a result, whole or not at all."""
    draft = folder / f"{CHILD_RESULT_FILE}.draft"
    draft.write_text(json.dumps(record), encoding="utf-8")
    draft.replace(folder / CHILD_RESULT_FILE)
