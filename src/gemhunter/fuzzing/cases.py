"""What engines are fuzzed with: a board, or a formula, and how either is kept in a file."""

import re
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.dimacs import write_dimacs
from gemhunter.cnf.formula import Cnf
from gemhunter.core.grid import Grid
from gemhunter.errors import InputError
from gemhunter.formats.text import parse_grid

MARK = "%"
"""What a comment begins with in the file of a board; no cell is written so."""

_TOTAL = re.compile(rf"{MARK} traps (\d+)")


@dataclass(frozen=True, slots=True)
class BoardCase:
    """A board, and the total number of traps if that is known."""

    grid: Grid
    total: int | None = None

    suffix = ".txt"

    def text(self, comments: tuple[str, ...] = ()) -> str:
        """The board with comments above it, one of them the total."""
        total = () if self.total is None else (f"traps {self.total}",)
        return "".join(f"{MARK} {line}\n" for line in (*comments, *total)) + f"{self.grid}\n"


@dataclass(frozen=True, slots=True)
class FormulaCase:
    """Clauses over the variables 1..`variables`."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]

    suffix = ".cnf"

    @property
    def cnf(self) -> Cnf:
        """The same as solvers read it, every variable a cell of one row."""
        literals = np.array([literal for clause in self.clauses for literal in clause], np.int32)
        starts = np.cumsum([0, *map(len, self.clauses)], dtype=np.int64)
        return Cnf(literals, starts, np.arange(self.variables), max(self.variables, 1))

    def text(self, comments: tuple[str, ...] = ()) -> str:
        """DIMACS."""
        return write_dimacs(self.cnf, comments)


Case: TypeAlias = BoardCase | FormulaCase


def read_case(text: str, source: str = "case") -> Case:
    """The case in the text of a file that `text` wrote; `InputError` if it is none."""
    if re.search(r"^p cnf ", text, re.MULTILINE):
        return _read_dimacs(text, source)
    lines = text.splitlines()
    totals = [int(found[1]) for line in lines if (found := _TOTAL.fullmatch(line.strip()))]
    board = "\n".join(line for line in lines if not line.startswith(MARK))
    return BoardCase(parse_grid(board, source=source), totals[0] if totals else None)


def _read_dimacs(text: str, source: str) -> FormulaCase:
    lines = [line.split() for line in text.splitlines() if line.strip() and line[0] != "c"]
    try:
        (_, _, variables, size), *rest = lines
        numbers = [int(word) for words in rest for word in words]
        clauses = _clauses(numbers)
        case = FormulaCase(int(variables), clauses)
    except ValueError:
        raise InputError(f"{source}: no DIMACS; expected `p cnf V C` and clauses that end in 0") from None
    if len(clauses) != int(size) or max(map(abs, numbers), default=0) > case.variables:
        raise InputError(f"{source}: the clauses do not agree with `p cnf {variables} {size}`")
    return case


def _clauses(numbers: list[int]) -> tuple[tuple[int, ...], ...]:
    if numbers and numbers[-1] != 0:
        raise ValueError
    clauses: list[tuple[int, ...]] = []
    begin = 0
    for end, number in enumerate(numbers):
        if number == 0:
            clauses.append(tuple(numbers[begin:end]))
            begin = end + 1
    return tuple(clauses)


def all_assignments(size: int) -> NDArray[np.bool_]:
    """Every way to give so many cells or variables a value, one per row."""
    return (np.arange(2**size)[:, None] >> np.arange(size) & 1).astype(bool)
