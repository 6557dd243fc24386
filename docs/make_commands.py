"""Write the help of every command into docs/commands.md, below its frame.

Run it after a change of any help: `python docs/make_commands.py`. A test compares the page with the help.
"""

import io
import os
from contextlib import redirect_stdout
from pathlib import Path

import click

from gemhunter.cli.commands import COMMAND_NAMES
from gemhunter.cli.main import gemhunter, run

PAGE = Path(__file__).parent / "commands.md"
GENERATED = "<!-- Written by docs/make_commands.py from here on. -->\n"


def with_help(page: str) -> str:
    """The page with its frame as it is, and the present help of every command below it."""
    frame = page.partition(GENERATED)[0]
    return frame + GENERATED + "".join(map(_section, COMMAND_NAMES))


def _section(name: str) -> str:
    command = gemhunter.get_command(click.Context(gemhunter), name)
    parts = command.list_commands(click.Context(command)) if isinstance(command, click.Group) else []
    return f"\n## {name}\n{_help(name)}" + "".join(
        f"\n### {name} {part}\n{_help(name, part)}" for part in parts
    )


def _help(*words: str) -> str:
    printed = io.StringIO()
    with redirect_stdout(printed):
        run([*words, "--help"])
    return f"\n```text\n{printed.getvalue()}```\n"


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    PAGE.write_text(with_help(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
