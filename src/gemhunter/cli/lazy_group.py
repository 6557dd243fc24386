"""Groups of commands that are imported when they are used, in sections on the help page."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click

from gemhunter.errors import UnknownNameError

Sections = Mapping[str, Mapping[str, str]]
"""What a section is called, and its commands by name: each is `module:attribute`."""


class LazyGroup(click.Group):
    """A group that imports a command only when somebody asks for it; a wrong name is met with the nearest."""

    def __init__(
        self,
        *arguments: Any,
        sections: Sections,
        aliases: Mapping[str, str] = MappingProxyType({}),
        kind: str = "command",
        **more: Any,
    ) -> None:
        """`aliases` are names that no page lists; `kind` is what commands are called in messages."""
        super().__init__(*arguments, **more)
        self._sections, self._aliases, self._kind = sections, aliases, kind
        self._homes = {name: home for section in sections.values() for name, home in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(self._homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        cmd_name = self._aliases.get(cmd_name, cmd_name)
        if cmd_name not in self._homes:
            return None
        module, _, attribute = self._homes[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` ask for; an unknown one is met with the nearest match."""
        args = [self._aliases.get(args[0], args[0]), *args[1:]]
        if args[0] not in self._homes and not args[0].startswith("-"):
            raise UnknownNameError(self._kind, args[0], self._homes, see=f"{ctx.command_path} --help")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What each command is for, section by section, in columns that stand below each other."""
        width = max(map(len, self._homes))
        for section, homes in self._sections.items():
            found = [(name, self.get_command(ctx, name)) for name in homes]
            room = formatter.width - 6 - width
            rows = [(name.ljust(width), each.get_short_help_str(room)) for name, each in found if each]
            with formatter.section(section):
                formatter.write_dl(rows)
