"""What a game in the terminal needs from outside, so that tests can bring their own."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gemhunter.core.moves import Replay
from gemhunter.play.agents.player import Player
from gemhunter.play.game_ids import new_seed


@dataclass(frozen=True, slots=True)
class Setting:
    """Who plays along, where replays go, and what the terminal can show.

    `new_player` makes a fresh player for a game with a seed. `plain` means no colours, `ascii_only` no signs
    beyond ASCII, `watch` that the agent begins by itself.
    """

    agent: str
    new_player: Callable[[int], Player]
    save: Callable[[Replay], Path]
    watch: bool = False
    plain: bool = False
    ascii_only: bool = False
    seeds: Callable[[], int] = new_seed
    clock: Callable[[], float] = time.monotonic
