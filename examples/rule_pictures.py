"""Draws docs/explain/RULE.svg: for each rule of deduction, a small game in which the next step needs it.

python examples/rule_pictures.py docs/explain

It prints the board, the total if the step needs it, and the step in words.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from gemhunter.explanation.explain import explain
from gemhunter.explanation.explanations import Explanation
from gemhunter.explanation.pictures import explanation_svg
from gemhunter.explanation.rules import RULES
from gemhunter.play.game import game_with_given
from gemhunter.play.game_ids import read_game_id


class Start(NamedTuple):
    """A game and how many of its gems are shown at the start; `has_total` if the number of traps is known."""

    game: str
    shown: int
    has_total: bool = False


STARTS = {
    "one-clue": Start("4x4n3#430", 5),
    "total-reached": Start("4x4n2#558", 8, has_total=True),
    "1-1": Start("4x4n5#920", 6),
    "1-2": Start("4x4n3#982", 6),
    "1-2-1": Start("3x4n4#8129", 4),
    "1-2-2-1": Start("4x4n4#308", 5),
    "subset": Start("4x4n5#933", 6),
    "overlap": Start("4x4n4#827", 6),
    "several-clues": Start("4x4n4#186", 3),
    "total": Start("4x4n5#241", 6, has_total=True),
    "what-if": Start("4x4n3#736", 3),
    "case-split": Start("4x4n5#4305", 6),
    "clue-set": Start("4x4n4#5766", 4),
}
"""Found by trying the seeds of many small levels for boards with few steps, clues and thoughts."""


def explained(rule: str) -> tuple[Explanation, int]:
    """The game of a rule, and the number of the first step that applies the rule."""
    start = STARTS[rule]
    game = game_with_given(read_game_id(start.game), start.shown)
    found = explain(game.view.grid, total=game.level.total if start.has_total else None)
    return found, 1 + [step.rule.name for step in found.steps].index(rule)


def picture(rule: str) -> str:
    """The picture of a rule, as a complete SVG document."""
    found, number = explained(rule)
    return explanation_svg(found, rule, number)


def words(rule: str) -> str:
    """The board of a rule, and its step in words."""
    found, number = explained(rule)
    step = found.steps[number - 1]
    lines = [f"{rule}: {STARTS[rule].game}, step {number} of {len(found.steps)}", str(found.grid)]
    if found.total is not None:
        lines.append(f"traps: {found.total}")
    thoughts = (f"{'  ' * (1 + thought.depth)}{thought.sentence}" for thought in step.thoughts)
    return "\n".join([*lines, step.sentence, *thoughts, "", ""])


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for rule in RULES:
        (folder / f"{rule}.svg").write_text(picture(rule), encoding="utf-8")
        sys.stdout.write(words(rule))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
