"""A local search over parts that are too large for an exact one, and a look around where it is stuck."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.core.grid import GEM, Codes, Grid
from gemhunter.core.puzzle import Ints, read_puzzle
from gemhunter.engines.auto.race import FLIPS_PER_STEP
from gemhunter.engines.pysat.engine import ClausalPySat
from gemhunter.engines.pysat.solvers import DEFAULT, SOLVERS
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.run import Limits, Run

if TYPE_CHECKING:
    from gemhunter.kernels.local_search import LocalSearchState

FLIPS_PER_CELL = 30
"""Where a walk gives up: most need one or two."""

GREED, GREEDIEST = 2.0, 20.0
"""One wrong trap fewer makes a flip so many times as likely, at the beginning of a walk and at its end."""

FLIPS_PER_SLICE = 250_000


FEW_WRONG_CLUES = 8
"""Once no more clues are wrong, each is looked at: of clues that clash, one is always wrong."""

REACHES = (4, 10)
"""So far around a wrong clue a contradiction is looked for."""

MOST_LOOKS = 8
"""Around so many clues; on a lattice, wrong clues wander about and there is nothing to be found."""

CONFLICTS_PER_REACH = 500
"""What looking for it may cost at each reach."""


def walk_on(walk: "LocalSearchState", run: Run) -> Iterator[Ints]:
    """Walk until no clue is wrong, or for as long as it is worth while, in slices.

    After a slice that leaves only few clues wrong, these are handed out, by their place in the walk.
    """
    from gemhunter.kernels.local_search import BROKEN
    from gemhunter.kernels.local_search import walk as flip

    cap = FLIPS_PER_CELL * walk.traps.size
    piece = min(max(walk.traps.size, 1000), FLIPS_PER_SLICE)
    made = spent = 0
    limit = run.spend()
    while walk.numbers[BROKEN] and made < cap and not limit:
        greed = GREED * (GREEDIEST / GREED) ** math.sqrt(made / cap)
        most = (spent + run.slice(piece)) * FLIPS_PER_STEP - made
        flips = flip(walk, greed ** -np.arange(-8.0, 9.0), min(piece, most))
        made += flips
        run.count(flips=flips)
        limit = run.spend(made // FLIPS_PER_STEP - spent)
        spent = made // FLIPS_PER_STEP
        if not limit and 0 < walk.numbers[BROKEN] <= FEW_WRONG_CLUES:
            yield walk.broken[: walk.numbers[BROKEN]].copy()


def conflict_near(codes: Codes, clue: int, reach: int) -> Ints | None:
    """The positions of clues within reach of one, if these cannot hold together; None if that is not clear.

    Only those clues are looked at whose neighbours all are within reach.
    """
    rows, cols = codes.shape
    row, col = divmod(clue, cols)
    top, left = max(row - reach, 0), max(col - reach, 0)
    bottom, right = min(row + reach + 1, rows), min(col + reach + 1, cols)
    window = np.full((bottom - top + 2, right - left + 2), GEM, np.int8)
    around = codes[max(top - 1, 0) : bottom + 1, max(left - 1, 0) : right + 1]
    at_row, at_col = int(top == 0), int(left == 0)
    window[at_row : at_row + around.shape[0], at_col : at_col + around.shape[1]] = around
    for edge in (window[0], window[-1], window[:, 0], window[:, -1]):
        edge[edge >= 0] = GEM
    outcome = CnfEngine(ClausalPySat(SOLVERS[DEFAULT])).solve(
        read_puzzle(Grid(window)), Run(Limits(steps=CONFLICTS_PER_REACH))
    )
    if not isinstance(outcome, Refuted):
        return None
    found_row, found_col = np.nonzero(window >= 0)
    places: Ints = (found_row - 1 + top) * cols + found_col - 1 + left
    return places
