"""A solver of your own: backtracking, cell by cell.

    gemhunter solve sample:9x9 -e ./mine.py                              solve a board with it
    gemhunter trace sample:3x4 -e ./mine.py                              watch every step
    gemhunter bench sample:3x4 sample:9x9 -e ./mine.py -e backtracking   compare it

`solve` gets the board as a list of rows. A cell is "_" (hidden), "T" (a trap), "G" (a gem) or a clue, 0 to 8.
It returns the grid with every "_" replaced by "T" or "G", or None if there is no solution. Each `yield` is a
step, which `trace` shows and `bench` counts; leave them out if you do not need them.
"""


def solve(grid):
    hidden = [(r, c) for r, row in enumerate(grid) for c, cell in enumerate(row) if cell == "_"]
    is_solved = yield from fill(grid, hidden, 0)
    return grid if is_solved else None


def fill(grid, hidden, number):
    """Fill hidden[number] and all later cells; say whether that worked."""
    if number == len(hidden):
        return True
    r, c = hidden[number]
    for value in "TG":
        grid[r][c] = value
        yield f"decide r{r + 1}c{c + 1} = {value}"
        clues = [(i, j) for i, j in around(grid, r, c) if isinstance(grid[i][j], int)]
        if all(can_hold(grid, i, j) for i, j in clues) and (yield from fill(grid, hidden, number + 1)):
            return True
    grid[r][c] = "_"  # neither value works, so an earlier cell is wrong
    yield f"backtrack from r{r + 1}c{c + 1}"
    return False


def can_hold(grid, r, c):
    """Whether a clue still fits the traps and the hidden cells around it."""
    cells = [grid[i][j] for i, j in around(grid, r, c)]
    return cells.count("T") <= grid[r][c] <= cells.count("T") + cells.count("_")


def around(grid, r, c):
    """The up to eight neighbours of a cell."""
    rows, cols = range(max(r - 1, 0), min(r + 2, len(grid))), range(max(c - 1, 0), min(c + 2, len(grid[0])))
    return [(i, j) for i in rows for j in cols if (i, j) != (r, c)]
