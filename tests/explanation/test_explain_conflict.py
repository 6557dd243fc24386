"""Conflicts: sets of clues of least size, and boards that are too hard to be explained within a limit."""

from itertools import combinations

import numpy as np
import pytest

from boards import hard_board
from clue_judge import ClueJudge
from explanation_faults import conflict_faults, explanation_faults, values_of
from gemhunter.board.board import random_grid
from gemhunter.board.grid import Cell, Grid
from gemhunter.explanation.explain import explain
from gemhunter.files.text import parse_grid
from gemhunter.solving.conflict_sets import COMPARED_CLUES
from oracles import Place
from random_grids import random_grids

MOST_CLUES_TRIED = 6
TOTAL = (-1, -1)
"""In place of a clue: the total."""


def least_size(judge: ClueJudge, given: dict[Place, bool], size: int, *, with_total: bool) -> int:
    """The size of the smallest set that cannot hold, by trying all that are smaller than `size`."""
    suspects = [*judge.clues, *([TOTAL] if with_total else [])]
    for smaller in range(size):
        for some in combinations(suspects, smaller):
            clues = [clue for clue in some if clue != TOTAL]
            if not judge.can_hold(clues, given, with_total=TOTAL in some):
                return smaller
    return size


def test_no_smaller_set_of_clues_decides_a_cell_or_conflicts() -> None:
    compared = 0
    for grid, total in random_grids(8, 300, rows=5, cols=6, changed=0.5):
        found, known = explain(grid, total=total), dict[Place, bool]()
        with ClueJudge(grid, total) as judge:
            if found.conflict is not None:
                assert found.conflict.is_smallest
                alone_can_hold = judge.can_hold(judge.clues, with_total=False)
                assert found.conflict.with_total == alone_can_hold
                size = len(found.conflict.clues) + found.conflict.with_total
                if size <= MOST_CLUES_TRIED:
                    assert least_size(judge, {}, size, with_total=found.conflict.with_total) == size
                    compared += 1
                continue
            for step in found.steps:
                size = len(step.clues) + step.with_total
                if step.rule.name == "clue-set" and size <= MOST_CLUES_TRIED:
                    given = known | {cell: not is_trap for cell, is_trap in values_of(step).items()}
                    assert least_size(judge, given, size, with_total=step.with_total) == size
                    compared += 1
                known |= values_of(step)
    assert compared > 40


def test_a_smaller_conflict_far_from_the_first_one_is_found() -> None:
    four, two, between = "0, _, 1, _, 1, _, 1, G", "0, _, 1", ", ".join(["1, _, G"] * 70)
    found = explain(parse_grid(f"{two}, G, {between}, {four}"))
    assert found.conflict is not None
    assert found.conflict.clues == (Cell(0, 0), Cell(0, 2))
    assert found.conflict.is_smallest


def test_a_set_that_was_not_compared_with_all_others_is_not_called_smallest() -> None:
    four, between = "0, _, 1, _, 1, _, 1, G", ", ".join(["1, _, G"] * (COMPARED_CLUES + 1))
    found = explain(parse_grid(f"{four}, {between}"))
    assert found.conflict is not None
    assert (len(found.conflict.clues), found.conflict.is_minimal, found.conflict.is_smallest) == (
        4,
        True,
        False,
    )


def test_one_changed_clue_of_a_large_board_is_found_and_followed() -> None:
    codes = random_grid(120, 120, density=0.2, shown=0.6, seed=1).cells.copy()
    row, col = (int(place) for place in np.argwhere((codes > 0) & (codes < 7))[3000])
    codes[row, col] = 8
    found = explain(Grid(codes))
    assert found.conflict is not None
    assert found.conflict.clues == (Cell(row, col),)
    assert found.conflict.broken == Cell(row, col)


@pytest.mark.parametrize(("number", "step_limit"), [(13, 30), (13, 500), (14, 200), (16, 40)])
def test_what_is_said_of_a_hard_board_before_the_limit_is_true(number: int, step_limit: int) -> None:
    board = hard_board(number)
    found = explain(board.grid, total=board.total, step_limit=step_limit)
    assert found.gave_up is not None
    assert explanation_faults(found) == []


@pytest.mark.parametrize("number", [1, 4, 12])
def test_a_hard_conflict_is_named_even_if_it_cannot_be_followed_in_time(number: int) -> None:
    board = hard_board(number)
    found = explain(board.grid, total=board.total, step_limit=60)
    assert found.gave_up is not None
    if found.conflict is not None:
        assert not found.conflict.is_followed
        assert found.conflict.sentence.endswith(".")


def test_a_conflict_that_only_a_long_chain_reaches_is_followed() -> None:
    marks = ["1", "_", "1", "G"] * 40
    codes = np.array([[{"_": -1, "G": -3}.get(mark, 1) for mark in marks]], np.int8)
    codes[0, -2] = 0
    grid = Grid(codes)
    found = explain(grid)
    assert found.conflict is not None
    with ClueJudge(grid, None) as judge:
        assert list(conflict_faults(judge, found.steps, found.conflict)) == []
