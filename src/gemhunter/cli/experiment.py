"""`gemhunter experiment`: many games or boards, counted."""

import click

from gemhunter.cli.commands import CommandEntry, LazyGroup

EXPERIMENTS = {
    "marked-cells": CommandEntry(
        "gemhunter.cli.marked_cells:marked_cells",
        "Let resolution, or csp, play with few and many initial safe cells.",
    ),
    "clues": CommandEntry(
        "gemhunter.cli.clues:clues",
        "Count the gems without any trap around on random boards.",
    ),
    "difficulty": CommandEntry(
        "gemhunter.cli.difficulties:difficulty",
        "Say how hard games are for a player who thinks and never guesses.",
    ),
    "match": CommandEntry(
        "gemhunter.cli.match:match",
        "Let agents or programs play the same games, and say which one is better.",
    ),
    "winrate": CommandEntry(
        "gemhunter.cli.winrate:winrate",
        "Let agents play many games, and say how often they win.",
    ),
}

OLD_NAMES = {"s5-table": "marked-cells"}


@click.group(
    cls=LazyGroup,
    sections={"Experiments": EXPERIMENTS},
    aliases=OLD_NAMES,
    kind="experiment",
    no_args_is_help=False,
)
def experiment() -> None:
    """Play many games, or deal many boards, and count.

    The same seed gives the same numbers. Ctrl-C prints what has been measured so far.

    \b
    Examples:
      gemhunter experiment marked-cells --games 200
      gemhunter experiment clues --svg clues.svg
      gemhunter experiment match --agent expert --agent fast --games 5000
      gemhunter experiment winrate --agent expert --level expert --games 20000
    """
