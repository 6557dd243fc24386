"""From a grid to clauses, and back from clauses to the clues they come from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, require_grid
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, Regions, read_puzzle, untouched_cells
from gemhunter.cnf.encodings import (
    LARGEST_COMBINED,
    Clause,
    Template,
    binomial_clauses,
    most_literals,
    require_encoding,
    template,
)
from gemhunter.cnf.formula import AUXILIARY, Cnf, ListedCnf, Literals, without_duplicates
from gemhunter.errors import InputError, TooLargeError
from gemhunter.jit.arrays import Ints
from gemhunter.printable import counted

# From a grid to clauses.


Numbering = Literal["hidden", "all", "places"]
"""`hidden`: hidden cells are 1..n in reading order. `all`: row r, column c, from 0, is r·C + c + 1, and what
is shown there has a unit clause. `places`: the same numbers, without unit clauses for clues."""

Untouched = Literal["none", "units"]
"""`units`: a unit clause makes a gem of each hidden cell that no clue touches. `none`: it can be either."""

BYTES_PER_LITERAL = 26
"""What encoding holds at its peak, while it looks for duplicates; a test measures it."""

LISTED_CELLS = 1000
"""Boards with fewer are encoded by lists, which takes less time than dozens of NumPy calls."""

BYTES_PER_TEMPLATE_LITERAL = 90
"""The template of a total is large itself, and is made of Python's tuples."""


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

    With `variables="all"` there is one more unit clause for every clue and for every cell that is given, with
    `"places"` only for the cells that are given.
    With `untouched="units"` one more at the end for every hidden cell that no clue touches: the models are
    the solutions in which these cells are gems. A total counts these cells, so the two do not go together.
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
    """The indexes of the cells that get a unit clause because no clue touches them."""
    if untouched not in ("none", "units"):
        raise ValueError(f"untouched is 'none' or 'units', not {untouched!r}")
    if untouched == "none":
        return puzzle.hidden[:0]
    if puzzle.total is not None:
        raise InputError(
            "a total may need traps in cells that no clue touches, so they cannot get unit clauses that make "
            "gems of them; leave out the total or the unit clauses"
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
    """The binomial clauses that `_encode` makes, in its order, by plain Python.

    A small board is encoded, solved and checked in the time that dozens of small NumPy arrays take. Tests
    hold the two ways against each other.
    """
    hidden, auxiliary = puzzle.hidden, 0
    clauses: list[Clause] = []
    for cells, traps in puzzle.listed:
        if len(cells) <= LARGEST_COMBINED and 0 <= traps <= len(cells):
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
    """An upper bound on the bytes that `encode_puzzle` holds at its peak, found without encoding anything."""
    span, keys, _, counts = _classes(puzzle)
    total = 0
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        n, k = key % span, key // span
        literals = most_literals(encoding, n, k)
        template_bytes = BYTES_PER_TEMPLATE_LITERAL * literals if n > LARGEST_COMBINED else 0
        total += BYTES_PER_LITERAL * count * literals + template_bytes
    return total


def _encode(
    puzzle: Puzzle | Regions,
    encoding: str,
    *,
    cell_indexes: Ints,
    units: tuple[Ints, Ints],
    keep_duplicates: bool,
) -> Cnf:
    """The formula over the cells at `cell_indexes`, ascending; `units` are unit clauses, first and last."""
    require_encoding(encoding)
    templates, kind = _templates_of(puzzle, encoding)
    first_auxiliary, auxiliary = _offsets(np.array([t.auxiliary for t in templates], np.int64)[kind])
    names = _Names(np.searchsorted(cell_indexes, puzzle.hidden) + 1, first_auxiliary + cell_indexes.size)
    literals, starts = _stamp(puzzle, templates, kind, names)
    first, last = (each.astype(np.int32) for each in units)
    literals = np.concatenate([first, literals, last])
    ends = literals.size - last.size + np.arange(1, last.size + 1)
    starts = np.concatenate([np.arange(first.size), starts + first.size, ends])
    if not keep_duplicates:
        literals, starts = without_duplicates(literals, starts)
    cell_indexes = np.concatenate([cell_indexes, np.full(auxiliary, AUXILIARY)])
    return Cnf(literals, starts, cell_indexes, puzzle.cols)


@dataclass(frozen=True, slots=True, eq=False)
class _Names:
    """The variable of each hidden cell, and the last one before each region's auxiliary variables."""

    of_cell: Ints
    before_auxiliary: Ints

    def of_regions(self, puzzle: Puzzle | Regions, regions: Ints, auxiliary: int) -> Literals:
        """One row per region, all of one size: the literal that its template calls i is in column i.

        That holds for negative i too, which count from the end.
        """
        size = int(puzzle.sizes[regions[0]])
        last = size + auxiliary
        names = np.zeros((regions.size, 2 * last + 1), np.int32)
        names[:, 1 : size + 1] = self.of_cell[puzzle.cells[puzzle.starts[regions][:, None] + np.arange(size)]]
        names[:, size + 1 : last + 1] = self.before_auxiliary[regions][:, None] + np.arange(1, auxiliary + 1)
        names[:, last + 1 :] = -names[:, last:0:-1]
        return names


def _templates_of(puzzle: Puzzle | Regions, encoding: str) -> tuple[list[Template], Ints]:
    """The different templates in use, and which of them each region takes."""
    span, keys, kind, _ = _classes(puzzle)
    classes = zip((keys % span).tolist(), (keys // span).tolist(), strict=True)
    return [template(encoding, n, k) for n, k in classes], kind


def _classes(puzzle: Puzzle | Regions) -> tuple[int, Ints, Ints, Ints]:
    """The different k · span + n of regions that have k traps among n cells; each region's, and how many."""
    # One number per (size, traps) instead of rows of two: sorting rows takes ten times as long.
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
    puzzle: Puzzle | Regions, templates: list[Template], kind: Ints, names: _Names
) -> tuple[Literals, Ints]:
    """The clauses of all regions in reading order, written by array operations one template at a time."""
    lengths = [np.array([len(clause) for clause in t.clauses], np.int64) for t in templates]
    literal_at, literal_count = _offsets(np.array([each.sum() for each in lengths], np.int64)[kind])
    clause_at, clause_count = _offsets(np.array([each.size for each in lengths], np.int64)[kind])
    literals = np.empty(literal_count, np.int32)
    starts = np.empty(clause_count + 1, np.int64)
    starts[-1] = literal_count
    for index, pattern in enumerate(templates):
        regions = np.flatnonzero(kind == index)
        local = np.array([literal for clause in pattern.clauses for literal in clause], np.int64)
        begin = literal_at[regions][:, None]
        written = names.of_regions(puzzle, regions, pattern.auxiliary)[:, local]
        literals[begin + np.arange(local.size)] = written
        clause = clause_at[regions][:, None] + np.arange(lengths[index].size)
        starts[clause] = begin + _offsets(lengths[index])[0]
    return literals, starts


# What the clauses of a board come from: comments between them, and how many each clue has.


MOST_NAMED_CELLS = 8
"""Cells that a comment names; a clue has no more neighbours."""

LARGEST_COUNTED_BYTES = 500_000_000
"""Boards whose clauses take more are not encoded only to count them."""


def clause_comments(
    grid: Grid,
    encoding: str = "binomial",
    variables: Numbering = "hidden",
    *,
    total: int | None = None,
    keep_duplicates: bool = False,
    untouched: Untouched = "none",
) -> dict[int, list[str]]:
    """Comments for the formula of `encode` with these arguments, by the clause that they stand before.

    Each clue has one, even if all its clauses repeat those of other clues.
    """
    whole = encode(grid, encoding, variables, total=total, keep_duplicates=True, untouched=untouched)
    puzzle = read_puzzle(grid, total)
    counts = _clauses_of_regions(puzzle, encoding)
    shown = int(np.count_nonzero(has_unit(grid, variables)))
    texts = [
        "cells that are shown: a trap is true, all others are false",
        *(_region_text(grid, puzzle, region) for region in range(counts.size)),
        "unknown cells that no clue touches: they are gems",
    ]
    sizes = np.array([shown, *counts, whole.size - shown - counts.sum()])
    keeps = np.ones(whole.size, bool) if keep_duplicates else _first_occurrences(whole)
    kept = np.concatenate([[0], np.cumsum(keeps)])
    begins = kept[np.concatenate([[0], np.cumsum(sizes)])]
    comments: dict[int, list[str]] = {}
    for text, size, begin, end in zip(texts, sizes, begins[:-1], begins[1:], strict=True):
        if size:
            repeated = "" if end > begin else "; its clauses have occurred above"
            comments.setdefault(int(begin), []).append(f"{text}{repeated}")
    return comments


def with_comments(dimacs: str, comments: Mapping[int, Sequence[str]]) -> str:
    """The formula that `write_dimacs` wrote, a line per clause, with comments before some of the clauses."""
    head, problem, clauses = re.split(r"^(p cnf .*\n)", dimacs, maxsplit=1, flags=re.M)
    lines: list[str] = []
    for number, clause in enumerate([*clauses.splitlines(keepends=True), ""]):
        lines += [*(f"c {comment}\n" for comment in comments.get(number, ())), clause]
    return "".join([head, problem, *lines])


def _clauses_of_regions(puzzle: Puzzle, encoding: str) -> NDArray[np.int64]:
    regions = zip(puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True)
    return np.array([len(template(encoding, size, traps).clauses) for size, traps in regions], np.int64)


def _first_occurrences(formula: Cnf) -> NDArray[np.bool_]:
    """Whether each clause has not occurred before."""
    seen: set[tuple[int, ...]] = set()
    keeps = np.ones(formula.size, bool)
    for number, clause in enumerate(map(tuple, formula.clauses())):
        keeps[number] = clause not in seen
        seen.add(clause)
    return keeps


def _region_text(grid: Grid, puzzle: Puzzle, region: int) -> str:
    """What a clue, or the total, says about the hidden cells."""
    index, traps, cells = puzzle.clues[region], int(puzzle.traps[region]), puzzle.region(region)
    what = f"total {puzzle.total}"
    if index != TOTAL_CLUE:
        cell = grid.cell(index)
        what = f"clue {grid[cell]} at {cell}"
    count = counted(cells.size, "unknown cell")
    verb = "is a trap" if traps == 1 else "are traps"
    names = f": {' '.join(str(grid.cell(puzzle.hidden[each])) for each in cells)}"
    return f"{what}: {traps} of {count} {verb}" + (names if 0 < cells.size <= MOST_NAMED_CELLS else "")


@dataclass(frozen=True, slots=True)
class ClueClauses:
    """A clue with `hidden` cells next to it, of which `traps` are traps: n and k of its clauses.

    Known traps and gems next to it are not counted.
    """

    cell: Cell
    clue: int
    hidden: int
    traps: int

    @property
    def upper(self) -> int:
        """The clauses of U(k,n), of any k+1 cells one is a gem; the empty one for a k below 0."""
        return comb(self.hidden, self.traps + 1) if self.traps >= 0 else 1

    @property
    def lower(self) -> int:
        """The clauses of L(k,n), of any n-k+1 cells one is a trap; the empty one for a k above n."""
        return comb(self.hidden, self.hidden - self.traps + 1) if self.traps <= self.hidden else 1

    @property
    def clauses(self) -> int:
        """All clauses of the clue."""
        return self.upper + self.lower


@dataclass(frozen=True, slots=True)
class ListedClauses:
    """The clauses of one clue in terms of cells.

    Of the cells of each clause in `upper` one is a gem, of those in `lower` one is a trap.
    """

    clue: ClueClauses
    upper: tuple[tuple[Cell, ...], ...]
    lower: tuple[tuple[Cell, ...], ...]


def clauses_of_clue(grid: Grid, cell: tuple[int, int]) -> ListedClauses:
    """The binomial clauses of a clue; one that cannot hold has an empty clause."""
    clue = grid.on_board(cell)
    if grid[clue] < 0:
        raise InputError(f"{clue} shows no clue")
    around = list(grid.around(clue))
    hidden = [near for near in around if grid[near] == HIDDEN]
    traps = grid[clue] - sum(grid[near] == TRAP for near in around)
    upper = combinations(hidden, traps + 1) if traps >= 0 else ((),)
    lower = combinations(hidden, len(hidden) - traps + 1) if traps <= len(hidden) else ((),)
    return ListedClauses(ClueClauses(clue, grid[clue], len(hidden), traps), tuple(upper), tuple(lower))


@dataclass(frozen=True, slots=True)
class ClauseSum:
    """The clauses of a board, duplicates included, by what they come from."""

    clues: tuple[ClueClauses, ...]
    shown: int
    """Unit clauses of cells that are shown."""
    untouched: int
    """Hidden cells that no clue touches."""
    untouched_units: int
    """Unit clauses of those."""
    of_total: int
    """Clauses of the total."""
    distinct: int
    """All clauses without duplicates, as `encode` writes them."""

    @property
    def of_clues(self) -> int:
        """The clauses of all clues."""
        return sum(each.clauses for each in self.clues)

    @property
    def total(self) -> int:
        """All clauses, duplicates included."""
        return self.of_clues + self.shown + self.untouched_units + self.of_total


def clause_sum(
    grid: Grid,
    variables: Numbering = "hidden",
    *,
    total: int | None = None,
    untouched: Untouched = "none",
) -> ClauseSum:
    """The sum behind the binomial clauses of `encode` with these arguments."""
    formula = encode(grid, variables=variables, total=total, untouched=untouched)
    clues = tuple(_clues(grid))
    shown = int(np.count_nonzero(has_unit(grid, variables)))
    free = int(np.count_nonzero(untouched_cells(read_puzzle(grid))))
    of_total = 0
    if total is not None:
        with_total = encode(grid, variables=variables, total=total, keep_duplicates=True).size
        of_total = with_total - encode(grid, variables=variables, keep_duplicates=True).size
    units = free if untouched == "units" else 0
    return ClauseSum(clues, shown, free, units, of_total, formula.size)


@dataclass(frozen=True, slots=True)
class ClauseCounts:
    """How many clauses a board has in the default encoding, and in that of S4.

    `default` are the clauses that `gemhunter cnf BOARD` writes: the unknown cells are the variables, and no
    clause occurs twice. `s4` has a variable for every cell, a unit clause for each cell that is shown, and
    keeps duplicates. Both are None if there are too many clauses to count.
    """

    default: int | None
    s4: int | None


def count_clauses(grid: Grid, total: int | None = None) -> ClauseCounts:
    """How many clauses a board has."""
    puzzle = read_puzzle(grid, total)
    if encoding_bytes(puzzle) > LARGEST_COUNTED_BYTES:
        return ClauseCounts(None, None)
    try:
        whole = encode_puzzle(puzzle, keep_duplicates=True).size
        shown = int(np.count_nonzero(has_unit(grid, "all")))
        return ClauseCounts(encode_puzzle(puzzle).size, whole + shown)
    except TooLargeError:  # a total of too many traps
        return ClauseCounts(None, None)


def _clues(grid: Grid) -> Iterator[ClueClauses]:
    puzzle = read_puzzle(grid)
    columns = (puzzle.clues.tolist(), puzzle.sizes.tolist(), puzzle.traps.tolist())
    for index, hidden, needed in zip(*columns, strict=True):
        cell = grid.cell(index)
        yield ClueClauses(cell, grid[cell], hidden, needed)
