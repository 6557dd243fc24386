"""Games in which every cell that `expert` looks at before a guess is tried out on the true board."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP
from gemhunter.board.position import PLAYING, WON
from gemhunter.counting.propagate import CELLS_DECIDED, reading_index
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.kernel import kernel
from gemhunter.play.agents.compiled import (
    LUCK,
    LUCK_UNITS,
    OUTCOME,
    RESULT_COLUMNS,
    first_cell,
    forecast,
    play_on,
)
from gemhunter.play.end_game import NO_CELL
from gemhunter.play.expert import (
    CANDIDATES_NEAR_CLUES,
    EXPERT,
    LOOK_AHEAD_SIZE,
    POSSIBLE_CLUES,
    SAFE_CANDIDATES,
    SHARE_NOT_KNOWN,
    cells_at_clues,
    exact_choice,
    look_ahead,
    opening_probability,
    promising,
    standoff_shares,
    weighted_worth,
    worth,
)
from gemhunter.play.notes import blank_notes, copy_notes
from gemhunter.play.risks import WeighedPosition, log_factorials, risks_by_index
from guess_positions import GameUnderWay, LevelCodes, go_to_next_guess, new_game_under_way
from timing import COMPILE

Floats = NDArray[np.float64]

Weights = tuple[float, float, float]
"""Of the second safest cell after a guess, of new gems, and of standoffs."""

SAFE_PROBABILITY, STANDOFF_SHARE, LOG_SOLUTIONS, RESULT, OPENING, UNDECIDED_AROUND, AT_CLUE, LOOK_SIZE = (
    range(LOOK_AHEAD_SIZE, LOOK_AHEAD_SIZE + 8)
)
"""What is kept of a cell behind what looking ahead has seen: how likely it is safe, its share in standoffs,
the logarithm of the number of solutions, the result of the game without luck, how likely the cell is a 0, how
many of its neighbours are undecided, and whether it has a clue next to it; and the number of all these."""

MOST_GUESSES = 40
"""A game that has more is not looked at any further."""

GAMES_PER_TASK = 100
"""Games that a process plays at a time."""


@kernel
def look_at_guess(game: GameUnderWay, w: WeighedPosition, total: int, looks: Floats) -> int:
    """Fill in what is kept of the cells that `expert` looks at; the one that it chooses."""
    n, shown, truth = game.notes, game.shown, game.truth
    rows, cols = shown.shape
    logs, scratch = log_factorials(rows * cols), blank_notes(rows, cols)
    random_state, result = np.ones(1, np.uint64), np.zeros(RESULT_COLUMNS, np.int64)
    later, at_clue = blank_notes(rows, cols), cells_at_clues(n.board)
    risks = risks_by_index(n.board, w)
    shares = standoff_shares(n, scratch, w, risks, total, logs)
    indices, best, most = promising(n.board, risks, shares), NO_CELL, -np.inf
    for c in range(indices.size):
        look, index, cell = looks[c], indices[c], int(reading_index(n.board, indices[c]))
        safety = 1.0 - risks[index]
        look_ahead(n, scratch, w, index, total, logs, safety, -np.inf, look[:LOOK_AHEAD_SIZE])
        look[SAFE_PROBABILITY], look[STANDOFF_SHARE] = safety, shares[index]
        look[LOG_SOLUTIONS], look[AT_CLUE] = w.log_count, at_clue[index]
        look[OPENING] = opening_probability(n.board, risks, index)
        for k in range(8):
            look[UNDECIDED_AROUND] += n.board.codes[index + n.board.near[k]] == HIDDEN
        hoped = forecast(n.board, w, total, risks[index], SHARE_NOT_KNOWN)
        look[RESULT] = safety * hoped
        if truth[cell // cols, cell % cols] != TRAP:
            copy_notes(n, later)
            asked = np.array([np.int64(later.board.numbers[CELLS_DECIDED])])
            play_on(EXPERT, truth, shown.copy(), later, asked, total, cell, logs, random_state, result)
            look[RESULT] += (result[OUTCOME] == WON) - result[LUCK] / LUCK_UNITS - hoped
        value = worth(look[:LOOK_AHEAD_SIZE], safety, shares[index])
        if value > most:
            best, most = cell, value
    return best


@kernel(estimate=lambda *_: COMPILE)
def look_at_guesses(level: LevelCodes, first: int, first_seed: int, looks: Floats) -> int:
    """Play as many games as `looks` has rows of guesses for; how many guesses there were.

    `looks[g, c]` is what is kept of candidate c of guess g; where there is none, it is never safe.
    """
    rows, cols, total, _ = level
    logs, guesses = log_factorials(rows * cols), 0
    for number in range(looks.shape[0] // MOST_GUESSES):
        game = new_game_under_way(level, first, first_seed + number)
        cell, last = first, guesses + MOST_GUESSES
        while guesses < last:
            status, w = go_to_next_guess(game, total, cell, logs)
            if status != PLAYING or w.answer != WEIGHED:
                break
            index, _, _ = exact_choice(game.notes, w, total)
            if index == NO_CELL:
                cell = look_at_guess(game, w, total, looks[guesses])
                guesses += 1
            else:
                cell = int(reading_index(game.notes.board, index))
    return guesses


def looks_of(level: LevelCodes, first_seed: int) -> Floats:
    """What is kept of the guesses of some games."""
    looks = np.zeros((GAMES_PER_TASK * MOST_GUESSES, SAFE_CANDIDATES + CANDIDATES_NEAR_CLUES, LOOK_SIZE))
    guesses = look_at_guesses(level, first_cell(*level), first_seed, looks)
    return looks[:guesses]


def worths_of(looks: Floats, weights: Weights) -> Floats:
    """What each candidate is worth by `expert`'s rule with such weights; -1 where there is none."""
    worths = np.full(looks.shape[:2], -1.0)
    fill_in_worths(looks, weights, worths)
    return worths


@kernel(estimate=lambda *_: COMPILE)
def fill_in_worths(looks: Floats, weights: Weights, worths: Floats) -> None:
    """Fill in the worth of all candidates that are not dead."""
    for guess in range(looks.shape[0]):
        for c in range(looks.shape[1]):
            look = looks[guess, c]
            seen, safety = look[:LOOK_AHEAD_SIZE], look[SAFE_PROBABILITY]
            if safety > 0.0 and seen[POSSIBLE_CLUES] > 1:
                worths[guess, c] = weighted_worth(seen, safety, look[STANDOFF_SHARE], weights)
