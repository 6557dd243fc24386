"""Was a move wise? Judged by what its player could know, not by what came of it."""

import math
from dataclasses import dataclass
from typing import TypeAlias

from gemhunter.core.grid import Cell
from gemhunter.core.moves import Action, Move
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.errors import InputError
from gemhunter.play.risks import USUAL_LIMITS, Risks, know, nearest
from gemhunter.play.view import View
from gemhunter.queries.answers import SAME
from gemhunter.queries.explain_cell import explain_cell
from gemhunter.queries.hint import HintLadder, hint
from gemhunter.solving.run import Run


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
