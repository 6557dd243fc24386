"""The clauses of a grid."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid, require_grid
from gemhunter.board.puzzle import Puzzle, Regions, read_puzzle, untouched_cells
from gemhunter.cnf.encodings import (
    COMBINED_CELLS_LIMIT,
    Clause,
    Template,
    binomial_clauses,
    most_literals,
    require_encoding,
    template,
)
from gemhunter.cnf.formula import AUXILIARY, Cnf, ListedCnf, Literals, without_duplicates
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Ints

Numbering = Literal["hidden", "all", "places"]
"""`hidden`: hidden cells are 1..n in reading order. `all`: row r, column c, from 0, is r·C + c + 1, and every
cell that is not hidden has a unit clause. `places`: as `all`, but without unit clauses for clues."""

Untouched = Literal["none", "units"]
"""`units`: each hidden cell that no clue touches has a unit clause: it is a gem. `none`: it can be either."""

LISTED_CELLS = 1000
"""Boards with fewer cells are encoded by lists, which takes less time than dozens of NumPy calls."""


def encode(
    grid: Grid,
    encoding: str = "binomial",
    variables: Numbering = "hidden",
    *,
    total: int | None = None,
    keep_duplicates: bool = False,
    untouched: Untouched = "none",
) -> Cnf:
    """The clauses whose models are the solutions of `grid`, with `total` traps in all if that is known.

    `variables="all"` adds a unit clause for every cell that is not hidden, `"places"` only for known traps
    and gems. `untouched="units"` adds one at the end for every hidden cell that no clue touches: the models
    are the solutions in which these cells are gems. It excludes a total, which may need traps there.
    """
    require_grid(grid)
    if variables not in get_args(Numbering):
        raise ValueError(f"variables is 'hidden', 'all' or 'places', not {variables!r}")
    puzzle = read_puzzle(grid, total)
    flat = grid.cells.ravel()
    cell_indexes, first = puzzle.hidden, np.empty(0, np.int64)
    if variables != "hidden":
        shown = np.flatnonzero(has_unit(grid, variables))
        cell_indexes, first = np.arange(flat.size), np.where(flat[shown] == TRAP, shown + 1, -(shown + 1))
    last = -(np.searchsorted(cell_indexes, _cells_for_units(puzzle, untouched)) + 1)
    return _encode(
        puzzle, encoding, cell_indexes=cell_indexes, units=(first, last), keep_duplicates=keep_duplicates
    )


def has_unit(grid: Grid, variables: Numbering) -> NDArray[np.bool_]:
    """Whether each cell, in reading order, has a unit clause because of what it shows."""
    flat = grid.cells.ravel()
    if variables == "hidden":
        return np.zeros(flat.size, bool)
    return np.isin(flat, (TRAP, GEM) if variables == "places" else HIDDEN, invert=variables == "all")


def _cells_for_units(puzzle: Puzzle, untouched: Untouched) -> Ints:
    """The indices of the cells that get a unit clause because no clue touches them."""
    if untouched not in ("none", "units"):
        raise ValueError(f"untouched is 'none' or 'units', not {untouched!r}")
    if untouched == "none":
        return puzzle.hidden[:0]
    if puzzle.total is not None:
        raise InputError(
            "a total may need traps in cells that no clue touches, so unit clauses must not make them gems; "
            "leave out the total or the unit clauses"
        )
    return puzzle.hidden[untouched_cells(puzzle)]


def encode_puzzle(
    puzzle: Puzzle | Regions, encoding: str = "binomial", *, keep_duplicates: bool = False
) -> Cnf:
    """The clauses of all regions over the hidden cells, numbered 1..n in reading order."""
    if encoding == "binomial" and isinstance(puzzle, Puzzle) and puzzle.grid.cells.size < LISTED_CELLS:
        return _encode_small(puzzle, keep_duplicates=keep_duplicates)
    none = np.empty(0, np.int64)
    return _encode(
        puzzle, encoding, cell_indexes=puzzle.hidden, units=(none, none), keep_duplicates=keep_duplicates
    )


def _encode_small(puzzle: Puzzle, *, keep_duplicates: bool) -> Cnf:
    """The binomial clauses that `_encode` makes, in its order, without NumPy; tests compare the two.

    Dozens of small NumPy arrays would take as long as encoding, solving and checking a small board.
    """
    hidden, auxiliary = puzzle.hidden, 0
    clauses: list[Clause] = []
    for cells, traps in puzzle.listed:
        if len(cells) <= COMBINED_CELLS_LIMIT and 0 <= traps <= len(cells):
            clauses += binomial_clauses(cells, traps)
        else:
            # Only the total has all hidden cells, so its template already names their variables.
            pattern = template("binomial", len(cells), traps)
            clauses += pattern.clauses
            auxiliary = pattern.auxiliary
    if not keep_duplicates:
        clauses = list(dict.fromkeys(clauses))
    cell_indexes = np.concatenate([hidden, np.full(auxiliary, AUXILIARY)]) if auxiliary else hidden
    return ListedCnf(clauses, cell_indexes, puzzle.cols)


def encoding_bytes(puzzle: Puzzle | Regions, encoding: str = "binomial") -> int:
    """An upper bound on the bytes that `encode_puzzle` holds at its peak, without encoding anything."""
    span, keys, _, counts = _classes(puzzle)
    total = 0
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        n, k = key % span, key // span
        literals = most_literals(encoding, n, k)
        # The peak is the search for duplicates; a test measures it.
        total += 26 * count * literals
        # The template of a total is large itself, and consists of Python tuples.
        total += 90 * literals if n > COMBINED_CELLS_LIMIT else 0
    return total


def _encode(
    puzzle: Puzzle | Regions,
    encoding: str,
    *,
    cell_indexes: Ints,
    units: tuple[Ints, Ints],
    keep_duplicates: bool,
) -> Cnf:
    """The formula over the cells at `cell_indexes`, ascending; `units` are the first and the last clauses."""
    require_encoding(encoding)
    span, keys, kind, _ = _classes(puzzle)
    classes = zip((keys % span).tolist(), (keys // span).tolist(), strict=True)
    templates = [template(encoding, n, k) for n, k in classes]
    auxiliary_at, auxiliary = _offsets(np.array([t.auxiliary for t in templates], np.int64)[kind])
    variables = np.searchsorted(cell_indexes, puzzle.hidden) + 1
    literals, starts = _stamp(puzzle, templates, kind, (variables, auxiliary_at + cell_indexes.size))
    first, last = (each.astype(np.int32) for each in units)
    literals = np.concatenate([first, literals, last])
    ends = literals.size - last.size + np.arange(1, last.size + 1)
    starts = np.concatenate([np.arange(first.size), starts + first.size, ends])
    if not keep_duplicates:
        literals, starts = without_duplicates(literals, starts)
    cell_indexes = np.concatenate([cell_indexes, np.full(auxiliary, AUXILIARY)])
    return Cnf(literals, starts, cell_indexes, puzzle.cols)


def _classes(puzzle: Puzzle | Regions) -> tuple[int, Ints, Ints, Ints]:
    """Regions classed by their numbers of cells n and of traps k.

    Return `span`, the key k · span + n of each class, the class of each region, and the sizes of the classes.
    """
    # Sorting rows of n and k instead of keys would take ten times as long.
    span = int(puzzle.sizes.max(initial=0)) + 1
    keys, kind, counts = np.unique(
        puzzle.traps * span + puzzle.sizes, return_inverse=True, return_counts=True
    )
    return span, keys, kind, counts


def _offsets(sizes: Ints) -> tuple[Ints, int]:
    """Where each block begins when blocks of these sizes are laid end to end, and where the last one ends."""
    ends = np.cumsum(sizes)
    return ends - sizes, int(ends[-1]) if ends.size else 0


def _stamp(
    puzzle: Puzzle | Regions, templates: list[Template], kind: Ints, variables: tuple[Ints, Ints]
) -> tuple[Literals, Ints]:
    """The clauses of all regions in reading order, written by array operations one template at a time.

    `variables` has the variable of each hidden cell and, for each region, the last before its auxiliary ones.
    """
    of_cell, before_auxiliary = variables
    lengths = [np.array([len(clause) for clause in t.clauses], np.int64) for t in templates]
    literal_at, literal_count = _offsets(np.array([each.sum() for each in lengths], np.int64)[kind])
    clause_at, clause_count = _offsets(np.array([each.size for each in lengths], np.int64)[kind])
    literals = np.empty(literal_count, np.int32)
    starts = np.empty(clause_count + 1, np.int64)
    starts[-1] = literal_count
    for index, pattern in enumerate(templates):
        regions = np.flatnonzero(kind == index)
        size = int(puzzle.sizes[regions[0]])
        last = size + pattern.auxiliary
        # A row for each region: what the template calls literal i is in column i; a negative i counts from
        # the end, where the negated literals are.
        names = np.zeros((regions.size, 2 * last + 1), np.int32)
        names[:, 1 : size + 1] = of_cell[puzzle.cells[puzzle.starts[regions][:, None] + np.arange(size)]]
        names[:, size + 1 : last + 1] = before_auxiliary[regions][:, None] + np.arange(1, last - size + 1)
        names[:, last + 1 :] = -names[:, last:0:-1]
        local = np.array([literal for clause in pattern.clauses for literal in clause], np.int64)
        begin = literal_at[regions][:, None]
        literals[begin + np.arange(local.size)] = names[:, local]
        clause = clause_at[regions][:, None] + np.arange(lengths[index].size)
        starts[clause] = begin + _offsets(lengths[index])[0]
    return literals, starts
