"""Cells that no clue will ever tell apart: what they cost."""

import numpy as np

from gemhunter.play.guessing.choose import LEAST_SHARE
from random_positions import TRAPPED, random_positions, shown_by_solutions
from standoff_oracle import plain_shares, shares_of
from strategies import grid_of


def test_shares_are_those_of_all_solutions() -> None:
    compared = 0
    for grid, total in random_positions(5, 400, most_hidden=12):
        shows = shown_by_solutions(grid, total)
        if (shows == TRAPPED).any(axis=0).all() and not (shows == TRAPPED).all(axis=0).any():
            expected = plain_shares(grid, total)
            np.testing.assert_allclose(shares_of(grid, total), expected, atol=8 * LEAST_SHARE)
            compared += bool((expected > 0.1).any())
    assert compared > 20


def test_two_cells_with_the_same_clues_around_share_their_trap() -> None:
    corner = grid_of([list(row) for row in ["_1", "_1"]])
    np.testing.assert_allclose(shares_of(corner, 1), [[0.5, 0], [0.5, 0]])
