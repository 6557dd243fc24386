"""The line of a board file that gives the number of traps: `# traps: 40`."""

import re
from dataclasses import dataclass

from gemhunter.errors import BoardError, Fault

_TOTAL = re.compile(r"[ \t]*#[ \t]*(traps|mines)[ \t]*[:=](.*)", re.IGNORECASE)

MOST_DIGITS = 12
"""Of a total; no board that can be read has as many cells."""


@dataclass(frozen=True, slots=True)
class WithTotal:
    """The text of a board without the line that gives its total, and that total if there is one.

    `first_line` is the number of the line that the text begins with.
    """

    text: str
    total: int | None = None
    first_line: int = 1


def is_total_line(line: str) -> bool:
    """Whether a line gives the number of traps; no row of cells has a colon or an equals sign."""
    return _TOTAL.match(line) is not None


def split_total(text: str, *, source: str) -> WithTotal:
    """Take the line with the total out of a text whose lines end in `\\n`."""
    if ":" not in text and "=" not in text:
        return WithTotal(text)
    lines = text.split("\n")
    places = [place for place, line in enumerate(lines) if is_total_line(line)]
    if not places:
        return WithTotal(text)
    if len(places) > 1:
        raise _fault(places[1], "the number of traps is given twice; expected one such line", source)
    total = _number(lines[places[0]], places[0], source)
    above, below = "\n".join(lines[: places[0]]), "\n".join(lines[places[0] + 1 :])
    if above.strip() and below.strip():
        message = "the number of traps stands inside the board; expected it above or below"
        raise _fault(places[0], message, source)
    return WithTotal(above, total) if above.strip() else WithTotal(below, total, places[0] + 2)


def _number(line: str, place: int, source: str) -> int:
    match = _TOTAL.match(line)
    written = "" if match is None else match[2].strip()
    if not (written.isascii() and written.isdigit()) or len(written) > MOST_DIGITS:
        raise _fault(
            place, f"expected a number of traps, as in `# traps: 40`, found {written[:20]!r}", source
        )
    return int(written)


def _fault(place: int, message: str, source: str) -> BoardError:
    return BoardError([Fault(place + 1, 1, message)], source)
