"""The sections about the puzzle and its boards: the clauses of a small board, then every board."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import comb

import numpy as np

from gemhunter.bench.runs import Verdict, has_map
from gemhunter.bench.summary import Summary
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import Puzzle, impossible_regions, read_puzzle, untouched_cells
from gemhunter.charts.suites import board_chart
from gemhunter.cnf.encode import encode
from gemhunter.files.text_tables import TextTable
from gemhunter.report.document import (
    SECTION_TITLES,
    Block,
    Boards,
    Chart,
    Listing,
    Paragraph,
    Section,
    Subheading,
    Table,
)
from gemhunter.report.findings import Findings
from gemhunter.wording import counted, seconds_text

# The boards of a report by size; examples use a small one.


@dataclass(frozen=True, slots=True)
class Example:
    """A board of a report under a unique name.

    Examples use only the clues; `has_total` says that the board has a total, which is ignored.
    """

    name: str
    grid: Grid
    has_total: bool

    @property
    def file(self) -> str:
        """The name that commands use for the file of this board."""
        return f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', self.name)}.txt"

    @property
    def words(self) -> str:
        """The name, with a remark if the total is ignored."""
        return f"{self.name}, without its total" if self.has_total else self.name


def examples(findings: Findings) -> list[Example]:
    """The boards with clues and up to 2000 unknown cells, each grid once, unless a single clue is impossible.

    They are sorted by size, but boards with a total come after all others.
    """
    boards: dict[Grid, Example] = {}
    for index, part in enumerate(findings.plan.parts):
        for board in part.boards:
            puzzle = read_puzzle(board.grid)
            is_fit = 0 < puzzle.hidden.size <= 2000 and puzzle.clues.size > 0
            if is_fit and not impossible_regions(puzzle).size:
                name = unique_name(findings, index, board.name)
                boards.setdefault(board.grid, Example(name, board.grid, board.total is not None))
    return sorted(
        boards.values(), key=lambda board: (board.has_total, np.count_nonzero(board.grid.cells == HIDDEN))
    )


def unique_name(findings: Findings, part: int, board: str) -> str:
    """The name of a board, after that of its suite if another part has a board of this name."""
    parts = findings.plan.parts
    times = sum(other.name == board for each in parts for other in each.boards)
    return board if times == 1 else f"{parts[part].heading.suite}-{board}"


# The section about the puzzle: from one small board to its clauses, step by step.


SHOWN_ROWS = 40
"""The rows of a table and the lines of a listing that are shown; the others are counted."""


def encoding_section(findings: Findings) -> Section | None:
    """The clauses of the smallest board whose clues leave a choice, or else of the smallest board."""
    boards = examples(findings)
    if not boards:
        return None
    example = next((board for board in boards if _open_regions(read_puzzle(board.grid))), boards[0])
    return Section("puzzle", SECTION_TITLES["puzzle"], tuple(_blocks(example)))


def _blocks(example: Example) -> Iterator[Block]:
    grid, puzzle = example.grid, read_puzzle(example.grid)
    yield Paragraph(
        "A cell shows a clue, a known trap `T` or a known gem `G`, or it is unknown. A clue says how many of "
        "the up to eight neighbouring cells are traps. The question is whether the unknown cells can be "
        "filled with traps and gems so that every clue is satisfied. Each unknown cell becomes a variable "
        "that is true if the cell is a trap, and the clues become clauses, so that the models of the formula "
        "are the solutions of the board."
    )
    # The work about the puzzle is cited first, so its number is 1.
    yield Paragraph(
        "Whether a board has a solution is an NP-complete question [1]: every known algorithm needs "
        "exponential time on some boards, although many boards are easy."
    )
    total = ", without its total" if example.has_total else ""
    yield Boards(((f"`{example.name}`, the example of this section{total}", grid),))
    yield Paragraph(
        f"The commands in this report call the file of this board `{example.file}`. Variables are commonly "
        "numbered in one of two ways: either the unknown cells have the numbers 1 to n in reading order, or "
        "every cell of a board with C columns has the number r·C + c + 1, with row r and column c counted "
        "from 0."
    )
    yield Table(
        _variables(grid, puzzle), "The variables in both numberings.", (f"gemhunter cnf {example.file}",)
    )
    yield Paragraph(
        "A clue N with t known traps around it leaves k = N − t traps for its n unknown neighbours, its "
        "region. U(k,n) says that at most k of them are traps: of any k + 1 cells, at least one is a gem, "
        "which gives C(n,k+1) clauses. L(k,n) says that at least k of them are traps: of any n − k + 1 "
        "cells, at least one is a trap, which gives C(n,n−k+1) clauses. The clue is satisfied if and only if "
        "U(k,n) ∧ L(k,n) is. With k = 0 or k = n, every clause is a single cell: all are gems, or all are "
        "traps."
    )
    yield Table(_regions(grid, puzzle), "The region of every clue, and its number of clauses.")
    yield Table(_sizes(puzzle), "Clauses by size of region: C(n,k+1) + C(n,n−k+1) for each clue.")
    yield from _one_clue(grid, puzzle)
    yield from _all_clauses(example, puzzle)


def _variables(grid: Grid, puzzle: Puzzle) -> TextTable:
    cells = puzzle.hidden.tolist()
    shown = enumerate(cells[:SHOWN_ROWS], 1)
    rows = [(str(grid.cell(index)), str(number), str(index + 1)) for number, index in shown]
    rows += [(f"and {len(cells) - SHOWN_ROWS} more", "", "")] if len(cells) > SHOWN_ROWS else []
    return TextTable(("cell", "unknown cells 1..n", "r·C + c + 1"), tuple(rows))


def _regions(grid: Grid, puzzle: Puzzle) -> TextTable:
    count = puzzle.clues.size
    rows: list[tuple[str, ...]] = []
    for region in range(min(count, SHOWN_ROWS)):
        clue = grid.cell(int(puzzle.clues[region]))
        n, k = int(puzzle.sizes[region]), int(puzzle.traps[region])
        known = sum(grid[cell] == TRAP for cell in grid.around(clue))
        cells = " ".join(_region_cells(grid, puzzle, region))
        clauses = (comb(n, k + 1), comb(n, n - k + 1), region_clauses(n, k))
        rows.append((str(clue), *map(str, (grid[clue], known, n, k, cells, *clauses))))
    if count > SHOWN_ROWS:
        rows.append((f"and {count - SHOWN_ROWS} more", *([""] * 8)))
    total = sum(region_clauses(int(n), int(k)) for n, k in zip(puzzle.sizes, puzzle.traps, strict=True))
    rows.append(("total", *([""] * 7), str(total)))
    headings = ("clue", "N", "t", "n", "k", "region", "U: C(n,k+1)", "L: C(n,n−k+1)", "clauses")
    return TextTable(headings, tuple(rows))


def _sizes(puzzle: Puzzle) -> TextTable:
    """A row for each size of region: the number of clues with it, and of their clauses."""
    times = Counter(zip(puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True))
    rows = tuple(
        (str(n), str(k), str(clues), str(region_clauses(n, k)), str(clues * region_clauses(n, k)))
        for (n, k), clues in sorted(times.items())
    )
    return TextTable(("n", "k", "clues", "clauses for each", "total"), rows)


def region_clauses(n: int, k: int) -> int:
    """The number of clauses that say that exactly k of n cells are traps."""
    return comb(n, k + 1) + comb(n, n - k + 1)


def _region_cells(grid: Grid, puzzle: Puzzle, region: int) -> list[str]:
    return [str(grid.cell(int(puzzle.hidden[cell]))) for cell in puzzle.region(region)]


def _open_regions(puzzle: Puzzle) -> list[int]:
    """The regions that have both traps and gems."""
    regions: list[int] = np.flatnonzero((puzzle.traps > 0) & (puzzle.traps < puzzle.sizes)).tolist()
    return regions


def _one_clue(grid: Grid, puzzle: Puzzle) -> Iterator[Block]:
    """The clauses of the clue that has the fewest of those that leave a choice."""
    sizes = {
        region: (int(puzzle.sizes[region]), int(puzzle.traps[region])) for region in _open_regions(puzzle)
    }
    if not sizes:
        return
    region, (n, k) = min(sizes.items(), key=lambda item: region_clauses(*item[1]))
    clue = grid.cell(int(puzzle.clues[region]))
    yield Paragraph(
        f"For example, the clue {grid[clue]} at {clue} has a region with n = {n} and k = {k}. Of any {k + 1} "
        f"of its cells, at least one is a gem ({counted(comb(n, k + 1), 'clause')}), and of any {n - k + 1}, "
        f"at least one is a trap ({counted(comb(n, n - k + 1), 'clause')})."
    )
    cells = _region_cells(grid, puzzle, region)
    lines = [
        f"{name}  {' or '.join(f'{cell}={sign}' for cell in chosen)}"
        for name, size, sign in (("U", k + 1, "G"), ("L", n - k + 1, "T"))
        for chosen in combinations(cells, size)
    ]
    yield Listing(_shortened(lines), f"The clauses of the clue at {clue}, written with cells.")


def _all_clauses(example: Example, puzzle: Puzzle) -> Iterator[Block]:
    grid = example.grid
    kept, formula = encode(grid, keep_duplicates=True), encode(grid)
    everything = encode(grid, variables="all", keep_duplicates=True)
    shown, repeated = everything.size - kept.size, kept.size - formula.size
    duplicates = "None of them is a duplicate."
    if repeated:
        duplicates = f"{repeated:,} of them {'is a duplicate' if repeated == 1 else 'are duplicates'}."
    untouched = int(np.count_nonzero(untouched_cells(puzzle)))
    left = "Every unknown cell is next to a clue."
    if untouched:
        are = "cell is not next to any clue and can be a trap or a gem; the solutions here have a gem there."
        if untouched > 1:
            are = (
                "cells are not next to any clue and can be traps or gems; the solutions here have gems there."
            )
        left = f"{untouched} unknown {are}"
    yield Paragraph(
        f"All clues together give {kept.size:,} clauses. {duplicates} A formula with a variable for every "
        f"cell also has a unit clause for each of the {counted(shown, 'shown cell')}, so that it has "
        f"{everything.size:,} clauses including duplicates. {left}"
    )
    lines = []
    for number, clause in enumerate(formula.clauses(), 1):
        in_cells = " or ".join(f"{formula.cell(abs(each))}={'T' if each > 0 else 'G'}" for each in clause)
        # In this numbering, all cells have a number.
        renumbered = [(1 if each > 0 else -1) * (int(puzzle.hidden[abs(each) - 1]) + 1) for each in clause]
        lines.append(f"{number:4}  {in_cells}   {clause}   {renumbered}")
    yield Listing(
        _shortened(lines),
        "The clauses without duplicates: as cells, as numbers from 1 to n, and as numbers r·C + c + 1.",
        (f"gemhunter cnf {example.file}", f"gemhunter cnf {example.file} --variables all"),
    )


def _shortened(lines: list[str]) -> tuple[str, ...]:
    more = [f"… and {len(lines) - SHOWN_ROWS:,} more"] if len(lines) > SHOWN_ROWS else []
    return (*lines[:SHOWN_ROWS], *more)


# The section about the boards: each board, its solutions, the result map of each engine, and times.


def boards_section(findings: Findings) -> Section:
    """Every board of every part."""
    blocks: list[Block] = [
        Paragraph(
            "Each time covers encoding, solving and checking, measured in a separate process for each "
            "engine. Importing and compiling take place before the clock starts. A time is the median over "
            "all runs; a run without an answer counts as longer than any other. Every solution was checked "
            "against its board. Engines that are named above the same map found the same solution."
        )
    ]
    for index, part in enumerate(findings.plan.parts):
        summary = findings.summary(index)
        blocks.append(Subheading(part.title))
        for place in range(len(part.heading.boards)):
            blocks += _board(findings, index, place, summary)
    return Section("boards", SECTION_TITLES["boards"], tuple(blocks))


def _board(findings: Findings, part: int, place: int, summary: Summary) -> Iterator[Block]:
    each = findings.plan.parts[part]
    facts = each.heading.boards[place]
    yield Subheading(f"{facts.name} ({facts.rows}×{facts.cols})", 2)
    total = "" if facts.total is None else f", {counted(facts.total, 'trap')} in all"
    note = f" The board is {facts.note}." if facts.note else ""
    size = f"{counted(facts.clues, 'clue')}, {counted(facts.unknown, 'unknown cell')}{total}.{note}"
    yield Paragraph(f"{size} {answer_text(findings, part, facts.name)}")
    grid = each.board(facts.name).grid
    if has_map(grid):
        # Each map with the engines that found it.
        engines: dict[str, list[str]] = {}
        for engine in each.heading.engines:
            if text := findings.maps.get((part, facts.name, engine), ""):
                engines.setdefault(text, []).append(f"`{engine}`")
        maps = ((", ".join(names), filled(grid, text)) for text, names in engines.items())
        yield Boards((("the board", grid), *maps))
    else:
        yield Paragraph("The board is too large for a picture on a page.")
    yield Table(_engines_table(summary, facts.name), f"Engines on {facts.name}.", each.commands)
    yield Chart(
        f"board-{part}-{place}",
        partial(board_chart, summary, facts.name),
        f"Median seconds on {facts.name}; the vertical lines go from the shortest run to the longest.",
        f"chart of the median seconds of each engine on {facts.name}",
        each.commands,
    )


def answer_text(findings: Findings, part: int, board: str) -> str:
    """The number of solutions of a board, or why it is unknown."""
    answer = findings.answers.get((part, board))
    if answer is None:
        return "Its solutions have not been counted."
    if answer.solutions is not None:
        digits = answer.solutions
        number = f"{int(digits):,}" if len(digits) <= 20 else f"about 10^{len(digits) - 1}"
        known = {"0": "It has no solution.", "1": "Its solution is unique."}
        return known.get(digits, f"It has {number} solutions.")
    unique = {True: " Its solution is unique.", False: " It does not have exactly one solution.", None: ""}
    return f"Its solutions were not counted: {answer.reason}.{unique[answer.unique]}"


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
        known = [entry.stages.get(stage) for stage in ("encode", "solve")]
        stages = ["" if seconds is None else seconds_text(seconds) for seconds in known]
        median = "" if entry.median is None else seconds_text(entry.median)
        rows.append((engine, answer, median, ends, *stages, str(entry.runs)))
    headings = ("engine", "answer", "median", "shortest to longest", "encoding", "solving", "runs")
    return TextTable(headings, tuple(rows))
