"""DIMACS out, solver output in."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

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
    lines = [f"c {comment}" for comment in comments]
    cells = np.flatnonzero(cnf.positions >= 0)
    row, col = np.divmod(cnf.positions[cells], cnf.cols)
    named = np.stack([cells + 1, row + 1, col + 1], axis=1).tolist()
    lines += [f"c {variable} r{r}c{c}" for variable, r, c in named]
    lines.append(f"p cnf {cnf.variables} {cnf.size}")
    return "\n".join([*lines, _clause_lines(cnf)])


def _clause_lines(cnf: Cnf) -> str:
    """One line per clause: all literals with a 0 after each clause, turned into words once."""
    ended = np.insert(cnf.literals.astype(np.int64), cnf.starts[1:], 0)
    words = " ".join(map(str, ended.tolist()))
    return f" {words}".replace(" 0", " 0\n").replace("\n ", "\n").lstrip(" ")


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
