"""Boards for Hypothesis: a solution is planted, clues are derived from it, cells are hidden or given."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import oracles
from gemhunter.board.board import Board
from gemhunter.board.grid import Grid
from gemhunter.cnf.formula import Cnf

CODES = {**{str(clue): clue for clue in range(9)}, "_": -1, "T": -2, "G": -3}
LOOKS = ["hidden", "hidden", "clue", "clue", "clue", "given"]


@dataclass(frozen=True, slots=True)
class Planted:
    """A board, and the total that goes with it if there is one."""

    grid: Grid
    traps: int | None


def grid_of(marks: oracles.Marks) -> Grid:
    """The grid that shows these marks."""
    return Grid(np.array([[CODES[mark] for mark in row] for row in marks], np.int8))


def sizes(most: int) -> st.SearchStrategy[int]:
    return st.integers(1, most)


@st.composite
def any_grids(draw: st.DrawFn, rows: int = 5, cols: int = 5) -> Grid:
    """Grids of any cells at all, solvable or not."""
    height, width = draw(sizes(rows)), draw(sizes(cols))
    row = st.lists(st.sampled_from(sorted(CODES.values())), min_size=width, max_size=width)
    return Grid(np.array(draw(st.lists(row, min_size=height, max_size=height)), np.int8))


@st.composite
def planted_boards(draw: st.DrawFn, rows: int = 12, cols: int = 12, most_hidden: int = 144) -> Planted:
    """Solvable boards, with their total or without."""
    truth = _truth(draw, rows, cols)
    looks = draw(st.lists(st.sampled_from(LOOKS), min_size=_cells(truth), max_size=_cells(truth)))
    marks = _marks(truth, looks, most_hidden)
    traps = draw(st.sampled_from([None, sum(row.count("T") for row in truth)]))
    return Planted(grid_of(marks), traps)


@st.composite
def small_boards(draw: st.DrawFn, rows: int = 4, cols: int = 5, most_hidden: int = 10) -> Planted:
    """Boards small enough to try every assignment: some have a changed clue, some a total that is off."""
    planted = draw(planted_boards(rows=rows, cols=cols, most_hidden=most_hidden))
    marks = oracles.marks_of(planted.grid)
    clues = [(row, col) for row, col in oracles.places(marks) if marks[row][col].isdigit()]
    changed = draw(st.booleans())
    if clues and changed:
        row, col = draw(st.sampled_from(clues))
        marks[row][col] = str(draw(st.integers(0, 8)))
    traps = planted.traps
    if traps is not None:
        traps = max(traps + draw(st.sampled_from([0, 0, 1, -1])), 0)
    return Planted(grid_of(marks), traps)


@st.composite
def boards(draw: st.DrawFn, rows: int = 5, cols: int = 7) -> Board:
    """Where traps lie: any way at all, none and everywhere included."""
    height, width = draw(sizes(rows)), draw(sizes(cols))
    row = st.lists(st.booleans(), min_size=width, max_size=width)
    return Board(np.array(draw(st.lists(row, min_size=height, max_size=height))))


def _truth(draw: Any, rows: int, cols: int) -> oracles.Marks:
    height, width = draw(sizes(rows)), draw(sizes(cols))
    row = st.lists(st.sampled_from("TGGG"), min_size=width, max_size=width)
    truth: oracles.Marks = draw(st.lists(row, min_size=height, max_size=height))
    return truth


def _cells(marks: oracles.Marks) -> int:
    return len(marks) * len(marks[0])


def _marks(truth: oracles.Marks, looks: list[str], most_hidden: int) -> oracles.Marks:
    """What a player sees of `truth`; a trap never shows a clue, and cells past `most_hidden` are given."""
    marks = [list(row) for row in truth]
    hidden = 0
    for (row, col), look in zip(oracles.places(truth), looks, strict=True):
        if look == "clue" and truth[row][col] == "G":
            marks[row][col] = str(oracles.traps_around(truth, (row, col)))
        elif look != "given" and hidden < most_hidden:
            marks[row][col] = "_"
            hidden += 1
    return marks


def formula(clauses: list[list[int]], variables: int) -> Cnf:
    """Clauses as a formula."""
    literals = np.array([literal for clause in clauses for literal in clause], np.int32)
    starts = np.cumsum([0, *map(len, clauses)])
    return Cnf(literals, starts, np.arange(variables), variables)


@st.composite
def formulas(draw: st.DrawFn) -> Cnf:
    """Clauses of all kinds, empty ones, repeated literals and a variable with its opposite included."""
    variables = draw(st.integers(1, 8))
    literal = st.integers(1, variables).flatmap(lambda v: st.sampled_from([v, -v]))
    sizes = st.sampled_from([0, 1, *[2, 3] * 10, 4, 5])
    clause = sizes.flatmap(lambda size: st.lists(literal, min_size=size, max_size=size))
    return formula(draw(st.lists(clause, min_size=1, max_size=30)), variables)
