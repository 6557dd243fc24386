"""`gemhunter experiment`: many games or boards, counted."""

from importlib import import_module

import click

from gemhunter.errors import UnknownNameError

EXPERIMENTS = {
    "s5-table": "gemhunter.cli.s5_table:s5_table",
    "hints": "gemhunter.cli.hints:hints",
    "winrate": "gemhunter.cli.winrate:winrate",
}
"""Each is `module:command`, and is imported when it is used."""


class Experiments(click.Group):
    """A group that imports an experiment only when somebody asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(EXPERIMENTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The experiment of that name, or None."""
        if cmd_name not in EXPERIMENTS:
            return None
        module, _, attribute = EXPERIMENTS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The experiment that `args` ask for; an unknown one is met with the nearest match."""
        if args[0] not in EXPERIMENTS and not args[0].startswith("-"):
            raise UnknownNameError("experiment", args[0], EXPERIMENTS, see="gemhunter experiment --help")
        return super().resolve_command(ctx, args)


@click.group(cls=Experiments, no_args_is_help=False)
def experiment() -> None:
    """Play many games, or deal many boards, and say what comes of them.

    The same seed gives the same numbers. Ctrl-C prints what has been measured so far.

    \b
    Examples:
      gemhunter experiment s5-table --games 200
      gemhunter experiment hints --svg hints.svg
      gemhunter experiment winrate --agent expert --level expert --games 20000
    """
