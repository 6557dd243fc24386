"""Explanations of whole boards, judged by a SAT solver that knows only the rules of the puzzle."""

import os
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from campaigns import first_of
from explanation_faults import explanation_faults
from gemhunter.board.board import random_grid, random_traps
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.explanation.explain import difficulty, explain, explain_cell, explain_opposite
from gemhunter.explanation.hint import HintLadder, NothingToDeduce, hint
from gemhunter.explanation.steps import NEEDS_A_GUESS, WITHOUT_SOLUTION
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_grid
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run
from random_grids import random_grids

FOLDER = Path(os.environ.get("GEMHUNTER_BOARDS", "."))
OTHERS = sorted(FOLDER.glob("lab-*.txt"))
PACKAGE = Path(__file__).parents[2] / "src" / "gemhunter"
OWN = sorted([*(PACKAGE / "boards").glob("*.txt"), *(PACKAGE / "suites" / "positions").glob("*.txt")])
PARTS = first_of(range(4))


def faults_on_random_boards(seed: int, number: int, *, rows: int, cols: int) -> dict[str, list[str]]:
    """What is wrong, by board and total."""
    found = {}
    for grid, total in random_grids(seed, number, rows=rows, cols=cols):
        if faults := explanation_faults(explain(grid, total=total)):
            found[f"{grid}\ntotal {total}"] = faults
    return found


def test_a_run_can_end_while_a_large_board_is_read() -> None:
    grid, looks = parse_grid("_, 1\n_, 1"), count()
    found = explain(grid, run=Run(cancel=lambda: next(looks) > 0))
    assert (found.steps, found.gave_up) == ((), GaveUp(StopReason.CANCELLED))
    assert found.open == (*grid.where(HIDDEN),)


def test_small_random_boards_are_explained_by_steps_that_follow_and_are_the_easiest() -> None:
    assert faults_on_random_boards(1, 100, rows=5, cols=7) == {}


def test_larger_random_boards_are_explained_by_steps_that_follow_and_are_the_easiest() -> None:
    assert faults_on_random_boards(2, 20, rows=9, cols=14) == {}


def test_no_step_is_taken_where_a_sum_of_fewer_clues_or_of_up_to_four_decides_something() -> None:
    for seed in range(40):
        total = int(random_traps(6, 8, 0.4, seed).sum()) if seed % 3 == 0 else None
        grid = random_grid(6, 8, density=0.4, shown=0.5, seed=seed)
        assert explanation_faults(explain(grid, total=total)) == [], f"{grid}\ntotal {total}"


def test_a_cell_that_two_clues_add_and_one_subtracts_is_decided_by_their_sum() -> None:
    grid = parse_grid(
        "_, 2, _, _, _, _\n2, 3, _, 4, _, 4\n_, _, 4, _, 3, _\n4, _, _, _, _, _\n_, _, 2, _, 1, _"
    )
    found = explain(grid)
    hardest = max(found.steps, key=lambda step: step.rule.level)
    assert (hardest.rule.name, hardest.decides) == ("several-clues", (Cell(0, 0),))
    assert hardest.clues == (Cell(0, 1), Cell(1, 0), Cell(1, 1))
    assert found.difficulty.word == "hard"


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.skipif(not OTHERS, reason="GEMHUNTER_BOARDS is not set: no boards by other people here")
def test_boards_by_other_people_are_explained(part: int) -> None:
    found = {path.name: explanation_faults(explain(read_grid(path))) for path in OTHERS[part :: len(PARTS)]}
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("part", PARTS)
def test_boards_of_the_package_are_explained(part: int) -> None:
    found = {path.name: explanation_faults(explain(read_grid(path))) for path in OWN[part :: len(PARTS)]}
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("_", None),
        ("_", 0),
        ("_", 1),
        ("_", 2),
        ("G", None),
        ("G", 1),
        ("T, 1", None),
        ("T, 0", None),
        ("_, 9, _", None),
        ("9", None),
        ("_, _, _, _, _\n_, _, _, _, _", None),
        ("_, _, _, _, _\n_, _, _, _, _", 10),
        ("_, _, _, _, _\n_, _, _, _, _", 4),
        ("_, _, _, _, _\n_, _, _, _, _", 10**15),
        ("T, T, T\nT, 8, _\nT, T, T", None),
        ("T, _, _, 2, G\nT, 3, _, G, _", 4),
    ],
)
def test_boards_without_clues_or_hidden_cells_are_explained(text: str, total: int | None) -> None:
    assert explanation_faults(explain(parse_grid(text), total=total)) == []


def test_a_board_decided_by_one_clue_is_easy_and_filled() -> None:
    found = explain(parse_grid("_, 2, _"))
    assert (found.difficulty.word, str(found.filled), found.open) == ("easy", "T, 2, T", ())


def test_open_cells_need_a_guess_and_a_conflict_has_no_solution() -> None:
    assert explain(parse_grid("_, 1, _")).difficulty.word == NEEDS_A_GUESS
    assert explain(parse_grid("_, 3, _")).difficulty.word == WITHOUT_SOLUTION


def test_an_explanation_prints_its_steps_and_what_they_lead_to() -> None:
    board = parse_grid("_, 1, 0\n_, 2, 1\n_, _, _")
    step, *others = str(explain(board)).splitlines()
    assert step.startswith("1. Subtract the traps that ")
    assert others == ["not forced: r1c1, r2c1, r3c2 and r3c3", "difficulty: needs a guess"]
    assert str(explain_cell(board, (2, 0))).splitlines() == [step, "r3c1 is a gem"]
    assert str(explain_cell(board, (0, 0))) == "r1c1 is not forced: it can be a trap or a gem"
    supposed, *_, failed, so = str(explain_opposite(board, (2, 0))).splitlines()
    assert (supposed, so) == ("suppose that r3c1 is a trap:", "r3c1 is a gem")
    assert failed.startswith("The 1 at r2c3 cannot hold: ")
    refuted, *_, last = str(explain(parse_grid("1, _, 0"))).splitlines()
    assert refuted == "no solution: the clue at r1c1 and the clue at r1c3 cannot all hold"
    assert last == "difficulty: no solution"


def test_a_board_of_hidden_cells_alone_is_open() -> None:
    found = explain(Grid(np.full((3, 7), HIDDEN, np.int8)))
    assert (found.steps, len(found.open), len(found.examples)) == ((), 21, 2)


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
