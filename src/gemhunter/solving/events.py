"""The events of a search.

Literals are signed numbers as in DIMACS: i says that hidden cell i, counted from 1 in reading order, is a
trap, -i that it is a gem; numbers beyond the hidden cells are auxiliary variables of an encoding.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Clause: TypeAlias = tuple[int, ...]

LearningScheme = Literal["first-uip", "last-uip", "decisions"]
"""How far CDCL resolves a conflict: to the first UIP, to the last UIP, or until only decisions are left."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a search."""


@dataclass(frozen=True, slots=True)
class LastEvent(Event):
    """An event that ends a search: its answer, or that it gave up."""


@dataclass(frozen=True, slots=True)
class Decided(Event):
    """A decision made a literal true; it is decision number `level` of those in force."""

    literal: int
    level: int


@dataclass(frozen=True, slots=True)
class Implied(Event):
    """A literal became true because all other literals of `clause` are false."""

    literal: int
    clause: Clause


@dataclass(frozen=True, slots=True)
class Pure(Event):
    """A pure literal, whose negation is in no unsatisfied clause, was made true."""

    literal: int


@dataclass(frozen=True, slots=True)
class ClauseConflict(Event):
    """All literals of a clause are false."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class Flipped(Event):
    """Decision `level` and all that followed it were undone; its negation, `literal`, was made true."""

    literal: int
    level: int


@dataclass(frozen=True, slots=True)
class ModelFound(LastEvent):
    """Every clause has a true literal; variables without a value can have either value."""


@dataclass(frozen=True, slots=True)
class Exhausted(LastEvent):
    """There is no model: after a conflict, no decision is left to undo."""


@dataclass(frozen=True, slots=True)
class TooDeep(LastEvent):
    """The search stopped at the depth limit of `level` decisions."""

    level: int


@dataclass(frozen=True, slots=True)
class Assigned:
    """A node of an implication graph: a true literal, its decision level, and the literals that imply it."""

    literal: int
    level: int
    because: Clause


@dataclass(frozen=True, slots=True)
class Learned(Event):
    """A clause was learned from a conflict; after a backjump to `level` it implies its first literal.

    `graph` is the implication graph of the clause `conflict`: the literals of the last level behind it, in
    the order of the trail, and the literals of earlier levels that they depend on; with the scheme
    `decisions`, those have their reasons too. `beyond` are the literals on the conflict side of the cut.
    Resolving `conflict` on them, the last one first, gives `cut`: the clause before minimisation, without
    literals of level 0.
    """

    clause: Clause
    level: int
    conflict: Clause
    graph: tuple[Assigned, ...]
    beyond: Clause
    cut: Clause
    scheme: LearningScheme


@dataclass(frozen=True, slots=True)
class Restarted(Event):
    """A restart undid all decisions after the first `level`."""

    level: int


@dataclass(frozen=True, slots=True)
class Deleted(Event):
    """Clause deletion removed `clauses` clauses."""

    clauses: int


@dataclass(frozen=True, slots=True)
class CellForced(Event):
    """A clue forced the value of a cell."""

    literal: int


@dataclass(frozen=True, slots=True)
class RegionConflict(Event):
    """A region cannot hold any more."""

    region: int


@dataclass(frozen=True, slots=True)
class Marked(Event):
    """A cell was marked because all other literals of a clause, in its original form, are false."""

    literal: int
    because: Clause


@dataclass(frozen=True, slots=True)
class Simplify(Event):
    """A clause lost a literal that a marked cell makes false."""

    literal: int
    before: Clause
    after: Clause


@dataclass(frozen=True, slots=True)
class Resolve(Event):
    """Two clauses, one of them with the negation of a literal of the other, gave a resolvent."""

    left: Clause
    right: Clause
    resolvent: Clause


@dataclass(frozen=True, slots=True)
class Subsume(Event):
    """A clause was removed because another clause, or a marked cell, subsumes it."""

    kept: Clause
    removed: Clause


@dataclass(frozen=True, slots=True)
class MatchRound(Event):
    """Round `number` of matching began, as no cell was left to mark."""

    number: int


@dataclass(frozen=True, slots=True)
class Bred(Event):
    """Generation `number` was bred; generation 0 was drawn at random.

    `best` has the literals of the best chromosome, including those that unit clauses decide. It satisfies
    `fitness` of the `clauses` clauses that unit propagation leaves.
    """

    number: int
    fitness: int
    clauses: int
    best: Clause


@dataclass(frozen=True, slots=True)
class GenerationsSpent(LastEvent):
    """The genetic algorithm gave up at its limit of `generations`."""

    generations: int


@dataclass(frozen=True, slots=True)
class FillingTried(Event):
    """Attempt `number` filled all cells; `region` is the first region that does not hold, if any."""

    number: int
    literals: Clause
    region: int | None


@dataclass(frozen=True, slots=True)
class AssignmentTried(Event):
    """Attempt `number` assigned all variables; `clause` is the first false clause, if any."""

    number: int
    literals: Clause
    clause: Clause | None


@dataclass(frozen=True, slots=True)
class AllTried(LastEvent):
    """Every assignment was tried; none is a solution."""

    attempts: int


@dataclass(frozen=True, slots=True)
class AttemptsSpent(LastEvent):
    """Brute force gave up at its limit of `attempts`."""

    attempts: int


@dataclass(frozen=True, slots=True)
class WalkBegun(Event):
    """Local search began with random values; `wrong` are the regions that do not hold."""

    literals: Clause
    wrong: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Walked(Event):
    """Flip `number` made `literal` true; `wrong` are the regions that do not hold now."""

    number: int
    literal: int
    wrong: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FlipsSpent(LastEvent):
    """Local search gave up at its limit of `flips`."""

    flips: int


@dataclass(frozen=True, slots=True)
class Empty(LastEvent):
    """The empty clause was derived: the board has no solution."""


@dataclass(frozen=True, slots=True)
class NothingFollows(LastEvent):
    """Nothing new follows although some cells are not marked."""


@dataclass(frozen=True, slots=True)
class Done(LastEvent):
    """Every cell that a clue or the total touches is marked."""


@dataclass(frozen=True, slots=True)
class Yielded(Event):
    """A solver written by the user yielded this text."""

    text: str
