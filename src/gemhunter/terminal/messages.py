"""What the screens say: the clock, hints, refusals and endings, with the keys that they name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell
from gemhunter.board.position import Action, Move, Status
from gemhunter.explanation.hint import CLUES_RUNG, CONCLUSION_RUNG, HintLadder, NothingToDeduce
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.play.advice import BestGuess, NoHint, guess_words
from gemhunter.play.fill_in import BOARD_WITHOUT_SOLUTION, DeadEnd
from gemhunter.play.game import Game
from gemhunter.solving.conflict_sentences import named_cells
from gemhunter.terminal.session import PlaySession
from gemhunter.wording import counted, listed

# How much of a hint ladder has been shown.


@dataclass(frozen=True, slots=True, eq=False)
class ShownHintLadder:
    """A hint ladder and the highest rung that has been shown, counted from 1."""

    ladder: HintLadder
    rung: int = 1

    @property
    def step(self) -> ExplanationStep:
        """The deduction that the ladder leads to."""
        return self.ladder.step

    @property
    def is_concluded(self) -> bool:
        """Whether the conclusion has been shown."""
        return self.rung >= CONCLUSION_RUNG

    @property
    def clues(self) -> frozenset[Cell]:
        """The clues that have been named."""
        return frozenset(self.step.clues) if self.rung >= CLUES_RUNG else frozenset()

    @property
    def decided(self) -> dict[Cell, int]:
        """`TRAP` or `GEM` for each cell of the conclusion, once it has been shown."""
        if not self.is_concluded:
            return {}
        return dict.fromkeys(self.step.traps, TRAP) | dict.fromkeys(self.step.gems, GEM)


# The messages of the screens that name their keys: hints, refusals and endings.


WELCOME = "space reveals, f flags, ? gives a hint, F1 lists all keys"
FIRST_IS_SAFE = "the first cell is never a trap: begin anywhere"
NEXT_KEYS = "u takes back the last move, r begins again, n deals another game"
FILL_IN_WELCOME = "t marks a trap, g a gem, ? gives a hint, c checks, F1 lists all keys"
FILL_IN_NEXT_KEYS = "u takes back the last mark, r begins again, s saves"


def clock(seconds: float) -> str:
    """A time in minutes and seconds, such as `2:05`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def hint_ladder_words(hint_ladder: ShownHintLadder) -> str:
    """The text of a rung; below the conclusion, it mentions that there is more."""
    step, texts = hint_ladder.step, hint_ladder.ladder.rungs
    if hint_ladder.is_concluded:
        lines = [f"{'  ' * thought.depth}{thought.sentence}" for thought in step.thoughts]
        return "\n".join([step.sentence, *lines])
    said = dict.fromkeys((texts[0], texts[hint_ladder.rung - 1]))
    return f"{' '.join(said)} (? says more)"


def guess_hint_words(hint: BestGuess | NoHint) -> str:
    """The best guess as a hint; it mentions whether there is more."""
    is_open = isinstance(hint, BestGuess) and hint.is_comparable and hint.compared is None
    return guess_words(hint) + " (? compares it with other guesses)" * is_open


def flagged_words(cells: Sequence[Cell]) -> str:
    """Name the traps that a hint has flagged."""
    return f"{named_cells(cells)} flagged; u takes back the last flag"


def refusal_words(game: Game, move: Move) -> str:
    """Why a move changes nothing."""
    if game.status is not Status.PLAYING:
        return f"the game is over: {NEXT_KEYS}"
    if move.action is Action.FLAG:
        return f"{move.cell} is shown already, so it needs no flag"
    if move.action is Action.REVEAL:
        return f"{move.cell} has a flag; f removes it"
    if game.shown[move.cell] == HIDDEN:
        return f"{move.cell} shows no clue; space reveals it"
    flags = sum(bool(game.flags[cell]) for cell in game.view.grid.around(move.cell))
    if flags == game.shown[move.cell]:
        return f"nothing is left to reveal around {move.cell}"
    return f"{move.cell} has {counted(flags, 'flag')} near it, not {game.shown[move.cell]}: nothing to chord"


def ending_words(session: PlaySession, seconds: float) -> str:
    """How a game ended, the time it took, and the help that the player used."""
    game = session.game
    helped = f", with {listed(aid.value for aid in sorted(session.aids))}" if session.aids else ""
    match game.status:
        case Status.WON:
            return f"won in {clock(seconds)}{helped}"
        case Status.LOST:
            return f"lost at {game.exploded} after {clock(seconds)}{helped}"
        case Status.STUCK:
            return f"given up after {clock(seconds)}{helped}"
        case _:
            return f"left after {clock(seconds)}{helped}"


def fill_in_refusal_words(found: NothingToDeduce | DeadEnd) -> str:
    """Why there is no hint."""
    match found:
        case DeadEnd(is_unsolvable=True):
            return BOARD_WITHOUT_SOLUTION
        case DeadEnd():
            return "no hint: the marks so far leave no solution; c shows what is wrong"
        case NothingToDeduce(gave_up=None):
            return "no cell is certain: the board has several solutions, and any of them is right"
        case NothingToDeduce(reason):
            return f"no hint: {reason}"
        case _:
            assert_never(found)
