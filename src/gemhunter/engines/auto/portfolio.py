"""Boards whose clues hang together: linear algebra, then short tries, then several engines at once."""

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from gemhunter.cnf.encode import encoding_bytes
from gemhunter.core.puzzle import Puzzle
from gemhunter.core.solution import Solution
from gemhunter.engines.auto.race import FLIPS_PER_STEP, Member, attempt, is_undecided, race
from gemhunter.engines.auto.simplify import Simplified, simplify
from gemhunter.engines.cp_sat import CpSat
from gemhunter.engines.local_search import LocalSearch
from gemhunter.engines.pysat.engine import ClausalPySat
from gemhunter.engines.pysat.solvers import DEFAULT, SOLVERS, Control
from gemhunter.engines.tables import Tables
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import GaveUp, Outcome, Solved
from gemhunter.solving.run import IMPORT, Run
from gemhunter.structure.elimination import has_total

SHORT_TRY_FLIPS = 100
"""For each cell: one round of local search, in which it becomes as greedy as it ever will."""

SHORT_TRY_CONFLICTS = 2000
SMALL_ENCODING = 30_000_000
"""Bytes; clauses that take no more are loaded and searched for so many conflicts in no time. With more, all
members start at once: what a short try would have walked is not lost, and there are two cores."""

STATES_PER_STEP = 1000
SHORT_TRY_STATES = 2_000_000
"""Tables that need no more are made in a fifth of a second."""

TABLES_MEMBER = Member("tables", Tables(), STATES_PER_STEP)
WALK_MEMBER = Member("local_search", LocalSearch(), FLIPS_PER_STEP)


def solve_coupled(puzzle: Puzzle, run: Run) -> Outcome:
    """Solve a board, or what is left of one, or refute it; with or without a total.

    A step is a conflict, a thousand flips or a thousand states. With a step limit there are no threads,
    and the same seed gives the same answer; so it does for boards that are decided before there are
    threads. A refutation by linear algebra names its clues if single clues had filled in nothing before.
    No refutation comes with a proof.
    """
    settled = simplify(puzzle, run)
    if not isinstance(settled, Simplified):
        return settled
    run.count(settled=int(np.count_nonzero(settled.values >= 0)))
    outcome = _search(settled.rest, run)
    if isinstance(outcome, Solved):
        return Solved(settled.solution(outcome.solution))
    if isinstance(outcome, GaveUp):
        return replace(outcome, decided=settled.decided())
    return outcome


def _search(puzzle: Puzzle, run: Run) -> Outcome:
    """Short tries one after the other, and all members at once if these are not enough.

    Our own CDCL is no member: CaDiCaL is the same kind of search, and faster.
    """
    if not puzzle.cells.size:
        return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))
    with run.stage(IMPORT):  # members have runs of their own, and would charge this to the whole
        import_module("pysat.solvers")
    outcome = attempt(TABLES_MEMBER, puzzle, run, SHORT_TRY_STATES // STATES_PER_STEP)
    if not is_undecided(outcome):
        return outcome
    linear = _linear(puzzle, run)
    if run.limits.steps is not None or encoding_bytes(puzzle) <= SMALL_ENCODING:
        outcome = _try_in_turn(puzzle, run, linear)
        if not is_undecided(outcome):
            return outcome
    members = [WALK_MEMBER, _cadical("process")]
    run.count(raced=1)
    return race([*members, linear] if linear else members, puzzle, run)


def _try_in_turn(puzzle: Puzzle, run: Run, linear: Member | None) -> Outcome:
    """A short walk and a short search; with a step limit, a search for all that is left of it."""
    flips = SHORT_TRY_FLIPS * min(puzzle.hidden.size, puzzle.cells.size)
    outcome = attempt(WALK_MEMBER, puzzle, run, 1 + flips // FLIPS_PER_STEP)
    if not is_undecided(outcome):
        return outcome
    if run.limits.steps is not None:
        return attempt(_cadical("budget"), puzzle, run)
    return attempt(linear or _cadical("budget"), puzzle, run, SHORT_TRY_CONFLICTS)


def _linear(puzzle: Puzzle, run: Run) -> Member | None:
    """CP-SAT, whose linear relaxation makes short work of totals, where it can be had."""
    if not has_total(puzzle) or run.limits.memory is not None or find_spec("ortools") is None:
        return None
    with run.stage(IMPORT):  # so that no member is charged for it
        import_module("ortools.sat.python.cp_model")
    return Member("cp_sat", CpSat())


def _cadical(control: Control) -> Member:
    """CaDiCaL in this process, which it does not let go of while it searches, or in one of its own."""
    return Member("cadical", CnfEngine(ClausalPySat(replace(SOLVERS[DEFAULT], control=control))))
