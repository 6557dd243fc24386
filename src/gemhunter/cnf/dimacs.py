"""Formulas in DIMACS, written and read, compressed or not, and the models that solvers print."""

import codecs
import io
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.board.solution import Solution
from gemhunter.cnf.encode import Numbering
from gemhunter.cnf.formula import AUXILIARY, Cnf
from gemhunter.errors import Fault, FormulaError, ModelError
from gemhunter.files.access import STDIN, read_bytes, source_name
from gemhunter.jit.arrays import Ints
from gemhunter.printable import counted

# Formulas in DIMACS, written and read.
#
# In a text that is read, comments may stand anywhere, clauses may take several lines, and a line that
# begins with `%` ends the formula, as in SATLIB. The clauses have to agree with the header: a file that was
# cut off is another formula.


BLOCK_CLAUSES = 2**15
"""Clauses that are written at once: few enough for their text to stay in the processor's cache."""

FORMULA_HEADER = "`p cnf VARIABLES CLAUSES`"
MOST_FORMULA_VARIABLES = 100_000_000
"""Engines hold about a hundred bytes for each."""

_BLANKS = b" \t\r\n\f\v"
_COMMENT = re.compile(rb"^[ \t\f\v]*c[^\n]*", re.MULTILINE)
_END = re.compile(rb"^[ \t\f\v]*%", re.MULTILINE)
_HEADER_LINE = re.compile(rb"\s*p\s+cnf\s+([0-9]{1,18})\s+([0-9]{1,18})\s*")
_NOT_A_NUMBER = re.compile(rb"(?:^|(?<=\s))(?!-?[0-9]+(?:\s|$))\S+")


def write_dimacs(cnf: Cnf, comments: tuple[str, ...] = ()) -> str:
    """The formula in DIMACS format, with a comment for each variable that is a cell: `c 7 r2c3`."""
    return b"".join(dimacs_blocks(cnf, comments)).decode()


def dimacs_blocks(cnf: Cnf, comments: tuple[str, ...] = ()) -> Iterator[bytes]:
    """The formula in DIMACS format, in blocks of many clauses, so that writing can stop between them."""
    yield "".join(f"c {comment}\n" for comment in comments).encode()
    yield _cell_lines(cnf)
    yield f"p cnf {cnf.variables} {cnf.size}\n".encode()
    words = _number_words(np.arange(-cnf.variables, cnf.variables + 1))
    ends = np.full((len(words), 1), ord(" "), np.uint8)
    ends[cnf.variables] = ord("\n")
    table = np.hstack([words, ends])
    for first in range(0, cnf.size, BLOCK_CLAUSES):
        starts = cnf.starts[first : first + BLOCK_CLAUSES + 1]
        literals = cnf.literals[starts[0] : starts[-1]].astype(np.int64)
        ended = np.insert(literals, starts[1:] - starts[0], 0)
        yield _text_of(table[ended + cnf.variables])


def _cell_lines(cnf: Cnf) -> bytes:
    """A line such as `c 7 r2c3` for each variable that is a cell."""
    variables = np.flatnonzero(cnf.cell_indexes >= 0)
    row, col = np.divmod(cnf.cell_indexes[variables], cnf.cols)
    columns = ("c ", variables + 1, " r", row + 1, "c", col + 1, "\n")
    words = [
        np.tile(np.frombuffer(each.encode(), np.uint8), (variables.size, 1))
        if isinstance(each, str)
        else _number_words(each)
        for each in columns
    ]
    return _text_of(np.hstack(words))


def _number_words(numbers: Ints) -> NDArray[np.uint8]:
    """Each number in a row of its own, in decimal digits, with zero bytes after it."""
    width = len(str(np.abs(numbers).max(initial=0))) + 1
    words = numbers.astype(f"S{width}")
    return words.view(np.uint8).reshape(numbers.size, width)


def _text_of(words: NDArray[np.uint8]) -> bytes:
    """Rows of characters one after another, without the zero bytes that fill them up."""
    return words.tobytes().translate(None, b"\0")


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
    # All variables share one number, so they take no memory.
    cell_indexes = np.broadcast_to(np.int64(AUXILIARY), int(header[1]))
    return Cnf(numbers[numbers != 0].astype(np.int32), starts, cell_indexes, cols=1)


