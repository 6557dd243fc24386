"""What the environment says about the terminal."""

import os

WITHOUT_COLOURS = ("dumb", "unknown", "vt")
"""How the names of terminals without colours begin: vt100, vt220 and the like have none."""

WITHOUT_CURSOR = ("dumb", "unknown")
"""Terminals that cannot take back what they have shown."""


def wants_no_colours() -> bool:
    """Whether the environment asks for no colours, or names no terminal that has any."""
    return bool(os.environ.get("NO_COLOR")) or _name().startswith(WITHOUT_COLOURS)


def moves_cursor() -> bool:
    """Whether the terminal can show something in the place of what it has shown."""
    return _name() not in WITHOUT_CURSOR


def _name() -> str:
    """The name of the terminal; Windows gives it none."""
    return os.environ.get("TERM", "dumb" if os.name == "posix" else "")
