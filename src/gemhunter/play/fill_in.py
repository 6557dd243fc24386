"""A board that a person fills in: the marks so far, whether they can be right, hints, and files."""

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, assert_never

import numpy as np

from gemhunter.board.array_values import ReadOnlyArrays
from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, cells_where, count_around
from gemhunter.errors import InputError
from gemhunter.explanation.hint import HintLadder, NothingToDeduce, hint
from gemhunter.files.access import write_atomically
from gemhunter.files.boards import GameFile
from gemhunter.files.dialects import read_cell
from gemhunter.files.json_boards import MARKS_KEY, grid_rows
from gemhunter.jit.kernel import Codes
from gemhunter.play.game_names import is_game_id, look_up
from gemhunter.questions.forced import Forced, forced
from gemhunter.solving import conflict_sentences as sentences
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Run
from gemhunter.wording import counted


@dataclass(frozen=True, slots=True, eq=False)
class FillIn(ReadOnlyArrays):
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
        return cells_where(self.marks != HIDDEN)

    @property
    def left(self) -> int:
        """How many cells are not marked yet."""
        return int(np.count_nonzero(self.filled.cells == HIDDEN))

    @property
    def traps(self) -> int:
        """How many traps there are so far, given or marked."""
        return int(np.count_nonzero(self.filled.cells == TRAP))

    @property
    def is_right(self) -> bool:
        """Whether every cell is filled and every clue holds, and the total if there is one."""
        return self.left == 0 and not check(self.grid, self.filled, self.total)

    def put(self, cell: Cell, mark: int) -> "FillIn":
        """The board with a mark on a hidden cell; `self` if that changes nothing."""
        if self.grid[cell] != HIDDEN or self.marks[cell] == mark:
            return self
        marks = self.marks.copy()
        marks[cell] = mark
        return replace(self, marks=marks)


@dataclass(frozen=True, slots=True)
class ConflictsWithMarks:
    """Clues that can no longer hold, the marks next to them, and whether the total cannot be met."""

    clues: tuple[Cell, ...]
    marks: tuple[Cell, ...]
    total: bool


