"""The three answers, and the report that carries one."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, TypeAlias

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.puzzle import Solution
from gemhunter.cnf.drat import Proof
from gemhunter.wording import seconds_text


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


class NoTruthValue:
    """An answer that raises an error in `if answer:`, which would mix up "no" and "don't know"."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} is neither true nor false; tell answers apart with `match`")


@dataclass(frozen=True, slots=True)
class Solved(NoTruthValue):
    """The board has a solution, and this is one."""

    solution: Solution


@dataclass(frozen=True, slots=True)
class Refuted(NoTruthValue):
    """The board has no solution; `clues` are the conflicting clues, if they are known.

    `proof`, if it was requested, refutes the clauses that `encode` writes for the board.
    """

    reason: str
    clues: tuple[Cell, ...] = ()
    proof: Proof | None = None

    def __str__(self) -> str:
        return f"no solution: {self.reason}"


@dataclass(frozen=True, slots=True)
class GaveUp(NoTruthValue):
    """The engine stopped without an answer.

    `decided` lists the cells that it did decide: i if hidden cell i, counted from 1, is a trap, -i if it is
    a gem.
    """

    stop_reason: StopReason
    detail: str = ""
    decided: tuple[int, ...] = ()

    @property
    def reason(self) -> str:
        """The stop reason with its detail."""
        return f"{self.stop_reason.value} ({self.detail})" if self.detail else self.stop_reason.value

    def __str__(self) -> str:
        return f"gave up: {self.reason}"

    def fill(self, grid: Grid) -> Grid:
        """`grid` with the decided cells filled in."""
        decided = np.array(self.decided, np.int64)
        codes = grid.cells.ravel().copy()
        codes[np.flatnonzero(codes == HIDDEN)[np.abs(decided) - 1]] = np.where(decided > 0, TRAP, GEM)
        return Grid(codes.reshape(grid.cells.shape))


Outcome: TypeAlias = Solved | Refuted | GaveUp


CLUE_CANNOT_HOLD = "a clue cannot hold on its own"
"""The reason that engines give; they need not name the clue, because `solve` checks single clues first."""

SINGLE_CLUES_CONFLICT = "the cells that single clues decide conflict with another clue"


def refuted_by_engine(engine: str, proof: Proof | None = None) -> Refuted:
    """A refutation by an engine or another method that does not name the conflicting clues."""
    return Refuted(f"the clues cannot all hold (shown by {engine})", proof=proof)


@dataclass(frozen=True, slots=True)
class Report:
    """An engine's answer about a grid, its counters, and how long each stage took."""

    grid: Grid
    outcome: Outcome
    engine: str
    seconds: Mapping[str, float]
    counters: Mapping[str, int]
    seed: int
    settings: tuple[str, ...] = ()
    """The settings at their defaults, `key=value`; the others are part of the engine's name."""
    encoding: str | None = None
    """How regions were turned into clauses; None for an engine that reads the board itself."""

    @property
    def filled(self) -> Grid | None:
        """The grid with every cell filled in, or None if it was not solved."""
        return self.outcome.solution.fill(self.grid) if isinstance(self.outcome, Solved) else None

    @property
    def partial(self) -> Grid | None:
        """The grid with the cells that an engine decided before it gave up; None if there are none."""
        if not isinstance(self.outcome, GaveUp) or not self.outcome.decided:
            return None
        return self.outcome.fill(self.grid)

    def __str__(self) -> str:
        filled = self.filled or self.partial
        time = seconds_text(sum(self.seconds.values()))
        first = f"solved by {self.engine} in {time}" if isinstance(self.outcome, Solved) else self.outcome
        return f"{first}" if filled is None else f"{first}\n{filled}"

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows: the board, and beside it as much of the answer as is known."""
        from gemhunter.draw.grids import draw_answer, draw_grid

        filled = self.filled or self.partial
        return draw_grid(self.grid) if filled is None else draw_answer(self.grid, filled)
