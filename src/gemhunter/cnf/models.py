"""Models: what solvers print, the solution that a model describes, and whether it satisfies a formula.

Models are checked here without any code of the engines, which find them.
"""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gemhunter.cnf.encode import Numbering
from gemhunter.cnf.formula import Cnf, Ints
from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.core.solution import Solution
from gemhunter.errors import ModelError

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
