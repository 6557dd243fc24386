"""`brute-force`: every way to fill the cells that clues touch, or every assignment of the clauses.

The kernels that try one filling after another come first, then the engine, its limit of attempts and its
events.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import Puzzle, impossible_regions, untouched_cells, wrong_regions
from gemhunter.board.solution import Solution
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.backtracking import check_clauses
from gemhunter.errors import InputError
from gemhunter.jit.arrays import Ints, Words
from gemhunter.jit.codes import EXHAUSTED, FOUND, MORE
from gemhunter.jit.kernel import kernel
from gemhunter.solving.conflicts import CLUE_CANNOT_HOLD
from gemhunter.solving.engine import (
    CLAUSE_MODE,
    CnfEngine,
    Engine,
    EngineInfo,
    FirstValue,
    SatAnswer,
    Satisfied,
    Unsatisfiable,
    defaults,
    name_with,
    read_settings,
    without_word,
)
from gemhunter.solving.events import (
    AllTried,
    AssignmentTried,
    AttemptsSpent,
    Event,
    FillingTried,
    ModelFound,
)
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run

# Brute force: all solutions of a few cells, or all assignments of a formula, one after another.


@kernel(estimate=lambda *arguments: 1.5e-6 * arguments[-1])
def try_solutions(
    change: Words, target: Words, counts: Words, number: int, counting: bool, attempts: int
) -> int:
    """Try `attempts` solutions from `number` on: the one that fits, or the one after the last tried.

    `counts` has the traps in every region, packed side by side into words; a solution fits if that is
    `target`. On return `counts` belongs to the solution whose number is returned. A solution whose number
    ends in b zeros differs from the one before by `change[b]`. In Gray-code order that is what cell b adds,
    and it is subtracted if bit b + 1 of the number is set. With `counting` it is what cell b adds less what
    all cells below b add, as a carry does.
    """
    words = target.size
    for _ in range(attempts):
        fits = True
        for word in range(words):
            if counts[word] != target[word]:
                fits = False
                break
        if fits:
            return number
        number += 1
        zeros = 0
        while not (number >> zeros) & 1:
            zeros += 1
        if not counting and ((number >> zeros) >> 1) & 1:
            for word in range(words):
                counts[word] -= change[zeros, word]
        else:
            for word in range(words):
                counts[word] += change[zeros, word]
    return number


@kernel(estimate=lambda literals, *more: (5e-6 + 1e-7 * literals.size) * more[-1])
def try_assignments(
    literals: NDArray[np.int32],
    starts: NDArray[np.int64],
    value: NDArray[np.int8],
    tried: NDArray[np.int64],
    first: int,
    attempts: int,
) -> int:
    """Try at most `attempts` assignments, beginning with `value`, and count them in `tried[0]`.

    Clause i is `literals[starts[i]:starts[i+1]]` over variables counted from 1; `value[v-1]` is 1 if v is
    true. FOUND if `value` satisfies all clauses, EXHAUSTED after the last assignment, otherwise MORE.
    """
    for _ in range(attempts):
        tried[0] += 1
        if satisfies(literals, starts, value):
            return FOUND
        if not count_on(value, first):
            return EXHAUSTED
    return MORE


@kernel
def satisfies(literals: NDArray[np.int32], starts: NDArray[np.int64], value: NDArray[np.int8]) -> bool:
    """Whether every clause has a true literal."""
    for clause in range(starts.size - 1):
        is_true = False
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            is_true = (value[abs(literal) - 1] == 1) == (literal > 0)
            if is_true:
                break
        if not is_true:
            return False
    return True


@kernel
def count_on(value: NDArray[np.int8], first: int) -> bool:
    """Go to the next assignment, the last variable changing fastest; False after the last assignment.

    The first assignment gives every variable the value `first`.
    """
    for i in range(value.size - 1, -1, -1):
        if value[i] == first:
            value[i] = 1 - first
            return True
        value[i] = first
    return False


# `brute-force`: every way to fill the cells that clues touch, or every assignment of the clauses.


Order = Literal["gray", "counting"]

BRUTE_FORCE_MODES = (CLAUSE_MODE,)
"""What the list of engines shows after the colon."""

BRUTE_FORCE_ON_CLAUSES = f"brute-force:{CLAUSE_MODE}"

ENUMERATION_ORDERS: dict[Order, str] = {
    "gray": "one flipped cell at a time",
    "counting": "as numbers are counted",
}

LARGEST_MOVING = 62
"""How many cells ever change: with more, the number of a solution does not fit into a machine word."""

FIRST_SLICE_ATTEMPTS = 200_000

FIRST_SLICE_CHECKED_LITERALS = 100_000
"""Literals to look at, at most, before the first look at the clock."""


def make_engine(argument: str) -> Engine:
    """The engine with the settings in `argument`, the others at their defaults."""
    rest = without_word(argument, CLAUSE_MODE)
    if rest is None:
        return read_settings(BruteForce, "brute-force", argument, also=BRUTE_FORCE_MODES)
    return CnfEngine(read_settings(ClauseBruteForce, BRUTE_FORCE_ON_CLAUSES, rest), variables="all")


@dataclass(frozen=True, slots=True)
class BruteForce:
    """Tries the 2^n ways to fill the n cells that a clue touches, at most `attempts` of them; 0 means all.

    `value` is what every cell is in the first of them. With the order `counting`, the last cell in reading
    order changes fastest.
    """

    order: Order = "gray"
    value: FirstValue = "gem"
    attempts: int = 2_000_000

    def __post_init__(self) -> None:
        _require_attempts("brute-force", self.attempts)

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        return EngineInfo(
            name_with("brute-force", self),
            f"tries assignments, {ENUMERATION_ORDERS[self.order]}, {_attempts_text(self.attempts)}",
            complete=not self.attempts,
            step="attempt",
            memory_limit=True,
            settings=defaults(BruteForce),
        )

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Try candidates in slices."""
        if impossible_regions(puzzle).size:
            return Refuted(CLUE_CANNOT_HOLD)
        cells, moving = self._cells(puzzle)
        if not run.fits(_bytes(puzzle, moving.size)):
            return GaveUp(StopReason.MEMORY)
        candidates = _Candidates(puzzle, moving, self)
        change, target, counts = candidates.packed()
        sizes = run.slice_sizes(FIRST_SLICE_ATTEMPTS)
        end = 2**moving.size
        cap = min(self.attempts or end, end)
        number = 0
        while True:
            steps = min(run.slice(next(sizes)), cap - number)
            reached = int(try_solutions(change, target, counts, number, self.order == "counting", steps))
            found = reached < number + steps
            tried = reached - number + found
            number = reached
            run.count(attempts=tried)
            limit = run.spend(tried)
            if found:
                return Solved(candidates.solution(cells, number))
            if number == end and moving.size == cells.size:
                return Refuted(f"none of all {end:,} assignments satisfies all clues")
            if limit is not None or number == cap:
                detail = f"{number:,} of 2^{cells.size} assignments tried"
                return GaveUp(limit or StopReason.ATTEMPTS, detail)

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """Every candidate, with the first clue that it breaks; the last event is the answer."""
        cells, moving = self._cells(puzzle)
        candidates = _Candidates(puzzle, moving, self)
        change, target, counts = candidates.packed()
        end = 2**moving.size
        cap = min(self.attempts or end, end)
        number = 0
        while number < cap:
            traps = candidates.solution(cells, number).traps
            literals = np.where(traps[cells], cells + 1, -cells - 1)
            reached = int(try_solutions(change, target, counts, number, self.order == "counting", 1))
            found = reached == number
            wrong = None if found else int(wrong_regions(puzzle, traps)[0])
            yield FillingTried(number + 1, tuple(literals.tolist()), wrong)
            if found:
                yield ModelFound()
                return
            number = reached
        yield AllTried(end) if number == end and moving.size == cells.size else AttemptsSpent(cap)

    def _cells(self, puzzle: Puzzle) -> tuple[Ints, Ints]:
        """The cells that are filled, and those that ever change, the fastest first."""
        cells = np.flatnonzero(~untouched_cells(puzzle))
        return cells, (cells if self.order == "gray" else cells[::-1])[:LARGEST_MOVING]


