"""How to search with a PySAT solver and still keep limits, watch for Ctrl-C and report progress."""

from collections.abc import Callable, Mapping
from threading import Thread
from types import MappingProxyType
from typing import Any

import numpy as np

from gemhunter.solving.outcomes import GaveUp, Limit
from gemhunter.solving.protocols import SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run

POLL_SECONDS = 0.05

FIRST_SLICE = 1000
"""Conflicts. CaDiCaL loses nothing when it is stopped and called again, so slices may be small."""

LONGEST_SLICE_SECONDS = 0.1
"""A slice that took less lets the next one be twice as long."""


def interrupting(solver: Any, run: Run) -> SatAnswer:
    """Search in another thread and interrupt it when the run must stop.

    MiniSat and its kin restart from scratch whenever a budget ends, so slices would cost them a multiple
    of the time; they release the interpreter lock while they search, so this thread can watch.
    """
    steps = run.steps_left
    if steps is not None:
        solver.conf_budget(steps)
    worker = Worker(lambda: solver.solve_limited(expect_interrupt=True))
    worker.start()
    limit: Limit | None = None
    try:
        while worker.is_alive() and limit is None:
            worker.join(POLL_SECONDS)
            limit = run.spend()
    finally:
        if worker.is_alive():
            solver.interrupt()
            worker.join()
    conflicts = int(solver.accum_stats()["conflicts"])
    spent = run.spend(conflicts if steps is None else max(conflicts, steps if worker.answer is None else 0))
    return _answer(worker.answer, solver, limit or spent or Limit.UNDECIDED)


def in_slices(solver: Any, run: Run) -> SatAnswer:
    """Search in slices of conflicts, asking the run between them."""
    ask = FIRST_SLICE
    before = 0
    while True:
        began = run.elapsed
        solver.conf_budget(run.slice(ask))
        answer = solver.solve_limited()
        conflicts = int(solver.accum_stats()["conflicts"])
        limit = run.spend(conflicts - before)
        before = conflicts
        if answer is not None or limit is not None:
            return _answer(answer, solver, limit or Limit.UNDECIDED)
        if run.elapsed - began < LONGEST_SLICE_SECONDS:
            ask *= 2


DRIVERS: Mapping[str, Callable[[Any, Run], SatAnswer]] = MappingProxyType(
    {"interrupt": interrupting, "budget": in_slices}
)


class Worker(Thread):
    """A thread that keeps what its function returned, or raises what it raised when joined to the end."""

    def __init__(self, work: Callable[[], bool | None]) -> None:
        super().__init__(daemon=True)
        self.answer: bool | None = None
        self._work = work

    def run(self) -> None:
        """Do the work."""
        self.answer = self._work()


def _answer(satisfiable: bool | None, solver: Any, limit: Limit) -> SatAnswer:
    if satisfiable is None:
        return GaveUp(limit)
    return Satisfied(np.array(solver.get_model() or [], np.int64)) if satisfiable else Unsatisfiable()
