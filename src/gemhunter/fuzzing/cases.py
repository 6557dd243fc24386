"""What engines are fuzzed with: boards and formulas, in files, random ones, and smaller ones of each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gemhunter.cnf.dimacs import write_dimacs
from gemhunter.cnf.formula import Cnf
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.core.trap_maps import grid_from_traps
from gemhunter.errors import InputError
from gemhunter.formats.text import parse_grid

COMMENT_MARK = "%"
"""What a comment begins with in the file of a board; no cell is written so."""

_TOTAL_COMMENT = re.compile(rf"{COMMENT_MARK} traps (\d+)")

BOARD_SHAPES = ((1, 1), (1, 3), (1, 9), (7, 1), (2, 3), (3, 4), (4, 3), (4, 5), (5, 5), (3, 9), (7, 6))

MOST_VARIABLES = 10


@dataclass(frozen=True, slots=True)
class BoardCase:
    """A board, and the total number of traps if that is known."""

    grid: Grid
    total: int | None = None

    suffix = ".txt"

    def text(self, comments: tuple[str, ...] = ()) -> str:
        """The board with comments above it, one of them the total."""
        total = () if self.total is None else (f"traps {self.total}",)
        return "".join(f"{COMMENT_MARK} {line}\n" for line in (*comments, *total)) + f"{self.grid}\n"


@dataclass(frozen=True, slots=True)
class FormulaCase:
    """Clauses over the variables 1..`variables`."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]

    suffix = ".cnf"

    @property
    def cnf(self) -> Cnf:
        """The formula as solvers read it, every variable a cell of one row."""
        literals = np.array([literal for clause in self.clauses for literal in clause], np.int32)
        starts = np.cumsum([0, *map(len, self.clauses)], dtype=np.int64)
        return Cnf(literals, starts, np.arange(self.variables), max(self.variables, 1))

    def text(self, comments: tuple[str, ...] = ()) -> str:
        """DIMACS."""
        return write_dimacs(self.cnf, comments)


Case: TypeAlias = BoardCase | FormulaCase


def read_case(text: str, source: str = "case") -> Case:
    """The case in the text of a file that `text` wrote; `InputError` if the text is not a case."""
    if re.search(r"^p cnf ", text, re.MULTILINE):
        return _read_dimacs(text, source)
    lines = text.splitlines()
    totals = [int(found[1]) for line in lines if (found := _TOTAL_COMMENT.fullmatch(line.strip()))]
    board = "\n".join(line for line in lines if not line.startswith(COMMENT_MARK))
    return BoardCase(parse_grid(board, source=source), totals[0] if totals else None)


def _read_dimacs(text: str, source: str) -> FormulaCase:
    lines = [line.split() for line in text.splitlines() if line.strip() and line[0] != "c"]
    try:
        (_, _, variables, size), *rest = lines
        numbers = [int(word) for words in rest for word in words]
        clauses = _clauses(numbers)
        case = FormulaCase(int(variables), clauses)
    except ValueError:
        raise InputError(
            f"{source}: not a formula in DIMACS; expected `p cnf V C` and clauses that end in 0"
        ) from None
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
    """Every way to give `size` cells or variables a value, one per row."""
    return (np.arange(2**size)[:, None] >> np.arange(size) & 1).astype(bool)


def make_board(random: Generator) -> BoardCase:
    """Planted traps, shown in some pattern; sometimes spoiled, given away in places, or with a total."""
    rows, cols = BOARD_SHAPES[random.integers(len(BOARD_SHAPES))]
    traps = random.random((rows, cols)) < random.choice([0.0, 0.15, 0.2, 0.35, 0.35, 0.4, 0.6, 1.0])
    codes = grid_from_traps(traps, _shown(random, rows, cols)).cells.copy()
    codes = _with_known_cells(random, codes, traps)
    for _ in range(int(random.choice([0, 1, 3], p=[0.5, 0.4, 0.1]))):
        codes = _with_a_clue_changed(random, codes)
    return BoardCase(Grid(codes), _total(random, int(traps.sum())))


