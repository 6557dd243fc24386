"""What happens in a search, one thing at a time.

Literals are signed numbers as in DIMACS: i says that hidden cell i, counted from 1 in reading order, is a
trap, -i that it is a gem; numbers beyond the hidden cells are auxiliary variables of an encoding.
"""

from dataclasses import dataclass
from typing import TypeAlias

Clause: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """A literal was assumed to hold; it is the `level`th assumption on the path."""

    literal: int
    level: int


@dataclass(frozen=True, slots=True)
class Implied:
    """A literal holds because all others of `clause` are false."""

    literal: int
    clause: Clause


@dataclass(frozen=True, slots=True)
class Pure:
    """A literal may as well hold: its opposite is in no clause that is still open."""

    literal: int


@dataclass(frozen=True, slots=True)
class ClauseConflict:
    """All literals of a clause are false."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class Flipped:
    """Assumption `level` and all that came after it were taken back, and its opposite, `literal`, holds."""

    literal: int
    level: int


@dataclass(frozen=True, slots=True)
class ModelFound:
    """Every clause has a literal that holds; variables without a value may have either."""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """A clause is broken and no assumption is left to take back: there is no model."""


@dataclass(frozen=True, slots=True)
class TooDeep:
    """The search stopped, because it may not assume more than `level` literals at once."""

    level: int


@dataclass(frozen=True, slots=True)
class Assigned:
    """A literal that holds, on its level, because of others that do; of none if it was decided."""

    literal: int
    level: int
    because: Clause


@dataclass(frozen=True, slots=True)
class Learned:
    """A clause follows from a conflict; after going back to `level`, its first literal holds.

    The implication graph has what led to the clash of `clash`: every literal of the last level that matters,
    in the order they came to hold, and those of earlier levels that they rest on. `beyond` are those on the
    conflict's side of the cut; `cut` is the clause that the cut gives, some of whose literals may be dropped.
    """

    clause: Clause
    level: int
    clash: Clause
    graph: tuple[Assigned, ...]
    beyond: Clause
    cut: Clause


@dataclass(frozen=True, slots=True)
class Restarted:
    """All decisions after the first `level` were taken back, to be made anew."""

    level: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """So many clauses were forgotten."""

    clauses: int


@dataclass(frozen=True, slots=True)
class CellForced:
    """A cell was filled because a clue left no choice."""

    literal: int


@dataclass(frozen=True, slots=True)
class RegionConflict:
    """A region can no longer hold."""

    region: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A cell is marked, because all other literals of a clause, as it first came in, are false."""

    literal: int
    because: Clause


@dataclass(frozen=True, slots=True)
class Simplify:
    """A clause loses a literal that is false, because its cell is marked."""

    literal: int
    before: Clause
    after: Clause


@dataclass(frozen=True, slots=True)
class Resolve:
    """Two clauses that clash in one literal give a third."""

    left: Clause
    right: Clause
    resolvent: Clause


@dataclass(frozen=True, slots=True)
class Subsume:
    """A clause is removed because of one that says as much or more; that may be a marked cell."""

    kept: Clause
    removed: Clause


@dataclass(frozen=True, slots=True)
class MatchRound:
    """No cell is left to mark: all clauses are matched that have not been, for the `number`th time."""

    number: int


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty clause: the board has no solution."""


@dataclass(frozen=True, slots=True)
class NothingFollows:
    """Nothing new follows, and cells are left."""


@dataclass(frozen=True, slots=True)
class Done:
    """Every cell that something touches is marked."""


Event: TypeAlias = (
    Decided
    | Implied
    | Pure
    | ClauseConflict
    | Flipped
    | ModelFound
    | Exhausted
    | TooDeep
    | Learned
    | Restarted
    | Deleted
    | CellForced
    | RegionConflict
    | Marked
    | Simplify
    | Resolve
    | Subsume
    | MatchRound
    | Empty
    | NothingFollows
    | Done
)
