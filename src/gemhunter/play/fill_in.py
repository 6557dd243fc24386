"""A board that a person fills in: the marks so far, whether they fit, what comes next, and its files."""

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, count_around
from gemhunter.errors import InputError
from gemhunter.explanation.hint import HintLadder, NothingToDeduce, hint
from gemhunter.files.access import write_atomically
from gemhunter.files.boards import GameFile
from gemhunter.files.dialects import read_cell
from gemhunter.files.json_boards import MARKS_KEY, grid_rows
from gemhunter.jit.arrays import Codes
from gemhunter.play.game_names import is_game_id, look_up
from gemhunter.questions.answers import Forced
from gemhunter.questions.forced import forced
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Run

# A board that a person fills in: traps and gems marked so far, whether they fit, and what comes next.


@dataclass(frozen=True, slots=True, eq=False)
class FillIn:
    """A board and the marks on its hidden cells: `TRAP` or `GEM`, and `HIDDEN` where there is none.

    `total` is the number of traps on the whole board, if it is known.
    """

    grid: Grid
    marks: Codes
    total: int | None = None

    @property
    def filled(self) -> Grid:
        """The board with the marks in their places."""
        return Grid(np.where(self.marks == HIDDEN, self.grid.cells, self.marks))

    @property
    def marked(self) -> list[Cell]:
        """The cells with marks, in reading order."""
        return [Cell(row, col) for row, col in np.argwhere(self.marks != HIDDEN).tolist()]

    @property
    def left(self) -> int:
        """How many cells have still to be marked."""
        return int(np.count_nonzero(self.filled.cells == HIDDEN))

    @property
    def traps(self) -> int:
        """How many traps there are so far, given and marked ones."""
        return int(np.count_nonzero(self.filled.cells == TRAP))

    @property
    def is_right(self) -> bool:
        """Whether every cell is filled and every clue holds, and the total if there is one."""
        return self.left == 0 and not check(self.grid, self.filled, self.total)

    def put(self, cell: Cell, mark: int) -> "FillIn":
        """With a mark on a hidden cell; the same board if nothing changes."""
        if self.grid[cell] != HIDDEN or self.marks[cell] == mark:
            return self
        marks = self.marks.copy()
        marks[cell] = mark
        marks.setflags(write=False)
        return replace(self, marks=marks)

    def conflicting_clues(self) -> list[Cell]:
        """The clues that no further mark can make hold: too many traps around them, or too few cells left."""
        codes, clues = self.filled.cells, self.grid.cells
        traps, hidden = count_around(codes == TRAP), count_around(codes == HIDDEN)
        impossible = (clues >= 0) & ((traps > clues) | (traps + hidden < clues))
        return [Cell(row, col) for row, col in np.argwhere(impossible).tolist()]

    @property
    def conflicts_with_total(self) -> bool:
        """Whether there are more traps than the total, or too few cells left for the others."""
        return self.total is not None and not self.traps <= self.total <= self.traps + self.left


@dataclass(frozen=True, slots=True)
class ConflictsWithMarks:
    """Clues that cannot hold any more, the marks next to them, and whether the total cannot be met."""

    clues: tuple[Cell, ...]
    marks: tuple[Cell, ...]
    total: bool


