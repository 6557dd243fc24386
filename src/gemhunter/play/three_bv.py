"""3BV: how many clicks a board takes at least, without flags and chords."""

import numpy as np

from gemhunter.core.board import Board
from gemhunter.core.grid import HIDDEN
from gemhunter.kernels.play.reveal import reveal


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
