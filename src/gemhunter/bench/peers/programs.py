"""Other people's libraries, used as their manuals show: what one writes first, in plain Python.

A board is rows of marks: a clue, `_`, `T` or `G`. Nothing here uses the rest of this package.
"""

from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Marks = list[list[str]]

Place = tuple[int, int]

Equation = tuple[list[int], int]
"""Numbers of cells, and how many of these cells are traps."""

MS_TOOLLIB_HIDDEN = 10
"""What ms_toollib calls a cell that has not been looked at."""

MULTI_PUZZLE_MARKS = {"_": " ", "T": "M", "G": "S"}
"""What multi-puzzle-solver calls a hidden cell, a trap and a gem."""


def solve_with_pysat(solver: str, rows: Marks, total: int | None) -> Marks | None:
    """The filled board, or None if it has no solution: binomial clauses and one of PySAT's solvers."""
    from pysat.solvers import Solver

    numbers = _numbers(rows)
    clauses = _clauses(rows, numbers, total)
    if clauses is None:
        return None
    with Solver(name=solver, bootstrap_with=clauses) as search:
        if not search.solve():
            return None
        traps = {literal for literal in search.get_model() if literal > 0}
    return _filled(rows, numbers, traps)


def solve_with_cp_sat(rows: Marks, total: int | None) -> Marks | None:
    """The filled board, or None if it has no solution: one equation per clue, one worker."""
    from ortools.sat.python import cp_model

    numbers = _numbers(rows)
    model = cp_model.CpModel()
    cells = [model.new_bool_var("") for _ in numbers]
    for around, traps in _equations(rows, numbers, total):
        model.add(cp_model.LinearExpr.sum([cells[cell - 1] for cell in around]) == traps)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return _filled(rows, numbers, {cell for cell, var in enumerate(cells, 1) if solver.value(var)})


def count_with_pyganak(rows: Marks, total: int | None) -> int:
    """The number of models of the binomial clauses, counted over the cells."""
    from pyganak import Counter

    numbers = _numbers(rows)
    clauses = _clauses(rows, numbers, total)
    if clauses is None:
        return 0
    variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
    counter = Counter()
    counter.new_vars(max(variables, len(numbers)))
    counter.add_clauses(clauses)
    if variables > len(numbers):
        counter.set_sampling_set(range(1, len(numbers) + 1))
    return int(counter.count())


def probabilities_with_ms_toollib(rows: list[list[int]], total: int) -> list[list[float]]:
    """The probability of each cell to be a trap."""
    import ms_toollib

    values, _ = ms_toollib.cal_probability_onboard(rows, float(total))
    return list(values)


def certain_with_multi_puzzle_solver(
    board: "NDArray[np.str_]", total: int | None
) -> tuple[set[Place], set[Place]] | None:
    """The safe cells and the traps that are certain next to what is shown; None if there is no solution."""
    from puzzle_solver import minesweeper_solver

    try:
        safe, traps, _ = minesweeper_solver.give_next_guess(board, total, verbose=False)
    except ValueError:  # its word for a board without a solution
        return None
    return {(cell.y, cell.x) for cell in safe}, {(cell.y, cell.x) for cell in traps}


def _numbers(rows: Marks) -> dict[Place, int]:
    """A number for each unknown cell, in reading order from 1."""
    unknown = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "_"]
    return {place: number for number, place in enumerate(unknown, 1)}


def _equations(rows: Marks, numbers: dict[Place, int], total: int | None) -> list[Equation]:
    """An equation per clue, and one for the total."""
    found: list[Equation] = []
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark.isdigit():
                near = [(r + down, c + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
                cells = [numbers[place] for place in near if place in numbers]
                found.append((cells, int(mark) - _known_traps(rows, near)))
    if total is not None:
        known = sum(row.count("T") for row in rows)
        found.append((list(numbers.values()), total - known))
    return found


def _known_traps(rows: Marks, near: list[Place]) -> int:
    return sum(0 <= r < len(rows) and 0 <= c < len(rows[0]) and rows[r][c] == "T" for r, c in near)


def _clauses(rows: Marks, numbers: dict[Place, int], total: int | None) -> list[list[int]] | None:
    """The binomial clauses of all clues; the total as PySAT's sequential counter. None if one cannot hold."""
    clauses: list[list[int]] = []
    for cells, traps in _equations(rows, numbers, None):
        if not 0 <= traps <= len(cells):
            return None
        clauses += [[-cell for cell in some] for some in combinations(cells, traps + 1)]
        clauses += [list(some) for some in combinations(cells, len(cells) - traps + 1)]
    if total is not None:
        left = total - sum(row.count("T") for row in rows)
        if not 0 <= left <= len(numbers):
            return None
        clauses += _exactly(list(numbers.values()), left)
    return clauses


def _exactly(cells: list[int], traps: int) -> list[list[int]]:
    from pysat.card import CardEnc, EncType

    if not cells:
        return []
    made: Any = CardEnc.equals(lits=cells, bound=traps, top_id=len(cells), encoding=EncType.seqcounter)
    return list(made.clauses)


def _filled(rows: Marks, numbers: dict[Place, int], traps: set[int]) -> Marks:
    """The rows with every unknown cell filled in."""
    filled = [list(row) for row in rows]
    for (r, c), cell in numbers.items():
        filled[r][c] = "T" if cell in traps else "G"
    return filled
