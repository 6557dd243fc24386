"""A hint: what a good player would do next, and why."""

from dataclasses import dataclass
from typing import TypeAlias

from gemhunter.core.grid import Cell
from gemhunter.play.knowing import Knowledge, clues_around, nearest
from gemhunter.play.view import View


@dataclass(frozen=True, slots=True)
class CertainGem:
    """This cell cannot be a trap; `clues` are those next to it, none if the total alone says so."""

    cell: Cell
    clues: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class CertainTrap:
    """No cell is certain to be a gem, but this one, without a flag, is a trap."""

    cell: Cell
    clues: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SafestGuess:
    """Nothing is certain that has not been flagged; no cell is less likely a trap than this one."""

    cell: Cell
    risk: float


@dataclass(frozen=True, slots=True)
class NoHint:
    """Nothing is known that would help, and why."""

    reason: str


Hint: TypeAlias = CertainGem | CertainTrap | SafestGuess | NoHint


def hint(view: View, known: Knowledge, near: Cell) -> Hint:
    """What to do in a position of which this is known; of equally good cells the one nearest to `near`."""
    if gems := known.gems():
        cell = nearest(gems, near)
        return CertainGem(cell, clues_around(view.grid, cell))
    if traps := [cell for cell in known.traps() if not view.flags[cell]]:
        cell = nearest(traps, near)
        return CertainTrap(cell, clues_around(view.grid, cell))
    if safest := known.safest():
        cell = nearest(safest, near)
        return SafestGuess(cell, known.risk(cell))
    return NoHint(known.gap or "nothing is hidden")
