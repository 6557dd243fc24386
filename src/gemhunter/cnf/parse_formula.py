"""DIMACS in: a formula from its text.

Comments may stand anywhere, clauses may take several lines, and a line that begins with `%` ends the formula,
as in SATLIB. The clauses have to agree with the header: a file that was cut off is another formula.
"""

import codecs
import re
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import AUXILIARY, Cnf
from gemhunter.core.plurals import counted
from gemhunter.errors import Fault, FormulaError

FORMULA_HEADER = "`p cnf VARIABLES CLAUSES`"
MOST_FORMULA_VARIABLES = 100_000_000
"""Engines hold about a hundred bytes for each."""

_BLANKS = b" \t\r\n\f\v"
_COMMENT = re.compile(rb"^[ \t\f\v]*c[^\n]*", re.MULTILINE)
_END = re.compile(rb"^[ \t\f\v]*%", re.MULTILINE)
_HEADER_LINE = re.compile(rb"\s*p\s+cnf\s+([0-9]{1,18})\s+([0-9]{1,18})\s*")
_NO_NUMBER = re.compile(rb"(?:^|(?<=\s))(?!-?[0-9]+(?:\s|$))\S+")


def parse_formula(text: str | bytes, *, source: str = "formula") -> Cnf:
    """The formula in a DIMACS text, whose variables stand for no cells.

    Raises `FormulaError` with the line and column of a fault; `source` names the file in its message.
    """
    dimacs = _Dimacs(_plain(text), source)
    header = dimacs.header()
    body = _only_clauses(dimacs.content[header.end() :])
    numbers = _numbers(body)
    if numbers is None:
        dimacs.refuse_word(body, header.end())
    dimacs.require_range(numbers, body, header)
    dimacs.require_clauses(numbers, body, header)
    ends = np.flatnonzero(numbers == 0)
    starts = np.concatenate([[0], ends - np.arange(ends.size)])
    # No memory for each variable: all of them are read from one number.
    positions = np.broadcast_to(np.int64(AUXILIARY), int(header[1]))
    return Cnf(numbers[numbers != 0].astype(np.int32), starts, positions, cols=1)


@dataclass(frozen=True, slots=True)
class _Dimacs:
    """A text, and what can be wrong with it."""

    content: bytes
    source: str

    def header(self) -> re.Match[bytes]:
        """The first line that is neither blank nor a comment."""
        at = 0
        while at < len(self.content):
            end = self.content.find(b"\n", at)
            end = len(self.content) if end < 0 else end
            line = self.content[at:end].strip()
            if line and not line.startswith(b"c"):
                return self._read_header(at, end)
            at = end + 1
        return self._fail(None, f"empty; expected the header {FORMULA_HEADER} and clauses that end in 0")

    def _read_header(self, at: int, end: int) -> re.Match[bytes]:
        found = _HEADER_LINE.fullmatch(self.content, at, end)
        if found is None:
            line = self.content[at:end]
            place = at + len(line) - len(line.lstrip())
            self._fail(place, f"expected the header {FORMULA_HEADER}, found {_shown(line.strip())}")
        if int(found[1]) > MOST_FORMULA_VARIABLES:
            self._fail(
                found.start(1),
                f"at most {MOST_FORMULA_VARIABLES:,} variables are read, found {int(found[1]):,}",
            )
        return found

    def refuse_word(self, body: bytes, body_at: int) -> NoReturn:
        """Complain about the first word that is no number."""
        found = _NO_NUMBER.search(body)
        assert found is not None  # noqa: S101 - `_numbers` refuses nothing else
        self._fail(body_at + found.start(), f"expected a literal or 0, found {_shown(found[0])}")

    def require_range(self, numbers: NDArray[np.int64], body: bytes, header: re.Match[bytes]) -> None:
        """Complain about the first literal of a variable that the header does not have."""
        most = int(header[1])
        wrong = np.flatnonzero((numbers > most) | (numbers < -most))
        if wrong.size:
            place = _word_places(body)[wrong[0]]
            word = _shown(body[place : place + 40].split()[0])
            message = f"expected a literal from -{most} to {most}, as the header says, found {word}"
            self._fail(header.end() + int(place), message)

    def require_clauses(self, numbers: NDArray[np.int64], body: bytes, header: re.Match[bytes]) -> None:
        """Complain if the last clause has no end, or if there are not as many as the header says."""
        if numbers.size and numbers[-1] != 0:
            place = header.end() + int(_word_places(body)[-1])
            self._fail(place, "the last clause is cut off; expected a 0 at its end")
        stated, found = int(header[2]), int(np.count_nonzero(numbers == 0))
        if stated != found:
            self._fail(
                header.start(2), f"expected {counted(stated, 'clause')}, as the header says, found {found}"
            )

    def _fail(self, place: int | None, message: str) -> NoReturn:
        """Raise the error about the byte at `place`, or about all of it."""
        line = column = 0
        if place is not None:
            line = self.content.count(b"\n", 0, place) + 1
            column = place - self.content.rfind(b"\n", 0, place)
        raise FormulaError(Fault(line, column, message), self.source)


def _plain(text: str | bytes) -> bytes:
    """The text without a byte order mark, in an encoding that has ASCII in it."""
    if isinstance(text, str):
        return text.removeprefix("\ufeff").encode()
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as PowerShell writes what is redirected
        return text.decode("utf-16", "replace").encode()
    return text.removeprefix(codecs.BOM_UTF8)


def _only_clauses(body: bytes) -> bytes:
    """The text up to its end marker, with blanks for comments, so that places stay what they are."""
    if b"c" in body:
        body = _COMMENT.sub(lambda found: b" " * len(found[0]), body)
    end = _END.search(body) if b"%" in body else None
    return body if end is None else body[: end.start()]


def _numbers(body: bytes) -> NDArray[np.int64] | None:
    """All numbers, by array operations; None if there is anything else."""
    if body.translate(None, b"-0123456789" + _BLANKS):
        return None
    signs = np.frombuffer(body, np.uint8)
    minus = np.flatnonzero(signs == ord("-"))
    before = signs[np.maximum(minus - 1, 0)]
    after = signs[np.minimum(minus + 1, signs.size - 1)]
    if ((before > ord(" ")) & (minus > 0)).any() or (after < ord("0")).any():
        return None
    if not body.strip():  # of blanks alone NumPy would make a 0
        return np.empty(0, np.int64)
    return np.fromstring(body.decode("ascii"), np.int64, sep=" ")


def _word_places(body: bytes) -> NDArray[np.int64]:
    """Where each word begins."""
    signs = np.frombuffer(body, np.uint8) > ord(" ")
    return np.flatnonzero(signs & ~np.concatenate([[False], signs[:-1]]))


def _shown(words: bytes) -> str:
    """At most 20 characters of a text."""
    text = words[:21].decode("ascii", "replace")
    return repr(text if len(text) <= 20 else f"{text[:20]}…")
