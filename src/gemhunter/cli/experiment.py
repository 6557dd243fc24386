"""`gemhunter experiment`: many games or boards, counted."""

import click

from gemhunter.cli.lazy_group import LazyGroup

EXPERIMENTS = {
    "s5-table": "gemhunter.cli.s5_table:s5_table",
    "hints": "gemhunter.cli.hints:hints",
    "winrate": "gemhunter.cli.winrate:winrate",
}
"""Each is `module:command`, and is imported when it is used."""


@click.group(cls=LazyGroup, sections={"Experiments": EXPERIMENTS}, kind="experiment", no_args_is_help=False)
def experiment() -> None:
    """Play many games, or deal many boards, and count.

    The same seed gives the same numbers. Ctrl-C prints what has been measured so far.

    \b
    Examples:
      gemhunter experiment s5-table --games 200
      gemhunter experiment hints --svg hints.svg
      gemhunter experiment winrate --agent expert --level expert --games 20000
    """
