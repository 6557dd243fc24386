"""A student's program for boards: it gets a board, and prints it filled in or writes a file.

Most such programs take no arguments: they read numbers from their standard input, a board from a fixed
path, and write the answer to another. So a program can get a board in any of three ways.
"""

import os
import re
import shutil
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from gemhunter.errors import EngineError, InputError
from gemhunter.work.child_process import OUTPUT_LIMIT, ChildCommand, Exit, Reason, child_folder, run_child
from gemhunter.work.command_words import path_of_program

BOARD_WORD, FOLDER_WORD = "{board}", "{student}"

COPY_LIMIT = 200 * 2**20
"""Bytes that a folder copied for a program may contain."""

NOT_COPIED = (".git", ".venv", "venv", "node_modules", "__pycache__")


@dataclass(frozen=True, slots=True)
class BoardProgram:
    """A program, its name in messages, and how it gets a board.

    `{board}` in its arguments stands for the board file, and `{student}` for the folder in which it starts.
    If there is a `place`, the board is put there in that folder. With neither, the board is the program's
    input, unless `stdin` has other input. The answer is what it prints, or what it writes to `answer` in
    that folder. It starts in a copy of `folder` if it `is_copied`, or if files are put there.
    """

    name: str
    words: tuple[str, ...]
    stdin: str = ""
    place: str = ""
    answer: str = ""
    folder: Path = Path()
    is_copied: bool = False

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
        running: AbstractContextManager[object] | None = None,
    ) -> tuple[bytes, Exit] | Reason:
        """The program's answer to a board and how it ended, or the reason why it was stopped.

        `running` is entered before the program starts and left when it has ended.
        """
        try:
            with child_folder() as files:
                return self._answer_to(board, files, seconds_left, stop, memory, running)
        except OSError as error:
            if isinstance(error, shutil.Error):  # a list of those of several files
                why = error.args[0][0][2]
            else:
                where = f"{Path(error.filename).name}: " if error.filename else ""
                why = where + (error.strerror.lower() if error.strerror else str(error))
            raise EngineError(f"{self.name}: its folder cannot be used: {why}") from None

    def _answer_to(
        self,
        board: str,
        files: Path,
        seconds_left: Callable[[], float | None],
        stop: Callable[[], Reason | None],
        memory: int | None,
        running: AbstractContextManager[object] | None,
    ) -> tuple[bytes, Exit] | Reason:
        file = files / "board.txt"
        file.write_text(f"{board}\n", encoding="utf-8")
        home = self._home(files)
        if self.place:
            placed = self._without_links(home, self.place)
            placed.parent.mkdir(parents=True, exist_ok=True)
            placed.unlink(missing_ok=True)
            with placed.open("xb") as stream:
                stream.write(file.read_bytes())
        if self.answer:
            # An older answer must not be graded.
            self._without_links(home, self.answer).unlink(missing_ok=True)
        words = [word.replace(BOARD_WORD, str(file)).replace(FOLDER_WORD, str(home)) for word in self.words]
        executable = path_of_program(words[0], self.name)
        is_input = not self.place and not any(BOARD_WORD in word for word in self.words)
        text = self.stdin or (f"{board}\n" if is_input else "")
        command = ChildCommand(self.name, (executable, *words[1:]), memory=memory, folder=home, text=text)

        def reason_to_stop() -> Reason | None:
            if self.answer:
                self._written(home)
            return stop()

        with running or nullcontext():
            ended = run_child(command, seconds_left=seconds_left, stop=reason_to_stop)
        if not isinstance(ended, Exit):
            return ended
        if not self.answer:
            return ended.output, ended
        written = self._written(home)
        if written is None:
            raise EngineError(f"{self.name}: {ended.with_last_words(f'wrote no file {self.answer}')}")
        return written.read_bytes(), ended

    def _written(self, home: Path) -> Path | None:
        """The file that the program wrote its answer to, if there is one."""
        written = self._without_links(home, self.answer)
        try:
            state = written.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(state.st_mode):
            return None
        if state.st_size > OUTPUT_LIMIT:
            raise EngineError(f"{self.name}: wrote more than {OUTPUT_LIMIT:,} bytes")
        return written

    def _without_links(self, home: Path, name: str) -> Path:
        """The path of a file in the program's folder; an `EngineError` if a link leads there."""
        for folder in Path(name).parents:  # the last one is the program's folder, which it can replace too
            if _is_link(home / folder):
                raise EngineError(f"{self.name}: {folder} is a link, which is not followed")
        return home / name

    def _home(self, files: Path) -> Path:
        """Where the program starts."""
        if not (self.is_copied or self.place or self.answer):
            return self.folder.resolve()
        size = 0
        for path, folders, names in os.walk(self.folder):
            folders[:] = (name for name in folders if name not in NOT_COPIED)
            size += sum(os.lstat(os.path.join(path, name)).st_size for name in names)  # noqa: PTH118
            if size > COPY_LIMIT:
                limit = f"{self.folder.resolve()} has more than {COPY_LIMIT // 2**20} MB"
                raise InputError(f"the program works in a copy of its folder, and {limit}")
        return Path(shutil.copytree(self.folder, files / "home", ignore=_not_copied, symlinks=True))


def _not_copied(folder: str, names: list[str]) -> list[str]:
    """What is left out of a copy: what tools have put there, pipes, sockets and devices."""
    kinds = (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)
    others = [name for name in names if stat.S_IFMT(Path(folder, name).lstat().st_mode) not in kinds]
    return [*NOT_COPIED, *others]


def _is_link(path: Path) -> bool:
    """Whether a path is a link or, on Windows, a junction, which Python recognises since 3.12."""
    return path.is_symlink() or getattr(os.path, "isjunction", os.path.islink)(path)


def unescaped(text: str) -> str:
    """Input that was typed in a command, with a line end for each `\\n`, and one after the last line."""
    lines = text.replace("\\r", "").replace("\\n", "\n")
    return lines if not lines or lines.endswith("\n") else f"{lines}\n"
