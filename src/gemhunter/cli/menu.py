"""`gemhunter menu`: choose a board and engines, see the answers, choose again."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from gemhunter.cli.options import output_option
from gemhunter.errors import GemHunterError

if TYPE_CHECKING:
    from gemhunter.cli.board_files import BoardFile
    from gemhunter.solving.protocols import Engine

Choice = TypeVar("Choice")


@click.command()
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False))
@output_option("the answers of the last choice, labelled by engine,")
def menu(folder: str | None, output: Path | None) -> None:
    """Choose boards and engines from a menu.

    FOLDER holds the boards to choose from; without it they are the ones that come with Gem Hunter.
    An invalid choice is asked for again, q leaves.

    \b
    Examples:
      gemhunter menu
      gemhunter menu my-boards/ -o answers.txt
    """
    from gemhunter.cli.board_files import find_boards
    from gemhunter.cli.sample_boards import boards_folder
    from gemhunter.solving.registry import engine_names, get_engine

    home = folder or str(boards_folder())
    boards = {str(Path(board.path).relative_to(home)): board for board in find_boards([home])}
    names = [name for name in engine_names() if not name.startswith("cmd:")]
    while True:
        board = _choose("board", list(boards), boards.__getitem__)
        if board is None:
            return
        engines = _choose("engines, such as 1,3", names, get_engine, separator=",")
        if engines is None:
            return
        _answer(board[0], engines, output)


def _answer(board: "BoardFile", engines: Sequence["Engine"], output: Path | None) -> None:
    from gemhunter.cli.asking import Question, answers
    from gemhunter.cli.printout import Printout

    printed = Printout("text", several=True)
    try:
        for answer in answers([board], engines, Question(())):
            printed.add(answer)
    finally:
        printed.finish(output, [])


def _choose(
    what: str, names: list[str], find: Callable[[str], Choice], *, separator: str | None = None
) -> list[Choice] | None:
    """What was chosen by number or by name, one or several with a separator; None to leave."""
    for number, name in enumerate(names, 1):
        click.echo(f"{number:4}  {name}")
    while True:
        try:
            typed = click.prompt(f"{what} (1-{len(names)}, q leaves)", prompt_suffix=": ").strip()
        except click.Abort:
            click.echo()
            return None
        if typed.lower() in ("q", "quit", "exit"):
            return None
        words = [word.strip() for word in typed.split(separator)] if separator else [typed]
        try:
            return [find(_name(word, names)) for word in words]
        except (KeyError, GemHunterError) as error:
            hint = "" if isinstance(error, KeyError) else f" ({error})"
            click.echo(f"{typed!r} is no choice; type a number from 1 to {len(names)}, or q{hint}")


def _name(word: str, names: list[str]) -> str:
    """The name behind a number, or the word itself."""
    is_number = word.isascii() and word.isdigit() and 1 <= int(word) <= len(names)
    return names[int(word) - 1] if is_number else word
