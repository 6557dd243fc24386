"""Many games by one player, played in compiled code from beginning to end."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.play.levels import FirstClick, Level

REASONS = ("proven", "first click", "guess at a clue", "guess elsewhere", "fifty-fifty", "end game", "random")
"""Why a cell was revealed, in the order of the kernels' codes."""


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """What became of the games with the seeds from `first_seed` on, one entry per game.

    `won`, `lost` and `stuck` add up to one each. `guesses` counts the reveals that could have failed, the
    first click among them only under the rule `any`. `reason` is the number, in `REASONS`, of the last guess.
    """

    first_seed: int
    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    stuck: NDArray[np.bool_]
    reveals: NDArray[np.int64]
    guesses: NDArray[np.int64]
    reason: NDArray[np.int64]


def play_games(agent: str, level: Level, first_click: FirstClick, seeds: range) -> Games:
    """Let an agent play the games of these seeds, which follow each other; the same every time."""
    raise NotImplementedError