@dataclass(frozen=True, slots=True)
class _Dimacs:
    """A text, and the faults that it can have; offsets count bytes."""

    content: bytes
    source: str

    def header(self) -> re.Match[bytes]:
        """The first line that is neither blank nor a comment."""
        start = 0
        while start < len(self.content):
            end = self.content.find(b"\n", start)
            end = len(self.content) if end < 0 else end
            line = self.content[start:end].strip()
            if line and not line.startswith(b"c"):
                return self._read_header(start, end)
            start = end + 1
        return self._fail(None, f"empty; expected the header {FORMULA_HEADER} and clauses that end in 0")

    def _read_header(self, start: int, end: int) -> re.Match[bytes]:
        found = _HEADER_LINE.fullmatch(self.content, start, end)
        if found is None:
            line = self.content[start:end]
            offset = start + len(line) - len(line.lstrip())
            self._fail(offset, f"expected the header {FORMULA_HEADER}, found {_shown(line.strip())}")
        if int(found[1]) > MOST_FORMULA_VARIABLES:
            self._fail(
                found.start(1),
                f"at most {MOST_FORMULA_VARIABLES:,} variables are read, found {int(found[1]):,}",
            )
        return found

    def refuse_word(self, body: bytes, body_start: int) -> NoReturn:
        """Raise the error about the first word that is not a number."""
        found = _NOT_A_NUMBER.search(body)
        assert found is not None  # noqa: S101 - `_numbers` refuses nothing else
        self._fail(body_start + found.start(), f"expected a literal or 0, found {_shown(found[0])}")

    def require_range(self, numbers: NDArray[np.int64], body: bytes, header: re.Match[bytes]) -> None:
        """Raise an error about the first literal whose variable the header does not allow."""
        most = int(header[1])
        wrong = np.flatnonzero((numbers > most) | (numbers < -most))
        if wrong.size:
            offset = _word_offsets(body)[wrong[0]]
            word = _shown(body[offset : offset + 40].split()[0])
            message = f"expected a literal from -{most} to {most}, as the header says, found {word}"
            self._fail(header.end() + int(offset), message)

    def require_clauses(self, numbers: NDArray[np.int64], body: bytes, header: re.Match[bytes]) -> None:
        """Raise an error if the last clause has no end, or if the header gives another number of clauses."""
        if numbers.size and numbers[-1] != 0:
            offset = header.end() + int(_word_offsets(body)[-1])
            self._fail(offset, "the last clause is cut off; expected a 0 at its end")
        stated, found = int(header[2]), int(np.count_nonzero(numbers == 0))
        if stated != found:
            self._fail(
                header.start(2), f"expected {counted(stated, 'clause')}, as the header says, found {found}"
            )

    def _fail(self, offset: int | None, message: str) -> NoReturn:
        """Raise the error about the byte at `offset`; None for the text as a whole."""
        line = column = 0
        if offset is not None:
            line = self.content.count(b"\n", 0, offset) + 1
            column = offset - self.content.rfind(b"\n", 0, offset)
        raise FormulaError(Fault(line, column, message), self.source)


def _plain(text: str | bytes) -> bytes:
    """The text without a byte order mark, in an encoding that extends ASCII."""
    if isinstance(text, str):
        return text.removeprefix("\ufeff").encode()
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as PowerShell redirects output
        return text.decode("utf-16", "replace").encode()
    return text.removeprefix(codecs.BOM_UTF8)


def _only_clauses(body: bytes) -> bytes:
    """The text up to its end marker, with blanks in place of comments, so that offsets stay the same."""
    if b"c" in body:
        body = _COMMENT.sub(lambda found: b" " * len(found[0]), body)
    end = _END.search(body) if b"%" in body else None
    return body if end is None else body[: end.start()]


def _numbers(body: bytes) -> NDArray[np.int64] | None:
    """All numbers, read by array operations; None if the text holds anything else."""
    if body.translate(None, b"-0123456789" + _BLANKS):
        return None
    signs = np.frombuffer(body, np.uint8)
    minus = np.flatnonzero(signs == ord("-"))
    before = signs[np.maximum(minus - 1, 0)]
    after = signs[np.minimum(minus + 1, signs.size - 1)]
    if ((before > ord(" ")) & (minus > 0)).any() or (after < ord("0")).any():
        return None
    if not body.strip():  # NumPy would read blanks as a 0
        return np.empty(0, np.int64)
    return np.fromstring(body.decode("ascii"), np.int64, sep=" ")


def _word_offsets(body: bytes) -> NDArray[np.int64]:
    """Where each word begins."""
    signs = np.frombuffer(body, np.uint8) > ord(" ")
    return np.flatnonzero(signs & ~np.concatenate([[False], signs[:-1]]))


def _shown(words: bytes) -> str:
    """At most 20 characters of a text."""
    text = words[:21].decode("ascii", "replace")
    return repr(text if len(text) <= 20 else f"{text[:20]}…")


# Files with formulas: recognising and reading them, compressed or not.


FORMULA_SUFFIXES = (".cnf", ".dimacs")

LARGEST_FORMULA = 2**31
"""Bytes. Reading takes several times as much memory."""

UNPACKERS = MappingProxyType({".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"})
"""The module that opens a compressed file, by how its name ends."""

HEAD_BYTES = 200
_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:p\s|c(?:\s|$))")
"""A header or a comment line; no row of cells begins like one."""


def is_formula(path: str | os.PathLike[str]) -> bool:
    """Whether a file, or standard input for `-`, holds a formula, by its name or by how it begins."""
    name = Path(path).name.lower()
    packed = next((suffix for suffix in UNPACKERS if name.endswith(suffix)), "")
    return name.removesuffix(packed).endswith(FORMULA_SUFFIXES) or _BEGINNING.match(_head(path)) is not None


