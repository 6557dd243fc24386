"""How hard a board is for a person, judged by the steps that explain it."""

from collections.abc import Sequence
from dataclasses import dataclass

from gemhunter.deduce.steps import ExplanationStep

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
