"""The boards that the benchmarks are run on: random ones by seed, lattices, and the suite `hard`."""

import os
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gemhunter.bench.suites import BenchBoard, load_suite
from gemhunter.board.board import grid_from_traps, random_grid, random_traps
from gemhunter.board.grid import GEM, HIDDEN, Grid
from gemhunter.board.puzzle import impossible_regions, read_puzzle
from gemhunter.play.game_names import read_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Refuted

FOLDER_VARIABLE = "GEMHUNTER_BOARDS"
"""The environment variable that names a folder of further boards, `lab-*.txt`."""


def random_board(size: int, density: float = 0.2, shown: float = 0.5, seed: int = 0) -> BenchBoard:
    """A square whose cells are traps with probability `density` and shown with probability `shown`."""
    name = f"random {size}×{size}, {density:.0%} traps, {shown:.0%} shown, seed {seed}"
    return BenchBoard(name, random_grid(size, size, density=density, shown=shown, seed=seed))


def random_board_with_total(size: int, density: float = 0.2, shown: float = 0.3, seed: int = 0) -> BenchBoard:
    """A random square together with its true total."""
    board = random_board(size, density, shown, seed)
    total = int(np.count_nonzero(random_traps(size, size, density, seed)))
    return BenchBoard(f"{board.name}, total {total}", board.grid, total)


def even_lattice(size: int, seed: int = 0) -> BenchBoard:
    """Clues on every cell with even row and column, half of the rest traps: propagation finds little."""
    row, col = np.indices((size, size))
    return _lattice(f"even lattice {size}×{size}", (row % 2 == 0) & (col % 2 == 0), seed)


def diagonal_lattice(size: int, seed: int = 0) -> BenchBoard:
    """Clues on every third diagonal, half of the rest traps."""
    row, col = np.indices((size, size))
    return _lattice(f"diagonal lattice {size}×{size}", (row + col) % 3 == 0, seed)


def _lattice(name: str, clues: NDArray[np.bool_], seed: int) -> BenchBoard:
    traps = random_traps(clues.shape[0], clues.shape[1], 0.5, seed) & ~clues
    return BenchBoard(f"{name}, seed {seed}", grid_from_traps(traps, clues))


def one_clue_raised(board: BenchBoard, seed: int = 0) -> BenchBoard:
    """`board` with one clue raised by 1 so that there is no solution, though every clue could hold alone."""
    random_order = np.random.default_rng(seed)
    for index in random_order.permutation(np.flatnonzero(board.grid.cells >= 0)):
        codes = board.grid.cells.copy()
        codes.ravel()[index] += 1
        if codes.ravel()[index] > 8:
            continue
        grid = Grid(codes)
        if not impossible_regions(read_puzzle(grid)).size and isinstance(solve(grid).outcome, Refuted):
            return BenchBoard(f"{board.name}, {grid.cell(index)} raised", grid)
    raise ValueError(f"no single clue makes {board.name} unsolvable")


@cache
def hard_boards() -> tuple[BenchBoard, ...]:
    """The suite `hard`; the end of a board's name is `_sat` if it has a solution, `_unsat` if it has none."""
    return load_suite("hard").boards


def hard_board(number: int) -> BenchBoard:
    """One of the suite `hard` by its number, with the total that its index states."""
    return hard_boards()[number - 1]


def boards_of_others() -> list[BenchBoard]:
    """The boards in the folder that GEMHUNTER_BOARDS names; none where it is not set."""
    folder = os.environ.get(FOLDER_VARIABLE)
    files = sorted(Path(folder).glob("lab-*.txt")) if folder else []
    return [BenchBoard(file.stem, read_grid(file)) for file in files]


def lattice_without_solution(rows: int, cols: int) -> Grid:
    """Clues on every second cell of every second row; their alternating sum is not 0, as it must be."""
    codes = np.full((2 * rows - 1, 2 * cols - 1), HIDDEN, np.int8)
    codes[::2, ::2] = 1
    codes[-1, -1] = 2
    return Grid(codes)


def alternating_sum(size: int, seed: int = 0) -> BenchBoard:
    """An even lattice of odd size with one clue raised: clues, added with alternating signs, must give 0."""
    board = even_lattice(size, seed)
    puzzle = read_puzzle(board.grid)
    raised = np.random.default_rng(seed).choice(puzzle.clues[puzzle.traps < puzzle.sizes])
    codes = board.grid.cells.copy()
    codes.ravel()[raised] += 1
    return BenchBoard(f"alternating sum {size}×{size}, seed {seed}", Grid(codes))


def mutilated_board(squares: int) -> BenchBoard:
    """Dominoes on a chessboard without two corners of one colour; a trap is a domino across two squares."""
    size = 2 * squares - 1
    codes = np.full((size, size), HIDDEN, np.int8)
    codes[::2, ::2] = 1
    codes[1::2, 1::2] = GEM
    codes[:2, :2] = codes[-2:, -2:] = GEM
    return BenchBoard(f"mutilated board of {squares}×{squares}, {size}×{size}", Grid(codes))


def parity_circuit(gates: int, seed: int = 0) -> BenchBoard:
    """Gates on a brick wall, each asking for an even or odd number of traps on its wires.

    The number of odd gates is odd, so there is no solution.

    A gate is a clue 2 or 3 with two cells tied to each other on one side. On the other side, if there is a
    gate, and to the gates above and below go wires: cells that clues 1 between them make equal.
    """
    is_odd = np.random.default_rng(seed).random((gates, gates)) < 0.5
    is_odd[0, 0] ^= np.count_nonzero(is_odd) % 2 == 0
    codes = np.full((6 * gates + 1, 6 * gates + 1), GEM, np.int8)
    for i, j in np.ndindex(gates, gates):
        side = 1 if (i + j) % 2 == 0 else -1
        gate = codes[6 * i : 6 * i + 7, 6 * j : 6 * j + 7][:, ::side]  # the tied cells are on its left
        gate[3, 3] = 2 + is_odd[i, j]
        gate[[2, 4], 1] = 1
        gate[[2, 3, 4], [2, 1, 2]] = HIDDEN
        if 0 <= j + side < gates:
            gate[3, 4:7] = HIDDEN, 1, HIDDEN
        if i:
            gate[[0, 1, 2], [3, 4, 3]] = HIDDEN, 1, HIDDEN
        if i < gates - 1:
            gate[[4, 5, 6], [3, 4, 3]] = HIDDEN, 1, HIDDEN
    return BenchBoard(
        f"parity circuit of {gates}×{gates} gates, {6 * gates + 1}×{6 * gates + 1}", Grid(codes)
    )
