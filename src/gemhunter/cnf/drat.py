"""Proofs that a formula has no model, as values and as DRAT files, in text or binary."""

import re
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.array_values import ReadOnlyArrays
from gemhunter.cnf.formula import Literals
from gemhunter.errors import ProofError
from gemhunter.jit.kernel import Bytes, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Proof(ReadOnlyArrays):
    """A DRAT proof: step i adds the clause `literals[starts[i]:starts[i+1]]`, or deletes it if `deletes[i]`.

    An added clause follows from those before it; the last one is empty.
    """

    literals: Literals
    starts: Ints
    deletes: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """How many steps there are."""
        return int(self.deletes.size)

    @property
    def added(self) -> int:
        """How many steps add a clause."""
        return self.size - int(self.deletes.sum())


EMPTY_CLAUSE = Proof(np.empty(0, np.int32), np.zeros(2, np.int64), np.zeros(1, bool))
"""The proof of a formula whose own clauses propagate to a conflict."""


# Proof files: DRAT as text (`1 -2 0`, `d 1 2 0`) and in the binary form that most solvers write.
#
# Text has two readers that agree: one reads ordinary files by array operations, the other reads files with
# comments or faults word by word.


VARIABLE_LIMIT = 2**31 - 1
VARIABLE_DIGITS = 10
LITERAL_BYTES = 5
"""How many bytes of seven bits each the largest literal takes."""

ADD, DELETE = b"a", b"d"


def write_drat(proof: Proof) -> str:
    """The proof as text, one step per line."""
    if not proof.size:
        return ""
    ended = np.insert(proof.literals.astype(np.int64), proof.starts[1:], 0)
    lines = f" {' '.join(map(str, ended.tolist()))}".replace(" 0", " 0\n").replace("\n ", "\n").lstrip(" ")
    if not proof.deletes.any():
        return lines
    marks = np.where(proof.deletes, "d ", "").tolist()
    return "".join(map(str.__add__, marks, lines.splitlines(keepends=True)))


def read_drat(content: bytes, source: str = "proof") -> Proof:
    """Read a proof, text or binary; raises `ProofError` with the place of the first fault."""
    if is_binary(content):
        return _read_binary(content, source)
    return _read_by_arrays(content) or _read_by_words(content, source)


def is_binary(content: bytes) -> bool:
    """Whether a proof is binary."""
    # Every binary step ends with a zero byte, which no text has. A file without one is text, or it was cut
    # off in its first step.
    return b"\0" in content or content[:1] == ADD or (content[:1] == DELETE and not content[1:2].isspace())


def place_of_step(content: bytes, step: int) -> str:
    """Where a step, counted from 1, begins in a file that `read_drat` could read."""
    if is_binary(content):
        ends = np.flatnonzero(np.frombuffer(content, np.uint8) == 0)
        return f"offset {0 if step == 1 else int(ends[step - 2]) + 1}"
    begins, ended = 1, True
    for line, word in _words(content):
        if ended:
            begins, step = line, step - 1
        if not step:
            break
        ended = word != DELETE and int(word) == 0
    return f"line {begins}"


def _read_binary(content: bytes, source: str) -> Proof:
    """The proof in a binary file: a step is `a` or `d`, literals, and a zero byte; v is 2v, -v is 2v+1."""
    array = np.frombuffer(content, np.uint8)
    ends = np.flatnonzero(array == 0)
    if not ends.size or ends[-1] != array.size - 1:
        _fail(source, f"offset {array.size}", "the last step is cut off; expected a zero byte at its end")
    tags = np.concatenate([[0], ends[:-1] + 1])
    wrong = np.flatnonzero(~np.isin(array[tags], (ADD[0], DELETE[0])))
    if wrong.size:
        found = int(array[tags[wrong[0]]])
        _fail(source, f"offset {tags[wrong[0]]}", f"expected `a` or `d`, found the byte {found:#04x}")
    within = np.ones(array.size, bool)
    within[tags] = within[ends] = False
    places = np.flatnonzero(within)
    literals, last = _decoded(array, places, source)
    starts = np.concatenate([[0], np.searchsorted(places[last], ends)])
    return Proof(literals, starts, array[tags] == DELETE[0])


