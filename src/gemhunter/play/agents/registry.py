"""The table of agents: the programs that can play, by name, built in or from other packages."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from numbers import Real
from typing import Any

import numpy as np

from gemhunter.board.grid import Cell
from gemhunter.errors import EngineError, UnknownNameError
from gemhunter.play.agents.compiled import KernelPlayer
from gemhunter.play.agents.csp import CspPlayer
from gemhunter.play.agents.resolution import ResolutionPlayer
from gemhunter.play.game import View
from gemhunter.play.guessing.choose import EXPERT, FAST, LOGIC, LOGIC_RANDOM
from gemhunter.play.player import Choice, Player, Stuck
from gemhunter.solving.plug_ins import entry_points_of, faults_of, make_plug_in, unexpected

# Agents of other packages; an exception in one of them is an `EngineError` that names it.


GROUP = "gemhunter.agents"
"""The entry-point group of third-party agents; each is a factory that makes a player from a seed."""


@dataclass(frozen=True, slots=True)
class PlugInPlayer:
    """A player of another package."""

    player: Any
    source: str

    def choose(self, view: View) -> Choice | Stuck:
        """What the player chooses, if its cells are on the board and its risk is a number."""
        with faults_of(self.source):
            choice: object = self.player.choose(view)
        if not isinstance(choice, Choice | Stuck):
            raise unexpected(self.source, "`choose` returned", choice, "a Choice or Stuck")
        traps = self._cells(choice.traps, view)
        if isinstance(choice, Stuck):
            return replace(choice, traps=traps)
        risk: object = choice.risk
        if not isinstance(risk, Real):
            raise unexpected(self.source, "the risk of its `Choice` is", risk, "a number from 0 to 1")
        return replace(choice, safe=self._cells(choice.safe, view), traps=traps)

    def _cells(self, chosen: object, view: View) -> tuple[Cell, ...]:
        """The cells that the player has chosen, in which any whole numbers are accepted."""
        rows, cols = view.grid.rows, view.grid.cols
        if not isinstance(chosen, Iterable):
            raise unexpected(self.source, "the cells of its choice are", chosen, "a tuple of Cells")
        cells = []
        for cell in chosen:
            match cell:
                case (int() | np.integer() as row, int() | np.integer() as col) if (
                    0 <= row < rows and 0 <= col < cols
                ):
                    cells.append(Cell(int(row), int(col)))
                case _:
                    expected = f"a Cell of the {rows}×{cols} board, counted from 0"
                    raise EngineError(f"the plug-in {self.source!r}: it chose {cell!r}; expected {expected}")
        return tuple(cells)


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
