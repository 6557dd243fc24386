"""What happens in a search on clauses, one thing at a time; literals are the signed numbers of DIMACS."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Decided:
    """A literal was assumed to hold; it is the `level`th assumption on the path."""

    literal: int
    level: int


@dataclass(frozen=True, slots=True)
class Implied:
    """A literal holds because all others of `clause` are false."""

    literal: int
    clause: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pure:
    """A literal may as well hold: its opposite is in no clause that is still open."""

    literal: int


@dataclass(frozen=True, slots=True)
class Clashed:
    """All literals of a clause are false."""

    clause: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flipped:
    """Assumption `level` and all that came after it were taken back, and its opposite, `literal`, holds."""

    literal: int
    level: int


@dataclass(frozen=True, slots=True)
class Found:
    """Every clause has a literal that holds; variables without a value may have either."""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """A clause is broken and no assumption is left to take back: there is no model."""


@dataclass(frozen=True, slots=True)
class TooDeep:
    """The search stopped, because it may not assume more than `level` literals at once."""

    level: int


Event: TypeAlias = Decided | Implied | Pure | Clashed | Flipped | Found | Exhausted | TooDeep
