"""Colours on standard output: whether there are any, how many, and text in them."""

import os
import sys
from collections.abc import Iterable

import click

from gemhunter.cli.terminals import wants_no_colours
from gemhunter.render.palette import CUBE_COLOURS, NAMED_COLOURS, NO_COLOURS, TRUE_COLOURS, Look
from gemhunter.render.text_maps import StyledLine, plain_text


def has_colours() -> bool:
    """Whether standard output is a terminal that has colours, and nobody asked for none."""
    return sys.stdout.isatty() and not wants_no_colours()


def colour_depth() -> int:
    """How many colours standard output can have."""
    if not has_colours():
        return NO_COLOURS
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "WT_SESSION" in os.environ:
        return TRUE_COLOURS
    return CUBE_COLOURS if "256color" in os.environ.get("TERM", "") else NAMED_COLOURS


def styled(lines: Iterable[StyledLine]) -> str:
    """Lines as text for standard output, with looks if it has colours."""
    if not has_colours():
        return plain_text(lines)
    return "\n".join("".join(in_look(*piece) for piece in line) for line in lines)


def in_look(text: str, look: Look) -> str:
    """Text with the codes of a terminal around it; what a look leaves out is not mentioned."""
    wanted = {name: value for name, value in look._asdict().items() if value}
    return click.style(text, **wanted) if wanted else text
