"""The table of agents: the programs that can play, by name, built in or from other packages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gemhunter.board.grid import Cell
from gemhunter.errors import EngineError, UnknownNameError
from gemhunter.play.agents.compiled import KernelPlayer
from gemhunter.play.agents.csp import CspPlayer
from gemhunter.play.agents.resolution import ResolutionPlayer
from gemhunter.play.expert import EXPERT, FAST, LOGIC, LOGIC_RANDOM
from gemhunter.play.game import View
from gemhunter.play.player import Choice, Player, Stuck
from gemhunter.solving.registry import entry_points_of, faults_of, make_plug_in, unexpected

# Agents of other packages; an exception in one of them is an `EngineError` that names it.


GROUP = "gemhunter.agents"
"""The entry-point group of third-party agents; each is a factory that makes a player from a seed."""


@dataclass(frozen=True, slots=True)
class PlugInPlayer:
    """A player of another package."""

    player: Any
    source: str

    def choose(self, view: View) -> Choice | Stuck:
        """What the player chooses, if its cells are on the board."""
        with faults_of(self.source):
            choice: object = self.player.choose(view)
        if not isinstance(choice, Choice | Stuck):
            raise unexpected(self.source, "`choose` returned", choice, "a Choice or Stuck")
        rows, cols = view.grid.rows, view.grid.cols
        cells: tuple[object, ...] = (*(choice.safe if isinstance(choice, Choice) else ()), *choice.traps)
        for cell in cells:
            if not (
                isinstance(cell, tuple) and len(cell) == 2 and 0 <= cell[0] < rows and 0 <= cell[1] < cols
            ):
                named = str(cell) if isinstance(cell, Cell) else repr(cell)
                expected = f"a Cell of the {rows}×{cols} board, counted from 0"
                raise EngineError(f"the plug-in {self.source!r}: it chose {named}; expected {expected}")
        return choice


class CountingPlugInPlayer(PlugInPlayer):
    """A player of another package that counts what it does."""

    __slots__ = ()

    def counters(self, view: View) -> Mapping[str, int]:
        """The player's counters."""
        with faults_of(self.source):
            return dict(self.player.counters(view))


# The table of agents.


@dataclass(frozen=True, slots=True)
class Agent:
    """A program that plays: its name, what it does in a few words, and a function from a seed to a player.

    `code` is the agent's number in the kernels that play whole games; None if it is not compiled.
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
    return [*AGENTS, *(name for name in sorted(entry_points_of(GROUP)) if name not in AGENTS)]


def new_player(name: str, *, seed: int = 0) -> Player:
    """A player for one game; raises `UnknownNameError` with the nearest match."""
    if name in AGENTS:
        return AGENTS[name].player(seed)
    if name not in (known := agent_names()):
        raise UnknownNameError("agent", name, known, see="watch --help")
    point = entry_points_of(GROUP)[name]
    player = make_plug_in(point, seed)
    if not callable(getattr(player, "choose", None)):
        raise unexpected(point.value, "its factory made", player, "a player with `choose(view)`")
    counts = callable(getattr(player, "counters", None))
    return (CountingPlugInPlayer if counts else PlugInPlayer)(player, point.value)
