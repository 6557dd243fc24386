"""`auto`, the default engine: small boards clue by clue, large ones by their structure.

Boards of fewer than 10,000 cells are solved here, without kernels: single clues decide what they can, and
MiniCard solves the rest. Larger ones, and those that are hard for MiniCard, are taken apart (`by_parts`).
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, OFFSETS, TRAP
from gemhunter.board.puzzle import ListedRegion, Puzzle, Solution, listed_regions
from gemhunter.engines.pysat import DEFAULT, SOLVERS, ClausalPySat, RegionConstraints, at_once, import_pysat
from gemhunter.errors import InputError
from gemhunter.solving.engine import CnfEngine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import (
    SINGLE_CLUES_CONFLICT,
    GaveUp,
    Outcome,
    Refuted,
    Solved,
    StopReason,
    refuted_by_engine,
)
from gemhunter.solving.run import Run
from gemhunter.work.memory import can_limit_memory

SMALL_BOARD_CONFLICTS = 500
"""How many conflicts a small board may take before it is taken apart; hand-made boards take 20 at most."""

SWEEP_LIMIT = 20
"""Hand-made boards need 17 sweeps at most. A long chain of clues can need as many as it has clues; MiniCard
follows the rest of it faster."""

BY_PARTS_CELLS = 10_000
"""MiniCard solves a board with fewer cells in a fraction of the time that importing Numba takes. The limit is
fixed, because the solution that is found must not depend on what this process has compiled."""


def make_engine(argument: str) -> "Auto":
    """The default engine."""
    if argument:
        raise InputError(f"auto takes no argument, found {argument!r}")
    return Auto()


@dataclass(frozen=True, slots=True)
class Auto:
    """Boards of fewer than `small` cells go to MiniCard first; all others are taken apart at once."""

    small: int = BY_PARTS_CELLS

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        return _info()

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Solve clue by clue if that is quick, otherwise by parts."""
        if puzzle.grid.cells.size < self.small:
            outcome = _solve_small(puzzle, run)
            if outcome is not None:
                return outcome
        # Small boards do without the kernels that this imports.
        from gemhunter.engines.auto.by_parts import solve_by_parts

        return solve_by_parts(puzzle, run)


@cache
def _info() -> EngineInfo:
    # Cached, because finding out what limits memory takes as long as solving a board of a thousand cells.
    return EngineInfo(
        "auto",
        "splits a board into parts and solves each by a suitable method; small boards go to MiniCard",
        step="conflict or node",
        memory_limit=can_limit_memory(),
    )


def _solve_small(puzzle: Puzzle, run: Run) -> Outcome | None:
    """Solve a board clue by clue, or by clauses; None if neither decides it quickly."""
    # Python lists cannot be held to a memory limit. The clue-by-clue solver considers a total last.
    outcome = solve_clue_by_clue(puzzle, run) if run.limits.memory is None else None
    # Clauses for the total work well for 200 hidden cells, but not for many more.
    if outcome is None and (puzzle.total is None or puzzle.hidden.size <= 200):
        with run.at_most(SMALL_BOARD_CONFLICTS):
            outcome = CnfEngine(ClausalPySat(SOLVERS[DEFAULT])).solve(puzzle, run)
    if isinstance(outcome, Refuted):
        # Imported only here, as boards with a solution do without the search for conflicting clues.
        from gemhunter.solving.conflict_sets import refuted_by_any_clues

        return refuted_by_any_clues(puzzle, run)
    if isinstance(outcome, GaveUp) and outcome.stop_reason is StopReason.STEPS:
        reason = run.spend()
        return replace(outcome, stop_reason=reason) if reason else None
    return outcome


# Small boards: single clues decide what they can, and MiniCard solves the rest.
#
# MiniCard takes two bounds for a region instead of dozens of clauses, which would take longer to load than
# everything else takes.

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

    A total is considered last: None if the untouched cells cannot make up the difference.
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
    """Search in this thread; give up on a board that takes more than `SMALL_BOARD_CONFLICTS` conflicts."""
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
    # Sweep over the clues until a sweep decides nothing. Clues that are done leave the list.
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
    # Number the undecided cells for MiniCard, in the order in which the clues that are left name them.
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
        if sweeps == SWEEP_LIMIT or is_left.all():
            break
        # A clue that has all its traps turns its undecided cells into gems; a clue that needs all of them
        # turns them into traps. The second kind goes first: if one of its traps is next to a clue of the
        # first kind, these two conflict.
        sweeps += 1
        has_all = needed == traps
        gems, others = around[:, has_all], around[:, ~has_all & ~is_left]
        values[others[values[others] == IS_UNDECIDED]] = IS_TRAP
        if (values[gems].sum(axis=0, dtype=np.uint8) % IS_UNDECIDED != needed[has_all]).any():
            return None
        values[gems[values[gems] == IS_UNDECIDED]] = IS_GEM
        around, needed = around[:, is_left], needed[is_left]
    # Number the undecided cells of the clues that are left for MiniCard, in reading order.
    rest = around.T
    cells = rest[values[rest] == IS_UNDECIDED]
    number = np.zeros(values.size, np.int64)
    number[cells] = 1
    numbered = np.flatnonzero(number)
    number[numbered] = np.arange(1, numbered.size + 1)
    starts = np.concatenate([[0], np.cumsum(undecided, dtype=np.int64)])
    regions = [region for region in listed_regions(number[cells], starts, needed - traps) if region[0]]
    return SingleClueRest(values[hidden], regions, np.searchsorted(hidden, numbered))
