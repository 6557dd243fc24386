"""What a player is; and a game that a player plays turn by turn, with its marks, counters and frames."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Generic, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid, cells_where
from gemhunter.board.position import Status
from gemhunter.draw.frames import EXPLODED, FOUND_SAFE, PRESUMED_TRAP, UNMARKED, Frame, animated_frames
from gemhunter.errors import EngineError
from gemhunter.play.game import Game, View, new_game
from gemhunter.play.risks import percent
from gemhunter.solving.conflict_sentences import CELLS_NAMED

REASONS = {
    "proven": "proven safe",
    "first click": "first move",
    "guess at a clue": "the best guess next to a clue",
    "guess elsewhere": "the best guess away from all clues",
    "fifty-fifty": "a fifty-fifty that no clue can ever decide",
    "end game": "the best cell by exact search to the end of the game",
    "random": "a guess at random",
}
"""Why an agent reveals a cell: names for tables and ledgers, and words about a move."""

PROVEN, FIRST_MOVE, FRONTIER, ELSEWHERE, FIFTY_FIFTY, END_GAME, RANDOM = range(7)
"""The reasons in kernels, in the order of `REASONS`."""

WHY = tuple(REASONS.values())


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player does next: reveal the cells `safe`, and put flags on `traps`, which must be traps.

    `risk` is the risk of the first of `safe`, 0 if none of them can be a trap; a guess is one cell. `why`
    gives the reason in a few words.
    """

    safe: tuple[Cell, ...]
    traps: tuple[Cell, ...]
    risk: float
    why: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """The player has nothing to reveal and does not guess; `traps` are the known traps without flags."""

    traps: tuple[Cell, ...]
    why: str


def choice_words(agent: str, choice: Choice | Stuck) -> str:
    """What an agent chose and why."""
    if isinstance(choice, Stuck):
        return f"{agent} is stuck: {choice.why}"
    more = f" and {len(choice.safe) - CELLS_NAMED} more" * (len(choice.safe) > CELLS_NAMED)
    cells = ", ".join(map(str, choice.safe[:CELLS_NAMED])) + more
    risk = "" if choice.risk == 0 else f", a risk of {percent(choice.risk)}"
    return f"{agent} reveals {cells or 'nothing'}: {choice.why}{risk}"


class Player(Protocol):
    """Plays one game: it gets the latest view before each turn, and may remember earlier ones."""

    def choose(self, view: View) -> Choice | Stuck:
        """What to do in this view of a game that is not over."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A player that counts what it does."""

    def counters(self, view: View) -> Mapping[str, int]:
        """Numbers by what they count, at the end of a game; `view` is the last one."""
        ...


@dataclass(frozen=True, slots=True)
class CellMark:
    """A cell marked as safe or as a trap, after `rounds` matching rounds, with a `risk` if it was a guess.

    `opened` are the cells that were shown along with it, as around a 0.
    """

    cell: Cell
    is_trap: bool
    rounds: int = 0
    risk: float = 0.0
    opened: tuple[Cell, ...] = ()


@runtime_checkable
class Marking(Protocol):
    """A player that marks cells in a different order than the game shows them."""

    def marks(self, first: int) -> Sequence[CellMark]:
        """The cells marked so far, from number `first` on, counted from 0."""
        ...


# A game turn by turn. The player sees only views.


class Playable(Protocol):
    """What `play_game` needs of a game: a `Game`, or in tests an adversary that has no board at all."""

    @property
    def view(self) -> View:
        """What the player knows."""
        ...

    def reveal(self, cell: Cell) -> Self:
        """The game after revealing a cell."""
        ...

    def flag(self, cell: Cell) -> Self:
        """The game after putting a flag, or taking it away."""
        ...

    def give_up(self) -> Self:
        """The game ended where it stands."""
        ...


Played = TypeVar("Played", bound=Playable)


@dataclass(frozen=True, slots=True)
class Turn(Generic[Played]):
    """What a player chose, and the game after each move that followed."""

    choice: Choice | Stuck
    games: tuple[Played, ...]

    @property
    def game(self) -> Played:
        """The game after the turn."""
        return self.games[-1]

    @property
    def risk(self) -> float:
        """The risk of the choice; 0 if the player is stuck."""
        return self.choice.risk if isinstance(self.choice, Choice) else 0.0

    @property
    def is_guess(self) -> bool:
        """Whether it could have failed."""
        return self.risk > 0


def play_game(game: Played, player: Player) -> Iterator[Turn[Played]]:
    """Let `player` play to the end; yields its turns, each with at least one move. If stuck, it gives up."""
    while game.view.status is Status.PLAYING:
        turn = take_turn(game, player)
        if isinstance(turn.choice, Stuck):
            last = turn.games[-1] if turn.games else game
            turn = Turn(turn.choice, (*turn.games, last.give_up()))
        if not turn.games:
            raise EngineError("this agent chose nothing that changes the game")
        game = turn.game
        yield turn


