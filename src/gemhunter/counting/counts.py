"""How many solutions a board has, exactly: a number for each part, or one for each number of traps in it."""

import math
from dataclasses import dataclass
from functools import cache
from operator import mul

import numpy as np
from numpy.typing import NDArray

from gemhunter.counting.arrays import longer
from gemhunter.counting.passes import MOST_BYTES, OUT_OF_RANGE, Passes, Weights
from gemhunter.counting.plan import (
    MOST_KEPT,
    STATE_LIMIT,
    NoSolution,
    Planned,
    build_circuit,
    state_slice_sizes,
)
from gemhunter.kernels.counting.circuit import DONE, EMPTY, MORE, NO_PAIRS, NO_STATES, Circuit
from gemhunter.kernels.counting.residues import MADE, NEXT, Stack, count_steps
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

EXACT = 2.0**53
"""Whole numbers below are exact in floating point, and so are all sums on the way to them."""

PRIME_BITS = 30.9
ROWS_PER_STATE = 64
"""About so many numbers of traps a state can have, where they are told apart."""

LARGEST_KEPT_COST = 20_000_000
"""A plan that may need more states is counted without keeping them."""


@dataclass(frozen=True, slots=True)
class PartCount:
    """A part has `ways[i]` solutions with `fewest` + i traps, or `ways[0]` if traps are not told apart."""

    fewest: int
    ways: tuple[int, ...]


def count_parts(planned: Planned, run: Run, *, by_traps: bool) -> list[PartCount] | NoSolution | GaveUp:
    """The number of solutions of each part."""
    if planned.cost > LARGEST_KEPT_COST:
        return _count_streaming(planned, run, _most_bits(planned), by_traps)
    circuit = build_circuit(planned, run)
    if isinstance(circuit, NoSolution | GaveUp):
        return circuit
    weights = Passes(planned, circuit, run).weigh(by_traps=by_traps, odds=1.0, only_whether=False)
    if isinstance(weights, GaveUp):
        if weights != OUT_OF_RANGE:
            return weights
        return _count_streaming(planned, run, _most_bits(planned), by_traps)
    exact = [_exactly(planned, circuit, weights, part) for part in _parts(planned)]
    if all(count is not None for count in exact):
        return [count for count in exact if count is not None]
    bits = [
        None if count is not None else _bits(planned, circuit, weights, part)
        for part, count in enumerate(exact)
    ]
    counted = _count_streaming(planned, run, bits, by_traps)
    if not isinstance(counted, list):
        return counted
    return [small or large for small, large in zip(exact, counted, strict=True)]


def _exactly(planned: Planned, circuit: Circuit, weights: Weights, part: int) -> PartCount | None:
    """The count of a part if it can be read off its weights; None if those are rounded or rescaled."""
    fewest, low, high = _root(planned, circuit, weights.spans, part)
    ways = weights.values[low:high]
    if np.any(weights.scale[_steps(planned, part)] != 1.0) or ways.sum() >= EXACT:
        return None
    return PartCount(fewest, tuple(int(way) for way in ways))


def _bits(planned: Planned, circuit: Circuit, weights: Weights, part: int) -> float:
    """So many bits are enough for the number of solutions of a part, going by its weights where they say."""
    _, low, high = _root(planned, circuit, weights.spans, part)
    ways, scale = weights.values[low:high].sum(), weights.scale[_steps(planned, part)]
    return float(np.log2(ways) - np.log2(scale).sum()) + 1.0 if ways > 0.0 else _bits_at_most(planned, part)


def _steps(planned: Planned, part: int) -> slice:
    """The steps of the plan that are about a part."""
    ends = planned.plan.roots
    return slice(0 if part == 0 else int(ends[part - 1]) + 1, int(ends[part]) + 1)


def _parts(planned: Planned) -> range:
    return range(planned.plan.roots.size)


def _root(planned: Planned, circuit: Circuit, spans: NDArray[np.int64], part: int) -> tuple[int, int, int]:
    """The fewest traps of a part, and where its weights begin and end."""
    state = circuit.starts[planned.plan.roots[part]]
    return int(circuit.fewest[state]), int(spans[state]), int(spans[state + 1])


def _count_streaming(
    planned: Planned, run: Run, bits: list[float | None] | list[float], by_traps: bool
) -> list[PartCount] | NoSolution | GaveUp:
    """Count the parts whose number has so many bits at most, keeping no tables; skip those without bits."""
    counts = []
    for part, size in enumerate(bits):
        if size is None:
            counts.append(PartCount(0, ()))
            continue
        counted = _count_part(planned, run, part, lanes=math.ceil((size + 1) / PRIME_BITS), by_traps=by_traps)
        if not isinstance(counted, PartCount):
            return counted
        counts.append(counted)
    return counts


def _count_part(
    planned: Planned, run: Run, part: int, *, lanes: int, by_traps: bool
) -> PartCount | NoSolution | GaveUp:
    """Count one part by its remainders."""
    plan, primes = planned.plan, _primes(lanes)
    stack = _new_stack(planned.steps, lanes)
    stack.numbers[NEXT] = 0 if part == 0 else plan.roots[part - 1] + 1
    end, made = plan.roots[part] + 1, 0
    sizes = state_slice_sizes(run, lanes * (ROWS_PER_STATE if by_traps else 1))
    while True:
        answer = count_steps(plan, end, stack, by_traps, primes, made + run.slice(next(sizes)))
        now = int(stack.numbers[MADE])
        limit = run.spend(now - made)
        made = now
        if answer == DONE:
            break
        if answer == EMPTY:
            return NoSolution()
        if limit or (answer == MORE and run.steps >= STATE_LIMIT > (run.limits.steps or 0)):
            return GaveUp(limit or StopReason.STATES, planned.width)
        if answer != MORE:
            stack = _grown(stack, answer)
            size = sum(array.nbytes for array in stack)
            if stack.gem.size > MOST_KEPT or size > MOST_BYTES or not run.fits(size):
                return GaveUp(StopReason.STATES, planned.width)
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


def _grown(stack: Stack, answer: int) -> Stack:
    """The same stack with twice the room for what there was none for."""
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


def _most_bits(planned: Planned) -> list[float]:
    return [_bits_at_most(planned, part) for part in _parts(planned)]


def _bits_at_most(planned: Planned, part: int) -> float:
    """So many bits are enough for the number of solutions of a part.

    Clues that share no cells allow the product of their binomials, and every other cell two values.
    """
    parts = planned.parts
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


@cache
def _primes(amount: int) -> NDArray[np.int64]:
    """The largest primes below 2^31."""
    found: list[int] = []
    candidate = 2**31 - 1
    while len(found) < amount:
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
def _remainder_basis(amount: int) -> tuple[int, tuple[int, ...]]:
    """The product of so many primes, and for each a number that is 1 modulo it and 0 modulo the others."""
    primes = _primes(amount).tolist()
    modulus = math.prod(primes)
    others = [modulus // prime for prime in primes]
    return modulus, tuple(other * pow(other, -1, prime) for other, prime in zip(others, primes, strict=True))
