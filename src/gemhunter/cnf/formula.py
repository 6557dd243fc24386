"""The formula: clauses in flat arrays, and the cell that each variable stands for."""

import gc
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.array_values import ReadOnlyArrays
from gemhunter.board.grid import Cell
from gemhunter.jit.kernel import Ints

Literals = NDArray[np.int32]

Integer = TypeVar("Integer", np.int32, np.int64)

AUXILIARY = -1
"""Marks in `Cnf.cell_indexes` a variable that an encoding added and that stands for no cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Cnf(ReadOnlyArrays):
    """Clause i is `literals[starts[i]:starts[i+1]]`; literal v says that variable v is true, -v the opposite.

    Variable v, counted from 1, is true if and only if the cell with index `cell_indexes[v-1]`, on a board
    with `cols` columns, is a trap; auxiliary variables come last.
    """

    literals: Literals
    starts: Ints
    cell_indexes: Ints
    cols: int

    @property
    def variables(self) -> int:
        """How many variables there are, including auxiliary ones."""
        return int(self.cell_indexes.size)

    @property
    def size(self) -> int:
        """How many clauses there are."""
        return int(self.starts.size - 1)

    @property
    def nbytes(self) -> int:
        """How many bytes its arrays take."""
        return self.literals.nbytes + self.starts.nbytes + self.cell_indexes.nbytes

    def clauses(self) -> list[list[int]]:
        """The clauses as lists of Python integers, the way PySAT wants them."""
        # The garbage collector would scan a million new lists again and again, and free none.
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return list(map(list, self.each_clause()))
        finally:
            if was_enabled:
                gc.enable()

    def each_clause(self) -> Iterable[Sequence[int]]:
        """The clauses one after the other, as Python integers."""
        flat = self.literals.tolist()
        return (flat[start:end] for start, end in pairwise(self.starts.tolist()))

    def cell(self, variable: int) -> Cell | None:
        """The cell of a variable, or None for an auxiliary one."""
        index = int(self.cell_indexes[variable - 1])
        return None if index == AUXILIARY else Cell(*divmod(index, self.cols))


class ListedCnf(Cnf):
    """A formula whose clauses are tuples; its arrays are only made if used, which small boards rarely do."""

    __match_args__ = ("_clauses", "cell_indexes", "cols")

    _clauses: Sequence[tuple[int, ...]]

    def __init__(self, clauses: Sequence[tuple[int, ...]], cell_indexes: Ints, cols: int) -> None:
        object.__setattr__(self, "_clauses", clauses)
        object.__setattr__(self, "cell_indexes", _frozen(cell_indexes))
        object.__setattr__(self, "cols", cols)

    @cached_property
    def literals(self) -> Literals:
        """The literals of all clauses, one clause after the other."""
        return _frozen(np.fromiter(chain.from_iterable(self._clauses), np.int32))

    @cached_property
    def starts(self) -> Ints:
        """Where in `literals` each clause begins, and the end of the last."""
        return _frozen(np.fromiter(accumulate(map(len, self._clauses), initial=0), np.int64))

    @property
    def size(self) -> int:
        """How many clauses there are."""
        return len(self._clauses)

    def each_clause(self) -> Iterable[Sequence[int]]:
        """The clauses one after the other, as Python integers."""
        return self._clauses


def _frozen(array: NDArray[Integer]) -> NDArray[Integer]:
    array.setflags(write=False)
    return array


def without_duplicates(literals: Literals, starts: Ints) -> tuple[Literals, Ints]:
    """The clauses without repetitions, in order of first occurrence; the literals of each must be sorted.

    Sorting fingerprints is many times faster than sorting clauses, so only clauses that may share theirs with
    another are compared in full.
    """
    prints = fingerprints(literals, starts)
    suspects = np.flatnonzero(may_repeat(prints))
    suspects = suspects[np.argsort(prints[suspects], kind="stable")]
    earlier, later = suspects[:-1], suspects[1:]
    alike = prints[earlier] == prints[later]
    earlier, later = earlier[alike], later[alike]
    sizes = np.diff(starts)
    keep = np.ones(sizes.size, bool)
    if _all_equal(literals, starts, earlier, later):
        keep[later] = False
    else:
        keep[_repeats_among(suspects, literals, starts)] = False
    return literals[np.repeat(keep, sizes)], np.concatenate([[0], np.cumsum(sizes[keep])])


def fingerprints(literals: Literals, starts: Ints) -> NDArray[np.uint64]:
    """A number for each clause, equal for equal clauses and rarely for others."""
    # Each literal gets a number that looks random (the mixing step of SplitMix64), in an array in which
    # negative literals count from the end; a clause gets the sum of its literals' numbers.
    mixed = np.arange(2 * int(np.abs(literals).max(initial=0)) + 1, dtype=np.uint64)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    sums = np.zeros(literals.size + 1, np.uint64)
    np.cumsum(mixed[literals], out=sums[1:])
    prints: NDArray[np.uint64] = sums[starts[1:]] - sums[starts[:-1]]
    return prints


def may_repeat(prints: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """True for every number that occurs more than once, and for few others."""
    # Sorting numbers is four times as fast as sorting their indices, and short numbers are sorted faster. So
    # find the repeated ones by their lower 32 bits, then mark all numbers that share their last 20 bits.
    short = prints.astype(np.uint32)
    ordered = np.sort(short)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    mask = np.uint32(2**20 - 1)
    marked = np.zeros(2**20, bool)
    marked[repeated & mask] = True
    suspects: NDArray[np.bool_] = marked[short & mask]
    return suspects


def _all_equal(literals: Literals, starts: Ints, some: Ints, others: Ints) -> bool:
    """Whether each clause of `some` equals the clause of `others` at its position."""
    sizes = starts[some + 1] - starts[some]
    if not np.array_equal(sizes, starts[others + 1] - starts[others]):
        return False
    for place in range(int(sizes.max(initial=0))):
        long = place < sizes
        if not np.array_equal(literals[starts[some[long]] + place], literals[starts[others[long]] + place]):
            return False
    return True


def _repeats_among(suspects: Ints, literals: Literals, starts: Ints) -> Ints:
    """Which of these clauses repeat earlier ones, by all their literals; for when fingerprints collide."""
    seen: set[tuple[int, ...]] = set()
    repeats = []
    for index in np.sort(suspects).tolist():
        clause = tuple(literals[starts[index] : starts[index + 1]].tolist())
        if clause in seen:
            repeats.append(index)
        seen.add(clause)
    return np.array(repeats, np.int64)
