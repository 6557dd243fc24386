"""Games of players that are Python objects, with the same columns of results as those of kernels."""

from dataclasses import dataclass

import numpy as np
import pytest

from gemhunter.board.grid import HIDDEN, Cell, count_around
from gemhunter.board.position import LOST, STUCK, WON, FirstClick, Status
from gemhunter.errors import UnknownNameError
from gemhunter.play.agents.compiled import LAST_REASON, OUTCOME
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import View, new_game
from gemhunter.play.game_ids import GameId, Level
from gemhunter.play.many_games import play_games, play_one_by_one
from gemhunter.play.player import FIRST_MOVE, FRONTIER, Choice, Player, Stuck, play_game

LEVEL = Level(2, 5, 2)


@dataclass
class InReadingOrder:
    """Guesses the first hidden cell, at most `most` times."""

    most: int = 99

    def choose(self, view: View) -> Choice | Stuck:
        self.most -= 1
        cell = next(view.grid.where(HIDDEN))
        return Choice((cell,), (), 0.5, "a guess") if self.most >= 0 else Stuck((), "enough")


def in_reading_order(game_id: GameId, most: int) -> list[int]:
    """What the player above comes to, worked out with the rules alone."""
    game, turns, at_clue = new_game(game_id), 0, False
    while game.view.status is Status.PLAYING and turns < most:
        cell = next(game.view.grid.where(HIDDEN))
        at_clue = bool(count_around(game.view.grid.cells != HIDDEN)[cell])
        game, turns = game.reveal(cell), turns + 1
    ends = {Status.WON: WON, Status.LOST: LOST, Status.PLAYING: STUCK}
    guesses = turns - (game_id.first_click is not FirstClick.ANY)
    assert at_clue == (turns > 1)  # in reading order every cell but the first has a clue before it
    revealed = int(np.count_nonzero(game.shown != HIDDEN)) + (game.status is Status.LOST)
    return [ends[game.view.status], revealed, guesses, FRONTIER if turns > 1 else FIRST_MOVE]


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize("most", [1, 3, 99])
def test_results_are_those_of_the_games(rule: FirstClick, most: int) -> None:
    results = play_one_by_one(lambda seed: InReadingOrder(most), LEVEL, rule, range(5, 25))
    found = results[:, : LAST_REASON + 1].tolist()
    assert found == [in_reading_order(GameId(LEVEL, seed, rule), most) for seed in range(5, 25)]


def test_all_three_ends_are_met() -> None:
    results = play_one_by_one(lambda seed: InReadingOrder(4), LEVEL, FirstClick.ANY, range(40))
    assert set(results[:, OUTCOME].tolist()) == {WON, LOST, STUCK}


def test_every_game_has_a_player_of_its_own_seed() -> None:
    asked: list[int] = []

    def new_player(seed: int) -> Player:
        asked.append(seed)
        return InReadingOrder()

    play_one_by_one(new_player, LEVEL, FirstClick.SAFE, range(3, 7))
    assert asked == [3, 4, 5, 6]


def test_players_by_name_play_whole_ranges_as_they_play_single_games() -> None:
    seeds = range(30, 42)
    games = play_games("resolution", Level(4, 6, 4), FirstClick.ANY, seeds)
    assert games.first_seed == 30
    assert (games.won.astype(int) + games.lost + games.stuck).tolist() == [1] * 12
    for i, seed in enumerate(seeds):
        single = play_games("resolution", Level(4, 6, 4), FirstClick.ANY, range(seed, seed + 1))
        assert (single.won[0], single.reveals[0]) == (games.won[i], games.reveals[i])
        *_, last = play_game(
            new_game(GameId(Level(4, 6, 4), seed, FirstClick.ANY)), new_player("resolution", seed=seed)
        )
        assert (last.game.status is Status.WON) == games.won[i]


def test_an_unknown_agent_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'resolution'"):
        play_games("resolutoin", LEVEL, FirstClick.ANY, range(1))


def test_kernels_begin_small_games_where_the_player_does() -> None:
    level, seeds = Level(1, 6, 2), range(12)
    best, corner = (play_games("expert", level, FirstClick.ANY, seeds, first=Cell(0, col)) for col in (2, 0))
    played = play_games("expert", level, FirstClick.ANY, seeds)
    assert played.ends.tolist() == best.ends.tolist() != corner.ends.tolist()
