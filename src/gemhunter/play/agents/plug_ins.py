"""Agents of other packages; what goes wrong in them is an `EngineError` that names them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gemhunter.core.grid import Cell
from gemhunter.errors import EngineError
from gemhunter.play.agents.player import Choice, Stuck
from gemhunter.play.view import View
from gemhunter.solving.plug_ins import entry_points_of, faults_of, make_plug_in, unexpected

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