@dataclass(frozen=True, slots=True)
class ClauseBruteForce:
    """Tries the 2^n assignments of n variables in counting order, at most `attempts` of them; 0 means all.

    `value` is what every variable is in the first assignment; the last variable changes fastest.
    """

    value: FirstValue = "trap"
    attempts: int = 0

    def __post_init__(self) -> None:
        _require_attempts(BRUTE_FORCE_ON_CLAUSES, self.attempts)

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with(BRUTE_FORCE_ON_CLAUSES, self),
            f"tries assignments of all cells on the clauses, {_attempts_text(self.attempts)}",
            complete=not self.attempts,
            step="attempt",
            memory_limit=True,
            settings=defaults(ClauseBruteForce),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Count through the assignments."""
        if not run.fits(cnf.literals.nbytes + cnf.starts.nbytes + cnf.cell_indexes.nbytes + cnf.variables):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        first = int(self.value == "trap")
        value, tried = np.full(cnf.variables, first, np.int8), np.zeros(1, np.int64)
        sizes = run.slice_sizes(max(FIRST_SLICE_CHECKED_LITERALS // max(cnf.literals.size, 1), 1))
        while True:
            before = int(tried[0])
            steps = run.slice(next(sizes))
            if self.attempts:
                steps = min(steps, self.attempts - before)
            code = try_assignments(cnf.literals, cnf.starts, value, tried, first, steps)
            done = int(tried[0]) - before
            run.count(attempts=done)
            limit = run.spend(done)
            if code == FOUND:
                return Satisfied(_model(value))
            if code == EXHAUSTED:
                return Unsatisfiable()
            if limit is not None or tried[0] == self.attempts:
                detail = f"{tried[0]:,} of 2^{cnf.variables} assignments tried"
                return GaveUp(limit or StopReason.ATTEMPTS, detail)

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Every assignment, with the first clause that is false; the last event is the answer."""
        first = int(self.value == "trap")
        value, tried = np.full(cnf.variables, first, np.int8), np.zeros(1, np.int64)
        code = MORE
        while code == MORE and not 0 < self.attempts <= tried[0]:
            literals = tuple(_model(value).tolist())
            false = int(check_clauses(cnf.literals, cnf.starts, value))
            clause = cnf.literals[cnf.starts[false] : cnf.starts[false + 1]] if false >= 0 else None
            code = try_assignments(cnf.literals, cnf.starts, value, tried, first, 1)
            yield AssignmentTried(int(tried[0]), literals, None if clause is None else tuple(clause.tolist()))
        if code == FOUND:
            yield ModelFound()
        else:
            yield AllTried(int(tried[0])) if code == EXHAUSTED else AttemptsSpent(self.attempts)


