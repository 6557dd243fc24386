"""A child process that does one task after the other; the clock of a task starts when the child says so.

Tasks and what becomes of them are lines of JSON on the child's standard input and output. The child sends the
result of each task, and before it when its clock starts and stops, and lines about compiling, each of which
sets the clock back to zero; the last of these lines is empty.
"""

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import IO, Any, Self, cast

from gemhunter.errors import EngineError
from gemhunter.work.child import (
    CHILD_POLL_SECONDS,
    LAST_BYTES,
    OWN_GROUP,
    STDERR,
    Exit,
    end_process,
    module_command,
)
from gemhunter.work.programs import ENDING_SECONDS, read_lines

STARTING_SECONDS = 600.0
"""How long a child may take before its clock starts."""

SLACK_SHARE, SLACK_SECONDS = 0.1, 1.0
"""A child that keeps its time limit may be late by this share and this many seconds; then it is ended."""

IDLE_SECONDS = 60.0
"""A child that gets no task for this long ends, such as one on a cluster when the command has gone."""

CANCELLED, TOO_LATE, NEVER_STARTED = "cancelled", "time limit", "did not start"

CLOCK, COMPILING, RESULT = "clock", "compiling", "result"
"""What a child sends: that its clock runs, a line about compiling, or a result."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A child that was ended from outside: `CANCELLED`, `TOO_LATE` or `NEVER_STARTED`."""

    reason: str


def ignore_line(line: str) -> None:
    """Hear that something is compiled, and do nothing about it."""


class ChildClock:
    """Watches a task from outside: has its clock started, and is its time over?"""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = seconds * (1 + SLACK_SHARE) + SLACK_SECONDS
        self._clock, self._asked = clock, clock()
        self._began: float | None = None

    def hear(self, kind: str) -> None:
        """Start or set back the clock, as the child says."""
        if kind == CLOCK or (kind == COMPILING and self._began is not None):
            self._began = self._clock()

    def reason_to_stop(self) -> Stopped | None:
        """Why to end the child now, if there is a reason."""
        if self._began is None:
            return Stopped(NEVER_STARTED) if self._clock() - self._asked > STARTING_SECONDS else None
        return Stopped(TOO_LATE) if self._clock() - self._began > self._most else None


class TimedChild:
    """One of our own modules in a fresh process, which calls `serve_tasks` with what it does.

    `folder` is for files that tasks need; it goes with the process.
    """

    def __init__(self, name: str, module: str) -> None:
        # On Windows, a file that is still open elsewhere cannot be removed; that is no reason to fail.
        self._folder = TemporaryDirectory(prefix="gemhunter-", ignore_cleanup_errors=True)
        self.folder = Path(self._folder.name)
        command = module_command(name, module)
        with (self.folder / STDERR).open("wb") as errors:
            try:
                self._process = subprocess.Popen(
                    command.words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env={**os.environ, **command.environment},
                    start_new_session=True,
                    creationflags=OWN_GROUP,
                )
            except OSError as error:
                raise EngineError(f"{name}: cannot be started: {error.strerror or error}") from None
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        Thread(target=read_lines, args=(self._process.stdout, self._lines), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def is_alive(self) -> bool:
        """Whether it can be given a task."""
        return self._process.poll() is None

    def ask(
        self,
        task: Mapping[str, Any],
        seconds: float,
        is_cancelled: Callable[[], bool],
        on_compiling: Callable[[str], None] = ignore_line,
    ) -> dict[str, Any] | Exit | Stopped:
        """The result of a task; without one, how the process ended or why it was ended.

        `on_compiling` gets the lines about compiling, the last of which is empty.
        """
        clock = ChildClock(seconds)
        stream = cast("IO[bytes]", self._process.stdin)
        with suppress(OSError):  # it has ended, and so have its lines
            stream.write(json.dumps(task).encode() + b"\n")
            stream.flush()
        while True:
            try:
                line = self._lines.get(timeout=CHILD_POLL_SECONDS)
            except Empty:
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
        """How it ended by itself."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING_SECONDS)
        end_process(self._process)
        errors = (self.folder / STDERR).read_bytes()[-LAST_BYTES:]
        self.end()
        return Exit(self._process.returncode, b"", errors)

    def end(self) -> None:
        """End the process and whatever it has started, and remove its folder."""
        end_process(self._process)
        with suppress(OSError):
            cast("IO[bytes]", self._process.stdin).close()
        self._folder.cleanup()


class TaskReporter:
    """In the child: says how far it is with its task."""

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
        """Pass on a line about compiling, which does not count; notes that stay are not passed on."""
        if not lasting:
            self.send(COMPILING, line)


def serve_tasks(do: Callable[[dict[str, Any], TaskReporter], dict[str, Any]]) -> None:
    """In the child: do tasks until there are no more.

    What a task prints goes to standard error, and it has no standard input: both are taken. A thread ends the
    process as soon as its input is closed, also in the middle of a task, whose result is no longer wanted.
    """
    lines, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - it is no path
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
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
                task = json.loads(tasks.get(timeout=IDLE_SECONDS))
                reporter.send(RESULT, do(task, reporter))
