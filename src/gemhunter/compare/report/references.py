"""The texts and works about the algorithms of a report: what is cited where, and the list at its end."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.board.puzzle import impossible_regions, read_puzzle
from gemhunter.compare.report.document import Paragraph, Section
from gemhunter.compare.report.findings import Findings
from gemhunter.errors import GemHunterError
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.registry import get_engine

# The boards of a report by size: examples are worked out on a small one.


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


# The texts and works about the algorithms of a report: what is cited where, and the list at its end.


PUZZLE_WORK = "kaye2000"
"""The work about the puzzle, which is cited first."""


def references_section(findings: Findings) -> Section | None:
    """All works that the report cites, with their numbers; None if it describes no algorithm."""
    if not examples(findings):
        return None
    works = _read("references.toml")["works"]
    listed = (f"[{number}] {works[work]}" for number, work in enumerate(_works_cited(findings), 1))
    return Section("references", "References", tuple(map(Paragraph, listed)))


def puzzle_citation(findings: Findings) -> str:
    """The number of the work about the puzzle in brackets."""
    return _citation(findings, [PUZZLE_WORK])


def algorithm_citation(findings: Findings, algorithm: str) -> str:
    """The numbers of the works about an algorithm in brackets; empty if there are none."""
    return _citation(findings, _works_about(algorithm, engine_groups(findings)[algorithm]))


def engine_groups(findings: Findings) -> dict[str, list[str]]:
    """The engines of a report by the key of the text about them; with S5, its agent's algorithm is one."""
    parts = findings.plan.parts
    names = dict.fromkeys(engine for part in parts for engine in part.heading.engines)
    names |= {"resolution": None} if findings.plan.games else {}
    groups: dict[str, list[str]] = {}
    for engine in names:
        key = engine if engine in algorithm_texts() else engine.partition(":")[0]
        groups.setdefault(key, []).append(engine)
    return groups


def algorithm_texts() -> dict[str, Any]:
    """What is said about each algorithm."""
    return _read("algorithms.toml")


def engine_info(engine: str) -> EngineInfo | None:
    """What an engine is; None if it is not on the machine that writes the report."""
    try:
        return get_engine(engine).info
    except GemHunterError:
        return None


@cache
def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


def _citation(findings: Findings, works: list[str]) -> str:
    cited = _works_cited(findings)
    numbers = sorted(cited.index(work) + 1 for work in works)
    return f" [{', '.join(map(str, numbers))}]" if numbers else ""


def _works_cited(findings: Findings) -> list[str]:
    """The keys of the works in the order in which the report cites them."""
    groups = engine_groups(findings)
    works = (work for algorithm, engines in groups.items() for work in _works_about(algorithm, engines))
    return list(dict.fromkeys([PUZZLE_WORK, *works]))


def _works_about(algorithm: str, engines: list[str]) -> list[str]:
    """The works about an algorithm, and those about the solvers of PySAT among its engines."""
    works = [*algorithm_texts().get(algorithm, {}).get("works", ())]
    if algorithm == "pysat":
        by_solver = _read("references.toml")["solvers"].items()
        for info in filter(None, map(engine_info, engines)):
            solver = info.name.partition(":")[2]
            works += [work for name, work in by_solver if solver.startswith(name)]
    return list(dict.fromkeys(works))
