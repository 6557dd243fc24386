"""`gemhunter generate`: puzzles and games to order."""

import click

from gemhunter.cli.commands import CommandEntry, LazyGroup

GENERATORS = {
    "puzzle": CommandEntry(
        "gemhunter.cli.generate_puzzle:puzzle",
        "Make puzzles with one solution, as hard as wished.",
    ),
}


@click.group(cls=LazyGroup, sections={"Generators": GENERATORS}, kind="generator", no_args_is_help=False)
def generate() -> None:
    """Make puzzles to order: unique, minimal, as hard as wished.

    The same seed gives the same puzzles on every machine.

    \b
    Examples:
      gemhunter generate puzzle 9x9
      gemhunter generate puzzle 8x8 --difficulty hard --count 20 --folder hard-boards
    """
