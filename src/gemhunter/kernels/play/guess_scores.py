"""What a guess is worth: whether it and the move after it are safe, and how much it opens."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import GEM, HIDDEN, TRAP
from gemhunter.kernels.counting.weigh_parts import WEIGHED
from gemhunter.kernels.play.notes import PlayerNotes, copy_notes, suppose
from gemhunter.kernels.play.risks import WeighedPosition, weigh_in_play
from gemhunter.kernels.structure.grid_state import CELLS_DECIDED, GridState, Int

Floats = NDArray[np.float64]

SAFE_TWICE, SAFE_THEN_SECOND, LOG_NEW_GEMS, POSSIBLE_CLUES, LOOK_AHEAD_SIZE = range(5)
"""What looking ahead finds: the probability that a cell and then the safest cell are both safe; that it and
then the second safest cell are; if the cell is safe, the mean logarithm of one more than the number of cells
that become certain; how many clues it can show; and the number of these values."""

SECOND_WEIGHT = 0.4
"""How much the second safest cell after a guess counts: the safest one may reveal nothing new."""

GEMS_WEIGHT = 0.02
"""What a guess gains by making e times as many cells certain, as a probability of being safe."""

STANDOFF_WEIGHT = 0.9
"""The share by which unavoidable risks of standoffs are discounted; below 1, as some are never reached."""

EXPERT_WEIGHTS = (SECOND_WEIGHT, GEMS_WEIGHT, STANDOFF_WEIGHT)

DEAD_CELL_WORTH = -1.0
"""What a cell is worth that can show one clue only, and so reveals nothing new."""


@kernel
def opening_probability(board: GridState, risks: Floats, index: Int) -> float:
    """Roughly the probability that a gem is a 0: as if its neighbours were independent."""
    probability = 1.0
    for k in range(8):
        probability *= 1.0 - risks[index + board.near[k]]
    return probability


@kernel
def new_gems(board: GridState, since: int) -> int:
    """How many cells have been found to be gems since the trail had that length, and are not revealed."""
    gems = 0
    for i in range(since, board.numbers[CELLS_DECIDED]):
        gems += board.codes[board.trail[i]] == GEM
    return gems


@kernel
def certain_gems(w: WeighedPosition) -> int:
    """How many undecided cells are a gem in every solution."""
    gems = w.untouched if w.untouched_risk == 0.0 else 0
    for risk in w.risk:
        gems += risk == 0.0
    return gems


@kernel
def two_safest(w: WeighedPosition) -> tuple[float, float]:
    """The probabilities that the safest undecided cell is safe, and the second safest.

    Both are 1 if one cell is certain, or if none is undecided, as then the game is won.
    """
    if w.untouched == 0 and w.risk.size == 0:
        return 1.0, 1.0
    least = w.untouched_risk if w.untouched > 0 else 1.0
    second = w.untouched_risk if w.untouched > 1 else 1.0
    for risk in w.risk:
        if risk < least:
            least, second = risk, least
        elif risk < second:
            second = risk
    return 1.0 - least, 1.0 - second if least > 0.0 else 1.0


@kernel(inline=True)
def look_ahead(
    n: PlayerNotes,
    scratch: PlayerNotes,
    w: WeighedPosition,
    index: Int,
    total: int,
    logs: Floats,
    safety: float,
    needed: float,
    seen: Floats,
) -> bool:
    """Fill `seen` by supposing every clue that a cell can show, each with its probability.

    If a clue makes cells certain, the move after it is safe; otherwise it is as safe as the safest cells
    then. The cell is a gem with the probability `safety`. No more clues are supposed once the worth without
    standoffs cannot exceed `needed` even if each of them made the next moves safe; False if some were not.
    """
    board = n.board
    least, most = 0, 0
    for k in range(8):
        code = board.codes[index + board.near[k]]
        least += code == TRAP
        most += code in (TRAP, HIDDEN)
    seen[:] = 0.0
    left, since = safety, board.numbers[CELLS_DECIDED]
    for clue in range(least, most + 1):
        copy_notes(n, scratch)
        if not suppose(scratch, index, clue):
            continue
        gems = new_gems(scratch.board, since)
        after = weigh_in_play(scratch.board, total, w.trap_weight, gems == 0, logs)
        if after.answer != WEIGHED:
            continue
        best, second = two_safest(after) if gems == 0 else (1.0, 1.0)
        if gems == 0 and best == 1.0:
            gems = certain_gems(after)
        probability = np.exp(after.log_count - w.log_count)
        seen[SAFE_TWICE] += probability * best
        seen[SAFE_THEN_SECOND] += probability * second
        seen[LOG_NEW_GEMS] += probability * np.log(1.0 + gems)
        seen[POSSIBLE_CLUES] += 1
        left -= probability
        # What new gems could add is left out: that decides once in a thousand guesses, and costs a third.
        if weighted_worth(seen, 1.0, 0.0, EXPERT_WEIGHTS) + left <= needed:
            return False
    return True


@kernel
def worth(seen: Floats, safety: float, share: float) -> float:
    """What revealing a cell is worth, from what looking ahead has found.

    `safety` is the probability that it is a gem, `share` its share in standoffs.
    `benchmarks/guesses.py` measures what other weights lead to.
    """
    if seen[POSSIBLE_CLUES] <= 1:
        return DEAD_CELL_WORTH
    return weighted_worth(seen, safety, share, EXPERT_WEIGHTS)


@kernel
def weighted_worth(seen: Floats, safety: float, share: float, weights: tuple[float, float, float]) -> float:
    """The formula of `worth` with any weights: of the second safest cell, of new gems and of standoffs."""
    second, gems, standoffs = weights
    follow = seen[SAFE_TWICE] + second * (seen[SAFE_THEN_SECOND] - seen[SAFE_TWICE])
    return float((follow + gems * seen[LOG_NEW_GEMS]) * standoff_factor(share, safety, standoffs))


@kernel
def standoff_factor(share: float, safety: float, weight: float) -> float:
    """By how much the worth of a cell grows because the risk of its standoffs is unavoidable."""
    return 1.0 + weight * share / safety
