"""Two guesses beside each other: how much more often a game is won that goes on with the better one."""

from dataclasses import dataclass
from typing import TypeAlias

from gemhunter.core.grid import Cell
from gemhunter.play.advice import BY_ROLLOUTS, Advice, advise
from gemhunter.play.candidates import win_chance_after
from gemhunter.play.rollouts import Rollouts, can_roll_out, roll_out
from gemhunter.play.view import View
from gemhunter.play.worked_position import work_out_position
from gemhunter.queries.answers import SAME
from gemhunter.solving.run import Run
from gemhunter.work.estimates import Interval

COMPARED_BOARDS = 500
"""Boards on which a guess is compared with another: a few seconds, for a margin of about three points."""


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
    if view.is_fresh or not can_roll_out(view.grid, view.total):
        return None
    advised = advise(view, run=run.within())
    if not isinstance(advised, Advice) or advised.best is None:
        return None
    if advised.best == cell:
        return SameGuess(cell)
    return _exactly(view, advised.best, cell) or _by_rollouts(view, advised.best, cell, run)


def compared_advice(advised: Advice) -> ComparedGuesses | None:
    """What games that were played on say about advice, if they were.

    An advised cell beside the one that did best apart from it, or beside the one whose place it took.
    """
    found, best = advised.rollouts, advised.best
    if found is None or best is None:
        return None
    if advised.why == BY_ROLLOUTS:
        return _beside_first(found, advised.candidates[1].cell)
    return _beside_first(found, found.cells[1] if found.cells[0] == best else best)


def _beside_first(found: Rollouts, other: Cell) -> ComparedGuesses:
    """The cell that did best, and another one that was rolled out."""
    return ComparedGuesses(found.cells[0], other, found.behind[found.cells.index(other)], found.games)


def _exactly(view: View, best: Cell, cell: Cell) -> ComparedGuesses | None:
    """By the win chances of both, where the rest of the game can be played exactly."""
    worked = work_out_position(view.grid, view.total, 1.0)
    chances = win_chance_after(worked, best), win_chance_after(worked, cell)
    if chances[0] is None or chances[1] is None:
        return None
    more = chances[0] - chances[1]
    more = 0.0 if abs(more) < SAME else more
    # Where the whole search takes too long, `best` is no more than what looking ahead says.
    better, other = (best, cell) if more >= 0.0 else (cell, best)
    return ComparedGuesses(better, other, Interval(abs(more), abs(more), abs(more)), 0)


def _by_rollouts(view: View, best: Cell, cell: Cell, run: Run) -> ComparedGuesses | None:
    found = roll_out(view.grid, view.total, [best, cell], run, most=COMPARED_BOARDS)
    return None if found is None else _beside_first(found, found.cells[1])