@dataclass(frozen=True, slots=True)
class WrongMarks:
    """Every clue can still hold, but every solution has the opposite of the mark on each of these cells."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class NoWayOn:
    """No solution of the board has all these marks, or the board has no solution at all."""

    is_unsolvable: bool


@dataclass(frozen=True, slots=True)
class Fitting:
    """Some solution of the board has all these marks."""

    marks: int
    left: int


@dataclass(frozen=True, slots=True)
class NotFound:
    """The answer was not found, and why."""

    reason: str


CheckedMarks: TypeAlias = ConflictsWithMarks | WrongMarks | NoWayOn | Fitting | NotFound


def new_fill_in(grid: Grid, total: int | None = None) -> FillIn:
    """A board without marks."""
    marks = np.full(grid.cells.shape, HIDDEN, np.int8)
    marks.setflags(write=False)
    return FillIn(grid, marks, total)


def check_marks(run: Run, board: FillIn) -> CheckedMarks:
    """Whether the marks so far can all be right, and else which cannot."""
    if (conflicts := conflicts_of(board)).clues or conflicts.total:
        return conflicts
    second = run.within()
    known = forced(board.grid, total=board.total, run=run)
    if isinstance(known, Refuted):
        return NoWayOn(is_unsolvable=True)
    sure = (known.filled if isinstance(known, Forced) else known.fill(board.grid)).cells
    opposite = {TRAP: GEM, GEM: TRAP}
    wrong = [cell for cell in board.marked if sure[cell] == opposite[int(board.marks[cell])]]
    if wrong:
        return WrongMarks(tuple(wrong))
    match forced(board.filled, total=board.total, run=second):
        case Refuted():
            return NoWayOn(is_unsolvable=False)
        case GaveUp() as gave_up:
            return NotFound(gave_up.reason)
        case _:
            return Fitting(len(board.marked), board.left)


def conflicts_of(board: FillIn) -> ConflictsWithMarks:
    """The clues that the marks conflict with, if any."""
    clues = board.conflicting_clues()
    near = {cell for clue in clues for cell in board.grid.around(clue) if board.marks[cell] != HIDDEN}
    return ConflictsWithMarks(tuple(clues), tuple(sorted(near)), board.conflicts_with_total)


FillInHint: TypeAlias = HintLadder | NothingToDeduce | NoWayOn


def fill_in_hint(run: Run, board: FillIn, near: Cell) -> FillInHint:
    """The next deduction from the clues and the marks; none where the marks cannot all be right."""
    second = run.within()
    match check_marks(run, board):
        case ConflictsWithMarks() | WrongMarks():
            return NoWayOn(is_unsolvable=False)
        case NoWayOn() as no_way_on:
            return no_way_on
        case _:
            return hint(board.filled, total=board.total, near=near, run=second)


# Boards to fill in, as files: any board that leaves something hidden, and what was marked on it so far.


def open_fill_in(name: str | os.PathLike[str]) -> FillIn | None:
    """The board in a file, if it is one to fill in; None if the name stands for a game with a known truth.

    Flags in a position, and the marks of a board that was saved, can be changed; what else it shows is given.
    """
    if is_game_id(name):
        return None
    file = look_up(name)
    if file.replay is not None or file.first is not None or file.truth is not None:
        return None
    saved = _saved_marks(file)
    if saved is None:
        return None if _has_truth(file) else _with_flags(file)
    given = file.position.grid.cells.copy()
    board = new_fill_in(_hide(file.position.grid, saved), file.position.total)
    for cell in saved:
        board = board.put(cell, int(given[cell]))
    return board


def save_fill_in(path: Path, board: FillIn) -> None:
    """Write a board as filled in so far, so that it can be opened again, and graded by `check`."""
    record: dict[str, Any] = {"grid": grid_rows(board.filled)}
    if board.total is not None:
        record["traps"] = board.total
    record[MARKS_KEY] = [str(cell) for cell in board.marked]
    write_atomically(path, json.dumps(record, indent=2) + "\n")


def _has_truth(file: GameFile) -> bool:
    """Whether the file says where the traps are; a wrong truth is for the game to complain about."""
    try:
        return file.position.truth() is not None
    except InputError:
        return True


def _with_flags(file: GameFile) -> FillIn:
    board = new_fill_in(file.position.grid, file.position.total)
    for row, col in np.argwhere(file.position.flags).tolist():
        board = board.put(Cell(row, col), TRAP)
    return board


def _saved_marks(file: GameFile) -> list[Cell] | None:
    """The cells that the player marked, if the file is a board that was saved."""
    names = file.marks
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise InputError(f'{file.source}: "{MARKS_KEY}" is a list of cells, such as ["r3c1"]')
    cells, grid = [read_cell(each) for each in names], file.position.grid
    for cell in cells:
        if cell.row >= grid.rows or cell.col >= grid.cols or grid[cell] not in (TRAP, GEM):
            raise InputError(f"{file.source}: {cell} is not a mark; expected a cell that shows T or G")
    return cells


def _hide(grid: Grid, cells: list[Cell]) -> Grid:
    """The grid with these cells hidden."""
    codes = grid.cells.copy()
    for cell in cells:
        codes[cell] = HIDDEN
    return Grid(codes)
