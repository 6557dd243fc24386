"""The boards of a report by size: examples are worked out on a small one."""

import re
from dataclasses import dataclass

import numpy as np

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.core.puzzle import impossible_regions, read_puzzle
from gemhunter.report.findings import Findings

LARGEST_EXAMPLE = 2000
"""Hidden cells of the largest board that serves as an example."""


@dataclass(frozen=True, slots=True)
class Example:
    """A board of a report under a name that no other board of the report has.

    Examples are about clues alone; `has_total` says that a total is left aside.
    """

    name: str
    grid: Grid
    has_total: bool

    @property
    def file(self) -> str:
        """What commands call the file of this board."""
        return f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', self.name)}.txt"


def examples(findings: Findings) -> list[Example]:
    """The boards on which no single clue is impossible; of equal grids only one.

    Smallest first, but those with a total come after all others.
    """
    found: dict[Grid, Example] = {}
    for part, each in enumerate(findings.plan.parts):
        for board in each.boards:
            puzzle = read_puzzle(board.grid)
            is_fit = 0 < puzzle.hidden.size <= LARGEST_EXAMPLE and puzzle.clues.size > 0
            if is_fit and not impossible_regions(puzzle).size:
                name = unique_name(findings, part, board.name)
                found.setdefault(board.grid, Example(name, board.grid, board.total is not None))
    return sorted(found.values(), key=_size)


def _size(example: Example) -> tuple[bool, int]:
    return example.has_total, int(np.count_nonzero(example.grid.cells == HIDDEN))


def total_text(example: Example) -> str:
    """What to add to a sentence about an example whose total is left aside."""
    return ", without its total" if example.has_total else ""


def unique_name(findings: Findings, part: int, board: str) -> str:
    """The name of a board, after that of its suite if another part has a board of this name."""
    parts = findings.plan.parts
    times = sum(each.name == board for other in parts for each in other.boards)
    return board if times == 1 else f"{parts[part].heading.suite}-{board}"
