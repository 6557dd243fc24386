"""A hint: what a good player would do next, and why."""

from dataclasses import dataclass
from typing import TypeAlias

from gemhunter.core.grid import Cell
from gemhunter.play.advice import Advice
from gemhunter.play.risks import clues_around, nearest
from gemhunter.play.view import View
from gemhunter.solving.outcomes import GaveUp, Refuted


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
class BestGuess:
    """Nothing is certain that has not been flagged; this is the cell that `expert` would open.

    `win_chance` is None where it is not known exactly.
    """

    cell: Cell
    risk: float
    win_chance: float | None


@dataclass(frozen=True, slots=True)
class NoHint:
    """Nothing is known that would help, and why."""

    reason: str


Hint: TypeAlias = CertainGem | CertainTrap | BestGuess | NoHint


def hint(view: View, advised: Advice | Refuted | GaveUp, near: Cell) -> Hint:
    """The advice on a view as a hint to its player; of several certain cells the one nearest to `near`."""
    if not isinstance(advised, Advice):
        return NoHint(advised.reason)
    if advised.gems:
        cell = nearest([*advised.gems], near)
        return CertainGem(cell, clues_around(view.grid, cell))
    if traps := [cell for cell in advised.traps if not view.flags[cell]]:
        cell = nearest(traps, near)
        return CertainTrap(cell, clues_around(view.grid, cell))
    if advised.best is None or advised.risk is None:
        return NoHint(advised.why)
    return BestGuess(advised.best, advised.risk, advised.win_chance)
