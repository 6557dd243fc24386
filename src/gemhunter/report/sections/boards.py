"""The section about each board: the board, its solutions, the result map of each engine, and times."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.bench.ledger import BoardFacts
from gemhunter.bench.summary import Summary
from gemhunter.bench.values import Verdict, has_map
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.core.plurals import counted
from gemhunter.render.times import seconds_text
from gemhunter.report.charts.one_board import board_chart
from gemhunter.report.charts.style import ChartLook
from gemhunter.report.document import (
    SECTION_TITLES,
    Block,
    Boards,
    Chart,
    Paragraph,
    Section,
    Subheading,
    Table,
)
from gemhunter.report.findings import Findings
from gemhunter.report.tables.text_table import TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SOLUTION_DIGITS = 20
"""Longer numbers of solutions are shown by how many digits they have."""


def boards_section(findings: Findings) -> Section:
    """Every board of every part."""
    blocks: list[Block] = [
        Paragraph(
            "Times are seconds of encoding, solving and checking, measured in a process of the engine. "
            "Importing and compiling come before the clock starts. A time is the median of its runs; a run "
            "without an answer counts as longer than any other. Every solution has been checked against its "
            "board. Engines above one map found the same solution."
        )
    ]
    for part, each in enumerate(findings.plan.parts):
        summary = findings.summary(part)
        blocks.append(Subheading(each.title))
        for place, facts in enumerate(each.heading.boards):
            blocks += _board(findings, (part, place), facts, summary)
    return Section("boards", SECTION_TITLES["boards"], tuple(blocks))


def _board(findings: Findings, key: tuple[int, int], facts: BoardFacts, summary: Summary) -> Iterator[Block]:
    """`key` is the number of the part and that of the board."""
    part, place = key
    each = findings.plan.parts[part]
    yield Subheading(f"{facts.name} ({facts.rows}×{facts.cols})", 2)
    yield Paragraph(f"{_facts_text(facts)} {answer_text(findings, part, facts.name)}")
    grid = each.grid(facts.name)
    if has_map(grid):
        yield Boards((("the board", grid), *_maps(findings, part, facts.name)))
    else:
        yield Paragraph("The board is too large for a picture on a page.")
    yield Table(_engines_table(summary, facts.name), f"Engines on {facts.name}.", each.commands)
    yield Chart(
        f"board-{part}-{place}",
        partial(_draw, summary, facts.name),
        f"Median seconds on {facts.name}; the vertical lines go from the shortest run to the longest.",
        f"chart of the median seconds of each engine on {facts.name}",
        each.commands,
    )


def _draw(summary: Summary, board: str, look: ChartLook) -> "Figure":
    return board_chart(summary, board, look)


def _facts_text(facts: BoardFacts) -> str:
    total = "" if facts.total is None else f", {counted(facts.total, 'trap')} in all"
    note = f" The board is {facts.note}." if facts.note else ""
    return f"{counted(facts.clues, 'clue')}, {counted(facts.unknown, 'unknown cell')}{total}.{note}"


def answer_text(findings: Findings, part: int, board: str) -> str:
    """How many solutions a board has, or why that is not known."""
    answer = findings.answers.get((part, board))
    if answer is None:
        return "How many solutions it has has not been asked."
    if answer.solutions is not None:
        return {"0": "It has no solution.", "1": "Its solution is unique."}.get(
            answer.solutions, f"It has {_number_text(answer.solutions)} solutions."
        )
    unique = {True: "Its solution is unique.", False: "It does not have exactly one solution."}
    known = "" if answer.unique is None else f" {unique[answer.unique]}"
    return f"Its solutions were not counted: {answer.reason}.{known}"


def _number_text(digits: str) -> str:
    return f"{int(digits):,}" if len(digits) <= MOST_SOLUTION_DIGITS else f"about 10^{len(digits) - 1}"


def _maps(findings: Findings, part: int, board: str) -> list[tuple[str, Grid]]:
    """Each map with the engines that found it."""
    engines: dict[str, list[str]] = {}
    for engine in findings.plan.parts[part].heading.engines:
        text = findings.maps.get((part, board, engine), "")
        if text:
            engines.setdefault(text, []).append(f"`{engine}`")
    grid = findings.plan.parts[part].grid(board)
    return [(", ".join(names), filled(grid, text)) for text, names in engines.items()]


def filled(grid: Grid, text: str) -> Grid:
    """A grid with `T` or `G` for each of its hidden cells."""
    cells = grid.cells.copy()
    cells[cells == HIDDEN] = np.array([TRAP if sign == "T" else GEM for sign in text], np.int8)
    return Grid(cells)


def _engines_table(summary: Summary, board: str) -> TextTable:
    rows: list[tuple[str, ...]] = []
    for engine in summary.engines:
        entry = summary.of(board, engine)
        if entry is None:
            rows.append((engine, "not run", "", "", "", "", "0"))
            continue
        answer = "solved" if entry.verdict is Verdict.SOLVED else entry.words
        spread = entry.spread
        ends = "" if spread is None else f"{seconds_text(spread.shortest)} to {seconds_text(spread.longest)}"
        stages = [
            seconds_text(entry.stages[stage]) if stage in entry.stages else ""
            for stage in ("encode", "solve")
        ]
        median = "" if entry.median is None else seconds_text(entry.median)
        rows.append((engine, answer, median, ends, *stages, str(entry.runs)))
    headings = ("engine", "answer", "median", "shortest to longest", "encoding", "solving", "runs")
    return TextTable(headings, tuple(rows))
