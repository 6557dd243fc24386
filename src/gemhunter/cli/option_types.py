"""Types of options: bounded numbers, sizes of memory, files to write, and dataclasses of several options."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from math import isnan
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gemhunter.cli.commands import ARGUMENTS
from gemhunter.errors import InputError
from gemhunter.formats.files import require_writable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Returned = TypeVar("Returned")

LARGEST_INTEGER = 2**63 - 1
"""No number may be too large for the arrays it ends up in."""

SEED = click.IntRange(0, LARGEST_INTEGER)
FIRST_SEED = click.IntRange(0, 2**62)
"""A seed that others follow, one by one."""

AT_LEAST_ONE = click.IntRange(1, LARGEST_INTEGER)

LARGEST_MEMORY = 2**60
_UNITS = MappingProxyType({"": 0, "K": 1, "M": 2, "G": 3, "T": 4})
_MEMORY_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(I?)B?", re.IGNORECASE | re.ASCII)

OUTPUTS = "gemhunter.cli.outputs"
"""The key in a context's `meta` for the files that options have named so far."""

IN_PLACE = ("convert",)
"""Commands that may replace the file they read."""


class RealNumber(click.FloatRange):
    """A number within bounds; Click itself lets NaN through, which is neither below nor above anything."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or an error."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class OutputFile(click.Path):
    """A file to write, refused before any work is done if it cannot be written."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        require_writable(path)
        if ctx is not None:
            _require_apart(path, ctx)
        return path


@dataclass(frozen=True, slots=True)
class LedgerFiles:
    """A new file that keeps what is measured, or one to resume."""

    output: Path | None
    resume: Path | None


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Which workers do the work: the address of a Dask cluster, and how many workers on this machine."""

    dask: str | None
    workers: int | None


def options_as(
    kind: "type[DataclassInstance]", parameter: str = "options"
) -> Callable[[Callable[..., Returned]], Callable[..., Returned]]:
    """Hand a command those options that are fields of the dataclass `kind` as one value, `parameter`.

    This decorator stands below those of the options.
    """
    names = {field.name for field in fields(kind)}

    def decorate(command: Callable[..., Returned]) -> Callable[..., Returned]:
        @wraps(command)
        def with_options(**given: Any) -> Returned:
            value = kind(**{name: given.pop(name) for name in names})
            return command(**given, **{parameter: value})

        return with_options

    return decorate


def read_size(ctx: click.Context, param: click.Parameter, text: str | None) -> int | None:
    """The bytes that a text means: `500MB` and `500M` are 500 million, `500MiB` are 500 · 1024²."""
    if text is None:
        return None
    found = _MEMORY_SIZE.fullmatch(text.strip())
    if found is None or (found[3] and not found[2]):
        raise click.BadParameter(f"{text!r} is not a size; expected bytes, as in 500MB, 300MiB or 1000000")
    size = float(found[1]) * (1024 if found[3] else 1000) ** _UNITS[found[2].upper()]
    if size < 1:
        raise click.BadParameter(f"{text!r} is too little memory; expected a size above 0")
    if size > LARGEST_MEMORY:
        raise click.BadParameter(f"{text!r} is more than any machine has; leave the limit out instead")
    return int(size)


def _require_apart(path: Path, ctx: click.Context) -> None:
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
