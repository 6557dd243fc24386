"""Outcomes cannot be confused, and a report shows the one it carries."""

import numpy as np
import pytest

from gemhunter.board.puzzle import Solution
from gemhunter.files.text import parse_grid
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Report, Solved, StopReason

BOARD = parse_grid("_, 1, _\nG, G, G")
OUTCOMES: list[Outcome] = [
    Solved(Solution(np.array([True, False]))),
    Refuted("the clues conflict"),
    GaveUp(StopReason.TIME),
]


def report(outcome: Outcome) -> Report:
    return Report(BOARD, outcome, "pysat", seconds={}, counters={}, seed=0)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_no_outcome_is_true_or_false(outcome: Outcome) -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(outcome)


def test_giving_up_says_why_and_adds_the_detail() -> None:
    assert GaveUp(StopReason.STEPS).reason == "step limit reached"
    assert GaveUp(StopReason.MEMORY, "7 cells").reason == "too large to fit into memory (7 cells)"


def test_a_report_fills_the_board_with_its_solution_if_there_is_one() -> None:
    assert str(report(OUTCOMES[0]).filled) == "T, 1, G\nG, G, G"
    assert [report(outcome).filled for outcome in OUTCOMES[1:]] == [None, None]


def test_a_report_prints_its_answer() -> None:
    some = GaveUp(StopReason.TIME, decided=(-1,))
    printed = [str(report(outcome)) for outcome in (*OUTCOMES, some)]
    assert printed == [
        "solved by pysat in <1 µs\nT, 1, G\nG, G, G",
        "no solution: the clues conflict",
        "gave up: time limit reached",
        "gave up: time limit reached\nG, 1, _\nG, G, G",
    ]


@pytest.mark.parametrize(("outcome", "squares"), list(zip(OUTCOMES, [12, 6, 6], strict=True)))
def test_a_notebook_shows_the_answer_beside_the_board(outcome: Outcome, squares: int) -> None:
    assert report(outcome)._repr_svg_().count("<rect ") == squares
