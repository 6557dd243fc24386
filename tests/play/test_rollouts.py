"""Close decisions by playing on: the same boards for all cells, no luck, and an honest interval."""

from itertools import count

import numpy as np
import pytest

from gemhunter.board.grid import Cell
from gemhunter.files.text import parse_grid
from gemhunter.play.advice import BY_ROLLOUTS, Advice, advise
from gemhunter.play.guessing import rollouts
from gemhunter.play.guessing.candidates import analyse_position, win_chance
from gemhunter.play.guessing.rollouts import can_roll_out, roll_out
from gemhunter.solving.run import Limits, Run

END = "1, _, _, _\n1, _, _, _\n1, _, _, _"
"""Few enough boards to know exactly how often a perfect player wins."""


@pytest.fixture
def three_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts, "MAX_ROLLOUT_BOARDS", 3 * rollouts.ROLLOUT_BATCH)


@pytest.mark.usefixtures("three_batches")
def test_the_best_cell_of_an_end_wins_as_often_as_a_perfect_player() -> None:
    grid = parse_grid(END)
    cells = [Cell(row, col) for row in range(3) for col in (1, 3)]
    found = roll_out(grid, 3, cells, Run())
    assert found is not None
    assert found.games == 3 * rollouts.ROLLOUT_BATCH
    exact = win_chance(analyse_position(grid, 3, 1.0), Run())
    best = found.win_rates[0]
    assert exact is not None
    assert best.low - 1e-9 <= exact <= best.high + 1e-9


@pytest.mark.usefixtures("three_batches")
def test_cells_are_in_falling_order_and_the_first_is_behind_by_nothing() -> None:
    found = roll_out(parse_grid(END), 3, [Cell(0, 1), Cell(1, 3), Cell(2, 2)], Run())
    assert found is not None
    values = [rate.value for rate in found.win_rates]
    assert values == sorted(values, reverse=True)
    assert (found.behind[0].value, found.behind[0].margin) == (0.0, 0.0)
    gaps = [values[0] - value for value in values]
    assert [behind.value for behind in found.behind] == pytest.approx(gaps)


@pytest.mark.usefixtures("three_batches")
def test_the_same_seed_gives_the_same_figures() -> None:
    grid, cells = parse_grid(END), [Cell(0, 1), Cell(2, 3)]
    assert roll_out(grid, 3, cells, Run(seed=4)) == roll_out(grid, 3, cells, Run(seed=4))
    assert roll_out(grid, 3, cells, Run(seed=4)) != roll_out(grid, 3, cells, Run(seed=5))


def test_without_time_nothing_is_said() -> None:
    assert roll_out(parse_grid(END), 3, [Cell(0, 1)], Run(cancel=lambda: True)) is None


def test_where_games_cannot_be_played_on_nothing_is_tried() -> None:
    assert can_roll_out(parse_grid(END), 3)
    assert not can_roll_out(parse_grid(END), None)
    assert not can_roll_out(parse_grid("1, T\n_, _"), 1)
    assert not can_roll_out(parse_grid("1, 1\n1, 1"), 0)


OPEN = "\n".join(["1, _, _, _, _, _, _, _", *["_, _, _, _, _, _, _, _"] * 6])
"""Has too many boards for an exact end, so `expert` looks ahead."""


@pytest.mark.usefixtures("three_batches")
def test_advice_that_was_thought_over_keeps_what_was_found() -> None:
    advised = advise(OPEN, total=12, think=60.0)
    assert isinstance(advised, Advice)
    assert advised.rollouts is not None
    assert advised.rollouts.games == 3 * rollouts.ROLLOUT_BATCH
    assert {*advised.rollouts.cells} <= {each.cell for each in advised.candidates}
    plain = advise(OPEN, total=12)
    assert isinstance(plain, Advice)
    assert plain.rollouts is None
    if advised.best != plain.best:
        assert advised.why == BY_ROLLOUTS


def test_a_cell_that_wins_more_often_for_certain_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def rigged(grid: object, total: int, cell: Cell, boards: list[object]) -> "np.typing.NDArray[np.float64]":
        return np.linspace(0.4, 0.5, len(boards)) + 0.1 * cell.row

    monkeypatch.setattr(rollouts, "_results", rigged)
    monkeypatch.setattr(rollouts, "MAX_ROLLOUT_BOARDS", 2 * rollouts.ROLLOUT_BATCH)
    plain, advised = advise(OPEN, total=12), advise(OPEN, total=12, think=60.0)
    assert isinstance(plain, Advice)
    assert isinstance(advised, Advice)
    compared = [each.cell for each in plain.candidates[:4]]
    lowest = max(compared, key=lambda cell: cell.row)
    assert advised.best is not None
    assert advised.best.row == lowest.row
    assert sorted(each.cell for each in advised.candidates) == sorted(each.cell for each in plain.candidates)


def test_limits_are_kept() -> None:
    ticks = count(step=0.01)
    found = roll_out(parse_grid(END), 3, [Cell(0, 1)], Run(Limits(seconds=2.5), clock=lambda: next(ticks)))
    assert found is not None
    assert found.games < 100 * rollouts.ROLLOUT_BATCH
