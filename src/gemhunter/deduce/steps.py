"""Steps of an explanation, as values for people: cells by name, with a sentence."""

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
