"""`brute-force`: every way to fill the cells that clues touch, or every assignment of the clauses.

Read `try_solutions` and `try_assignments` first: they try one candidate after another. Above them are the
engines with their settings and events; `_Candidates` numbers the ways to fill a board, and packs its regions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gemhunter.board.puzzle import Puzzle, Solution, impossible_regions, untouched_cells, wrong_regions
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.backtracking import check_clauses, model_of
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Ints, Shorts, Signs, Words, kernel
from gemhunter.jit.search_state import EXHAUSTED, FOUND, MORE
from gemhunter.solving.engine import CnfEngine, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.events import AllTried, AssignmentTried, AttemptsSpent, Event, FillingTried, ModelFound
from gemhunter.solving.outcomes import CLUE_CANNOT_HOLD, GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run
from gemhunter.solving.settings import (
    CLAUSE_MODE,
    FirstValue,
    defaults,
    name_with,
    read_settings,
    without_word,
)

Order = Literal["gray", "counting"]

BRUTE_FORCE_ON_CLAUSES = f"brute-force:{CLAUSE_MODE}"


def make_engine(argument: str) -> Engine:
    """The engine with the settings in `argument`, the others at their defaults."""
    rest = without_word(argument, CLAUSE_MODE)
    if rest is None:
        return read_settings(BruteForce, "brute-force", argument, also=(CLAUSE_MODE,))
    return CnfEngine(read_settings(ClauseBruteForce, BRUTE_FORCE_ON_CLAUSES, rest), variables="all")


@dataclass(frozen=True, slots=True)
class BruteForce:
    """Tries the 2^n ways to fill the n cells that a clue touches, at most `attempts` of them; 0 means all.

    In the first of them, every cell is `value`. With the order `counting`, the last cell in reading order
    changes fastest.
    """

    order: Order = "gray"
    value: FirstValue = "gem"
    attempts: int = 2_000_000

    def __post_init__(self) -> None:
        _require_attempts("brute-force", self.attempts)

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        order = {"gray": "flipping one cell at a time", "counting": "as numbers are counted"}[self.order]
        return EngineInfo(
            name_with("brute-force", self),
            f"tries assignments, {order}, {_attempts_text(self.attempts)}",
            complete=not self.attempts,
            step="attempt",
            memory_limit=True,
            settings=defaults(BruteForce),
        )

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Try candidates in slices."""
        if impossible_regions(puzzle).size:
            return Refuted(CLUE_CANNOT_HOLD)
        candidates = _Candidates(puzzle, self)
        all_cells, moving, cap = candidates.cells.size, candidates.moving.size, candidates.cap
        # The packed counts, of which at least three fit into a word, and the arrays to find their regions. A
        # cell is in at most eight regions and the total.
        words = min(puzzle.sizes.size, 8 * moving + 1) // 3 + 2
        size = 9 * puzzle.cells.size + 32 * puzzle.sizes.size + 8 * (2 * moving + 4) * words
        if not run.fits(size):
            return GaveUp(StopReason.MEMORY)
        change, target, counts = candidates.packed()
        sizes = run.slice_sizes(200_000)
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
                return Solved(candidates.solution(number))
            if number == 2**all_cells:
                return Refuted(f"none of all {number:,} assignments satisfies all clues")
            if limit is not None or number == cap:
                detail = f"{number:,} of 2^{all_cells} assignments tried"
                return GaveUp(limit or StopReason.ATTEMPTS, detail)

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """Every candidate, with the first clue that it breaks; the last event is the answer."""
        candidates = _Candidates(puzzle, self)
        cells, cap = candidates.cells, candidates.cap
        change, target, counts = candidates.packed()
        number = 0
        while number < cap:
            traps = candidates.solution(number).traps
            literals = np.where(traps[cells], cells + 1, -cells - 1)
            reached = int(try_solutions(change, target, counts, number, self.order == "counting", 1))
            found = reached == number
            wrong = None if found else int(wrong_regions(puzzle, traps)[0])
            yield FillingTried(number + 1, tuple(literals.tolist()), wrong)
            if found:
                yield ModelFound()
                return
            number = reached
        yield AllTried(number) if number == 2**cells.size else AttemptsSpent(cap)


