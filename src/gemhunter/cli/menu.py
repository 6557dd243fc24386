"""`gemhunter menu`: choose a board and engines, see the answers, choose again."""

from pathlib import Path

import click

from gemhunter.cli.options import output_option


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

    boards = find_boards([folder or str(boards_folder())])
    while True:
        _list([Path(board.path).name for board in boards])
        chosen = _choose("board", [board.path for board in boards], several=False)
        if chosen is None:
            return
        engines = _choose_engines()
        if engines is None:
            return
        _answer(boards[chosen[0]].path, engines, output)


def _answer(board: str, engines: tuple[str, ...], output: Path | None) -> None:
    from gemhunter.cli.asking import Question, answers
    from gemhunter.cli.board_files import BoardFile
    from gemhunter.cli.printout import Printout

    printed = Printout("text", several=True)
    try:
        for answer in answers([BoardFile(board)], Question(engines)):
            printed.add(answer)
    finally:
        printed.finish(output, [])


def _choose_engines() -> tuple[str, ...] | None:
    from gemhunter.solving.registry import engine_names

    names = [name for name in engine_names() if not name.startswith("cmd:")]
    _list(names)
    chosen = _choose("engines, such as 1,3", names, several=True)
    return None if chosen is None else tuple(names[index] for index in chosen)


def _list(names: list[str]) -> None:
    for number, name in enumerate(names, 1):
        click.echo(f"{number:4}  {name}")


def _choose(what: str, names: list[str], *, several: bool) -> list[int] | None:
    """Indices of the chosen names, by number or by name; None to leave."""
    while True:
        try:
            typed = click.prompt(f"{what} (1-{len(names)}, q leaves)", prompt_suffix=": ").strip()
        except click.Abort:
            click.echo()
            return None
        if typed.lower() in ("q", "quit", "exit"):
            return None
        words = typed.replace(",", " ").split() if several else [typed]
        chosen = [_index(word, names) for word in words]
        if chosen and None not in chosen:
            return [index for index in chosen if index is not None]
        click.echo(f"{typed!r} is no choice; type a number from 1 to {len(names)}, or q")


def _index(word: str, names: list[str]) -> int | None:
    if word in names:
        return names.index(word)
    return int(word) - 1 if word.isascii() and word.isdigit() and 1 <= int(word) <= len(names) else None
