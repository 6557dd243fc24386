"""How likely a position is to be won, if `expert` plays on: exactly near the end, by sampled games before."""

from dataclasses import dataclass

import numpy as np

from gemhunter.core.grid import Grid
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.candidates import win_chance
from gemhunter.play.many_games import finished_games
from gemhunter.play.rollouts import can_roll_out, true_codes
from gemhunter.play.view import View
from gemhunter.play.worked_position import work_out_position
from gemhunter.queries.sample import sample
from gemhunter.solving.run import Run
from gemhunter.work.estimates import Interval, share_of

WIN_CHANCE_GAMES = 200
"""Games that are played on from a position: their share of wins is known to about 7 points."""

WIN_CHANCE_BATCH = 20
"""Games between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class WinChance:
    """The probability that a position is won, with a 95 % interval; `is_exact` where it is no estimate."""

    interval: Interval
    is_exact: bool = False


def chance_of_winning(view: View, run: Run, games: int = WIN_CHANCE_GAMES) -> WinChance | None:
    """The chance that a view of a game that goes on is won; None where it is not found within the run.

    A perfect player's where the solutions can be listed, otherwise that of `expert` on boards drawn at random
    from all that agree with the view.
    """
    if view.is_fresh or not can_roll_out(view.grid, view.total):
        return None
    exact = win_chance(work_out_position(view.grid, view.total, 1.0))
    if exact is not None:
        return WinChance(Interval(exact, exact, exact), is_exact=True)
    drawn = sample(view.grid, games, total=view.total, run=run)
    return _sampled(view, drawn, run) if isinstance(drawn, list) else None


def _sampled(view: View, drawn: list[Grid], run: Run) -> WinChance | None:
    """The share of these boards on which `expert` wins; fewer of them if the time is over."""
    won = played = 0
    for first in range(0, len(drawn), WIN_CHANCE_BATCH):
        boards = [true_codes(grid) for grid in drawn[first : first + WIN_CHANCE_BATCH]]
        seed = run.seed + first
        games = finished_games(STRONGEST_AGENT, view.grid.cells, boards, total=view.total, first_seed=seed)
        won += int(np.count_nonzero(games.won))
        played += len(boards)
        if run.spend(len(boards)) is not None:
            break
    return WinChance(share_of(won, played)) if played else None
