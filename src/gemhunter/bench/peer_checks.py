"""Whether a peer's answer is right: solutions by the independent checker, other answers beside ours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.bench.peers import PeerQuestion
from gemhunter.core.checker import check
from gemhunter.core.grid import HIDDEN, Cell, Grid
from gemhunter.formats.text import parse_grid
from gemhunter.queries.answers import Forced, Probabilities
from gemhunter.queries.count import count
from gemhunter.queries.forced import forced
from gemhunter.queries.probability import probabilities
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Solved

LARGEST_DIFFERENCE = 1e-6
"""Probabilities that differ by more are different answers."""


def objection(question: PeerQuestion, answer: Any, grid: Grid, total: int | None, *, seconds: float) -> str:
    """What is wrong with a peer's answer; empty if nothing is, or if we find no answer within `seconds`.

    `answer` is a filled board as rows of marks, a count, rows of probabilities, or certain gems and traps;
    None says that the board has no solution.
    """
    if answer is None or question is PeerQuestion.SOLUTION:
        return _about_solution(answer, grid, total, seconds)
    if question is PeerQuestion.COUNT:
        return _about_count(answer, grid, total, seconds)
    if question is PeerQuestion.PROBABILITIES:
        return _about_probabilities(np.array(answer, float), grid, total, seconds)
    return _about_certain(answer, grid, total, seconds)


def _about_solution(answer: list[list[str]] | None, grid: Grid, total: int | None, seconds: float) -> str:
    if answer is None:
        is_solved = isinstance(solve(grid, total=total, time_limit=seconds).outcome, Solved)
        return "says that there is no solution; auto has one" if is_solved else ""
    broken = check(grid, parse_grid("\n".join(", ".join(row) for row in answer)), total)
    return str(broken[0]) if broken else ""


def _about_count(answer: int, grid: Grid, total: int | None, seconds: float) -> str:
    ours = count(grid, total=total, time_limit=seconds)
    return "" if isinstance(ours, GaveUp) or ours == answer else f"counts {answer}; count says {ours}"


def _about_probabilities(answer: NDArray[np.float64], grid: Grid, total: int | None, seconds: float) -> str:
    ours = probabilities(grid, total=total, time_limit=seconds)
    if isinstance(ours, GaveUp):
        return ""
    if not isinstance(ours, Probabilities):
        return "has probabilities for a board without a solution"
    difference = np.abs(answer - ours.values)[grid.cells == HIDDEN].max(initial=0.0)
    return "" if difference <= LARGEST_DIFFERENCE else f"differs from probabilities by up to {difference:.2g}"


def _about_certain(
    answer: tuple[set[tuple[int, int]], set[tuple[int, int]]], grid: Grid, total: int | None, seconds: float
) -> str:
    """Cells with nothing shown around them are not compared: this peer does not look at them."""
    ours = forced(grid, total=total, time_limit=seconds)
    if isinstance(ours, GaveUp):
        return ""
    if not isinstance(ours, Forced):
        return "has certain cells on a board without a solution"
    for name, theirs, own in (("gem", answer[0], ours.gems), ("trap", answer[1], ours.traps)):
        known = {tuple(cell) for cell in own if _touches_something(grid, cell)}
        for row, col in sorted(theirs ^ known):
            side = "forced says so, the peer does not" if (row, col) in known else "forced does not say so"
            return f"{Cell(row, col)} is certainly a {name}: {side}"
    return ""


def _touches_something(grid: Grid, cell: Cell) -> bool:
    """Whether anything is shown around a hidden cell."""
    around = grid.cells[max(cell.row - 1, 0) : cell.row + 2, max(cell.col - 1, 0) : cell.col + 2]
    return bool((around != HIDDEN).any())
