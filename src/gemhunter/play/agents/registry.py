"""Agents, which are players that are programs, by name; they are imported when somebody asks for them."""

from importlib import import_module
from importlib.util import find_spec

from gemhunter.errors import UnknownNameError
from gemhunter.play.agents.player import Player
from gemhunter.play.agents.plug_ins import plug_in_names, plug_in_player

PLAYERS = {
    "resolution": "gemhunter.play.agents.resolution:resolution_player",
    "logic": "gemhunter.play.agents.logic:logic_player",
    "logic+random": "gemhunter.play.agents.logic:logic_random_player",
    "fast": "gemhunter.play.agents.expert:fast_player",
    "expert": "gemhunter.play.agents.expert:expert_player",
}
"""Each is `module:factory`, and the factory makes a fresh player of a seed."""


def agent_names() -> list[str]:
    """All agents that this version has, then those of other packages."""
    own = [name for name, home in PLAYERS.items() if find_spec(home.partition(":")[0]) is not None]
    return own + [name for name in plug_in_names() if name not in PLAYERS]


def new_player(name: str, *, seed: int = 0) -> Player:
    """A player for one game; raises `UnknownNameError` with the nearest match."""
    if name not in (known := agent_names()):
        raise UnknownNameError("agent", name, known, see="gemhunter watch --help")
    if name not in PLAYERS:
        return plug_in_player(name, seed)
    module, _, factory = PLAYERS[name].partition(":")
    player: Player = getattr(import_module(module), factory)(seed)
    return player
