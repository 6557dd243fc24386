"""Hints on large boards: the surroundings of the player are looked at first."""

import numpy as np
import pytest

from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.explanation.hint import HintLadder, NothingToDeduce, hint

NEAR, FAR = Cell(10, 12), Cell(90, 70)


def large_grid(**clues: int) -> Grid:
    """A hidden board of 100 by 80 with clues at `NEAR` and `FAR`."""
    codes = np.full((100, 80), HIDDEN, np.int8)
    for name, clue in clues.items():
        codes[{"near": NEAR, "far": FAR}[name]] = clue
    return Grid(codes)


def clues_of(found: HintLadder | NothingToDeduce) -> tuple[Cell, ...]:
    assert isinstance(found, HintLadder)
    return found.step.clues


def test_on_a_large_board_the_surroundings_of_the_player_are_looked_at_first() -> None:
    grid = large_grid(near=0, far=8)
    assert clues_of(hint(grid, near=(5, 5))) == (NEAR,)
    assert clues_of(hint(grid, near=(95, 75))) == (FAR,)


def test_a_deduction_far_away_is_found_if_there_is_none_nearby() -> None:
    found = hint(large_grid(near=1, far=8), near=(5, 5))
    assert clues_of(found) == (FAR,)
    assert isinstance(found, HintLadder)
    assert set(found.step.traps) == set(found.filled.around(FAR))


def test_the_total_counts_where_no_part_of_the_board_decides_a_cell() -> None:
    found = hint(large_grid(near=1, far=2), total=3, near=(5, 5))
    assert clues_of(found) == (NEAR, FAR)


def test_a_large_board_without_a_deduction_says_so() -> None:
    found = hint(large_grid(near=1, far=2), near=(5, 5))
    assert isinstance(found, NothingToDeduce)
    assert found.gave_up is None
    assert found.reason.startswith("no cell is certain")


def test_a_player_beyond_the_board_is_refused() -> None:
    with pytest.raises(IndexError, match="no row 100"):
        hint(large_grid(near=1), near=(100, 0))
