"""What the screen says to a person who fills in a board."""

from collections.abc import Sequence
from typing import assert_never

from gemhunter.core.grid import Cell
from gemhunter.core.plurals import counted
from gemhunter.play.fill_in import (
    BrokenClues,
    CheckedMarks,
    FillIn,
    FillInHint,
    Fitting,
    ForcedCell,
    NotFound,
    NothingForced,
    NoWayOn,
    WrongMarks,
)
from gemhunter.terminal.words import CELLS_NAMED, listed

FILL_IN_WELCOME = "t marks a trap, g a gem, ? gives a hint, c checks, F1 lists all keys"
FILL_IN_NEXT = "u takes back the last mark, r begins again, s saves"


def checked_words(found: CheckedMarks) -> str:
    """Whether the marks can be right."""
    match found:
        case BrokenClues(clues, marks, total):
            by = f": look at {_some(marks)}" if marks else ""
            broken = f"{_some(clues)} cannot hold any more{by}" if clues else ""
            return "; ".join([broken] * bool(clues) + ["the number of traps cannot be met"] * total)
        case WrongMarks(cells):
            return f"no clue is broken yet, but {_some(cells)} must be the other: all solutions say so"
        case NoWayOn(is_unsolvable=True):
            return "this board has no solution, whatever you mark"
        case NoWayOn():
            return "no clue is broken yet, but no solution has all these marks"
        case Fitting(marks, left):
            return f"{counted(marks, 'mark')} so far, all of which can be right; {counted(left, 'cell')} left"
        case NotFound(reason):
            return f"no clue is broken; whether the marks can be right was not found out: {reason}"
        case _:
            assert_never(found)


def fill_in_hint_words(hint: FillInHint, board: FillIn) -> str:
    """Which cell is certain, and why."""
    match hint:
        case ForcedCell(cell, is_trap, clue, clues):
            return f"{cell} is a {'trap' if is_trap else 'gem'}: {_why(board, clue, clues, is_trap=is_trap)}"
        case NothingForced():
            return "no cell is certain: the board has several solutions, and any of them is right"
        case NoWayOn():
            return "no hint: the marks so far leave no solution; c shows what is wrong"
        case NotFound(reason):
            return f"no hint: {reason}"
        case _:
            assert_never(hint)


def _why(board: FillIn, clue: Cell | None, clues: Sequence[Cell], *, is_trap: bool) -> str:
    if clue is None:
        near = f"; look at {_some(clues)} first" if clues else ""
        return f"the clues together leave nothing else{near}"
    number = board.grid[clue]
    if is_trap:
        return f"{clue} says {number}, so it needs every cell that is left around it"
    return f"{clue} says {number}, so " + (
        "nothing around it is a trap" if number == 0 else "it has all its traps"
    )


def _some(cells: Sequence[Cell]) -> str:
    """The first cells by name, and how many more there are."""
    names = [str(cell) for cell in cells[:CELLS_NAMED]]
    left = len(cells) - CELLS_NAMED
    return listed([*names, f"{left} more"] if left > 0 else names)
