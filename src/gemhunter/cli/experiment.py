"""`gemhunter experiment`: many games or boards, counted."""

import click

from gemhunter.cli.lazy_group import LazyGroup

EXPERIMENTS = {
    "marked-cells": "gemhunter.cli.marked_cells:marked_cells",
    "hints": "gemhunter.cli.hints:hints",
    "winrate": "gemhunter.cli.winrate:winrate",
}
"""Each is `module:command`, and is imported when it is used."""

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
      gemhunter experiment hints --svg hints.svg
      gemhunter experiment winrate --agent expert --level expert --games 20000
    """
