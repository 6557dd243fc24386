"""Our array encoder against the loop one would write first. Target: ten times as fast on 300×300."""

import argparse
from itertools import combinations

from boards import random_board
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.cnf.encode import encode
from timing import median_seconds, print_table

Clause = tuple[int, ...]


def neighbours_of(cell: Cell, grid: Grid) -> list[Cell]:
    """The cells around `cell` that lie on the board."""
    return [
        Cell(row, col)
        for row in range(max(cell.row - 1, 0), min(cell.row + 2, grid.rows))
        for col in range(max(cell.col - 1, 0), min(cell.col + 2, grid.cols))
        if (row, col) != cell
    ]


def clauses_by_loop(grid: Grid, *, keep_duplicates: bool) -> list[Clause]:
    """The binomial clauses of `grid`, clue by clue, for boards without given traps."""
    rows = grid.cells.tolist()
    hidden = (Cell(r, c) for r, row in enumerate(rows) for c, code in enumerate(row) if code == HIDDEN)
    variable = {cell: number for number, cell in enumerate(hidden, 1)}
    clauses: list[Clause] = []
    seen: set[Clause] = set()
    for r, row in enumerate(rows):
        for c, traps in enumerate(row):
            if traps == HIDDEN:
                continue
            region = [variable[cell] for cell in neighbours_of(Cell(r, c), grid) if cell in variable]
            upper = combinations([-cell for cell in region], traps + 1)
            lower = combinations(region, len(region) - traps + 1)
            for combination in (*upper, *lower):
                clause = tuple(sorted(combination))
                if keep_duplicates:
                    clauses.append(clause)
                elif clause not in seen:
                    seen.add(clause)
                    clauses.append(clause)
    return clauses


def require_same_clauses(grid: Grid, *, keep_duplicates: bool) -> int:
    """How many clauses both write; raises if they are not the same ones."""
    ours = [tuple(sorted(c)) for c in encode(grid, keep_duplicates=keep_duplicates).clauses()]
    loop = clauses_by_loop(grid, keep_duplicates=keep_duplicates)
    if sorted(ours) != sorted(loop):
        raise AssertionError("the array encoder and the loop write different clauses")
    return len(loop)


def measured(size: int, repeats: int, *, keep_duplicates: bool) -> list[str]:
    """One row of the table."""
    grid = random_board(size).grid
    clauses = require_same_clauses(grid, keep_duplicates=keep_duplicates)
    loop = median_seconds(lambda: clauses_by_loop(grid, keep_duplicates=keep_duplicates), repeats)
    arrays = median_seconds(lambda: encode(grid, keep_duplicates=keep_duplicates), repeats)
    lists = median_seconds(lambda: encode(grid, keep_duplicates=keep_duplicates).clauses(), repeats)
    name = f"{size}×{size}, duplicates {'kept' if keep_duplicates else 'removed'}"
    return [
        *(name, f"{clauses:,}", f"{loop:.3f}", f"{arrays:.3f}", f"{loop / arrays:.1f}"),
        *(f"{lists:.3f}", f"{loop / lists:.1f}"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 300], help="rows and columns")
    parser.add_argument("--repeats", type=int, default=5, help="the median of this many runs is shown")
    options = parser.parse_args()
    header = ["20 % traps, 50 % shown", "clauses", "loop s", "arrays s", "ratio", "with lists s", "ratio"]
    print_table(
        header,
        [
            measured(size, options.repeats, keep_duplicates=keep)
            for size in options.sizes
            for keep in (False, True)
        ],
    )


if __name__ == "__main__":
    main()
