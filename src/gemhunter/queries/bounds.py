"""The question "at least and at most how many solutions are there?", for boards too wide to count."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid, require_grid
from gemhunter.core.puzzle import read_puzzle
from gemhunter.counting.circuit import BoardCircuit
from gemhunter.errors import InputError
from gemhunter.kernels.backtracking import fill_forced, new_search
from gemhunter.queries.count import count_by_tables, count_by_traps
from gemhunter.queries.pieces import BoardPiece, parts, piece_of, with_cells_fixed, without_clues_across
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, StopReason
from gemhunter.solving.run import Limits, Run, given_run

STEPS_PER_PIECE = 2**17
"""A piece that takes more steps to count is cut in two."""

ALWAYS_COUNTED = 8
"""Pieces with no more cells, or without clues, are counted whatever it takes, so that cutting ends."""

Tally: TypeAlias = dict[int, int]
"""The number of solutions by number of traps; without a total, all of them are under 0."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A board has at least `low` solutions and at most `high`."""

    low: int
    high: int


def count_bounds(
    grid: Grid,
    *,
    total: int | None = None,
    steps_per_piece: int = STEPS_PER_PIECE,
    time_limit: float | None = None,
    run: Run | None = None,
) -> Bounds | GaveUp:
    """Proven bounds on the number of solutions, with `total` traps on the whole board if that is known.

    Parts that take more than `steps_per_piece` to count are cut in two, again and again. Without the clues
    across the cuts the pieces have more solutions together, with the cells along them fixed as in one
    solution they have fewer. A board that needs no cut is counted exactly.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit))
    if steps_per_piece < 1:
        raise InputError(f"a piece needs a step at least, not {steps_per_piece}")
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
    """The run is over."""

    def __init__(self, limit: StopReason) -> None:
        self.limit = limit


class _PieceCounter:
    """Counts pieces, each once, and puts bounds on those that take too many steps."""

    def __init__(self, run: Run, steps: int, *, by_traps: bool) -> None:
        self._run, self._steps, self._by_traps = run, steps, by_traps
        self._known: dict[Grid, Tally | None] = {}

    def bound(self, piece: BoardPiece, cut: Callable[[BoardPiece], tuple[BoardPiece, int]]) -> Tally:
        """The solutions of a piece: exactly, or as `cut` changes their number where it is applied."""
        exact = self._counted(piece.grid)
        if exact is not None:
            return exact
        pieces, traps_fixed = parts(piece), 0
        if len(pieces) == 1:
            whole, traps_fixed = cut(piece)
            pieces = parts(whole)
        tally = _product(self.bound(each, cut) for each in pieces)
        return {traps + traps_fixed: n for traps, n in tally.items()} if self._by_traps else tally

    def _counted(self, grid: Grid) -> Tally | None:
        """The exact number of solutions; None if it takes too many steps."""
        if grid not in self._known:
            if limit := self._run.spend():
                raise _StoppedError(limit)
            small = _is_small(grid)
            run = self._run.within(None if small else self._steps)
            answer = self._ask(run, grid)
            self._run.spend(run.steps)
            if isinstance(answer, GaveUp) and (
                small or answer.stop_reason in (StopReason.TIME, StopReason.CANCELLED)
            ):
                raise _StoppedError(answer.stop_reason)
            self._known[grid] = None if isinstance(answer, GaveUp) else answer
        return self._known[grid]

    def _ask(self, run: Run, grid: Grid) -> Tally | GaveUp:
        if self._by_traps:
            return count_by_traps(grid, run=run)
        number = count_by_tables(BoardCircuit(grid), run, None)
        return number if isinstance(number, GaveUp) else {0: number}


def _is_small(grid: Grid) -> bool:
    """Whether there is nothing to cut."""
    return int(np.count_nonzero(grid.cells == HIDDEN)) <= ALWAYS_COUNTED or int(grid.cells.max()) < 0


def _propagated(grid: Grid, total: int | None) -> Grid:
    """A solvable board with all cells filled in that single clues decide."""
    puzzle = read_puzzle(grid, total)
    search = new_search(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)
    fill_forced(search)
    codes = grid.cells.copy()
    codes.ravel()[puzzle.hidden] = np.array([GEM, TRAP, HIDDEN], np.int8)[search.value]
    return Grid(codes)


def _product(tallies: Iterable[Tally]) -> Tally:
    """The tally of all combinations."""
    return reduce(_times, sorted(tallies, key=len), {0: 1})


def _times(one: Tally, other: Tally) -> Tally:
    """The product of two polynomials, by one product of long numbers that have room for every coefficient."""
    if not one or not other:
        return {}
    most = max(one.values()) * max(other.values()) * min(len(one), len(other))
    room = most.bit_length() // 8 + 1
    product = _packed(one, room) * _packed(other, room)
    digits = product.to_bytes((max(one) + max(other) + 1) * room, "little")
    numbers = [int.from_bytes(digits[at : at + room], "little") for at in range(0, len(digits), room)]
    return {traps: number for traps, number in enumerate(numbers) if number}


def _packed(tally: Tally, room: int) -> int:
    digits = b"".join(tally.get(traps, 0).to_bytes(room, "little") for traps in range(max(tally) + 1))
    return int.from_bytes(digits, "little")
