"""A program that answers every line it is given with a line, for as long as it is needed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from math import nan
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import MappingProxyType
from typing import IO, cast

from gemhunter.errors import EngineError
from gemhunter.work.child import OWN_GROUP, Exit, end_process

LAST_WORDS_BYTES = 2000
ENDING_SECONDS = 2.0
"""How long a program may take to end once its input is closed."""

PROCESSES = Path("/proc")


class LineProgram:
    """A program under way; everything that goes wrong with it is an `EngineError` that names it."""

    def __init__(
        self, name: str, words: tuple[str, ...], environment: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """`environment` adds to our own environment variables."""
        executable = shutil.which(words[0])
        if executable is None:
            raise EngineError(f"{name}: no program named {words[0]!r} on this machine")
        self._name = name
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the program
        try:
            self._process = subprocess.Popen(
                (executable, *words[1:]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**os.environ, **environment},
                start_new_session=True,
                creationflags=OWN_GROUP,
            )
        except OSError as error:
            self._errors.close()
            raise EngineError(f"{name}: cannot be started: {error.strerror or error}") from None
        self._input = cast("IO[bytes]", self._process.stdin)
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        # A pipe cannot be read with a time limit on every system; a queue can.
        Thread(target=read_lines, args=(self._process.stdout, self._answers), daemon=True).start()

    def ask(self, line: str, seconds: float) -> str:
        """The program's answer to a line, if it comes within some seconds."""
        self.send(line)
        answer = self.receive(seconds)
        if answer is None:
            self.end()
            raise EngineError(f"{self._name}: no answer within {seconds:g} s to: {line[:200]}")
        return answer

    def send(self, line: str) -> None:
        """Give the program a line; that it has ended shows when its answer is asked for."""
        with suppress(OSError):
            self._input.write(f"{line}\n".encode())
            self._input.flush()

    def receive(self, seconds: float) -> str | None:
        """The next line of the program, or None if there is none within some seconds."""
        try:
            answer = self._answers.get(timeout=seconds)
        except Empty:
            return None
        if not answer:
            self._answers.put(b"")  # nothing will come later either
            raise EngineError(f"{self._name}: {self._failure()}")
        return answer.decode("utf-8", "replace").strip()

    @property
    def cpu_seconds(self) -> float:
        """The processor time of the program and all that it has started; not a number if it cannot be known.

        Only Linux tells. Windows knows the time of a process that still runs, but not of what it has started,
        and `python` in a virtual environment does nothing there but start another `python`.
        """
        try:
            processes = [each for each in PROCESSES.iterdir() if each.name.isdigit()]
        except OSError:
            return nan
        ticks = 0
        for process in processes:
            with suppress(OSError):  # it has just ended
                # The name of the program, in brackets, may hold anything. After it: the state, the parent,
                # the group, the session, and from the 12th field on the time in user and in system mode, of
                # the process and of those it has started and waited for.
                fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
                if int(fields[3]) == self._process.pid:
                    ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self, seconds: float = ENDING_SECONDS) -> None:
        """Close the program's input, which ends it; what still runs after some seconds is killed."""
        with suppress(OSError):
            self._input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        end_process(self._process)
        self._errors.close()

    def _failure(self) -> str:
        """Why there is no answer: the program has ended."""
        code = self._process.wait()
        self._errors.seek(0, 2)
        self._errors.seek(max(self._errors.tell() - LAST_WORDS_BYTES, 0))
        ended = Exit(code, b"", self._errors.read())
        return ended.failure if code else ended.with_last_words("ended without an answer")


def read_lines(stream: IO[bytes], lines: "SimpleQueue[bytes]") -> None:
    """Hand over lines; an empty one, which no line is, stands for the end."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(b"")
