"""The three answers, and the report that carries one."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, TypeAlias

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.solution import Solution
from gemhunter.cnf.drat import Proof
from gemhunter.draw.grids import draw_answer, draw_grid


class StopReason(StrEnum):
    """Why an engine stopped without an answer."""

    TIME = "time limit reached"
    STEPS = "step limit reached"
    ATTEMPTS = "attempt limit reached"
    DEPTH = "depth limit reached"
    MEMORY = "too large to fit into memory"
    STATES = "too many states"
    CANCELLED = "cancelled"
    STUCK = "stuck: nothing more can be derived"
    UNDECIDED = "the solver found no answer"


class _NoTruthValue:
    """Raises for `if outcome:`, which would mix up "no" and "don't know"."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("an outcome is neither true nor false; match it: Solved, Refuted or GaveUp")


@dataclass(frozen=True, slots=True)
class Solved(_NoTruthValue):
    """The board has a solution, and this is one."""

    solution: Solution


@dataclass(frozen=True, slots=True)
class Refuted(_NoTruthValue):
    """The board has no solution; `clues` are the clues that conflict, where they are known.

    `proof` refutes the clauses of the board, as `encode` writes them; it is there if it was asked for.
    """

    reason: str
    clues: tuple[Cell, ...] = ()
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class GaveUp(_NoTruthValue):
    """The engine stopped without an answer.

    `decided` has the cells that are known anyway: hidden cell i, counted from 1, as i if it is
    a trap and -i if it is a gem.
    """

    stop_reason: StopReason
    detail: str = ""
    decided: tuple[int, ...] = ()

    @property
    def reason(self) -> str:
        """The stop reason with its detail."""
        return f"{self.stop_reason.value} ({self.detail})" if self.detail else self.stop_reason.value

    def fill(self, grid: Grid) -> Grid:
        """`grid` with the decided cells filled in."""
        decided = np.array(self.decided, np.int64)
        codes = grid.cells.ravel().copy()
        codes[np.flatnonzero(codes == HIDDEN)[np.abs(decided) - 1]] = np.where(decided > 0, TRAP, GEM)
        return Grid(codes.reshape(grid.cells.shape))


Outcome: TypeAlias = Solved | Refuted | GaveUp


def refuted_by_engine(engine: str, proof: Proof | None = None) -> Refuted:
    """The refutation by an engine, or another method, that does not name the conflicting clues."""
    return Refuted(f"the clues cannot all hold (shown by {engine})", proof=proof)


@dataclass(frozen=True, slots=True)
class Report:
    """What an engine answered about a grid, what it counted, and how long each stage took."""

    grid: Grid
    outcome: Outcome
    engine: str
    seconds: Mapping[str, float]
    counters: Mapping[str, int]
    seed: int
    settings: tuple[str, ...] = ()
    """The settings that the engine has by default, `key=value`; those that differ are part of its name."""
    encoding: str | None = None
    """How regions became clauses; None for an engine that reads the board itself."""

    @property
    def filled(self) -> Grid | None:
        """The grid with every cell filled in, or None if it was not solved."""
        return self.outcome.solution.fill(self.grid) if isinstance(self.outcome, Solved) else None

    @property
    def partial(self) -> Grid | None:
        """The grid with the cells filled in that were decided before giving up; None if none were."""
        if not isinstance(self.outcome, GaveUp) or not self.outcome.decided:
            return None
        return self.outcome.fill(self.grid)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: the board, and beside it the answer as far as it is known."""
        filled = self.filled or self.partial
        return draw_grid(self.grid) if filled is None else draw_answer(self.grid, filled)
