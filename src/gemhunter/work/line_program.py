"""A program that answers each line with a line, as long as it is needed."""

import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from math import nan
from pathlib import Path
from threading import Condition, Thread
from types import MappingProxyType
from typing import IO

from gemhunter.errors import EngineError
from gemhunter.work.child_process import (
    CHILD_POLL_SECONDS,
    ENDING_SECONDS,
    LAST_BYTES,
    OUTPUT_LIMIT,
    ChildCommand,
    Exit,
    _end_of,
    _require_moderate,
    _start,
)
from gemhunter.work.command_words import path_of_program
from gemhunter.work.supervisor import ChildProcess

PROCESSES = Path("/proc")


def start_with_pipes(
    command: ChildCommand, errors: IO[bytes], line_limit: int
) -> tuple[ChildProcess, IO[bytes], "PrintedLines"]:
    """Start a program that reads and prints lines; returns the process, its input, and the lines it prints.

    What it writes to standard error goes to `errors`.
    """
    given, our_end = os.pipe()
    their_output, printed = os.pipe()
    ours = os.fdopen(our_end, "wb"), os.fdopen(their_output, "rb")
    try:
        process = _start(command, (given, printed, errors.fileno()))
    except EngineError:
        for stream in ours:
            stream.close()
        raise
    finally:
        os.close(given)
        os.close(printed)
    return process, ours[0], PrintedLines(ours[1], line_limit)


class PrintedLines:
    """The lines that a program prints; a thread reads ahead, up to a megabyte, and closes the stream.

    `has_long_line` says that the lines end with one of more than `limit` bytes.
    """

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self.has_long_line = False
        self._stream, self._limit = stream, limit
        self._changed = Condition()
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._is_over = self._is_closed = False
        # A pipe cannot be read with a time limit on every system; a queue can.
        Thread(target=self._read, daemon=True).start()

    def get(self, seconds: float) -> bytes | None:
        """The next line, empty at their end; None if there is none within this many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._is_over, seconds)
            if not self._lines:
                return b"" if self._is_over else None
            line = self._lines.popleft()
            self._size -= sys.getsizeof(line)
            self._changed.notify_all()
            return line

    def close(self) -> None:
        """Read no more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _read(self) -> None:
        with self._stream:
            while not self._is_closed and (line := self._stream.readline(self._limit + 1)):
                if len(line) > self._limit:
                    self.has_long_line = True
                    break
                with self._changed:
                    self._changed.wait_for(lambda: self._size < 2**20 or self._is_closed)
                    self._lines.append(line)
                    self._size += sys.getsizeof(line)
                    self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()


class LineProgram:
    """A running program that answers line by line; if it fails, an `EngineError` names it."""

    def __init__(
        self,
        name: str,
        words: tuple[str, ...],
        environment: Mapping[str, str] = MappingProxyType({}),
        line_limit: int = OUTPUT_LIMIT,
    ) -> None:
        """`environment` adds to our own environment variables; no line has more than `line_limit` bytes."""
        executable = path_of_program(words[0], name)
        self._name, self._line_limit = name, line_limit
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the program
        try:
            command = ChildCommand(name, (executable, *words[1:]), environment)
            self._process, self._input, self._lines = start_with_pipes(command, self._errors, line_limit)
        except EngineError:
            self._errors.close()
            raise

    def ask(self, line: str, seconds: float) -> str:
        """The program's answer to a line; `EngineError` if it takes longer than this many seconds."""
        self.send(line)
        answer = self.receive(seconds)
        if answer is None:
            self.end()
            raise EngineError(f"{self._name}: no answer within {seconds:g} s to: {line[:200]}")
        return answer

    def send(self, line: str) -> None:
        """Send the program a line."""
        with suppress(OSError):  # it has ended, which `receive` reports
            self._input.write(f"{line}\n".encode())
            self._input.flush()

    def receive(self, seconds: float) -> str | None:
        """The next line of the program, or None if there is none within this many seconds."""
        until = time.monotonic() + seconds
        answer = None
        while answer is None and (left := until - time.monotonic()) > 0:
            answer = self._lines.get(min(left, CHILD_POLL_SECONDS))
            _require_moderate(self._name, self._errors, OUTPUT_LIMIT)
        if answer is None:
            return None
        if answer:
            return answer.decode("utf-8", "replace").strip()
        if self._lines.has_long_line:
            raise EngineError(f"{self._name}: printed a line of more than {self._line_limit:,} bytes")
        if (code := self._process.wait(ENDING_SECONDS)) is None:
            code = 0  # it has closed its output, but still runs
        ended = Exit(code, b"", _end_of(self._errors, LAST_BYTES))
        raise EngineError(
            f"{self._name}: {ended.failure if code else ended.with_last_words('ended without an answer')}"
        )

    @property
    def cpu_seconds(self) -> float:
        """The processor time of the program and the processes it has started; not a number if not known.

        Only Linux reports it. Windows reports the time of a running process, but not of those it has started;
        `python` in a virtual environment only starts another `python` there.
        """
        try:
            processes = [process for process in PROCESSES.iterdir() if process.name.isdigit()]
        except OSError:
            return nan
        ticks = 0
        for process in processes:
            with suppress(OSError):  # it has just ended
                # The name of the program, in brackets, may contain anything. After it come the state, the
                # parent, the group, the session, and from the 12th field on the time in user and in system
                # mode, of the process and of those it has started and waited for.
                fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
                if int(fields[3]) == self._process.pid:
                    ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self, seconds: float = ENDING_SECONDS) -> None:
        """Close the program's input, which ends it; what still runs after this many seconds is killed."""
        with suppress(OSError):
            self._input.close()
        self._lines.close()
        self._process.wait(seconds)
        self._process.end()
        self._errors.close()
