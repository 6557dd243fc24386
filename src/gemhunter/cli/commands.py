"""The table of commands, and groups that import a command only when it is used."""

import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from gemhunter.errors import UnknownNameError
from gemhunter.program_name import PROGRAM_NAME, program_name

ARGUMENTS = "gemhunter.cli.arguments"
"""The key in a context's `meta` for all words of the command line."""


class CommandEntry(NamedTuple):
    """Where a command lives, as `module:attribute`, and the first sentence of its help."""

    home: str
    summary: str


Sections = Mapping[str, Mapping[str, CommandEntry]]
"""The headings of a help page, and under each its commands by name."""


def _entries(**summaries: str) -> dict[str, CommandEntry]:
    """Commands that live in `gemhunter.cli.NAME` as an attribute of the same name."""
    return {name: CommandEntry(f"gemhunter.cli.{name}:{name}", text) for name, text in summaries.items()}


SECTIONS: Sections = MappingProxyType(
    {
        "Boards": _entries(
            solve="Fill in boards, or show that it cannot be done.",
            analyse="Say what is true of all solutions of a board.",
            explain="Explain step by step why cells are traps or gems.",
            hint="Help with the next deduction, as much as you ask for.",
            advise="Say what the agent `expert` would play in a position, and why.",
            check="Grade filled-in answers, those of one person or of a class.",
            generate="Make puzzles and games to order.",
            trace="Show what an engine does about a board, step by step.",
            convert="Read a board in any dialect and write it in another form.",
            cnf="Write a board as a DIMACS formula for SAT solvers.",
            decode="Fill in a board from what a SAT solver printed.",
            proof="Check and show proofs that a board has no solution.",
        ),
        "Comparing": _entries(
            bench="Compare engines on boards: which is fastest, and where.",
            report="Measure engines on boards, and write a report about it.",
        ),
        "Games": _entries(
            play="Play a game in the terminal, with keyboard or mouse.",
            watch="Let an agent play a game to its end, and say how it went.",
            replay="Play a recorded game again, and show how it ended.",
            experiment="Play many games, or deal many boards, and count.",
        ),
        "More": _entries(
            web="Open a page to analyse, understand, play, compare and make boards.",
            samples="List the boards that come with Gem Hunter.",
            engines="List all engines, show everything about some of them, or begin one of your own.",
            menu="Choose boards and engines from a menu.",
            warmup="Compile all kernels now, not when first needed.",
            completion="Print the line that makes your shell complete what you type.",
        ),
    }
)

COMMAND_NAMES = tuple(name for entries in SECTIONS.values() for name in entries)

OTHER_SPELLINGS = MappingProxyType({"analyze": "analyse"})


_TYPED = re.compile(rf"\b{PROGRAM_NAME}(?= (?:-|(?:{'|'.join(COMMAND_NAMES)})\b))")
"""The name of the program where help shows a command."""


class HelpPage(click.HelpFormatter):
    """Help whose commands begin with the name that this program was started by."""

    def write_text(self, text: str) -> None:
        """Write a paragraph, or the lines of examples."""
        super().write_text(_as_typed(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options or commands, and what each is for."""
        super().write_dl([(name, _as_typed(text)) for name, text in rows], col_max, col_spacing)


def _as_typed(text: str) -> str:
    return _TYPED.sub(lambda _: program_name(), text)


class LazyGroup(click.Group):
    """A group that imports a command when it is used; a wrong name is answered with the nearest one."""

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
        self.entries = {name: entry for section in sections.values() for name, entry in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        cmd_name = self._aliases.get(cmd_name, cmd_name)
        if cmd_name not in self.entries:
            return None
        module, _, attribute = self.entries[cmd_name].home.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` ask for; an error about an unknown one suggests the nearest."""
        args = [self._aliases.get(args[0], args[0]), *args[1:]]
        if args[0] not in self.entries and not args[0].startswith("-"):
            see = f"{ctx.command_path} --help".removeprefix(f"{ctx.find_root().info_name} ")
            raise UnknownNameError(self._kind, args[0], self.entries, see=see)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List what each command is for, section by section, all in the same columns."""
        width = max(map(len, self.entries))
        for section, entries in self._sections.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), entry.summary) for name, entry in entries.items()])