def _require_attempts(engine: str, attempts: int) -> None:
    """Raise `InputError` if `attempts` is negative."""
    if attempts < 0:
        raise InputError(f"{engine}: attempts is a whole number, 0 for no limit, not {attempts}")


def _attempts_text(attempts: int) -> str:
    """The largest number of attempts, in words."""
    return f"at most {attempts:,} of them" if attempts else "all of them"


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Candidates by number: bit b says whether cell `moving[b]` is as in the first candidate."""

    puzzle: Puzzle
    moving: Ints
    settings: BruteForce

    @property
    def first(self) -> int:
        """How many traps a cell has in the first candidate."""
        return int(self.settings.value == "trap")

    def packed(self) -> tuple[Words, Words, Words]:
        """The arrays of `try_solutions`, for the regions that have a moving cell.

        If another region is wrong, no candidate fits: then a word in front never becomes its target.
        """
        puzzle = self.puzzle
        live = _regions_with(puzzle, self.moving)
        word, shift = _fields(puzzle.sizes[live])
        others = np.delete(np.arange(puzzle.sizes.size), live)
        hopeless = int((puzzle.traps[others] != self.first * puzzle.sizes[others]).any())
        words = int(word.max(initial=0)) + 1 + hopeless
        ones = np.zeros((self.moving.size, words), np.uint64)
        target, counts = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
        target[0] = hopeless
        bit_of = {int(cell): bit for bit, cell in enumerate(self.moving)}
        for region, at, low in zip(live.tolist(), (word + hopeless).tolist(), shift.tolist(), strict=True):
            target[at] += np.uint64(int(puzzle.traps[region]) << low)
            counts[at] += np.uint64(int(puzzle.sizes[region]) * self.first << low)
            for cell in puzzle.region(region).tolist():
                if cell in bit_of:
                    ones[bit_of[cell], at] += np.uint64(1 << low)
        return self._changes(ones), target, counts

    def _changes(self, ones: Words) -> Words:
        """What a number with b zeros at its end adds to the counts, from what a trap in each cell adds."""
        # One row more than there are cells, for the step past the last candidate.
        change = np.zeros((ones.shape[0] + 1, ones.shape[1]), np.uint64)
        change[:-1] = np.uint64(0) - ones if self.first else ones
        if self.settings.order == "counting":
            change[1:-1] -= np.cumsum(change[:-2], axis=0, dtype=np.uint64)
        return change

    def solution(self, cells: Ints, number: int) -> Solution:
        """The candidate with this number."""
        traps = np.zeros(self.puzzle.hidden.size, bool)
        traps[cells] = bool(self.first)
        flipped = number if self.settings.order == "counting" else number ^ (number >> 1)
        bits = [bool(flipped >> bit & 1) for bit in range(self.moving.size)]
        traps[self.moving] ^= np.array(bits, bool)
        return Solution(traps)


def _bytes(puzzle: Puzzle, moving: int) -> int:
    """How many bytes the search takes at most: arrays to find its regions, and the packed counts.

    A cell is in at most eight regions and the total. At least three counts fit into a word.
    """
    words = min(puzzle.sizes.size, 8 * moving + 1) // 3 + 2
    return 9 * puzzle.cells.size + 32 * puzzle.sizes.size + 8 * (2 * moving + 4) * words


def _regions_with(puzzle: Puzzle, cells: Ints) -> Ints:
    """The regions that have one of these cells."""
    chosen = np.zeros(puzzle.hidden.size, bool)
    chosen[cells] = True
    before = np.concatenate([[0], np.cumsum(chosen[puzzle.cells])])
    return np.flatnonzero(before[puzzle.starts[1:]] > before[puzzle.starts[:-1]])


def _fields(sizes: Ints) -> tuple[Ints, Ints]:
    """The word of each region's field, and the lowest bit of it; a field never spans two words.

    A region of s cells gets a field just wide enough for the number s.
    """
    word = np.zeros(sizes.size, np.int64)
    shift = np.zeros(sizes.size, np.int64)
    at, used = 0, 0
    for region, size in enumerate(sizes.tolist()):
        width = max(size.bit_length(), 1)
        if used + width > 64:
            at, used = at + 1, 0
        word[region], shift[region] = at, used
        used += width
    return word, shift


def _model(value: NDArray[np.int8]) -> NDArray[np.int64]:
    variables = np.arange(1, value.size + 1)
    return np.where(value == 1, variables, -variables)
