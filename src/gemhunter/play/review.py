"""Was a move wise? Judged by what its player could know; and a whole game, move by move."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, Move
from gemhunter.errors import InputError
from gemhunter.explanation.explain import explain_cell
from gemhunter.explanation.hint import HintLadder, hint
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.play.advice import Comparison, compare_guess
from gemhunter.play.game import Game, View, before_first_move
from gemhunter.play.risks import USUAL_LIMITS, Risks, know, nearest
from gemhunter.play.rollouts import WinChance, chance_of_winning
from gemhunter.questions.answers import SAME
from gemhunter.solving.run import Run

# Was a move wise? Judged by what its player could know, not by what came of it.


@dataclass(frozen=True, slots=True)
class ProvenSafe:
    """No cell that the move revealed could be a trap; `cell` is one of them."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class ProvenTrap:
    """The clues and the total showed that `cell` was a trap; `steps` say how, if that was found in time."""

    cell: Cell
    steps: tuple[ExplanationStep, ...] = ()


@dataclass(frozen=True, slots=True)
class NeedlessRisk:
    """`cell` could be a trap, while `safe` could not.

    `missed` is the easiest deduction that shows a safe cell, if it was found in time.
    """

    cell: Cell
    risk: float
    safe: Cell
    missed: ExplanationStep | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """No cell was certain to be a gem. The least risk there was is that of `safest`."""

    cell: Cell
    risk: float
    safest: Cell
    least: float

    @property
    def is_safest(self) -> bool:
        """Whether no other cell was safer."""
        return self.risk <= self.least * (1 + SAME)


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The position is too large for exact answers, and why."""

    cell: Cell
    reason: str


Judgement: TypeAlias = ProvenSafe | ProvenTrap | NeedlessRisk | Guess | Unjudged


def judge(view: View, move: Move, run: Run | None = None) -> Judgement:
    """Judge a move by the view before it; a chord by the riskiest cell that it reveals."""
    revealed = revealed_by(view, move)
    if not revealed:
        raise InputError(f"{move} reveals nothing, so there is nothing to judge")
    run = run or Run(USUAL_LIMITS)
    second = run.within()
    known = know(view, run)
    cell = max(revealed, key=lambda each: _badness(known.risk(each)))
    risk = known.risk(cell)
    if risk == 1.0:
        return ProvenTrap(cell, explain_cell(view.grid, cell, total=view.total, run=second).steps)
    if risk == 0.0:
        return ProvenSafe(cell)
    if math.isnan(risk):
        return Unjudged(cell, known.gap)
    if known.gems():
        missed = _missed(view, known, cell, second)
        safe = nearest(known.gems() if missed is None else [*missed.gems], cell)
        return NeedlessRisk(cell, risk, safe, missed)
    if safest := known.safest():
        best = nearest(safest, cell)
        return Guess(cell, risk, best, known.risk(best))
    return Unjudged(cell, known.gap)


def revealed_by(view: View, move: Move) -> list[Cell]:
    """The cells that a move reveals, in reading order, without those that a 0 opens."""
    meant = {Action.FLAG: [], Action.REVEAL: [move.cell], Action.CHORD: view.grid.around(move.cell)}
    return [cell for cell in meant[move.action] if view.is_hidden(cell) and not view.flags[cell]]


def _missed(view: View, known: Risks, near: Cell, run: Run) -> ExplanationStep | None:
    """The easiest deduction of a safe cell, and of several the nearest to the safe cell next to `near`."""
    found = hint(view.grid, total=view.total, marked=known.traps(), near=nearest(known.gems(), near), run=run)
    return found.step if isinstance(found, HintLadder) and found.step.gems else None


def _badness(risk: float) -> tuple[bool, bool, float]:
    """Certain traps are worst; an unknown risk counts as more than any that is known."""
    return risk == 1.0, math.isnan(risk), risk


# A game looked at afterwards, move by move: what could be known, and what each guess was worth.


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that revealed something, counted from 1 among all moves, and the view before it."""

    number: int
    move: Move
    view: View
    judgement: Judgement

    @property
    def risk(self) -> float:
        """How likely it was to lose the game; 0 where that is not known."""
        match self.judgement:
            case ProvenTrap():
                return 1.0
            case NeedlessRisk(risk=risk) | Guess(risk=risk):
                return risk
            case _:
                return 0.0


def review_moves(game: Game, run: Run | None = None) -> Iterator[ReviewedMove]:
    """Judge every move that revealed something, in order, by what was known before it.

    The time limit of the run is for each move.
    The first cell is left out if the rule of the game makes it safe.
    """
    run = run or Run(USUAL_LIMITS)
    current = before_first_move(game)
    for number, move in enumerate(game.moves, 1):
        if move.action is not Action.FLAG and not current.first_is_safe and revealed_by(current.view, move):
            judged = judge(current.view, move, run.of_seconds(run.limits.seconds))
            yield ReviewedMove(number, move, current.view, judged)
        current = current.play(move)


@dataclass(frozen=True, slots=True)
class SecondLook:
    """What games that are played on say about a move that could lose: the chance of winning before it and,
    if it was a guess at one cell, how that compares with what `expert` would have opened. None is what was
    not found.
    """

    win_chance: WinChance | None
    comparison: Comparison | None


def look_again(reviewed: ReviewedMove, run: Run) -> SecondLook:
    """Look at a risky move again, as long as the run allows."""
    chance, found = chance_of_winning(reviewed.view, run), reviewed.judgement
    is_one_cell = len(revealed_by(reviewed.view, reviewed.move)) == 1
    if not isinstance(found, Guess) or not is_one_cell:
        return SecondLook(chance, None)
    return SecondLook(chance, compare_guess(reviewed.view, found.cell, run))


def chance_to_survive(reviewed: Sequence[ReviewedMove]) -> float:
    """The probability that no move loses, if every chord is as risky as its riskiest cell."""
    return prod(1.0 - move.risk for move in reviewed)
