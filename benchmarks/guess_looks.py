"""Games in which every cell that `expert` looks at before a guess is tried out on the true board."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.game_status import WON
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.counting.weigh_parts import WEIGHED
from gemhunter.kernels.play.codes import FAST, OUTCOME, RESULT_COLUMNS
from gemhunter.kernels.play.deal import deal
from gemhunter.kernels.play.end_game import NO_CELL
from gemhunter.kernels.play.games import (
    first_cell,
    index_without_margins,
    next_certain,
    note_certain,
    note_opened,
    play_on,
)
from gemhunter.kernels.play.guess import MOST_CANDIDATES, exact_choice, promising
from gemhunter.kernels.play.guess_scores import LOOK_AHEAD_SIZE, look_ahead, weighted_worth, worth
from gemhunter.kernels.play.notes import PlayerNotes, blank_notes, copy_notes, index_with_margins
from gemhunter.kernels.play.reveal import reveal
from gemhunter.kernels.play.risks import (
    BY_TOTAL,
    WeighedPosition,
    log_factorials,
    risks_by_index,
    weigh_in_play,
)
from gemhunter.kernels.play.standoffs import standoff_shares
from gemhunter.kernels.structure.grid_state import CELLS_DECIDED

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
LevelCodes = tuple[int, int, int, int]
"""Rows, columns, the total, and the rule of the first click."""

Weights = tuple[float, float, float]
"""Of the second safest cell after a guess, of new gems, and of standoffs."""

SAFE_PROBABILITY, STANDOFF_SHARE, LOG_SOLUTIONS, FAST_WINS, LOOK_SIZE = range(
    LOOK_AHEAD_SIZE, LOOK_AHEAD_SIZE + 5
)
"""What is kept of a cell behind what looking ahead has seen: how likely it is safe, its share in standoffs,
the logarithm of the number of solutions, and whether `fast` won; and the number of all these."""

MOST_GUESSES = 40
"""A game that has more is not looked at any further."""

GAMES_PER_TASK = 100
"""Games that a process plays at a time."""


class GuessTable(NamedTuple):
    """A game under way, and room to look ahead and to play on in."""

    truth: Codes
    shown: Codes
    notes: PlayerNotes
    scratch: PlayerNotes
    later: PlayerNotes
    logs: Floats


@kernel
def look_at_guess(table: GuessTable, w: WeighedPosition, total: int, looks: Floats) -> int:
    """Fill in what is kept of the cells that `expert` looks at; the one that it chooses."""
    n, shown = table.notes, table.shown
    rows, cols = shown.shape
    random_state, result = np.ones(1, np.uint64), np.zeros(RESULT_COLUMNS, np.int64)
    risks = risks_by_index(n.board, w, cols)
    shares = standoff_shares(n, table.scratch, w, risks, total, table.logs)
    cells, best, most = promising(n.board, risks, shares, rows, cols), NO_CELL, -np.inf
    for c in range(cells.size):
        look, index = looks[c], index_with_margins(n.board, cols, cells[c])
        look_ahead(n, table.scratch, w, index, total, table.logs, look[:LOOK_AHEAD_SIZE])
        look[SAFE_PROBABILITY], look[STANDOFF_SHARE] = 1.0 - risks[index], shares[index]
        look[LOG_SOLUTIONS] = w.log_count
        if table.truth[cells[c] // cols, cells[c] % cols] != TRAP:
            copy_notes(n, table.later)
            later, asked = table.later, np.array([np.int64(table.later.board.numbers[CELLS_DECIDED])])
            truth, logs, cell = table.truth, table.logs, cells[c]
            play_on(FAST, truth, shown.copy(), later, asked, total, cell, logs, random_state, result)
            look[FAST_WINS] = result[OUTCOME] == WON
        value = worth(look[:LOOK_AHEAD_SIZE], look[SAFE_PROBABILITY], look[STANDOFF_SHARE])
        if value > most:
            best, most = int(cells[c]), value
    return best


@kernel
def look_at_guesses(level: LevelCodes, first: int, first_seed: int, looks: Floats) -> int:
    """Play as many games as `looks` has rows of guesses for; how many guesses there were.

    `looks[g, c]` is what is kept of candidate c of guess g; where there is none, it is never safe.
    """
    rows, cols, total, rule = level
    logs = log_factorials(rows * cols)
    truth, opened = np.empty((rows, cols), np.int8), np.empty(rows * cols, np.int32)
    held = np.zeros((rows, cols), np.bool_)
    scratch, later = blank_notes(rows, cols), blank_notes(rows, cols)
    guesses = 0
    for game in range(looks.shape[0] // MOST_GUESSES):
        deal(first_seed + game, rule, first, total, truth)
        shown = np.full((rows, cols), HIDDEN, np.int8)
        n, asked = blank_notes(rows, cols), np.zeros(1, np.int64)
        cell, last, count = first, guesses + MOST_GUESSES, 0
        while guesses < last and cell != NO_CELL and count >= 0:
            count = reveal(truth, shown, held, cell, opened)
            note_opened(n, shown, opened, count)
            index, cell = next_certain(n, asked), NO_CELL
            while index == NO_CELL and count >= 0:
                w = weigh_in_play(n.board, total, BY_TOTAL, True, logs)
                if w.answer == WEIGHED and note_certain(n, w, cols):
                    index = next_certain(n, asked)
                    continue
                if w.answer == WEIGHED and w.untouched + w.risk.size > 0:
                    cell, _ = exact_choice(n, w, cols, total)
                    if cell == NO_CELL:
                        table = GuessTable(truth, shown, n, scratch, later, logs)
                        cell = look_at_guess(table, w, total, looks[guesses])
                        guesses += 1
                break
            if index != NO_CELL:
                cell = index_without_margins(n.board, cols, index)
    return guesses


def looks_of(level: LevelCodes, first_seed: int) -> Floats:
    """What is kept of the guesses of some games."""
    looks = np.zeros((GAMES_PER_TASK * MOST_GUESSES, MOST_CANDIDATES, LOOK_SIZE))
    guesses = look_at_guesses(level, first_cell(*level), first_seed, looks)
    return looks[:guesses]


def won_by(looks: Floats, weights: Weights) -> Floats:
    """Which guesses a rule with such weights would have won: `expert`'s rule, but for dead cells."""
    won = np.zeros(len(looks))
    note_wins(looks, weights, won)
    return won


@kernel
def note_wins(looks: Floats, weights: Weights, won: Floats) -> None:
    """Fill in whether `fast` won after the candidate that has the largest worth, for each guess."""
    for guess in range(looks.shape[0]):
        best, most = 0, -1.0
        for c in range(looks.shape[1]):
            look = looks[guess, c]
            safe = look[SAFE_PROBABILITY]
            if safe > 0.0:
                seen, share = look[:LOOK_AHEAD_SIZE], look[STANDOFF_SHARE]
                value = weighted_worth(seen, max(safe, 1e-12), share, weights)
                if value > most:
                    best, most = c, value
        won[guess] = looks[guess, best, FAST_WINS]
