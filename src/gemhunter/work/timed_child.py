"""A module of this package that does one task after another under a time limit.

Tasks and results are lines of JSON on its standard input and output. Before its result, the child sends a
line when the clock of the task starts, and lines about compiling, each of which resets the clock. The last
of these is empty.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, Self, cast

from gemhunter.work.child_process import (
    CHILD_POLL_SECONDS,
    ENDING_SECONDS,
    FOLDER_VARIABLE,
    LAST_BYTES,
    OUTPUT_LIMIT,
    Exit,
    _end_of,
    module_command,
)
from gemhunter.work.line_program import start_with_pipes

STARTING_SECONDS = 600.0
"""How long a child may take before its clock starts."""

SLACK_SECONDS = 1.0
"""A child may exceed its time limit by this and a tenth of the limit; then it is ended."""

CANCELLED, TOO_LATE, NEVER_STARTED = "cancelled", "time limit", "did not start"

CLOCK, COMPILING, RESULT = "clock", "compiling", "result"
"""What a child sends: that its clock has started, a line about compiling, or a result."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A child that was ended from outside: `CANCELLED`, `TOO_LATE` or `NEVER_STARTED`."""

    reason: str


def ignore_line(line: str) -> None:
    """Ignore a line about compiling."""


class ChildClock:
    """Times a task from outside: whether its clock has started, and whether its time is over."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = seconds * 1.1 + SLACK_SECONDS
        self._clock, self._created = clock, clock()
        self._began: float | None = None

    def hear(self, kind: str) -> None:
        """Start or reset the clock after a line of this kind from the child."""
        if kind == CLOCK or (kind == COMPILING and self._began is not None):
            self._began = self._clock()

    def reason_to_stop(self) -> Stopped | None:
        """Why to end the child now, if there is a reason."""
        if self._began is None:
            return Stopped(NEVER_STARTED) if self._clock() - self._created > STARTING_SECONDS else None
        return Stopped(TOO_LATE) if self._clock() - self._began > self._limit else None


class TimedChild:
    """A module of this package in a new process, in which it calls `serve_tasks`.

    `folder` is for files that tasks need; it is removed when the process is ended.
    """

    def __init__(self, name: str, module: str) -> None:
        # Errors are ignored because on Windows a file that is still open elsewhere cannot be removed.
        self._folder = tempfile.TemporaryDirectory(prefix="gemhunter-", ignore_cleanup_errors=True)
        self.folder = Path(self._folder.name)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        command = module_command(name, module)
        command = replace(command, environment={**command.environment, FOLDER_VARIABLE: str(self.folder)})
        self._process, self._input, self._lines = start_with_pipes(command, self._errors, OUTPUT_LIMIT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.wait(0) is None

    def ask(
        self,
        task: Mapping[str, Any],
        seconds: float,
        is_cancelled: Callable[[], bool],
        on_compiling: Callable[[str], None] = ignore_line,
    ) -> dict[str, Any] | Exit | Stopped:
        """The result of a task, or how the process ended, or why it was ended.

        `on_compiling` gets the lines about compiling, the last of which is empty.
        """
        clock = ChildClock(seconds)
        with suppress(OSError):  # it has ended, which the end of its lines shows
            self._input.write(json.dumps(task).encode() + b"\n")
            self._input.flush()
        while True:
            line = self._lines.get(CHILD_POLL_SECONDS)
            if line is None:
                reason = Stopped(CANCELLED) if is_cancelled() else clock.reason_to_stop()
                if reason is not None:
                    self.end()
                    return reason
                continue
            if not line:
                return self._exit()
            ((kind, value),) = json.loads(line).items()
            if kind == RESULT:
                return cast("dict[str, Any]", value)
            clock.hear(kind)
            if kind == COMPILING:
                on_compiling(value)

    def _exit(self) -> Exit:
        """How the process ended before its task was done."""
        self._process.wait(ENDING_SECONDS)
        code = self._process.end()
        errors = _end_of(self._errors, LAST_BYTES)
        self.end()
        return Exit(code, b"", errors)

    def end(self) -> None:
        """End the process and all processes it has started, and remove its folder."""
        self._process.end()
        with suppress(OSError):
            self._input.close()
        self._lines.close()
        self._errors.close()
        self._folder.cleanup()


class TaskReporter:
    """In the child: sends lines about its task."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def send(self, kind: str, value: Any) -> None:
        """Send a line."""
        self._stream.write(json.dumps({kind: value}) + "\n")
        self._stream.flush()

    def start_clock(self) -> None:
        """Start the clock."""
        self.send(CLOCK, True)

    def say_compiling(self, line: str, *, lasting: bool) -> None:
        """Send a line about compiling, whose time does not count; lasting notes are not sent."""
        if not lasting:
            self.send(COMPILING, line)


def serve_tasks(do: Callable[[dict[str, Any], TaskReporter], dict[str, Any]]) -> None:
    """In the child: do tasks until there are no more.

    A task has no standard input, and what it prints goes to standard error, because tasks and results use the
    pipes. A thread ends the process as soon as its input is closed, even during a task.
    """
    lines, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - it is no path
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # its own buffer would be written last, below the error that ended a task
    tasks: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        for line in lines:
            tasks.put(line)
        os._exit(0)

    Thread(target=read, daemon=True).start()
    with os.fdopen(answers, "w", encoding="utf-8") as stream:
        reporter = TaskReporter(stream)
        with suppress(Empty):
            while True:
                # A child that gets no task for a minute ends: on a cluster, its command may have ended.
                task = json.loads(tasks.get(timeout=60.0))
                reporter.send(RESULT, do(task, reporter))
