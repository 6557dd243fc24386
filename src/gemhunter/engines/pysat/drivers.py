"""Drives a PySAT solver: its constraints, and searches that keep limits, heed Ctrl-C and report progress."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import ListedRegion, listed_regions
from gemhunter.cnf.formula import Cnf
from gemhunter.solving.engine import SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

# The constraints for a PySAT solver: clauses, or bounds for solvers with native cardinality.


class Constraints(Protocol):
    """Constraints for a PySAT solver."""

    @property
    def size(self) -> int:
        """How many constraints there are."""

    def feed(self, solver: Any) -> None:
        """Add all of them to a PySAT solver."""

    def save(self, path: Path) -> None:
        """Write them to a file for another process."""


@dataclass(frozen=True, slots=True, eq=False)
class ClauseConstraints:
    """The clauses of a formula."""

    cnf: Cnf

    @property
    def size(self) -> int:
        """How many clauses there are."""
        return self.cnf.size

    def feed(self, solver: Any) -> None:
        """Add the clauses to a PySAT solver one at a time: millions of lists at once are slow."""
        solver.append_formula(self.cnf.each_clause())

    def save(self, path: Path) -> None:
        """Write the clauses to a file for another process."""
        _save(path, self.cnf.literals, self.cnf.starts, np.empty(0, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class RegionConstraints:
    """Two bounds for each region: at most k of its n cells are traps, and at most n-k are gems."""

    regions: Sequence[ListedRegion]

    @property
    def size(self) -> int:
        """How many bounds there are."""
        return 2 * len(self.regions)

    def feed(self, solver: Any) -> None:
        """Add the bounds to a PySAT solver."""
        for cells, traps in self.regions:
            solver.add_atmost(cells, traps)
            solver.add_atmost([-cell for cell in cells], len(cells) - traps)

    def save(self, path: Path) -> None:
        """Write the regions to a file for another process."""
        starts = np.fromiter(accumulate((len(cells) for cells, _ in self.regions), initial=0), np.int64)
        flat = np.fromiter(chain.from_iterable(cells for cells, _ in self.regions), np.int32)
        _save(path, flat, starts, np.array([traps for _, traps in self.regions], np.int64))


def _save(
    path: Path, literals: NDArray[np.int32], starts: NDArray[np.int64], traps: NDArray[np.int64]
) -> None:
    with path.open("wb") as stream:
        np.savez(stream, literals=literals, starts=starts, traps=traps)


def read_constraints(path: Path) -> Constraints:
    """The constraints that `save` wrote."""
    with np.load(path) as saved:
        literals, starts, traps = saved["literals"], saved["starts"], saved["traps"]
    if traps.size:
        return RegionConstraints(listed_regions(literals, starts, traps))
    return ClauseConstraints(Cnf(literals, starts, np.arange(int(np.abs(literals).max(initial=0))), cols=1))


# A search in another thread, which the thread that asked watches.


Answer = TypeVar("Answer")

SOLVER_POLL_SECONDS = 0.05
"""How often the thread that asked looks at its limits."""


class SolverThread(Generic[Answer]):
    """A call in another thread. It must be waited for to the end: the solver is in use until then."""

    def __init__(self, call: Callable[[], Answer | None]) -> None:
        self.answer: Answer | None = None
        self._error: Exception | None = None
        self._call = call
        # Not `Thread.is_alive`: a Ctrl-C that hits `Thread.join` makes it lie (CPython issue 90882).
        self._over = Event()
        Thread(target=self._run, daemon=True).start()

    def is_over(self, seconds: float) -> bool:
        """Whether the call has returned, or returns within this many seconds."""
        return self._over.wait(seconds)

    @property
    def has_failed(self) -> bool:
        """Whether the call has raised an exception, which `wait` raises again."""
        return self._error is not None

    def wait(self) -> None:
        """Wait for the call; then raise what it raised, or a Ctrl-C that came meanwhile."""
        interrupted: KeyboardInterrupt | None = None
        while not self._over.is_set():
            try:
                self._over.wait()
            except KeyboardInterrupt as error:
                interrupted = error
        if interrupted is not None:
            raise interrupted
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self.answer = self._call()
        except Exception as error:  # noqa: BLE001 - handed to the thread that waits
            self._error = error
        finally:
            self._over.set()


# Drive a PySAT solver so that limits are kept, Ctrl-C works and progress is reported.
#
# In the main thread PySAT would catch Ctrl-C itself and jump out of the middle of the search, which leaves
# a solver, and sometimes the heap, that cannot be used again. So a search runs in a thread of its own, or
# it is short and PySAT lets Ctrl-C wait until it is over: starting a thread takes as long as solving a
# small board.


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
