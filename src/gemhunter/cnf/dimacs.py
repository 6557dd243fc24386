"""Reading and writing formulas in DIMACS, compressed or not, and reading the models that solvers print."""

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
from gemhunter.board.puzzle import Solution
from gemhunter.cnf.encode import Numbering
from gemhunter.cnf.formula import AUXILIARY, Cnf
from gemhunter.errors import Fault, FormulaError, ModelError
from gemhunter.files.access import STDIN, read_bytes, reading, source_name
from gemhunter.jit.kernel import Ints
from gemhunter.wording import counted

# Formulas in DIMACS.
#
# Comments may stand anywhere, clauses may take several lines, and a line that begins with `%` ends the
# formula, as in SATLIB. The header must give the right number of clauses, so that a file that was cut off is
# not read as another formula.


BLOCK_CLAUSES = 2**15
"""How many clauses are written at once: few enough for their text to stay in the processor's cache."""


def write_dimacs(cnf: Cnf, comments: tuple[str, ...] = ()) -> str:
    """The formula in DIMACS format, with a comment for each variable that is a cell: `c 7 r2c3`."""
    return b"".join(dimacs_blocks(cnf, comments)).decode()


def dimacs_blocks(cnf: Cnf, comments: tuple[str, ...] = ()) -> Iterator[bytes]:
    """The formula in DIMACS format, in blocks of many clauses; writing can stop between blocks."""
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
    """A row for each number: its decimal digits, and zero bytes after them."""
    width = len(str(np.abs(numbers).max(initial=0))) + 1
    words = numbers.astype(f"S{width}")
    return words.view(np.uint8).reshape(numbers.size, width)


def _text_of(words: NDArray[np.uint8]) -> bytes:
    """Rows of characters one after another, without the zero bytes that fill them up."""
    return words.tobytes().translate(None, b"\0")


def parse_formula(text: str | bytes, *, source: str = "formula") -> Cnf:
    """The formula in a DIMACS text; its variables stand for no cells.

    Raises `FormulaError` with the line and column of the first fault; `source` names the file in its message.
    """
    content = _plain(text)

    def fail(offset: int | None, message: str) -> NoReturn:
        """Raise the error about the byte at `offset`, or about the whole text."""
        line = column = 0
        if offset is not None:
            line = content.count(b"\n", 0, offset) + 1
            column = offset - content.rfind(b"\n", 0, offset)
        raise FormulaError(Fault(line, column, message), source)

    # The header is the first line that is neither blank nor a comment. `cnf 3 1` is a header without its `p`.
    first = re.search(rb"^[^\S\n]*(?!c(?!nf[^\S\n]+[0-9]))(\S[^\n]*)", content, re.MULTILINE)
    expected = "expected the header `p cnf VARIABLES CLAUSES`"
    if first is None:
        fail(None, f"empty; {expected} and clauses that end in 0")
    header = re.fullmatch(rb"\s*p\s+cnf\s+([0-9]{1,18})\s+([0-9]{1,18})\s*", first[1])
    if header is None:
        fail(first.start(1), f"{expected}, found {_shown(first[1].strip())}")
    variables, stated = int(header[1]), int(header[2])
    if variables > 100_000_000:  # engines hold about a hundred bytes for each
        fail(first.start(1) + header.start(1), f"at most 100,000,000 variables are read, found {variables:,}")
    # After it come only numbers: literals whose variables the header allows, and a 0 after each clause.
    body = _only_clauses(content[first.end() :])
    numbers = _numbers(body)
    if numbers is None:
        word = re.search(rb"(?:^|(?<=\s))(?!-?[0-9]+(?:\s|$))\S+", body)
        assert word is not None  # noqa: S101 - `_numbers` refuses nothing else
        fail(first.end() + word.start(), f"expected a literal or 0, found {_shown(word[0])}")
    wrong = np.flatnonzero((numbers > variables) | (numbers < -variables))
    if wrong.size:
        offset = int(_word_offsets(body)[wrong[0]])
        found = _shown(body[offset : offset + 40].split()[0])
        allowed = f"a literal from -{variables} to {variables}, as the header says"
        fail(first.end() + offset, f"expected {allowed}, found {found}")
    if numbers.size and numbers[-1] != 0:
        offset = first.end() + int(_word_offsets(body)[-1])
        fail(offset, "the last clause is cut off; expected a 0 at its end")
    ends = np.flatnonzero(numbers == 0)
    if stated != ends.size:
        expected = f"expected {counted(stated, 'clause')}, as the header says"
        fail(first.start(1) + header.start(2), f"{expected}, found {ends.size}")
    starts = np.concatenate([[0], ends - np.arange(ends.size)])
    # All variables share one number, so they take no memory.
    cell_indexes = np.broadcast_to(np.int64(AUXILIARY), variables)
    return Cnf(numbers[numbers != 0].astype(np.int32), starts, cell_indexes, cols=1)


def _plain(text: str | bytes) -> bytes:
    """The text without a byte order mark, in an encoding that extends ASCII."""
    if isinstance(text, str):
        return text.removeprefix("\ufeff").encode()
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as PowerShell redirects output
        return text.decode("utf-16", "replace").encode()
    return text.removeprefix(codecs.BOM_UTF8)


