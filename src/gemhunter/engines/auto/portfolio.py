"""Boards that do not split into parts: simplified, tried briefly, then given to several engines.

Read `solve_coupled` and `_search` first. Below them is the race, and at the end how single clues and linear
algebra simplify a puzzle.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from threading import Event

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, Solution, impossible_regions, read_puzzle
from gemhunter.cnf.encode import encoding_bytes
from gemhunter.counting.linear import (
    PRIMES,
    SYSTEM_CELL_LIMIT,
    LinearConflict,
    bytes_needed,
    eliminated,
    has_total,
    total_conflict,
)
from gemhunter.engines.backtracking import fill_forced, new_search
from gemhunter.engines.cp_sat import CpSat
from gemhunter.engines.local_search import LocalSearch
from gemhunter.engines.pysat import DEFAULT, SOLVER_POLL_SECONDS, SOLVERS, ClausalPySat, Control, SolverThread
from gemhunter.engines.tables import Tables
from gemhunter.jit.kernel import Codes
from gemhunter.solving.conflict_sentences import linear_conflict
from gemhunter.solving.conflict_sets import clue_cells
from gemhunter.solving.engine import CnfEngine, Engine
from gemhunter.solving.outcomes import SINGLE_CLUES_CONFLICT, GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import IMPORT, Limits, Run

SHORT_TRY_CONFLICTS = 2000

STATES_PER_STEP = 1000
SHORT_TRY_STATES = 2_000_000
"""Tables with no more states are made in a fifth of a second."""

FLIPS_PER_STEP = 1000
"""A conflict takes about as long as this many flips."""


@dataclass(frozen=True, slots=True)
class Member:
    """An engine, the prefix of its counters, and how many of its steps count as one of the portfolio's."""

    name: str
    engine: Engine
    steps_per_step: int = 1

    def search(self, puzzle: Puzzle, own: Run, changed: Event) -> Outcome:
        """Solve the puzzle, and set `changed` at the end."""
        try:
            return self.engine.solve(puzzle, own)
        finally:
            changed.set()

    def charge(self, run: Run, own: Run, outcome: Outcome | None) -> None:
        """Add what the member's own run has used and counted to the run of the whole portfolio."""
        run.spend(-(-own.steps // self.steps_per_step))
        run.count(**{f"{self.name}_{counter}": count for counter, count in own.counters.items()})
        if outcome is not None and not isinstance(outcome, GaveUp):
            run.count(**{f"by_{self.name}": 1})


WALK_MEMBER = Member("local_search", LocalSearch(), FLIPS_PER_STEP)


def solve_coupled(puzzle: Puzzle, run: Run) -> Outcome:
    """Solve a board, or what is left of one, or refute it; with or without a total.

    A step is a conflict, a thousand flips or a thousand states. The answer depends only on the seed if there
    is a step limit, which rules out the race, or if the board is decided before the race. A refutation by
    linear algebra names its clues unless it needs cells that were filled in before. No refutation comes with
    a proof.
    """
    simplified = simplify(puzzle, run)
    if not isinstance(simplified, Simplified):
        return simplified
    run.count(settled=int(np.count_nonzero(simplified.values >= 0)))
    outcome = _search(simplified.rest, run)
    if isinstance(outcome, Solved):
        return Solved(simplified.solution(outcome.solution))
    if isinstance(outcome, GaveUp):
        return replace(outcome, decided=simplified.decided())
    return outcome


def _search(puzzle: Puzzle, run: Run) -> Outcome:
    """Try members one after the other for a short time, then all of them at once.

    Our own CDCL is not a member: CaDiCaL is the same kind of search, and faster.
    """
    if not puzzle.cells.size:
        return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))
    with run.stage(IMPORT):  # otherwise the time would be charged to a member
        import_module("pysat.solvers")
    tables = Member("tables", Tables(), STATES_PER_STEP)
    outcome = attempt(tables, puzzle, run, SHORT_TRY_STATES // STATES_PER_STEP)
    if not is_undecided(outcome):
        return outcome
    linear = _linear(puzzle, run)
    # A short try with clauses of up to 30 MB is quick. With more, all members start at once: then the race
    # does the work of a short try as well, on the second core.
    if run.limits.steps is not None or encoding_bytes(puzzle) <= 30_000_000:
        outcome = _try_in_turn(puzzle, run, linear)
        if not is_undecided(outcome):
            return outcome
    members = [WALK_MEMBER, _cadical("process")]
    run.count(raced=1)
    return race([*members, linear] if linear else members, puzzle, run)


def _try_in_turn(puzzle: Puzzle, run: Run, linear: Member | None) -> Outcome:
    """A short walk and a short search; with a step limit, the search gets all steps that are left."""
    # One full round of local search, from its least greedy stage to its most greedy one.
    flips = 100 * min(puzzle.hidden.size, puzzle.cells.size)
    outcome = attempt(WALK_MEMBER, puzzle, run, 1 + flips // FLIPS_PER_STEP)
    if not is_undecided(outcome):
        return outcome
    if run.limits.steps is not None:
        return attempt(_cadical("budget"), puzzle, run)
    return attempt(linear or _cadical("budget"), puzzle, run, SHORT_TRY_CONFLICTS)


def _linear(puzzle: Puzzle, run: Run) -> Member | None:
    """CP-SAT, whose linear relaxation handles totals quickly, if it is installed and can keep the limits."""
    if not has_total(puzzle) or run.limits.memory is not None or find_spec("ortools") is None:
        return None
    with run.stage(IMPORT):  # otherwise the time would be charged to a member
        import_module("ortools.sat.python.cp_model")
    return Member("cp_sat", CpSat())


def _cadical(control: Control) -> Member:
    """CaDiCaL in this process, where its search holds the interpreter lock, or in another process."""
    return Member("cadical", CnfEngine(ClausalPySat(replace(SOLVERS[DEFAULT], control=control))))


def attempt(member: Member, puzzle: Puzzle, run: Run, steps: int | None = None) -> Outcome:
    """Let a member try in this thread; undecided if it has used up `steps` steps of the portfolio."""
    most = [left for left in (steps, run.steps_left) if left is not None]
    own = Run(
        Limits(steps=min(most) * member.steps_per_step if most else None, memory=run.limits.memory),
        seed=run.seed,
        cancel=lambda: run.spend() is not None,
    )
    outcome = member.engine.solve(puzzle, own)
    member.charge(run, own, outcome)
    if isinstance(outcome, GaveUp):
        reason = outcome.stop_reason if steps is None else StopReason.UNDECIDED
        return GaveUp(run.spend() or reason, outcome.detail)
    return outcome


def is_undecided(outcome: Outcome) -> bool:
    """Whether another member may still decide the puzzle."""
    return isinstance(outcome, GaveUp) and outcome.stop_reason is StopReason.UNDECIDED


def race(members: Sequence[Member], puzzle: Puzzle, run: Run) -> Outcome:
    """Let all members search at once, each in another thread, until one has an answer.

    Only this thread touches `run`: it watches the limits and makes the members stop.
    """
    stop, changed = Event(), Event()
    runs = [
        Run(Limits(memory=run.limits.memory), seed=run.seed + index, cancel=stop.is_set)
        for index in range(1, len(members) + 1)
    ]
    searches: list[SolverThread[Outcome]] = []
    reason: StopReason | None = None
    with ExitStack() as stack:
        for member, own in zip(members, runs, strict=True):
            search: SolverThread[Outcome] = SolverThread(partial(member.search, puzzle, own, changed))
            # Leaving the block, also by an exception, makes all members stop and waits for them.
            stack.callback(search.wait)
            stack.callback(stop.set)
            searches.append(search)
        # Wait until one has decided the puzzle or failed, or all have given up.
        while (
            reason is None
            and _answer(searches) is None
            and not any(search.has_failed for search in searches)
            and not all(search.is_over(0) for search in searches)
        ):
            changed.wait(SOLVER_POLL_SECONDS)
            changed.clear()
            reason = run.spend()
    first = _answer(searches)
    for member, own, search in zip(members, runs, searches, strict=True):
        member.charge(run, own, search.answer if search is first else None)
    if first is not None and first.answer is not None:
        return first.answer
    if reason is not None:
        return GaveUp(reason)
    complete = (
        search for member, search in zip(members, searches, strict=True) if member.engine.info.complete
    )
    answers = (search.answer for search in complete if search.answer is not None)
    return next(answers, GaveUp(StopReason.UNDECIDED))


def _answer(searches: Sequence[SolverThread[Outcome]]) -> SolverThread[Outcome] | None:
    """The search of the first member, in their order, that has decided the puzzle."""
    over = (search for search in searches if search.is_over(0))
    return next((search for search in over if not isinstance(search.answer, GaveUp | None)), None)


# Simplify a puzzle: fill in the cells that single clues and linear algebra decide.

UNDECIDED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Simplified:
    """Hidden cell i of a puzzle is a trap if `values[i]` is 1, a gem if 0, and in `rest` if UNDECIDED."""

    values: Codes
    rest: Puzzle

    def solution(self, rest: Solution) -> Solution:
        """The solution of the whole puzzle, given one of the rest."""
        traps = self.values == 1
        traps[self.values == UNDECIDED] = rest.traps
        return Solution(traps)

    def decided(self) -> tuple[int, ...]:
        """The decided cells, as `GaveUp` has them."""
        known = np.flatnonzero(self.values != UNDECIDED)
        return tuple(np.where(self.values[known] == 1, known + 1, -known - 1).tolist())


def simplify(puzzle: Puzzle, run: Run) -> Simplified | Refuted | GaveUp:
    """Fill in what single clues and linear algebra imply, until nothing more follows or it takes too long.

    A refutation names its clues unless it needs cells that were filled in before.
    """
    values, rest = np.full(puzzle.hidden.size, UNDECIDED, np.int8), puzzle
    looked_at = 0
    while True:
        if (forced := _forced(rest)) is None:
            return Refuted(SINGLE_CLUES_CONFLICT)
        values, rest = _filled(puzzle, values, forced)
        if stop := run.spend():
            return GaveUp(stop)
        if rest.cells.size > SYSTEM_CELL_LIMIT or not run.fits(bytes_needed(rest)):
            return Simplified(values, rest)
        implied = _implied(rest)
        if isinstance(implied, LinearConflict):
            run.count(by_elimination=1)
            return _refuted(rest, implied, complete=rest is puzzle)
        looked_at += rest.cells.size
        # After this many cells of regions, in all rounds together, no further round is worth its time.
        if looked_at > 300_000 or not (implied != UNDECIDED).any():
            break
        values, rest = _filled(puzzle, values, implied)
    if (conflict := total_conflict(rest)) is not None:
        run.count(by_total=1)
        return _refuted(rest, conflict, complete=rest is puzzle)
    return Simplified(values, rest)


def _forced(puzzle: Puzzle) -> Codes | None:
    """The values that single clues decide; None if they conflict."""
    if impossible_regions(puzzle).size:
        return None
    search = new_search(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)
    return search.value if fill_forced(search) else None


def _implied(puzzle: Puzzle) -> Codes | LinearConflict:
    """The values that follow by linear algebra; parity is tried only if whole numbers imply nothing."""
    values = np.full(puzzle.hidden.size, UNDECIDED, np.int8)
    for prime in PRIMES:
        result = eliminated(puzzle, prime)
        if isinstance(result, LinearConflict):
            return result
        values[result.cells] = result.values
        if result.cells.size:
            break
    return values


def _filled(puzzle: Puzzle, values: Codes, new: Codes) -> tuple[Codes, Puzzle]:
    """All values, with `new` filled in for the undecided cells, and the puzzle with these cells filled in.

    Each clue must still be able to hold.
    """
    known = values.copy()
    known[values == UNDECIDED] = new
    if (known == UNDECIDED).all():
        return known, puzzle
    codes = np.full(puzzle.rows * puzzle.cols, GEM, np.int8)
    is_clue = puzzle.clues != TOTAL_CLUE
    codes[puzzle.clues[is_clue]] = puzzle.traps[is_clue]
    codes[puzzle.hidden] = np.where(known == UNDECIDED, HIDDEN, np.where(known == 1, TRAP, GEM))
    grid = Grid(codes.reshape(puzzle.rows, puzzle.cols))
    return known, read_puzzle(grid, int(puzzle.traps[-1]) if has_total(puzzle) else None)


def _refuted(puzzle: Puzzle, conflict: LinearConflict, *, complete: bool) -> Refuted:
    """The refutation by a combination of regions, with its clues unless cells were filled in before."""
    clues = clue_cells(puzzle, puzzle.clues[conflict.regions])
    with_total = len(clues) < conflict.regions.size
    reason = linear_conflict(len(clues), conflict.modulus, with_total=with_total)
    return Refuted(reason, clues if complete else ())
