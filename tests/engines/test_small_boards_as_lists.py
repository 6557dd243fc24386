"""Small boards are read and encoded by lists, larger ones by arrays: both give the same in the same order."""

import pickle
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import oracles
from gemhunter.board.board import random_grid
from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import impossible_regions, read_puzzle, untouched_cells
from gemhunter.cnf.encode import encode, encode_puzzle
from gemhunter.cnf.formula import Cnf, ListedCnf
from gemhunter.files.text import parse_grid
from strategies import Planted, any_grids, grid_of, planted_boards, small_boards

NO_SMALL_BOARDS = patch("gemhunter.board.puzzle.SMALL_BOARD_CELLS", 0)
NO_LISTED_CLAUSES = patch("gemhunter.cnf.encode.LISTED_CELLS", 0)
"""While these are in force, all boards are read and encoded by arrays."""


def parts_of(cnf: Cnf) -> list[object]:
    """Everything in a formula."""
    arrays = (cnf.literals, cnf.starts, cnf.cell_indexes)
    return [cnf.size, cnf.variables, cnf.cols, *((array.dtype, array.tolist()) for array in arrays)]


def both_ways(planted: Planted, *, keep_duplicates: bool = False) -> tuple[Cnf, Cnf]:
    """The clauses of a board by lists and by arrays."""
    puzzle = read_puzzle(planted.grid, planted.traps)
    by_lists = encode_puzzle(puzzle, keep_duplicates=keep_duplicates)
    with NO_LISTED_CLAUSES:
        by_arrays = encode_puzzle(puzzle, keep_duplicates=keep_duplicates)
    assert (type(by_lists), type(by_arrays)) == (ListedCnf, Cnf)
    return by_lists, by_arrays


@given(st.one_of(small_boards(), planted_boards(rows=6, cols=11)), st.booleans())
def test_lists_and_arrays_give_the_same_clauses_in_the_same_order(planted: Planted, keep: bool) -> None:
    by_lists, by_arrays = both_ways(planted, keep_duplicates=keep)
    assert parts_of(by_lists) == parts_of(by_arrays)
    assert by_lists.clauses() == by_arrays.clauses()


@given(any_grids(rows=4, cols=7), st.sampled_from([None, 0, 3, 40]))
def test_lists_and_arrays_agree_on_clues_that_cannot_hold(grid: Grid, total: int | None) -> None:
    by_lists, by_arrays = both_ways(Planted(grid, total))
    assert parts_of(by_lists) == parts_of(by_arrays)


def test_lists_and_arrays_agree_on_a_total_with_auxiliary_variables() -> None:
    by_lists, by_arrays = both_ways(Planted(random_grid(7, 11, seed=3), 15))
    assert by_lists.variables > read_puzzle(random_grid(7, 11, seed=3)).hidden.size
    assert parts_of(by_lists) == parts_of(by_arrays)


@given(small_boards(rows=4, cols=6))
def test_lists_give_the_clauses_of_the_specification(planted: Planted) -> None:
    clauses = encode_puzzle(read_puzzle(planted.grid)).clauses()
    assert oracles.as_set(clauses) == oracles.as_set(oracles.binomial_clauses(planted.grid, "hidden"))


def test_clauses_are_lists_either_way() -> None:
    grid = parse_grid("_, 1, _\n_, _, 2")
    clauses = encode_puzzle(read_puzzle(grid)).clauses()
    assert clauses == encode(grid).clauses()
    assert {type(clause) for clause in clauses} == {list}


def test_a_formula_of_lists_can_be_pickled() -> None:
    cnf = encode_puzzle(read_puzzle(parse_grid("_, 1, _\n_, _, 2")))
    assert parts_of(pickle.loads(pickle.dumps(cnf))) == parts_of(cnf)


def test_the_arrays_of_a_formula_of_lists_cannot_be_changed() -> None:
    cnf = encode_puzzle(read_puzzle(parse_grid("_, 1, _")))
    assert not any(array.flags.writeable for array in (cnf.literals, cnf.starts, cnf.cell_indexes))


@given(any_grids(rows=4, cols=7), st.sampled_from([None, 0, 3, 2**50]))
def test_regions_are_the_same_as_lists_and_as_arrays(grid: Grid, total: int | None) -> None:
    by_lists = read_puzzle(grid, total).listed
    with NO_SMALL_BOARDS:
        assert read_puzzle(grid, total).listed == by_lists


@given(any_grids(rows=4, cols=7), st.sampled_from([None, 0, 3, 2**50]))
def test_the_same_regions_are_impossible_and_the_same_cells_untouched(grid: Grid, total: int | None) -> None:
    def found() -> list[list[int]]:
        puzzle = read_puzzle(grid, total)
        return [impossible_regions(puzzle).tolist(), untouched_cells(puzzle).tolist()]

    by_lists = found()
    with NO_SMALL_BOARDS:
        assert found() == by_lists


def test_a_board_of_two_hundred_cells_is_not_small() -> None:
    hidden = np.full((1, 200), -1, np.int8)
    assert (read_puzzle(Grid(hidden)).is_small, read_puzzle(Grid(hidden[:, 1:])).is_small) == (False, True)


def test_a_narrow_board_has_no_neighbours_around_the_corner() -> None:
    column = grid_of([["_"], ["1"], ["_"], ["2"], ["T"]])
    assert read_puzzle(column).listed == [([1, 2], 1), ([2], 1)]