def _only_clauses(body: bytes) -> bytes:
    """The text up to its end marker, with blanks in place of comments, so that offsets do not change."""
    if b"c" in body:
        blanked = re.compile(rb"^[ \t\f\v]*c[^\n]*", re.MULTILINE)
        body = blanked.sub(lambda comment: b" " * len(comment[0]), body)
    end = re.search(rb"^[ \t\f\v]*%", body, re.MULTILINE) if b"%" in body else None
    return body if end is None else body[: end.start()]


def _numbers(body: bytes) -> NDArray[np.int64] | None:
    """All numbers, read by array operations; None if the text holds anything else."""
    if body.translate(None, b"-0123456789 \t\r\n\f\v"):
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
    """The first 20 characters of a text, quoted."""
    text = words[:21].decode("ascii", "replace")
    return repr(text if len(text) <= 20 else f"{text[:20]}…")


# Formula files, compressed or not.


FORMULA_BYTES_LIMIT = 2**31
"""The most bytes of a formula, before and after unpacking; reading takes several times as much memory."""

UNPACKERS = MappingProxyType({".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"})
"""The module that opens a compressed file, by suffix."""


def is_formula(path: str | os.PathLike[str]) -> bool:
    """Whether the name or the first bytes of a file, or of standard input for `-`, are those of a formula."""
    name = Path(path).name.lower()
    packed = next((suffix for suffix in UNPACKERS if name.endswith(suffix)), "")
    # No row of cells begins like a header or a comment.
    beginning = rb"(?:\xef\xbb\xbf)?\s*(?:p\s|c(?:\s|$)|cnf\s)"
    return name.removesuffix(packed).endswith((".cnf", ".dimacs")) or bool(re.match(beginning, _head(path)))


def read_formula(path: str | os.PathLike[str]) -> Cnf:
    """The formula in a DIMACS file, or on standard input for `-`; `.gz`, `.bz2` and `.xz` are unpacked."""
    with reading(path):
        content, suffix = read_bytes(path, FORMULA_BYTES_LIMIT, "a formula"), Path(path).suffix.lower()
        if suffix in UNPACKERS:
            content = _unpacked(content, suffix, source_name(path))
        return parse_formula(content, source=source_name(path))


def _unpacked(content: bytes, suffix: str, source: str) -> bytes:
    from lzma import LZMAError
    from zlib import error as ZlibError  # noqa: N812 - it is a class

    try:
        with import_module(UNPACKERS[suffix]).open(io.BytesIO(content)) as stream:
            unpacked: bytes = stream.read(FORMULA_BYTES_LIMIT + 1)
    except (OSError, EOFError, ZlibError, LZMAError) as error:
        reason = str(error).lower().rstrip(".")
        raise FormulaError(Fault(0, 0, f"cannot be unpacked as a {suffix} file: {reason}"), source) from None
    if len(unpacked) > FORMULA_BYTES_LIMIT:
        limit = f"{FORMULA_BYTES_LIMIT // 2**20} MiB"
        raise FormulaError(Fault(0, 0, f"too large to be a formula; at most {limit} are unpacked"), source)
    return unpacked


def _head(path: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file, or of standard input without consuming them; none if they cannot be read."""
    if os.fspath(path) == STDIN:
        stream = getattr(sys.stdin, "buffer", None)
        return stream.peek(200) if isinstance(stream, io.BufferedReader) else b""
    if not Path(path).is_file():  # reading from a pipe would consume it
        return b""
    try:
        with Path(path).open("rb") as file:
            return file.read(200)
    except OSError:
        return b""


# Models: what solvers print, the solution that a model describes, and the clauses that it does not satisfy.
#
# No code is shared with the engines that find models.


SolverStatus = Literal["satisfiable", "unsatisfiable", "unknown"]

_STATUS_WORDS: dict[str, SolverStatus] = {
    "SATISFIABLE": "satisfiable",
    "SAT": "satisfiable",
    "UNSATISFIABLE": "unsatisfiable",
    "UNSAT": "unsatisfiable",
    "UNKNOWN": "unknown",
    "INDETERMINATE": "unknown",
}


@dataclass(frozen=True, slots=True)
class SolverOutput:
    """What a solver printed: its status if it named one, the literals of its model, and its counters.

    Our own programs write counters, as comment lines such as `c counted conflicts 12`.
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
        if counter := re.fullmatch(r"c counted (\w+) (\d+)", line):
            counters[counter[1]] = int(counter[2])
        elif words[0] == "s" or (len(words) == 1 and words[0].upper() in _STATUS_WORDS):
            status = _STATUS_WORDS.get(words[-1].upper(), status)
        elif words[0] == "v":
            numbers += words[1:]
        elif all(re.fullmatch(r"[-+]?\d+", word) for word in words):
            numbers += words
    try:
        literals = np.array([int(number) for number in numbers], np.int64)
    except (ValueError, OverflowError):
        raise ModelError("a `v` line holds something other than literals") from None
    literals = literals[literals != 0]
    if np.isin(literals, -literals).any():
        raise ModelError("the model makes a variable both true and false")
    return SolverOutput(status, literals, counters)


def decode_model(grid: Grid, model: Ints, variables: Numbering = "hidden") -> Solution:
    """The solution that a model of `encode(grid, variables=…)` describes; cells not in it are gems."""
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
    is_true = model[np.abs(cnf.literals) - 1] == cnf.literals
    true_before = np.concatenate([[0], np.cumsum(is_true)])
    return np.flatnonzero(true_before[cnf.starts[1:]] == true_before[cnf.starts[:-1]])