def _decoded(
    array: Bytes, places: NDArray[np.int64], source: str
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The literals in the bytes at `places`, and which of these bytes end a literal.

    A byte has seven bits of the number, lowest first; its eighth bit says that more bytes follow.
    """
    body = array[places]
    last = np.flatnonzero(body < 0x80)
    first = np.concatenate([[0], last[:-1] + 1])[: last.size]
    lengths = last - first + 1
    cut = np.flatnonzero((np.diff(places, append=0) != 1) & (body >= 0x80))
    if cut.size:
        _fail(source, f"offset {places[cut[0]]}", "a number is cut off; expected more bytes")
    numbers = np.zeros(last.size, np.int64)
    for byte in range(min(int(lengths.max(initial=0)), LITERAL_BYTES)):
        longer = lengths > byte
        numbers[longer] |= (body[first[longer] + byte] & 0x7F).astype(np.int64) << (7 * byte)
    wrong = np.flatnonzero((lengths > LITERAL_BYTES) | (numbers < 2) | (numbers > 2 * VARIABLE_LIMIT + 1))
    if wrong.size:
        place = f"offset {places[first[wrong[0]]]}"
        _fail(source, place, "a number that is not a literal; expected 2 or more")
    return np.where(numbers & 1, -(numbers >> 1), numbers >> 1).astype(np.int32), last


def _read_by_arrays(content: bytes) -> Proof | None:
    """The proof in an ordinary text; None for a text that must be read word by word."""
    if re.search(rb"[^-0-9d \t\r\n]", content):
        return None
    array = np.frombuffer(content, np.uint8)
    blank = array <= ord(" ")
    before = np.concatenate([[True], blank[:-1]])[: array.size]
    after = np.concatenate([blank[1:], [True]])[: array.size]
    marks = array == DELETE[0]
    minus = array == ord("-")
    begins = np.flatnonzero(~blank & before)
    lengths = np.flatnonzero(~blank & after) - begins + 1
    plain = before[marks].all() and after[marks].all() and before[minus].all() and not after[minus].any()
    if not plain or (lengths - minus[begins] > VARIABLE_DIGITS).any():
        return None
    is_mark = marks[begins]
    if is_mark.all():  # no numbers at all; NumPy would read blanks alone as a 0
        return None
    numbers = np.fromstring(content.replace(DELETE, b" ").decode("ascii"), np.int64, sep=" ")
    # A mark `d` stands before a step: at the beginning of the text, or after the 0 of another step.
    follows = np.flatnonzero(is_mark) - np.arange(np.count_nonzero(is_mark))
    ends = numbers == 0
    fresh = np.concatenate([[True], ends[:-1]])
    in_range = np.abs(numbers).max() <= VARIABLE_LIMIT
    if not ends[-1] or not in_range or (follows >= numbers.size).any() or not fresh[follows].all():
        return None
    if (np.diff(follows) == 0).any():  # two marks before one step
        return None
    deletes = np.zeros(numbers.size, bool)
    deletes[follows] = True
    return _as_proof(numbers, deletes[fresh])


def _as_proof(numbers: NDArray[np.int64], deletes: NDArray[np.bool_]) -> Proof:
    """The proof whose steps, each ended by a 0, are in `numbers`."""
    ends = np.flatnonzero(numbers == 0)
    starts = np.concatenate([[0], ends - np.arange(ends.size)])
    return Proof(numbers[numbers != 0].astype(np.int32), starts, deletes)


def _read_by_words(content: bytes, source: str) -> Proof:
    """The proof in a text, read word by word; lines that begin with `c` are comments."""
    numbers: list[int] = []
    deletes: list[bool] = []
    fresh, deleting, line = True, False, 1
    for line, word in _words(content):
        if word == DELETE and fresh and not deleting:
            deleting = True
            continue
        is_number = re.fullmatch(rb"-?[0-9]+", word) and len(word) <= VARIABLE_DIGITS + 1
        if not is_number or abs(int(word)) > VARIABLE_LIMIT:
            expected = "a literal or 0" if deleting or not fresh else "`d`, a literal or 0"
            shown = repr(word[:20].decode("ascii", "replace"))
            _fail(source, f"line {line}", f"expected {expected}, found {shown}")
        numbers.append(int(word))
        fresh = numbers[-1] == 0
        if fresh:
            deletes.append(deleting)
            deleting = False
    if deleting or not fresh:
        _fail(source, f"line {line}", "the last step is cut off; expected a 0 at its end")
    return _as_proof(np.array(numbers, np.int64), np.array(deletes, bool))


def _words(content: bytes) -> list[tuple[int, bytes]]:
    """All words of a text outside comments, with their line numbers, counted from 1."""
    lines = ((n, line) for n, line in enumerate(content.split(b"\n"), 1) if line.lstrip()[:1] != b"c")
    return [(number, word) for number, line in lines for word in line.split()]


def _fail(source: str, place: str, message: str) -> NoReturn:
    raise ProofError(place, message, source)
