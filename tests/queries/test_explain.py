"""Explanations of whole boards, judged by a SAT solver that knows only the rules of the puzzle."""

import os
from pathlib import Path

import numpy as np
import pytest

from explanation_faults import explanation_faults
from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.deduce.difficulty import NEEDS_A_GUESS, WITHOUT_SOLUTION
from gemhunter.formats.text import parse_grid
from gemhunter.play.game_names import read_grid
from gemhunter.queries.explain import explain
from random_grids import random_grids

FOLDER = Path(os.environ.get("GEMHUNTER_BOARDS", "."))
OTHERS = sorted(FOLDER.glob("lab-*.txt"))
PACKAGE = Path(__file__).parents[2] / "src" / "gemhunter"
OWN = sorted([*(PACKAGE / "boards").glob("*.txt"), *(PACKAGE / "suites" / "positions").glob("*.txt")])
HALVES = 2


def faults_on_random_boards(seed: int, number: int, *, rows: int, cols: int) -> dict[str, list[str]]:
    """What is wrong, by board and total."""
    found = {}
    for grid, total in random_grids(seed, number, rows=rows, cols=cols):
        if faults := explanation_faults(explain(grid, total=total)):
            found[f"{grid}\ntotal {total}"] = faults
    return found


def test_small_random_boards_are_explained_by_steps_that_follow_and_are_the_easiest() -> None:
    assert faults_on_random_boards(1, 250, rows=5, cols=7) == {}


def test_larger_random_boards_are_explained_by_steps_that_follow_and_are_the_easiest() -> None:
    assert faults_on_random_boards(2, 60, rows=9, cols=14) == {}


@pytest.mark.parametrize("half", range(HALVES))
@pytest.mark.skipif(not OTHERS, reason="GEMHUNTER_BOARDS is not set: no boards by other people here")
def test_boards_by_other_people_are_explained(half: int) -> None:
    found = {path.name: explanation_faults(explain(read_grid(path))) for path in OTHERS[half::HALVES]}
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_boards_of_the_package_are_explained(path: Path) -> None:
    assert explanation_faults(explain(read_grid(path))) == []


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


def test_a_board_of_hidden_cells_alone_is_open() -> None:
    found = explain(Grid(np.full((3, 7), HIDDEN, np.int8)))
    assert (found.steps, len(found.open), len(found.examples)) == ((), 21, 2)
