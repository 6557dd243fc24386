"""What follows from the clues as linear equations: a combination that cannot hold, or values of cells."""

from dataclasses import dataclass
from operator import mul
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.puzzle import TOTAL_CLUE, Ints, Puzzle

LARGE_PRIME = 2**31 - 1
PRIMES = (LARGE_PRIME, 2)
"""A large one stands for whole numbers; 2 sees what only parity does, such as circuits of XOR gates."""

LARGEST_SYSTEM = 4_000_000
"""Cells of all regions together. Beyond, elimination would take more than seconds."""

ELIMINATION_BYTES_PER_CELL = 200
"""At most so much is held for each cell of a region, each hidden cell and each region; a test measures it."""
ELIMINATION_FIXED_BYTES = 100_000

WHOLE_NUMBERS = 0
"""The modulus of a combination that is not taken modulo anything."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearConflict:
    """Region `regions[i]` taken `coefficients[i]` times, all added up, says what no filling can make true.

    Both sides are meant modulo `modulus`, or as they are for `WHOLE_NUMBERS`.
    """

    regions: Ints
    coefficients: Ints
    modulus: int


@dataclass(frozen=True, slots=True, eq=False)
class ImpliedValues:
    """Hidden cell `cells[i]` is a trap in all solutions if `values[i]`, otherwise in none."""

    cells: Ints
    values: NDArray[np.bool_]


Followed: TypeAlias = LinearConflict | ImpliedValues


def bytes_needed(puzzle: Puzzle) -> int:
    """At most so much memory does `eliminated` hold."""
    return (
        ELIMINATION_BYTES_PER_CELL * (puzzle.cells.size + puzzle.hidden.size + puzzle.traps.size)
        + ELIMINATION_FIXED_BYTES
    )


def eliminated(puzzle: Puzzle, prime: int) -> Followed:
    """What the clues and the total imply by linear algebra modulo `prime`.

    A clash has been multiplied out. No clash is overlooked unless cells fill in beyond all measure.
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


def is_linear_conflict(puzzle: Puzzle, clash: LinearConflict) -> bool:
    """Multiply a combination of regions out and see whether no filling reaches its sum."""
    times = np.zeros(puzzle.traps.size, np.int64)
    times[clash.regions] = clash.coefficients
    factors = np.zeros(puzzle.hidden.size, np.int64)
    np.add.at(factors, puzzle.cells, np.repeat(times, puzzle.sizes))
    # Python's numbers: a coefficient times a hopeless total is beyond 64 bits.
    total = sum(map(mul, times.tolist(), puzzle.traps.tolist()))
    modulus = clash.modulus
    if modulus:
        factors %= modulus
        factors[2 * factors > modulus] -= modulus
    least, most = int(factors[factors < 0].sum()), int(factors[factors > 0].sum())
    if modulus:
        total = least + (total - least) % modulus
    return not least <= total <= most


def _eliminated(
    starts: Ints, cells: Ints, traps: Ints, *, size: int, total: int | None, prime: int
) -> Followed:
    from gemhunter.kernels.structure import elimination as kernels
    from gemhunter.kernels.structure.linear_system import INCONSISTENT_ROW, NOT_IMPLIED, new_system

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
