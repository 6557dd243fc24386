"""A handed-in program for boards: it is given one, and prints it filled in or writes a file.

Most handed-in programs take no arguments: they ask for numbers on their standard input, read a board from a
fixed path and write the answer to another. So a board can be given in any of three ways.
"""

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gemhunter.errors import EngineError, InputError
from gemhunter.work.child import STDOUT, ChildCommand, Exit, child_folder, run_child

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
