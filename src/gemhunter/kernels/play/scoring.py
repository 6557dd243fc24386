"""What a guess is worth: how likely it and the move after it are safe, and how much it opens."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP
from gemhunter.kernels.compiling import kernel
from gemhunter.kernels.counting.positions import WEIGHED
from gemhunter.kernels.play.notes import Notes, copy_notes, suppose
from gemhunter.kernels.play.weighing import Weighed, weigh_open
from gemhunter.kernels.structure.boards import TAIL, Board, Int

Floats = NDArray[np.float64]

GEMS_COUNT = 0.02
"""How much a guess is worth that makes e times as many cells certain, against a chance to be safe."""

SECOND_COUNTS = 0.4
"""How much of the chance of the move after a guess is that of the second safest cell: one that is safe alone
may tell nothing."""

DEAD = -1.0
"""What a cell is worth that can show one clue only, and so tells nothing."""


@kernel
def opening_chance(board: Board, risks: Floats, place: Int) -> float:
    """Roughly how likely a cell that is no trap is a 0: as if its neighbours were independent."""
    chance = 1.0
    for k in range(8):
        chance *= 1.0 - risks[place + board.near[k]]
    return chance


@kernel
def new_gems(board: Board, since: int) -> int:
    """How many cells have been found to be gems since the trail had that length, and are not revealed."""
    gems = 0
    for i in range(since, board.numbers[TAIL]):
        gems += board.codes[board.trail[i]] == GEM
    return gems


@kernel
def certain_gems(w: Weighed) -> int:
    """How many open cells are a gem in every solution."""
    gems = w.free if w.free_risk == 0.0 else 0
    for risk in w.risk:
        gems += risk == 0.0
    return gems


@kernel
def next_chance(w: Weighed) -> float:
    """How likely the next guess is safe: a mean of the two safest open cells.

    It is 1 if a cell is certain, or none is open, as then the game is won.
    """
    if w.free == 0 and w.risk.size == 0:
        return 1.0
    least = w.free_risk if w.free > 0 else 1.0
    second = w.free_risk if w.free > 1 else 1.0
    for risk in w.risk:
        if risk < least:
            least, second = risk, least
        elif risk < second:
            second = risk
    return 1.0 if least == 0.0 else 1.0 - least - SECOND_COUNTS * (second - least)


@kernel
def worth(n: Notes, scratch: Notes, w: Weighed, place: Int, total: int, logs: Floats) -> float:
    """What revealing a cell is worth, over all clues that it can show, each as likely as it is.

    If a clue makes cells certain, the move after it is safe; otherwise it is as safe as the safest cells
    then.
    """
    board = n.board
    least, most = 0, 0
    for k in range(8):
        code = board.codes[place + board.near[k]]
        least += code == TRAP
        most += code in (TRAP, HIDDEN)
    value, clues = 0.0, 0
    since = board.numbers[TAIL]
    for clue in range(least, most + 1):
        copy_notes(n, scratch)
        if not suppose(scratch, place, clue):
            continue
        gems = new_gems(scratch.board, since)
        after = weigh_open(scratch.board, total, w.odds, gems == 0, logs)
        if after.answer != WEIGHED:
            continue
        clues += 1
        follow = 1.0 if gems > 0 else next_chance(after)
        if gems == 0 and follow == 1.0:
            gems = certain_gems(after)
        value += np.exp(after.amount - w.amount) * (follow + GEMS_COUNT * np.log(1.0 + gems))
    return value if clues > 1 else DEAD
