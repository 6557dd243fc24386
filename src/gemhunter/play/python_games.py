"""Many games by a player that is a Python object: it is shown views, one game after the other."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN
from gemhunter.core.neighbours import amount_around
from gemhunter.play.agents.player import Choice, Player
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.levels import FirstClick, Level
from gemhunter.play.turns import Turn, play_game
from gemhunter.play.view import Status, View

Results = NDArray[np.int64]


def play_one_by_one(
    new_player: Callable[[int], Player], level: Level, first_click: FirstClick, seeds: range
) -> Results:
    """What became of the games, a row each, in the columns of `kernels.play.results`.

    `new_player` is called with the seed of each game. Of a guess it is only known where it was made.
    """
    from gemhunter.kernels.play.results import COLUMNS

    results = np.zeros((len(seeds), COLUMNS), np.int64)
    for row, seed in zip(results, seeds, strict=True):
        game = new_game(GameId(level, seed, first_click))
        turns = list(play_game(game, new_player(seed)))
        _write_down(row, [game.view, *(turn.game.view for turn in turns)], turns, first_click)
    return results


def _write_down(
    row: Results, views: Sequence[View], turns: Sequence[Turn[Game]], first_click: FirstClick
) -> None:
    """Fill in one row; `views` are those that the turns were taken in, and the last."""
    from gemhunter.kernels.play import results as columns

    ends = {Status.WON: columns.WON, Status.LOST: columns.LOST, Status.STUCK: columns.STUCK}
    row[columns.OUTCOME] = ends[views[-1].status]
    shown = int(np.count_nonzero(views[-1].grid.cells != HIDDEN))
    row[columns.REVEALS] = shown + (views[-1].status is Status.LOST)
    row[columns.LAST_REASON] = columns.FIRST
    for view, turn in zip(views, turns, strict=False):
        if not isinstance(turn.choice, Choice) or not turn.is_guess:
            continue
        if view.is_fresh:
            row[columns.GUESSES] += first_click is FirstClick.ANY
        else:
            row[columns.GUESSES] += 1
            at_clue = amount_around(view.grid.cells != HIDDEN)[turn.choice.safe[0]] > 0
            row[columns.LAST_REASON] = columns.FRONTIER if at_clue else columns.ELSEWHERE
