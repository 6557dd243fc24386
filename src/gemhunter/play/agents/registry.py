"""The table of agents: the programs that can play, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from gemhunter.errors import UnknownNameError
from gemhunter.kernels.play.codes import EXPERT, FAST, LOGIC, LOGIC_RANDOM
from gemhunter.play.agents.csp import CspPlayer
from gemhunter.play.agents.kernel_player import KernelPlayer
from gemhunter.play.agents.player import Player
from gemhunter.play.agents.plug_ins import plug_in_names, plug_in_player
from gemhunter.play.agents.resolution import ResolutionPlayer


@dataclass(frozen=True, slots=True)
class Agent:
    """A program that plays: its name, what it does in a few words, and how a player is made of a seed.

    `code` is its number in the kernels, which can play whole games of it; None if they cannot.
    """

    name: str
    about: str
    player: Callable[[int], Player]
    code: int | None = None


def _compiled(name: str, about: str, code: int) -> Agent:
    return Agent(name, about, partial(KernelPlayer, code), code)


_OWN = (
    Agent("resolution", "marks what resolution derives from the clues, and never guesses", ResolutionPlayer),
    Agent("csp", "reveals what backtracking proves from the clues, and never guesses", CspPlayer),
    _compiled("logic", "reveals whatever is certain, and never guesses", LOGIC),
    _compiled("logic+random", "guesses at random where nothing is certain", LOGIC_RANDOM),
    _compiled("fast", "takes the least risk where nothing is certain", FAST),
    _compiled("expert", "looks ahead where nothing is certain, and plays the end exactly", EXPERT),
)

AGENTS = {agent.name: agent for agent in _OWN}
"""The agents of this package; other packages add theirs by entry point."""

STRONGEST_AGENT = "expert"


def agent_names() -> list[str]:
    """The agents of this package, then those of other packages."""
    return [*AGENTS, *(name for name in plug_in_names() if name not in AGENTS)]


def new_player(name: str, *, seed: int = 0) -> Player:
    """A player for one game; raises `UnknownNameError` with the nearest match."""
    if name in AGENTS:
        return AGENTS[name].player(seed)
    if name not in (known := agent_names()):
        raise UnknownNameError("agent", name, known, see="watch --help")
    return plug_in_player(name, seed)
