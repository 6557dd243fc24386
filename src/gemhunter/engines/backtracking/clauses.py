"""`backtracking:clauses`: backtracking on the clauses without any propagation."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.core.plurals import counted
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.events import ClauseConflict, Decided, Event, Exhausted, Flipped, ModelFound
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run
from gemhunter.solving.settings import FirstValue, defaults, name_with, read_settings

if TYPE_CHECKING:
    from gemhunter.kernels.clause_backtracking import ClauseSearch

NAME = "backtracking:clauses"

FIRST_SLICE = 20_000
"""Literals looked at before the clock is for the first time."""


def make_clause_engine(argument: str) -> CnfEngine:
    """The engine with these settings, on the clauses over all cells of a board."""
    return CnfEngine(read_settings(ClauseBacktracking, NAME, argument), variables="all")


@dataclass(frozen=True, slots=True)
class ClauseBacktracking:
    """Assigns variables in the order in which clauses mention them and checks all clauses after each.

    Variables that no clause mentions come last. `value` is tried first. It stops when all clauses hold;
    variables without a value by then are false. It goes back when all variables have a value and a clause is
    false, or with `prune` as soon as a clause is false.
    """

    value: FirstValue = "trap"
    prune: bool = False

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with(NAME, self),
            "backtracking on the clauses of all cells without propagation, all clauses checked each time",
            step="node",
            memory_limit=True,
            settings=defaults(ClauseBacktracking),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Search in slices of nodes; the search is a loop, so no formula is too deep for it."""
        if not run.fits(_bytes(cnf)):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        from gemhunter.kernels import clause_backtracking as kernels

        search = _beginning(cnf)
        sizes = run.slice_sizes(max(FIRST_SLICE // max(cnf.literals.size, 1), 1))
        while True:
            before = int(search.numbers[kernels.NODES])
            code = kernels.search(search, self._first, self.prune, run.slice(next(sizes)))
            visited = int(search.numbers[kernels.NODES]) - before
            run.count(nodes=visited)
            limit = run.spend(visited)
            if code == kernels.FOUND:
                return Satisfied(_model(search))
            if code == kernels.EXHAUSTED:
                return Unsatisfiable()
            if limit is not None:
                return GaveUp(limit, f"{counted(run.counters['nodes'], 'node')} visited")

    def tell_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Everything that happens, in order; the last event is Found or Exhausted."""
        from gemhunter.kernels import clause_backtracking as kernels

        search = _beginning(cnf)
        yield from self._conflict(cnf, search)
        code = kernels.MORE
        while code == kernels.MORE:
            before = int(search.numbers[kernels.NODES])
            code = kernels.search(search, self._first, self.prune, 1)
            if search.numbers[kernels.NODES] > before:
                yield _last_node(search)
                yield from self._conflict(cnf, search)
        yield ModelFound() if code == kernels.FOUND else Exhausted()

    @property
    def _first(self) -> int:
        return int(self.value == "trap")

    def _conflict(self, cnf: Cnf, search: "ClauseSearch") -> Iterator[Event]:
        """The false clause that makes the search go back, if it does."""
        from gemhunter.kernels.clause_backtracking import BROKEN, DEPTH

        clause = int(search.numbers[BROKEN])
        if clause >= 0 and (self.prune or search.numbers[DEPTH] == search.order.size):
            yield ClauseConflict(tuple(cnf.literals[cnf.starts[clause] : cnf.starts[clause + 1]].tolist()))


def _beginning(cnf: Cnf) -> "ClauseSearch":
    """A search in which nothing is assigned, but the clauses have been checked."""
    from gemhunter.kernels import clause_backtracking as kernels

    # Each variable once, by where clauses first mention it; those that none mentions follow in their order.
    mentioned = np.concatenate([np.abs(cnf.literals).astype(np.int64), np.arange(1, cnf.variables + 1)])
    variables, places = np.unique(mentioned, return_index=True)
    search = kernels.ClauseSearch(
        literals=cnf.literals,
        starts=cnf.starts,
        order=variables[np.argsort(places)] - 1,
        value=np.full(cnf.variables, kernels.OPEN, np.int8),
        flipped=np.zeros(variables.size, bool),
        numbers=np.zeros(kernels.NUMBERS, np.int64),
    )
    search.numbers[kernels.BROKEN] = kernels.check_clauses(cnf.literals, cnf.starts, search.value)
    return search


def _last_node(search: "ClauseSearch") -> Event:
    """The node that was visited last."""
    from gemhunter.kernels.clause_backtracking import DEPTH

    level = int(search.numbers[DEPTH])
    variable = int(search.order[level - 1])
    literal = variable + 1 if search.value[variable] == 1 else -variable - 1
    return Flipped(literal, level) if search.flipped[level - 1] else Decided(literal, level)


def _bytes(cnf: Cnf) -> int:
    """What the formula takes, what sorts its variables, and the search."""
    formula = cnf.literals.nbytes + cnf.starts.nbytes + cnf.cell_indexes.nbytes
    return formula + 40 * cnf.literals.size + 40 * cnf.variables


def _model(search: "ClauseSearch") -> NDArray[np.int64]:
    variables = np.arange(1, search.value.size + 1)
    return np.where(search.value == 1, variables, -variables)
