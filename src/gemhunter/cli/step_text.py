"""Steps of explanations as text: numbered, each with its rule, and lines of thought below it."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gemhunter.deduce.steps import ExplanationStep, Thought
from gemhunter.printable import printable
from gemhunter.render.text_maps import StyledLine, StyledText

GAP = "  "
"""Between the number of a step, its rule and its sentence, and before each deeper thought."""

NARROWEST_COLUMN = 30
"""Characters that a sentence has in a line, however narrow the terminal is."""


def paragraph(text: str, columns: int | None, indent: str = "", first: str | None = None) -> list[StyledLine]:
    """A text in lines of `columns` characters with an indent; `first` is what the first line begins with."""
    begin = indent if first is None else first
    if columns is None:
        return [[StyledText(printable(begin + text))]]
    width = max(columns, len(indent) + NARROWEST_COLUMN)
    lines = textwrap.wrap(
        printable(text),
        width,
        initial_indent=begin,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [[StyledText(line)] for line in lines]


def step_lines(steps: Sequence[ExplanationStep], columns: int | None) -> Iterator[StyledLine]:
    """All steps, with a blank line where the level of the rule changes, around thoughts, and at the end."""
    if not steps:
        return
    digits, width = len(str(len(steps))), max(len(step.rule.name) for step in steps)
    indent = " " * (digits + width + 2 * len(GAP))
    for number, (step, after) in enumerate(pairwise([*steps, None]), 1):
        if step is None:
            continue
        begin = f"{number:>{digits}}{GAP}{step.rule.name:<{width}}{GAP}"
        yield from paragraph(step.sentence, columns, indent, begin)
        yield from thought_lines(step.thoughts, columns, " " * digits + GAP)
        if after is None or step.thoughts or after.thoughts or after.rule.level != step.rule.level:
            yield []


def thought_lines(thoughts: Sequence[Thought], columns: int | None, indent: str) -> Iterator[StyledLine]:
    """Lines of thought, each indented by the number of suppositions that it stands under."""
    for thought in thoughts:
        begin = f"{indent}{GAP * thought.depth}"
        yield from paragraph(thought.sentence, columns, f"{begin}{GAP}", begin)
