"""Many games by one player, in compiled code from beginning to end where the player is there."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import Cell
from gemhunter.play.deal import first_click_code
from gemhunter.play.levels import FirstClick, Level

REASONS = ("proven", "first click", "guess at a clue", "guess elsewhere", "fifty-fifty", "end game", "random")
"""Why a cell was revealed, in the order of the kernels' codes."""


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """What became of the games with the seeds from `first_seed` on, one entry per game.

    `won`, `lost` and `stuck` add up to one each. `reveals` counts the cells that were revealed, those that a
    0 opens and a trap at the end included: the order in which safe cells are revealed changes nothing.
    `guesses` counts the reveals that could have failed, the first click among them only under the rule `any`.
    `reason` is the number, in `REASONS`, of the last guess.
    """

    first_seed: int
    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    stuck: NDArray[np.bool_]
    reveals: NDArray[np.int64]
    guesses: NDArray[np.int64]
    reason: NDArray[np.int64]


def play_games(
    agent: str, level: Level, first_click: FirstClick, seeds: range, *, first: Cell | None = None
) -> Games:
    """Let an agent play the games of these seeds, which follow each other; the same every time.

    The agents that are compiled can be told where to begin, with `first`.
    """
    from gemhunter.kernels.play import results as columns

    table = _table(agent, level, first_click, seeds, first=first)
    won, lost, stuck = (
        table[:, columns.OUTCOME] == end for end in (columns.WON, columns.LOST, columns.STUCK)
    )
    numbers = (table[:, column] for column in (columns.REVEALS, columns.GUESSES, columns.LAST_REASON))
    return Games(seeds.start, won, lost, stuck, *numbers)


def prepare_games(agent: str, level: Level, plain_seconds: float) -> None:
    """Compile an agent if that pays for games that plain Python needs so long for.

    Other processes find it in the cache then.
    """
    from gemhunter.kernels.play import games as playing
    from gemhunter.kernels.play.results import COLUMNS

    if (code := _kernel_agents().get(agent)) is not None:
        table = np.zeros((1, COLUMNS), np.int64)
        playing.play_games.prepare(plain_seconds, code, level.rows, level.cols, level.total, 0, 0, 0, table)


def _kernel_agents() -> dict[str, int]:
    """The agents that are kernels, and what the kernels call them."""
    from gemhunter.kernels.play import guess as choosing

    return {
        "logic": choosing.LOGIC,
        "logic+random": choosing.LOGIC_RANDOM,
        "fast": choosing.FAST,
        "expert": choosing.EXPERT,
    }


def _table(
    agent: str, level: Level, first_click: FirstClick, seeds: range, *, first: Cell | None
) -> NDArray[np.int64]:
    """A row of the columns of `kernels.play.results` for each game."""
    from gemhunter.kernels.play import games as playing
    from gemhunter.kernels.play.results import COLUMNS
    from gemhunter.play.agents.registry import new_player
    from gemhunter.play.python_games import play_one_by_one

    code = _kernel_agents().get(agent)
    if code is None:
        new_player(agent)  # an unknown agent is an error even where there are no games to play
        return play_one_by_one(lambda seed: new_player(agent, seed=seed), level, first_click, seeds)
    table = np.zeros((len(seeds), COLUMNS), np.int64)
    rule, size = first_click_code(first_click), (level.rows, level.cols)
    begin = (
        playing.first_cell(*size, level.total, rule) if first is None else first.row * level.cols + first.col
    )
    playing.play_games(code, *size, level.total, rule, begin, seeds.start, table)
    return table
