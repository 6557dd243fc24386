"""Whole games in compiled code: the same as turn by turn, whatever the range, the process and the board."""

import subprocess
import sys

import numpy as np
import pytest

from compiled import needs_compiler, output_either_way
from gemhunter.board.position import FirstClick
from gemhunter.play.agents import compiled as columns
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game_ids import Level
from gemhunter.play.many_games import Games, play_games, play_one_by_one

COMPILED = ["logic", "logic+random", "fast", "expert"]
GUESSING = COMPILED[1:]

PROGRAM = """
from gemhunter.board.position import FirstClick
from gemhunter.play.game_ids import Level
from gemhunter.play.many_games import play_games
for agent in ("logic", "logic+random", "fast", "expert"):
    for level in (Level(4, 5, 5), Level(3, 7, 6)):
        games = play_games(agent, level, FirstClick.SAFE, range(SEEDS))
        columns = games.won, games.stuck, games.reveals, games.guesses
        print(agent, level, *(column.tolist() for column in columns))
"""


def table_of(games: Games) -> list[list[int]]:
    """One row per game."""
    numbers = (games.won, games.lost, games.stuck, games.reveals, games.guesses, games.reason)
    return [list(map(int, row)) for row in zip(*numbers, strict=True)]


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize("agent", COMPILED)
@needs_compiler
def test_games_go_as_they_do_turn_by_turn(agent: str, rule: FirstClick) -> None:
    for level, seeds in (
        (Level(4, 7, 6), range(20)),
        (Level(7, 12, 16), range(5)),
        (Level(16, 16, 40), range(1)),
    ):
        games = play_games(agent, level, rule, seeds)
        single = play_one_by_one(lambda seed: new_player(agent, seed=seed), level, rule, seeds)
        assert games.ends.tolist() == single[:, columns.OUTCOME].tolist()
        assert games.reveals.tolist() == single[:, columns.REVEALS].tolist()
        assert games.guesses.tolist() == single[:, columns.GUESSES].tolist()


@pytest.mark.parametrize("agent", COMPILED)
@needs_compiler
def test_a_range_of_seeds_is_its_halves_put_together(agent: str) -> None:
    level = Level(5, 8, 8)
    whole, left, right = (
        table_of(play_games(agent, level, FirstClick.SAFE, seeds))
        for seeds in (range(10, 50), range(10, 23), range(23, 50))
    )
    assert whole == left + right


@pytest.mark.full
@needs_compiler
def test_games_are_the_same_in_another_process() -> None:
    program = PROGRAM.replace("SEEDS", "30")
    outputs = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(outputs) == 1
    assert "expert 3x7n6" in outputs.pop()


def test_games_are_the_same_compiled_and_uncompiled() -> None:
    program = "import warnings\nwarnings.simplefilter('error')\n" + PROGRAM.replace("SEEDS", "2")
    assert output_either_way(program).count("True") > 3


@needs_compiler
def test_logic_never_loses_and_the_rule_opening_leads_it_far() -> None:
    games = play_games("logic", Level(9, 9, 10), FirstClick.OPENING, range(4000))
    assert not games.lost.any()
    assert not games.guesses.any()
    assert np.count_nonzero(games.won) > 2000


@needs_compiler
def test_agents_that_guess_better_win_more() -> None:
    level, seeds = Level(9, 9, 10), range(2000)
    won = [np.count_nonzero(play_games(agent, level, FirstClick.SAFE, seeds).won) for agent in GUESSING]
    assert won[0] + 50 < won[1] < won[2]
    assert won[2] > 0.88 * len(seeds)


@needs_compiler
def test_games_end_won_only_if_every_gem_has_been_revealed() -> None:
    level = Level(6, 7, 9)
    for agent in COMPILED:
        games = play_games(agent, level, FirstClick.SAFE, range(200))
        assert (games.reveals[games.won] == 6 * 7 - 9).all()
        assert (games.reveals[games.lost] <= 6 * 7 - 9).all()
        assert (games.guesses[games.lost] > 0).all()


@pytest.mark.parametrize("rule", [rule for rule in FirstClick if not rule.needs_no_guess])
@pytest.mark.parametrize("agent", COMPILED)
def test_the_strangest_boards_come_to_an_end(agent: str, rule: FirstClick) -> None:
    for rows, cols in ((1, 1), (1, 9), (9, 1), (2, 2), (3, 5)):
        for traps in {0, 1, rows * cols // 2, rows * cols - 1}:
            if traps < rows * cols:
                games = play_games(agent, Level(rows, cols, traps), rule, range(12))
                assert (games.won.astype(int) + games.lost + games.stuck == 1).all()
                if traps == 0 or (traps == rows * cols - 1 and rule is not FirstClick.ANY):
                    assert games.won.all()


@pytest.mark.parametrize("agent", COMPILED)
def test_large_boards_come_to_an_end(agent: str) -> None:
    games = play_games(agent, Level(60, 60, 540), FirstClick.OPENING, range(3))
    assert (games.won.astype(int) + games.lost + games.stuck == 1).all()
    assert games.reveals.max() > 500


def test_a_total_that_leaves_no_choice_ends_the_largest_games() -> None:
    games = play_games("logic", Level(1, 1500, 1), FirstClick.OPENING, range(40))
    assert games.won.all()
