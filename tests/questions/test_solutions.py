"""All solutions one by one: in order, lazily, within limits."""

from itertools import islice

import numpy as np
import pytest

from boards import even_lattice, random_board
from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.compare.suites import BenchBoard
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.questions import solutions as walking
from gemhunter.questions.solutions import Ending, Solutions, solutions
from gemhunter.solving.outcomes import GaveUp, Refuted, StopReason
from gemhunter.solving.run import Run

PAIRS = parse_grid("_, 1, _, G, _, 1, _")
EMPTY = Grid(np.full((10, 10), HIDDEN, np.int8))


def as_number(filled: Grid) -> int:
    """The traps as binary digits, in reading order."""
    return int("".join("1" if code == TRAP else "0" for code in filled.cells.ravel().tolist()), 2)


def test_gems_come_before_traps_in_reading_order() -> None:
    assert [str(filled) for filled in solutions(PAIRS)] == [
        "G, 1, T, G, G, 1, T",
        "G, 1, T, G, T, 1, G",
        "T, 1, G, G, G, 1, T",
        "T, 1, G, G, T, 1, G",
    ]


def test_the_first_ten_of_ten_to_the_thirty_are_counted_up() -> None:
    assert [as_number(filled) for filled in islice(solutions(EMPTY), 10)] == list(range(10))


def test_a_walk_over_independent_parts_asks_about_each_part_once() -> None:
    row = "_, 1, _, G, " * 5 + "_, 1, _"
    run, small = Run(), Run()
    many = Solutions(run, parse_grid("\n".join([row, row.replace("_", "G").replace("1", "G"), row])))
    few = Solutions(small, parse_grid(row))
    assert (len(list(many)), len(list(few))) == (2**12, 2**6)
    assert run.steps - 2**12 <= 2 * (small.steps - 2**6)  # a solution is a step as well


def test_parts_may_forget_and_be_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = random_board(16, seed=3).grid
    listed = list(solutions(grid, limit=300))
    monkeypatch.setattr(walking, "MOST_REMEMBERED_ANSWERS", 10)
    monkeypatch.setattr(walking, "CELLS_PER_SOLVER", 1)
    assert list(solutions(grid, limit=300)) == listed


@pytest.mark.parametrize("board", [even_lattice(12), random_board(30), random_board(9, shown=0.3)])
def test_solutions_are_right_different_and_in_order(board: BenchBoard) -> None:
    grid = board.grid
    numbers = []
    for filled in solutions(grid, limit=200):
        assert check(grid, filled) == []
        numbers.append(as_number(filled))
    assert numbers == sorted(set(numbers))


def test_a_total_holds_in_all_of_them() -> None:
    found = list(solutions(EMPTY, total=98, limit=50))
    assert len(set(found)) == 50
    assert all(check(EMPTY, filled, 98) == [] for filled in found)


def test_nothing_is_searched_before_the_first_one_is_asked_for() -> None:
    run = Run(cancel=lambda: True)
    walk = Solutions(run, even_lattice(12).grid)
    assert (run.steps, walk.ending) == (0, None)
    assert list(walk) == []
    assert isinstance(walk.ending, GaveUp)
    assert walk.ending.stop_reason is StopReason.CANCELLED


def test_the_ending_says_whether_these_are_all() -> None:
    endings = []
    for limit in (None, 4, 3):
        walk = solutions(PAIRS, limit=limit)
        endings.append((len(list(walk)), walk.found, walk.ending))
    assert endings == [(4, 4, Ending.ALL), (4, 4, Ending.ENOUGH), (3, 3, Ending.ENOUGH)]


def test_a_step_limit_ends_the_list_and_says_so() -> None:
    walk = solutions(even_lattice(12).grid, step_limit=500)
    assert 0 < len(list(walk)) < 500
    assert isinstance(walk.ending, GaveUp)
    assert walk.ending.stop_reason is StopReason.STEPS
    assert list(walk) == []


@pytest.mark.parametrize("traps", [None, 3])
def test_solutions_that_need_no_question_are_steps_too(traps: int | None) -> None:
    walk = solutions(EMPTY, total=traps, step_limit=5)
    assert len(list(walk)) <= 5
    assert walk.ending == GaveUp(StopReason.STEPS)


def test_solutions_that_need_no_question_can_be_cancelled() -> None:
    late = iter([False] * 50)
    walk = Solutions(Run(cancel=lambda: next(late, True)), EMPTY)
    assert 0 < len(list(walk)) <= 50
    assert walk.ending == GaveUp(StopReason.CANCELLED)


def test_a_limit_that_comes_with_the_last_solution_does_not_hide_that_these_are_all() -> None:
    walk = solutions(parse_grid("_, _"), step_limit=4)
    assert (len(list(walk)), walk.ending) == (4, Ending.ALL)


def test_a_board_without_solution_ends_with_the_reason() -> None:
    walk = solutions(parse_grid("4, _\n_, _"))
    assert list(walk) == []
    assert isinstance(walk.ending, Refuted)
    assert "the clue 4 at r1c1" in walk.ending.reason


def test_a_total_that_is_too_large_to_count_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.questions.undecided.MOST_CELLS_UNDER_TOTAL", 3)
    walk = solutions(PAIRS, total=2)
    assert list(walk) == []
    assert isinstance(walk.ending, GaveUp)
    assert walk.ending.stop_reason is StopReason.MEMORY


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="a limit of solutions is a whole number above 0, not 0"):
        solutions(PAIRS, limit=0)