def read_formula(path: str | os.PathLike[str]) -> Cnf:
    """The formula in a DIMACS file, or on standard input for `-`; `.gz`, `.bz2` and `.xz` are unpacked."""
    content, source = read_bytes(path, LARGEST_FORMULA, "a formula"), source_name(path)
    suffix = Path(path).suffix.lower()
    if suffix in UNPACKERS:
        content = _unpacked(content, suffix, source)
    return parse_formula(content, source=source)


def _unpacked(content: bytes, suffix: str, source: str) -> bytes:
    from lzma import LZMAError
    from zlib import error as ZlibError  # noqa: N812 - it is a class

    try:
        with import_module(UNPACKERS[suffix]).open(io.BytesIO(content)) as stream:
            unpacked: bytes = stream.read(LARGEST_FORMULA + 1)
    except (OSError, EOFError, ZlibError, LZMAError) as error:
        reason = str(error).lower().rstrip(".")
        raise FormulaError(Fault(0, 0, f"cannot be unpacked as a {suffix} file: {reason}"), source) from None
    if len(unpacked) > LARGEST_FORMULA:
        limit = f"{LARGEST_FORMULA // 2**20} MiB"
        raise FormulaError(Fault(0, 0, f"too large to be a formula; at most {limit} are unpacked"), source)
    return unpacked


def _head(path: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file, or of standard input without consuming them; empty if they cannot be had."""
    if os.fspath(path) == STDIN:
        stream = getattr(sys.stdin, "buffer", None)
        return stream.peek(HEAD_BYTES) if isinstance(stream, io.BufferedReader) else b""
    # Reading from a pipe would consume it, so only regular files are opened.
    if not Path(path).is_file():
        return b""
    try:
        with Path(path).open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""


# Models: what solvers print, the solution that a model describes, and whether it satisfies a formula.
#
# Models are checked here without any code of the engines, which find them.


SolverStatus = Literal["satisfiable", "unsatisfiable", "unknown"]

_STATUS_WORDS: dict[str, SolverStatus] = {
    "SATISFIABLE": "satisfiable",
    "SAT": "satisfiable",
    "UNSATISFIABLE": "unsatisfiable",
    "UNSAT": "unsatisfiable",
    "UNKNOWN": "unknown",
    "INDETERMINATE": "unknown",
}
_COUNTER = re.compile(r"c counted (\w+) (\d+)")
_INTEGER = re.compile(r"[-+]?\d+")


@dataclass(frozen=True, slots=True)
class SolverOutput:
    """What a solver printed: its status if it named one, the literals of its model, and its counters.

    Counters are comment lines such as `c counted conflicts 12`, which our own programs write.
    """

    status: SolverStatus | None
    model: Ints
    counters: dict[str, int]


def parse_output(text: str) -> SolverOutput:
    """A solver's output: `s` and `v` lines, MiniSat's result file, or a bare list of literals."""
    status: SolverStatus | None = None
    numbers: list[str] = []
    counters: dict[str, int] = {}
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if counter := _COUNTER.fullmatch(line):
            counters[counter[1]] = int(counter[2])
        elif words[0] == "s" or (len(words) == 1 and words[0].upper() in _STATUS_WORDS):
            status = _STATUS_WORDS.get(words[-1].upper(), status)
        elif words[0] == "v":
            numbers += words[1:]
        elif all(map(_INTEGER.fullmatch, words)):
            numbers += words
    try:
        literals = np.array([int(number) for number in numbers], np.int64)
    except (ValueError, OverflowError):
        raise ModelError("a `v` line holds something other than literals") from None
    literals = literals[literals != 0]
    if np.isin(literals, -literals).any():
        raise ModelError("the model says of some variable that it is both true and false")
    return SolverOutput(status, literals, counters)


def decode_model(grid: Grid, model: Ints, variables: Numbering = "hidden") -> Solution:
    """The solution that a model of `encode(grid, variables=…)` describes.

    Cells that the model leaves out are gems. Variables that an encoding added are ignored.
    """
    hidden = np.flatnonzero(grid.cells.ravel() == HIDDEN)
    if variables == "hidden":
        return Solution.of_model(model, hidden.size)
    return Solution(Solution.of_model(model, grid.cells.size).traps[hidden])


def complete_model(model: Ints, variables: int) -> Ints:
    """A literal for each variable, in order; variables that `model` leaves out are false."""
    names = np.arange(1, variables + 1)
    true = np.zeros(variables, bool)
    true[model[(model > 0) & (model <= variables)] - 1] = True
    return np.where(true, names, -names)


def false_clauses(cnf: Cnf, model: Ints) -> Ints:
    """The indices of the clauses that a complete model does not satisfy."""
    holds = model[np.abs(cnf.literals) - 1] == cnf.literals
    true_before = np.concatenate([[0], np.cumsum(holds)])
    return np.flatnonzero(true_before[cnf.starts[1:]] == true_before[cnf.starts[:-1]])
