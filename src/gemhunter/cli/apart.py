"""Files that a command writes, kept apart from those it reads and from each other."""

from collections.abc import Sequence
from pathlib import Path

import click

from gemhunter.errors import InputError

ARGUMENTS, OUTPUTS = "gemhunter.cli.arguments", "gemhunter.cli.outputs"
"""Keys in a context's `meta`: the words of the command line, and the files that options have named so far."""

IN_PLACE = ("convert",)
"""Commands that may replace the file they read."""


def require_apart(path: Path, ctx: click.Context) -> None:
    """Raise if this file to write is read too, or is the file of another option."""
    if path.exists() and not path.is_file():  # a device or a pipe takes everything
        return
    others: list[Path] = ctx.meta.setdefault(OUTPUTS, [])
    if any(_is_same(path, other) for other in others):
        raise InputError(f"{path} would be written twice; name two files")
    others.append(path)
    words: Sequence[str] = ctx.meta.get(ARGUMENTS, ())
    if path.is_file() and ctx.command.name not in IN_PLACE and _times_named(path, words) > 1:
        raise InputError(f"{path} is read by this command; name another file to write")


def _times_named(path: Path, words: Sequence[str]) -> int:
    """How many words of the command line lead to a file, with or without `--option=` before it."""
    values = (word.partition("=")[2] if word.startswith("--") and "=" in word else word for word in words)
    return sum(_is_same(path, Path(value)) for value in values)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # at least one of them does not exist
        return one.absolute() == other.absolute()
