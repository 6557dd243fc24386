"""`resolution`: a knowledge base of clauses from which cells follow, as a logical agent would argue."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.cnf.encode import encode_puzzle
from gemhunter.cnf.encodings import LARGEST_COMBINED
from gemhunter.cnf.formula import Cnf
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import Puzzle
from gemhunter.core.solution import Solution
from gemhunter.errors import InputError
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.protocols import EngineInfo
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings

if TYPE_CHECKING:
    from gemhunter.engines.resolution.knowledge_base import KnowledgeBase

FIRST_SLICE = 1000
MOST_BYTES = 2 * 2**30
"""Without a memory limit; without the rule of two literals, clauses fill any machine."""


def make_engine(argument: str) -> "Resolution":
    """The engine with the settings that `argument` spells."""
    return read_settings(Resolution, "resolution", argument)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Marks cells that are clauses by themselves, and resolves clauses until nothing new follows.

    Two clauses are resolved if one of them has at most `width` literals; 0 lifts that rule. The total is
    looked at when at most `last_cells` cells are left.
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
        from gemhunter.engines.resolution.knowledge_base import KnowledgeBase

        known = KnowledgeBase(cnf, puzzle, width=self.width, last_cells=self.last_cells)
        try:
            return self._derive(known, puzzle, run)
        finally:
            run.count(**known.counters)

    def tell(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """The same, told step by step."""
        from gemhunter.engines.resolution.events import resolution_events

        return resolution_events(puzzle, self)

    def _derive(self, known: "KnowledgeBase", puzzle: Puzzle, run: Run) -> Outcome:
        from gemhunter.kernels.resolution import knowledge_base as kernels

        if not _may_hold(run, known.bytes):
            return GaveUp(StopReason.MEMORY)
        sizes = run.slice_sizes(FIRST_SLICE)
        while True:
            before = known.steps
            code = known.derive(run.slice(next(sizes)))
            limit = run.spend(known.steps - before)
            if code == kernels.EMPTY:
                return Refuted(f"the empty clause follows from the clues (shown by {self.info.name})")
            if code == kernels.NOTHING_NEW:
                return _conclusion(known, puzzle)
            if limit is not None:
                return GaveUp(limit, decided=known.decided)
            if code == kernels.GROW:
                if not _may_hold(run, known.larger()):
                    return GaveUp(StopReason.MEMORY, decided=known.decided)
                known.grow()


def clauses_of_clues(puzzle: Puzzle) -> Cnf:
    """The binomial clauses of all regions but the total, which has too many of them."""
    return encode_puzzle(replace(puzzle, total=None))


def _may_hold(run: Run, size: int) -> bool:
    return run.fits(size) and (run.limits.memory is not None or size <= MOST_BYTES)


def _conclusion(known: "KnowledgeBase", puzzle: Puzzle) -> Outcome:
    """Solved if no cell that something touches is left, otherwise stuck."""
    decided = known.decided
    if known.left:
        return GaveUp(
            StopReason.STUCK,
            f"{len(decided)} of {counted(len(decided) + known.left, 'cell')} decided",
            decided,
        )
    return Solved(Solution.of_model(np.array(decided, np.int64), puzzle.hidden.size))
