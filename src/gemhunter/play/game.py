"""The rules: what revealing, flagging and chording do, when a game is over, and what a player may know.

Read `Game` first. After it come the ways to begin a game (from an id, a board, a replay, or with initial
safe cells) and the kernel that reveals cells.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.array_values import ReadOnlyArrays
from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.board.position import Action, FirstClick, Move, Position, Replay, Status
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Codes, Flags, kernel
from gemhunter.play.deal import deal_board, show_initial_cells
from gemhunter.play.game_ids import GameId, Level, read_game_id

SHARES = {"half": 0.5, "one": 1.0, "two": 2.0}
"""Initial safe cells by name, as multiples of the square root of the number of cells."""


@dataclass(frozen=True, slots=True, eq=False)
class View(ReadOnlyArrays):
    """All that a player may know: the revealed clues, the player's own flags, and the total.

    `grid` has clues and hidden cells only; `flags` is true where a flag stands; `first_click` is the rule
    that the game began with. Nothing in a view leads to the board.
    """

    grid: Grid
    flags: Flags
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
        """The trap counter: traps minus flags; wrong flags can make it negative."""
        return self.total - int(np.count_nonzero(self.flags))

    def is_hidden(self, cell: Cell) -> bool:
        """Whether this cell has not been revealed."""
        return self.grid[cell] == HIDDEN

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: the board with its flags."""
        from gemhunter.draw.grids import draw_position

        return draw_position(self.grid, self.flags)


@dataclass(frozen=True, slots=True, eq=False)
class Game(ReadOnlyArrays):
    """A game after `moves`. Every move returns a new game; to undo a move, go back to the game before it.

    `board` is None until the first cell is revealed, because which board is dealt depends on that cell.
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
        return View(Grid(self.shown), self.flags.copy(), self.level.total, self.status, rule)

    @property
    def position(self) -> Position:
        """What the player knows, as a file shows it, and the trap that ended the game."""
        codes, flags = self.shown.copy(), self.flags.copy()
        if self.exploded is not None:
            codes[self.exploded], flags[self.exploded] = TRAP, False
        return Position(Grid(codes), flags, self.level.total)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: what the player knows."""
        from gemhunter.draw.grids import draw_position

        position = self.position
        return draw_position(position.grid, position.flags)

    @property
    def first_is_safe(self) -> bool:
        """Whether the next cell is the first one, and the rule says that it is not a trap."""
        game_id = self.game_id
        return self.board is None and game_id is not None and game_id.first_click is not FirstClick.ANY

    @property
    def presumed_traps(self) -> Flags:
        """The flagged cells and, once the game is won, all cells that are still hidden."""
        traps: Flags = (self.flags | (self.status is Status.WON)) & (self.shown == HIDDEN)
        traps.setflags(write=False)
        return traps

    @property
    def replay(self) -> Replay:
        """The board and the moves so far; an `InputError` before the first cell is revealed."""
        if self.board is None:
            raise InputError("nothing has been revealed yet, so there is no board to keep")
        game_id = None if self.game_id is None else str(self.game_id)
        return Replay(self.board, self.moves, game_id, self.status is Status.STUCK)

    def play(self, move: Move) -> "Game":
        """The game after a move; `self` if the move changes nothing, as no move does after the end."""
        match move.action:
            case Action.REVEAL:
                return self.reveal(move.cell)
            case Action.FLAG:
                return self.flag(move.cell)
            case Action.CHORD:
                return self.chord(move.cell)

    def reveal(self, cell: Cell) -> "Game":
        """Reveal a hidden cell without a flag: a trap ends the game, a 0 opens the cells around it."""
        self._require(cell)
        if self.status is not Status.PLAYING or self.shown[cell] != HIDDEN or self.flags[cell]:
            return self
        return self._revealed([cell], Move(Action.REVEAL, cell))

    def chord(self, cell: Cell) -> "Game":
        """Reveal all other neighbours of a clue that has as many flags around it as it says."""
        self._require(cell)
        if self.status is not Status.PLAYING or self.shown[cell] == HIDDEN:
            return self
        hidden = [near for near in Grid(self.shown).around(cell) if self.shown[near] == HIDDEN]
        others = [near for near in hidden if not self.flags[near]]
        if not others or len(hidden) - len(others) != self.shown[cell]:
            return self
        return self._revealed(others, Move(Action.CHORD, cell))

    def flag(self, cell: Cell) -> "Game":
        """Place a flag on a hidden cell, or remove it."""
        self._require(cell)
        if self.status is not Status.PLAYING or self.shown[cell] != HIDDEN:
            return self
        flags = self.flags.copy()
        flags[cell] = not flags[cell]
        return replace(self, flags=flags, moves=(*self.moves, Move(Action.FLAG, cell)))

    def give_up(self) -> "Game":
        """End the game where it stands."""
        return replace(self, status=Status.STUCK) if self.status is Status.PLAYING else self

    def _revealed(self, cells: list[Cell], move: Move) -> "Game":
        board = self.board
        if board is None:
            if self.game_id is None:
                raise AssertionError("a game without an id has its board from the start")
            board = deal_board(self.game_id, cells[0])
        truth, shown = board.codes(), self.shown.copy()
        opened = np.empty(truth.size, np.int32)
        exploded = None
        for cell in cells:
            index = cell.row * board.cols + cell.col
            if shown[cell] == HIDDEN and reveal(truth, shown, self.flags, index, opened) < 0:
                exploded = exploded or cell
        won = np.count_nonzero(shown == HIDDEN) == self.level.total
        status = Status.LOST if exploded else Status.WON if won else Status.PLAYING
        moves = (*self.moves, move)
        return replace(self, board=board, shown=shown, status=status, moves=moves, exploded=exploded)

    def _require(self, cell: Cell) -> None:
        if not (0 <= cell.row < self.level.rows and 0 <= cell.col < self.level.cols):
            size = f"{self.level.rows}×{self.level.cols}"
            raise InputError(f"row {cell.row + 1}, column {cell.col + 1} is outside the {size} board")


