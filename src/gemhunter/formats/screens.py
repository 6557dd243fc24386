"""Boards copied from a screen: every cell takes the same space, and an opened 0 is left blank.

Blanks are opened cells only where the shape of the text leaves no doubt. One rule helps: a game opens all
neighbours of a 0, so a blank cell never touches a hidden one.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from gemhunter.core.grid import HIDDEN, Codes
from gemhunter.core.neighbours import count_around
from gemhunter.errors import BoardError, Fault
from gemhunter.formats.dialects import FLAGGED, HIDDEN_MARKS, Size, token_codes

BLANK = " "
PITCHES = (1, 2)
"""Columns of text that a cell can take."""

LARGEST_SCREEN = 100_000
"""Cells; larger boards are not copied from a screen."""

BLANK_CELL_GAP = BLANK * 3
"""What a blank cell looks like between two others if each takes two columns of text."""

HOW_TO_SAY = "write 0 for an opened cell, or the size in a line above the board, such as 9x9"
DOUBTFUL_BLANKS = f"a blank here can be an opened cell or space around other cells; {HOW_TO_SAY}"
DOUBTFUL_STAR = "`*` here can be a hidden cell or a trap; write `_` for a hidden cell, `T` for a trap"
_SCREEN_SIZE = re.compile(r"\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})\s*", re.ASCII)


def refuse_gaps(text: str, codes: Codes, *, first_line: int, source: str) -> None:
    """Refuse a board that can be read with blanks between cells as space, which gave `codes`, or as cells."""
    if codes.size > LARGEST_SCREEN or "," in text or ";" in text or BLANK_CELL_GAP not in text:
        return
    screen = read_screen(text, first_line=first_line, source=source)
    if screen is not None and not np.array_equal(screen, codes):
        raise BoardError([Fault(first_line, 0, DOUBTFUL_BLANKS)], source)


def read_screen(text: str, *, first_line: int = 1, source: str) -> Codes | None:
    """The cells of a text copied from a screen, or None if it is not one; a flag is `FLAGGED`.

    The size may stand above the board. A `BoardError` says how to write a board that can be read in two ways.
    """
    lines = text.split("\n")
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    stated = _SCREEN_SIZE.fullmatch(lines[first])
    body = lines[first + 1 :] if stated else lines
    signs = {sign.lower() for line in body for sign in line} - {BLANK}
    # A screen that shows opened cells as dots has no blanks for them.
    if not signs or not signs <= token_codes("clue").keys() or signs >= {".", "#"}:
        return None
    is_doubtful = "*" in signs and not signs & {*HIDDEN_MARKS}
    if is_doubtful:
        body = [line.replace("*", "_") for line in body]
    found = _sized(body, Size(int(stated[1]), int(stated[2]))) if stated else _unsized(body)
    if not found:
        return None
    if is_doubtful:
        raise BoardError([Fault(first_line + first, 0, DOUBTFUL_STAR)], source)
    if len(found) > 1 or (stated is None and _may_lack_cells(body, found[0])):
        raise BoardError([Fault(first_line + first, 0, DOUBTFUL_BLANKS)], source)
    return found[0]


def _sized(lines: list[str], size: Size) -> list[Codes]:
    """What the lines below the size can mean; rows that are missing at the end are blank."""
    rows = [*lines[: size.rows], *[""] * (size.rows - len(lines))]
    if any(line.strip() for line in lines[size.rows :]) or size.rows * size.cols > LARGEST_SCREEN:
        return []
    readings: list[Codes] = []
    for pitch in PITCHES:
        fits = max(len(row.rstrip()) for row in rows) <= pitch * size.cols
        readings += _read(rows, 0 if fits else _margin(rows), pitch, size.cols)
    return _possible(readings)


def _unsized(lines: list[str]) -> list[Codes]:
    """What the lines can mean: blanks before all of them can be cells, and so can blanks at their ends."""
    widest, lengths = max(len(line.rstrip()) for line in lines), {len(line) for line in lines if line.strip()}
    rows = _rows(lines, max(lengths))
    margin = _margin(rows)
    # Lines of one length were copied whole; blanks at their ends are cells if they can be.
    tries = [{max(lengths)}, {widest}] if len(lengths) == 1 else [{max(lengths), widest}]
    for widths in tries:
        readings: list[Codes] = []
        for pitch in PITCHES:
            for left in {margin % pitch, margin}:
                for width in widths:
                    readings += _read(rows, left, pitch, -(-(width - left) // pitch))
        if found := _possible(readings):
            return found
    return []


def _rows(lines: list[str], width: int) -> list[str]:
    """The lines from the first to the last one that has a sign, or is as wide as the board."""
    kept = [place for place, line in enumerate(lines) if line.strip() or len(line) == width]
    return lines[kept[0] : kept[-1] + 1]


def _margin(rows: Sequence[str]) -> int:
    """How many blanks every row begins with; rows of blanks do not count."""
    return min(len(row) - len(row.lstrip()) for row in rows if row.strip())


def _read(rows: Sequence[str], left: int, pitch: int, cols: int) -> Iterator[Codes]:
    """The cells if each takes `pitch` columns of text, from column `left` on; nothing if they do not.

    One cell at least is blank in the text: that rows end early does not make blanks cells. Blanks
    at the end of a row count only if all lines have one length.
    """
    code_of = {**token_codes("clue"), BLANK: 0}
    even = len({len(row) for row in rows}) == 1
    padded = [row.ljust(left + pitch * cols) for row in rows]
    between = [row[left + offset :: pitch] for row in padded for offset in range(1, pitch)]
    if any(row[:left].strip() for row in padded) or any(text.strip() for text in between):
        return
    cells = [row[left::pitch] for row in padded]
    has_blank = any(BLANK in (row if even else row.rstrip()) for row in cells)
    if has_blank and all(len(row.rstrip()) <= cols for row in cells):
        yield np.array([[code_of[sign.lower()] for sign in row[:cols]] for row in cells], np.int8)


def _possible(readings: Sequence[Codes]) -> list[Codes]:
    """The different readings in which cells are hidden and no 0 touches one; a wrong flag may touch a 0."""
    for hidden in ((HIDDEN, FLAGGED), (HIDDEN,)):
        found = {
            (codes.shape, codes.tobytes()): codes
            for codes in readings
            if (closed := np.isin(codes, hidden)).any() and not count_around(closed)[codes == 0].any()
        }
        if found:
            return [*found.values()]
    return []


def _may_lack_cells(lines: list[str], codes: Codes) -> bool:
    """Whether blank rows or columns can have been cut off: where no hidden cell is at that edge."""
    closed = np.isin(codes, (HIDDEN, FLAGGED))
    above = next(place for place, line in enumerate(lines) if line.strip())
    below = next(place for place, line in enumerate(reversed(lines)) if line.strip())
    cut_above = above > 0 and len(lines[0]) < len(lines[above])
    cut_below = below > 1 and len(lines[-below]) < len(lines[-below - 1])
    cut_right = len({len(line) for line in lines if line.strip()}) > 1
    edges = ((cut_above, closed[0]), (cut_below, closed[-1]), (cut_right, closed[:, -1]))
    return any(is_cut and not edge.any() for is_cut, edge in edges)
