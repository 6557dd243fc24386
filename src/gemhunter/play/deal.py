"""From an id and a first cell to a board."""

import numpy as np

from gemhunter.core.board import Board
from gemhunter.core.grid import TRAP, Cell
from gemhunter.play.game_ids import GameId
from gemhunter.play.levels import FirstClick


def deal_board(game: GameId, first: Cell) -> Board:
    """The board of this game if its player begins at `first`."""
    from gemhunter.kernels.play import deal as dealing

    codes = np.empty((game.level.rows, game.level.cols), np.int8)
    place = first.row * game.level.cols + first.col
    dealing.deal(game.seed, first_click_code(game.first_click), place, game.level.total, codes)
    return Board(codes == TRAP)


def first_click_code(rule: FirstClick) -> int:
    """What kernels call this rule."""
    from gemhunter.kernels.play.deal import ANY, OPENING, SAFE

    return {FirstClick.ANY: ANY, FirstClick.SAFE: SAFE, FirstClick.OPENING: OPENING}[rule]
