"""Two guesses beside each other: how much more often a game is won that goes on with the better one."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.play.advice import Advice, advise
from gemhunter.play.candidates import win_chance_after
from gemhunter.play.rollouts import Rollouts, roll_out
from gemhunter.play.view import View
from gemhunter.play.worked_position import work_out_position
from gemhunter.solving.run import Run
from gemhunter.work.estimates import Interval

COMPARED_BOARDS = 500
"""Boards on which a guess is compared with another: a few seconds, for a margin of about three points."""

LARGEST_COMPARED = 2_000
"""Cells of a position in which guesses are compared."""


@dataclass(frozen=True, slots=True)
class ComparedGuesses:
    """By how much `better` wins more often than `other`, with a 95 % interval.

    Games were played on from both cells on the same `boards`, and luck is left out. There are 0 boards where
    the answer is exact.
    """

    better: Cell
    other: Cell
    more: Interval
    boards: int

    @property
    def is_clear(self) -> bool:
        """Whether there is a difference beyond doubt."""
        return self.more.low > 0.0


@dataclass(frozen=True, slots=True)
class SameGuess:
    """The cell is the one that `expert` would have opened."""

    cell: Cell


Comparison: TypeAlias = ComparedGuesses | SameGuess


def compare_guess(view: View, cell: Cell, run: Run) -> Comparison | None:
    """A guess beside the one that `expert` would make in a game; None where that is not found within the run.

    No cell is certain to be a gem.
    """
    if view.is_fresh or view.grid.cells.size > LARGEST_COMPARED:
        return None
    advised = advise(view, run=run.within())
    if not isinstance(advised, Advice) or advised.best is None:
        return None
    if advised.best == cell:
        return SameGuess(cell)
    return _exactly(view, advised.best, cell) or _by_rollouts(view, advised.best, cell, run)


def beside_best(found: Rollouts, best: Cell) -> ComparedGuesses:
    """An advised cell and the one that did best beside it, of those that were rolled out."""
    other = found.cells[1] if found.cells[0] == best else best
    behind = dict(zip(found.cells, found.behind, strict=True))[other]
    return ComparedGuesses(found.cells[0], other, behind, found.games)


def _exactly(view: View, best: Cell, cell: Cell) -> ComparedGuesses | None:
    """By the win chances of both, where the rest of the game can be played exactly."""
    worked = work_out_position(view.grid, view.total, 1.0)
    chances = win_chance_after(worked, best), win_chance_after(worked, cell)
    if chances[0] is None or chances[1] is None:
        return None
    more = chances[0] - chances[1]
    return ComparedGuesses(best, cell, Interval(more, more, more), 0)


def _by_rollouts(view: View, best: Cell, cell: Cell, run: Run) -> ComparedGuesses | None:
    if np.count_nonzero(view.grid.cells == HIDDEN) <= view.total:
        return None
    found = roll_out(view.grid, view.total, [best, cell], run, most=COMPARED_BOARDS)
    return None if found is None else beside_best(found, best)
