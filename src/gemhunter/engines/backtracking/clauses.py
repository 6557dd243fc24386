"""`backtracking:clauses`: backtracking on the clauses without any propagation."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.core.plurals import counted
from gemhunter.kernels.backtracking import ClauseBacktrackingState, check_clauses, search_clauses
from gemhunter.kernels.codes import (
    CONFLICT_CLAUSE,
    DECISION_LEVEL,
    EXHAUSTED,
    FOUND,
    MORE,
    NODE_COUNT,
    OWN_PLACES,
    UNASSIGNED,
)
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.events import ClauseConflict, Decided, Event, Exhausted, Flipped, ModelFound
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run
from gemhunter.solving.settings import CLAUSE_MODE, FirstValue, defaults, name_with, read_settings

BACKTRACKING_ON_CLAUSES = f"backtracking:{CLAUSE_MODE}"

FIRST_SLICE_LITERALS = 20_000
"""Literals to look at before the first look at the clock."""


def make_clause_engine(argument: str) -> CnfEngine:
    """The engine with these settings, on the clauses over all cells of a board."""
    return CnfEngine(read_settings(ClauseBacktracking, BACKTRACKING_ON_CLAUSES, argument), variables="all")


@dataclass(frozen=True, slots=True)
class ClauseBacktracking:
    """Assigns variables in the order in which clauses mention them and checks all clauses after each.

    Variables that no clause mentions are last. `value` is tried first. The search stops when all clauses are
    true; variables without a value are then false. It backtracks when all variables have values and a clause
    is false, or with `prune` as soon as a clause is false.
    """

    value: FirstValue = "trap"
    prune: bool = False

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with(BACKTRACKING_ON_CLAUSES, self),
            "backtracking on the clauses of all cells without propagation, all clauses checked each time",
            step="node",
            memory_limit=True,
            settings=defaults(ClauseBacktracking),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Search in slices of nodes; the search is a loop, so no formula is too deep for it."""
        if not run.fits(_bytes(cnf)):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        search = _beginning(cnf)
        sizes = run.slice_sizes(max(FIRST_SLICE_LITERALS // max(cnf.literals.size, 1), 1))
        while True:
            before = int(search.numbers[NODE_COUNT])
            code = search_clauses(search, self._first, self.prune, run.slice(next(sizes)))
            visited = int(search.numbers[NODE_COUNT]) - before
            run.count(nodes=visited)
            limit = run.spend(visited)
            if code == FOUND:
                return Satisfied(_model(search))
            if code == EXHAUSTED:
                return Unsatisfiable()
            if limit is not None:
                return GaveUp(limit, f"{counted(run.counters['nodes'], 'node')} visited")

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """All events of the search, in order; the last is `ModelFound` or `Exhausted`."""
        search = _beginning(cnf)
        yield from self._conflict(cnf, search)
        code = MORE
        while code == MORE:
            before = int(search.numbers[NODE_COUNT])
            code = search_clauses(search, self._first, self.prune, 1)
            if search.numbers[NODE_COUNT] > before:
                yield _last_node(search)
                yield from self._conflict(cnf, search)
        yield ModelFound() if code == FOUND else Exhausted()

    @property
    def _first(self) -> int:
        return int(self.value == "trap")

    def _conflict(self, cnf: Cnf, search: ClauseBacktrackingState) -> Iterator[Event]:
        """The false clause that makes the search backtrack, if there is one."""
        clause = int(search.numbers[CONFLICT_CLAUSE])
        if clause >= 0 and (self.prune or search.numbers[DECISION_LEVEL] == search.order.size):
            yield ClauseConflict(tuple(cnf.literals[cnf.starts[clause] : cnf.starts[clause + 1]].tolist()))


def _beginning(cnf: Cnf) -> ClauseBacktrackingState:
    """A search before its first decision, with the clauses checked."""
    # Each variable once, by where clauses first mention it; then those that no clause mentions.
    mentioned = np.concatenate([np.abs(cnf.literals).astype(np.int64), np.arange(1, cnf.variables + 1)])
    variables, places = np.unique(mentioned, return_index=True)
    search = ClauseBacktrackingState(
        literals=cnf.literals,
        starts=cnf.starts,
        order=variables[np.argsort(places)] - 1,
        value=np.full(cnf.variables, UNASSIGNED, np.int8),
        flipped=np.zeros(variables.size, bool),
        numbers=np.zeros(OWN_PLACES, np.int64),
    )
    search.numbers[CONFLICT_CLAUSE] = check_clauses(cnf.literals, cnf.starts, search.value)
    return search


def _last_node(search: ClauseBacktrackingState) -> Event:
    """The event of the latest node."""
    level = int(search.numbers[DECISION_LEVEL])
    variable = int(search.order[level - 1])
    literal = variable + 1 if search.value[variable] == 1 else -variable - 1
    return Flipped(literal, level) if search.flipped[level - 1] else Decided(literal, level)


def _bytes(cnf: Cnf) -> int:
    """How many bytes the formula takes, sorting its variables, and the search."""
    formula = cnf.literals.nbytes + cnf.starts.nbytes + cnf.cell_indexes.nbytes
    return formula + 40 * cnf.literals.size + 40 * cnf.variables


def _model(search: ClauseBacktrackingState) -> NDArray[np.int64]:
    variables = np.arange(1, search.value.size + 1)
    return np.where(search.value == 1, variables, -variables)
