"""Levels: sizes of games and their numbers of traps, by name."""

import re
from dataclasses import dataclass

from gemhunter.errors import InputError, UnknownNameError
from gemhunter.printable import counted

LARGEST_GAME = 4_000_000
"""Cells; a mistyped size must not fill the memory."""


@dataclass(frozen=True, slots=True)
class Level:
    """A size and a number of traps; at least one cell is a gem."""

    rows: int
    cols: int
    total: int

    def __post_init__(self) -> None:
        if self.rows < 1 or self.cols < 1 or self.rows * self.cols > LARGEST_GAME:
            raise InputError(
                f"a game has from 1×1 to {LARGEST_GAME:,} cells in all, not {self.rows}×{self.cols}"
            )
        if not 0 <= self.total < self.rows * self.cols:
            size, most = f"{self.rows}×{self.cols}", self.rows * self.cols - 1
            raise InputError(f"a {size} game has from 0 to {counted(most, 'trap')}, not {self.total}")

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}n{self.total}"


LEVELS = {
    "beginner": Level(9, 9, 10),
    "intermediate": Level(16, 16, 40),
    "expert": Level(16, 30, 99),
    "easy": Level(9, 9, 10),
    "medium": Level(16, 16, 25),
    "hard": Level(16, 30, 99),
}
"""The classic levels, then those of the course that the resolution player comes from."""

_CUSTOM = re.compile(r"(\d{1,9})[x×](\d{1,9})n(\d{1,9})", re.ASCII)


def is_level(text: str) -> bool:
    """Whether a text names a level, or is a size like `16x30n99`."""
    name = text.strip().lower()
    return name in LEVELS or _CUSTOM.fullmatch(name) is not None


def read_level(text: str) -> Level:
    """The level of a name, or of a size like `16x30n99`: rows, columns and traps."""
    name = text.strip().lower()
    if name in LEVELS:
        return LEVELS[name]
    if match := _CUSTOM.fullmatch(name):
        rows, cols, traps = map(int, match.groups())
        return Level(rows, cols, traps)
    if name[:1].isdigit():
        raise InputError(f"{text!r} is not a size; expected ROWSxCOLSnTRAPS, such as 16x30n99")
    raise UnknownNameError("level", text, LEVELS, see="play --help")
