"""Other people's programs: one that answers line by line, and one that fills in a board."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import nan
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import MappingProxyType
from typing import IO, TypeVar, cast

from gemhunter.errors import EngineError, InputError
from gemhunter.work.child import OWN_GROUP, STDOUT, ChildCommand, Exit, child_folder, end_process, run_child

# The words of a command that a person has typed, as `cmd:` engines and agents have it.


COMMAND_PREFIX = "cmd:"

ESCAPE = "" if os.sep == "\\" else "\\"
"""Quotes the next character of a command; on Windows nothing does, as a backslash separates folders."""


def command_words(command: str, example: str, prefix: str = COMMAND_PREFIX) -> tuple[str, ...]:
    """The program and its arguments, with quotes as in a shell; `example` is a command that would do."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    try:
        words = tuple(lexer)
    except ValueError as error:
        raise InputError(f"{prefix}{command}: {str(error).lower()}") from None
    if not words:
        raise InputError(f"{prefix} needs the program to run, such as {prefix}{example}")
    return words


# A program that answers every line it is given with a line, for as long as it is needed.


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


# A handed-in program for boards: it is given one, and prints it filled in or writes a file.
#
# Most handed-in programs take no arguments: they ask for numbers on their standard input, read a board from
# a fixed path and write the answer to another. So a board can be given in any of three ways.


Reason = TypeVar("Reason")

BOARD_WORD, FOLDER_WORD = "{board}", "{student}"

LARGEST_PRINTED = 16 * 2**20
LARGEST_COPY = 200 * 2**20
"""Bytes that a program may print, and that the folder may hold that is copied for it."""

NOT_COPIED = (".git", ".venv", "venv", "node_modules", "__pycache__")


@dataclass(frozen=True, slots=True)
class BoardProgram:
    """A program, and how it gets a board.

    `{board}` in its arguments stands for the board file, and `{student}` for the folder in which it starts.
    Otherwise the board is put at `place` in that folder, or is the input of the program unless it is given
    other input. The answer is what it prints, or what it writes to `answer` in that folder.
    """

    name: str
    """What the program is called in messages."""
    words: tuple[str, ...]
    stdin: str = ""
    place: str = ""
    answer: str = ""
    folder: Path = Path()
    is_copied: bool = False
    """Whether it starts in a copy of the folder, as it does if files are put there."""

    def __post_init__(self) -> None:
        for name in (self.place, self.answer):
            if re.match(r"[/\\]|\w:", name) or ".." in Path(name).parts:
                raise InputError(f"expected a file inside the folder of the program, not {name!r}")

    def answer_to(
        self,
        board: str,
        *,
        seconds_left: Callable[[], float | None],
        stop: Callable[[], Reason | None],
        memory: int | None = None,
    ) -> tuple[bytes, Exit] | Reason:
        """What the program answers to a board and how it ended, or the reason to stop that came first."""
        with child_folder() as files:
            file = files / "board.txt"
            file.write_text(f"{board}\n", encoding="utf-8")
            home = self._home(files)
            if self.place:
                placed = home / self.place
                placed.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, placed)
            if self.answer:
                (home / self.answer).unlink(missing_ok=True)  # an older answer is not to be graded
            words = [
                word.replace(BOARD_WORD, str(file)).replace(FOLDER_WORD, str(home)) for word in self.words
            ]
            executable = shutil.which(words[0])
            if executable is None:
                raise EngineError(f"{self.name}: no program named {words[0]!r} on this machine")
            is_input = not self.place and not any(BOARD_WORD in word for word in self.words)
            text = self.stdin or (f"{board}\n" if is_input else "")
            command = ChildCommand(self.name, (executable, *words[1:]), memory=memory, folder=home, text=text)

            def reason_to_stop() -> Reason | None:
                if (files / STDOUT).stat().st_size > LARGEST_PRINTED:
                    raise EngineError(f"{self.name}: printed more than {LARGEST_PRINTED:,} bytes")
                return stop()

            ended = run_child(command, files, seconds_left=seconds_left, stop=reason_to_stop)
            if not isinstance(ended, Exit):
                return ended
            written = home / self.answer if self.answer else files / STDOUT
            if not written.is_file():
                wrote_nothing = f"wrote no file {self.answer}"
                raise EngineError(f"{self.name}: {ended.with_last_words(wrote_nothing)}")
            if written.stat().st_size > LARGEST_PRINTED:
                raise EngineError(f"{self.name}: wrote more than {LARGEST_PRINTED:,} bytes")
            return written.read_bytes(), ended

    def _home(self, files: Path) -> Path:
        """Where the program starts."""
        if not (self.is_copied or self.place or self.answer):
            return self.folder.resolve()
        size = 0
        for path, folders, names in os.walk(self.folder):
            folders[:] = (name for name in folders if name not in NOT_COPIED)
            size += sum(os.lstat(os.path.join(path, name)).st_size for name in names)  # noqa: PTH118
            if size > LARGEST_COPY:
                raise InputError(
                    f"the program works in a copy of its folder, and {self.folder.resolve()} has more than "
                    f"{LARGEST_COPY // 2**20} MB"
                )
        ignored = shutil.ignore_patterns(*NOT_COPIED)
        return Path(shutil.copytree(self.folder, files / "home", ignore=ignored, symlinks=True))


def unescaped(text: str) -> str:
    """Input as people type it in a command, where `\\n` ends a line; the last line always ends."""
    lines = text.replace("\\r", "").replace("\\n", "\n")
    return lines if not lines or lines.endswith("\n") else f"{lines}\n"
