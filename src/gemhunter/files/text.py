"""Boards as text: lenient reading, errors that name every fault, boards copied from a screen.

There are two readers, which agree. `_read_at_once` reads ordinary boards by array operations, a million cells
in a few hundredths of a second, and returns None for anything unusual. `_read_with_care` goes cell by cell,
reads everything that can be read, and finds every fault.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, Grid, count_around
from gemhunter.board.position import Position
from gemhunter.errors import FAULTS_COLLECTED, BoardError, Fault, board_error
from gemhunter.files.access import decode, refuse_other_text
from gemhunter.files.dialects import (
    CELL_EXPECTED,
    FLAGGED,
    HIDDEN_MARKS,
    SeparatorStyle,
    Size,
    Zero,
    could_state_size,
    line_style,
    normal_lines,
    position_of,
    split_total,
    stated_size,
    token_codes,
    token_fault,
    tokens,
    with_opened_dots,
)
from gemhunter.files.json_boards import looks_like_json, looks_like_replay, parse_json
from gemhunter.jit.kernel import Codes
from gemhunter.wording import counted

_CELL_KIND, _COMMA_KIND, _BLANK_KIND, _NEWLINE_KIND, _OTHER_KIND = range(5)


def parse_grid(text: str | bytes, zero: Zero = "clue", *, source: str = "board") -> Grid:
    """The board written in `text`; `zero="unknown"` reads 0 as an unknown cell.

    Raises `BoardError`, with every fault and its place, if the text is not a board.
    """
    return parse_position(text, zero, source=source).grid


def _as_text(given: object, source: str) -> str:
    """The given text or bytes as text; a `TypeError` says what to do about anything else."""
    if isinstance(given, bytes):
        return decode(given, source)
    if isinstance(given, str):
        return given
    rows = "; json.dumps(rows) makes one of rows of cells" if isinstance(given, list | tuple) else ""
    raise TypeError(f"expected the text of a board, not {type(given).__name__}{rows}")


def parse_position(text: str | bytes, zero: Zero = "clue", *, source: str = "board") -> Position:
    """The board written in `text`, with the flags of a player, and the total if the text gives it."""
    text = _as_text(text, source)
    refuse_other_text(text, source)
    if looks_like_replay(text):
        raise board_error("a replay; expected a board; `read_position` reads how it ended", source)
    if looks_like_json(text):
        return parse_json(text, zero, source=source).position
    if re.match(r"\s*(?:c(?:[ \t][^\n]*)?\n\s*)*p\s+cnf\s", text):
        readers = "`solve`, `trace` and `proof check` read formulas, from a file or -"
        raise board_error(f"a formula in DIMACS; expected a board; {readers}", source)
    rows = split_total(normal_lines(text), source=source)
    codes = _parse_codes(rows.text, zero, source=source, first_line=rows.first_line)
    return position_of(codes, rows.total)


def _parse_codes(text: str, zero: Zero, *, source: str, first_line: int = 1) -> Codes:
    """The cells of a text whose lines end in `\\n`; a flag is `FLAGGED`."""
    codes = _written_codes(text, zero, source=source, first_line=first_line)
    if zero == "clue" and "." in text and "#" in text:
        # Read the text again with T in place of each dot: the cells that change are the dots.
        others = _written_codes(text.replace(".", "T"), zero, source=source, first_line=first_line)
        return with_opened_dots(codes, others != codes, source)
    return codes


def _written_codes(text: str, zero: Zero, *, source: str, first_line: int) -> Codes:
    """The cells of a text, in which every sign for a hidden cell means one."""
    body, begins_at = text.rstrip(), first_line
    blank = re.match(r"(?:[^\S\n]*\n)+", body)
    first_line += blank[0].count("\n") if blank else 0
    body = body[blank.end() :] if blank else body
    if not body:
        raise board_error("empty; expected rows of cells such as `_, 2, T`", source)
    first, _, rest = body.partition("\n")
    below = rest.partition("\n")[0], rest.count("\n") + 1
    size = stated_size(first, *below)
    if size is not None:
        body, first_line = rest, first_line + 1
    elif could_state_size(first, *below):
        ways = f"{'x'.join(first.split())} or {', '.join(first.split())}"
        raise BoardError([Fault(first_line, 1, f"this could be the size or a row; write {ways}")], source)
    codes = _read_at_once(body, zero)
    if codes is not None and (size is None or codes.shape == (size.rows, size.cols)):
        if zero == "clue" and size is None:
            refuse_gaps(body, codes, first_line=first_line, source=source)
        return codes
    try:
        return _read_with_care(body, zero, first_line=first_line, size=size, source=source)
    except BoardError:
        screen = read_screen(text, first_line=begins_at, source=source) if zero == "clue" else None
        if screen is None:
            raise
        return screen


def _read_at_once(body: str, zero: Zero) -> Codes | None:
    """The cells of an ordinary board; None if anything about it is unusual."""
    if not body.isascii():
        return None
    if "N" in body or "n" in body:
        body = body.replace("None", "_").replace("none", "_")
    text = body.encode("ascii")
    code_of, kind_of = _byte_tables(zero)
    kinds = np.frombuffer(text.translate(kind_of), np.uint8)
    codes = _read_even_lines(text, kinds, code_of)
    return _read_uneven_lines(text, kinds, code_of) if codes is None else codes


def _read_even_lines(text: bytes, kinds: NDArray[np.uint8], code_of: bytes) -> Codes | None:
    """The cells if every line has the same kinds of signs in the same columns; None if not."""
    width = text.find(b"\n") + 1
    rows, rest = divmod(len(text) + 1, width or len(text) + 1)
    if rows < 2 or rest:
        return None
    line = kinds[:width]
    whole = kinds[: (rows - 1) * width].reshape(rows - 1, width)
    if not np.array_equal(kinds[-width + 1 :], line[:-1]) or not (whole == line).all():
        return None
    cells = np.flatnonzero(line == _CELL_KIND)
    # If the first two lines are in order, all are.
    if _read_uneven_lines(text[: 2 * width - 1], kinds[: 2 * width - 1], code_of) is None:
        return None
    step = int(cells[1] - cells[0]) if cells.size > 1 else 1
    if not (np.diff(cells) == step).all():
        return None
    signs = np.frombuffer(text + b"\n", np.uint8).reshape(rows, width)[:, cells[0] : cells[-1] + 1 : step]
    return np.frombuffer(signs.tobytes().translate(code_of), np.int8).reshape(rows, cells.size)


def _read_uneven_lines(text: bytes, kinds: NDArray[np.uint8], code_of: bytes) -> Codes | None:
    """The cells of any ordinary board; None if anything about it is unusual."""
    solid = kinds != _BLANK_KIND
    dense = kinds[solid]
    if _OTHER_KIND in dense or not _well_separated(kinds, dense):
        return None
    cells = np.frombuffer(text.translate(code_of), np.int8)[kinds == _CELL_KIND]
    breaks = np.flatnonzero(dense == _NEWLINE_KIND)
    rows = breaks.size + 1
    cells_before = np.cumsum(dense == _CELL_KIND)[breaks]
    width, rest = divmod(cells.size, rows)
    if rest or not np.array_equal(cells_before, width * np.arange(1, rows)):
        return None
    return np.reshape(cells, (rows, width))


def _well_separated(kinds: NDArray[np.uint8], dense: NDArray[np.uint8]) -> bool:
    """Whether the whole text keeps to one style; `dense` is `kinds` without blanks."""
    cell, comma, newline = _CELL_KIND, _COMMA_KIND, _NEWLINE_KIND
    if comma not in dense:
        touching = _pairs(kinds, cell, cell)
        return touching in (0, _pairs(dense, cell, cell)) and not _pairs(dense, newline, newline)
    forbidden = [(cell, cell), (comma, comma), (newline, comma), (newline, newline)]
    return bool(dense[0] != comma) and not any(_pairs(dense, *pair) for pair in forbidden)


def _pairs(kinds: NDArray[np.uint8], first: int, second: int) -> int:
    """How often one kind directly follows another."""
    return int(np.count_nonzero((kinds[:-1] == first) & (kinds[1:] == second)))


@cache
def _byte_tables(zero: Zero) -> tuple[bytes, bytes]:
    """The cell code and the kind of each byte, for `bytes.translate`."""
    code_of = np.zeros(256, np.int8)
    kind_of = np.full(256, _OTHER_KIND, np.uint8)
    for token, code in token_codes(zero).items():
        if len(token) == 1:
            for sign in {token, token.upper()}:
                code_of[ord(sign)], kind_of[ord(sign)] = code, _CELL_KIND
    for signs, kind in [(",;", _COMMA_KIND), (" \t", _BLANK_KIND), ("\n", _NEWLINE_KIND)]:
        kind_of[[ord(sign) for sign in signs]] = kind
    return code_of.tobytes(), kind_of.tobytes()


def _read_with_care(body: str, zero: Zero, *, first_line: int, size: Size | None, source: str) -> Codes:
    """The cells of any board, or a `BoardError` with all its faults."""
    lines = body.split("\n")
    # The whole text has one style, so that a line in another style is a fault.
    styles = {line_style(line) for line in lines}
    style: SeparatorStyle = "comma" if "comma" in styles else "blank" if "blank" in styles else "compact"
    code_of = token_codes(zero)
    rows = [[token.text for token in tokens(line, style)] for line in lines]
    of_cells = _cell_faults(lines, style, code_of, first_line)
    of_size = _size_faults(rows, lines, first_line, size)
    faults = list(islice(chain(of_cells, of_size), FAULTS_COLLECTED))
    if len(faults) == FAULTS_COLLECTED:
        faults.append(Fault(faults[-1].line, 0, "too many faults; reading stopped here"))
    if faults:
        raise BoardError(sorted(faults), source)
    return np.array([[code_of[token] for token in row] for row in rows], np.int8)


def _cell_faults(
    lines: list[str], style: SeparatorStyle, code_of: Mapping[str, int], first_line: int
) -> Iterator[Fault]:
    """What is wrong with single cells, and with blank lines."""
    for number, line in enumerate(lines, first_line):
        if not line.strip():
            yield Fault(number, 0, f"blank line inside the board; expected a row of {CELL_EXPECTED}")
        for token in tokens(line, style):
            if token.text not in code_of:
                yield Fault(number, token.column, token_fault(token.written))


def _size_faults(
    rows: list[list[str]], lines: list[str], first_line: int, size: Size | None
) -> Iterator[Fault]:
    widths = Counter(len(row) for row in rows if row)
    if size is None:
        width, why = widths.most_common(1)[0][0] if widths else 0, "as in most rows"
        if widths[width] == 1:
            width, why = len(rows[0]), "as in the first row"
    else:
        width, why = size.cols, "as the first line says"
        if len(rows) != size.rows:
            message = f"the first line says {counted(size.rows, 'row')}, but found {len(rows)}"
            yield Fault(first_line - 1, 0, message)
    for number, (row, line) in enumerate(zip(rows, lines, strict=True), first_line):
        if row and len(row) != width:
            message = f"row of {counted(len(row), 'cell')}; expected {width}, {why}"
            yield Fault(number, len(line.rstrip()) + 1, message)


# Boards copied from a screen: every cell has the same width, and an opened 0 is blank.
#
# Blanks are opened cells only if the shape of the text leaves no doubt. One rule helps: a game opens all
# neighbours of a 0, so a blank cell never touches a hidden one.


BLANK = " "
PITCHES = (1, 2)
"""How many columns of text a cell can take."""

SCREEN_CELL_LIMIT = 100_000
"""Boards with more cells are not copied from a screen."""

DOUBTFUL_BLANKS = (
    "a blank here can be an opened cell or space around other cells; write 0 for an opened cell, or the size "
    "in a line above the board, such as 9x9"
)


def refuse_gaps(text: str, codes: Codes, *, first_line: int, source: str) -> None:
    """Refuse a board whose blanks can be space between cells, as `codes` have it, or cells."""
    # If cells take two columns of text, a blank one between two others makes three blanks.
    if codes.size > SCREEN_CELL_LIMIT or "," in text or ";" in text or BLANK * 3 not in text:
        return
    screen = read_screen(text, first_line=first_line, source=source)
    if screen is not None and not np.array_equal(screen, codes):
        raise BoardError([Fault(first_line, 0, DOUBTFUL_BLANKS)], source)


def read_screen(text: str, *, first_line: int = 1, source: str) -> Codes | None:
    """The cells of a text copied from a screen, or None if it is not one; a flag is `FLAGGED`.

    The size may stand above the board. A `BoardError` says how to write a board that is ambiguous.
    """
    lines = text.split("\n")
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    stated = re.fullmatch(r"\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})\s*", lines[first], re.ASCII)
    body = lines[first + 1 :] if stated else lines
    signs = {sign.lower() for line in body for sign in line} - {BLANK}
    # A screen that shows opened cells as dots does not leave them blank.
    if not signs or not signs <= token_codes("clue").keys() or signs >= {".", "#"}:
        return None
    is_doubtful = "*" in signs and not signs & {*HIDDEN_MARKS}
    if is_doubtful:
        body = [line.replace("*", "_") for line in body]
    found = _sized(body, Size(int(stated[1]), int(stated[2]))) if stated else _unsized(body)
    if not found:
        return None
    if is_doubtful:
        doubt = "`*` here can be a hidden cell or a trap; write `_` for a hidden cell, `T` for a trap"
        raise BoardError([Fault(first_line + first, 0, doubt)], source)
    if len(found) > 1 or (stated is None and _may_lack_cells(body, found[0])):
        raise BoardError([Fault(first_line + first, 0, DOUBTFUL_BLANKS)], source)
    return found[0]


def _sized(lines: list[str], size: Size) -> list[Codes]:
    """The possible readings of the lines below the size; missing rows at the end are blank."""
    rows = [*lines[: size.rows], *[""] * (size.rows - len(lines))]
    if any(line.strip() for line in lines[size.rows :]) or size.rows * size.cols > SCREEN_CELL_LIMIT:
        return []
    readings: list[Codes] = []
    for pitch in PITCHES:
        fits = max(len(row.rstrip()) for row in rows) <= pitch * size.cols
        readings += _read(rows, 0 if fits else _margin(rows), pitch, size.cols)
    return _possible(readings)


def _unsized(lines: list[str]) -> list[Codes]:
    """The possible readings of lines without a size: blanks on either side of all lines can be cells."""
    widest, lengths = max(len(line.rstrip()) for line in lines), {len(line) for line in lines if line.strip()}
    rows = _rows(lines, max(lengths))
    margin = _margin(rows)
    # Lines of equal length were copied whole; blanks at their ends are cells if possible.
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
    """The lines from the first to the last that has a sign or is as wide as the board."""
    kept = [place for place, line in enumerate(lines) if line.strip() or len(line) == width]
    return lines[kept[0] : kept[-1] + 1]


def _margin(rows: Sequence[str]) -> int:
    """How many blanks all rows begin with; rows of blanks do not count."""
    return min(len(row) - len(row.lstrip()) for row in rows if row.strip())


def _read(rows: Sequence[str], left: int, pitch: int, cols: int) -> Iterator[Codes]:
    """The cells if each takes `pitch` columns of text, the first at column `left`; nothing if they do not.

    At least one cell must be blank in the text itself, not only because a row ends early. Blanks at the end
    of a row count only if all lines have the same length.
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
    """The different readings with hidden cells, none of which touches a 0, except perhaps wrong flags."""
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
    """Whether blank rows or columns may have been cut off, at an edge without hidden cells."""
    closed = np.isin(codes, (HIDDEN, FLAGGED))
    above = next(place for place, line in enumerate(lines) if line.strip())
    below = next(place for place, line in enumerate(reversed(lines)) if line.strip())
    cut_above = above > 0 and len(lines[0]) < len(lines[above])
    cut_below = below > 1 and len(lines[-below]) < len(lines[-below - 1])
    cut_right = len({len(line) for line in lines if line.strip()}) > 1
    edges = ((cut_above, closed[0]), (cut_below, closed[-1]), (cut_right, closed[:, -1]))
    return any(is_cut and not edge.any() for is_cut, edge in edges)
