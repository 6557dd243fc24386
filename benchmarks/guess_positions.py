"""Games that stop wherever a player has to guess, for benchmarks that look at guesses."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN
from gemhunter.board.position import LOST, PLAYING, WON
from gemhunter.counting.propagate import reading_index
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.kernel import kernel
from gemhunter.play.agents.compiled import next_certain, note_opened
from gemhunter.play.deal import deal
from gemhunter.play.end_game import NO_CELL
from gemhunter.play.game import reveal
from gemhunter.play.notes import PlayerNotes, blank_notes
from gemhunter.play.risks import BY_TOTAL, WITH_RISKS, WeighedPosition, note_certain, weigh_in_play

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
LevelCodes = tuple[int, int, int, int]
"""Rows, columns, the total, and the rule of the first click."""


class GameUnderWay(NamedTuple):
    """The truth, what is shown of it, and the notes of the player; `asked` is how much of their trail."""

    truth: Codes
    shown: Codes
    notes: PlayerNotes
    asked: NDArray[np.int64]


@kernel
def new_game_under_way(level: LevelCodes, first: int, seed: int) -> GameUnderWay:
    """The game of a seed before its first click, which will be at `first`."""
    rows, cols, total, rule = level
    truth = np.empty((rows, cols), np.int8)
    deal(seed, rule, first, total, truth)
    shown = np.full((rows, cols), HIDDEN, np.int8)
    return GameUnderWay(truth, shown, blank_notes(rows, cols), np.zeros(1, np.int64))


@kernel
def go_to_next_guess(game: GameUnderWay, total: int, cell: int, logs: Floats) -> tuple[int, WeighedPosition]:
    """Reveal a cell, and then all that is certain: how the game stands, and the position to guess in."""
    n, shown = game.notes, game.shown
    held, opened = np.zeros(shown.shape, np.bool_), np.empty(shown.size, np.int32)
    while True:
        count = reveal(game.truth, shown, held, cell, opened)
        is_won = np.count_nonzero(shown == HIDDEN) == total
        note_opened(n, shown, opened, count)
        index = next_certain(n, game.asked)
        while index == NO_CELL or count < 0 or is_won:
            w = weigh_in_play(n.board, total, BY_TOTAL, WITH_RISKS, logs)
            if count < 0 or is_won:
                return LOST if count < 0 else WON, w
            if w.answer != WEIGHED or not note_certain(n, w):
                return PLAYING, w
            index = next_certain(n, game.asked)
        cell = int(reading_index(n.board, index))
