"""Linear elimination: what follows from the clues as linear equations, a conflict or values of cells."""

from dataclasses import dataclass
from operator import mul
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.puzzle import TOTAL_CLUE, Ints, Puzzle
from gemhunter.kernels.structure import elimination as kernels
from gemhunter.kernels.structure.linear_system import INCONSISTENT_ROW, NOT_IMPLIED, new_system

LARGE_PRIME = 2**31 - 1
PRIMES = (LARGE_PRIME, 2)
"""The large one stands for whole numbers; 2 finds what only parity shows, such as circuits of XOR gates."""

LARGEST_SYSTEM = 4_000_000
"""Cells of all regions together. With more, elimination would take more than seconds."""

ELIMINATION_BYTES_PER_CELL = 200
"""Held at most for each cell of a region, each hidden cell and each region; a test measures it."""
ELIMINATION_FIXED_BYTES = 100_000

WHOLE_NUMBERS = 0
"""The modulus of a combination of whole numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearConflict:
    """The regions, each taken `coefficients[i]` times and added up, say what no solution can make true.

    Both sides are numbers modulo `modulus`, or whole numbers for `WHOLE_NUMBERS`.
    """

    regions: Ints
    coefficients: Ints
    modulus: int


@dataclass(frozen=True, slots=True, eq=False)
class ImpliedValues:
    """Hidden cell `cells[i]` is a trap in all solutions if `values[i]`, otherwise in none."""

    cells: Ints
    values: NDArray[np.bool_]


Implied: TypeAlias = LinearConflict | ImpliedValues


def bytes_needed(puzzle: Puzzle) -> int:
    """How many bytes `eliminated` holds at most."""
    return (
        ELIMINATION_BYTES_PER_CELL * (puzzle.cells.size + puzzle.hidden.size + puzzle.traps.size)
        + ELIMINATION_FIXED_BYTES
    )


def eliminated(puzzle: Puzzle, prime: int) -> Implied:
    """What the clues and the total imply by linear algebra modulo `prime`.

    A conflict has been multiplied out. None is overlooked unless rows fill in until the arrays are full.
    """
    clues = puzzle.traps.size - has_total(puzzle)
    starts = puzzle.starts[: clues + 1]
    total = int(puzzle.traps[-1]) if has_total(puzzle) else None
    found = _eliminated(
        starts,
        puzzle.cells[: starts[-1]],
        puzzle.traps[:clues],
        size=puzzle.hidden.size,
        total=total,
        prime=prime,
    )
    if isinstance(found, LinearConflict) and not is_linear_conflict(puzzle, found):
        raise ArithmeticError("linear elimination went wrong: its combination of clues can hold")
    return found


def has_total(puzzle: Puzzle) -> bool:
    """Whether the last region is the total."""
    return bool(puzzle.clues.size and puzzle.clues[-1] == TOTAL_CLUE)


def is_linear_conflict(puzzle: Puzzle, conflict: LinearConflict) -> bool:
    """Multiply a combination of regions out, and return whether no solution reaches its sum."""
    times = np.zeros(puzzle.traps.size, np.int64)
    times[conflict.regions] = conflict.coefficients
    factors = np.zeros(puzzle.hidden.size, np.int64)
    np.add.at(factors, puzzle.cells, np.repeat(times, puzzle.sizes))
    # Python's numbers: a coefficient times an absurd total needs more than 64 bits.
    total = sum(map(mul, times.tolist(), puzzle.traps.tolist()))
    modulus = conflict.modulus
    if modulus:
        factors %= modulus
        factors[2 * factors > modulus] -= modulus
    least, most = int(factors[factors < 0].sum()), int(factors[factors > 0].sum())
    if modulus:
        total = least + (total - least) % modulus
    return not least <= total <= most


def _eliminated(
    starts: Ints, cells: Ints, traps: Ints, *, size: int, total: int | None, prime: int
) -> Implied:
    system = new_system(starts, cells, traps, size)
    code = kernels.eliminate(system, prime)
    if code == kernels.ELIMINATED and total is not None:
        code = kernels.reduce_total(system, total % prime, prime)
    if code == kernels.INCONSISTENT:
        shares = kernels.combination(system, int(system.numbers[INCONSISTENT_ROW]), prime)
        regions = np.flatnonzero(shares)
        return LinearConflict(regions, np.where(2 * shares > prime, shares - prime, shares)[regions], prime)
    implied = np.flatnonzero(system.value != NOT_IMPLIED)
    return ImpliedValues(implied, system.value[implied] == 1)
