"""What can be said of a board that is being filled in, as plain data."""

from typing import Any, assert_never

from gemhunter.play.fill_in import (
    CheckedMarks,
    ConflictsWithMarks,
    FillIn,
    Fitting,
    NotFound,
    NoWayOn,
    WrongMarks,
)


def checked_record(board: FillIn, found: CheckedMarks) -> dict[str, Any]:
    """Whether the marks are right so far: a verdict, and the clues and marks that it is about."""
    clues, marks, total, reason = list[str](), list[str](), False, None
    verdict: str
    match found:
        case _ if board.is_right:
            verdict = "right"
        case ConflictsWithMarks():
            verdict, total = "conflict", found.total
            clues, marks = [str(cell) for cell in found.clues], [str(cell) for cell in found.marks]
        case WrongMarks(cells):
            verdict, marks = "wrong", [str(cell) for cell in cells]
        case NoWayOn(is_unsolvable):
            verdict = "unsolvable" if is_unsolvable else "no-way-on"
        case Fitting():
            verdict = "fits"
        case NotFound(why):
            verdict, reason = "not-known", why
        case _:
            assert_never(found)
    return {
        "verdict": verdict,
        "clues": clues,
        "marks": marks,
        "total": total,
        "left": board.left,
        "reason": reason,
    }
