"""A program that answers every line it is given with a line, for as long as it is needed."""

import shutil
import subprocess
import tempfile
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, cast

from gemhunter.errors import EngineError
from gemhunter.work.child import OWN_GROUP, Exit, end_process

LAST_WORDS_BYTES = 2000
ENDING_SECONDS = 2.0
"""How long a program may take to end once its input is closed."""


class LineProgram:
    """A program under way; everything that goes wrong with it is an `EngineError` that names it."""

    def __init__(self, name: str, words: tuple[str, ...]) -> None:
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
                start_new_session=True,
                creationflags=OWN_GROUP,
            )
        except OSError as error:
            self._errors.close()
            raise EngineError(f"{name}: cannot be started: {error.strerror or error}") from None
        self._input = cast("IO[bytes]", self._process.stdin)
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        # A pipe cannot be read with a time limit on every system; a queue can.
        Thread(target=_read_lines, args=(self._process.stdout, self._answers), daemon=True).start()

    def ask(self, line: str, seconds: float) -> str:
        """The program's answer to a line, if it comes within some seconds."""
        try:
            self._input.write(f"{line}\n".encode())
            self._input.flush()
            answer = self._answers.get(timeout=seconds)
        except (BrokenPipeError, OSError):
            answer = b""
        except Empty:
            self.end()
            raise EngineError(f"{self._name}: no answer within {seconds:g} s to: {line[:200]}") from None
        if not answer:
            self._answers.put(b"")  # nothing will come later either
            raise EngineError(f"{self._name}: {self._failure()}")
        return answer.decode("utf-8", "replace").strip()

    def end(self) -> None:
        """Close the program's input, which ends it; what goes on then is killed."""
        with suppress(OSError):
            self._input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING_SECONDS)
        end_process(self._process)
        self._errors.close()

    def _failure(self) -> str:
        """Why there is no answer: the program has ended."""
        code = self._process.wait()
        self._errors.seek(0, 2)
        self._errors.seek(max(self._errors.tell() - LAST_WORDS_BYTES, 0))
        ended = Exit(code, b"", self._errors.read())
        return ended.failure if code else ended.with_last_words("ended without an answer")


def _read_lines(stream: IO[bytes], lines: "SimpleQueue[bytes]") -> None:
    """Hand over lines; an empty one, which no line is, stands for the end."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(b"")
