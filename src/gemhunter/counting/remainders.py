"""Counts parts exactly without keeping their tables: by remainders, which together are the number."""

import math
from dataclasses import dataclass
from functools import cache
from operator import mul

import numpy as np
from numpy.typing import NDArray

from gemhunter.counting.circuit import (
    MOST_KEPT_STATES,
    MOST_WEIGHT_BYTES,
    STATE_LIMIT,
    longer,
    state_slice_sizes,
)
from gemhunter.counting.plan import BoardPlan, NoSolution
from gemhunter.kernels.counting.circuit import (
    COMPLETE,
    EMPTY_TABLE,
    INCOMPLETE,
    NEXT_STEP,
    NO_PAIRS,
    NO_STATES,
)
from gemhunter.kernels.counting.remainders import STATES_MADE, Stack, count_steps
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

PRIME_BITS = 30.9
"""The bits that a prime below 2^31 adds to the numbers that remainders can tell apart."""

ROWS_PER_STATE = 64
"""About how many numbers of traps a state can have."""


@dataclass(frozen=True, slots=True)
class PartCount:
    """A part has `ways[i]` solutions with `fewest` + i traps, or `ways[0]` if traps are not counted."""

    fewest: int
    ways: tuple[int, ...]


def count_streaming(
    plan: BoardPlan, run: Run, bits: list[float | None] | list[float], *, by_traps: bool
) -> list[PartCount] | NoSolution | GaveUp:
    """Count the parts whose numbers have at most these bits, keeping no tables; skip those without bits."""
    counts = []
    for part, size in enumerate(bits):
        if size is None:
            counts.append(PartCount(0, ()))
            continue
        counted = _count_part(plan, run, part, lanes=math.ceil((size + 1) / PRIME_BITS), by_traps=by_traps)
        if not isinstance(counted, PartCount):
            return counted
        counts.append(counted)
    return counts


def bits_at_most(plan: BoardPlan, part: int) -> float:
    """A number of bits that is enough for the number of solutions of a part.

    Clues that share no cells allow the product of their binomials, and every other cell two values.
    """
    parts = plan.parts
    sizes = np.diff(parts.group_starts)
    taken = np.zeros(sizes.size, bool)
    bits = 0.0
    for clue in range(parts.part_clues[part], parts.part_clues[part + 1]):
        groups = parts.clue_groups[parts.clue_starts[clue] : parts.clue_starts[clue + 1]]
        if not taken[groups].any():
            taken[groups] = True
            bits += math.log2(math.comb(int(sizes[groups].sum()), int(parts.need[clue])))
    low, high = parts.part_groups[part], parts.part_groups[part + 1]
    return bits + float(sizes[low:high][~taken[low:high]].sum())


def _count_part(
    board: BoardPlan, run: Run, part: int, *, lanes: int, by_traps: bool
) -> PartCount | NoSolution | GaveUp:
    """Count one part by its remainders modulo `lanes` primes."""
    plan, primes = board.plan, _primes(lanes)
    stack = _new_stack(board.steps, lanes)
    stack.numbers[NEXT_STEP] = 0 if part == 0 else plan.roots[part - 1] + 1
    end, made = plan.roots[part] + 1, 0
    sizes = state_slice_sizes(run, lanes * (ROWS_PER_STATE if by_traps else 1))
    while True:
        answer = count_steps(plan, end, stack, by_traps, primes, made + run.slice(next(sizes)))
        now = int(stack.numbers[STATES_MADE])
        limit = run.spend(now - made)
        made = now
        if answer == COMPLETE:
            break
        if answer == EMPTY_TABLE:
            return NoSolution()
        if limit or (answer == INCOMPLETE and run.steps >= STATE_LIMIT > (run.limits.steps or 0)):
            return GaveUp(limit or StopReason.STATES, board.width)
        if answer != INCOMPLETE:
            stack = _longer_stack(stack, answer)
            size = sum(array.nbytes for array in stack)
            if stack.gem.size > MOST_KEPT_STATES or size > MOST_WEIGHT_BYTES or not run.fits(size):
                return GaveUp(StopReason.STATES, board.width)
    rows = stack.remainders[: stack.spans[1]]
    return PartCount(int(stack.fewest[0]), tuple(_number(row) for row in rows))


def _new_stack(steps: int, lanes: int) -> Stack:
    states, rows, pairs = 4_096, 16_384, 1_024
    return Stack(
        np.zeros(steps + 2, np.int64),
        np.empty(2 * states, np.int64),
        np.empty(2 * states, np.int32),
        np.empty(2 * states, np.int32),
        np.zeros(2 * states + 1, np.int64),
        np.empty((rows, lanes), np.uint32),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty((pairs, 3), np.int32),
        np.zeros(3, np.int64),
    )


def _longer_stack(stack: Stack, answer: int) -> Stack:
    """Double whichever arrays ran out of space."""
    if answer == NO_PAIRS:
        return stack._replace(pairs=longer(stack.pairs, 2 * stack.pairs.shape[0]))
    if answer != NO_STATES:
        return stack._replace(remainders=longer(stack.remainders, 2 * stack.remainders.shape[0]))
    states = 2 * stack.gem.size
    return stack._replace(
        keys=longer(stack.keys, 2 * states),
        fewest=longer(stack.fewest, 2 * states),
        most=longer(stack.most, 2 * states),
        spans=longer(stack.spans, 2 * states + 1),
        gem=longer(stack.gem, states),
        trap=longer(stack.trap, states),
    )


@cache
def _primes(number: int) -> NDArray[np.int64]:
    """The largest primes below 2^31."""
    found: list[int] = []
    candidate = 2**31 - 1
    while len(found) < number:
        if _is_prime(candidate):
            found.append(candidate)
        candidate -= 2
    return np.array(found, np.int64)


def _is_prime(number: int) -> bool:
    """By the test of Miller and Rabin, which these bases make certain below 3·10^9."""
    twos = (number - 1 & 1 - number).bit_length() - 1
    odd = number - 1 >> twos
    for base in (2, 3, 5, 7):
        powers = [pow(base, odd << i, number) for i in range(twos)]
        if powers[0] != 1 and number - 1 not in powers:
            return False
    return True


def _number(remainders: NDArray[np.uint32]) -> int:
    """The number below the product of all primes that has these remainders."""
    modulus, basis = _remainder_basis(remainders.size)
    return int(sum(map(mul, remainders.tolist(), basis)) % modulus)


@cache
def _remainder_basis(number: int) -> tuple[int, tuple[int, ...]]:
    """The product of the first primes, and for each a number that is 1 modulo it and 0 modulo the others."""
    primes = _primes(number).tolist()
    modulus = math.prod(primes)
    others = [modulus // prime for prime in primes]
    return modulus, tuple(other * pow(other, -1, prime) for other, prime in zip(others, primes, strict=True))
