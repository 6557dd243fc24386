"""DIMACS out, solver output in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encode import Numbering
from gemhunter.cnf.formula import Cnf, Ints
from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.core.solution import Solution
from gemhunter.errors import ModelError

Status = Literal["satisfiable", "unsatisfiable", "unknown"]

_STATUS_WORDS: dict[str, Status] = {
    "SATISFIABLE": "satisfiable",
    "SAT": "satisfiable",
    "UNSATISFIABLE": "unsatisfiable",
    "UNSAT": "unsatisfiable",
    "UNKNOWN": "unknown",
    "INDETERMINATE": "unknown",
}
BLOCK_CLAUSES = 2**15
"""Clauses that are written at once: few enough for their text to stay in the processor's cache."""

_COUNTED = re.compile(r"c counted (\w+) (\d+)")
_NUMBER = re.compile(r"[-+]?\d+")


@dataclass(frozen=True, slots=True)
class SolverOutput:
    """What a solver printed: its status if it named one, the literals of its model, and what it counted.

    Counters are comment lines such as `c counted conflicts 12`, which our own programs write.
    """

    status: Status | None
    model: Ints
    counters: dict[str, int]


def write_dimacs(cnf: Cnf, comments: tuple[str, ...] = ()) -> str:
    """The formula in DIMACS format, with a comment for each variable that is a cell: `c 7 r2c3`."""
    return b"".join(dimacs_blocks(cnf, comments)).decode()


def dimacs_blocks(cnf: Cnf, comments: tuple[str, ...] = ()) -> Iterator[bytes]:
    """The formula in DIMACS format, in blocks of many clauses each: long ones can be stopped in between."""
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
    variables = np.flatnonzero(cnf.positions >= 0)
    row, col = np.divmod(cnf.positions[variables], cnf.cols)
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


def parse_output(text: str) -> SolverOutput:
    """A solver's output: `s` and `v` lines, or MiniSat's result file, or a bare list of literals."""
    status: Status | None = None
    numbers: list[str] = []
    counters: dict[str, int] = {}
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if counted := _COUNTED.fullmatch(line):
            counters[counted[1]] = int(counted[2])
        elif words[0] == "s" or (len(words) == 1 and words[0].upper() in _STATUS_WORDS):
            status = _STATUS_WORDS.get(words[-1].upper(), status)
        elif words[0] == "v":
            numbers += words[1:]
        elif all(map(_NUMBER.fullmatch, words)):
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
    """The solution that a model of `encode(grid, variables=…)` describes; cells it leaves out are gems.

    Variables beyond the cells are those that an encoding added, and are passed over.
    """
    hidden = np.flatnonzero(grid.cells.ravel() == HIDDEN)
    if variables == "hidden":
        return Solution.of_model(model, hidden.size)
    return Solution(Solution.of_model(model, grid.cells.size).traps[hidden])
