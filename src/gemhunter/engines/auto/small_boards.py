"""Small boards without kernels: single clues decide what they can, and MiniCard solves the rest.

MiniCard takes two bounds for a region that would need dozens of clauses: loading clauses would take longer
than everything else.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP
from gemhunter.core.neighbours import OFFSETS
from gemhunter.core.puzzle import ListedRegion, Puzzle, listed_regions
from gemhunter.core.solution import Solution
from gemhunter.deduce.sentences import SINGLE_CLUES_CONFLICT
from gemhunter.engines.pysat.constraints import RegionConstraints
from gemhunter.engines.pysat.drivers import at_once
from gemhunter.engines.pysat.engine import import_pysat
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason, refuted_by_engine
from gemhunter.solving.protocols import SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run

SMALL_BOARD_CONFLICTS = 500
"""What a small board may cost before it is taken apart; boards that people make take 20 at most."""

MOST_SWEEPS = 20
"""Boards that people make need 17 at most. A long chain of clues can need as many as it has clues; MiniCard
follows the rest of it faster."""


IS_GEM, IS_TRAP, IS_UNDECIDED = 0, 1, 16
"""What is known of a hidden cell. The sum over a region counts traps, and 16 times undecided cells."""


@dataclass(frozen=True, slots=True, eq=False)
class SingleClueRest:
    """What single clues leave: a value for each hidden cell, and regions of undecided cells.

    Cell i of a region, counted from 1, is the hidden cell `cells[i-1]`, counted from 0.
    """

    values: NDArray[np.uint8]
    regions: list[ListedRegion]
    cells: NDArray[np.int64] | list[int]


def solve_clue_by_clue(puzzle: Puzzle, run: Run) -> Outcome | None:
    """Solve or refute a board, or give up at a limit of the run.

    A total is looked at last: None if the untouched cells cannot make up the difference.
    """
    with run.stage("encode"):
        rest = rest_by_lists(puzzle) if puzzle.is_small else rest_by_arrays(puzzle)
    if rest is None:
        return Refuted(SINGLE_CLUES_CONFLICT)
    values = rest.values
    undecided = values.tobytes().count(IS_UNDECIDED)
    run.count(single_clues=values.size - undecided, variables=undecided, constraints=2 * len(rest.regions))
    if reason := run.spend():
        return GaveUp(reason)
    if rest.regions:
        match _ask_minicard(rest.regions, run):
            case Satisfied(model):
                values[rest.cells] = model > 0
            case Unsatisfiable():
                return refuted_by_engine("MiniCard")
            case GaveUp() as gave_up:
                return gave_up
    if puzzle.total is not None:
        untouched = np.flatnonzero(values == IS_UNDECIDED)
        shown = np.count_nonzero(puzzle.grid.cells == TRAP)
        missing = puzzle.total - int(shown + np.count_nonzero(values == IS_TRAP))
        if not 0 <= missing <= untouched.size:
            return None
        values[untouched[:missing]] = IS_TRAP
    return Solved(Solution(values == IS_TRAP))


def _ask_minicard(regions: list[ListedRegion], run: Run) -> SatAnswer:
    """Search in this thread; a board that takes more than a few conflicts is left to others."""
    import_pysat(run)
    from pysat.solvers import Minicard

    with Minicard() as solver:
        RegionConstraints(regions).feed(solver)
        answer = at_once(solver, run, SMALL_BOARD_CONFLICTS)
        run.count(**solver.accum_stats())
        return GaveUp(StopReason.STEPS) if answer is None else answer


def rest_by_lists(puzzle: Puzzle) -> SingleClueRest | None:
    """What single clues leave, looking at one clue after the other; None if they conflict."""
    regions = puzzle.listed if puzzle.total is None else puzzle.listed[:-1]
    values = [IS_GEM] + [IS_UNDECIDED] * puzzle.hidden.size
    value_of = values.__getitem__
    before: list[ListedRegion] = []
    while len(regions) != len(before):
        before, regions = regions, []
        for region in before:
            cells, needed = region
            undecided, traps = divmod(sum(map(value_of, cells)), IS_UNDECIDED)
            if traps < needed < traps + undecided:
                regions.append(region)
                continue
            if needed not in (traps, traps + undecided):
                return None
            for cell in cells:
                if values[cell] == IS_UNDECIDED:
                    values[cell] = IS_GEM if needed == traps else IS_TRAP
    number: dict[int, int] = {}
    left = []
    for cells, needed in regions:
        traps = sum(map(value_of, cells)) % IS_UNDECIDED
        variables = [
            number.setdefault(cell, len(number) + 1) for cell in cells if values[cell] == IS_UNDECIDED
        ]
        left.append((variables, needed - traps))
    return SingleClueRest(np.array(values[1:], np.uint8), left, [cell - 1 for cell in number])


def rest_by_arrays(puzzle: Puzzle) -> SingleClueRest | None:
    """What single clues leave, looking at all of them at once; None if they conflict."""
    # With a margin around the board, each clue has eight neighbours: a column of `around`.
    width = puzzle.cols + 2
    padded = np.full((puzzle.rows + 2, width), GEM, np.int8)
    padded[1:-1, 1:-1] = puzzle.grid.cells
    codes = padded.ravel()
    hidden, clues = np.flatnonzero(codes == HIDDEN), np.flatnonzero(codes >= 0)
    around = clues + np.array([[down * width + right] for down, right in OFFSETS])
    needed = codes[clues].astype(np.uint8)
    values = (codes == TRAP).astype(np.uint8)
    values[hidden] = IS_UNDECIDED
    sweeps = 0
    while True:
        undecided, traps = np.divmod(values[around].sum(axis=0, dtype=np.uint8), IS_UNDECIDED)
        most = traps + undecided
        if (needed < traps).any() or (needed > most).any():
            return None
        is_left = (needed > traps) & (needed < most)
        if sweeps == MOST_SWEEPS or is_left.all():
            break
        sweeps += 1
        has_all = needed == traps
        gems, others = around[:, has_all], around[:, ~has_all & ~is_left]
        values[others[values[others] == IS_UNDECIDED]] = IS_TRAP
        if (values[gems].sum(axis=0, dtype=np.uint8) % IS_UNDECIDED != needed[has_all]).any():
            return None
        values[gems[values[gems] == IS_UNDECIDED]] = IS_GEM
        around, needed = around[:, is_left], needed[is_left]
    rest = around.T
    cells = rest[values[rest] == IS_UNDECIDED]
    number = np.zeros(values.size, np.int64)
    number[cells] = 1
    asked = np.flatnonzero(number)
    number[asked] = np.arange(1, asked.size + 1)
    starts = np.concatenate([[0], np.cumsum(undecided, dtype=np.int64)])
    regions = [region for region in listed_regions(number[cells], starts, needed - traps) if region[0]]
    return SingleClueRest(values[hidden], regions, np.searchsorted(hidden, asked))
