"""How PySAT solvers are driven: slices of conflicts, interrupts, and errors that are not swallowed."""

from itertools import count
from threading import Event, Thread, current_thread, main_thread
from types import SimpleNamespace

import pysat
import pysat.solvers
import pytest

from gemhunter.engines.pysat import (
    CONFLICTS_PER_SLICE,
    SMALL_FORMULA_CONFLICTS,
    at_once,
    in_slices,
    interrupting,
)
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Limits, Run


class Tireless:
    """A solver that uses up every budget, and answers when it has had enough conflicts."""

    def __init__(self, conflicts_needed: int, answer: bool = False) -> None:
        self.needed, self.answer = conflicts_needed, answer
        self.budgets: list[int] = []
        self.conflicts = 0

    def conf_budget(self, budget: int) -> None:
        self.budgets.append(budget)

    def solve_limited(self, *, expect_interrupt: bool = False) -> bool | None:
        self.conflicts += self.budgets[-1]
        return self.answer if self.conflicts >= self.needed else None

    def accum_stats(self) -> dict[str, int]:
        return {"conflicts": self.conflicts}

    def get_model(self) -> list[int]:
        return [1, -2]


class Endless(Tireless):
    """A solver that searches until it is interrupted."""

    def __init__(self) -> None:
        super().__init__(conflicts_needed=10**9)
        self.interrupted = Event()

    def solve_limited(self, *, expect_interrupt: bool = False) -> bool | None:
        self.interrupted.wait()
        return None

    def interrupt(self) -> None:
        self.interrupted.set()


class Broken(Tireless):
    """A solver that fails."""

    def solve_limited(self, *, expect_interrupt: bool = False) -> bool | None:
        raise NotImplementedError("this solver has no limits")


def still() -> float:
    """A clock on which every slice takes no time."""
    return 0.0


def after(calls: int) -> Run:
    """A run that is cancelled when it has been asked so often."""
    asked = iter(range(10**9))
    return Run(cancel=lambda: next(asked) >= calls, clock=still)


@pytest.mark.parametrize("seconds_per_look", [0.0, 1.0])
def test_slices_do_not_depend_on_the_clock(seconds_per_look: float) -> None:
    solver = Tireless(conflicts_needed=3 * CONFLICTS_PER_SLICE)
    looks = count()
    in_slices(solver, Run(clock=lambda: next(looks) * seconds_per_look))
    assert solver.budgets == [CONFLICTS_PER_SLICE] * 3


def test_slices_together_are_no_more_than_the_step_limit() -> None:
    solver = Tireless(conflicts_needed=10**9)
    answer = in_slices(solver, Run(Limits(steps=4500), clock=still))
    assert (sum(solver.budgets), answer) == (4500, GaveUp(StopReason.STEPS))


def test_a_refutation_in_the_last_slice_counts() -> None:
    solver = Tireless(conflicts_needed=4500, answer=False)
    assert in_slices(solver, Run(Limits(steps=4500), clock=still)) == Unsatisfiable()


def test_a_model_in_a_late_slice_is_handed_on() -> None:
    answer = in_slices(Tireless(conflicts_needed=4500, answer=True), Run(clock=still))
    assert isinstance(answer, Satisfied)
    assert answer.model.tolist() == [1, -2]


def test_slices_end_when_the_run_is_cancelled() -> None:
    assert in_slices(Tireless(conflicts_needed=10**9), after(calls=3)) == GaveUp(StopReason.CANCELLED)


def test_an_endless_search_is_interrupted_when_the_run_is_cancelled() -> None:
    solver = Endless()
    assert interrupting(solver, after(calls=2)) == GaveUp(StopReason.CANCELLED)
    assert solver.interrupted.is_set()


def test_an_interruptible_solver_gets_the_steps_that_are_left_as_its_budget() -> None:
    solver = Tireless(conflicts_needed=10**9)
    run = Run(Limits(steps=100), clock=still)
    run.spend(30)
    assert (interrupting(solver, run), solver.budgets) == (GaveUp(StopReason.STEPS), [70])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("driver", [interrupting, in_slices])
def test_a_solver_that_fails_is_an_error_and_no_answer(driver: type) -> None:
    with pytest.raises(NotImplementedError):
        driver(Broken(conflicts_needed=1), after(calls=20))


def test_a_short_search_at_once_answers_and_counts_its_conflicts() -> None:
    solver, run = Tireless(conflicts_needed=SMALL_FORMULA_CONFLICTS, answer=True), Run(clock=still)
    assert isinstance(at_once(solver, run), Satisfied)
    assert (solver.budgets, run.steps) == ([SMALL_FORMULA_CONFLICTS], SMALL_FORMULA_CONFLICTS)


def test_a_search_at_once_that_is_too_short_leaves_no_budget_behind() -> None:
    solver = Tireless(conflicts_needed=10**9)
    assert at_once(solver, Run(clock=still)) is None
    assert solver.budgets == [SMALL_FORMULA_CONFLICTS, -1]


def test_a_search_at_once_keeps_the_step_limit() -> None:
    solver = Tireless(conflicts_needed=10**9)
    assert at_once(solver, Run(Limits(steps=7), clock=still)) == GaveUp(StopReason.STEPS)
    assert solver.budgets == [7]


def test_conflicts_of_a_search_at_once_are_not_counted_again() -> None:
    solver, run = (
        Tireless(conflicts_needed=10**9),
        Run(Limits(steps=SMALL_FORMULA_CONFLICTS + 70), clock=still),
    )
    assert at_once(solver, run) is None
    assert interrupting(solver, run) == GaveUp(StopReason.STEPS)
    assert (solver.budgets[-1], run.steps) == (70, SMALL_FORMULA_CONFLICTS + 70)


class Asking(Tireless):
    """A solver that asks, as PySAT does, whether Ctrl-C is its business."""

    def __init__(self) -> None:
        super().__init__(conflicts_needed=1)
        self.catches_interrupts: bool | None = None
        self.is_main: bool | None = None

    def solve_limited(self, *, expect_interrupt: bool = False) -> bool | None:
        self.catches_interrupts = pysat.solvers.MainThread.check()
        self.is_main = current_thread() is main_thread()
        return super().solve_limited()


def test_pysat_leaves_an_interrupt_to_python_while_a_slice_is_searched_here() -> None:
    solver = Asking()
    in_slices(solver, Run(clock=still))
    assert (solver.is_main, solver.catches_interrupts) == (True, False)
    assert pysat.solvers.MainThread.check()


def test_pysat_handles_interrupts_again_after_a_solver_has_failed() -> None:
    with pytest.raises(NotImplementedError):
        in_slices(Broken(conflicts_needed=1), Run(clock=still))
    assert pysat.solvers.MainThread.check()


def test_in_another_thread_a_slice_is_searched_there() -> None:
    solver = Asking()
    thread = Thread(target=in_slices, args=(solver, Run(clock=still)))
    thread.start()
    thread.join()
    assert (solver.is_main, solver.catches_interrupts) == (False, False)


def test_a_pysat_without_main_thread_gets_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    class Looking(Tireless):
        def solve_limited(self, *, expect_interrupt: bool = False) -> bool | None:
            threads.append(current_thread())
            return super().solve_limited()

    monkeypatch.setattr(pysat, "solvers", SimpleNamespace())
    assert in_slices(Looking(conflicts_needed=1), Run(clock=still)) == Unsatisfiable()
    assert main_thread() not in threads
