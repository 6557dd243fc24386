"""A game as frames: what is drawn each time a player has marked a cell or made a move."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

import numpy as np

from gemhunter.core.board import Board
from gemhunter.core.grid import HIDDEN
from gemhunter.play.game import Game, new_game
from gemhunter.play.watched_games import CellMark
from gemhunter.render.frames import EXPLODED, FOUND_SAFE, FRAME_PALETTE, HELD, UNMARKED, Frame, frame_pixels
from gemhunter.render.gif import gif_file

STEP_DELAY, LAST_DELAY = 12, 300
"""Hundredths of a second that a frame, and the last one, stands."""


def film(board: Board, marks: Iterable[CellMark], *, shows_truth: bool = False) -> Iterator[Frame]:
    """The board without a mark, then a frame for each mark, in their order."""
    truth = board.grid()
    seen = np.full((board.rows, board.cols), UNMARKED, np.uint8)
    yield Frame(truth, seen, shows_truth)
    for mark in marks:
        seen = seen.copy()
        for cell in (mark.cell, *mark.opened):
            seen[cell] = HELD if mark.is_trap else EXPLODED if board.traps[cell] else FOUND_SAFE
        yield Frame(truth, seen, shows_truth)


def film_of_moves(game: Game, *, shows_truth: bool = False) -> Iterator[Frame]:
    """The board of a game before its first move, then a frame for each move."""
    if game.board is None:
        return
    truth = game.board.grid()
    for after in accumulate(game.moves, Game.play, initial=new_game(game.board)):
        seen = np.select([after.held, after.shown != HIDDEN], [HELD, FOUND_SAFE], UNMARKED).astype(np.uint8)
        if after.exploded is not None:
            seen[after.exploded] = EXPLODED
        yield Frame(truth, seen, shows_truth)


def animation(frames: Sequence[Frame]) -> bytes:
    """All frames as one GIF file; the last one stands longer."""
    delays = [STEP_DELAY] * (len(frames) - 1) + [LAST_DELAY]
    return gif_file(zip(map(frame_pixels, frames), delays, strict=True), FRAME_PALETTE)
