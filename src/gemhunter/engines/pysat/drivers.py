"""Drive a PySAT solver so that limits are kept, Ctrl-C works and progress is reported.

In the main thread PySAT would catch Ctrl-C itself and jump out of the middle of the search, which leaves a
solver, and sometimes the heap, that cannot be used again. So a search runs in a thread of its own, or it is
short and PySAT lets Ctrl-C wait until it is over: starting a thread takes as long as solving a small board.
"""

from collections.abc import Callable, Mapping
from threading import current_thread, main_thread
from types import MappingProxyType
from typing import Any

import numpy as np

from gemhunter.engines.solver_thread import SOLVER_POLL_SECONDS, SolverThread
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run

LARGEST_BUDGET = 2**31 - 1
NO_BUDGET = -1

CONFLICTS_PER_SLICE = 2000
"""CaDiCaL keeps what it has learned when it is stopped and called again, so slices may be small: it searches
for a tenth of a second, or half of one with many clauses. But it starts each with an empty trail, and boards
with a total often take a little more than 1,000 conflicts. Slices must not depend on the clock: the same seed
and step limit must give the same answer."""

SMALL_FORMULA_CONFLICTS = 100
"""What MiniSat and its relatives spend on a small formula before a thread is started: a few milliseconds."""

SMALL_FORMULA = 20_000
"""Constraints. With more, a hundred conflicts could overrun a time limit by too much."""


def at_once(solver: Any, run: Run, conflicts: int = SMALL_FORMULA_CONFLICTS) -> SatAnswer | None:
    """Search for a few conflicts in this thread; None if that is not enough.

    For solvers that can be interrupted: with `expect_interrupt`, PySAT leaves Ctrl-C to Python, which raises
    it when the search is over.
    """
    solver.conf_budget(run.slice(conflicts))
    satisfiable = solver.solve_limited(expect_interrupt=True)
    reason = run.spend(_conflicts(solver))
    if satisfiable is None and reason is None:
        solver.conf_budget(NO_BUDGET)
        return None
    return _answer(satisfiable, solver, reason or StopReason.UNDECIDED)


def interrupting(solver: Any, run: Run) -> SatAnswer:
    """Search until the run must stop, then interrupt the solver.

    MiniSat and its relatives restart from scratch whenever a budget ends, so slices would take several
    times as long; but they release the interpreter lock while they search, so this thread can watch.
    """
    steps, before = run.steps_left, _conflicts(solver)
    if steps is not None:
        solver.conf_budget(min(steps, LARGEST_BUDGET))
    search = SolverThread(lambda: solver.solve_limited(expect_interrupt=True))
    reason: StopReason | None = None
    try:
        while reason is None and not search.is_over(SOLVER_POLL_SECONDS):
            reason = run.spend()
    finally:
        if not search.is_over(0):
            solver.interrupt()
        search.wait()
    used_up = steps is not None and search.answer is None and reason is None
    spent = run.spend(steps if used_up and steps is not None else _conflicts(solver) - before)
    return _answer(search.answer, solver, reason or spent or StopReason.UNDECIDED)


def in_slices(solver: Any, run: Run) -> SatAnswer:
    """Search in slices of conflicts, asking the run between them."""
    before = 0
    while True:
        solver.conf_budget(min(run.slice(CONFLICTS_PER_SLICE), LARGEST_BUDGET))
        satisfiable = _solve_slice(solver)
        conflicts = _conflicts(solver)
        reason = run.spend(conflicts - before)
        before = conflicts
        if satisfiable is not None or reason is not None:
            return _answer(satisfiable, solver, reason or StopReason.UNDECIDED)


def _solve_slice(solver: Any) -> bool | None:
    """Let CaDiCaL search in this thread until its budget is used up; a Ctrl-C is raised after that.

    It holds the interpreter lock anyway. PySAT asks `MainThread` whether to catch Ctrl-C; in all other
    threads the answer is no. A PySAT without `MainThread` gets a thread.
    """
    from pysat import solvers

    if current_thread() is not main_thread():
        return _solve_limited(solver)
    if not hasattr(solvers, "MainThread"):
        search = SolverThread(lambda: _solve_limited(solver))
        search.wait()
        return search.answer
    before = solvers.MainThread
    try:
        solvers.MainThread = _AnyOtherThread
        return _solve_limited(solver)
    finally:
        solvers.MainThread = before


def _solve_limited(solver: Any) -> bool | None:
    satisfiable: bool | None = solver.solve_limited()
    return satisfiable


class _AnyOtherThread:
    """Stands for PySAT's `MainThread` while a slice is searched."""

    @staticmethod
    def check() -> bool:
        """Whether PySAT is to catch Ctrl-C."""
        return False


DRIVERS: Mapping[str, Callable[[Any, Run], SatAnswer]] = MappingProxyType(
    {"interrupt": interrupting, "budget": in_slices}
)


def _conflicts(solver: Any) -> int:
    return int(solver.accum_stats()["conflicts"])


def _answer(satisfiable: bool | None, solver: Any, reason: StopReason) -> SatAnswer:
    if satisfiable is None:
        return GaveUp(reason)
    return Satisfied(np.array(solver.get_model() or [], np.int64)) if satisfiable else Unsatisfiable()
