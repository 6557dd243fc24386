"""Sentences about a game or a board that is played: guesses, judgements, choices, and checked marks."""

from collections.abc import Sequence
from typing import assert_never

from gemhunter.explanation.steps import ExplanationStep
from gemhunter.play.advice import ComparedGuesses, Comparison, SameGuess
from gemhunter.play.agents.player import Choice, Stuck
from gemhunter.play.fill_in import CheckedMarks, ConflictsWithMarks, Fitting, NotFound, NoWayOn, WrongMarks
from gemhunter.play.hints import BestGuess, NoHint
from gemhunter.play.review import Guess, Judgement, NeedlessRisk, ProvenSafe, ProvenTrap, Unjudged
from gemhunter.printable import counted
from gemhunter.solving import conflicts as sentences
from gemhunter.solving.conflicts import MOST_CELLS_NAMED

BOARD_WITHOUT_SOLUTION = "this board has no solution, whatever you mark"


def percent(risk: float) -> str:
    """A risk as a percentage; never 0 or 100 unless it is certain."""
    if risk in (0.0, 1.0):
        return f"{risk:.0%}".replace("%", " %")
    return f"{min(max(100 * risk, 0.1), 99.9):.1f} %"


def guess_words(hint: BestGuess | NoHint) -> str:
    """What a hint says where nothing can be deduced."""
    match hint:
        case BestGuess(cell, risk=0.0):
            return f"{cell} is safe, but a reason was not found in time"
        case BestGuess(cell, risk, wins, compared):
            rest = "" if wins is None else f"; {percent(wins)} to win from here"
            rest += "" if compared is None else f"; {compared_words(compared)}"
            return f"nothing is certain; the best guess is {cell}, with a risk of {percent(risk)}{rest}"
        case NoHint(reason):
            return f"no hint: {reason}"
        case _:
            assert_never(hint)


def compared_words(comparison: Comparison) -> str:
    """Which of two guesses wins more often, and by how much."""
    match comparison:
        case SameGuess(cell):
            return f"`expert` would have opened {cell} too"
        case ComparedGuesses(better, other, more, boards=0):
            if more.value == 0.0:
                return f"{better} and {other} win equally often"
            return f"{better} wins {100 * more.value:.1f} points more often than {other}, exactly"
        case ComparedGuesses(better, other, more, boards):
            points = f"{100 * more.value:.1f} ±{100 * more.margin:.1f} points more often"
            doubt = "" if comparison.is_clear else ": too close to call"
            return f"{better} wins {points} than {other} in games on the same {boards:,} boards{doubt}"
        case _:
            assert_never(comparison)


def judgement_words(judgement: Judgement) -> str:
    """Whether the last move was wise."""
    match judgement:
        case ProvenTrap(cell, steps):
            return f"the clues showed it: {cell} was a trap for certain{_shown_by(steps)}"
        case NeedlessRisk(cell, risk, safe, missed):
            why = "" if missed is None else f". {missed.sentence}"
            return f"a needless risk: {cell} had a {percent(risk)} risk, but {safe} was safe for certain{why}"
        case Guess(cell, risk, safest, least):
            if judgement.is_safest:
                return f"a fair guess: {cell} had a {percent(risk)} risk, and no cell was safer"
            better = f"{safest} was the safest with {percent(least)}"
            return f"a guess, as nothing was certain: {cell} had a {percent(risk)} risk; {better}"
        case ProvenSafe(cell):
            return f"the clues showed it: {cell} was safe for certain"
        case Unjudged(_, reason):
            return f"whether it was a fair guess is not known: {reason}"
        case _:
            assert_never(judgement)


def _shown_by(steps: Sequence[ExplanationStep]) -> str:
    """The deduction that a player missed; of several steps, how many there were and the last."""
    if not steps:
        return ""
    begins = "" if len(steps) == 1 else f"That takes {counted(len(steps), 'step')}; the last: "
    return f". {begins}{steps[-1].sentence}"


def choice_words(agent: str, choice: Choice | Stuck) -> str:
    """What an agent chose and why."""
    if isinstance(choice, Stuck):
        return f"{agent} is stuck: {choice.why}"
    more = f" and {len(choice.safe) - MOST_CELLS_NAMED} more" * (len(choice.safe) > MOST_CELLS_NAMED)
    cells = ", ".join(map(str, choice.safe[:MOST_CELLS_NAMED])) + more
    risk = "" if choice.risk == 0 else f", a risk of {percent(choice.risk)}"
    return f"{agent} reveals {cells or 'nothing'}: {choice.why}{risk}"


def checked_words(found: CheckedMarks) -> str:
    """Whether the marks can be right."""
    match found:
        case ConflictsWithMarks(clues, marks, total):
            return sentences.conflicting_marks(clues, marks, with_total=total)
        case WrongMarks(cells):
            return sentences.wrong_marks(cells)
        case NoWayOn(is_unsolvable=True):
            return BOARD_WITHOUT_SOLUTION
        case NoWayOn():
            return sentences.NO_SOLUTION_WITH_MARKS
        case Fitting(marks, left):
            return f"{counted(marks, 'mark')} so far, all of which can be right; {counted(left, 'cell')} left"
        case NotFound(reason):
            return f"every clue can still hold; whether the marks can be right is not known: {reason}"
        case _:
            assert_never(found)
