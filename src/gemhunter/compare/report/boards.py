"""The sections about the puzzle and its boards: from a small board to clauses, then every board."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import Puzzle, read_puzzle, untouched_cells
from gemhunter.cnf.encode import encode
from gemhunter.cnf.formula import Cnf
from gemhunter.compare.charts import ChartLook, board_chart
from gemhunter.compare.ledger import BoardFacts
from gemhunter.compare.report.document import (
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
from gemhunter.compare.report.findings import Findings
from gemhunter.compare.report.references import Example, examples, puzzle_citation, total_text
from gemhunter.compare.suites import Verdict, has_map
from gemhunter.compare.summary import Summary
from gemhunter.draw.text_maps import seconds_text
from gemhunter.files.tables import TextTable
from gemhunter.printable import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The section about the puzzle: from one small board to its clauses, step by step.


MOST_ROWS = 40
"""Rows of a table and lines of a listing; what is beyond is counted."""

PUZZLE_RULES = (
    "A cell shows a clue, a known trap `T`, a known gem `G`, or is unknown. A clue says how many of its up "
    "to eight neighbours are traps. The question is whether the unknown cells can be filled with traps and "
    "gems so that every clue holds. Each unknown cell becomes a variable that is true if the cell is a "
    "trap, and the clues become clauses, so that the models of the formula are the solutions of the board."
)

HARDNESS_TEXT = (
    "Whether a board has a solution is an NP-complete question{cited}: every algorithm that is known needs "
    "exponential time on some boards, although many boards are easy."
)

REGIONS_TEXT = (
    "A clue N with t known traps around it leaves k = N − t traps for its n unknown neighbours, its "
    "region. U(k,n) says that at most k of them are traps: of any k + 1 at least one is a gem, which makes "
    "C(n,k+1) clauses. L(k,n) says that at least k of them are: of any n − k + 1 at least one is a trap, "
    "which makes C(n,n−k+1) clauses. The clue holds exactly if U(k,n) ∧ L(k,n) does. With k = 0 or k = n "
    "only single cells are left: all gems, or all traps."
)


def encoding_section(findings: Findings) -> Section | None:
    """The derivation on the smallest board whose clues leave a choice, or else on the smallest."""
    boards = examples(findings)
    if not boards:
        return None
    example = next((each for each in boards if _open_regions(read_puzzle(each.grid)).size), boards[0])
    return Section("puzzle", SECTION_TITLES["puzzle"], tuple(_blocks(findings, example)))


def _blocks(findings: Findings, example: Example) -> Iterator[Block]:
    grid, puzzle = example.grid, read_puzzle(example.grid)
    yield Paragraph(PUZZLE_RULES)
    yield Paragraph(HARDNESS_TEXT.format(cited=puzzle_citation(findings)))
    yield Boards(((f"`{example.name}`, the example of this section{total_text(example)}", grid),))
    yield Paragraph(
        f"Commands below call the file of this board `{example.file}`. Two numberings of variables are "
        "common. One gives the unknown cells the numbers 1 to n in reading order. The other gives every "
        "cell of a board with C columns the number r·C + c + 1, rows and columns counted from 0."
    )
    yield Table(
        _variables(grid, puzzle), "The variables in both numberings.", (f"gemhunter cnf {example.file}",)
    )
    yield Paragraph(REGIONS_TEXT)
    yield Table(_regions(grid, puzzle), "The region of every clue, and how many clauses it makes.")
    yield Table(_sizes(puzzle), "Clauses by size of region: C(n,k+1) + C(n,n−k+1) for each clue.")
    yield from _one_clue(grid, puzzle)
    yield from _all_clauses(example, puzzle)


def _variables(grid: Grid, puzzle: Puzzle) -> TextTable:
    cells = puzzle.hidden.tolist()
    rows = [
        (str(grid.cell(index)), str(number), str(index + 1))
        for number, index in enumerate(cells[:MOST_ROWS], 1)
    ]
    rows += [(f"and {len(cells) - MOST_ROWS} more", "", "")] if len(cells) > MOST_ROWS else []
    return TextTable(("cell", "unknown cells 1..n", "r·C + c + 1"), tuple(rows))


def _regions(grid: Grid, puzzle: Puzzle) -> TextTable:
    count = puzzle.clues.size
    rows = [_region_row(grid, puzzle, region) for region in range(min(count, MOST_ROWS))]
    if count > MOST_ROWS:
        rows.append((f"and {count - MOST_ROWS} more", *([""] * 8)))
    total = sum(region_clauses(int(n), int(k)) for n, k in zip(puzzle.sizes, puzzle.traps, strict=True))
    rows.append(("together", *([""] * 7), str(total)))
    headings = ("clue", "N", "t", "n", "k", "region", "U: C(n,k+1)", "L: C(n,n−k+1)", "clauses")
    return TextTable(headings, tuple(rows))


def _region_row(grid: Grid, puzzle: Puzzle, region: int) -> tuple[str, ...]:
    clue = grid.cell(int(puzzle.clues[region]))
    n, k = int(puzzle.sizes[region]), int(puzzle.traps[region])
    known = sum(grid[cell] == TRAP for cell in grid.around(clue))
    cells = " ".join(_region_cells(grid, puzzle, region))
    upper, lower = comb(n, k + 1), comb(n, n - k + 1)
    numbers = (str(grid[clue]), str(known), str(n), str(k), cells, str(upper), str(lower))
    return (str(clue), *numbers, str(region_clauses(n, k)))


def _sizes(puzzle: Puzzle) -> TextTable:
    """A row for each size of region: how many clues have it, and how many clauses that makes."""
    times = Counter(zip(puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True))
    rows = tuple(
        (str(n), str(k), str(clues), str(region_clauses(n, k)), str(clues * region_clauses(n, k)))
        for (n, k), clues in sorted(times.items())
    )
    return TextTable(("n", "k", "clues", "clauses for each", "together"), rows)


def region_clauses(n: int, k: int) -> int:
    """How many clauses say that exactly k of n cells are traps."""
    return comb(n, k + 1) + comb(n, n - k + 1)


def _region_cells(grid: Grid, puzzle: Puzzle, region: int) -> list[str]:
    return [str(grid.cell(int(puzzle.hidden[cell]))) for cell in puzzle.region(region)]


def _open_regions(puzzle: Puzzle) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The regions that have both traps and gems."""
    return np.flatnonzero((puzzle.traps > 0) & (puzzle.traps < puzzle.sizes))


