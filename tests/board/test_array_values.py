"""Values with arrays: nothing can write to them, nor to their copies, and content decides what is equal."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gemhunter.board.array_values import ArrayValue, ReadOnlyArrays
from gemhunter.board.board import Board, grid_from_traps
from gemhunter.board.grid import Cell, Grid
from gemhunter.board.position import Position
from gemhunter.board.puzzle import Puzzle, Solution, read_puzzle
from gemhunter.cnf.drat import Proof
from gemhunter.cnf.encode import encode, encode_puzzle
from gemhunter.cnf.formula import ListedCnf
from gemhunter.play.fill_in import new_fill_in
from gemhunter.play.game import new_game
from gemhunter.questions.probability import Probabilities

TRAPS = np.array([[True, False, False], [False, False, False]])
GRID = grid_from_traps(TRAPS, shown=np.array([[False, True, True], [False, True, True]]))
GAME = new_game(Board(TRAPS)).reveal(Cell(0, 1)).flag(Cell(0, 0))
CNF, LISTED_CNF = encode(GRID, total=1), encode_puzzle(read_puzzle(GRID))

VALUES = [
    GRID,
    Board(TRAPS),
    Position(GRID, TRAPS, total=1),
    Solution(np.array([True, False])),
    Puzzle(GRID, total=1),
    Probabilities(GRID, np.where(TRAPS, 1.0, np.nan)),
    CNF,
    LISTED_CNF,
    Proof(np.array([1], np.int32), np.array([0, 1, 1]), np.zeros(2, bool)),
    GAME,
    GAME.view,
    new_fill_in(GRID, total=1),
]

FIELDS_MADE_ON_USE = {Puzzle: ("hidden", "traps", "cells"), ListedCnf: ("literals", "starts")}


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def arrays_of(value: Any) -> list[np.ndarray]:
    """The arrays of a value and of the values in it."""
    names = (*value.__match_args__, *FIELDS_MADE_ON_USE.get(type(value), ()))
    fields = [getattr(value, name) for name in names]
    inner = [array for field in fields if isinstance(field, ReadOnlyArrays) for array in arrays_of(field)]
    return inner + [field for field in fields if isinstance(field, np.ndarray)]


@pytest.mark.parametrize("copied", [lambda value: value, copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_no_array_of_a_value_or_of_its_copies_can_be_written_to(
    value: Any, copied: Callable[[Any], Any]
) -> None:
    arrays, same = arrays_of(value), arrays_of(copied(value))
    assert arrays
    assert not any(array.flags.writeable for array in same)
    assert [(array.dtype, array.shape, array.tobytes()) for array in arrays] == [
        (array.dtype, array.shape, array.tobytes()) for array in same
    ]


def test_every_kind_of_value_with_arrays_is_tested_here() -> None:
    kinds = {ReadOnlyArrays}
    while new := {kind for known in kinds for kind in known.__subclasses__()} - kinds:
        kinds |= new
    names = {kind.__name__ for kind in kinds - {ReadOnlyArrays, ArrayValue}}
    assert names == {type(value).__name__ for value in VALUES}


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (GRID, Grid(GRID.cells.reshape(3, 2))),
        (Board(TRAPS), Board(~TRAPS)),
        (Position(GRID, TRAPS), Position(GRID, TRAPS, total=1)),
        (Position(GRID, TRAPS), Position(GRID, np.zeros_like(TRAPS))),
        (Solution(TRAPS.ravel()), Solution(~TRAPS.ravel())),
        (Solution(TRAPS.ravel()), Board(TRAPS)),
    ],
)
def test_values_are_equal_if_and_only_if_their_content_is(value: ArrayValue, other: ArrayValue) -> None:
    assert value == pickled(value)
    assert value != other
    assert len({value, pickled(value), other}) == 2
