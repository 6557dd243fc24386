"""Naming the clues to blame keeps the limits of the run, and its proportion."""

from itertools import count

from boards import hard_board
from gemhunter.core.grid import Cell
from gemhunter.core.puzzle import read_puzzle
from gemhunter.deduce.refutations import refuted_by_any
from gemhunter.solving.run import Run


def explained_in(run: Run) -> tuple[Cell, ...]:
    """The clues that are named of a board on which a smallest set takes long to find."""
    grid = hard_board(1).grid
    return refuted_by_any(read_puzzle(grid), run).clues


def test_explaining_ends_with_the_run() -> None:
    looks = count()
    explained_in(Run(cancel=lambda: next(looks) >= 3))
    assert next(looks) == 4


def test_explaining_takes_little_longer_than_refuting() -> None:
    ticks = count()
    run = Run(clock=lambda: next(ticks) / 20)
    explained_in(run)
    assert run.elapsed < 2
