"""The rules: what revealing, flagging and chording do, and when a game is over."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.board.position import Action, FirstClick, Move, Position, Replay, Status
from gemhunter.errors import InputError
from gemhunter.jit.arrays import Codes, Flags
from gemhunter.play.deal import reveal
from gemhunter.play.game_ids import GameId, deal_board, read_game_id
from gemhunter.play.levels import Level

# What a player may know of a game, and nothing else.


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The clues that have been revealed, the player's own flags, and how many traps there are in all.

    `grid` has clues and hidden cells only; `flags` is true where a flag stands; `first_click` is the rule
    that the game began with. There is no way from here to the truth: everything is a copy.
    """

    grid: Grid
    flags: NDArray[np.bool_]
    total: int
    status: Status
    first_click: FirstClick = FirstClick.ANY

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has been revealed yet."""
        return bool((self.grid.cells == HIDDEN).all())

    @property
    def risk_of_first(self) -> float:
        """The risk of the first cell, before anything has been revealed."""
        return self.total / self.grid.cells.size if self.first_click is FirstClick.ANY else 0.0

    @property
    def counter(self) -> int:
        """The mine counter: traps less flags; wrong flags can make it negative."""
        return self.total - int(np.count_nonzero(self.flags))

    def is_hidden(self, cell: Cell) -> bool:
        """Whether this cell has not been revealed."""
        return self.grid[cell] == HIDDEN


# The rules: what revealing, flagging and chording do, and when a game is over.


Array = TypeVar("Array", bound=NDArray[Any])


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game as it stands after `moves`. Every move makes a new game, so undoing is keeping the old one.

    `board` is None until the first cell is revealed, as the rule for the first click decides what is dealt.
    `shown` has the clues revealed so far; `exploded` is the trap that ended the game.
    """

    level: Level
    board: Board | None
    shown: Codes
    flags: Flags
    status: Status = Status.PLAYING
    moves: tuple[Move, ...] = ()
    exploded: Cell | None = None
    game_id: GameId | None = None

    @property
    def view(self) -> View:
        """What the player knows."""
        rule = FirstClick.ANY if self.game_id is None else self.game_id.first_click
        return View(Grid(self.shown), _frozen(self.flags.copy()), self.level.total, self.status, rule)

    @property
    def position(self) -> Position:
        """What the player knows, as a file would show it; the trap that ended the game is shown."""
        codes, flags = self.shown.copy(), self.flags.copy()
        if self.exploded is not None:
            codes[self.exploded], flags[self.exploded] = TRAP, False
        return Position(Grid(codes), flags, self.level.total)

    @property
    def first_is_safe(self) -> bool:
        """Whether the next cell is the first one, and the rule says that it is not a trap."""
        if self.board is not None or self.game_id is None:
            return False
        return self.game_id.first_click is not FirstClick.ANY

    @property
    def held(self) -> Flags:
        """Where the player holds that a trap is: the flags, and all that is left of a won game."""
        return _frozen((self.flags | (self.status is Status.WON)) & (self.shown == HIDDEN))

    @property
    def replay(self) -> Replay:
        """The game so far, to be played again; nothing has been dealt before the first cell is revealed."""
        if self.board is None:
            raise InputError("nothing has been revealed yet, so there is no board to keep")
        game_id = None if self.game_id is None else str(self.game_id)
        return Replay(self.board, self.moves, game_id, self.status is Status.STUCK)

    def play(self, move: Move) -> "Game":
        """The game after a move; the same game if it changes nothing, such as any move after the end."""
        match move.action:
            case Action.REVEAL:
                return self.reveal(move.cell)
            case Action.FLAG:
                return self.flag(move.cell)
            case Action.CHORD:
                return self.chord(move.cell)

    def reveal(self, cell: Cell) -> "Game":
        """Look at a hidden cell without a flag: a trap ends the game, a 0 opens all around it."""
        self._require(cell)
        if self.status is not Status.PLAYING or self.shown[cell] != HIDDEN or self.flags[cell]:
            return self
        return self._revealed([cell], Move(Action.REVEAL, cell))

    def chord(self, cell: Cell) -> "Game":
        """On a clue with as many flags around it as it says: reveal its other neighbours, all at once."""
        self._require(cell)
        if self.status is not Status.PLAYING or self.shown[cell] == HIDDEN:
            return self
        hidden = [near for near in Grid(self.shown).around(cell) if self.shown[near] == HIDDEN]
        others = [near for near in hidden if not self.flags[near]]
        if not others or len(hidden) - len(others) != self.shown[cell]:
            return self
        return self._revealed(others, Move(Action.CHORD, cell))

    def flag(self, cell: Cell) -> "Game":
        """Put a flag on a hidden cell, or take it away."""
        self._require(cell)
        if self.status is not Status.PLAYING or self.shown[cell] != HIDDEN:
            return self
        flags = self.flags.copy()
        flags[cell] = not flags[cell]
        return replace(self, flags=_frozen(flags), moves=(*self.moves, Move(Action.FLAG, cell)))

    def give_up(self) -> "Game":
        """End the game where it stands."""
        return replace(self, status=Status.STUCK) if self.status is Status.PLAYING else self

    def _revealed(self, cells: list[Cell], move: Move) -> "Game":
        board = self.board or self._dealt(cells[0])
        truth, shown = board.codes(), self.shown.copy()
        opened = np.empty(truth.size, np.int32)
        exploded = None
        for cell in cells:
            if shown[cell] != HIDDEN:
                continue
            if reveal(truth, shown, self.flags, cell.row * board.cols + cell.col, opened) < 0:
                exploded = exploded or cell
        won = np.count_nonzero(shown == HIDDEN) == self.level.total
        status = Status.LOST if exploded else Status.WON if won else Status.PLAYING
        return replace(
            self,
            board=board,
            shown=_frozen(shown),
            status=status,
            moves=(*self.moves, move),
            exploded=exploded,
        )

    def _dealt(self, first: Cell) -> Board:
        if self.game_id is None:
            raise AssertionError("a game without an id has its board from the start")
        return deal_board(self.game_id, first)

    def _require(self, cell: Cell) -> None:
        if not (0 <= cell.row < self.level.rows and 0 <= cell.col < self.level.cols):
            size = f"{self.level.rows}×{self.level.cols}"
            raise InputError(f"row {cell.row + 1}, column {cell.col + 1} is outside the {size} board")


