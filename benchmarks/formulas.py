"""The formulas that SAT solvers are compared on: families that take real conflict analysis."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from boards import diagonal_lattice, even_lattice, random_board_with_total
from gemhunter.bench.suites import BenchBoard
from gemhunter.board.board import grid_from_traps, random_traps
from gemhunter.board.grid import GEM, HIDDEN, Grid
from gemhunter.cnf.encode import encode
from gemhunter.cnf.formula import AUXILIARY, Cnf
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Refuted


def alternating_sum(rows: int, cols: int, seed: int) -> BenchBoard:
    """Clues on every second cell of every second row, one of them changed by 1.

    Taken with alternating signs they come to 0 on every board with a solution, so this one has none.
    """
    row, col = np.indices((2 * rows - 1, 2 * cols - 1))
    clues = (row % 2 == 0) & (col % 2 == 0)
    codes = grid_from_traps(random_traps(2 * rows - 1, 2 * cols - 1, 0.5, seed) & ~clues, clues).cells.copy()
    random = np.random.default_rng([seed, 1])
    cell = 2 * random.integers(1, rows - 1), 2 * random.integers(1, cols - 1)
    codes[cell] += 1 if codes[cell] < 8 else -1
    return BenchBoard(f"alternating sum {rows}×{cols}, seed {seed}", Grid(codes))


def mutilated(rows: int, cols: int, seed: int) -> BenchBoard:
    """A chessboard without two squares of one colour, to be covered with dominoes.

    Squares are clues 1, the unknown cells between two of them say whether a domino lies there.
    """
    random = np.random.default_rng(seed)
    squares = [(row, col) for row in range(rows) for col in range(cols) if (row + col) % 2 == seed % 2]
    missing = {squares[index] for index in random.choice(len(squares), 2, replace=False)}
    codes = np.full((2 * rows - 1, 2 * cols - 1), GEM, np.int8)
    there = np.ones((rows, cols), bool)
    for row, col in missing:
        there[row, col] = False
    codes[::2, ::2][there] = 1
    codes[::2, 1::2][there[:, :-1] & there[:, 1:]] = HIDDEN
    codes[1::2, ::2][there[:-1] & there[1:]] = HIDDEN
    return BenchBoard(f"mutilated {rows}×{cols}, seed {seed}", Grid(codes))


def random_3sat(variables: int, seed: int, ratio: float = 4.26) -> Cnf:
    """Clauses of three different variables each; at this ratio about half of such formulas have a model."""
    random = np.random.default_rng([variables, seed])
    clauses = round(ratio * variables)
    chosen = np.argsort(random.random((clauses, variables)), axis=1)[:, :3] + 1
    literals = (chosen * random.choice([-1, 1], chosen.shape)).astype(np.int32).ravel()
    return Cnf(literals, np.arange(0, 3 * clauses + 1, 3), np.full(variables, AUXILIARY), 1)


def least_total(board: BenchBoard) -> BenchBoard:
    """A board with the least total that it can have, in place of its own."""
    total = board.total
    assert total is not None
    while not isinstance(solve(board.grid, total=total - 1).outcome, Refuted):
        total -= 1
    return replace(board, name=f"{board.name}, least {total}", total=total)


def one_below(board: BenchBoard) -> BenchBoard:
    """A board with a total of one trap fewer than it can have."""
    least = least_total(board)
    assert least.total is not None
    return replace(least, name=f"{board.name}, one below least", total=least.total - 1)


def _clauses(board: BenchBoard) -> Cnf:
    return encode(board.grid, total=board.total)


FAMILIES: Mapping[str, Callable[[int], Cnf]] = MappingProxyType(
    {
        "random 3-SAT, 150-250": lambda i: random_3sat(150 + 25 * (i % 5), i),
        "even lattice, 40-100": lambda i: _clauses(even_lattice(40 + 15 * (i % 5), i)),
        "diagonal lattice, 60-180": lambda i: _clauses(diagonal_lattice(60 + 30 * (i % 5), i)),
        "least total, 14-22": lambda i: _clauses(
            least_total(random_board_with_total(14 + 2 * (i % 5), seed=i))
        ),
        "one below, 14-22": lambda i: _clauses(one_below(random_board_with_total(14 + 2 * (i % 5), seed=i))),
        "alternating sum": lambda i: _clauses(alternating_sum(7 + i % 2, 8 + i % 3, i)),
        "mutilated": lambda i: _clauses(mutilated(8 + i % 2, 9 + i % 3, i)),
    }
)
"""Formula number i of each family."""
