"""Judgements of moves, by what the player could know; and of a whole game, move by move."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias, assert_never

from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, Move
from gemhunter.errors import InputError
from gemhunter.explanation.explain import explain_cell
from gemhunter.explanation.hint import HintLadder, hint
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.play.advice import Comparison, compare_guess
from gemhunter.play.game import Game, View, before_first_move
from gemhunter.play.guessing.rollouts import WinChance, chance_of_winning
from gemhunter.play.risks import USUAL_LIMITS, nearest, percent, risks_of_view
from gemhunter.questions.probability import SAME
from gemhunter.solving.run import Run
from gemhunter.wording import counted


@dataclass(frozen=True, slots=True)
class ProvenSafe:
    """No cell that the move revealed could be a trap; `cell` is one of these cells."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class ProvenTrap:
    """The clues and the total showed that `cell` was a trap; `steps` is the proof, if found in time."""

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
    """No cell was certain to be a gem. The least risk was that of `safest`."""

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
    known = risks_of_view(view, run)

    def badness(cell: Cell) -> tuple[bool, bool, float]:
        """Certain traps are the worst, then cells whose risk is not known."""
        risk = known.risk(cell)
        return risk == 1.0, math.isnan(risk), risk

    cell = max(revealed, key=badness)
    risk = known.risk(cell)
    if risk == 1.0:
        return ProvenTrap(cell, explain_cell(view.grid, cell, total=view.total, run=second).steps)
    if risk == 0.0:
        return ProvenSafe(cell)
    if math.isnan(risk):
        return Unjudged(cell, known.gap)
    if gems := known.gems():
        safe = nearest(gems, cell)
        ladder = hint(view.grid, total=view.total, marked=known.traps(), near=safe, run=second)
        if isinstance(ladder, HintLadder) and ladder.step.gems:
            return NeedlessRisk(cell, risk, nearest([*ladder.step.gems], cell), ladder.step)
        return NeedlessRisk(cell, risk, safe)
    if safest := known.safest():
        best = nearest(safest, cell)
        return Guess(cell, risk, best, known.risk(best))
    return Unjudged(cell, known.gap)


def revealed_by(view: View, move: Move) -> list[Cell]:
    """The cells that a move reveals, in reading order, without those that a 0 opens."""
    cells = {Action.FLAG: [], Action.REVEAL: [move.cell], Action.CHORD: view.grid.around(move.cell)}
    return [cell for cell in cells[move.action] if view.is_hidden(cell) and not view.flags[cell]]


# A whole game, move by move: what could be known, and what each guess was worth.


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that revealed something, its number among all moves (from 1), and the view before it."""

    number: int
    move: Move
    view: View
    judgement: Judgement

    @property
    def risk(self) -> float:
        """The probability that the move lost the game; 0 if it is not known."""
        match self.judgement:
            case ProvenTrap():
                return 1.0
            case NeedlessRisk(risk=risk) | Guess(risk=risk):
                return risk
            case _:
                return 0.0


def review_moves(game: Game, run: Run | None = None) -> Iterator[ReviewedMove]:
    """Judge every move that revealed something, in order, by what was known before it.

    The time limit of the run applies to each move. The first cell is left out if a rule makes it safe.
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
    """What playing on says about a move that could lose; None is what was not found in time.

    `win_chance` is that before the move. `comparison` is with the cell that `expert` would have opened, if
    the move was a guess at one cell.
    """

    win_chance: WinChance | None
    comparison: Comparison | None


def look_again(reviewed: ReviewedMove, run: Run) -> SecondLook:
    """Look at a risky move again, by playing on within the run."""
    chance, judgement = chance_of_winning(reviewed.view, run), reviewed.judgement
    is_one_cell = len(revealed_by(reviewed.view, reviewed.move)) == 1
    if not isinstance(judgement, Guess) or not is_one_cell:
        return SecondLook(chance, None)
    return SecondLook(chance, compare_guess(reviewed.view, judgement.cell, run))


def chance_to_survive(reviewed: Sequence[ReviewedMove]) -> float:
    """The probability that no move loses, if every chord is as risky as its riskiest cell."""
    return prod(1.0 - move.risk for move in reviewed)


def judgement_words(judgement: Judgement) -> str:
    """A judgement in words."""
    match judgement:
        case ProvenTrap(cell, steps):
            proof = ""
            if steps:
                begins = "" if len(steps) == 1 else f"That takes {counted(len(steps), 'step')}; the last: "
                proof = f". {begins}{steps[-1].sentence}"
            return f"the clues showed it: {cell} was certainly a trap{proof}"
        case NeedlessRisk(cell, risk, safe, missed):
            why = "" if missed is None else f". {missed.sentence}"
            taken = f"{cell} had a risk of {percent(risk)}"
            return f"a needless risk: {taken}, but {safe} was certainly safe{why}"
        case Guess(cell, risk, safest, least):
            if judgement.is_safest:
                return f"a fair guess: {cell} had a risk of {percent(risk)}, and no cell was safer"
            better = f"{safest} was the safest with {percent(least)}"
            return f"a guess, as nothing was certain: {cell} had a risk of {percent(risk)}; {better}"
        case ProvenSafe(cell):
            return f"the clues showed it: {cell} was certainly safe"
        case Unjudged(_, reason):
            return f"it is not known whether it was a fair guess: {reason}"
        case _:
            assert_never(judgement)
