"""A game looked at afterwards, move by move: what could be known, and what each guess was worth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from gemhunter.core.moves import Action, Move
from gemhunter.play.compared_guesses import Comparison, compare_guess
from gemhunter.play.game import Game, before_first_move
from gemhunter.play.review import Guess, Judgement, NeedlessRisk, ProvenTrap, judge, revealed_by
from gemhunter.play.risks import USUAL_LIMITS
from gemhunter.play.view import View
from gemhunter.play.win_chances import WinChance, chance_of_winning
from gemhunter.solving.run import Run


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
