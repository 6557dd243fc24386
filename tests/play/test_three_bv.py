"""3BV: the fewest clicks that show every gem."""

import numpy as np
import pytest

from gemhunter.board.board import Board
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game import three_bv


def clicks_by_hand(traps: list[list[bool]]) -> int:
    """Click every 0 that no click has shown, flood by flood, then every gem that is left."""
    rows, cols = len(traps), len(traps[0])

    def around(row: int, col: int) -> list[tuple[int, int]]:
        near = [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        return [(r, c) for r, c in near if 0 <= r < rows and 0 <= c < cols and (r, c) != (row, col)]

    zeros = {
        (row, col)
        for row in range(rows)
        for col in range(cols)
        if not traps[row][col] and not any(traps[r][c] for r, c in around(row, col))
    }
    shown: set[tuple[int, int]] = set()
    clicks = 0
    for zero in sorted(zeros):
        if zero in shown:
            continue
        clicks += 1
        waiting = [zero]
        while waiting:
            cell = waiting.pop()
            shown.add(cell)
            if cell in zeros:
                waiting += [near for near in around(*cell) if near not in shown]
    gems = {(row, col) for row in range(rows) for col in range(cols) if not traps[row][col]}
    return clicks + len(gems - shown)


@pytest.mark.parametrize(
    ("mines", "clicks"),
    [("...\n...", 1), ("*.\n..", 3), ("....*", 1), ("..*..", 2), ("*", 0), (".*.\n***\n.*.", 4)],
)
def test_small_boards_are_counted_by_hand(mines: str, clicks: int) -> None:
    assert three_bv(Board(parse_mines(mines))) == clicks


@pytest.mark.parametrize("seed", range(20))
def test_random_boards_take_as_many_clicks_as_a_flood_fill_counts(seed: int) -> None:
    random = np.random.default_rng(seed)
    traps = random.random((7, 11)) < 0.15
    assert three_bv(Board(traps)) == clicks_by_hand(traps.tolist())
