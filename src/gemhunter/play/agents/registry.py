"""The table of agents: the programs that can play, by name, built in or from other packages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.position import FirstClick
from gemhunter.errors import EngineError, InputError, UnknownNameError
from gemhunter.play.agents.csp import CspPlayer
from gemhunter.play.agents.player import WHY, Choice, Player, Stuck
from gemhunter.play.agents.resolution import ResolutionPlayer
from gemhunter.play.deal import PLAYER_STREAM, set_seed
from gemhunter.play.end_game import NO_CELL
from gemhunter.play.expert import first_move
from gemhunter.play.game import View
from gemhunter.play.levels import Level
from gemhunter.play.notes import EXPERT, FAST, FIRST_MOVE, LOGIC, LOGIC_RANDOM
from gemhunter.play.risks import log_factorials
from gemhunter.play.whole_games import decide, first_cell
from gemhunter.solving.registry import entry_points_of, faults_of, make_plug_in, unexpected

# Agents of other packages; what goes wrong in them is an `EngineError` that names them.


GROUP = "gemhunter.agents"
"""The entry-point group of third-party agents; each is a factory that makes a fresh player of a seed."""


@dataclass(frozen=True, slots=True)
class PlugInPlayer:
    """A player of another package."""

    player: Any
    source: str

    def choose(self, view: View) -> Choice | Stuck:
        """What the player chooses, if that is a choice between cells of the board."""
        with faults_of(self.source):
            choice: object = self.player.choose(view)
        if not isinstance(choice, Choice | Stuck):
            raise unexpected(self.source, "`choose` returned", choice, "a Choice or Stuck")
        cells: tuple[object, ...] = (
            (*choice.safe, *choice.traps) if isinstance(choice, Choice) else choice.traps
        )
        for cell in cells:
            if not _is_on(view, cell):
                named = str(cell) if isinstance(cell, Cell) else repr(cell)
                expected = f"a Cell of the {view.grid.rows}×{view.grid.cols} board, counted from 0"
                raise EngineError(f"the plug-in {self.source!r}: it chose {named}; expected {expected}")
        return choice


class CountingPlugInPlayer(PlugInPlayer):
    """A player of another package that counts what it does."""

    __slots__ = ()

    def counters(self, view: View) -> Mapping[str, int]:
        """The player's own."""
        with faults_of(self.source):
            return dict(self.player.counters(view))


def plug_in_names() -> list[str]:
    """The agents that other packages offer."""
    return sorted(entry_points_of(GROUP))


def plug_in_player(name: str, seed: int) -> PlugInPlayer:
    """A player that another package makes."""
    point = entry_points_of(GROUP)[name]
    player = make_plug_in(point, seed)
    if not callable(getattr(player, "choose", None)):
        raise unexpected(point.value, "its factory made", player, "a player with `choose(view)`")
    counts = callable(getattr(player, "counters", None))
    return (CountingPlugInPlayer if counts else PlugInPlayer)(player, point.value)


def _is_on(view: View, cell: object) -> bool:
    return (
        isinstance(cell, tuple)
        and len(cell) == len(Cell._fields)
        and bool(0 <= cell[0] < view.grid.rows and 0 <= cell[1] < view.grid.cols)
    )


# A player whose decisions are made by the kernels that also play whole games.


class KernelPlayer:
    """Plays as the agent of a number in `play.notes`; the seed decides what it does at random."""

    def __init__(self, agent: int, seed: int) -> None:
        self._agent = agent
        self._random = np.empty(1, np.uint64)
        set_seed(seed, PLAYER_STREAM, self._random)

    def choose(self, view: View) -> Choice | Stuck:
        """Cells that are certain, otherwise a guess; an agent that never guesses is stuck instead."""
        grid = view.grid
        if view.is_fresh:
            level = Level(grid.rows, grid.cols, view.total)
            first, reason = first_of_agent(self._agent, level, view.first_click)
            return Choice((first,), (), view.risk_of_first, reason)
        certain = np.empty_like(grid.cells)
        logs = log_factorials(grid.cells.size)
        # A copy can be written to, which is the type that is compiled for whole games.
        guess, why, risk = decide(self._agent, grid.cells.copy(), view.total, logs, self._random, certain)
        traps = tuple(cell for cell in Grid(certain).where(TRAP) if not view.flags[cell])
        if guess != NO_CELL:
            return Choice((grid.cell(guess),), traps, risk, WHY[why])
        gems = tuple(
            Cell(*map(int, place)) for place in np.argwhere((certain == GEM) & (grid.cells == HIDDEN))
        )
        if gems:
            return Choice(gems, traps, 0.0, WHY[0])
        if not (grid.cells == HIDDEN).any():
            raise InputError("nothing is hidden in this position")
        return Stuck(traps, "no cell is certain to be a gem, and this agent does not guess")


def first_of_agent(agent: int, level: Level, first_click: FirstClick) -> tuple[Cell, str]:
    """The cell that an agent begins with, and why."""
    exact = first_move(level, first_click) if agent == EXPERT else None
    if exact is not None:
        return exact.candidates[0].cell, exact.why
    index = first_cell(level.rows, level.cols, level.total, first_click.code)
    return Cell(*divmod(index, level.cols)), WHY[FIRST_MOVE]


# The table of agents: the programs that can play, by name.


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
