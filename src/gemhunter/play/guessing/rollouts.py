"""Games that `expert` plays to the end on sampled boards: cells compared, and the chance of winning."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, count_around
from gemhunter.jit.kernel import Codes, Floats
from gemhunter.play.agents.compiled import luck_of_reveal
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.game import View
from gemhunter.play.guessing.candidates import analyse_position, search_run, win_chance
from gemhunter.play.many_games import finished_games
from gemhunter.play.risks import log_factorials
from gemhunter.questions.sample import sample
from gemhunter.solving.run import Run
from gemhunter.work.confidence_intervals import Interval, mean_of, share_of

# Cells compared by games that `expert` plays on, on boards drawn from all that agree with the position.


ROLLOUT_BATCH = 50
"""Boards between two looks at the clock."""

MAX_ROLLOUT_BOARDS = 20_000
"""Boards after which the comparison ends, even if there is time left."""


@dataclass(frozen=True, slots=True)
class Rollouts:
    """How often games are won from a position if a cell is revealed first, for several cells.

    All cells were tried on the same `games` boards. `cells` are in falling order of their `win_rates`;
    `behind` says by how much each wins less often than the first, for which it is exactly 0. Luck is left
    out of both, and both have 95 % confidence intervals.
    """

    cells: tuple[Cell, ...]
    games: int
    win_rates: tuple[Interval, ...]
    behind: tuple[Interval, ...]


def true_codes(filled: Grid) -> Codes:
    """The traps of a filled grid, and the clue of every gem."""
    traps = filled.cells == TRAP
    return np.where(filled.cells == GEM, count_around(traps), filled.cells).astype(np.int8)


def roll_out(
    grid: Grid, total: int, cells: Sequence[Cell], run: Run, *, most: int | None = None
) -> Rollouts | None:
    """Compare cells, none of which is certain, until the run is over; None if there was no time for a board.

    `grid` shows clues and hidden cells, and a cell may be revealed next. About `most` boards are drawn.
    """
    most = MAX_ROLLOUT_BOARDS if most is None else most
    batches: list[Floats] = []
    while ROLLOUT_BATCH * len(batches) < most and run.spend() is None:
        drawing = run.of_seconds(None)
        drawing.seed += len(batches)
        drawn = sample(grid, ROLLOUT_BATCH, total=total, run=drawing)
        if not isinstance(drawn, list):
            break
        boards = [true_codes(filled) for filled in drawn]
        batches.append(np.stack([_results(grid, total, cell, boards) for cell in cells]))
    if not batches:
        return None
    results = np.concatenate(batches, axis=1)  # a row per cell, a column per board
    order = np.argsort(-results.mean(axis=1), kind="stable")
    return Rollouts(
        tuple(cells[i] for i in order),
        results.shape[1],
        tuple(mean_of(results[i]).clipped(0.0, 1.0) for i in order),
        tuple(mean_of(results[order[0]] - results[i]) for i in order),
    )


def _results(grid: Grid, total: int, cell: Cell, boards: Sequence[Codes]) -> Floats:
    """The result of the game on each board, without luck, if `cell` is revealed first."""
    games = finished_games(STRONGEST_AGENT, grid.cells, boards, total=total, first=cell)
    is_safe = np.array([board[cell] != TRAP for board in boards])
    index, logs = cell.row * grid.cols + cell.col, log_factorials(grid.cells.size)
    lucky, unlucky = (luck_of_reveal(grid.cells.copy(), total, index, safe, logs) for safe in (True, False))
    results: Floats = games.won - games.luck - np.where(is_safe, lucky, unlucky)
    return results


def can_roll_out(grid: Grid, total: int | None) -> bool:
    """Whether games can be played on from a grid: it is not too large, shows no known traps or gems, and has
    a total that leaves a gem."""
    # Games are played on from positions of at most 2,000 cells.
    if grid.cells.size > 2_000 or total is None:
        return False
    shows_clues_only = not np.isin(grid.cells, (TRAP, GEM)).any()
    return shows_clues_only and int(np.count_nonzero(grid.cells == HIDDEN)) > total


# The probability of winning a position: exact near the end of a game, before that by sampled games.


@dataclass(frozen=True, slots=True)
class WinChance:
    """The probability that a position is won, exact or an estimate with a 95 % confidence interval."""

    interval: Interval
    is_exact: bool = False


def chance_of_winning(view: View, run: Run, games: int = 200) -> WinChance | None:
    """The probability of winning a game that is not over; None if the run ends first.

    It is that of a perfect player if the solutions can be listed, otherwise that of `expert` on random boards
    that agree with the view. The share of wins in 200 games has a margin of about 7 points.
    """
    if view.is_fresh or not can_roll_out(view.grid, view.total):
        return None
    exact = win_chance(analyse_position(view.grid, view.total, 1.0), search_run(run))
    if exact is not None:
        return WinChance(Interval(exact, exact, exact), is_exact=True)
    drawn = sample(view.grid, games, total=view.total, run=run)
    if not isinstance(drawn, list):
        return None
    won = played = 0
    batch = 20  # games between two looks at the clock
    for first in range(0, len(drawn), batch):
        boards = [true_codes(filled) for filled in drawn[first : first + batch]]
        seed = run.seed + first
        ended = finished_games(STRONGEST_AGENT, view.grid.cells, boards, total=view.total, first_seed=seed)
        won += int(np.count_nonzero(ended.won))
        played += len(boards)
        if run.spend(len(boards)) is not None:
            break
    return WinChance(share_of(won, played)) if played else None
