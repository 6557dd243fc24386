"""The boards that come with the package: where they come from, and what is true of them."""

from pathlib import Path

import numpy as np
import pytest

from gemhunter import Refuted, Solved, position, read_grid, solve
from gemhunter.cli.sample_boards import boards_folder

BOARDS = sorted(boards_folder().glob("*.txt"))


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.name)
def test_sample_boards_are_written_canonically(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == f"{read_grid(path)}\n"


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.name)
def test_sample_boards_have_a_solution_unless_their_name_says_otherwise(path: Path) -> None:
    expected = Refuted if path.name.startswith("no-solution") else Solved
    assert isinstance(solve(read_grid(path)).outcome, expected)


@pytest.mark.parametrize("path", sorted(boards_folder().glob("board-*.txt")), ids=lambda path: path.name)
def test_random_sample_boards_come_from_their_size_as_seed(path: Path) -> None:
    rows, cols = (int(side) for side in path.stem.split("-")[1].split("x"))
    random = np.random.default_rng([rows, cols])
    traps = random.random((rows, cols)) < 0.25
    shown = 0.65 if path.name == "board-66x66.txt" else 0.6
    assert read_grid(path) == position(traps, random.random((rows, cols)) < shown)
