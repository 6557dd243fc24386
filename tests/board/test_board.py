"""From a map of traps to what a player sees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from gemhunter.board.board import grid_from_traps, random_grid, random_traps
from strategies import sizes


def trap_map(rows: str) -> np.ndarray:
    """`*` is a trap, one line per row."""
    return np.array([[sign == "*" for sign in row] for row in rows.split("/")])


def test_without_a_map_of_shown_cells_every_gem_shows_its_clue() -> None:
    assert str(grid_from_traps(trap_map("..*./*..*"))) == "1, 2, _, 2\n_, 2, 2, _"


def test_cells_that_are_not_shown_are_hidden() -> None:
    assert str(grid_from_traps(trap_map("..*/..."), trap_map("*../.*."))) == "0, _, _\n_, 1, _"


def test_a_trap_stays_hidden_even_where_the_player_looked() -> None:
    assert str(grid_from_traps(trap_map("*."), trap_map("**"))) == "_, 1"


def test_a_gem_among_eight_traps_shows_eight() -> None:
    assert grid_from_traps(trap_map("***/*.*/***"))[1, 1] == 8


@given(st.data())
def test_every_clue_is_the_number_of_traps_that_plain_loops_count(data: st.DataObject) -> None:
    width = data.draw(sizes(6))
    row = st.lists(st.booleans(), min_size=width, max_size=width)
    traps = data.draw(st.lists(row, min_size=1, max_size=5))
    truth = [["T" if is_trap else "G" for is_trap in row] for row in traps]
    expected = [
        ["_" if truth[r][c] == "T" else str(oracles.traps_around(truth, (r, c))) for c in range(width)]
        for r in range(len(truth))
    ]
    assert oracles.marks_of(grid_from_traps(np.array(traps))) == expected


def test_maps_of_different_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\(1, 2\), the map of shown cells \(2, 1\)"):
        grid_from_traps(trap_map(".."), trap_map("./."))


def test_a_random_grid_is_the_same_for_a_seed_on_every_machine() -> None:
    grid = random_grid(3, 6, density=0.3, shown=0.6, seed=1)
    assert str(grid) == "0, _, _, 2, _, 0\n0, 1, _, _, 2, 1\n0, 0, 1, 2, _, _"


def test_a_random_grid_with_everything_shown_hides_exactly_its_random_traps() -> None:
    grid = random_grid(7, 9, density=0.4, shown=1, seed=3)
    assert np.array_equal(grid.cells < 0, random_traps(7, 9, 0.4, 3))
