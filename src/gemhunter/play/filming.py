"""A game as frames, one per step: what is drawn after a player's every move."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gemhunter.core.board import Board
from gemhunter.core.grid import HIDDEN
from gemhunter.play.game import Game
from gemhunter.play.playing import Turn
from gemhunter.render.frames import EXPLODED, HELD, PALETTE, SAFE, UNMARKED, Frame, frame_pixels
from gemhunter.render.gif import gif_file

STEP_DELAY, LAST_DELAY = 12, 300
"""Hundredths of a second that a frame, and the last one, stands."""


def film(start: Game, turns: Iterable[Turn[Game]]) -> Iterator[Frame]:
    """The beginning, then a frame for each move that changed something; what is left of a won game is held.

    The board of a game is dealt by its first move, so `turns` are looked at before anything is drawn.
    """
    games = [start, *(game for turn in turns for game in turn.games)]
    board = games[-1].board
    if board is None:
        return
    before = None
    for game in games:
        frame = frame_of(game, board)
        if before is None or not np.array_equal(frame.marks, before.marks):
            yield frame
        before = frame


def frame_of(game: Game, board: Board) -> Frame:
    """How a game on this board stands."""
    marks = np.where(game.shown != HIDDEN, SAFE, np.where(game.held, HELD, UNMARKED)).astype(np.uint8)
    if game.exploded is not None:
        marks[game.exploded] = EXPLODED
    return Frame(board.grid(), marks)


def animation(frames: Sequence[Frame]) -> bytes:
    """All frames as one GIF file; the last one stands longer."""
    delays = [STEP_DELAY] * (len(frames) - 1) + [LAST_DELAY]
    return gif_file(zip(map(frame_pixels, frames), delays, strict=True), PALETTE)
