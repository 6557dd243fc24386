"""Estimates of the number of solutions, against exact counts."""

import re
from itertools import count as count_up
from threading import Event
from typing import Any

import pytest

import oracles
from boards import even_lattice, random_board
from counted_boards import random_boards
from gemhunter.board.grid import Grid
from gemhunter.errors import EngineError, InputError
from gemhunter.files.text import parse_grid
from gemhunter.optional_packages import install_command
from gemhunter.questions import estimate as module
from gemhunter.questions.count import count
from gemhunter.questions.estimate import Estimate, estimate_count
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Limits, Run
from gemhunter.work.child_process import run_child


def require_close(grid: Grid, traps: int | None, exact: int) -> None:
    found = estimate_count(grid, total=traps)
    assert isinstance(found, Estimate)
    assert exact / 1.8 <= found.value <= exact * 1.8


@pytest.fixture
def _approxmc() -> None:
    pytest.importorskip("pyapproxmc")


@pytest.mark.usefixtures("_approxmc")
@pytest.mark.parametrize(
    ("text", "traps"),
    [
        ("_, 1, _", None),
        ("_, 1, _, 1, _", None),
        ("_, 1, _", 1),
        ("1, _", None),
        ("_, 2, _\n_, _, _", None),
        ("_, _, _, 1, G\n_, _, _, _, 2", None),
        ("_, _, _, _, _, _", 3),
    ],
)
def test_few_solutions_are_counted_exactly(text: str, traps: int | None) -> None:
    """Where cells can only change in pairs, too: pyapproxmc alone loses a factor of 2 for each pair."""
    found = estimate_count(parse_grid(text), total=traps)
    assert found == Estimate(len(oracles.solution_table(parse_grid(text), traps)), 0.8, 0.2)


@pytest.mark.usefixtures("_approxmc")
def test_random_boards_are_estimated_within_the_factor() -> None:
    solvable = [
        (board, oracles.solution_table(board.grid, board.traps)) for board in random_boards(4, seed=41)
    ]
    for board, table in solvable:
        require_close(board.grid, board.traps, len(table))


@pytest.mark.usefixtures("_approxmc")
@pytest.mark.parametrize(
    "grid", [even_lattice(9).grid, random_board(12, 0.2, 0.4).grid], ids=["lattice", "random"]
)
def test_many_solutions_are_estimated_within_the_factor(grid: Grid) -> None:
    exact = count(grid)
    assert isinstance(exact, int)
    assert exact > 1000
    require_close(grid, None, exact)


@pytest.mark.usefixtures("_approxmc")
def test_boards_without_clues_and_without_solutions_need_no_estimate() -> None:
    assert estimate_count(parse_grid("_, _\n_, T")) == Estimate(8, 0.8, 0.2)
    assert estimate_count(parse_grid("T, 1, G")) == Estimate(1, 0.8, 0.2)
    assert estimate_count(parse_grid("1, _, 2")) == Estimate(0, 0.8, 0.2)


@pytest.mark.usefixtures("_approxmc")
def test_a_run_can_be_cancelled_while_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = Event()

    def begin(*child: Any, **how: Any) -> Any:
        begun.set()
        return run_child(*child, **how)

    monkeypatch.setattr(module, "run_child", begin)
    answer = estimate_count(even_lattice(20).grid, run=Run(cancel=begun.is_set))
    assert begun.is_set()
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason == StopReason.CANCELLED


@pytest.mark.usefixtures("_approxmc")
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.2), (-1.0, 0.2), (0.8, 0.0), (0.8, 1.0)])
def test_guarantees_that_nobody_can_give_are_refused(epsilon: float, delta: float) -> None:
    with pytest.raises(InputError, match=r"epsilon|delta"):
        estimate_count(parse_grid("_, 1, _"), epsilon=epsilon, delta=delta)


@pytest.mark.usefixtures("_approxmc")
def test_no_time_is_no_mistake_of_the_caller() -> None:
    # The time is up between two looks at the clock: seconds pass whenever somebody looks.
    for late in range(1, 12):
        run = Run(Limits(late), clock=map(float, count_up()).__next__)
        assert estimate_count(parse_grid("_, _, 1"), run=run) in (
            GaveUp(StopReason.TIME),
            Estimate(2, 0.8, 0.2),
        )


def test_a_missing_package_is_named_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.optional_packages.find_spec", lambda name: None)
    with pytest.raises(EngineError, match=re.escape(install_command("approx"))):
        estimate_count(parse_grid("_, 1, _"))
