"""The clauses of a grid, and the clues that they come from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, require_grid
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, Regions, read_puzzle, untouched_cells
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
from gemhunter.errors import InputError, TooLargeError
from gemhunter.jit.kernel import Ints
from gemhunter.printable import counted

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


# Where the clauses of a board come from: comments between them, and how many each clue has.


def clause_comments(
    grid: Grid,
    encoding: str = "binomial",
    variables: Numbering = "hidden",
    *,
    total: int | None = None,
    keep_duplicates: bool = False,
    untouched: Untouched = "none",
) -> dict[int, list[str]]:
    """Comments for the formula that `encode` makes with these arguments, by the clause that they precede.

    Every clue has one, even if all its clauses repeat those of other clues.
    """
    whole = encode(grid, encoding, variables, total=total, keep_duplicates=True, untouched=untouched)
    puzzle = read_puzzle(grid, total)
    regions = zip(puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True)
    counts = np.array([len(template(encoding, size, traps).clauses) for size, traps in regions], np.int64)
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
            repeated = "" if end > begin else "; all its clauses already appear above"
            comments.setdefault(int(begin), []).append(f"{text}{repeated}")
    return comments


def with_comments(dimacs: str, comments: Mapping[int, Sequence[str]]) -> str:
    """The text of `write_dimacs`, which has a line per clause, with comments before some of the clauses."""
    head, problem, clauses = re.split(r"^(p cnf .*\n)", dimacs, maxsplit=1, flags=re.M)
    lines: list[str] = []
    for number, clause in enumerate([*clauses.splitlines(keepends=True), ""]):
        lines += [*(f"c {comment}\n" for comment in comments.get(number, ())), clause]
    return "".join([head, problem, *lines])


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
    clue = grid.cell(index)
    what = f"total {puzzle.total}" if index == TOTAL_CLUE else f"clue {grid[clue]} at {clue}"
    are_traps = "is a trap" if traps == 1 else "are traps"
    text = f"{what}: {traps} of {counted(cells.size, 'unknown cell')} {are_traps}"
    if not 0 < cells.size <= 8:  # a clue has at most eight cells; those of the total are not named
        return text
    return f"{text}: {' '.join(str(grid.cell(puzzle.hidden[cell])) for cell in cells)}"


@dataclass(frozen=True, slots=True)
class ClueClauses:
    """A clue next to `hidden` cells, `traps` of which are traps; known traps and gems do not count."""

    cell: Cell
    clue: int
    hidden: int
    traps: int

    @property
    def upper(self) -> int:
        """How many clauses U(k,n) has: of any k+1 cells one is a gem. For k < 0, only the empty clause."""
        return comb(self.hidden, self.traps + 1) if self.traps >= 0 else 1

    @property
    def lower(self) -> int:
        """How many clauses L(k,n) has: of any n-k+1 cells one is a trap. For k > n, only the empty clause."""
        return comb(self.hidden, self.hidden - self.traps + 1) if self.traps <= self.hidden else 1

    @property
    def clauses(self) -> int:
        """How many clauses the clue has."""
        return self.upper + self.lower


@dataclass(frozen=True, slots=True)
class ListedClauses:
    """The clauses of one clue: of each tuple in `upper` one cell is a gem, in `lower` one is a trap."""

    clue: ClueClauses
    upper: tuple[tuple[Cell, ...], ...]
    lower: tuple[tuple[Cell, ...], ...]


def clauses_of_clue(grid: Grid, cell: tuple[int, int]) -> ListedClauses:
    """The binomial clauses of a clue; a clue that cannot hold has an empty one."""
    clue = grid.on_board(cell)
    if grid[clue] < 0:
        raise InputError(f"{clue} shows no clue")
    around = grid.around(clue)
    hidden = [near for near in around if grid[near] == HIDDEN]
    traps = grid[clue] - sum(grid[near] == TRAP for near in around)
    upper = combinations(hidden, traps + 1) if traps >= 0 else ((),)
    lower = combinations(hidden, len(hidden) - traps + 1) if traps <= len(hidden) else ((),)
    return ListedClauses(ClueClauses(clue, grid[clue], len(hidden), traps), tuple(upper), tuple(lower))


@dataclass(frozen=True, slots=True)
class ClauseSum:
    """How many clauses a board has, by where they come from; duplicates count unless stated."""

    clues: tuple[ClueClauses, ...]
    shown: int
    """Unit clauses of cells that are not hidden."""
    untouched: int
    """Hidden cells that no clue touches."""
    untouched_units: int
    """Unit clauses of hidden cells that no clue touches."""
    of_total: int
    """Clauses of the total."""
    distinct: int
    """All clauses without duplicates, as `encode` writes them."""

    @property
    def of_clues(self) -> int:
        """Clauses of all clues."""
        return sum(clue.clauses for clue in self.clues)

    @property
    def total(self) -> int:
        """All clauses, duplicates included."""
        return self.of_clues + self.shown + self.untouched_units + self.of_total


def clause_sum(
    grid: Grid, variables: Numbering = "hidden", *, total: int | None = None, untouched: Untouched = "none"
) -> ClauseSum:
    """How many binomial clauses `encode` makes with these arguments, and where they come from."""
    formula = encode(grid, variables=variables, total=total, untouched=untouched)
    puzzle = read_puzzle(grid)
    regions = zip(puzzle.clues.tolist(), puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True)
    clues = tuple(
        ClueClauses(grid.cell(index), grid[grid.cell(index)], hidden, traps)
        for index, hidden, traps in regions
    )
    shown = int(np.count_nonzero(has_unit(grid, variables)))
    free = int(np.count_nonzero(untouched_cells(puzzle)))
    of_total = 0
    if total is not None:
        with_total = encode(grid, variables=variables, total=total, keep_duplicates=True).size
        of_total = with_total - encode(grid, variables=variables, keep_duplicates=True).size
    units = free if untouched == "units" else 0
    return ClauseSum(clues, shown, free, units, of_total, formula.size)


@dataclass(frozen=True, slots=True)
class ClauseCounts:
    """How many clauses a board has by default and in the encoding of S4; None if there are too many to count.

    By default, as in `gemhunter cnf BOARD`, only unknown cells are variables and no clause occurs twice. S4
    has a variable for every cell and a unit clause for each that is not hidden, and keeps duplicates.
    """

    default: int | None
    s4: int | None


def count_clauses(grid: Grid, total: int | None = None) -> ClauseCounts:
    """How many clauses a board has."""
    puzzle = read_puzzle(grid, total)
    if encoding_bytes(puzzle) > 500_000_000:  # too much for a mere count
        return ClauseCounts(None, None)
    try:
        whole = encode_puzzle(puzzle, keep_duplicates=True).size
        shown = int(np.count_nonzero(has_unit(grid, "all")))
        return ClauseCounts(encode_puzzle(puzzle).size, whole + shown)
    except TooLargeError:  # a total of too many traps
        return ClauseCounts(None, None)
