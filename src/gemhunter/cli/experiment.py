"""`gemhunter experiment`: many games, counted."""

from importlib import import_module

import click

EXPERIMENTS = ("winrate",)
"""Each lives in `gemhunter.cli.NAME` as an attribute of the same name, and is imported when it is used."""


class ExperimentGroup(click.Group):
    """A group that imports an experiment only when somebody asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(EXPERIMENTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The experiment of that name, or None."""
        if cmd_name not in EXPERIMENTS:
            return None
        command: click.Command = getattr(import_module(f"gemhunter.cli.{cmd_name}"), cmd_name)
        return command


@click.group(cls=ExperimentGroup, no_args_is_help=False)
def experiment() -> None:
    """Let agents play many games, and count.

    \b
    Examples:
      gemhunter experiment winrate --agent expert --level expert --games 20000
    """
