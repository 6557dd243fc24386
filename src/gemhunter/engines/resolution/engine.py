"""`resolution`: a knowledge base of clauses from which cells follow, as a logical agent would argue."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from gemhunter.board.puzzle import Puzzle
from gemhunter.board.solution import Solution
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.cnf.encodings import LARGEST_COMBINED
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.resolution.knowledge_base import (
    EMPTY_DERIVED,
    MARK_EVENT,
    NOTHING_NEW,
    RESOLVE_EVENT,
    ROUND_EVENT,
    SIMPLIFY_EVENT,
    SUBSUME_EVENT,
    KnowledgeBase,
    signed_literals,
)
from gemhunter.errors import InputError
from gemhunter.jit.codes import GROW
from gemhunter.printable import counted
from gemhunter.solving.engine import EngineInfo, defaults, name_with, read_settings
from gemhunter.solving.events import (
    Clause,
    Done,
    Empty,
    Event,
    Marked,
    MatchRound,
    NothingFollows,
    Resolve,
    Simplify,
    Subsume,
)
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run

FIRST_SLICE_STEPS = 1000
LARGEST_KNOWLEDGE_BYTES = 2 * 2**30
"""Without a memory limit: with a large width, clauses fill any machine."""

STEPS_PER_READ = 1000
"""How many steps are made before their events are read."""

EVENT_ROOM = 2**16
"""Numbers, for the events of a few hundred steps; the room grows when needed."""


def make_engine(argument: str) -> "Resolution":
    """The engine with the settings in `argument`, the others at their defaults."""
    return read_settings(Resolution, "resolution", argument)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Marks cells of unit clauses, and resolves clauses until nothing new follows.

    Two clauses are resolved if one of them has at most `width` literals; 0 means any two clauses. The total
    is used when at most `last_cells` cells are left.
    """

    width: int = 2
    last_cells: int = 10

    def __post_init__(self) -> None:
        if self.width < 0:
            raise InputError(f"resolution: width is 1 or more, or 0 for any clauses, not {self.width}")
        if not 0 <= self.last_cells <= LARGEST_COMBINED:
            raise InputError(f"resolution: last-cells is 0 to {LARGEST_COMBINED}, not {self.last_cells}")

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        return EngineInfo(
            name_with("resolution", self),
            "a logical agent: unit clauses, subsumption and resolution until it is stuck",
            complete=False,
            step="clause or pair",
            memory_limit=True,
            settings=defaults(Resolution),
        )

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Derive all that follows under the rule; solved if that is every cell that something touches."""
        with run.stage("encode"):
            cnf = clauses_of_clues(puzzle)
        run.count(variables=cnf.variables, clauses=cnf.size)
        known = KnowledgeBase(cnf, puzzle, width=self.width, last_cells=self.last_cells)
        try:
            return self._derive(known, puzzle, run)
        finally:
            run.count(**known.counters)

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """The events of the derivation, step by step."""
        return _events(puzzle, self)

    def _derive(self, known: KnowledgeBase, puzzle: Puzzle, run: Run) -> Outcome:
        if not _may_hold(run, known.bytes):
            return GaveUp(StopReason.MEMORY)
        sizes = run.slice_sizes(FIRST_SLICE_STEPS)
        while True:
            before = known.steps
            code = known.derive(run.slice(next(sizes)))
            limit = run.spend(known.steps - before)
            if code == EMPTY_DERIVED:
                return Refuted(f"the empty clause follows from the clues (shown by {self.info.name})")
            if code == NOTHING_NEW:
                return _conclusion(known, puzzle)
            if limit is not None:
                return GaveUp(limit, decided=known.decided)
            if code == GROW:
                if not _may_hold(run, known.larger()):
                    return GaveUp(StopReason.MEMORY, decided=known.decided)
                known.grow()


def clauses_of_clues(puzzle: Puzzle) -> Cnf:
    """The binomial clauses of all regions but the total, which would have too many."""
    return encode_puzzle(replace(puzzle, total=None))


def _may_hold(run: Run, size: int) -> bool:
    return run.fits(size) and (run.limits.memory is not None or size <= LARGEST_KNOWLEDGE_BYTES)


def _conclusion(known: KnowledgeBase, puzzle: Puzzle) -> Outcome:
    """Solved if no cell that something touches is left, otherwise stuck."""
    decided = known.decided
    if known.left:
        return GaveUp(
            StopReason.STUCK,
            f"{len(decided)} of {counted(len(decided) + known.left, 'cell')} decided",
            decided,
        )
    return Solved(Solution.of_model(np.array(decided, np.int64), puzzle.hidden.size))


def _events(puzzle: Puzzle, engine: Resolution) -> Iterator[Event]:
    """All events of a derivation, in order; the last is the answer."""
    known = KnowledgeBase(
        clauses_of_clues(puzzle), puzzle, width=engine.width, last_cells=engine.last_cells, room=EVENT_ROOM
    )
    reader = _EventReader()
    while True:
        code = known.derive(STEPS_PER_READ)
        yield from reader.read(known.read_events())
        if code == EMPTY_DERIVED:
            yield Empty()
            return
        if code == NOTHING_NEW:
            yield NothingFollows() if known.left else Done()
            return
        if code == GROW:
            known.grow()


class _EventReader:
    """Makes events of the kernel's numbers, and remembers how each clause was first added."""

    def __init__(self) -> None:
        self._first: dict[Clause, Clause] = {}

    def read(self, words: list[int]) -> Iterator[Event]:
        """The events in these numbers."""
        at = 0
        while at < len(words):
            kind, at = words[at], at + 1
            if kind == ROUND_EVENT:
                yield MatchRound(words[at])
                at += 1
                continue
            clauses, at = _clauses(
                words, at, {MARK_EVENT: 1, SIMPLIFY_EVENT: 2, RESOLVE_EVENT: 3, SUBSUME_EVENT: 2}[kind]
            )
            if kind == MARK_EVENT:
                yield Marked(clauses[0][0], self._first.get(clauses[0], clauses[0]))
            elif kind == SIMPLIFY_EVENT:
                yield self._simplified(clauses[0][0], clauses[1])
            elif kind == RESOLVE_EVENT:
                yield Resolve(*clauses)
            else:
                if clauses[0] != clauses[1]:
                    self._first.pop(clauses[1], None)
                yield Subsume(*clauses)

    def _simplified(self, literal: int, before: Clause) -> Simplify:
        after = tuple(other for other in before if other != -literal)
        self._first.setdefault(after, self._first.pop(before, before))
        return Simplify(literal, before, after)


def _clauses(words: list[int], at: int, count: int) -> tuple[list[Clause], int]:
    """`count` clauses from place `at` on, and the place after them."""
    clauses = []
    for _ in range(count):
        end = at + 1 + words[at]
        clauses.append(signed_literals(words[at + 1 : end]))
        at = end
    return clauses, at