@dataclass(frozen=True, slots=True)
class ClauseBruteForce:
    """Tries the 2^n assignments of n variables in counting order, at most `attempts` of them; 0 means all.

    In the first of them, every variable is `value`; the last variable changes fastest.
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
        if not run.fits(cnf.nbytes + cnf.variables):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        first = int(self.value == "trap")
        value, tried = np.full(cnf.variables, first, np.int8), np.zeros(1, np.int64)
        # At most 100,000 literals are looked at before the first look at the clock.
        sizes = run.slice_sizes(max(100_000 // max(cnf.literals.size, 1), 1))
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
                return Satisfied(model_of(value))
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
            literals = tuple(model_of(value).tolist())
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
        raise InputError(f"{engine}: attempts must be ≥ 0 (0 means no limit), not {attempts}")


def _attempts_text(attempts: int) -> str:
    """The largest number of attempts, in words."""
    return f"at most {attempts:,} of them" if attempts else "all of them"


# The search on a board: candidates by number, and the traps of all regions counted side by side.


@kernel(estimate=lambda *arguments: 1.5e-6 * arguments[-1])
def try_solutions(
    change: Words, target: Words, counts: Words, number: int, counting: bool, attempts: int
) -> int:
    """Try `attempts` candidates from `number` on; return the one that fits, or the one after the last tried.

    `counts` has the traps in every region, packed side by side into words; a candidate fits if that equals
    `target`. On return, `counts` belongs to the candidate whose number is returned. A candidate whose number
    ends in b zeros differs from the one before by `change[b]`. In Gray-code order, that is what cell b adds,
    and it is subtracted if bit b + 1 of the number is set. With `counting`, it is what cell b adds less what
    all cells below b add: the carry.
    """
    words = target.size
    for _ in range(attempts):
        # The counts of all regions are compared a word at a time.
        fits = True
        for word in range(words):
            if counts[word] != target[word]:
                fits = False
                break
        if fits:
            return number
        # Go to the next number; the zeros at its end say which cell changes, and by that which counts.
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


class _Candidates:
    """Candidates by number: its bit b, or that of its Gray code, says whether `moving[b]` is flipped."""

    def __init__(self, puzzle: Puzzle, settings: BruteForce) -> None:
        self._puzzle, self._is_counting = puzzle, settings.order == "counting"
        self._first = int(settings.value == "trap")
        self.cells = np.flatnonzero(~untouched_cells(puzzle))
        # With more than 62 moving cells, the number of a candidate does not fit into a machine word.
        self.moving = (self.cells[::-1] if self._is_counting else self.cells)[:62]
        self.cap = min(settings.attempts or 2**62, 2**self.moving.size)

    def packed(self) -> tuple[Words, Words, Words]:
        """The arrays of `try_solutions`, for the regions that have a moving cell.

        If another region is wrong, no candidate fits: then a first word is added that never meets its target.
        """
        puzzle = self._puzzle
        is_moving = np.zeros(puzzle.hidden.size, bool)
        is_moving[self.moving] = True
        before = np.concatenate([[0], np.cumsum(is_moving[puzzle.cells])])
        live = np.flatnonzero(before[puzzle.starts[1:]] > before[puzzle.starts[:-1]])
        word, shift = _fields(puzzle.sizes[live])
        others = np.delete(np.arange(puzzle.sizes.size), live)
        hopeless = int((puzzle.traps[others] != self._first * puzzle.sizes[others]).any())
        words = int(word.max(initial=0)) + 1 + hopeless
        ones = np.zeros((self.moving.size, words), np.uint64)
        target, counts = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
        target[0] = hopeless
        bit_of = {int(cell): bit for bit, cell in enumerate(self.moving)}
        for region, at, low in zip(live.tolist(), (word + hopeless).tolist(), shift.tolist(), strict=True):
            target[at] += np.uint64(int(puzzle.traps[region]) << low)
            counts[at] += np.uint64(int(puzzle.sizes[region]) * self._first << low)
            for cell in puzzle.region(region).tolist():
                if cell in bit_of:
                    ones[bit_of[cell], at] += np.uint64(1 << low)
        # What a number with b zeros at its end adds, and one row more for the step past the last candidate.
        change = np.zeros((self.moving.size + 1, words), np.uint64)
        change[:-1] = np.uint64(0) - ones if self._first else ones
        if self._is_counting:
            change[1:-1] -= np.cumsum(change[:-2], axis=0, dtype=np.uint64)
        return change, target, counts

    def solution(self, number: int) -> Solution:
        """The candidate with this number."""
        traps = np.zeros(self._puzzle.hidden.size, bool)
        traps[self.cells] = bool(self._first)
        flipped = number if self._is_counting else number ^ (number >> 1)
        bits = [bool(flipped >> bit & 1) for bit in range(self.moving.size)]
        traps[self.moving] ^= np.array(bits, bool)
        return Solution(traps)


def _fields(sizes: Ints) -> tuple[Ints, Ints]:
    """The word of each region's field and its lowest bit in it; a field never spans two words.

    The field of a region of s cells is just wide enough for the number s.
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


# The search on clauses.


@kernel(estimate=lambda literals, *more: (5e-6 + 1e-7 * literals.size) * more[-1])
def try_assignments(
    literals: Shorts, starts: Ints, value: Signs, tried: Ints, first: int, attempts: int
) -> int:
    """Try at most `attempts` assignments, beginning with `value`, and count them in `tried[0]`.

    Clause i is `literals[starts[i]:starts[i+1]]` over variables counted from 1; `value[v-1]` is 1 if v is
    true. Returns FOUND if `value` satisfies all clauses, EXHAUSTED after the last assignment, otherwise MORE.
    """
    for _ in range(attempts):
        tried[0] += 1
        if satisfies(literals, starts, value):
            return FOUND
        if not count_on(value, first):
            return EXHAUSTED
    return MORE


@kernel
def satisfies(literals: Shorts, starts: Ints, value: Signs) -> bool:
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
def count_on(value: Signs, first: int) -> bool:
    """Go to the next assignment, the last variable changing fastest; False after the last assignment.

    The first assignment gives every variable the value `first`.
    """
    for i in range(value.size - 1, -1, -1):
        if value[i] == first:
            value[i] = 1 - first
            return True
        value[i] = first
    return False
