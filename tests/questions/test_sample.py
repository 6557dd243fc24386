"""Solutions drawn at random: each is one, and each comes as often as it should."""

from collections import Counter
from fractions import Fraction
from threading import Event

import numpy as np
import pytest

import oracles
from counted_boards import random_boards
from gemhunter.board.board import grid_from_traps
from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.counting.random_solutions import Urn
from gemhunter.files.text import parse_grid
from gemhunter.questions.sample import sample
from gemhunter.solving.outcomes import GaveUp, Refuted, StopReason
from gemhunter.solving.run import Run

AMOUNT = 1000
PRIORS = [(None, None), (3, None), (None, 0.3)]
BOARDS = [
    "_, 1, _, _\n_, _, 2, _",
    "_, 2, _\n_, _, _\n1, _, _",
    "_, _, _, _, _",
    "_, 2, _, 1, _\nT, _, G, _, _",
]


def drawn(grid: Grid, amount: int, traps: int | None, density: float | None, seed: int = 1) -> list[Grid]:
    solutions = sample(grid, amount, total=traps, density=density, seed=seed)
    assert isinstance(solutions, list)
    return solutions


def expected_shares(grid: Grid, traps: int | None, density: float | None) -> dict[bytes, float]:
    """How likely each solution is to be drawn, by the bytes of its row."""
    table = oracles.solution_table(grid, traps)
    chance = None if density is None else Fraction(density)
    weights = [oracles.weight(int(row.sum()), row.size, chance) for row in table]
    return {row.tobytes(): float(each / sum(weights)) for row, each in zip(table, weights, strict=True)}


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize(("traps", "density"), PRIORS)
def test_every_solution_comes_as_often_as_it_should(
    text: str, traps: int | None, density: float | None
) -> None:
    grid = parse_grid(text)
    shares = expected_shares(grid, traps, density)
    hidden = grid.cells == HIDDEN
    found = Counter(
        (filled.cells[hidden] == TRAP).astype(np.int8).tobytes()
        for filled in drawn(grid, AMOUNT, traps, density)
    )
    assert set(found) <= set(shares)
    squares = sum((found[row] - AMOUNT * share) ** 2 / (AMOUNT * share) for row, share in shares.items())
    freedom = len(shares) - 1
    # About five standard deviations above the mean of chi-square: a fair draw never comes near it.
    assert squares <= freedom + 5 * (2 * freedom) ** 0.5 + 5


@pytest.mark.parametrize(("traps", "density"), [(None, None), (21, None), (None, 0.2)])
def test_cells_are_traps_as_often_as_their_probability_says(traps: int | None, density: float | None) -> None:
    """A board with a small frontier and a large free area, too many solutions to list."""
    codes = np.full((8, 12), HIDDEN, np.int8)
    codes[3, 3], codes[5, 9] = 2, 4
    shares = np.mean([filled.cells == TRAP for filled in drawn(Grid(codes), 1500, traps, density)], axis=0)
    around = [(2, 2), (2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3), (4, 4)]
    free = (96 - 2 - 16, 0.5 if traps is None and density is None else 0.2 if density else 15 / 78)
    outside = np.delete(shares.ravel(), [3 * 12 + 3, 5 * 12 + 9])
    assert abs(np.mean([shares[place] for place in around]) - 2 / 8) < 1e-9
    assert abs((outside.sum() - 6) / free[0] - free[1]) < 0.01
    assert np.abs([shares[place] - 2 / 8 for place in around]).max() < 0.06
    assert abs(shares[0, 0] - free[1]) < 0.07


def test_every_sample_is_a_solution() -> None:
    for planted in random_boards(150, seed=21):
        answer = sample(planted.grid, 3, total=planted.traps, seed=5)
        if isinstance(answer, Refuted):
            assert len(oracles.solution_table(planted.grid, planted.traps)) == 0
            continue
        assert isinstance(answer, list)
        assert len(answer) == 3
        assert [check(planted.grid, filled, planted.traps) for filled in answer] == [[], [], []]


def test_samples_of_a_larger_board_are_solutions() -> None:
    random = np.random.default_rng(3)
    traps = random.random((16, 30)) < 0.2
    grid = grid_from_traps(traps, random.random((16, 30)) < 0.5)
    total = int(traps.sum())
    answer = sample(grid, 20, total=total)
    assert isinstance(answer, list)
    assert [check(grid, filled, total) for filled in answer] == [[]] * 20


def test_the_seed_decides() -> None:
    grid = parse_grid("_, _, _, _, _, 2, _, _, _, _")
    assert drawn(grid, 20, None, None, seed=1) == drawn(grid, 20, None, None, seed=1)
    assert drawn(grid, 20, None, None, seed=1) != drawn(grid, 20, None, None, seed=2)


def test_samples_are_drawn_anew_each_time() -> None:
    assert len(set(drawn(parse_grid("_, _, _, _, _, 2, _, _, _, _"), 100, None, None))) > 30


def test_no_samples_are_no_samples() -> None:
    assert sample(parse_grid("_, 1, _"), 0) == []


def test_a_board_without_hidden_cells_is_its_own_sample() -> None:
    grid = parse_grid("T, 1, G")
    assert sample(grid, 2) == [grid, grid]


def test_clues_that_clash_have_no_samples() -> None:
    assert isinstance(sample(parse_grid("1, _, 2"), 3), Refuted)


def test_a_step_limit_is_kept() -> None:
    assert isinstance(sample(parse_grid("1, _, 1\n_, _, _\n1, _, 1"), 3, step_limit=1), GaveUp)


@pytest.mark.parametrize("amount", [1, 2])
def test_a_limit_after_the_last_draw_does_not_matter(amount: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_once = Event()
    draw = Urn.draw

    def draw_and_tell(urn: Urn) -> Grid | None:
        drawn_once.set()
        return draw(urn)

    monkeypatch.setattr(Urn, "draw", draw_and_tell)
    answer = sample(parse_grid("T, 1, _"), amount, run=Run(cancel=drawn_once.is_set))
    expected = [parse_grid("T, 1, G")] if amount == 1 else GaveUp(StopReason.CANCELLED, "1 of 2 drawn")
    assert answer == expected


def test_a_total_beyond_all_boards_is_refuted_by_its_number() -> None:
    answer = sample(parse_grid("_, 1, _"), total=10**15)
    assert isinstance(answer, Refuted)
    assert "it needs 1,000,000,000,000,000 more traps" in answer.reason
