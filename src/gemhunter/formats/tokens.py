"""How people write one cell."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, LARGEST_CLUE, LARGEST_DIGIT, TRAP, Codes, Grid
from gemhunter.core.positions import Position, bare_position

Zero = Literal["clue", "unknown"]
"""What a 0 means: a clue, or, in one dialect, a cell that nothing is known about."""

HIDDEN_MARKS = ("_", "?", ".", "-", "#", "none")
TRAP_MARKS = ("t", "*")
GEM_MARKS = ("g",)
FLAG_MARKS = ("f",)
FLAGGED = -4
"""The code of a hidden cell with a flag while a text is read; a `Grid` has none, a `Position` has flags."""

EXPECTED = "`_`, a clue 0-8, `T` or `G`"


def token_codes(zero: Zero) -> Mapping[str, int]:
    """The cell code of every token, lower case."""
    if zero not in ("clue", "unknown"):
        raise ValueError(f"zero is 'clue' or 'unknown', not {zero!r}")
    codes = {str(clue): clue for clue in range(LARGEST_DIGIT + 1)}
    codes |= dict.fromkeys(HIDDEN_MARKS, HIDDEN)
    codes |= dict.fromkeys(TRAP_MARKS, TRAP)
    codes |= dict.fromkeys(GEM_MARKS, GEM)
    codes |= dict.fromkeys(FLAG_MARKS, FLAGGED)
    if zero == "unknown":
        codes["0"] = HIDDEN
    return codes


def position_of(codes: Codes, total: int | None = None) -> Position:
    """The position that cell codes with `FLAGGED` among them mean."""
    if codes.min() > FLAGGED:
        return bare_position(Grid(codes), total)
    flags = codes == FLAGGED
    return Position(Grid(np.where(flags, np.int8(HIDDEN), codes)), flags, total)


def token_fault(token: str) -> str:
    """What is wrong with a token that stands for no cell, and what would have been right."""
    if not token:
        return f"empty cell; expected {EXPECTED}"
    if token.isascii() and token.isdigit():
        return f"a clue is at most {LARGEST_CLUE}, found {_quoted(token)}"
    foreign = next((sign for sign in token if sign.isdecimal() and not sign.isascii()), None)
    if foreign is not None:
        return f"{foreign!r} (U+{ord(foreign):04X}) is no ASCII digit; write {int(foreign)}"
    return f"expected {EXPECTED}, found {_quoted(token)}"


def _quoted(token: str) -> str:
    return repr(token if len(token) <= 20 else token[:20] + "…")
