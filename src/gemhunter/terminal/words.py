"""The messages of the screens that name their keys: hints, refusals and endings."""

from collections.abc import Sequence
from typing import assert_never

from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.core.moves import Action, Move
from gemhunter.core.plurals import listed
from gemhunter.deduce.sentences import named_cells
from gemhunter.play.fill_in import NoWayOn
from gemhunter.play.game import Game
from gemhunter.play.hints import BestGuess, NoHint
from gemhunter.play.words import BOARD_WITHOUT_SOLUTION, guess_words
from gemhunter.queries.hint import NothingToDeduce
from gemhunter.terminal.climb import Climb
from gemhunter.terminal.sitting import Sitting

WELCOME = "space reveals, f flags, ? gives a hint, F1 lists all keys"
FIRST_IS_SAFE = "the first cell is never a trap: begin anywhere"
NEXT_KEYS = "u takes back the last move, r begins again, n deals another game"
FILL_IN_WELCOME = "t marks a trap, g a gem, ? gives a hint, c checks, F1 lists all keys"
FILL_IN_NEXT_KEYS = "u takes back the last mark, r begins again, s saves"


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


def guess_hint_words(hint: BestGuess | NoHint) -> str:
    """What a hint says where nothing can be deduced, and whether there is more to come."""
    is_open = isinstance(hint, BestGuess) and hint.is_comparable and hint.compared is None
    return guess_words(hint) + " (? compares it with other guesses)" * is_open


def flagged_words(cells: Sequence[Cell]) -> str:
    """Which traps a hint put flags on."""
    return f"{named_cells(cells)} flagged; u takes back the last flag"


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
