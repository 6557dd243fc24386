"""`gemhunter generate`: puzzles and games to order."""

import click

from gemhunter.cli.commands import CommandEntry, LazyGroup

GENERATORS = {
    "game": CommandEntry(
        "gemhunter.cli.generate_game:game",
        "Make games that need no guess.",
    ),
    "puzzle": CommandEntry(
        "gemhunter.cli.generate_puzzle:puzzle",
        "Make puzzles with one solution, as hard as wished.",
    ),
    "suite": CommandEntry(
        "gemhunter.cli.generate_suite:suite",
        "Write a folder of boards for a course or a benchmark.",
    ),
}


@click.group(cls=LazyGroup, sections={"Generators": GENERATORS}, kind="generator", no_args_is_help=False)
def generate() -> None:
    """Make puzzles and games to order.

    Puzzles have one solution, few clues and a difficulty; games need no guess. The same seed gives the same
    puzzles and games on every machine.

    \b
    Examples:
      gemhunter generate game expert
      gemhunter generate puzzle 9x9
      gemhunter generate puzzle 8x8 --difficulty hard --count 20 --folder hard-boards
      gemhunter generate suite boards --size 5x5 --size 9x9 --difficulty easy --difficulty hard
    """
