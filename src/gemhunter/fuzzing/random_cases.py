"""Random boards and formulas of many kinds; the same generator state gives the same case."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.core.trap_maps import grid_from_traps
from gemhunter.fuzzing.cases import BoardCase, FormulaCase

SHAPES = ((1, 1), (1, 3), (1, 9), (7, 1), (2, 3), (3, 4), (4, 3), (4, 5), (5, 5), (3, 9), (7, 6))
MOST_VARIABLES = 10


def make_board(random: Generator) -> BoardCase:
    """Planted traps, shown in some pattern; sometimes spoiled, given away in places, or with a total."""
    rows, cols = SHAPES[random.integers(len(SHAPES))]
    traps = random.random((rows, cols)) < random.choice([0.0, 0.15, 0.2, 0.35, 0.35, 0.4, 0.6, 1.0])
    codes = grid_from_traps(traps, _shown(random, rows, cols)).cells.copy()
    codes = _with_known_cells(random, codes, traps)
    for _ in range(int(random.choice([0, 1, 3], p=[0.5, 0.4, 0.1]))):
        codes = _with_a_clue_changed(random, codes)
    return BoardCase(Grid(codes), _total(random, int(traps.sum())))


def make_formula(random: Generator) -> FormulaCase:
    """Clauses of mixed lengths, with everything in them that a careful writer avoids."""
    variables = int(random.integers(0, MOST_VARIABLES + 1))
    longest = int(random.integers(1, 5))
    size = int(random.integers(0, 5 * variables + 3)) if variables else 0
    clauses = [_clause(random, variables, longest) for _ in range(size)]
    if clauses and random.random() < 0.3:
        clauses += [clauses[random.integers(len(clauses))] for _ in range(3)]
    if random.random() < 0.03:
        clauses.insert(int(random.integers(len(clauses) + 1)), ())
    unused = int(random.integers(0, 4)) if random.random() < 0.2 else 0
    return FormulaCase(variables + unused, tuple(clauses))


def _shown(random: Generator, rows: int, cols: int) -> NDArray[np.bool_]:
    """Dense, sparse, a lattice, or nothing in one half."""
    down, right = np.indices((rows, cols))
    kind = random.integers(4)
    shown: NDArray[np.bool_] = (down % 2 == 0) & (right % 2 == 0)
    if kind > 0:
        shown = random.random((rows, cols)) < (0.75, 0.5, 0.2)[kind - 1]
    return shown & (right < cols / 2) if random.random() < 0.15 else shown


def _with_known_cells(
    random: Generator, codes: NDArray[np.int8], traps: NDArray[np.bool_]
) -> NDArray[np.int8]:
    """Some hidden cells say what they are."""
    share = random.choice([0.0, 0.0, 0.0, 0.2, 0.2, 0.9])
    given = (codes == HIDDEN) & (random.random(codes.shape) < share)
    return np.where(given, np.where(traps, TRAP, GEM), codes).astype(np.int8)


def _with_a_clue_changed(random: Generator, codes: NDArray[np.int8]) -> NDArray[np.int8]:
    clues = np.argwhere(codes >= 0)
    if clues.size:
        row, col = clues[random.integers(len(clues))]
        codes[row, col] = np.clip(codes[row, col] + random.choice([-2, -1, 1, 2, 5]), 0, 8)
    return codes


def _total(random: Generator, right: int) -> int | None:
    """No total, the right one, one that is a little off, or any."""
    kind = random.integers(6)
    if kind < 3:
        return None
    return (right, max(right + int(random.choice([-1, 1])), 0), int(random.integers(0, 60)))[kind - 3]


def _clause(random: Generator, variables: int, longest: int) -> tuple[int, ...]:
    size = int(random.integers(1, longest + 1))
    names = random.integers(1, variables + 1, size)
    return tuple((names * random.choice([-1, 1], size)).tolist())
