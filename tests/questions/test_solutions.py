"""All solutions one by one: in order, lazily, within limits; forced cells and uniqueness agree with them."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given

import oracles
from boards import even_lattice, random_board
from gemhunter.bench.suites import BenchBoard
from gemhunter.board.board import grid_from_traps
from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.questions import solutions as walking
from gemhunter.questions.forced import Forced, forced, is_unique
from gemhunter.questions.solutions import Ending, Solutions, solutions
from gemhunter.solving.outcomes import GaveUp, Refuted, StopReason
from gemhunter.solving.run import Run
from strategies import Planted, small_boards

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
    monkeypatch.setattr(walking, "REMEMBERED_ANSWERS", 10)
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
    monkeypatch.setattr("gemhunter.questions.solutions.TOTAL_CELL_LIMIT", 3)
    walk = solutions(PAIRS, total=2)
    assert list(walk) == []
    assert isinstance(walk.ending, GaveUp)
    assert walk.ending.stop_reason is StopReason.MEMORY


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="the limit must be a whole number above 0, not 0"):
        solutions(PAIRS, limit=0)


def require_agreement(grid: Grid, traps: int | None, listed: list[oracles.Assignment]) -> None:
    """All three questions have the answers that the list of solutions gives, which is sorted."""
    walk = solutions(grid, total=traps)
    assert [assignment_of(grid, filled) for filled in walk] == listed
    assert is_unique(grid, total=traps) is (len(listed) == 1)
    answer = forced(grid, total=traps)
    if not listed:
        assert isinstance(walk.ending, Refuted)
        assert isinstance(answer, Refuted)
        return
    assert walk.ending is Ending.ALL
    assert isinstance(answer, Forced)
    places = oracles.hidden_places(oracles.marks_of(grid))
    assert list(answer.traps) == [place for at, place in enumerate(places) if all(one[at] for one in listed)]
    assert list(answer.gems) == [
        place for at, place in enumerate(places) if not any(one[at] for one in listed)
    ]


def assignment_of(grid: Grid, filled: Grid) -> oracles.Assignment:
    return tuple((filled.cells[grid.cells == HIDDEN] == TRAP).tolist())


@given(small_boards(most_hidden=7))
def test_boards_of_all_kinds_against_trying_everything(board: Planted) -> None:
    require_agreement(board.grid, board.traps, sorted(oracles.all_solutions(board.grid, board.traps)))


@pytest.mark.parametrize("seed", range(6))
def test_random_rectangles_against_a_plain_list_of_models(seed: int) -> None:
    chance = np.random.default_rng(seed)
    for _ in range(80):
        truth = chance.random((chance.integers(1, 6), chance.integers(1, 9))) < chance.choice([0.2, 0.5])
        grid = grid_from_traps(truth, chance.random(truth.shape) < chance.choice([0.5, 0.7]))
        if np.count_nonzero(grid.cells == HIDDEN) > 12:
            continue
        total = int(np.count_nonzero(truth)) + int(chance.integers(-1, 2))
        traps = None if chance.random() < 0.5 else max(total, 0)
        require_agreement(grid, traps, sorted(oracles.solutions_by_clauses(grid, traps)))
