"""Reference answers: the rules of SPEC.md in plain loops. Nothing here is shared with the program.

A board is rows of marks (`3`, `_`, `T`, `G`); an assignment is one boolean per hidden cell, in reading
order, true for a trap.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from gemhunter.board.grid import Grid

Marks = list[list[str]]
Place = tuple[int, int]
Assignment = tuple[bool, ...]


def marks_of(grid: Grid) -> Marks:
    """What each cell of `grid` shows."""
    signs = {-1: "_", -2: "T", -3: "G"}
    return [[signs.get(code, str(code)) for code in row] for row in grid.cells.tolist()]


def places(marks: Marks) -> list[Place]:
    """All cells in reading order."""
    return [(row, col) for row in range(len(marks)) for col in range(len(marks[0]))]


def neighbours(marks: Marks, place: Place) -> list[Place]:
    """The up to eight cells around one, in reading order."""
    row, col = place
    around = [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    on_board = [(r, c) for r, c in around if 0 <= r < len(marks) and 0 <= c < len(marks[0])]
    return [other for other in on_board if other != place]


def hidden_places(marks: Marks) -> list[Place]:
    """The cells to fill, in reading order."""
    return [(row, col) for row, col in places(marks) if marks[row][col] == "_"]


def filled_with(marks: Marks, assignment: Assignment) -> Marks:
    """The board with its hidden cells filled in."""
    filled = [list(row) for row in marks]
    for (row, col), is_trap in zip(hidden_places(marks), assignment, strict=True):
        filled[row][col] = "T" if is_trap else "G"
    return filled


def traps_around(marks: Marks, place: Place) -> int:
    """How many neighbours show a trap."""
    return sum(marks[row][col] == "T" for row, col in neighbours(marks, place))


def is_solution(marks: Marks, assignment: Assignment, traps: int | None = None) -> bool:
    """Whether every clue holds, and the total if there is one."""
    filled = filled_with(marks, assignment)
    clues = [(row, col) for row, col in places(marks) if marks[row][col].isdigit()]
    total = sum(row.count("T") for row in filled)
    return all(traps_around(filled, (r, c)) == int(marks[r][c]) for r, c in clues) and traps in (None, total)


def all_solutions(grid: Grid, traps: int | None = None) -> set[Assignment]:
    """Every assignment that is a solution, found by trying them all."""
    marks = marks_of(grid)
    assignments = product((False, True), repeat=len(hidden_places(marks)))
    return {assignment for assignment in assignments if is_solution(marks, assignment, traps)}


def first_by_counting(grid: Grid, signs: str, traps: int | None = None) -> Assignment | None:
    """The first solution that `itertools.product` comes to, and None if there is none.

    `signs` is "GT" or "TG". Only cells are counted that a clue or a total touches; the others are gems.
    """
    marks = marks_of(grid)
    hidden = hidden_places(marks)
    touched = [
        traps is not None or any(marks[r][c].isdigit() for r, c in neighbours(marks, place))
        for place in hidden
    ]
    for values in product(signs, repeat=sum(touched)):
        given = iter(values)
        assignment = tuple(next(given) == "T" if each else False for each in touched)
        if is_solution(marks, assignment, traps):
            return assignment
    return None


def backtracked(
    clauses: Sequence[Sequence[int]], variables: int, *, values: Sequence[bool], prune: bool
) -> tuple[dict[int, bool] | None, int]:
    """Backtracking by recursion: the assignment it ends with, None if there is none, and its nodes.

    The variable is always the first one without a value in clause order; those in no clause come last.
    """
    order = list(
        dict.fromkeys([abs(each) for clause in clauses for each in clause] + [*range(1, variables + 1)])
    )
    given: dict[int, bool] = {}
    nodes = 0

    def holds(literal: int) -> bool:
        return given.get(abs(literal)) == (literal > 0)

    def search() -> bool:
        nonlocal nodes
        if all(any(holds(literal) for literal in clause) for clause in clauses):
            return True
        is_false = any(all(holds(-literal) for literal in clause) for clause in clauses)
        if len(given) == variables or (prune and is_false):
            return False
        variable = next(each for each in order if each not in given)
        for value in values:
            nodes += 1
            given[variable] = value
            if search():
                return True
            del given[variable]
        return False

    return (given if search() else None), nodes


@cache
def all_assignments(cells: int) -> NDArray[np.int8]:
    """Every assignment of `cells` cells, one per row, 1 for a trap."""
    return np.array(list(product((0, 1), repeat=cells)), np.int8).reshape(2**cells, cells)


def solution_table(grid: Grid, traps: int | None = None) -> NDArray[np.int8]:
    """Every solution as a row, 1 for a trap: `all_solutions` for thousands of boards."""
    marks = marks_of(grid)
    cells = {place: number for number, place in enumerate(hidden_places(marks))}
    table = all_assignments(len(cells))
    for row, col in places(marks):
        if marks[row][col].isdigit():
            around = [cells[place] for place in neighbours(marks, (row, col)) if place in cells]
            needed = int(marks[row][col]) - traps_around(marks, (row, col))
            table = table[table[:, around].sum(axis=1) == needed]
    known = sum(row.count("T") for row in marks)
    return table if traps is None else table[table.sum(axis=1) == traps - known]


def solutions_by_traps(grid: Grid) -> dict[int, int]:
    """How many solutions have so many traps on the whole board."""
    known = sum(row.count("T") for row in marks_of(grid))
    return dict(Counter((solution_table(grid).sum(axis=1) + known).tolist()))


def weight(traps: int, cells: int, density: Fraction | None = None) -> Fraction:
    """What a solution weighs that has traps in so many of its hidden cells: 1, or its chance by density."""
    return Fraction(1) if density is None else density**traps * (1 - density) ** (cells - traps)


def marginals(grid: Grid, traps: int | None = None, density: Fraction | None = None) -> list[Fraction] | None:
    """How likely each hidden cell, in reading order, is a trap; None if there is no solution."""
    table = solution_table(grid, traps)
    total, by_cell = Fraction(0), [Fraction(0)] * table.shape[1]
    for amount in range(table.shape[1] + 1):
        some = table[table.sum(axis=1) == amount]
        each = weight(amount, table.shape[1], density)
        total += each * len(some)
        by_cell = [
            so_far + each * more for so_far, more in zip(by_cell, some.sum(axis=0).tolist(), strict=True)
        ]
    return [share / total for share in by_cell] if len(table) else None


def solutions_by_clauses(grid: Grid, traps: int | None = None) -> set[Assignment]:
    """The same by a SAT solver, which is faster: the models of the clues that have the right total."""
    marks = marks_of(grid)
    shown = sum(row.count("T") for row in marks)
    cells = range(1, len(hidden_places(marks)) + 1)
    models = projected_models(binomial_clauses(grid, "hidden"), cells)
    return {model for model in models if traps in (None, shown + sum(model))}


def exactly(cells: Sequence[int], k: int) -> list[list[int]]:
    """U(k,n) and L(k,n): of any k+1 cells one is a gem, of any n-k+1 one is a trap."""
    n = len(cells)
    if not 0 <= k <= n:
        return [[]]
    upper = [[-cell for cell in some] for some in combinations(cells, k + 1)]
    return upper + [list(some) for some in combinations(cells, n - k + 1)]


def binomial_clauses(grid: Grid, variables: str) -> list[list[int]]:
    """The clauses of a board, clue by clue; with `all` variables, unit clauses for shown cells come first."""
    marks = marks_of(grid)
    numbered = places(marks) if variables == "all" else hidden_places(marks)
    variable = {place: number for number, place in enumerate(numbered, 1)}
    shown = [(row, col) for row, col in places(marks) if variables == "all" and marks[row][col] != "_"]
    clauses = [[variable[r, c] if marks[r][c] == "T" else -variable[r, c]] for r, c in shown]
    for row, col in places(marks):
        if marks[row][col].isdigit():
            around = neighbours(marks, (row, col))
            unknown = [variable[r, c] for r, c in around if marks[r][c] == "_"]
            clauses += exactly(unknown, int(marks[row][col]) - traps_around(marks, (row, col)))
    return clauses


def as_set(clauses: Iterable[Iterable[int]]) -> set[frozenset[int]]:
    """Clauses without order and repetition."""
    return {frozenset(clause) for clause in clauses}


def saturated(clauses: Iterable[Iterable[int]], width: int) -> set[frozenset[int]]:
    """All that follows by resolution if one of two clauses has at most `width` literals, the shortest only.

    Any two clauses are resolved for width 0. Ends at the empty clause, if that follows.
    """
    known = shortest(as_set(clauses))
    while True:
        found = set(known)
        for one, other in combinations(known, 2):
            clashing = [literal for literal in one if -literal in other]
            if len(clashing) == 1 and (not width or min(len(one), len(other)) <= width):
                found.add((one | other) - {clashing[0], -clashing[0]})
        found = shortest(found)
        if found == known or frozenset() in found:
            return found
        known = found


def shortest(clauses: set[frozenset[int]]) -> set[frozenset[int]]:
    """The clauses that contain no other one."""
    return {clause for clause in clauses if not any(other < clause for other in clauses)}


def projected_models(clauses: list[list[int]], cells: Sequence[int]) -> set[Assignment]:
    """The models of a formula, as far as the variables `cells` are concerned: find one, forbid it, repeat."""
    models = set()
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        while solver.solve():
            true = set(solver.get_model())
            models.add(tuple(cell in true for cell in cells))
            solver.add_clause([-cell if cell in true else cell for cell in cells])
    return models
