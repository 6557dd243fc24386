"""Cells that are the same in every solution, and whether there is only one."""

from collections.abc import Callable

import numpy as np
import pytest

import oracles
from boards import even_lattice, random_board
from gemhunter.board.grid import GEM, Cell, Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.files.text import parse_grid
from gemhunter.questions.forced import Forced, forced, is_unique
from gemhunter.questions.solutions import PROPAGATION_ROUNDS, Slack, undecided_cells, undecided_clauses
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

PAIR = parse_grid("_, 1, _")
UNTOUCHED = parse_grid("_, _, _, 0, _")
LATTICE = even_lattice(24).grid


def names(cells: tuple[Cell, ...]) -> str:
    return " ".join(map(str, cells))


def test_a_total_can_force_what_clues_leave_undecided() -> None:
    grid = parse_grid("_, 1, _, _")
    answers = [forced(grid, total=traps) for traps in (1, 2)]
    assert [(names(each.traps), names(each.gems)) for each in answers if isinstance(each, Forced)] == [
        ("", "r1c4"),
        ("r1c4", ""),
    ]


def test_untouched_cells_are_forced_by_a_total_only() -> None:
    answers = [forced(UNTOUCHED, total=traps) for traps in (None, 0, 1, 2)]
    found = [(names(each.traps), names(each.gems)) for each in answers if isinstance(each, Forced)]
    assert found == [
        ("", "r1c3 r1c5"),
        ("", "r1c1 r1c2 r1c3 r1c5"),
        ("", "r1c3 r1c5"),
        ("r1c1 r1c2", "r1c3 r1c5"),
    ]


def test_the_filled_grid_shows_what_is_forced() -> None:
    answer = forced(parse_grid("1, _, _\n_, _, 1\n0, _, _"))
    assert isinstance(answer, Forced)
    assert str(answer.filled) == "1, T, G\nG, G, 1\n0, G, G"


def test_untouched_cells_are_counted_not_named() -> None:
    codes = np.full((20, 30), -1, np.int8)
    codes[7, 9] = 1
    cells = undecided_cells(read_puzzle(Grid(codes), total=3))
    clauses, slack = undecided_clauses(cells)
    assert (cells.touched.size, cells.untouched.size, slack) == (8, 591, Slack(first=9, least=0, size=3))
    assert len(clauses) < 1000


def test_a_total_that_is_too_large_to_count_leaves_what_clues_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.questions.solutions.TOTAL_CELL_LIMIT", 3)
    monkeypatch.setattr("gemhunter.questions.forced.TABLE_COST_LIMIT", -1)
    grid = parse_grid("0, _, 1, _, _\n_, _, _, _, _")
    answer = forced(grid, total=2)
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason is StopReason.MEMORY
    assert answer.decided == (-1, -4, -5)
    assert is_unique(grid, total=2) is False


@pytest.mark.parametrize("question", [forced, is_unique])
def test_a_cancelled_question_is_given_up(question: Callable[..., object]) -> None:
    answer = question(LATTICE, run=Run(cancel=lambda: True))
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason is StopReason.CANCELLED


def test_giving_up_keeps_what_was_found_and_it_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.questions.forced.TABLE_COST_LIMIT", -1)
    grid = random_board(60).grid
    run = Run()
    whole = forced(grid, run=run)
    answer = forced(grid, step_limit=run.steps // 2)
    assert isinstance(answer, GaveUp)
    assert isinstance(whole, Forced)
    assert answer.stop_reason is StopReason.STEPS
    assert f"{len(answer.decided)} of " in answer.detail
    hidden = oracles.hidden_places(oracles.marks_of(grid))
    traps = {hidden[cell - 1] for cell in answer.decided if cell > 0}
    gems = {hidden[-cell - 1] for cell in answer.decided if cell < 0}
    assert 0 < len(answer.decided) < len(whole.traps + whole.gems)
    assert traps <= {*whole.traps}
    assert gems <= {*whole.gems}


@pytest.mark.parametrize(("grid", "traps"), [(PAIR, 1), (Grid(np.full((300, 300), -1, np.int8)), None)])
def test_a_time_limit_that_is_over_at_once_is_no_error(grid: Grid, traps: int | None) -> None:
    assert isinstance(forced(grid, total=traps, time_limit=1e-6), Forced | GaveUp)


def test_a_board_with_untouched_cells_is_not_unique_without_a_search() -> None:
    run = Run()
    assert is_unique(UNTOUCHED, run=run) is False
    assert run.steps == 0


def test_a_chain_of_implications_longer_than_propagation_follows_is_left_to_the_solver() -> None:
    chain = np.full((1, 2 * PROPAGATION_ROUNDS + 9), -1, np.int8)
    chain[0, 1::2] = 1
    chain[0, 0] = GEM
    answer = forced(Grid(chain))
    assert isinstance(answer, Forced)
    assert len(answer.traps) == PROPAGATION_ROUNDS // 2 + 2
