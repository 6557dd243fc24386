"""Solvable boards cut into pieces, whose counts bound that of a board that is too wide to count.

A piece is a board of its own without known traps: its clues count traps in hidden cells only. What is
cut is one of the `parts` of a piece, with clues and two cells at least.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.core.neighbours import clue_neighbours
from gemhunter.core.puzzle import Ints, Puzzle, read_puzzle, untouched_cells


@dataclass(frozen=True, slots=True, eq=False)
class BoardPiece:
    """A board without known traps, and where the traps of one of its solutions are."""

    grid: Grid
    solution: NDArray[np.bool_]


def piece_of(grid: Grid, filled: Grid) -> BoardPiece:
    """The whole of a board that is solved by `filled`; its known traps become gems that no clue counts."""
    codes = grid.cells.copy()
    known, clues = grid.cells == TRAP, np.flatnonzero(codes >= 0)
    flat = codes.ravel()
    flat[clues] -= np.count_nonzero(clue_neighbours(known, clues, outside=False), axis=1).astype(np.int8)
    done = ~clue_neighbours(grid.cells == HIDDEN, clues, outside=False).any(axis=1)
    flat[clues[done]] = GEM
    codes[known] = GEM
    return BoardPiece(Grid(codes), filled.cells == TRAP)


def parts(piece: BoardPiece) -> list[BoardPiece]:
    """The pieces that no clue connects; cells that no clue touches are one more, in a row.

    The solutions of the piece are all combinations of theirs.
    """
    puzzle = read_puzzle(piece.grid)
    label = _labels(puzzle)
    untouched = untouched_cells(puzzle)
    found = []
    if untouched.any():
        traps = piece.solution.ravel()[puzzle.hidden[untouched]]
        found.append(BoardPiece(Grid(np.full((1, traps.size), HIDDEN, np.int8)), traps[None, :]))
    clue_label = label[puzzle.cells[puzzle.starts[:-1]]] if puzzle.traps.size else np.empty(0, np.int64)
    cell_groups = _grouped(puzzle.hidden[~untouched], label[~untouched])
    clue_groups = _grouped(puzzle.clues, clue_label)
    found += [_cropped(piece, *each) for each in zip(cell_groups, clue_groups, strict=True)]
    return found


def without_clues_across(piece: BoardPiece) -> BoardPiece:
    """A piece with at least as many solutions: the clues across a cut through its middle are dropped."""
    puzzle = read_puzzle(piece.grid)
    before = _before_cut(puzzle)
    on_both_sides = _any(puzzle, before) & _any(puzzle, ~before)
    codes = piece.grid.cells.copy()
    codes.ravel()[puzzle.clues[on_both_sides]] = GEM
    return BoardPiece(Grid(codes), piece.solution)


def with_cells_fixed(piece: BoardPiece) -> tuple[BoardPiece, int]:
    """A piece with at most as many solutions, and the number of traps among the cells that are fixed for it.

    Cells of clues across a cut through its middle are fixed as in the solution: on each clue's smaller side.
    """
    puzzle = read_puzzle(piece.grid)
    before = _before_cut(puzzle)
    fixed = np.zeros(puzzle.hidden.size, bool)
    for index in np.flatnonzero(_any(puzzle, before) & _any(puzzle, ~before)).tolist():
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


def _before_cut(puzzle: Puzzle) -> NDArray[np.bool_]:
    """Which cells are on the first side of a cut across the longer side, near the middle, few clues on it."""
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
    before: NDArray[np.bool_] = along < low + int(np.argmin(across[low : high + 1]))
    return before


def _any(puzzle: Puzzle, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each region has one of the chosen cells; no region may be empty."""
    found: NDArray[np.bool_] = np.logical_or.reduceat(chosen[puzzle.cells], puzzle.starts[:-1])
    return found


def _labels(puzzle: Puzzle) -> Ints:
    """Label the connected components of the hidden cells."""
    label = np.arange(puzzle.hidden.size)
    while puzzle.traps.size:
        least = np.minimum.reduceat(label[puzzle.cells], puzzle.starts[:-1])
        lower = label.copy()
        np.minimum.at(lower, puzzle.cells, np.repeat(least, puzzle.sizes))
        # The cell that gave its number may have a lower one by now.
        np.minimum.at(lower, label[puzzle.cells], np.repeat(least, puzzle.sizes))
        lower = lower[lower]
        if np.array_equal(lower, label):
            break
        label = lower
    return label


def _grouped(places: Ints, label: Ints) -> list[Ints]:
    """The places of each label, by ascending label."""
    order = np.argsort(label, kind="stable")
    ends = np.flatnonzero(np.diff(label[order])) + 1
    return np.split(places[order], ends) if places.size else []


def _cropped(piece: BoardPiece, cells: Ints, clues: Ints) -> BoardPiece:
    """These cells and clues alone."""
    row, col = np.divmod(np.concatenate([cells, clues]), piece.grid.cols)
    window = slice(row.min(), row.max() + 1), slice(col.min(), col.max() + 1)
    codes = np.full((window[0].stop - window[0].start, window[1].stop - window[1].start), GEM, np.int8)
    codes[row - row.min(), col - col.min()] = piece.grid.cells.ravel()[np.concatenate([cells, clues])]
    return BoardPiece(Grid(codes), piece.solution[window])
