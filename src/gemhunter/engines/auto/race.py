"""Several engines on one puzzle at a time: the first answer counts, and nobody is left behind."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from threading import Event

from gemhunter.core.puzzle import Puzzle
from gemhunter.engines.pysat.drivers import SOLVER_POLL_SECONDS, SolverThread
from gemhunter.solving.outcomes import GaveUp, Outcome, StopReason
from gemhunter.solving.protocols import Engine
from gemhunter.solving.run import Limits, Run

FLIPS_PER_STEP = 1000
"""A flip takes so much less time than a conflict, roughly."""


@dataclass(frozen=True, slots=True)
class Member:
    """An engine, the name its counters begin with, and how many of its steps make one of the portfolio."""

    name: str
    engine: Engine
    steps_per_step: int = 1

    def charge(self, run: Run, own: Run, outcome: Outcome | None) -> None:
        """Add what a run of its own has used and counted to the run of the whole."""
        run.spend(-(-own.steps // self.steps_per_step))
        run.count(**{f"{self.name}_{what}": amount for what, amount in own.counters.items()})
        if outcome is not None and not isinstance(outcome, GaveUp):
            run.count(**{f"by_{self.name}": 1})


def attempt(member: Member, puzzle: Puzzle, run: Run, steps: int | None = None) -> Outcome:
    """Let a member try in this thread; undecided if it has used up `steps`, those of the whole."""
    most = [left for left in (steps, run.steps_left) if left is not None]
    own = Run(
        Limits(steps=min(most) * member.steps_per_step if most else None, memory=run.limits.memory),
        seed=run.seed,
        cancel=lambda: run.spend() is not None,
    )
    outcome = member.engine.solve(puzzle, own)
    member.charge(run, own, outcome)
    if isinstance(outcome, GaveUp):
        reached = outcome.stop_reason if steps is None else StopReason.UNDECIDED
        return GaveUp(run.spend() or reached, outcome.detail)
    return outcome


def is_undecided(outcome: Outcome) -> bool:
    """Whether somebody else may go on."""
    return isinstance(outcome, GaveUp) and outcome.stop_reason is StopReason.UNDECIDED


def race(members: Sequence[Member], puzzle: Puzzle, run: Run) -> Outcome:
    """Let all members search at once, each in a thread of its own, until one has an answer.

    `run` is only ever touched by this thread, which watches it; members hear that they must stop.
    """
    stop, changed = Event(), Event()
    runs = [
        Run(Limits(memory=run.limits.memory), seed=run.seed + index, cancel=stop.is_set)
        for index in range(1, len(members) + 1)
    ]
    searches: list[SolverThread[Outcome]] = []
    limit: StopReason | None = None
    with ExitStack() as stack:
        for member, own in zip(members, runs, strict=True):
            search: SolverThread[Outcome] = SolverThread(partial(_search, member, puzzle, own, changed))
            stack.callback(_end, search, stop)
            searches.append(search)
        while limit is None and not _is_over(searches):
            changed.wait(SOLVER_POLL_SECONDS)
            changed.clear()
            limit = run.spend()
    first = _answer(searches)
    for member, own, search in zip(members, runs, searches, strict=True):
        member.charge(run, own, search.answer if search is first else None)
    if first is not None and first.answer is not None:
        return first.answer
    if limit is not None:
        return GaveUp(limit)
    complete = (
        search for member, search in zip(members, searches, strict=True) if member.engine.info.complete
    )
    return next((each.answer for each in complete if each.answer is not None), GaveUp(StopReason.UNDECIDED))


def _search(member: Member, puzzle: Puzzle, own: Run, changed: Event) -> Outcome:
    try:
        return member.engine.solve(puzzle, own)
    finally:
        changed.set()


def _end(search: SolverThread[Outcome], stop: Event) -> None:
    stop.set()
    search.wait()


def _is_over(searches: Sequence[SolverThread[Outcome]]) -> bool:
    """Whether one has decided the puzzle or failed, or all have given up."""
    if _answer(searches) is not None or any(search.has_failed for search in searches):
        return True
    return all(search.is_over(0) for search in searches)


def _answer(searches: Sequence[SolverThread[Outcome]]) -> SolverThread[Outcome] | None:
    """The first member, in their order, that has decided the puzzle."""
    over = (search for search in searches if search.is_over(0))
    return next((each for each in over if not isinstance(each.answer, GaveUp | None)), None)
