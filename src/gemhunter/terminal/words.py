"""The messages of the screens: hints, judgements, choices, endings, and checked marks."""

from collections.abc import Sequence
from typing import assert_never

from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.core.moves import Action, Move
from gemhunter.core.plurals import counted, listed
from gemhunter.deduce import sentences
from gemhunter.deduce.sentences import MOST_CELLS_NAMED, named_cells
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.play.agents.player import Choice, Stuck
from gemhunter.play.fill_in import (
    CheckedMarks,
    ConflictsWithMarks,
    Fitting,
    NotFound,
    NoWayOn,
    WrongMarks,
)
from gemhunter.play.game import Game
from gemhunter.play.hints import BestGuess, NoHint
from gemhunter.play.review import Guess, Judgement, NeedlessRisk, ProvenSafe, ProvenTrap, Unjudged
from gemhunter.queries.hint import NothingToDeduce
from gemhunter.terminal.climb import Climb
from gemhunter.terminal.sitting import Sitting

WELCOME = "space reveals, f flags, ? gives a hint, F1 lists all keys"
FIRST_IS_SAFE = "the first cell is never a trap: begin anywhere"
NEXT_KEYS = "u takes back the last move, r begins again, n deals another game"
FILL_IN_WELCOME = "t marks a trap, g a gem, ? gives a hint, c checks, F1 lists all keys"
BOARD_WITHOUT_SOLUTION = "this board has no solution, whatever you mark"
FILL_IN_NEXT_KEYS = "u takes back the last mark, r begins again, s saves"


def percent(risk: float) -> str:
    """A risk as a percentage; never 0 or 100 unless it is certain."""
    if risk in (0.0, 1.0):
        return f"{risk:.0%}".replace("%", " %")
    return f"{min(max(100 * risk, 0.1), 99.9):.1f} %"


def clock(seconds: float) -> str:
    """A time as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def climb_words(climb: Climb) -> str:
    """What a rung of a hint says; up to the conclusion, that there is more to come."""
    step, texts = climb.step, climb.ladder.rungs
    if climb.is_concluded:
        lines = [f"{'  ' * thought.depth}{thought.sentence}" for thought in step.thoughts]
        return "\n".join([step.sentence, *lines])
    said = dict.fromkeys((texts[0], texts[climb.rung - 1]))
    return f"{' '.join(said)} (? says more)"


def flagged_words(cells: Sequence[Cell]) -> str:
    """Which traps a hint put flags on."""
    return f"{named_cells(cells)} flagged; u takes back the last flag"


def guess_words(hint: BestGuess | NoHint) -> str:
    """What a hint says where nothing can be deduced."""
    match hint:
        case BestGuess(cell, risk=0.0):
            return f"{cell} is safe, but a reason was not found in time"
        case BestGuess(cell, risk, wins):
            rest = "" if wins is None else f"; {percent(wins)} to win from here"
            return f"nothing is certain; the best guess is {cell}, with a risk of {percent(risk)}{rest}"
        case NoHint(reason):
            return f"no hint: {reason}"
        case _:
            assert_never(hint)


def judgement_words(judgement: Judgement) -> str:
    """Whether the last move was wise."""
    match judgement:
        case ProvenTrap(cell, steps):
            return f"the clues showed it: {cell} was a trap for certain{_shown_by(steps)}"
        case NeedlessRisk(cell, risk, safe, missed):
            size = "was a risk" if risk is None else f"had a {percent(risk)} risk"
            why = "" if missed is None else f". {missed.sentence}"
            return f"a needless risk: {cell} {size}, but {safe} was safe for certain{why}"
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


def refusal_words(game: Game, move: Move) -> str:
    """Why a move changes nothing."""
    if game.status is not Status.PLAYING:
        return f"it is over: {NEXT_KEYS}"
    if move.action is Action.FLAG:
        return f"{move.cell} is shown already, so it needs no flag"
    if move.action is Action.REVEAL:
        return f"{move.cell} has a flag; f takes it away"
    if game.shown[move.cell] == HIDDEN:
        return f"{move.cell} shows no clue; space reveals it"
    flags = sum(bool(game.flags[cell]) for cell in game.view.grid.around(move.cell))
    if flags == game.shown[move.cell]:
        return f"nothing is left to reveal around {move.cell}"
    return f"{move.cell} has {flags} flags around it, not {game.shown[move.cell]}: nothing to chord"


def ending_words(sitting: Sitting, seconds: float) -> str:
    """How a game ended, how long it took, and with whose help."""
    game = sitting.game
    helped = f", with {listed(aid.value for aid in sorted(sitting.aids))}" if sitting.aids else ""
    match game.status:
        case Status.WON:
            return f"won in {clock(seconds)}{helped}"
        case Status.LOST:
            return f"lost at {game.exploded} after {clock(seconds)}{helped}"
        case Status.STUCK:
            return f"given up after {clock(seconds)}{helped}"
        case _:
            return f"left after {clock(seconds)}{helped}"


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


def fill_in_refusal_words(found: NothingToDeduce | NoWayOn) -> str:
    """Why there is no hint."""
    match found:
        case NoWayOn(is_unsolvable=True):
            return BOARD_WITHOUT_SOLUTION
        case NoWayOn():
            return "no hint: the marks so far leave no solution; c shows what is wrong"
        case NothingToDeduce(gave_up=None):
            return "no cell is certain: the board has several solutions, and any of them is right"
        case NothingToDeduce(reason):
            return f"no hint: {reason}"
        case _:
            assert_never(found)
