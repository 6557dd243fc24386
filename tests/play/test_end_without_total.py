"""Perfect play without a total: against the rules played out move by move, and in the advice."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from gemhunter import Cell, advise, parse_grid
from gemhunter.play.advice import Advice
from gemhunter.play.guessing.end_game import TRAPPED
from gemhunter.play.guessing.end_without_total import EndWithoutTotal
from gemhunter.solving.run import Limits, Run

Traps = frozenset[tuple[int, int]]


def clue(traps: Traps, row: int, col: int) -> int:
    return sum((r, c) in traps for r in range(row - 1, row + 2) for c in range(col - 1, col + 2))


def played_out(boards: list[Traps], opened: Traps, cells: list[tuple[int, int]], trap_weight: float) -> float:
    """The weight of the boards won by the best sequence of moves, one cell after the other."""
    best = 0.0
    for cell in set(cells) - opened:
        seen: dict[int, list[Traps]] = {}
        for board in boards:
            if cell not in board:
                seen.setdefault(clue(board, *cell), []).append(board)
        won, now = 0.0, opened | {cell}
        for same in seen.values():
            over = [board for board in same if board | now >= set(cells)]
            won += sum(trap_weight ** len(board) for board in over)
            if going_on := [board for board in same if board not in over]:
                won += played_out(going_on, now, cells, trap_weight)
        best = max(best, won)
    return best


@pytest.mark.parametrize("seed", range(40))
def test_it_wins_what_the_best_sequence_of_moves_wins(seed: int) -> None:
    random = Random(seed)
    rows, cols = random.choice([(1, 4), (2, 2), (2, 3), (1, 5)])
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    shown = cells.pop(random.randrange(len(cells)))
    boards = [frozenset(traps) for number in range(len(cells)) for traps in combinations(cells, number)]
    wanted = clue(random.choice(boards), *shown)
    boards = [board for board in boards if clue(board, *shown) == wanted]
    trap_weight = random.choice([1.0, 0.25])
    shows = [[TRAPPED if cell in board else clue(board, *cell) for cell in cells] for board in boards]
    weights = [trap_weight ** len(board) for board in boards]
    found = EndWithoutTotal(np.array(shows, np.uint8), weights, Run()).share_won()
    assert found == pytest.approx(played_out(boards, frozenset(), cells, trap_weight) / sum(weights))


def test_a_run_that_is_too_short_gives_no_answer() -> None:
    shows = np.array([[TRAPPED, 1], [1, TRAPPED], [0, 0]], np.uint8)
    assert EndWithoutTotal(shows, [1.0, 1.0, 1.0], Run(Limits(steps=1))).share_won() is None
    assert EndWithoutTotal(shows, [1.0, 1.0, 1.0], Run()).share_won() == pytest.approx(2 / 3)


def test_advice_without_a_total_knows_the_chance_of_winning() -> None:
    advised = advise(parse_grid("_, 1, _\n_, _, _"))
    assert isinstance(advised, Advice)
    # Each of the five cells is the trap with the same probability, and a corner that is safe shows most.
    assert advised.best == Cell(0, 0)
    assert advised.win_chance == pytest.approx(3 / 5)
    assert all(each.win_chance is not None for each in advised.candidates)


def test_a_board_with_more_traps_is_over_earlier() -> None:
    # Two cells that tell nothing about each other: both gems, or the second a trap. Once the first is open,
    # only the board of two gems goes on, so the second is opened without a risk.
    shows = np.array([[1, 1], [1, TRAPPED]], np.uint8)
    assert EndWithoutTotal(shows, [1.0, 1.0], Run()).share_won() == 1.0
