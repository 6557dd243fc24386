"""What every player is: something that is shown views and says what to do next, and why."""

from dataclasses import dataclass
from typing import Protocol

from gemhunter.board.grid import Cell
from gemhunter.play.game import View

# Why an agent reveals a cell, in words.


REASONS = {
    "proven": "proven safe",
    "first click": "first move",
    "guess at a clue": "the best guess next to a clue",
    "guess elsewhere": "the best guess away from all clues",
    "fifty-fifty": "a fifty-fifty that no clue can ever decide",
    "end game": "the best by exact search to the end",
    "random": "a guess at random",
}
"""Names for tables and ledgers, and what is said about a move; in the order of the codes in kernels."""

WHY = tuple(REASONS.values())


# What every player is: something that is shown views and says what to do next.


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player does next: reveal `safe`, and put flags on `traps`, which must be traps.

    `risk` is that of the first of `safe`, 0 if none of them can be a trap; a guess is one cell. `why`
    says in a few words where it comes from.
    """

    safe: tuple[Cell, ...]
    traps: tuple[Cell, ...]
    risk: float
    why: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """The player has nothing to reveal and does not guess; `traps` are those it knows without a flag."""

    traps: tuple[Cell, ...]
    why: str


class Player(Protocol):
    """Plays one game: is asked again and again with the latest view, and may remember earlier ones."""

    def choose(self, view: View) -> Choice | Stuck:
        """What to do in this position, which is not over."""
        ...
