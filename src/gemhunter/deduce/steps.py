"""Steps of an explanation, as values for people: cells by name, with a sentence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemhunter.core.grid import Cell
from gemhunter.deduce.rules import Rule


@dataclass(frozen=True, slots=True)
class Thought:
    """One sentence of a line of thought; `depth` says how many suppositions it stands under."""

    depth: int
    sentence: str


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """Cells that follow from clues, by a rule, once the cells of all earlier steps are known.

    `clues` alone force the cells, together with the total if `with_total`. `thoughts` show it where one
    sentence is not enough.
    """

    rule: Rule
    clues: tuple[Cell, ...]
    with_total: bool
    traps: tuple[Cell, ...]
    gems: tuple[Cell, ...]
    sentence: str
    thoughts: tuple[Thought, ...] = ()
    choices: int = 1
    """How many deductions of this level there were to choose from."""

    @property
    def decides(self) -> tuple[Cell, ...]:
        """All cells that the step decides, in reading order."""
        return tuple(sorted(self.traps + self.gems))


def needed_steps(
    steps: Sequence[ExplanationStep], cells: Iterable[Cell], *, with_total: bool = False
) -> tuple[ExplanationStep, ...]:
    """The steps that lead to these cells, or to all if the total matters, without those that do not.

    A step rests on the cells around its clues, and with the total on all that are known.
    """
    wanted, wants_all, needed = set(cells), with_total, list[ExplanationStep]()
    for step in reversed(steps):
        if wants_all or not wanted.isdisjoint(step.decides):
            needed.append(step)
            wanted |= cells_around(step.clues)
            wants_all |= step.with_total
    return tuple(reversed(needed))


def cells_around(clues: Iterable[Cell]) -> set[Cell]:
    """The cells next to these clues, and the clues."""
    return {Cell(row, col) for clue in clues for row in _beside(clue.row) for col in _beside(clue.col)}


def _beside(place: int) -> range:
    return range(place - 1, place + 2)
