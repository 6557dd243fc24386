"""A child process under limits: how it is started, watched and ended, and what its exit means."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from gemhunter.errors import EngineError
from gemhunter.work import memory

Reason = TypeVar("Reason")

CHILD_POLL_SECONDS = 0.05
INPUT, STDOUT, STDERR = "stdin", "stdout", "stderr"
"""The files that hold what a child reads and prints, in the folder it is given."""

LAST_BYTES = 2000
"""How much of the end of what a child printed is looked at, if it failed."""

CRASHES = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGKILL")
"""By name, as Windows does not have all of them."""

CANNOT_BE_LOADED = 127

OWN_GROUP: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""On Windows, what `start_new_session` is elsewhere: Ctrl-C in the terminal does not reach the child."""


@dataclass(frozen=True, slots=True)
class ChildCommand:
    """A program to start: the path of its file and its arguments.

    `environment` adds to our own environment variables. `memory` is a limit in bytes. `folder` is where it
    starts, if not in the current one, and `text` what it reads from its standard input.
    """

    name: str
    """What the program is called in messages."""
    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    memory: int | None = None
    folder: Path | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a child ended: its exit code, or minus a signal, and the end of what it printed."""

    code: int
    output: bytes
    errors: bytes

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether a child under a memory limit failed for want of memory.

        Many programs do not check whether they got what they asked for, and crash; some crash before they
        are loaded.
        """
        if self.code == 0:
            return False
        return (
            memory.ran_out(self.output + self.errors)
            or _signal_name(-self.code) in CRASHES
            or self.code == CANNOT_BE_LOADED
        )

    @property
    def failure(self) -> str:
        """What went wrong with a child that failed, in its own last words if it has any."""
        if self.code < 0:
            return self.with_last_words(f"ended by {_signal_name(-self.code)}")
        return self.with_last_words(f"failed with exit code {self.code}")

    def with_last_words(self, message: str) -> str:
        """The message, and after it the last line that the child wrote to standard error."""
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        return f"{message}: {lines[-1].strip()[:200]}" if lines else message


@contextmanager
def child_folder() -> Iterator[Path]:
    """A temporary folder for the files of a child, which is removed at the end of the block."""
    # On Windows, a file that is still open elsewhere cannot be removed; that is no reason to fail.
    with tempfile.TemporaryDirectory(prefix="gemhunter-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def module_command(name: str, module: str, *arguments: str) -> ChildCommand:
    """Run one of our own modules in a fresh interpreter that imports nothing from the current folder."""
    source = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    return ChildCommand(name, (sys.executable, "-P", "-m", module, *arguments), {"PYTHONPATH": path})


def run_child(
    command: ChildCommand,
    folder: Path,
    *,
    seconds_left: Callable[[], float | None],
    stop: Callable[[], Reason | None],
) -> Exit | Reason:
    """Run a command to its end, or until `stop` gives a reason; nothing it has started is left running.

    `stop` is called several times a second, and when `seconds_left`, which may be None, has passed.
    """
    process = _start(command, folder)
    try:
        reason = _wait(process, seconds_left, stop)
    finally:
        end_process(process)
    if reason is not None:
        return reason
    return Exit(process.returncode, _tail(folder / STDOUT), _tail(folder / STDERR))


def _start(command: ChildCommand, folder: Path) -> "subprocess.Popen[bytes]":
    words = command.words
    if command.memory is not None:
        words = (sys.executable, "-I", "-S", memory.__file__, str(command.memory), *words)
    (folder / INPUT).write_text(command.text, encoding="utf-8", newline="")
    with (
        (folder / INPUT).open("rb") as given,
        (folder / STDOUT).open("wb") as output,
        (folder / STDERR).open("wb") as errors,
    ):
        try:
            return subprocess.Popen(
                words,
                stdin=given,
                stdout=output,
                stderr=errors,
                env={**os.environ, **command.environment},
                cwd=command.folder,
                start_new_session=True,
                creationflags=OWN_GROUP,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise EngineError(f"{command.name}: cannot be started: {why}") from None


def _wait(
    process: "subprocess.Popen[bytes]",
    seconds_left: Callable[[], float | None],
    stop: Callable[[], Reason | None],
) -> Reason | None:
    while True:
        left = seconds_left()
        try:
            process.wait(CHILD_POLL_SECONDS if left is None else min(CHILD_POLL_SECONDS, left))
        except subprocess.TimeoutExpired:
            if (reason := stop()) is not None:
                return reason
        else:
            return None


def end_process(process: "subprocess.Popen[bytes]") -> None:
    """End the child and, where the system has groups of processes, whatever the child has started."""
    if hasattr(os, "killpg"):
        # macOS refuses, rather than finds no process, if all that is left has ended but was not waited for.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _tail(file: Path) -> bytes:
    with file.open("rb") as stream:
        stream.seek(max(file.stat().st_size - LAST_BYTES, 0))
        return stream.read()


def _signal_name(number: int) -> str:
    known = {member.value: member.name for member in signal.Signals}
    return known.get(number, f"signal {number}")
