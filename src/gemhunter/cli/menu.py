"""`gemhunter menu`: choose a board and engines, see the answers, choose again."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import click

from gemhunter.board.position import Position
from gemhunter.cli.declare import argument, command
from gemhunter.cli.exit_codes import SOLVED, is_pending
from gemhunter.cli.options import ZERO_OPTION, read_with_warnings
from gemhunter.cli.output import Outputs, output_option, write_output
from gemhunter.cli.printout import Printout
from gemhunter.cli.progress import Progress
from gemhunter.errors import GemHunterError, InputError
from gemhunter.files.dialects import Zero
from gemhunter.files.folders import BoardFile, find_boards
from gemhunter.files.samples import boards_folder
from gemhunter.questions.batch import Question, answers
from gemhunter.solving.engine import Engine
from gemhunter.solving.registry import by_family, engine_names, get_engine
from gemhunter.wording import counted

Choice = TypeVar("Choice")

USUAL = ("pysat:glucose3", "backtracking", "brute-force")
"""The engines that Enter chooses: the three solvers that a course on this puzzle compares."""


@command()
def menu(
    folder: str | None = argument(required=False, type=click.Path(exists=True, file_okay=False)),
    *,
    outputs: Outputs = output_option(txt="the answers of the last choice, labelled by engine"),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Choose boards and engines from a menu.

    \b
    Examples:
      gemhunter menu
      gemhunter menu my-boards/ -o answers.txt
      gemhunter menu minesweeper/ --zero unknown

    FOLDER holds the boards to choose from; the default is the boards that come with Gem Hunter. Enter takes
    the first board, and then the usual three engines: PySAT, backtracking and brute force. After an invalid
    choice, the menu asks again; q quits. The answer to a test case (testcase_1/input_1.txt) also goes to its
    output_1.txt, as by `gemhunter solve`.
    """
    if sys.stdin is None:  # closed by the shell, as in `gemhunter menu <&-`
        raise InputError("standard input is closed, so nothing can be chosen")
    home = folder or str(boards_folder())
    named = ((str(Path(board.path).relative_to(home)), board) for board in find_boards([home]).boards)
    boards = {name: replace(board, shown_as=name) for name, board in named}
    engines = engine_groups(engine_names())
    code = SOLVED
    while True:
        board = _choose("board", {"boards": list(boards)}, boards.__getitem__, enter=1)
        if board is None:
            return code
        chosen = _choose("engines, such as 1,5", engines, get_engine, enter=len(USUAL), separator=",")
        if chosen is None:
            return code
        code = max(code, _answer(board[0], chosen, outputs, zero))


def engine_groups(names: Sequence[str]) -> dict[str, list[str]]:
    """Engines by group, the usual ones first; no engine is in two groups."""
    listed = (name for name in names if name not in USUAL and not name.endswith(":PROGRAM"))
    return {"the usual three": list(USUAL), **by_family(listed)}


def _answer(board: BoardFile, engines: Sequence[Engine], outputs: Outputs, zero: Zero) -> int:
    """Ask engines about a board, and show and write their answers; returns the exit code for them."""
    printed = Printout("text", Outputs((), frozenset()), several=True)
    click.echo()

    def read(path: str) -> tuple[Position, list[str]]:
        return read_with_warnings(path, zero)

    progress = Progress(len(engines))
    try:
        printed.add_all(
            answers([board], engines, Question(()), read=read, progress=progress, cancel=is_pending)
        )
    finally:
        for path in outputs.paths:
            write_output(path, printed.document("text"), counted(len(printed.results), "answer"))
    return printed.exit_code


def _choose(
    what: str,
    groups: Mapping[str, Sequence[str]],
    find: Callable[[str], Choice],
    *,
    enter: int,
    separator: str | None = None,
) -> list[Choice] | None:
    """Print all names with numbers, and return what was chosen, or None to leave.

    With a separator, several can be chosen. Enter chooses the first `enter` names.
    """
    names: list[str] = []
    for heading, members in groups.items():
        click.echo(f"{heading}:")
        for name in members:
            names.append(name)
            click.echo(f"{len(names):4}  {name}")
    usual = ",".join(str(number) for number in range(1, enter + 1))
    while True:
        try:
            question = f"{what} (1-{len(names)}, Enter for {usual}, q to quit)"
            typed = click.prompt(question, default="", show_default=False, prompt_suffix=": ").strip()
        except click.Abort as abort:
            if isinstance(abort.__context__, KeyboardInterrupt):
                raise abort.__context__ from None
            click.echo()  # the end of the input, as by Ctrl-D
            return None
        if typed.lower() in ("q", "quit", "exit"):
            return None
        wanted = typed or usual
        words = [word.strip() for word in wanted.split(separator)] if separator else [wanted]
        try:
            return [find(_name(word, names)) for word in words]
        except (KeyError, GemHunterError) as error:
            hint = "" if isinstance(error, KeyError) else f" ({error})"
            wanted = "numbers or names with commas" if separator else "a number or a name"
            click.echo(f"{typed!r} is not a choice; expected {wanted}, 1 to {len(names)}, or q{hint}")


def _name(word: str, names: list[str]) -> str:
    """The name behind a number, or the word itself."""
    is_number = word.isascii() and word.isdigit() and 1 <= int(word[:9]) <= len(names)
    return names[int(word) - 1] if is_number else word
