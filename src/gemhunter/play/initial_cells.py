"""Games that begin with safe cells: how many, and which."""

from dataclasses import replace
from math import sqrt

import numpy as np

from gemhunter.core.board import Board
from gemhunter.core.first_click import FirstClick
from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.errors import InputError
from gemhunter.kernels.play.deal import show_initial_cells
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import GameId, deal_board
from gemhunter.play.levels import Level

SHARES = {"half": 0.5, "one": 1.0, "two": 2.0}
"""Initial safe cells by name, as multiples of the square root of the number of cells."""


def safe_cells(level: Level, wanted: str) -> int:
    """How many cells `half`, `one`, `two` or a number of them are on this level, at most all gems.

    Half a cell is rounded to the even number, so ½√81 is 4.
    """
    most = level.rows * level.cols - level.total
    if wanted in SHARES:
        return min(round(SHARES[wanted] * sqrt(level.rows * level.cols)), most)
    if not (wanted.isascii() and wanted.isdigit()) or int(wanted[:10]) > most:
        known = ", ".join(SHARES)
        raise InputError(f"initial safe cells are {known} or a number from 0 to {most}, not {wanted!r}")
    return int(wanted)


def game_with_given(game: GameId, given: int) -> Game:
    """The game of an id, begun with `given` random gems that are shown without opening anything.

    There is no first click, so no cell is kept free of traps: all boards of the level have the same
    probability. The given cells are not moves, so a replay lacks them.
    """
    dealt = replace(game, first_click=FirstClick.ANY)
    return replace(board_with_given(deal_board(dealt, Cell(0, 0)), given, game.seed), game_id=dealt)


def board_with_given(board: Board, given: int, seed: int) -> Game:
    """A game on this board, begun with `given` gems that the seed draws."""
    shown = np.full((board.rows, board.cols), HIDDEN, np.int8)
    show_initial_cells(seed, given, board.codes(), shown)
    is_won = np.count_nonzero(shown == HIDDEN) == board.total
    shown.setflags(write=False)
    return replace(new_game(board), shown=shown, status=Status.WON if is_won else Status.PLAYING)
