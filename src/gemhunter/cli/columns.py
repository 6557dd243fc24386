"""Columns of text made narrower by wrapping; no word of a cell is ever cut."""

import re
from collections.abc import Sequence

_PIECE = re.compile(
    r"\d[\d,.]* (?:[µu]?s|ms|%)(?!\w)\s*|"
    r"(?:[^\s/:,;=_-]|,(?=\d))*(?:[/:;=_-]+|,+(?!\d)|\s+|$)",
)
"""What a line can end with: a number with its unit, or a word with the blanks or signs after it."""


def pieces(text: str) -> list[str]:
    """A text cut wherever a line may end: after blanks and after signs such as `/`, `:` and `-`."""
    return [piece for piece in _PIECE.findall(text) if piece]


def wrap(text: str, width: int) -> list[str]:
    """The lines of a text that are at most so long, but for a longer piece, which has a line of its own."""
    lines = [""]
    for piece in pieces(text):
        if lines[-1] and len(f"{lines[-1]}{piece}".rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def fitting_widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """How wide each column is, if all of them together may be as wide as `room`.

    The widest columns are made narrower, all to the same width. None gets narrower than its longest piece, so
    the sum can exceed `room`.
    """
    columns = list(zip(*rows, strict=True))
    natural = [max(map(len, column)) for column in columns]
    least = [
        max(len(piece.rstrip()) for cell in column for piece in pieces(cell) or [""]) for column in columns
    ]

    def widths(cap: int) -> list[int]:
        return [max(few, min(many, cap)) for few, many in zip(least, natural, strict=True)]

    cap = max(natural, default=0)
    while cap > 0 and sum(widths(cap)) > room:
        cap -= 1
    return widths(cap)


def _longest_piece(text: str) -> int:
    return max((len(piece.rstrip()) for piece in pieces(text)), default=0)


def wrapped_rows(rows: Sequence[Sequence[str]], room: int) -> list[list[str]]:
    """Rows whose cells are wrapped such that all columns together are as wide as `room`, if they can be."""
    widths = fitting_widths(rows, room)
    return [["\n".join(wrap(cell, width)) for cell, width in zip(row, widths, strict=True)] for row in rows]


def widest_line(cells: Sequence[str]) -> int:
    """How long the longest line is among these cells."""
    return max(len(line) for cell in cells for line in cell.split("\n"))
