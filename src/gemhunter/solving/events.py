"""The events of a search.

Literals are signed numbers as in DIMACS: i says that hidden cell i, counted from 1 in reading order, is a
trap, -i that it is a gem; numbers beyond the hidden cells are auxiliary variables of an encoding.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Clause: TypeAlias = tuple[int, ...]

LearningScheme = Literal["first-uip", "last-uip", "decisions"]
"""How far CDCL resolves a conflict: to the first UIP, to the last one, or until only decisions are left."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision made a literal true; it is the `level`th decision on the path."""

    literal: int
    level: int


@dataclass(frozen=True, slots=True)
class Implied:
    """A literal is true because all other literals of `clause` are false."""

    literal: int
    clause: Clause


@dataclass(frozen=True, slots=True)
class Pure:
    """A literal was made true because its negation is in no unsatisfied clause."""

    literal: int


@dataclass(frozen=True, slots=True)
class ClauseConflict:
    """All literals of a clause are false."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class Flipped:
    """Decision `level` and all that followed were undone, and its negation, `literal`, was made true."""

    literal: int
    level: int


@dataclass(frozen=True, slots=True)
class ModelFound:
    """Every clause has a true literal; variables without a value may have either."""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """There is a conflict and no decision is left to undo: there is no model."""


@dataclass(frozen=True, slots=True)
class TooDeep:
    """The search stopped because a path may have no more than `level` decisions."""

    level: int


@dataclass(frozen=True, slots=True)
class Assigned:
    """A node of an implication graph: a true literal, its decision level, and the literals that imply it."""

    literal: int
    level: int
    because: Clause


@dataclass(frozen=True, slots=True)
class Learned:
    """A clause was learned from a conflict; after a backjump to `level` it implies its first literal.

    `graph` is the implication graph of the clause `conflict`: the literals of the last level that falsify it,
    in the order of the trail, and those of earlier levels that they rest on; if `scheme` is `decisions`, the
    literals of earlier levels have their reasons too. `beyond` are the literals on the conflict side of the
    cut. Resolving `conflict` on them, the last one first, gives `cut`, the clause before minimisation; it has
    no literals of level 0.
    """

    clause: Clause
    level: int
    conflict: Clause
    graph: tuple[Assigned, ...]
    beyond: Clause
    cut: Clause
    scheme: LearningScheme


@dataclass(frozen=True, slots=True)
class Restarted:
    """A restart undid all decisions after the first `level`."""

    level: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """Clause deletion removed `clauses` clauses."""

    clauses: int


@dataclass(frozen=True, slots=True)
class CellForced:
    """A clue forced the value of a cell."""

    literal: int


@dataclass(frozen=True, slots=True)
class RegionConflict:
    """A region can no longer hold."""

    region: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A cell was marked because all other literals of a clause, as it was first added, are false."""

    literal: int
    because: Clause


@dataclass(frozen=True, slots=True)
class Simplify:
    """A clause lost a literal that is false because its cell is marked."""

    literal: int
    before: Clause
    after: Clause


@dataclass(frozen=True, slots=True)
class Resolve:
    """Two clauses, one with a literal and one with its negation, gave a resolvent."""

    left: Clause
    right: Clause
    resolvent: Clause


@dataclass(frozen=True, slots=True)
class Subsume:
    """A clause was removed because another, possibly a marked cell, implies it."""

    kept: Clause
    removed: Clause


@dataclass(frozen=True, slots=True)
class MatchRound:
    """With no cell left to mark, the `number`th round of matching began."""

    number: int


@dataclass(frozen=True, slots=True)
class Bred:
    """The `number`th generation was bred; 0 is the first, drawn at random.

    `best` has the literals of its best chromosome, those that unit clauses decide included; `fitness` of the
    `clauses` that unit clauses leave hold under it.
    """

    number: int
    fitness: int
    clauses: int
    best: Clause


@dataclass(frozen=True, slots=True)
class GenerationsSpent:
    """There were as many generations as the genetic algorithm may breed."""

    generations: int


@dataclass(frozen=True, slots=True)
class FillingTried:
    """The `number`th filling was tried; `region` is the first that does not hold, if any."""

    number: int
    literals: Clause
    region: int | None


@dataclass(frozen=True, slots=True)
class AssignmentTried:
    """The `number`th assignment of all variables was tried; `clause` is the first that is false, if any."""

    number: int
    literals: Clause
    clause: Clause | None


@dataclass(frozen=True, slots=True)
class AllTried:
    """Every filling or assignment was tried, and none is a solution."""

    attempts: int


@dataclass(frozen=True, slots=True)
class AttemptsSpent:
    """There were as many attempts as brute force may make."""

    attempts: int


@dataclass(frozen=True, slots=True)
class WalkBegun:
    """Local search drew random values; `wrong` are the regions that do not hold."""

    literals: Clause
    wrong: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Walked:
    """The `number`th flip made `literal` true; `wrong` are the regions that do not hold now."""

    number: int
    literal: int
    wrong: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FlipsSpent:
    """There were as many flips as local search may make."""

    flips: int


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty clause was derived: the board has no solution."""


@dataclass(frozen=True, slots=True)
class NothingFollows:
    """Nothing new follows, and some cells are not marked."""


@dataclass(frozen=True, slots=True)
class Done:
    """Every cell that a clue or the total touches is marked."""


@dataclass(frozen=True, slots=True)
class Yielded:
    """What a solver of the user's own has yielded, as a text."""

    text: str


LAST_EVENTS = (
    *(ModelFound, Exhausted, TooDeep, GenerationsSpent, AllTried, AttemptsSpent, FlipsSpent),
    *(Empty, NothingFollows, Done),
)
"""Those that a search ends with."""

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
    | Bred
    | GenerationsSpent
    | FillingTried
    | AssignmentTried
    | AllTried
    | AttemptsSpent
    | WalkBegun
    | Walked
    | FlipsSpent
    | Empty
    | NothingFollows
    | Done
    | Yielded
)
