"""Steps of an explanation as people see them, and how hard a board is, judged by its steps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemhunter.board.grid import Cell
from gemhunter.explanation.rules import Rule


@dataclass(frozen=True, slots=True)
class Thought:
    """One sentence of a line of thought; `depth` is the number of suppositions that it rests on."""

    depth: int
    sentence: str


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """Cells that follow from clues, by a rule, once the cells of all earlier steps are known.

    `clues` alone force the cells, together with the total if `with_total`. `thoughts` give the details if one
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
    """The number of deductions of this level that it was chosen from."""

    @property
    def decides(self) -> tuple[Cell, ...]:
        """All cells that the step decides, in reading order."""
        return tuple(sorted(self.traps + self.gems))


def needed_steps(
    steps: Sequence[ExplanationStep], cells: Iterable[Cell], *, with_total: bool = False
) -> tuple[ExplanationStep, ...]:
    """The steps that decide these cells, and those that they rest on; all steps if `with_total`.

    A step rests on the cells around its clues; one that uses the total rests on every known cell.
    """
    wanted, wants_all, needed = set(cells), with_total, list[ExplanationStep]()
    for step in reversed(steps):
        if wants_all or not wanted.isdisjoint(step.decides):
            needed.append(step)
            wanted |= cells_around(step.clues)
            wants_all |= step.with_total
    return tuple(reversed(needed))


def cells_around(clues: Iterable[Cell]) -> set[Cell]:
    """These clues and the cells next to them."""
    near = range(-1, 2)
    return {Cell(row + down, col + right) for row, col in clues for down in near for right in near}


# How hard a board is for a person, judged by the steps that explain it.


NEEDS_A_GUESS = "needs a guess"
"""For boards with cells that are not forced."""

WITHOUT_SOLUTION = "no solution"
"""For boards whose clues conflict."""

NOT_KNOWN = "not known"
"""For boards that were not explained completely."""

LEVEL_WORDS = {0: "easy", 1: "easy", 2: "medium", 3: "hard", 4: "hard", 5: "expert", 6: "expert", 7: "expert"}
"""The difficulty in a word, by the level of the hardest rule needed."""

DIFFICULTY_WORDS = ("easy", "medium", "hard", "expert", NEEDS_A_GUESS)
"""For boards with a solution, from easy to hard."""

LEVEL_SCORES = {1: 1, 2: 3, 3: 8, 4: 8, 5: 15, 6: 25, 7: 50}
"""What each step adds to the score, by the level of its rule."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a board is to solve by thinking.

    `narrowest` is the smallest number of deductions of the required level that were available at any step.
    """

    word: str
    rule: str | None
    """The hardest rule needed; None if there are no steps."""
    level: int
    score: int
    most_clues: int
    """The largest number of clues that one step rests on."""
    narrowest: int


def rate(steps: Sequence[ExplanationStep], *, word: str | None = None) -> Difficulty:
    """The difficulty of a board that these steps explain; `word` replaces the word for its level."""
    if not steps:
        return Difficulty(word or LEVEL_WORDS[0], None, 0, 0, 0, 0)
    hardest = max(steps, key=lambda step: step.rule.level).rule
    return Difficulty(
        word or LEVEL_WORDS[hardest.level],
        hardest.name,
        hardest.level,
        sum(LEVEL_SCORES[step.rule.level] for step in steps),
        max(len(step.clues) for step in steps),
        min(step.choices for step in steps),
    )