def take_turn(game: Played, player: Player) -> Turn[Played]:
    """Let a player choose, put flags on the traps it knows, and reveal the cells it chose.

    A flag is removed from a cell before it is revealed. A player that is stuck only puts flags.
    """
    choice = player.choose(game.view)
    games = [game]
    for cell in choice.traps:
        if not games[-1].view.flags[cell]:
            games.append(games[-1].flag(cell))
    for cell in choice.safe if isinstance(choice, Choice) else ():
        view = games[-1].view
        if view.status is not Status.PLAYING or not view.is_hidden(cell):
            continue
        if view.flags[cell]:
            games.append(games[-1].flag(cell))
        games.append(games[-1].reveal(cell))
    return Turn(choice, tuple(games[1:]))


# A whole game of a player, with its turns, its marks and its counters.


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game before its first move, all turns to its end, all marks, and the player's counters if any."""

    start: Game
    turns: tuple[Turn[Game], ...]
    marks: tuple[CellMark, ...]
    counters: Mapping[str, int]

    @property
    def end(self) -> Game:
        """The game when it was over."""
        return self.turns[-1].game if self.turns else self.start

    @property
    def risks(self) -> list[float]:
        """The risk of each guess, in their order."""
        return [turn.risk for turn in self.turns if turn.is_guess]

    @property
    def marked(self) -> int:
        """How many cells the player has revealed or flagged; after a win, all cells."""
        return int(np.count_nonzero(self.grid.cells != HIDDEN))

    @property
    def rounds(self) -> int:
        """How many matching rounds there were; 0 for players that do not match clauses."""
        return self.counters.get("matching rounds", 0)

    @property
    def grid(self) -> Grid:
        """What the player knew at the end: clues, and traps where it put flags."""
        return Grid(np.where(self.end.presumed_traps, np.int8(TRAP), self.end.shown))


def watch_game(game: Game, player: Player, after: Callable[[Game, Sequence[CellMark]], None]) -> PlayedGame:
    """Let a player play to the end.

    `after` gets the game and its marks at the start, and after each move the game and the new marks. A
    `Marking` player is asked for its marks after the last move of a turn.
    """
    turns: list[Turn[Game]] = []
    marks = [] if isinstance(player, Marking) else [*marks_at_start(game)]
    after(game, marks)
    end = game
    for turn in play_game(game, player):
        turns.append(turn)
        for moved in turn.games:
            if not isinstance(player, Marking):
                new = [*marks_of_move(end, moved, turn.risk)]
            else:
                new = [*player.marks(len(marks))] if moved is turn.game else []
            after(moved, new)
            marks.extend(new)
            end = moved
    counters = player.counters(end.view) if isinstance(player, Counting) else {}
    if isinstance(player, Marking):
        new = [*player.marks(len(marks))]
        if (
            end.exploded is not None
        ):  # the player believed this trap to be safe, but the game ended before the mark
            new.append(CellMark(end.exploded, is_trap=False, risk=turns[-1].risk if turns else 0.0))
        after(end, new)
        marks.extend(new)
    return PlayedGame(game, tuple(turns), tuple(marks), counters)


def marks_at_start(game: Game) -> Iterator[CellMark]:
    """The cells that are shown or flagged before the first turn, in reading order."""
    for cell in cells_where((game.shown != HIDDEN) | game.flags):
        yield CellMark(cell, is_trap=bool(game.flags[cell]))


def marks_of_move(before: Game, game: Game, risk: float) -> Iterator[CellMark]:
    """The marks that a move made; a win marks all hidden cells as traps. Removing a flag is not a mark."""
    shown = cells_where(game.shown != before.shown)
    if game.exploded is not None:
        yield CellMark(game.exploded, is_trap=False, risk=risk)
    elif shown:
        cell = game.moves[-1].cell
        yield CellMark(cell, is_trap=False, risk=risk, opened=tuple(c for c in shown if c != cell))
    for cell in cells_where(game.presumed_traps & ~before.presumed_traps):
        yield CellMark(cell, is_trap=True)


# A game as frames: what is drawn after each mark or move.


def frames_of_marks(board: Board, marks: Iterable[CellMark], *, shows_truth: bool = False) -> Iterator[Frame]:
    """The board without a mark, then a frame after each mark."""
    truth = board.grid()
    seen = np.full((board.rows, board.cols), UNMARKED, np.uint8)
    yield Frame(truth, seen, shows_truth)
    for mark in marks:
        seen = seen.copy()
        for cell in (mark.cell, *mark.opened):
            seen[cell] = PRESUMED_TRAP if mark.is_trap else EXPLODED if board.traps[cell] else FOUND_SAFE
        yield Frame(truth, seen, shows_truth)


def frames_of_moves(game: Game, *, shows_truth: bool = False) -> Iterator[Frame]:
    """The board of a game before its first move, then a frame after each move."""
    if game.board is None:
        return
    truth = game.board.grid()
    for after in accumulate(game.moves, Game.play, initial=new_game(game.board)):
        choices = [after.presumed_traps, after.shown != HIDDEN]
        seen = np.select(choices, [PRESUMED_TRAP, FOUND_SAFE], UNMARKED).astype(np.uint8)
        if after.exploded is not None:
            seen[after.exploded] = EXPLODED
        yield Frame(truth, seen, shows_truth)


def animation(frames: Sequence[Frame]) -> bytes:
    """All frames as one GIF file; the last one is shown for three seconds, the others for 0.12."""
    return animated_frames(frames, [12] * (len(frames) - 1) + [300])
