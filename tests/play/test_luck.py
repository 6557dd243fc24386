"""Luck: its mean is zero, and results vary less without it."""

from itertools import combinations

import numpy as np
import pytest

from compiled import needs_compiler
from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN
from gemhunter.board.position import FirstClick
from gemhunter.jit.choice import Mode, compiling
from gemhunter.play.agents import compiled as codes
from gemhunter.play.agents.compiled import LUCK_UNITS, luck_of_reveal
from gemhunter.play.agents.registry import AGENTS, new_player
from gemhunter.play.game_ids import Level, read_level
from gemhunter.play.many_games import finished_games, play_games, play_one_by_one
from gemhunter.play.risks import log_factorials
from strategies import grid_of

GUESSING = ("logic+random", "fast", "expert")


def all_boards(rows: int, cols: int, total: int, corner: int) -> list[Board]:
    """Every board with `total` traps whose first cell is the clue `corner`."""
    found = []
    for places in combinations(range(1, rows * cols), total):
        traps = np.zeros(rows * cols, bool)
        traps[list(places)] = True
        board = Board(traps.reshape(rows, cols))
        if board.codes()[0, 0] == corner:
            found.append(board)
    return found


@pytest.mark.parametrize("agent", GUESSING)
@pytest.mark.parametrize(("rows", "cols", "total", "corner"), [(3, 4, 3, 1), (2, 6, 4, 2), (4, 3, 5, 1)])
def test_over_all_boards_luck_adds_up_to_nothing(
    agent: str, rows: int, cols: int, total: int, corner: int
) -> None:
    shown = np.full((rows, cols), HIDDEN, np.int8)
    shown[0, 0] = corner
    boards = [board.codes() for board in all_boards(rows, cols, total, corner)]
    # The same random numbers on every board, so that what an agent does depends only on what it sees.
    games = [finished_games(agent, shown, [board], total=total, first_seed=7) for board in boards]
    luck = np.array([game.luck[0] for game in games])
    assert luck.min() < 0 < luck.max()
    assert abs(luck.sum()) < len(boards) * 10 / LUCK_UNITS


def test_a_fair_coin_is_worth_half_of_the_forecast_either_way() -> None:
    grid, logs = grid_of([list("1_"), list("1_")]), log_factorials(4)
    lucky, unlucky = (luck_of_reveal(grid.cells.copy(), 1, 1, safe, logs) for safe in (True, False))
    assert lucky == -unlucky
    assert 0 < lucky <= 0.5


def test_a_cell_that_is_certain_takes_no_luck() -> None:
    grid, logs = grid_of([list("1__"), list("___")]), log_factorials(6)
    hidden = grid_of([list("11_"), list("1__")])
    assert luck_of_reveal(hidden.cells.copy(), 1, 2, True, logs) == 0.0
    assert luck_of_reveal(grid.cells.copy(), 1, 2, True, logs) == 0.0


@pytest.mark.parametrize("agent", ["fast", "logic+random"])
def test_the_luck_of_python_players_is_that_of_kernels(agent: str) -> None:
    level, seeds = Level(5, 8, 9), range(30, 60)
    games = play_games(agent, level, FirstClick.SAFE, seeds)
    rows = play_one_by_one(lambda seed: new_player(agent, seed=seed), level, FirstClick.SAFE, seeds)
    assert games.luck * LUCK_UNITS == pytest.approx(rows[:, codes.LUCK], abs=10)
    assert np.count_nonzero(games.luck) > 10


def test_agents_that_never_guess_have_no_luck() -> None:
    for agent in AGENTS.keys() - set(GUESSING):
        assert not play_games(agent, Level(4, 6, 4), FirstClick.SAFE, range(20)).luck.any()


@needs_compiler
def test_compiled_luck_is_that_of_plain_python() -> None:
    grid, logs = grid_of([list("1__2"), list("____"), list("____")]), log_factorials(12)
    plain = [luck_of_reveal(grid.cells.copy(), 4, index, True, logs) for index in (1, 5, 9)]
    with compiling(Mode.ALWAYS):
        compiled = [luck_of_reveal(grid.cells.copy(), 4, index, True, logs) for index in (1, 5, 9)]
    assert compiled == pytest.approx(plain, abs=1e-12)
    assert all(plain)


@needs_compiler
@pytest.mark.parametrize("rule", [FirstClick.SAFE, FirstClick.OPENING])
def test_results_without_luck_have_the_same_mean_and_vary_less(rule: FirstClick) -> None:
    games = play_games("fast", read_level("beginner"), rule, range(6_000))
    error = games.luck.std() / np.sqrt(games.luck.size)
    assert abs(games.luck.mean()) < 4 * error
    assert (games.won - games.luck).std() < 0.8 * games.won.std()


def test_cells_that_are_alike_are_equally_lucky() -> None:
    grid, logs = grid_of([list("1_"), list("__")]), log_factorials(4)
    lucks = {round(luck_of_reveal(grid.cells.copy(), 1, index, True, logs), 9) for index in (1, 2, 3)}
    assert len(lucks) == 1