def _one_clue(grid: Grid, puzzle: Puzzle) -> Iterator[Block]:
    """The clauses of the clue that makes fewest of those that leave a choice."""
    candidates = _open_regions(puzzle).tolist()
    if not candidates:
        return
    sizes = {each: region_clauses(int(puzzle.sizes[each]), int(puzzle.traps[each])) for each in candidates}
    region = min(sizes, key=lambda each: sizes[each])
    n, k = int(puzzle.sizes[region]), int(puzzle.traps[region])
    clue = grid.cell(int(puzzle.clues[region]))
    yield Paragraph(
        f"Take the clue {grid[clue]} on {clue}. Its region has n = {n} and k = {k}. Of any "
        f"{k + 1} of these at least one is a gem (clauses: {comb(n, k + 1)}), and of any {n - k + 1} at "
        f"least one is a trap (clauses: {comb(n, n - k + 1)})."
    )
    cells = _region_cells(grid, puzzle, region)
    lines = [*_combinations("U", cells, k + 1, "G"), *_combinations("L", cells, n - k + 1, "T")]
    yield Listing(_shortened(lines), f"The clauses of the clue on {clue}, in cells.")


def _combinations(name: str, cells: list[str], size: int, sign: str) -> list[str]:
    return [
        f"{name}  {' or '.join(f'{cell}={sign}' for cell in chosen)}" for chosen in combinations(cells, size)
    ]


def _all_clauses(example: Example, puzzle: Puzzle) -> Iterator[Block]:
    grid = example.grid
    kept, formula = encode(grid, keep_duplicates=True), encode(grid)
    everything = encode(grid, variables="all", keep_duplicates=True)
    untouched = int(np.count_nonzero(untouched_cells(puzzle)))
    shown = everything.size - kept.size
    yield Paragraph(
        f"All clues together make {kept.size:,} clauses. {_duplicates_text(kept.size - formula.size)} With "
        f"a variable for every cell there is a unit clause for each of the {shown} cells that are shown, "
        f"{everything.size:,} clauses before duplicates are removed. {_untouched_text(untouched)}"
    )
    lines = [
        f"{number:4}  {_in_cells(formula, clause)}   {clause}   {_renumbered(puzzle, clause)}"
        for number, clause in enumerate(formula.clauses(), 1)
    ]
    yield Listing(
        _shortened(lines),
        "The clauses without duplicates: in cells, in the numbers of unknown cells, and as r·C + c + 1.",
        (f"gemhunter cnf {example.file}", f"gemhunter cnf {example.file} --variables all"),
    )


def _duplicates_text(repeated: int) -> str:
    if not repeated:
        return "None of them is a repetition of another."
    return f"Without repeated clauses, {repeated:,} fewer are left."


def _untouched_text(untouched: int) -> str:
    if not untouched:
        return "Every unknown cell is next to a clue."
    return (
        f"{untouched} unknown {'cell is' if untouched == 1 else 'cells are'} next to no clue and can be "
        "either; solutions here have gems there."
    )


def _in_cells(formula: Cnf, clause: list[int]) -> str:
    return " or ".join(f"{formula.cell(abs(each))}={'T' if each > 0 else 'G'}" for each in clause)


def _renumbered(puzzle: Puzzle, clause: list[int]) -> list[int]:
    """A clause over unknown cells with the number of each among all cells."""
    return [(1 if each > 0 else -1) * (int(puzzle.hidden[abs(each) - 1]) + 1) for each in clause]


def _shortened(lines: list[str]) -> tuple[str, ...]:
    more = [f"… and {len(lines) - MOST_ROWS:,} more"] if len(lines) > MOST_ROWS else []
    return (*lines[:MOST_ROWS], *more)


# The section about each board: the board, its solutions, the result map of each engine, and times.


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