def make_formula(random: Generator) -> FormulaCase:
    """Clauses of mixed lengths; some are tautologies, repeated or empty, and some variables unused."""
    variables = int(random.integers(0, MOST_VARIABLES + 1))
    longest = int(random.integers(1, 5))
    size = int(random.integers(0, 5 * variables + 3)) if variables else 0
    clauses = [_clause(random, variables, longest) for _ in range(size)]
    if clauses and random.random() < 0.3:
        clauses += [clauses[random.integers(len(clauses))] for _ in range(3)]
    if random.random() < 0.03:
        clauses.insert(int(random.integers(len(clauses) + 1)), ())
    unused = int(random.integers(0, 4)) if random.random() < 0.2 else 0
    return FormulaCase(variables + unused, tuple(clauses))


def _shown(random: Generator, rows: int, cols: int) -> NDArray[np.bool_]:
    """Dense, sparse, a lattice, or nothing in one half."""
    down, right = np.indices((rows, cols))
    kind = random.integers(4)
    shown: NDArray[np.bool_] = (down % 2 == 0) & (right % 2 == 0)
    if kind > 0:
        shown = random.random((rows, cols)) < (0.75, 0.5, 0.2)[kind - 1]
    return shown & (right < cols / 2) if random.random() < 0.15 else shown


def _with_known_cells(
    random: Generator, codes: NDArray[np.int8], traps: NDArray[np.bool_]
) -> NDArray[np.int8]:
    """Some hidden cells say what they are."""
    share = random.choice([0.0, 0.0, 0.0, 0.2, 0.2, 0.9])
    given = (codes == HIDDEN) & (random.random(codes.shape) < share)
    return np.where(given, np.where(traps, TRAP, GEM), codes).astype(np.int8)


def _with_a_clue_changed(random: Generator, codes: NDArray[np.int8]) -> NDArray[np.int8]:
    clues = np.argwhere(codes >= 0)
    if clues.size:
        row, col = clues[random.integers(len(clues))]
        codes[row, col] = np.clip(codes[row, col] + random.choice([-2, -1, 1, 2, 5]), 0, 8)
    return codes


def _total(random: Generator, right: int) -> int | None:
    """No total, the right one, one that is a little off, or any."""
    kind = random.integers(6)
    if kind < 3:
        return None
    return (right, max(right + int(random.choice([-1, 1])), 0), int(random.integers(0, 60)))[kind - 3]


def _clause(random: Generator, variables: int, longest: int) -> tuple[int, ...]:
    size = int(random.integers(1, longest + 1))
    names = random.integers(1, variables + 1, size)
    return tuple((names * random.choice([-1, 1], size)).tolist())


def smaller_cases(case: Case) -> Iterator[Case]:
    """Boards and formulas with one thing less in them."""
    return _smaller_boards(case) if isinstance(case, BoardCase) else _smaller_formulas(case)


def _smaller_boards(case: BoardCase) -> Iterator[BoardCase]:
    """Without a row, a column or the total; with a shown cell unknown, a clue or the total one lower."""
    codes = case.grid.cells
    for axis in (0, 1):
        for index in range(codes.shape[axis] if codes.shape[axis] > 1 else 0):
            yield BoardCase(Grid(np.delete(codes, index, axis)), case.total)
    if case.total is not None:
        yield BoardCase(case.grid)
    if case.total:
        yield BoardCase(case.grid, case.total - 1)
    for row, col in np.argwhere(codes != HIDDEN).tolist():
        hidden = codes.copy()
        hidden[row, col] = HIDDEN
        yield BoardCase(Grid(hidden), case.total)
    for row, col in np.argwhere(codes > 0).tolist():
        lower = codes.copy()
        lower[row, col] -= 1
        yield BoardCase(Grid(lower), case.total)


def _smaller_formulas(case: FormulaCase) -> Iterator[FormulaCase]:
    """Without a clause or a literal, or with only the variables that are used, renumbered."""
    clauses = case.clauses
    for index in range(len(clauses)):
        yield FormulaCase(case.variables, (*clauses[:index], *clauses[index + 1 :]))
    for index, clause in enumerate(clauses):
        for place in range(len(clause)):
            shorter = (*clause[:place], *clause[place + 1 :])
            yield FormulaCase(case.variables, (*clauses[:index], shorter, *clauses[index + 1 :]))
    used = sorted({abs(literal) for clause in clauses for literal in clause})
    if len(used) < case.variables:
        name = {old: new for new, old in enumerate(used, 1)}
        named = (tuple(name[abs(x)] * (1 if x > 0 else -1) for x in clause) for clause in clauses)
        yield FormulaCase(len(used), tuple(named))
