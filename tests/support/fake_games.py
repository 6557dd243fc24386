"""Players that need no board: what becomes of a game is arithmetic on its seed, so a test can foresee it."""

import os
import signal
import time

import numpy as np

from gemhunter.board.position import LOST, STUCK, WON, FirstClick
from gemhunter.errors import UnknownNameError
from gemhunter.play.game_ids import Level
from gemhunter.play.many_games import Games

AGENTS = ("odd", "third", "slow", "fatal")


def wins(agent: str, seed: int) -> bool:
    return seed % (3 if agent == "third" else 2) == 1


def fake_games(agent: str, level: Level, first_click: FirstClick, seeds: range) -> Games:
    """`odd` wins odd seeds, `third` those that leave 1 by 3; multiples of 10 are stuck, all others lost.

    `slow` is `odd` at 50 games per second; `fatal` takes its process down at seed 20.
    """
    if agent not in AGENTS:
        raise UnknownNameError("agent", agent, AGENTS)
    if agent == "slow":
        time.sleep(0.02 * len(seeds))
    if agent == "fatal" and 20 in seeds:
        os.kill(os.getpid(), signal.SIGKILL)
    seed = np.array(seeds, np.int64)
    won = seed % (3 if agent == "third" else 2) == 1
    stuck = ~won & (seed % 10 == 0)
    guesses = seed % 4
    return Games(
        seeds.start,
        np.select([won, stuck], [WON, STUCK], LOST),
        seed % 7 + 4,
        guesses,
        np.where(guesses, seed % 6 + 1, 0),
        guesses / 1000,
    )
