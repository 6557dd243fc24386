"""What a player does: moves, and a whole game as a list of them."""

from dataclasses import dataclass
from enum import StrEnum

from gemhunter.core.board import Board
from gemhunter.core.grid import Cell


class Action(StrEnum):
    """The three things a player can do with a cell."""

    REVEAL = "reveal"
    FLAG = "flag"
    CHORD = "chord"


@dataclass(frozen=True, slots=True)
class Move:
    """One thing done with one cell; `FLAG` puts a flag or takes it away."""

    action: Action
    cell: Cell

    def __str__(self) -> str:
        return f"{self.action.value} {self.cell}"


@dataclass(frozen=True, slots=True)
class Replay:
    """A game that can be played again: the truth, the id it was dealt from if it was, and every move.

    `gave_up` says that the player stopped by choice.
    """

    board: Board
    moves: tuple[Move, ...]
    game_id: str | None = None
    gave_up: bool = False
