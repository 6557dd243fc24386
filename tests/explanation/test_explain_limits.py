"""Explanations that are stopped by a limit: what they say is true, and what they leave out is not denied."""

import pytest

from gemhunter.board.grid import HIDDEN
from gemhunter.explanation.explain import difficulty, explain, explain_cell
from gemhunter.explanation.hint import HintLadder, NothingToDeduce, hint
from gemhunter.files.text import parse_grid
from gemhunter.solving.outcomes import GaveUp, StopReason

GRID = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
"""A board that four steps explain."""

STEPS = GaveUp(StopReason.STEPS)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_step_limit_keeps_the_first_steps_and_leaves_the_other_cells_open(limit: int) -> None:
    found, whole = explain(GRID, step_limit=limit), explain(GRID)
    assert (found.steps, found.gave_up) == (whole.steps[:limit], STEPS)
    assert set(found.open) == {cell for step in whole.steps[limit:] for cell in step.decides}


def test_a_limit_that_is_just_enough_is_enough() -> None:
    found = explain(GRID, step_limit=4)
    assert (len(found.steps), found.open, found.gave_up) == (4, (), None)


def test_the_difficulty_is_not_known_before_the_end() -> None:
    assert explain(GRID, step_limit=2).difficulty.word == "not known"
    assert difficulty(GRID, step_limit=2) == STEPS
    assert difficulty(GRID) == explain(GRID).difficulty


def test_a_cell_behind_the_limit_has_no_answer_rather_than_two() -> None:
    found = explain_cell(GRID, (2, 3), time_limit=1e-9)
    assert (found.value, found.examples, found.conflict) == (HIDDEN, (), None)
    assert found.gave_up == GaveUp(StopReason.TIME)


def test_a_hint_needs_one_step() -> None:
    assert isinstance(hint(GRID, step_limit=1), HintLadder)
    found = hint(GRID, time_limit=1e-9)
    assert isinstance(found, NothingToDeduce)
    assert (found.gave_up, found.has_conflict) == (GaveUp(StopReason.TIME), False)


def test_clues_that_conflict_are_no_lack_of_deductions() -> None:
    found = hint(parse_grid("4, _\n_, _"))
    assert isinstance(found, NothingToDeduce)
    assert (found.gave_up, found.has_conflict) == (None, True)
