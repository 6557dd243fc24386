"""Child processes under limits: how one is started, watched and ended, and what its exit means."""

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TypeVar

from gemhunter.errors import EngineError
from gemhunter.work import memory
from gemhunter.work.supervisor import ChildProcess, start_process

Reason = TypeVar("Reason")

CHILD_POLL_SECONDS = 0.05
ENDING_SECONDS = 2.0
"""How long a program may take to end after its input is closed."""

OUTPUT_LIMIT = 16 * 2**20
"""Bytes that a program may print, write to standard error, or write as its answer."""

FOLDER_VARIABLE = "GEMHUNTER_CHILD_FOLDER"
"""Names the folder of a `TimedChild`: the folders of its own children lie there, even if it is killed."""

LAST_BYTES = 2000
"""How much of the end of a failed child's output is read."""


@dataclass(frozen=True, slots=True)
class ChildCommand:
    """A program to start: its name in messages, and the words of its command, the path of its file first.

    `environment` adds to our own environment variables. `memory` is a limit in bytes. `folder` is where it
    starts, if not in the current folder, and `text` is its standard input.
    """

    name: str
    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    memory: int | None = None
    folder: Path | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a child ended: its exit code or minus the signal's number, what it printed, and its last errors."""

    code: int
    output: bytes
    errors: bytes

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether a child under a memory limit failed because it got no more memory.

        Many programs do not check whether they got the memory, and crash; some crash while they are loaded.
        """
        if self.code == 0:
            return False
        return (
            memory.ran_out(self.output[-LAST_BYTES:] + self.errors)
            # By name, as Windows does not have all of them.
            or _signal_name(-self.code) in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGKILL")
            or self.code == 127  # it cannot be loaded
        )

    @property
    def failure(self) -> str:
        """What went wrong with a child that failed, with the last line that it wrote to standard error."""
        if self.code < 0:
            return self.with_last_words(f"ended by {_signal_name(-self.code)}")
        return self.with_last_words(f"failed with exit code {self.code}")

    def with_last_words(self, message: str) -> str:
        """The message, and after it the last line that the child wrote to standard error."""
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        return f"{message}: {lines[-1].strip()[:200]}" if lines else message


def _signal_name(number: int) -> str:
    known = {member.value: member.name for member in signal.Signals}
    return known.get(number, f"signal {number}")


@contextmanager
def child_folder() -> Iterator[Path]:
    """A temporary folder for the files of a child, removed at the end of the block.

    If they do not fit on the disk, it is an `EngineError` that names the folder of all temporary files.
    """
    place = os.environ.get(FOLDER_VARIABLE)
    # Errors are ignored because on Windows a file that is still open elsewhere cannot be removed.
    with tempfile.TemporaryDirectory(prefix="gemhunter-", dir=place, ignore_cleanup_errors=True) as name:
        try:
            yield Path(name)
        except OSError as error:
            if error.filename is not None:
                raise
            reason = (error.strerror or str(error)).lower()
            raise EngineError(f"cannot write to {Path(name).parent}: {reason}") from None


def module_command(name: str, module: str, *arguments: str) -> ChildCommand:
    """The command of a module of this package, in an interpreter that ignores the current folder."""
    source = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    return ChildCommand(name, (sys.executable, "-P", "-m", module, *arguments), {"PYTHONPATH": path})


def run_child(
    command: ChildCommand,
    *,
    seconds_left: Callable[[], float | None],
    stop: Callable[[], Reason | None],
    output_limit: int = OUTPUT_LIMIT,
) -> Exit | Reason:
    """Run a command to its end, or until `stop` returns a reason; no process that it started keeps running.

    `stop` is called several times a second, and when `seconds_left`, unless that is None, have passed. A
    command that prints more than `output_limit` bytes is ended, with an `EngineError`.
    """
    # The files have no names, so the program cannot put anything in their place.
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(command.text.encode())
        given.seek(0)
        process = _start(command, (given.fileno(), output.fileno(), errors.fileno()))
        try:
            code = None
            while code is None:
                left = seconds_left()
                code = process.wait(CHILD_POLL_SECONDS if left is None else min(CHILD_POLL_SECONDS, left))
                for file in (output, errors):
                    _require_moderate(command.name, file, output_limit)
                if code is None and (reason := stop()) is not None:
                    return reason
        finally:
            process.end()
        return Exit(code, _end_of(output, output_limit), _end_of(errors, LAST_BYTES))


def _start(command: ChildCommand, streams: tuple[int, int, int]) -> ChildProcess:
    """Start a program with these files as its input, output and errors."""
    environment = {**os.environ, **command.environment}
    try:
        return start_process(
            command.words, streams, environment, folder=command.folder, memory=command.memory
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise EngineError(f"{command.name}: cannot be started: {why}") from None


def _require_moderate(name: str, file: IO[bytes], limit: int) -> None:
    """Raise an `EngineError` that names the program if it has written more than this many bytes to a file."""
    if os.fstat(file.fileno()).st_size > limit:
        raise EngineError(f"{name}: printed more than {limit:,} bytes")


def _end_of(file: IO[bytes], most: int) -> bytes:
    """The last bytes of a file, at most this many."""
    file.seek(max(os.fstat(file.fileno()).st_size - most, 0))
    return file.read(most)
