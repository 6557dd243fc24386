"""Luck: what chance gave to a player, or took, when guesses were revealed.

The luck of a guess is (1 if it was safe, otherwise 0, less the probability that it is) × a forecast of
winning if it is safe. The mean of that is 0 for any forecast that is made before the cell is revealed. So the
result of a game less its luck has the mean of the result, and varies less the better the forecast is.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.counting.grid_state import GridState
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.kernel import kernel
from gemhunter.play.notes import index_with_margins, read_grid
from gemhunter.play.risks import (
    BY_TOTAL,
    WITH_RISKS,
    WeighedPosition,
    left_over,
    note_certain,
    risks_by_index,
    weigh_in_play,
)

SHARE_NOT_KNOWN = -1.0
"""Instead of the share of solutions that are won."""

LUCK_UNITS = 1_000_000
"""Luck is kept in whole numbers of this part of a win."""

FORECAST_WEIGHTS = np.array([3.325, 1.186, -9.414, 4.655, -9.106, 0.514, 8.036])
"""The weights of `forecast_terms` in a logistic forecast, as `benchmarks/win_forecast.py` fits them."""

FORECAST_TERMS = FORECAST_WEIGHTS.size


@kernel
def forecast(board: GridState, w: WeighedPosition, total: int, risk: float, won: float) -> float:
    """The probability that a game is won if a guess with this risk is safe.

    `won` is the share of solutions that an exact search wins, or `SHARE_NOT_KNOWN`. The forecast is 0, so
    that no luck is counted, where the risk is not known exactly, or there is none.
    """
    if w.answer != WEIGHED or w.trap_weight != BY_TOTAL or not 0.0 < risk < 1.0:
        return 0.0
    if won != SHARE_NOT_KNOWN:
        return min(won / (1.0 - risk), 1.0)
    terms = np.empty(FORECAST_TERMS, np.float64)
    forecast_terms(board, w, total, risk, terms)
    return float(1.0 / (1.0 + np.exp(-(terms * FORECAST_WEIGHTS).sum())))


@kernel
def forecast_terms(
    board: GridState, w: WeighedPosition, total: int, risk: float, terms: NDArray[np.float64]
) -> None:
    """Fill in what a forecast is made from: numbers of about the size of 1."""
    known, undecided = left_over(board)
    terms[0] = 1.0  # its weight is the constant of the forecast
    terms[1] = w.log_count / 100.0
    terms[2] = np.sqrt(max(w.log_count, 0.0)) / 10.0
    terms[3] = risk
    terms[4] = (total - known) / undecided
    terms[5] = w.untouched / undecided
    terms[6] = np.sqrt(undecided) / 20.0


@kernel(estimate=lambda grid, *_: 4e-5 * grid.size)
def luck_of_reveal(
    grid: NDArray[np.int8], total: int, cell: int, is_safe: bool, logs: NDArray[np.float64]
) -> float:
    """The luck of revealing a cell, given by its reading index, in a position: clues and hidden cells."""
    cols, n = grid.shape[1], read_grid(grid)
    w = weigh_in_play(n.board, total, BY_TOTAL, WITH_RISKS, logs)
    while w.answer == WEIGHED and note_certain(n, w, cols):
        w = weigh_in_play(n.board, total, BY_TOTAL, WITH_RISKS, logs)
    if w.answer != WEIGHED:
        return 0.0
    risk = float(risks_by_index(n.board, w, cols)[index_with_margins(n.board, cols, cell)])
    return ((1.0 if is_safe else 0.0) - 1.0 + risk) * forecast(n.board, w, total, risk, SHARE_NOT_KNOWN)
