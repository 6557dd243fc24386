"""Steps of an explanation as values for people, and how hard a board is, judged by its steps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemhunter.board.grid import Cell
from gemhunter.explanation.rules import Rule

# Steps of an explanation, as values for people: cells by name, with a sentence.


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


# How hard a board is for a person, judged by the steps that explain it.


NEEDS_A_GUESS = "needs a guess"
"""For boards with cells that are not forced."""

WITHOUT_SOLUTION = "no solution"
"""For boards whose clues conflict."""

NOT_KNOWN = "not known"
"""For boards that were not explained to the end."""

LEVEL_WORDS = {0: "easy", 1: "easy", 2: "medium", 3: "hard", 4: "hard", 5: "expert", 6: "expert", 7: "expert"}
"""The difficulty in a word, by the level of the hardest rule that is needed."""

DIFFICULTY_WORDS = ("easy", "medium", "hard", "expert", NEEDS_A_GUESS)
"""From easy to hard, for boards with a solution."""

LEVEL_SCORES = {1: 1, 2: 3, 3: 8, 4: 8, 5: 15, 6: 25, 7: 50}
"""What each step adds to the score, by the level of its rule."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a board is to solve by thinking.

    `narrowest` is the least number of deductions, of the level that was needed, that were there to be found
    at any point.
    """

    word: str
    rule: str | None
    """The hardest rule that was needed; None without a step."""
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