def new_game(game: GameId | Board | str) -> Game:
    """A game before its first move: of an id such as `expert#42`, or on a board that is given."""
    if isinstance(game, str):
        game = read_game_id(game)
    if isinstance(game, Board):
        level = Level(game.rows, game.cols, game.total)
        return Game(level, game, *_untouched(level))
    return Game(game.level, None, *_untouched(game.level), game_id=game)


def replayed(replay: Replay) -> Game:
    """The game after all moves of a replay.

    An `InputError` if a move changes nothing, if the board is not the one that the id deals, or if the
    player is said to have given up a game that was over.
    """
    game = new_game(replay.board)
    if replay.game_id is not None:
        game = replace(game, game_id=_dealer(replay, read_game_id(replay.game_id)))
    game = play_moves(game, replay.moves)
    if replay.gave_up and game.status is not Status.PLAYING:
        raise InputError(f"the game is {game.status.value}, so its player cannot have given up")
    return game.give_up() if replay.gave_up else game


def play_moves(game: Game, moves: Iterable[Move]) -> Game:
    """The game after these moves; an `InputError` if one of them changes nothing."""
    for number, move in enumerate(moves, 1):
        after = game.play(move)
        if after is game:
            raise InputError(f"move {number}, {move}, changes nothing on this board")
        game = after
    return game


def before_first_move(game: Game) -> Game:
    """A game as it stood before any move."""
    origin = game.board if game.game_id is None else game.game_id
    if origin is None:
        raise AssertionError("a game without an id has its board from the start")
    return new_game(origin)


def before_last_move(game: Game) -> Game:
    """A game as it stood before the last of its moves; a game without moves as it is."""
    return reduce(Game.play, game.moves[:-1], before_first_move(game))


def _dealer(replay: Replay, game_id: GameId) -> GameId:
    """The id of a replay, if it deals the board for the first cell that is revealed."""
    board, first = replay.board, next((m.cell for m in replay.moves if m.action is Action.REVEAL), Cell(0, 0))
    if game_id.level == Level(board.rows, board.cols, board.total) and board == deal_board(game_id, first):
        return game_id
    raise InputError(f"the board is not the one that {game_id} deals to a player who begins at {first}")


def _untouched(level: Level) -> tuple[Codes, Flags]:
    shape = (level.rows, level.cols)
    return _frozen(np.full(shape, HIDDEN, np.int8)), _frozen(np.zeros(shape, bool))


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array


# 3BV: how many clicks a board takes at least, without flags and chords.


def three_bv(board: Board) -> int:
    """One click for each opening, and one for each gem that no opening shows."""
    truth = board.codes()
    shown = np.full(truth.shape, HIDDEN, np.int8)
    flags, opened = np.zeros(truth.shape, bool), np.empty(truth.size, np.int32)
    clicks = 0
    for index in np.flatnonzero(truth == 0).tolist():
        if shown.flat[index] == HIDDEN:
            reveal(truth, shown, flags, index, opened)
            clicks += 1
    return clicks + int(np.count_nonzero((truth >= 0) & (shown == HIDDEN)))
