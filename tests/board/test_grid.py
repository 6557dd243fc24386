"""The grid value: what it accepts, how it compares, and how it shows itself."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import oracles
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from strategies import any_grids

BOARD = Grid(np.array([[3, HIDDEN, 2], [TRAP, GEM, 0]]))


def test_a_grid_knows_its_rows_and_columns() -> None:
    assert (BOARD.rows, BOARD.cols) == (2, 3)


def test_a_grid_prints_itself_canonically() -> None:
    assert str(BOARD) == "3, _, 2\nT, G, 0"
    assert str(Grid(np.array([[1], [HIDDEN], [8]]))) == "1\n_\n8"


@given(any_grids())
def test_the_printed_grid_shows_every_mark(grid: Grid) -> None:
    assert str(grid) == "\n".join(", ".join(row) for row in oracles.marks_of(grid))


def test_the_representation_names_size_and_hidden_cells() -> None:
    assert repr(BOARD) == "<Grid 2×3, 1 hidden>"


def test_cells_are_eight_bit_whatever_comes_in() -> None:
    assert Grid(np.array([[7]], np.uint64)).cells.dtype == np.int8


def test_cells_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        BOARD.cells[0, 0] = 1


def test_a_grid_does_not_follow_the_array_it_was_made_from() -> None:
    codes = np.array([[1, HIDDEN]], np.int8)
    grid = Grid(codes)
    codes[0, 0] = 2
    assert grid[0, 0] == 1


@pytest.mark.parametrize("copied", [copy.deepcopy(BOARD), pickle.loads(pickle.dumps(BOARD))])
def test_a_copy_is_equal_and_as_read_only_as_the_original(copied: Grid) -> None:
    assert (copied, copied.cells.flags.writeable) == (BOARD, False)


@pytest.mark.parametrize("code", [-4, 10, 127, -128, 1000])
def test_a_code_that_means_nothing_is_refused(code: int) -> None:
    with pytest.raises(ValueError, match="from -3 to 9"):
        Grid(np.array([[0, code]]))


@pytest.mark.parametrize("codes", [np.array([[0.5]]), np.array([[True]]), np.array([["1"]])])
def test_cells_must_be_whole_numbers(codes: np.ndarray) -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        Grid(codes)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (4,), (1, 2, 3)])
def test_a_shape_without_rows_and_columns_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="rows and columns"):
        Grid(np.zeros(shape, np.int8))


def test_grids_are_equal_and_have_equal_hashes_exactly_if_shape_and_cells_are_equal() -> None:
    twin = Grid(BOARD.cells.astype(np.int64))
    assert (twin, hash(twin)) == (BOARD, hash(BOARD))
    assert Grid(np.array([[1, 2]])) != Grid(np.array([[1], [2]]))
    assert str(BOARD) != BOARD


def test_a_position_counts_in_reading_order() -> None:
    assert [BOARD.cell(position) for position in (0, 2, 3)] == [Cell(0, 0), Cell(0, 2), Cell(1, 0)]


def test_where_finds_cells_in_reading_order() -> None:
    assert list(Grid(np.array([[0, TRAP, 0], [TRAP, 0, 0]])).where(TRAP)) == [Cell(0, 1), Cell(1, 0)]


@given(any_grids())
def test_around_a_cell_are_its_neighbours_in_reading_order(grid: Grid) -> None:
    marks = oracles.marks_of(grid)
    for place in oracles.places(marks):
        assert grid.around(Cell(*place)) == oracles.neighbours(marks, place)


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (2, 0), (0, 3), Cell(-2, -3)])
def test_a_place_beyond_the_board_is_an_error_and_does_not_wrap_around(cell: tuple[int, int]) -> None:
    expected = rf"no row {cell[0]}, column {cell[1]} on a board of 2×3; both count from 0"
    with pytest.raises(IndexError, match=expected):
        BOARD[cell]
    with pytest.raises(IndexError, match=expected):
        BOARD.around(cell)


@pytest.mark.parametrize("cell", [0, (0, 1, 2), slice(0, 1), (slice(0, 1), 0), (0.5, 0), "r1c1"])
def test_anything_but_a_row_and_a_column_is_refused_with_advice(cell: Any) -> None:
    with pytest.raises(TypeError, match=r"expected a row and a column, as in grid\[0, 2\]"):
        BOARD[cell]


@pytest.mark.parametrize("cell", [(1, 0), Cell(1, 0), np.array([1, 0], np.int8), [1, 0]])
def test_a_cell_is_read_by_its_row_and_column_whatever_their_type(cell: Any) -> None:
    assert BOARD[cell] == TRAP


def test_a_cell_reads_as_row_and_column_counted_from_one() -> None:
    assert str(Cell(1, 11)) == "r2c12"


def test_a_notebook_gets_a_picture_with_one_square_per_cell() -> None:
    picture = BOARD._repr_svg_()
    assert (picture.startswith("<svg "), picture.count("<rect ")) == (True, 6)
