"""The question "between which bounds is the number of solutions?", for boards too wide to count."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid, clue_neighbours, require_grid
from gemhunter.board.puzzle import Puzzle, first_connected, read_puzzle, untouched_cells
from gemhunter.counting.board_circuit import BoardCircuit
from gemhunter.counting.counts import multiplied
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Ints
from gemhunter.questions.count import count_by_tables, count_by_traps
from gemhunter.questions.solutions import undecided_cells
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, StopReason
from gemhunter.solving.run import Limits, Run, given_run

Tally: TypeAlias = dict[int, int]
"""The number of solutions by number of traps; without a total, all are counted under 0."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A board has at least `low` solutions and at most `high`."""

    low: int
    high: int


def count_bounds(
    grid: Grid,
    *,
    total: int | None = None,
    steps_per_piece: int = 2**17,
    time_limit: float | None = None,
    run: Run | None = None,
) -> Bounds | GaveUp:
    """Proven bounds on the number of solutions, with `total` traps on the whole board if that is known.

    Parts that take more than `steps_per_piece` to count are cut in two repeatedly. Dropping the clues across
    a cut gives the upper bound; fixing the cells along it as in one solution gives the lower bound. A board
    that needs no cut is counted exactly.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit))
    if steps_per_piece < 1:
        raise InputError(f"a piece needs at least one step, not {steps_per_piece}")
    if limit := run.spend():
        return GaveUp(limit)
    outcome = solve(grid, total=total, run=run.within()).outcome
    if isinstance(outcome, Refuted):
        return Bounds(0, 0)
    if isinstance(outcome, GaveUp):
        return outcome
    filled = outcome.solution.fill(grid)
    whole = piece_of(_propagated(grid, total), filled)
    counter = _PieceCounter(run, steps_per_piece, by_traps=total is not None)
    try:
        high = counter.bound(whole, lambda piece: (without_clues_across(piece), 0))
        low = counter.bound(whole, with_cells_fixed)
    except _StoppedError as stopped:
        return GaveUp(stopped.limit)
    decided = np.count_nonzero((filled.cells == TRAP) & (whole.grid.cells != HIDDEN))
    wanted = 0 if total is None else total - int(decided)
    return Bounds(low.get(wanted, 0), high.get(wanted, 0))


class _StoppedError(Exception):
    """A limit of the run was reached."""

    def __init__(self, limit: StopReason) -> None:
        self.limit = limit


# Solvable boards cut into pieces, whose counts bound that of a board that is too wide to count.
#
# A piece is a board without known traps: its clues count traps in hidden cells only. Only one of the `parts`
# of a piece is cut; it has clues and at least two cells.


@dataclass(frozen=True, slots=True, eq=False)
class BoardPiece:
    """A board without known traps, and where the traps of one of its solutions are."""

    grid: Grid
    solution: NDArray[np.bool_]


class _PieceCounter:
    """Counts each piece once, and bounds the counts of those that take too many steps."""

    def __init__(self, run: Run, steps: int, *, by_traps: bool) -> None:
        self._run, self._steps, self._by_traps = run, steps, by_traps
        self._known: dict[Grid, Tally | None] = {}

    def bound(self, piece: BoardPiece, cut: Callable[[BoardPiece], tuple[BoardPiece, int]]) -> Tally:
        """The number of solutions of a piece: exact, or a bound if parts of it had to be changed by `cut`."""
        exact = self._counted(piece.grid)
        if exact is not None:
            return exact
        pieces, traps_fixed = parts(piece), 0
        if len(pieces) == 1:
            whole, traps_fixed = cut(piece)
            pieces = parts(whole)
        tallies = sorted((self.bound(each, cut) for each in pieces), key=len)
        tally: Tally = reduce(_times, tallies, {0: 1})  # of all combinations
        return {traps + traps_fixed: n for traps, n in tally.items()} if self._by_traps else tally

    def _counted(self, grid: Grid) -> Tally | None:
        """The exact number of solutions; None if it takes too many steps."""
        if grid not in self._known:
            if limit := self._run.spend():
                raise _StoppedError(limit)
            # Small pieces and those without clues are counted at any cost, so that cutting ends.
            small = np.count_nonzero(grid.cells == HIDDEN) <= 8 or int(grid.cells.max()) < 0
            run = self._run.within(None if small else self._steps)
            if self._by_traps:
                answer = count_by_traps(grid, run=run)
            else:
                number = count_by_tables(BoardCircuit(grid), run, None)
                answer = number if isinstance(number, GaveUp) else {0: number}
            self._run.spend(run.steps)
            if isinstance(answer, GaveUp) and (
                small or answer.stop_reason in (StopReason.TIME, StopReason.CANCELLED)
            ):
                raise _StoppedError(answer.stop_reason)
            self._known[grid] = None if isinstance(answer, GaveUp) else answer
        return self._known[grid]


def _propagated(grid: Grid, total: int | None) -> Grid:
    """A solvable board with the cells filled in that single clues decide."""
    puzzle = read_puzzle(grid, total)
    codes = grid.cells.copy()
    # Gems are 0, traps 1, and what is undecided -1, the last of these.
    codes.ravel()[puzzle.hidden] = np.array([GEM, TRAP, HIDDEN], np.int8)[undecided_cells(puzzle).value]
    return Grid(codes)


def _times(one: Tally, other: Tally) -> Tally:
    """The solutions of two independent pieces together."""
    if not one or not other:
        return {}
    ways, others = ([tally.get(traps, 0) for traps in range(max(tally) + 1)] for tally in (one, other))
    return {traps: number for traps, number in enumerate(multiplied(ways, others)) if number}


def piece_of(grid: Grid, filled: Grid) -> BoardPiece:
    """A board that is solved by `filled` as a piece: known traps become gems that no clue counts."""
    codes = grid.cells.copy()
    known, clues = grid.cells == TRAP, np.flatnonzero(codes >= 0)
    flat = codes.ravel()
    flat[clues] -= np.count_nonzero(clue_neighbours(known, clues, outside=False), axis=1).astype(np.int8)
    done = ~clue_neighbours(grid.cells == HIDDEN, clues, outside=False).any(axis=1)
    flat[clues[done]] = GEM
    codes[known] = GEM
    return BoardPiece(Grid(codes), filled.cells == TRAP)


def parts(piece: BoardPiece) -> list[BoardPiece]:
    """The independent parts of a piece; cells that no clue touches form one more, in a row.

    The solutions of the piece are all combinations of the solutions of its parts.
    """
    puzzle = read_puzzle(piece.grid)
    label = first_connected(puzzle.starts, puzzle.cells, puzzle.hidden.size)
    untouched = untouched_cells(puzzle)
    pieces = []
    if untouched.any():
        traps = piece.solution.ravel()[puzzle.hidden[untouched]]
        pieces.append(BoardPiece(Grid(np.full((1, traps.size), HIDDEN, np.int8)), traps[None, :]))
    clue_label = label[puzzle.cells[puzzle.starts[:-1]]] if puzzle.traps.size else np.empty(0, np.int64)
    cell_groups = _grouped(puzzle.hidden[~untouched], label[~untouched])
    clue_groups = _grouped(puzzle.clues, clue_label)
    return pieces + [_cropped(piece, *group) for group in zip(cell_groups, clue_groups, strict=True)]


def without_clues_across(piece: BoardPiece) -> BoardPiece:
    """A piece with at least as many solutions: the clues across a cut through its middle are dropped."""
    puzzle = read_puzzle(piece.grid)
    _, is_across = _cut(puzzle)
    codes = piece.grid.cells.copy()
    codes.ravel()[puzzle.clues[is_across]] = GEM
    return BoardPiece(Grid(codes), piece.solution)


def with_cells_fixed(piece: BoardPiece) -> tuple[BoardPiece, int]:
    """A piece with at most as many solutions, and the number of traps among the cells fixed to get it.

    Cells of clues across a cut through its middle are fixed as in the solution: on each clue's smaller side.
    """
    puzzle = read_puzzle(piece.grid)
    before, is_across = _cut(puzzle)
    fixed = np.zeros(puzzle.hidden.size, bool)
    for index in np.flatnonzero(is_across).tolist():
        cells = puzzle.region(index)
        cells = cells[~fixed[cells]]
        here, there = cells[before[cells]], cells[~before[cells]]
        fixed[here if here.size < there.size else there] = True
    places = puzzle.hidden[fixed]
    is_trap = piece.solution.ravel()[places]
    codes = piece.grid.cells.copy()
    codes.ravel()[places] = np.where(is_trap, TRAP, GEM)
    filled = Grid(np.where(piece.solution, TRAP, GEM))
    return piece_of(Grid(codes), filled), int(np.count_nonzero(is_trap))


def _cut(puzzle: Puzzle) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells are before a cut across the longer side, and which clues have cells on both sides of it.

    The cut is near the middle, where it crosses few clues. No region may be empty.
    """
    row, col = np.divmod(puzzle.hidden, puzzle.cols)
    along = row if np.ptp(row) >= np.ptp(col) else col
    along = along - along.min()
    first = np.minimum.reduceat(along[puzzle.cells], puzzle.starts[:-1])
    last = np.maximum.reduceat(along[puzzle.cells], puzzle.starts[:-1])
    size = int(along.max()) + 2
    # A clue is across every cut from the one after its first cell to the one before its last.
    begins, ends = np.bincount(first + 1, minlength=size), np.bincount(last + 1, minlength=size)
    across = np.cumsum(begins - ends)
    low, high = np.quantile(along, [0.4, 0.6]).astype(int) + 1
    low, high = min(low, size - 2), min(high, size - 2)
    place = low + int(np.argmin(across[low : high + 1]))
    return along < place, (first < place) & (last >= place)


def _grouped(places: Ints, label: Ints) -> list[Ints]:
    """The places of each label, by ascending label."""
    order = np.argsort(label, kind="stable")
    ends = np.flatnonzero(np.diff(label[order])) + 1
    return np.split(places[order], ends) if places.size else []


def _cropped(piece: BoardPiece, cells: Ints, clues: Ints) -> BoardPiece:
    """The part of a piece that has only these cells and clues."""
    row, col = np.divmod(np.concatenate([cells, clues]), piece.grid.cols)
    window = slice(row.min(), row.max() + 1), slice(col.min(), col.max() + 1)
    codes = np.full((window[0].stop - window[0].start, window[1].stop - window[1].start), GEM, np.int8)
    codes[row - row.min(), col - col.min()] = piece.grid.cells.ravel()[np.concatenate([cells, clues])]
    return BoardPiece(Grid(codes), piece.solution[window])