@dataclass(frozen=True, slots=True)
class WrongMarks:
    """Every clue can still hold, but every solution has the opposite of the mark on each of these cells."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """No solution of the board has all these marks, or the board has no solution at all."""

    is_unsolvable: bool


@dataclass(frozen=True, slots=True)
class Consistent:
    """Some solution of the board has all these marks."""

    marks: int
    left: int


@dataclass(frozen=True, slots=True)
class NotFound:
    """It is not known whether the marks can be right, and why."""

    reason: str


CheckedMarks: TypeAlias = ConflictsWithMarks | WrongMarks | DeadEnd | Consistent | NotFound


def new_fill_in(grid: Grid, total: int | None = None) -> FillIn:
    """A board without marks."""
    return FillIn(grid, np.full(grid.cells.shape, HIDDEN, np.int8), total)


def check_marks(run: Run, board: FillIn) -> CheckedMarks:
    """Whether the marks so far can all be right, or else which cannot."""
    if (conflicts := conflicts_of(board)).clues or conflicts.total:
        return conflicts
    second = run.within()
    known = forced(board.grid, total=board.total, run=run)
    if isinstance(known, Refuted):
        return DeadEnd(is_unsolvable=True)
    sure = (known.filled if isinstance(known, Forced) else known.fill(board.grid)).cells
    opposite = {TRAP: GEM, GEM: TRAP}
    if wrong := [cell for cell in board.marked if sure[cell] == opposite[int(board.marks[cell])]]:
        return WrongMarks(tuple(wrong))
    match forced(board.filled, total=board.total, run=second):
        case Refuted():
            return DeadEnd(is_unsolvable=False)
        case GaveUp() as gave_up:
            return NotFound(gave_up.reason)
        case _:
            return Consistent(len(board.marked), board.left)


def conflicts_of(board: FillIn) -> ConflictsWithMarks:
    """The clues that no further mark can satisfy, the marks next to them, and whether the total conflicts."""
    codes, clues = board.filled.cells, board.grid.cells
    traps, hidden = count_around(codes == TRAP), count_around(codes == HIDDEN)
    impossible = cells_where((clues >= 0) & ((traps > clues) | (traps + hidden < clues)))
    near = {cell for clue in impossible for cell in board.grid.around(clue) if board.marks[cell] != HIDDEN}
    breaks_total = board.total is not None and not board.traps <= board.total <= board.traps + board.left
    return ConflictsWithMarks(tuple(impossible), tuple(sorted(near)), breaks_total)


FillInHint: TypeAlias = HintLadder | NothingToDeduce | DeadEnd


def fill_in_hint(run: Run, board: FillIn, near: Cell) -> FillInHint:
    """The next deduction from the clues and the marks; `DeadEnd` if the marks cannot all be right."""
    second = run.within()
    match check_marks(run, board):
        case ConflictsWithMarks() | WrongMarks():
            return DeadEnd(is_unsolvable=False)
        case DeadEnd() as dead_end:
            return dead_end
        case _:
            return hint(board.filled, total=board.total, near=near, run=second)


# Boards to fill in, as files: any board with hidden cells, and the marks on it so far.


def open_fill_in(name: str | os.PathLike[str]) -> FillIn | None:
    """The board in a file, if it can be filled in; None if the name stands for a game with a known truth.

    The flags of a position and the marks of a saved board can be changed; the rest is given.
    """
    if is_game_id(name):
        return None
    file = look_up(name)
    if file.replay is not None or file.first is not None or file.truth is not None:
        return None
    codes, given = file.position.grid.cells, file.position.grid.cells.copy()
    saved = _saved_marks(file)
    if saved is None:
        try:
            if file.position.truth() is not None:
                return None
        except InputError:  # the game reports what is wrong with the truth
            return None
        marks = [(cell, TRAP) for cell in cells_where(file.position.flags)]
    else:
        marks = [(cell, int(codes[cell])) for cell in saved]
        for cell in saved:
            given[cell] = HIDDEN
    board = new_fill_in(Grid(given), file.position.total)
    for cell, mark in marks:
        board = board.put(cell, mark)
    return board


def save_fill_in(path: Path, board: FillIn) -> None:
    """Write a board with its marks, so that it can be opened again, or graded by `check`."""
    record: dict[str, Any] = {"grid": grid_rows(board.filled)}
    if board.total is not None:
        record["traps"] = board.total
    record[MARKS_KEY] = [str(cell) for cell in board.marked]
    write_atomically(path, json.dumps(record, indent=2) + "\n")


def _saved_marks(file: GameFile) -> list[Cell] | None:
    """The cells with marks, if the file is a saved board."""
    names = file.marks
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f'{file.source}: "{MARKS_KEY}" is a list of cells, such as ["r3c1"]')
    cells, grid = [read_cell(name) for name in names], file.position.grid
    for cell in cells:
        if cell.row >= grid.rows or cell.col >= grid.cols or grid[cell] not in (TRAP, GEM):
            raise InputError(f"{file.source}: {cell} is not a mark; expected a cell that shows T or G")
    return cells


BOARD_WITHOUT_SOLUTION = "this board has no solution, whatever you mark"


def checked_words(checked: CheckedMarks) -> str:
    """Whether the marks can be right, in words."""
    match checked:
        case ConflictsWithMarks(clues, marks, total):
            return sentences.conflicting_marks(clues, marks, with_total=total)
        case WrongMarks(cells):
            return sentences.wrong_marks(cells)
        case DeadEnd(is_unsolvable=True):
            return BOARD_WITHOUT_SOLUTION
        case DeadEnd():
            return sentences.NO_SOLUTION_WITH_MARKS
        case Consistent(marks, left):
            so_far = (
                f"{counted(marks, 'mark')} so far, all consistent with the clues" if marks else "no marks yet"
            )
            return f"{so_far}; {counted(left, 'cell')} left"
        case NotFound(reason):
            return f"every clue can still hold; whether the marks can be right is not known: {reason}"
        case _:
            assert_never(checked)
