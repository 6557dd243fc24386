"""What the clauses of a board come from, as comments between them."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encode import Numbering, Untouched, encode
from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.templates import template
from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import TOTAL_CLUE, Puzzle, read_puzzle

MOST_CELLS = 8
"""Cells that a comment names; a clue has no more neighbours."""


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

    There is one for each clue, even if other clues have said all its clauses.
    """
    whole = encode(grid, encoding, variables, total=total, keep_duplicates=True, untouched=untouched)
    puzzle = read_puzzle(grid, total)
    counts = _clauses_of_regions(puzzle, encoding)
    shown = int(np.count_nonzero(grid.cells != HIDDEN)) if variables == "all" else 0
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
    for place, clause in enumerate([*clauses.splitlines(keepends=True), ""]):
        lines += [*(f"c {comment}\n" for comment in comments.get(place, ())), clause]
    return "".join([head, problem, *lines])


def _clauses_of_regions(puzzle: Puzzle, encoding: str) -> NDArray[np.int64]:
    regions = zip(puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True)
    return np.array([len(template(encoding, size, traps).clauses) for size, traps in regions], np.int64)


def _first_occurrences(formula: Cnf) -> NDArray[np.bool_]:
    """Whether each clause has not occurred before."""
    seen: set[tuple[int, ...]] = set()
    keeps = np.ones(formula.size, bool)
    for place, clause in enumerate(map(tuple, formula.clauses())):
        keeps[place] = clause not in seen
        seen.add(clause)
    return keeps


def _region_text(grid: Grid, puzzle: Puzzle, region: int) -> str:
    """What a clue, or the total, says about the unknown cells."""
    place, traps, cells = puzzle.clues[region], int(puzzle.traps[region]), puzzle.region(region)
    what = f"total {puzzle.total}"
    if place != TOTAL_CLUE:
        cell = grid.cell(place)
        what = f"clue {grid[cell]} at {cell}"
    count = counted(cells.size, "unknown cell")
    verb = "is a trap" if traps == 1 else "are traps"
    names = f": {' '.join(str(grid.cell(puzzle.hidden[each])) for each in cells)}"
    return f"{what}: {traps} of {count} {verb}" + (names if 0 < cells.size <= MOST_CELLS else "")
