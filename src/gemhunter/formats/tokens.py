"""How people write one cell."""

from collections.abc import Mapping
from typing import Literal

from gemhunter.core.grid import GEM, HIDDEN, LARGEST_CLUE, LARGEST_DIGIT, TRAP

Zero = Literal["clue", "unknown"]
"""What a 0 means: a clue, or, in one dialect, a cell that nothing is known about."""

HIDDEN_MARKS = ("_", "?", ".", "-", "#", "none")
TRAP_MARKS = ("t", "*")
GEM_MARKS = ("g",)
EXPECTED = "`_`, a clue 0-8, `T` or `G`"


def token_codes(zero: Zero) -> Mapping[str, int]:
    """The cell code of every token, lower case."""
    if zero not in ("clue", "unknown"):
        raise ValueError(f"zero is 'clue' or 'unknown', not {zero!r}")
    codes = {str(clue): clue for clue in range(LARGEST_DIGIT + 1)}
    codes |= dict.fromkeys(HIDDEN_MARKS, HIDDEN)
    codes |= dict.fromkeys(TRAP_MARKS, TRAP)
    codes |= dict.fromkeys(GEM_MARKS, GEM)
    if zero == "unknown":
        codes["0"] = HIDDEN
    return codes


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
