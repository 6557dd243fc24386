"""The messages of the screens: hints, judgements, choices, endings, and checked marks."""

from collections.abc import Sequence
from typing import assert_never

from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.core.moves import Action, Move
from gemhunter.core.plurals import counted, listed
from gemhunter.deduce import sentences
from gemhunter.deduce.sentences import MOST_CELLS_NAMED, named_cells
from gemhunter.play.agents.player import Choice, Stuck
from gemhunter.play.fill_in import (
    CheckedMarks,
    ConflictsWithMarks,
    FillIn,
    FillInHint,
    Fitting,
    ForcedCell,
    NotFound,
    NothingForced,
    NoWayOn,
    WrongMarks,
)
from gemhunter.play.game import Game
from gemhunter.play.hints import BestGuess, CertainGem, CertainTrap, Hint, NoHint
from gemhunter.play.review import Guess, Judgement, NeedlessRisk, ProvenSafe, ProvenTrap, Unjudged
from gemhunter.terminal.sitting import Sitting

WELCOME = "space reveals, f flags, ? gives a hint, F1 lists all keys"
FIRST_IS_SAFE = "the first cell is never a trap: begin anywhere"
NEXT_KEYS = "u takes back the last move, r begins again, n deals another game"
FILL_IN_WELCOME = "t marks a trap, g a gem, ? gives a hint, c checks, F1 lists all keys"
FILL_IN_NEXT_KEYS = "u takes back the last mark, r begins again, s saves"


def percent(risk: float) -> str:
    """A risk as a percentage; never 0 or 100 unless it is certain."""
    if risk in (0.0, 1.0):
        return f"{risk:.0%}".replace("%", " %")
    return f"{min(max(100 * risk, 0.1), 99.9):.1f} %"


def clock(seconds: float) -> str:
    """A time as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def hint_words(hint: Hint) -> str:
    """What a hint says."""
    match hint:
        case CertainGem(cell, clues):
            return f"{cell} is safe: {_by(clues)}"
        case CertainTrap(cell, clues):
            return f"nothing is certain to be safe, but {cell} is a trap: {_by(clues)}"
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
        case ProvenTrap(cell):
            return f"the clues showed it: {cell} was a trap for certain"
        case NeedlessRisk(cell, risk, safe):
            size = "was a risk" if risk is None else f"had a {percent(risk)} risk"
            return f"a needless risk: {cell} {size}, while {safe} was safe for certain"
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
            return "this board has no solution, whatever you mark"
        case NoWayOn():
            return sentences.NO_SOLUTION_WITH_MARKS
        case Fitting(marks, left):
            return f"{counted(marks, 'mark')} so far, all of which can be right; {counted(left, 'cell')} left"
        case NotFound(reason):
            return f"every clue can still hold; whether the marks can be right is not known: {reason}"
        case _:
            assert_never(found)


def fill_in_hint_words(hint: FillInHint, board: FillIn) -> str:
    """Which cell is certain, and why."""
    match hint:
        case ForcedCell(cell, is_trap, clue, clues):
            why = _forced_by(board, clue, clues, is_trap=is_trap)
            return f"{cell} is a {'trap' if is_trap else 'gem'}: {why}"
        case NothingForced():
            return "no cell is certain: the board has several solutions, and any of them is right"
        case NoWayOn():
            return "no hint: the marks so far leave no solution; c shows what is wrong"
        case NotFound(reason):
            return f"no hint: {reason}"
        case _:
            assert_never(hint)


def _forced_by(board: FillIn, clue: Cell | None, clues: Sequence[Cell], *, is_trap: bool) -> str:
    if clue is None:
        near = f"; look at {named_cells(clues)} first" if clues else ""
        return f"the clues together leave nothing else{near}"
    number = board.grid[clue]
    if is_trap:
        return f"{clue} says {number}, so it needs every cell that is left around it"
    return f"{clue} says {number}, so " + (
        "nothing around it is a trap" if number == 0 else "it has all its traps"
    )


def _by(clues: tuple[Cell, ...]) -> str:
    """What makes a cell certain, as far as the clues next to it show."""
    if not clues:
        return "the other clues and the number of traps leave nothing else"
    return f"see {listed(map(str, clues))}"