def new_game(game: GameId | Board | str) -> Game:
    """A game before its first move, from an id such as `expert#42` or on a given board."""
    if isinstance(game, str):
        game = read_game_id(game)
    level = game.level if isinstance(game, GameId) else Level(game.rows, game.cols, game.total)
    shape = (level.rows, level.cols)
    shown, flags = np.full(shape, HIDDEN, np.int8), np.zeros(shape, bool)
    if isinstance(game, GameId):
        return Game(level, None, shown, flags, game_id=game)
    return Game(level, game, shown, flags)


def replayed(replay: Replay) -> Game:
    """The game after all moves of a replay.

    Raises `InputError` if a move changes nothing, if the id deals another board, or if the replay says that
    the player gave up a game that was over.
    """
    game = new_game(replay.board)
    if replay.game_id is not None:
        game_id = read_game_id(replay.game_id)
        first = next((move.cell for move in replay.moves if move.action is Action.REVEAL), Cell(0, 0))
        if game_id.level != game.level or replay.board != deal_board(game_id, first):
            raise InputError(
                f"the board is not the one that {game_id} deals to a player who begins at {first}"
            )
        game = replace(game, game_id=game_id)
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
    """The game before any move."""
    origin = game.game_id or game.board
    if origin is None:
        raise AssertionError("a game without an id has its board from the start")
    return new_game(origin)


def before_last_move(game: Game) -> Game:
    """The game before its last move, if it has one."""
    return reduce(Game.play, game.moves[:-1], before_first_move(game))


def safe_cells(level: Level, wanted: str) -> int:
    """The number of initial safe cells that `half`, `one`, `two` or a number stands for on this level.

    It is at most the number of gems. Half a cell is rounded to the even number, so ½√81 is 4.
    """
    gems = level.rows * level.cols - level.total
    if wanted in SHARES:
        return min(round(SHARES[wanted] * sqrt(level.rows * level.cols)), gems)
    if not (wanted.isascii() and wanted.isdigit()) or int(wanted[:10]) > gems:
        known = ", ".join(SHARES)
        raise InputError(f"initial safe cells are {known} or a number from 0 to {gems}, not {wanted!r}")
    return int(wanted)


def game_with_given(game: GameId, given: int) -> Game:
    """The game of an id that begins with `given` random gems shown; a 0 among them opens nothing.

    There is no first click, so no cell is kept free of traps: all boards of the level have the same
    probability. The given cells are not moves, so a replay lacks them.
    """
    dealt = replace(game, first_click=FirstClick.ANY)
    return replace(board_with_given(deal_board(dealt, Cell(0, 0)), given, game.seed), game_id=dealt)


def board_with_given(board: Board, given: int, seed: int) -> Game:
    """A game on this board that begins with `given` gems shown, drawn by the seed."""
    shown = np.full((board.rows, board.cols), HIDDEN, np.int8)
    show_initial_cells(seed, given, board.codes(), shown)
    is_won = np.count_nonzero(shown == HIDDEN) == board.total
    return replace(new_game(board), shown=shown, status=Status.WON if is_won else Status.PLAYING)


@kernel(estimate=lambda truth, *_: 3e-6 * truth.size)
def reveal(truth: Codes, shown: Codes, flags: Flags, cell: int, opened: NDArray[np.int32]) -> int:
    """Show a hidden cell; a 0 shows its neighbours too, and so on. Returns how many cells this shows.

    They are put into `opened`, which has room for every cell, in the order in which they are shown. A trap
    is not shown, and the result is -1. A cell with a flag is shown only if it is the one to be revealed.
    """
    rows, cols = truth.shape
    if truth[cell // cols, cell % cols] == TRAP:
        return -1
    shown[cell // cols, cell % cols] = truth[cell // cols, cell % cols]
    opened[0] = cell
    count, at = 1, 0
    while at < count:
        row, col = opened[at] // cols, opened[at] % cols
        at += 1
        if truth[row, col] != 0:
            continue
        for r in range(max(row - 1, 0), min(row + 2, rows)):
            for c in range(max(col - 1, 0), min(col + 2, cols)):
                if shown[r, c] == HIDDEN and not flags[r, c]:
                    shown[r, c] = truth[r, c]
                    opened[count] = r * cols + c
                    count += 1
    return count


def three_bv(board: Board) -> int:
    """3BV, the fewest clicks without flags: one for each opening, one for each gem that no opening shows."""
    truth = board.codes()
    shown = np.full(truth.shape, HIDDEN, np.int8)
    flags, opened = np.zeros(truth.shape, bool), np.empty(truth.size, np.int32)
    clicks = 0
    for index in np.flatnonzero(truth == 0).tolist():
        if shown.flat[index] == HIDDEN:
            reveal(truth, shown, flags, index, opened)
            clicks += 1
    return clicks + int(np.count_nonzero((truth >= 0) & (shown == HIDDEN)))
