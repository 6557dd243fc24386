"""What a terminal can show: colours, changed lines, and signs beyond ASCII."""

import codecs
import io
import os
import sys

from gemhunter.printable import printable

WITHOUT_COLOURS = ("dumb", "unknown", "vt")
"""How the names of terminals without colours begin: vt100, vt220 and the like have none."""

WITHOUT_CURSOR = ("dumb", "unknown")
"""Terminals that cannot take back what they have shown."""

LOOKALIKES = "gemhunter.lookalikes"
"""The name of the error handler that prints plain signs for those that an encoding lacks."""

_PLAIN_SIGNS = {"×": "x", "µ": "u", "–": "-", "−": "-", "…": "...", "·": "."}


def wants_no_colours() -> bool:
    """Whether the environment asks for no colours, or names no terminal that has any."""
    return bool(os.environ.get("NO_COLOR")) or _name().startswith(WITHOUT_COLOURS)


def moves_cursor() -> bool:
    """Whether the terminal can overwrite what it has shown."""
    return _name() not in WITHOUT_CURSOR


def _name() -> str:
    """The name of the terminal; Windows gives it none."""
    return os.environ.get("TERM", "dumb" if os.name == "posix" else "")


def replace_unprintable() -> None:
    """Print `x` for ×, `u` for µ, `?` for others that the output lacks, as Windows' code page 437 lacks ×.

    UTF-8 lacks lone surrogates, which stand for bytes in names of files; they are printed as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=LOOKALIKES)


def _replace(error: UnicodeError) -> tuple[str, int]:
    """The plain signs for what an encoder refused, and the index at which encoding continues."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    refused = error.object[error.start : error.end]
    return "".join(map(_plain, refused)), error.end


def _plain(sign: str) -> str:
    shown = printable(sign)
    return shown if shown != sign else _PLAIN_SIGNS.get(sign, "?")


codecs.register_error(LOOKALIKES, _replace)
