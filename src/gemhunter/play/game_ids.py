"""Levels and ids of games: a level, a seed and a rule determine the board."""

import re
import secrets
from dataclasses import dataclass

from gemhunter.board.grid import Cell
from gemhunter.board.position import FirstClick
from gemhunter.errors import LARGEST_SEED, InputError, UnknownNameError, whole_number
from gemhunter.wording import counted


@dataclass(frozen=True, slots=True)
class Level:
    """A size and a number of traps; at least one cell is a gem."""

    rows: int
    cols: int
    total: int

    def __post_init__(self) -> None:
        size, cells = f"{self.rows}×{self.cols}", self.rows * self.cols
        if self.rows < 1 or self.cols < 1 or cells > 4_000_000:  # a mistyped size must not fill the memory
            raise InputError(f"a game has from 1 to 4,000,000 cells, not {size}")
        if not 0 <= self.total < cells:
            raise InputError(
                f"a {size} game can have from 0 to {counted(cells - 1, 'trap')}, not {self.total}"
            )

    @property
    def middle(self) -> Cell:
        """Where the player of a game that needs no guess begins by default."""
        return Cell(self.rows // 2, self.cols // 2)

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
"""The classic levels, then those of the course from which the resolution player is taken."""

_CUSTOM = re.compile(r"(\d{1,9})[x×](\d{1,9})n(\d{1,9})", re.ASCII)


def is_level(text: str) -> bool:
    """Whether a text is the name of a level or a size such as `16x30n99`."""
    name = text.strip().lower()
    return name in LEVELS or _CUSTOM.fullmatch(name) is not None


def read_level(text: str) -> Level:
    """The level of a name, or of a size such as `16x30n99`: rows, columns and traps."""
    name = text.strip().lower()
    if name in LEVELS:
        return LEVELS[name]
    if match := _CUSTOM.fullmatch(name):
        rows, cols, traps = map(int, match.groups())
        return Level(rows, cols, traps)
    if name[:1].isdigit():
        raise InputError(f"{text!r} is not a size; expected ROWSxCOLSnTRAPS, such as 16x30n99")
    raise UnknownNameError("level", text, LEVELS, see="play --help")


@dataclass(frozen=True, slots=True)
class GameId:
    """A game that can be dealt, such as `16x30n99#42:opening`; the rule is left out if it is `safe`."""

    level: Level
    seed: int
    first_click: FirstClick = FirstClick.SAFE

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", whole_number(self.seed, "a seed", 0, LARGEST_SEED))

    def __str__(self) -> str:
        rule = "" if self.first_click is FirstClick.SAFE else f":{self.first_click.value}"
        return f"{self.level}#{self.seed}{rule}"


def read_game_id(text: str) -> GameId:
    """The game of an id; the level may also be a name, as in `expert#42`."""
    game, colon, rule = text.strip().partition(":")
    level, mark, seed = game.partition("#")
    if not mark or not (seed.isascii() and seed.isdigit()):
        raise InputError(f"{text!r} is not a game id; expected LEVEL#SEED, such as 16x30n99#42 or expert#42")
    known = [each.value for each in FirstClick]
    if colon and rule not in known:
        raise UnknownNameError("first-click rule", rule, known, see="play --help")
    return GameId(read_level(level), int(seed.lstrip("0")[:30] or 0), FirstClick(rule or FirstClick.SAFE))


def new_seed() -> int:
    """A random seed for a new game, short enough to be typed."""
    return secrets.randbelow(1_000_000_000)


def dealt_id(level: str, seed: int | None, rule: FirstClick | None) -> GameId:
    """The id of a game of a level; the seed is random if there is none."""
    return GameId(read_level(level), new_seed() if seed is None else seed, rule or FirstClick.SAFE)
