"""How commands are declared: a function whose parameters are its options, and the help pages made of them.

    @command()
    def samples(*, form: str = format_option("text", "json"), wide: bool = flag("--wide", "…")) -> None:

`command` reads the defaults. A help page lists common options first and those that are `rare` after them.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import click

from gemhunter.cli.exit_codes import remember_quiet
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.wording import PROGRAM_NAME, program_name

Function = Callable[..., Any]


def command(name: str | None = None, *, group: click.Group | None = None) -> Callable[[Function], "Command"]:
    """Turn a function into a command or subcommand; the default of each parameter declares that parameter."""

    def decorate(function: Function) -> Command:
        declared = [
            parameter.default(parameter.name) for parameter in signature(function).parameters.values()
        ]
        new = click.command(name, cls=Command, params=declared)(function)
        if group is not None:
            group.add_command(new)
        return new

    return decorate


Declaration = Any
"""A function that makes an option or argument from the name of its parameter.

It has any type, because it is the default of a parameter that receives the value of the option.
"""


def argument(**settings: Any) -> Declaration:
    """A positional argument."""
    return lambda name: click.Argument([name], **settings)


def option(
    flags: str, what: str, *, rare: bool = False, choices: Iterable[str] = (), **settings: Any
) -> Declaration:
    """An option as it is typed, such as `-e --engine NAME`, and its help, which shows the default if any."""
    names = [word for word in flags.split() if word.startswith("-")]
    settings.setdefault("metavar", flags.removeprefix(" ".join(names)).strip() or None)
    settings.setdefault("show_default", settings.get("default") is not None)
    if choices:
        settings["type"] = click.Choice(list(choices))
    kind = RareOption if rare else click.Option
    return lambda name: kind([*names, name], help=what, **settings)


def flag(flags: str, what: str, *, rare: bool = False) -> Declaration:
    """An option without a value."""
    return option(flags, what, rare=rare, is_flag=True)


def number(flags: str, what: str, *, rare: bool = False, **settings: Any) -> Declaration:
    """An option whose value is a whole number, by default at least 1 and below 2⁶³."""
    settings.setdefault("type", click.IntRange(1, 2**63 - 1))
    return option(f"{flags} N", what, rare=rare, **settings)


class RareOption(click.Option):
    """An option that help lists last."""


GIVEN = "gemhunter.cli.given"
"""The key in a context's `meta` for the words that the command line gives, by the names of parameters."""


class Command(click.Command):
    """A command with `--quiet`, whose help lists the other options, the common ones first."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.params.append(
            click.Option(["-q", "--quiet"], is_flag=True, expose_value=False, callback=remember_quiet)
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what each parameter is given, so that `-o` can refuse a file that the command reads."""
        ctx.meta[GIVEN], _, _ = self.make_parser(ctx).parse_args(list(args))
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the common options, the rare ones, and a line about the options of every command."""
        listed = [option for option in self.params if isinstance(option, click.Option)][:-1]
        for heading, is_rare in (("Options", False), ("More", True)):
            rows = [each.get_help_record(ctx) for each in listed if isinstance(each, RareOption) is is_rare]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl([(row[0], _without_range(row[1])) for row in rows if row is not None])
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("-q or --quiet prints only answers and errors; -h or --help shows help.")


def _without_range(text: str) -> str:
    """Help without the bounds that Click adds; the error about a value out of bounds names them."""
    bounds = r"(?:-?[\d.]+<=?)?x(?:[<>]=?-?[\d.]+)?"
    return re.sub(rf"\s*\[{bounds}\]$", "", re.sub(rf";\s*{bounds}\]$", "]", text))


class Group(click.Group):
    """A group of commands, which suggests the nearest name for one that it does not have.

    `instead` maps names from elsewhere to what users should type here.
    """

    command_class = Command

    def __init__(
        self, *arguments: Any, kind: str = "command", instead: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(*arguments, **more)
        self._kind, self._instead = kind, instead or {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` name."""
        name, known = args[0], self.list_commands(ctx)
        if name in self._instead:
            raise InputError(f"no {self._kind} named {name!r}; try: {program_name()} {self._instead[name]}")
        if name not in known and self.get_command(ctx, name) is None and not name.startswith("-"):
            if ctx.parent is None and (name.startswith("sample:") or Path(name).is_file()):
                what = "sample" if name.startswith("sample:") else "file"
                raise InputError(f"{name!r} is a {what}, not a command; try: {program_name()} solve {name}")
            see = f"{ctx.command_path} --help".removeprefix(f"{ctx.find_root().info_name} ")
            raise UnknownNameError(self._kind, name, known, see=see)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order in which they are declared."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List every command with the whole first sentence of its help."""
        with formatter.section("Commands"):
            named = self.commands.items()
            formatter.write_dl([(name, command.get_short_help_str(limit=200)) for name, command in named])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List commands only: a group has no options but `--help`."""
        self.format_commands(ctx, formatter)


class HelpPage(click.HelpFormatter):
    """Help in which commands begin with the name by which this program was started."""

    def write_text(self, text: str) -> None:
        """Write a paragraph, or the lines of examples."""
        super().write_text(_as_typed(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options or commands with their descriptions."""
        super().write_dl([(name, _as_typed(text)) for name, text in rows], col_max, col_spacing)


def _as_typed(text: str) -> str:
    """Help with commands as they would be typed here; in prose, the name of the project stays."""
    return re.sub(rf"(?<![\w/]){PROGRAM_NAME}(?= (?:-|[a-z]+\b))", lambda _: program_name(), text)


# This class writes the help of every command, including those in groups.
click.Context.formatter_class = HelpPage
