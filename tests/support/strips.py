"""Counts the solutions of boards with few rows, column by column: an oracle that reaches large numbers."""

from collections import Counter
from itertools import product

from gemhunter.board.grid import HIDDEN, TRAP, Grid

Column = tuple[int, ...]


def counts_of_strip(grid: Grid) -> dict[int, int]:
    """The number of solutions for each number of traps that occurs, ascending."""
    nothing: Column = (0,) * grid.rows
    ways = {(nothing, column): Counter({sum(column): 1}) for column in _columns(grid, 0)}
    for col in range(grid.cols):
        after = _columns(grid, col + 1) if col + 1 < grid.cols else [nothing]
        reached: dict[tuple[Column, Column], Counter[int]] = {}
        for ((left, middle), counts), right in product(ways.items(), after):
            if _holds(grid, col, (left, middle, right)):
                target = reached.setdefault((middle, right), Counter())
                for traps, number in counts.items():
                    target[traps + sum(right)] += number
        ways = reached
    total = sum((counts for counts in ways.values()), Counter[int]())
    return dict(sorted(total.items()))


def _columns(grid: Grid, col: int) -> list[Column]:
    """Every way to fill a column, 1 for a trap."""
    codes = grid.cells[:, col].tolist()
    return list(product(*[(0, 1) if code == HIDDEN else (int(code == TRAP),) for code in codes]))


def _holds(grid: Grid, col: int, columns: tuple[Column, Column, Column]) -> bool:
    for row, clue in enumerate(grid.cells[:, col].tolist()):
        around = sum(sum(column[max(0, row - 1) : row + 2]) for column in columns)
        if clue >= 0 and clue != around:
            return False
    return True
