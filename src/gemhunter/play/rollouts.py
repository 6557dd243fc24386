"""Games that `expert` plays to the end on sampled boards: cells compared, and the chance of winning."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, count_around
from gemhunter.jit.arrays import Codes, Floats
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.expert import win_chance, work_out_position
from gemhunter.play.game import View
from gemhunter.play.luck import luck_of_reveal
from gemhunter.play.many_games import finished_games
from gemhunter.play.risks import log_factorials
from gemhunter.questions.sample import sample
from gemhunter.solving.run import Run
from gemhunter.work.estimates import Interval, mean_of, share_of

# Close decisions: cells compared by games that `expert` plays on, on boards drawn from all that are left.


ROLLOUT_BATCH = 50
"""Boards between two looks at the clock."""

MOST_ROLLOUTS = 20_000
"""Boards after which the rest of the time is not needed."""

LARGEST_PLAYED_ON = 2_000
"""Cells of a position from which games are played on."""


@dataclass(frozen=True, slots=True)
class Rollouts:
    """How often games are won from a position if a cell is revealed first, for several cells.

    All cells were tried on the same `games` boards. `win_rates` belong to `cells`, which are in falling order
    of these; `behind` says by how much each wins less often than the first, whose own is exactly 0. Both are
    without luck, and have 95 % intervals.
    """

    cells: tuple[Cell, ...]
    games: int
    win_rates: tuple[Interval, ...]
    behind: tuple[Interval, ...]


def true_codes(filled: Grid) -> Codes:
    """The clue of every gem, and the traps, of a filled grid."""
    traps = filled.cells == TRAP
    return np.where(filled.cells == GEM, count_around(traps), filled.cells).astype(np.int8)


def roll_out(
    grid: Grid, total: int, cells: Sequence[Cell], run: Run, *, most: int | None = None
) -> Rollouts | None:
    """Compare cells, none of which is certain, until the run is over; None if there was no time for any.

    `grid` shows clues and hidden cells, and a cell may be revealed next. About `most` boards are drawn.
    """
    most = MOST_ROLLOUTS if most is None else most
    results: list[Floats] = []
    while ROLLOUT_BATCH * len(results) < most and run.spend() is None:
        drawing = run.of_seconds(None)
        drawing.seed += len(results)
        drawn = sample(grid, ROLLOUT_BATCH, total=total, run=drawing)
        if not isinstance(drawn, list):
            break
        boards = [true_codes(each) for each in drawn]
        results.append(np.stack([_results(grid, total, cell, boards) for cell in cells]))
    if not results:
        return None
    return _summary(cells, np.concatenate(results, axis=1))


def _results(grid: Grid, total: int, cell: Cell, boards: Sequence[Codes]) -> Floats:
    """The result of each board without luck, if `cell` is revealed first."""
    games = finished_games(STRONGEST_AGENT, grid.cells, boards, total=total, first=cell)
    is_safe = np.array([board[cell] != TRAP for board in boards])
    index, logs = cell.row * grid.cols + cell.col, log_factorials(grid.cells.size)
    lucky, unlucky = (luck_of_reveal(grid.cells.copy(), total, index, safe, logs) for safe in (True, False))
    results: Floats = games.won - games.luck - np.where(is_safe, lucky, unlucky)
    return results


def _summary(cells: Sequence[Cell], results: Floats) -> Rollouts:
    """`results` has a row per cell and a column per board."""
    order = np.argsort(-results.mean(axis=1), kind="stable")
    best = results[order[0]]
    return Rollouts(
        tuple(cells[i] for i in order),
        results.shape[1],
        tuple(mean_of(results[i]).clipped(0.0, 1.0) for i in order),
        tuple(mean_of(best - results[i]) for i in order),
    )


def can_roll_out(grid: Grid, total: int | None) -> bool:
    """Whether games can be played on from a grid: it is not too large, shows no known traps or gems, and has
    a total that leaves a gem."""
    if grid.cells.size > LARGEST_PLAYED_ON or total is None:
        return False
    shows_clues_only = not np.isin(grid.cells, (TRAP, GEM)).any()
    return shows_clues_only and int(np.count_nonzero(grid.cells == HIDDEN)) > total


# How likely a position is to be won, if `expert` plays on: exactly near the end, by sampled games before.


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
