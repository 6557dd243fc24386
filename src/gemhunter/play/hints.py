"""A hint to the player of a game: the next deduction, rung by rung, or the best guess."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gemhunter.board.grid import Cell
from gemhunter.explanation.hint import HintLadder, hint
from gemhunter.play.advice import Advice, ComparedGuesses, advise, compared_advice
from gemhunter.play.game import View
from gemhunter.play.risks import USUAL_LIMITS
from gemhunter.play.rollouts import can_roll_out
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class BestGuess:
    """Nothing can be deduced that has not been flagged; this is the cell that `expert` would open.

    The risk is 0 if the cell is certain but no deduction was found in time. `win_chance` is None where it is
    not known exactly. `compared` is what games that were played on say, if they were; `is_comparable` says
    whether they could be.
    """

    cell: Cell
    risk: float
    win_chance: float | None
    compared: ComparedGuesses | None = None
    is_comparable: bool = False


@dataclass(frozen=True, slots=True)
class NoHint:
    """Nothing is known that would help, and why."""

    reason: str


GameHint: TypeAlias = HintLadder | BestGuess | NoHint


def game_hint(view: View, near: Cell, run: Run | None = None, *, think: float | None = None) -> GameHint:
    """The easiest deduction that shows more than the flags do, and of several the nearest to `near`.

    Failing that, the best guess; with `think`, it is compared with others for this many seconds.
    """
    run = run or Run(USUAL_LIMITS)
    flags = [Cell(row, col) for row, col in np.argwhere(view.flags).tolist()]
    found = hint(view.grid, total=view.total, marked=flags, near=near, run=run)
    if isinstance(found, HintLadder):
        return found
    return best_guess(view, advise(view, think=think, run=run.within()))


def best_guess(view: View, advised: Advice | Refuted | GaveUp) -> BestGuess | NoHint:
    """The advice on a view in which nothing can be deduced, as a hint to its player."""
    if not isinstance(advised, Advice):
        return NoHint(advised.reason)
    if advised.best is None or advised.risk is None:
        return NoHint(advised.why)
    is_comparable = len(advised.guesses) > 1 and can_roll_out(view.grid, view.total)
    compared = compared_advice(advised)
    return BestGuess(advised.best, advised.risk, advised.win_chance, compared, is_comparable)
