"""Players by name; what a name stands for is imported when somebody asks for it."""

from importlib import import_module

from gemhunter.errors import UnknownNameError
from gemhunter.play.agents.player import Player

PLAYERS = {
    "resolution": "gemhunter.play.agents.resolution:resolution_player",
    "logic": "gemhunter.play.agents.logic:logic_player",
    "logic+random": "gemhunter.play.agents.logic:logic_random_player",
    "fast": "gemhunter.play.agents.expert:fast_player",
    "expert": "gemhunter.play.agents.expert:expert_player",
}
"""Each is `module:factory`, and the factory makes a fresh player of a seed."""


def new_player(name: str, *, seed: int = 0) -> Player:
    """A player for one game; raises `UnknownNameError` with the nearest match."""
    if name not in PLAYERS:
        raise UnknownNameError("player", name, PLAYERS, see="gemhunter watch --help")
    module, _, factory = PLAYERS[name].partition(":")
    player: Player = getattr(import_module(module), factory)(seed)
    return player
