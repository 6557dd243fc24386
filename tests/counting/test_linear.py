"""Linear elimination and bounds on totals find what dense elimination finds, and contradict no solution."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from boards import hard_board, random_board, random_board_with_total
from compiled import output_either_way
from gemhunter.bench.suites import BenchBoard
from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.board.puzzle import Puzzle, read_puzzle
from gemhunter.counting.linear import (
    ELIMINATED,
    ENTRIES_USED,
    OUT_OF_ROOM,
    PRIMES,
    ImpliedValues,
    LinearConflict,
    LinearSystem,
    bytes_needed,
    eliminate,
    eliminated,
    is_linear_conflict,
    new_system,
    total_conflict,
)
from strategies import Planted, planted_boards, small_boards

PARITY = 2
RATIONALS = 0


@st.composite
def lattices(draw: st.DrawFn) -> Grid:
    """Clues on every second cell of every second row, with any numbers that their cells allow."""
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    codes = np.full((2 * rows - draw(st.integers(0, 1)), 2 * cols - draw(st.integers(0, 1))), HIDDEN, np.int8)
    for row in range(rows):
        for col in range(cols):
            codes[2 * row, 2 * col] = 0
            room = len(oracles.neighbours(oracles.marks_of(Grid(codes)), (2 * row, 2 * col)))
            codes[2 * row, 2 * col] = draw(st.integers(0, room))
    return Grid(codes)


def has_linear_conflict(puzzle: Puzzle, prime: int) -> bool:
    """Whether dense elimination ends in a row 0 = c with c ≠ 0."""
    width = puzzle.hidden.size
    table = [[Fraction(0)] * width + [Fraction(int(traps))] for traps in puzzle.traps]
    for index, row in enumerate(table):
        for cell in puzzle.region(index).tolist():
            row[cell] = Fraction(1)
    for column in range(width):
        pivot = next((row for row in table if row[column]), None)
        if pivot is None:
            continue
        table.remove(pivot)
        table = [_without(column, row, pivot, prime) if row[column] else row for row in table]
    return any(row[-1] % prime if prime else row[-1] for row in table)


def _without(column: int, row: list[Fraction], pivot: list[Fraction], prime: int) -> list[Fraction]:
    times = row[column] / pivot[column]
    left = [one - times * other for one, other in zip(row, pivot, strict=True)]
    return [number % prime for number in left] if prime else left


def is_true_in(implied: ImpliedValues, assignment: oracles.Assignment) -> bool:
    return np.array_equal(np.array(assignment, bool)[implied.cells], implied.values)


@pytest.mark.parametrize(("prime", "numbers"), list(zip(PRIMES, (RATIONALS, PARITY), strict=True)))
@given(grid=lattices(), traps=st.sampled_from([None, 3, 11, 40]))
def test_what_dense_elimination_refutes_is_refuted(
    grid: Grid, traps: int | None, prime: int, numbers: int
) -> None:
    puzzle = read_puzzle(grid, traps)
    refuted = isinstance(eliminated(puzzle, prime), LinearConflict)
    assert refuted or not has_linear_conflict(puzzle, numbers)


@given(board=small_boards(), prime=st.sampled_from(PRIMES))
def test_a_board_with_solutions_is_not_refuted_and_implied_cells_are_the_same_in_all(
    board: Planted, prime: int
) -> None:
    found = eliminated(read_puzzle(board.grid, board.traps), prime)
    solutions = oracles.all_solutions(board.grid, board.traps)
    if isinstance(found, LinearConflict):
        assert not solutions
    else:
        assert all(is_true_in(found, assignment) for assignment in solutions)


@given(board=planted_boards(rows=9, cols=12), prime=st.sampled_from(PRIMES))
def test_larger_boards_with_a_solution_are_not_refuted(board: Planted, prime: int) -> None:
    assert isinstance(eliminated(read_puzzle(board.grid, board.traps), prime), ImpliedValues)


@pytest.mark.parametrize(("number", "prime"), [(2, PRIMES[0]), (5, PRIMES[0]), (7, PARITY)])
def test_the_impossible_families_are_refuted_by_all_of_their_clues(number: int, prime: int) -> None:
    puzzle = read_puzzle(hard_board(number).grid)
    found = eliminated(puzzle, prime)
    assert isinstance(found, LinearConflict)
    assert found.regions.size == puzzle.traps.size


def test_a_combination_that_was_tampered_with_is_not_believed() -> None:
    puzzle = read_puzzle(hard_board(1).grid)
    found = eliminated(puzzle, PRIMES[0])
    assert isinstance(found, LinearConflict)
    assert is_linear_conflict(puzzle, found)
    for regions, coefficients in (
        (found.regions[1:], found.coefficients[1:]),
        (found.regions, np.abs(found.coefficients)),
    ):
        assert not is_linear_conflict(puzzle, LinearConflict(regions, coefficients, found.modulus))


def system_of(puzzle: Puzzle) -> LinearSystem:
    return new_system(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)


def test_rows_grow_little_on_a_large_random_board() -> None:
    puzzle = read_puzzle(random_board(100).grid)
    system = system_of(puzzle)
    assert eliminate(system, PRIMES[0]) == ELIMINATED
    assert system.numbers[ENTRIES_USED] < 4 * puzzle.cells.size


@pytest.mark.parametrize("board", [random_board(3), random_board(60), random_board(60, shown=0.1)])
def test_the_memory_it_says_it_needs_is_enough(board: BenchBoard) -> None:
    puzzle = read_puzzle(board.grid)
    held = sum(array.nbytes for array in system_of(puzzle))
    assert held <= bytes_needed(puzzle) <= 3 * held


def test_elimination_gives_up_without_an_answer_when_there_is_no_room() -> None:
    system = system_of(read_puzzle(hard_board(1).grid))
    short = system._replace(cells=system.cells[:1000], factors=system.factors[:1000])
    assert eliminate(short, PRIMES[0]) == OUT_OF_ROOM


@pytest.mark.parametrize(("number", "conflicts"), [(12, True), (13, False), (14, False), (15, True)])
def test_totals_below_the_least_are_refuted(number: int, conflicts: bool) -> None:
    board = hard_board(number)
    assert (total_conflict(read_puzzle(board.grid, board.total)) is not None) == conflicts


@given(board=small_boards())
def test_possible_totals_are_not_refuted(board: Planted) -> None:
    conflict = total_conflict(read_puzzle(board.grid, board.traps))
    assert conflict is None or not oracles.all_solutions(board.grid, board.traps)


def test_totals_above_the_most_are_refuted() -> None:
    board = random_board_with_total(12)
    assert total_conflict(read_puzzle(board.grid, board.grid.cells.size)) is not None
    assert total_conflict(read_puzzle(board.grid, board.total)) is None


def test_compiled_and_uncompiled_elimination_agree() -> None:
    program = """
from boards import alternating_sum, random_board_with_total
from gemhunter.board.puzzle import read_puzzle
from gemhunter.counting.linear import PRIMES, LinearConflict, eliminated
from gemhunter.counting.linear import total_conflict
boards = [alternating_sum(11), random_board_with_total(9, shown=0.6)]
for board in boards:
    for total in (board.total, 20):
        puzzle = read_puzzle(board.grid, total)
        for prime in PRIMES:
            found = eliminated(puzzle, prime)
            print(found.coefficients if isinstance(found, LinearConflict) else (found.cells, found.values))
        conflict = total_conflict(puzzle)
        print(conflict and conflict.coefficients)
"""
    assert output_either_way(program)
