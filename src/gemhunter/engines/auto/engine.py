"""`auto`, the default engine: small boards clue by clue, large ones by their structure."""

from dataclasses import dataclass, replace
from functools import cache

from gemhunter.core.puzzle import Puzzle
from gemhunter.deduce.conflicts import refuted_by_any_clues
from gemhunter.engines.auto.small_boards import SMALL_BOARD_CONFLICTS, solve_clue_by_clue
from gemhunter.engines.pysat.engine import ClausalPySat
from gemhunter.engines.pysat.solvers import DEFAULT, SOLVERS
from gemhunter.errors import InputError
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, StopReason
from gemhunter.solving.protocols import EngineInfo
from gemhunter.solving.run import Run
from gemhunter.work.memory import can_limit_memory

LEAST_CELLS_BY_PARTS = 10_000
"""MiniCard solves a board with fewer cells in a fraction of the time that importing Numba takes. Which way a
board takes, and so which of its solutions is found, must not depend on what this process has compiled."""

FEW_COUNTED = 200
"""With a known total, the most hidden cells that clauses count well."""


def make_engine(argument: str) -> "Auto":
    """The default engine."""
    if argument:
        raise InputError(f"auto takes no argument, found {argument!r}")
    return Auto()


@dataclass(frozen=True, slots=True)
class Auto:
    """Boards of fewer than `small` cells go to MiniCard first; all others are taken apart at once."""

    small: int = LEAST_CELLS_BY_PARTS

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        return _info()

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Solve clue by clue if that is quick, otherwise by parts."""
        if puzzle.grid.cells.size < self.small:
            outcome = _solve_small(puzzle, run)
            if outcome is not None:
                return outcome
        # Small boards do without the kernels that this imports.
        from gemhunter.engines.auto.by_parts import solve_by_parts

        return solve_by_parts(puzzle, run)


def _solve_small(puzzle: Puzzle, run: Run) -> Outcome | None:
    """Solve a board clue by clue, or by clauses; None if these do not decide it quickly."""
    # Python lists cannot be held to a memory limit. The clue-by-clue solver looks at a total last.
    outcome = solve_clue_by_clue(puzzle, run) if run.limits.memory is None else None
    if outcome is None and (puzzle.total is None or puzzle.hidden.size <= FEW_COUNTED):
        with run.at_most(SMALL_BOARD_CONFLICTS):
            outcome = CnfEngine(ClausalPySat(SOLVERS[DEFAULT])).solve(puzzle, run)
    if isinstance(outcome, Refuted):
        return refuted_by_any_clues(puzzle, run)
    if isinstance(outcome, GaveUp) and outcome.stop_reason is StopReason.STEPS:
        reason = run.spend()
        return replace(outcome, stop_reason=reason) if reason else None
    return outcome


@cache
def _info() -> EngineInfo:
    # Cached, because finding out what limits memory takes as long as solving a board of a thousand cells.
    return EngineInfo(
        "auto",
        "takes a board apart and solves each part by what fits it; small boards go to MiniCard",
        step="conflict or node",
        memory_limit=can_limit_memory(),
    )
