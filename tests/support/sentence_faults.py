"""What is wrong with the sentences of a step: they name its clues and cells, and are proper sentences."""

import re
from collections.abc import Iterator

from gemhunter.board.grid import Cell, Grid
from gemhunter.explanation.steps import ExplanationStep, cells_around

CLUE = re.compile(r"[Tt]he (\d) at (r\d+c\d+)")
NAME = re.compile(r"r\d+c\d+")
COUNTED = re.compile(r"\d other (cells|clues)|\d others")

SUPPOSES = 5
"""From this level on, rules suppose something."""


def sentence_faults(grid: Grid, step: ExplanationStep) -> Iterator[str]:
    """What is wrong with the sentence of a step and with its thoughts."""
    texts = [step.sentence, *(thought.sentence for thought in step.thoughts)]
    for text in texts:
        yield from text_faults(text)
        for number, name in CLUE.findall(text):
            if str(grid[cell_named(name)]) != number or cell_named(name) not in step.clues:
                yield f"{name} is not a {number} that the step rests on"
    everything = " ".join(texts)
    known = {str(cell) for cell in (*cells_around(step.clues), *step.decides)}
    if not step.with_total and not set(NAME.findall(everything)) <= known:
        yield "a cell is named that has nothing to do with the clues"
    if not COUNTED.search(everything):
        yield from _missing(step, everything)


def _missing(step: ExplanationStep, everything: str) -> Iterator[str]:
    """What is not named, where all names are given."""
    clues, decided = {str(clue) for clue in step.clues}, {str(cell) for cell in step.decides}
    named = set(NAME.findall(step.sentence))
    if not decided <= named:
        yield "a cell that the step decides is not named"
    # A supposition names its last clue in the sentence, and the others in the thoughts.
    if not clues <= (named if step.rule.level < SUPPOSES else set(NAME.findall(everything))):
        yield "a clue is not named"
    if step.with_total and step.rule.level >= SUPPOSES and "total" not in everything:
        yield "the total is not named"


def text_faults(text: str) -> Iterator[str]:
    """What is wrong with a sentence as such."""
    if not (text[0].isupper() or text[0].isdigit()) or not text.endswith("."):
        yield f"not a sentence: {text}"
    if "  " in text or " ." in text or " ," in text or ".." in text:
        yield f"stray blanks or stops: {text}"
    if re.search(r"\b(and|or) and\b|, and \.|\ball (one|two) \b|\ba gems\b|\bone traps\b", text):
        yield f"not English: {text}"


def cell_named(name: str) -> Cell:
    """The cell that people call `r3c4`."""
    row, col = name[1:].split("c")
    return Cell(int(row) - 1, int(col) - 1)
