"""Probabilities of traps, against exact fractions over all solutions."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from counted_boards import random_boards, with_only
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.questions.probability import Probabilities, probabilities, probabilities_of_many
from gemhunter.solving.outcomes import GaveUp, Refuted
from strategies import Planted, small_boards

DENSITIES = (0.05, 0.2, 0.5, 0.93)


def require_exact(grid: Grid, traps: int | None = None, density: float | None = None) -> None:
    """The answer is the fraction over all solutions, or names clues that clash if there is none."""
    answer = probabilities(grid, total=traps, density=density)
    exact = oracles.marginals(grid, traps, None if density is None else Fraction(density))
    if exact is None:
        assert isinstance(answer, Refuted)
        assert len(oracles.solution_table(with_only(grid, answer.clues), traps)) == 0, answer
        return
    assert isinstance(answer, Probabilities)
    hidden = grid.cells == HIDDEN
    assert np.isnan(answer.values[~hidden]).all()
    for found, expected in zip(answer.values[hidden].tolist(), exact, strict=True):
        assert abs(Fraction(found) - expected) <= Fraction(1, 10**12), (grid, traps, density)


@given(small_boards(rows=3, cols=6), st.sampled_from([None, *DENSITIES]))
def test_exact_to_twelve_digits(planted: Planted, density: float | None) -> None:
    require_exact(planted.grid, planted.traps if density is None else None, density)


def test_exact_on_random_boards_with_a_total_or_without() -> None:
    for planted in random_boards(1200, seed=11):
        require_exact(planted.grid, planted.traps)


@pytest.mark.parametrize("density", DENSITIES)
def test_exact_on_random_boards_with_independent_traps(density: float) -> None:
    for planted in random_boards(250, seed=int(100 * density)):
        require_exact(planted.grid, density=density)


@pytest.mark.parametrize(
    "text",
    ["1, _, 2", "0, _, 1", "2, _\n_, 3", "_, 1, _\n_, 1, _\n_, 5, _", "1, _, _, _, 1\n_, _, 8, _, _"],
)
def test_clues_that_clash_are_named(text: str) -> None:
    answer = probabilities(parse_grid(text))
    assert isinstance(answer, Refuted)
    assert answer.clues
    assert len(oracles.solution_table(with_only(parse_grid(text), answer.clues))) == 0


@pytest.mark.parametrize("traps", [0, 1, 6])
def test_a_total_that_cannot_be_is_refuted(traps: int) -> None:
    grid = parse_grid("_, 2, _\n_, _, _")
    assert isinstance(probabilities(grid, total=traps), Refuted)
    require_exact(grid, traps)


@pytest.mark.parametrize(
    ("text", "safest"), [("T, 1, G", []), ("_, 2, _", []), ("_, 1, _, _", [(0, 0), (0, 2)])]
)
def test_the_safest_cells_are_those_least_likely_a_trap(text: str, safest: list[tuple[int, int]]) -> None:
    answer = probabilities(parse_grid(text), density=0.6)
    assert isinstance(answer, Probabilities)
    assert answer.safest() == safest


@pytest.mark.parametrize(("prior", "expected"), [({}, 0.5), ({"total": 1}, 0.25), ({"density": 0.3}, 0.3)])
def test_without_clues_all_cells_are_alike(prior: dict[str, int | float], expected: float) -> None:
    answer = probabilities(parse_grid("_, _, _, _"), **prior)  # type: ignore[arg-type]
    assert isinstance(answer, Probabilities)
    np.testing.assert_allclose(answer.values, expected, atol=1e-12)


@pytest.mark.parametrize("traps", [3, 4, 240, 700, 1193, 1194])
def test_free_areas_share_the_traps_that_the_clues_leave(traps: int) -> None:
    codes = np.full((30, 40), HIDDEN, np.int8)
    codes[10, 20] = 3
    answer = probabilities(Grid(codes), total=traps)
    assert isinstance(answer, Probabilities)
    assert abs(answer[0, 0] - (traps - 3) / (30 * 40 - 9)) <= 1e-12
    assert abs(answer[9, 20] - 3 / 8) <= 1e-12
    assert np.isnan(answer[10, 20])


@pytest.mark.parametrize("traps", [1, 60, 500, 998])
def test_a_total_decides_between_few_traps_and_many(traps: int) -> None:
    """Two clues share a cell: it is one trap or two, and the free cells hold the rest."""
    codes = np.full((1, 1003), HIDDEN, np.int8)
    codes[0, [1, 3]] = 1
    free = 1003 - 5
    answer = probabilities(Grid(codes), total=traps)
    assert isinstance(answer, Probabilities)
    one, two = comb(free, traps - 1), comb(free, traps - 2) if traps > 1 else 0
    assert abs(Fraction(answer[0, 2]) - Fraction(one, one + two)) <= Fraction(1, 10**12)
    outside = Fraction(one * (traps - 1) + two * (traps - 2), (one + two) * free)
    assert abs(Fraction(answer[0, 999]) - outside) <= Fraction(1, 10**12)


def test_hundreds_of_parts_stay_exact_with_a_total() -> None:
    """Each pair of cells beside a clue of 1 holds a trap; 250 such parts and 40 free cells."""
    codes = np.full((1, 4 * 250 + 40), HIDDEN, np.int8)
    codes[0, 1 : 4 * 250 : 4] = 1
    codes[0, 3 : 4 * 250 : 4] = -3
    answer = probabilities(Grid(codes), total=250 + 7)
    assert isinstance(answer, Probabilities)
    assert abs(answer[0, 0] - 0.5) <= 1e-12
    assert abs(answer[0, 4 * 250 + 39] - 7 / 40) <= 1e-12


def test_many_boards_at_once_are_answered_like_each_of_them() -> None:
    planted = list(random_boards(60, seed=12))
    grids = [each.grid for each in planted]
    for prior in ({}, {"total": 4}, {"density": 0.2}):
        together = probabilities_of_many(grids, **prior)
        alone = [probabilities(grid, **prior) for grid in grids]
        for one, other in zip(together, alone, strict=True):
            assert type(one) is type(other)
            if isinstance(one, Probabilities) and isinstance(other, Probabilities):
                np.testing.assert_allclose(one.values, other.values, rtol=0, atol=1e-12)
    assert probabilities_of_many([]) == []


@pytest.mark.parametrize("traps", [-1, [1, -1], np.int64(-1), np.array([1, -1])])
def test_many_boards_have_no_total_below_0(traps: int) -> None:
    with pytest.raises(InputError, match="the number of traps must be a whole number ≥ 0, not -1"):
        probabilities_of_many([parse_grid("_, 1, _, _")] * 2, total=traps)


@pytest.mark.parametrize("traps", [2, np.int64(2), [2], np.array([2], np.int32)])
def test_totals_of_many_boards_may_come_from_numpy(traps: int) -> None:
    (answer,) = probabilities_of_many([parse_grid("_, 1, _, _")], total=traps)
    assert isinstance(answer, Probabilities)
    assert answer[0, 3] == 1


def test_cells_are_as_safe_as_each_other_up_to_rounding_whatever_their_risk() -> None:
    grid = parse_grid("_, _, _, _")
    tiny = Probabilities(grid, np.array([[3e-13, 1e-13, 1e-13 * (1 + 1e-12), 0.5]]))
    assert tiny.safest() == [Cell(0, 1), Cell(0, 2)]
    none = Probabilities(grid, np.array([[1e-300, 0.0, 0.5, 0.0]]))
    assert none.safest() == [Cell(0, 1), Cell(0, 3)]


def test_a_step_limit_is_kept() -> None:
    assert isinstance(probabilities(parse_grid("1, _, 1\n_, _, _\n1, _, 1"), step_limit=1), GaveUp)


@pytest.mark.parametrize(("total", "density"), [(1, 0.5), (None, -0.1), (None, 1.1), (None, float("nan"))])
def test_a_density_is_a_share_and_excludes_a_total(total: int | None, density: float) -> None:
    with pytest.raises(InputError, match="density"):
        probabilities(parse_grid("_, 1, _"), total=total, density=density)


def test_a_row_or_column_below_0_is_no_cell() -> None:
    answer = probabilities(parse_grid("_, 1, _"))
    assert isinstance(answer, Probabilities)
    with pytest.raises(IndexError, match="no row -1, column 0 on a board of 1×3"):
        answer[-1, 0]
