"""The exact number of solutions: of each part of a board, of all together, and by number of traps.

Numbers beyond floating point are counted as remainders modulo primes, which together give the number.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.counting.circuit import (
    COMPLETE,
    EMPTY_TABLE,
    INCOMPLETE,
    MOST_KEPT_STATES,
    MOST_WEIGHT_BYTES,
    NEXT_STEP,
    NO_LINK,
    NO_PAIRS,
    NO_STATES,
    OUT_OF_RANGE,
    STACK_DEPTH,
    STATE_LIMIT,
    TABLE_FULL,
    BoardCircuit,
    CompleteCircuit,
    Links,
    Weights,
    bound_by_cell,
    bound_by_pairs,
    extend,
    join,
    longer,
    state_slice_sizes,
)
from gemhunter.counting.plan import ADD_CELL, BEGIN_TABLE, BoardPlan, CountPlan, NoSolution
from gemhunter.jit.arrays import Ints
from gemhunter.jit.kernel import kernel, tight_kernel
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

# A part counted exactly: as remainders modulo primes, which together are the number.
#
# Only the tables on the stack are kept, so a part can be counted whose tables would not all fit into
# memory.


NO_VALUES = 5

STATES_MADE = 2
"""Place in `Stack.numbers`, after `NEXT_STEP` and `STACK_DEPTH`: how many states were made."""


class Stack(NamedTuple):
    """Table t on the stack has the states from `starts[t]` to `starts[t+1]`.

    State i has the remainders from row `spans[i]` of `remainders` on, one row for each number of traps
    from `fewest[i]` to `most[i]` or one for all, and one column for each prime. `gem`, `trap` and `pairs`
    are scratch space.
    """

    starts: Ints
    keys: Ints
    fewest: Links
    most: Links
    spans: Ints
    remainders: NDArray[np.uint32]
    gem: Links
    trap: Links
    pairs: Links
    numbers: Ints


@kernel
def lay_rows(s: Stack, begin: int, end: int, by_traps: bool) -> bool:
    """Give the states from `begin` to `end` their rows, all zero; false if there is no room."""
    spans, at, fewest, most = s.spans, s.spans[begin], s.fewest, s.most
    for state in range(begin, end):
        spans[state] = at
        at += np.int64(most[state]) - fewest[state] + 1 if by_traps else 1
    spans[end] = at
    if at > s.remainders.shape[0]:
        return False
    s.remainders[spans[begin] : at] = 0
    return True


@tight_kernel
def sum_cells(
    low: int,
    begin: int,
    end: int,
    by_traps: bool,
    gem: Links,
    trap: Links,
    spans: Ints,
    fewest: Links,
    remainders: NDArray[np.uint32],
    primes: Ints,
) -> None:
    """The remainders of the states from `begin` to `end`, made of those from `low` on and one more cell."""
    for state in range(begin, end):
        for value in range(2):
            link = trap[state - begin] if value else gem[state - begin]
            if link == NO_LINK:
                continue
            source = low + link
            to = spans[state]
            if by_traps:
                to += np.int64(fewest[source]) + value - fewest[state]
            for row in range(spans[source], spans[source + 1]):
                for lane in range(primes.size):
                    total = np.int64(remainders[to, lane]) + np.int64(remainders[row, lane])
                    remainders[to, lane] = total - primes[lane] if total >= primes[lane] else total
                to += 1


@kernel
def sum_pairs(s: Stack, low: int, high: int, begin: int, pairs: int, by_traps: bool, primes: Ints) -> None:
    """The remainders of the states from `begin` on, which join those from `low` and from `high` on."""
    spans, fewest, remainders, links = s.spans, s.fewest, s.remainders, s.pairs
    for pair in range(pairs):
        left, right, state = low + links[pair, 0], high + links[pair, 1], begin + links[pair, 2]
        to = spans[state]
        if by_traps:
            to += np.int64(fewest[left]) + fewest[right] - fewest[state]
        for i in range(spans[left], spans[left + 1]):
            for j in range(spans[right], spans[right + 1]):
                row = to + i - spans[left] + j - spans[right]
                for lane in range(primes.size):
                    product = np.int64(remainders[i, lane]) * np.int64(remainders[j, lane])
                    remainders[row, lane] = (remainders[row, lane] + product) % primes[lane]


@kernel
def move_down(s: Stack, to: int, begin: int, end: int) -> None:
    """Move the states from `begin` to `end`, with their remainders, to `to` and on."""
    keys, fewest, most, spans, remainders = s.keys, s.fewest, s.most, s.spans, s.remainders
    first, source, length = spans[to], spans[begin], spans[end] - spans[begin]
    for i in range(end - begin):
        keys[to + i] = keys[begin + i]
        fewest[to + i] = fewest[begin + i]
        most[to + i] = most[begin + i]
        spans[to + i] = spans[begin + i] - source + first
    spans[to + end - begin] = first + length
    for i in range(length):
        for lane in range(remainders.shape[1]):
            remainders[first + i, lane] = remainders[source + i, lane]


@kernel(estimate=lambda plan, end, *_: 1e-5 * min(1e4, plan.bound[:end].sum()))
def count_steps(plan: CountPlan, steps: int, s: Stack, by_traps: bool, primes: Ints, last: int) -> int:
    """Go through a plan up to step `steps`, until `last` states or more have been made.

    Returns `COMPLETE`, `INCOMPLETE` or what ran out of room; all but the first can be followed by another
    call. When done, the one table on the stack is that of the whole part.
    """
    starts, keys, numbers = s.starts, s.keys, s.numbers
    step, depth = numbers[NEXT_STEP], numbers[STACK_DEPTH]
    while step < steps:
        if numbers[STATES_MADE] >= last:
            return INCOMPLETE
        begin = starts[depth]
        if plan.kind[step] == BEGIN_TABLE:
            if begin + 2 > keys.size:
                return NO_STATES
            keys[begin], s.fewest[begin], s.most[begin] = 0, 0, 0
            if not lay_rows(s, begin, begin + 1, by_traps):
                return NO_VALUES
            s.remainders[s.spans[begin]] = 1
            count, low = 1, begin
            depth += 1
        elif plan.kind[step] == ADD_CELL:
            low = starts[depth - 1]
            count = extend(
                keys[low:begin],
                keys[begin : begin + s.gem.size],
                s.gem,
                s.trap,
                plan.step[step],
                plan.bias[step],
                plan.least[step],
                plan.guard[step],
                plan.finished[step],
            )
            if count == TABLE_FULL:
                return NO_STATES
            bound_by_cell(low, s.gem[:count], s.trap[:count], begin, s.fewest, s.most)
            if not lay_rows(s, begin, begin + count, by_traps):
                return NO_VALUES
            sum_cells(
                low, begin, begin + count, by_traps, s.gem, s.trap, s.spans, s.fewest, s.remainders, primes
            )
        else:
            low, high = starts[depth - 2], starts[depth - 1]
            count, made = join(
                keys[low:high],
                keys[high:begin],
                keys[begin : begin + s.gem.size],
                s.pairs,
                plan.bias[step],
                plan.least[step],
                plan.guard[step],
                plan.finished[step],
                plan.bound[step],
            )
            if count == TABLE_FULL:
                return NO_STATES if made == 0 else NO_PAIRS
            bound_by_pairs(low, high, begin, count, s.pairs[:made], s.fewest, s.most)
            if not lay_rows(s, begin, begin + count, by_traps):
                return NO_VALUES
            sum_pairs(s, low, high, begin, made, by_traps, primes)
            depth -= 1
        if count == 0:
            return EMPTY_TABLE
        if low < begin:
            move_down(s, low, begin, begin + count)
        starts[depth] = low + count
        step += 1
        numbers[NEXT_STEP], numbers[STACK_DEPTH], numbers[STATES_MADE] = (
            step,
            depth,
            numbers[STATES_MADE] + count,
        )
    return COMPLETE


# Counts parts exactly without keeping their tables: by remainders, which together are the number.


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


# The exact number of solutions: of each part of a board, of all together, and by number of traps.


EXACT = 2.0**53
"""Whole numbers below this are exact in floating point, and so are all sums on the way to them."""

LARGEST_KEPT_COST = 20_000_000
"""A plan that may need more states is counted without keeping them."""

MOST_CELLS_BY_TRAPS = 30_000
"""For more cells, a number of as many bits for each number of traps would take too long."""


def count_solutions(board: BoardCircuit, run: Run) -> int | GaveUp:
    """The number of solutions."""
    plan = board.plan
    if not isinstance(plan, BoardPlan):
        return plan if isinstance(plan, GaveUp) else 0
    parts = count_parts(board, plan, run, by_traps=False)
    if not isinstance(parts, list):
        return parts if isinstance(parts, GaveUp) else 0
    return product([sum(part.ways) for part in parts]) << plan.untouched.size


def count_with_total(board: BoardCircuit, run: Run, total: int) -> int | GaveUp:
    """The number of solutions with `total` traps on the whole board."""
    plan = board.plan
    if not isinstance(plan, BoardPlan):
        return plan if isinstance(plan, GaveUp) else 0
    cells = plan.parts.group_cells.size
    if cells > MOST_CELLS_BY_TRAPS:
        return _too_many(cells)
    parts = count_parts(board, plan, run, by_traps=True)
    if not isinstance(parts, list):
        return parts if isinstance(parts, GaveUp) else 0
    return _joined_with_total(parts, plan.untouched.size, total - plan.traps)


def count_for_each_total(board: BoardCircuit, run: Run) -> dict[int, int] | GaveUp:
    """The number of solutions for each number of traps on the whole board that occurs, ascending."""
    plan = board.plan
    if not isinstance(plan, BoardPlan):
        return plan if isinstance(plan, GaveUp) else {}
    cells = plan.untouched.size + plan.parts.group_cells.size
    if cells > MOST_CELLS_BY_TRAPS:
        return _too_many(cells)
    parts = count_parts(board, plan, run, by_traps=True)
    if not isinstance(parts, list):
        return parts if isinstance(parts, GaveUp) else {}
    untouched = PartCount(0, tuple(_binomials(plan.untouched.size)))
    fewest, ways = joined([*parts, untouched])
    return {plan.traps + fewest + more: way for more, way in enumerate(ways) if way}


def _too_many(cells: int) -> GaveUp:
    return GaveUp(
        StopReason.MEMORY, f"a number for each number of traps in {cells:,} undecided cells would not fit"
    )


def count_parts(
    board: BoardCircuit, plan: BoardPlan, run: Run, *, by_traps: bool
) -> list[PartCount] | NoSolution | GaveUp:
    """The number of solutions of each part."""
    if plan.cost > LARGEST_KEPT_COST:
        return count_streaming(plan, run, _most_bits(plan), by_traps=by_traps)
    circuit = board.complete(run)
    if not isinstance(circuit, CompleteCircuit):
        return circuit
    weights = circuit.weigh(run, by_traps=by_traps, trap_weight=1.0)
    if isinstance(weights, GaveUp):
        if weights != OUT_OF_RANGE:
            return weights
        return count_streaming(plan, run, _most_bits(plan), by_traps=by_traps)
    exact = [_exactly(circuit, weights, part) for part in range(plan.plan.roots.size)]
    if all(count is not None for count in exact):
        return [count for count in exact if count is not None]
    bits = [None if count is not None else _bits(circuit, weights, part) for part, count in enumerate(exact)]
    counted = count_streaming(plan, run, bits, by_traps=by_traps)
    if not isinstance(counted, list):
        return counted
    return [small or large for small, large in zip(exact, counted, strict=True)]


def _exactly(circuit: CompleteCircuit, weights: Weights, part: int) -> PartCount | None:
    """The count of a part if it can be read off its weights; None if those are rounded or rescaled."""
    fewest, low, high = _root(circuit, weights, part)
    ways = weights.values[low:high]
    if np.any(weights.scale[_steps(circuit.board, part)] != 1.0) or ways.sum() >= EXACT:
        return None
    return PartCount(fewest, tuple(int(way) for way in ways))


def _bits(circuit: CompleteCircuit, weights: Weights, part: int) -> float:
    """A number of bits that is enough for the count of a part, by its weights if they are positive."""
    _, low, high = _root(circuit, weights, part)
    ways, scale = weights.values[low:high].sum(), weights.scale[_steps(circuit.board, part)]
    if ways > 0.0:
        return float(np.log2(ways) - np.log2(scale).sum()) + 1.0
    return bits_at_most(circuit.board, part)


def _most_bits(plan: BoardPlan) -> list[float]:
    return [bits_at_most(plan, part) for part in range(plan.plan.roots.size)]


def _steps(plan: BoardPlan, part: int) -> slice:
    """The steps of the plan that belong to a part."""
    ends = plan.plan.roots
    return slice(0 if part == 0 else int(ends[part - 1]) + 1, int(ends[part]) + 1)


def _root(circuit: CompleteCircuit, weights: Weights, part: int) -> tuple[int, int, int]:
    """The fewest traps of a part, and where its weights begin and end."""
    state = circuit.states.starts[circuit.board.plan.roots[part]]
    return int(circuit.states.fewest[state]), int(weights.spans[state]), int(weights.spans[state + 1])


def _joined_with_total(parts: Sequence[PartCount], untouched: int, rest: int) -> int:
    """The number of solutions with `rest` traps in the parts and the untouched cells together."""
    fewest, ways = joined(parts)
    left = rest - fewest
    first = max(0, left - untouched)
    if left < 0 or first >= len(ways):
        return 0
    total, in_untouched = 0, comb(untouched, left - first)
    for traps in range(left - first, max(left - len(ways), -1), -1):
        total += ways[left - traps] * in_untouched
        # One trap fewer in the untouched cells.
        in_untouched = in_untouched * traps // (untouched - traps + 1)
    return total


def _binomials(size: int) -> list[int]:
    """In how many ways 0, 1, ... of `size` cells can be traps; each number follows from the one before."""
    ways = [1]
    for traps in range(1, size + 1):
        ways.append(ways[-1] * (size - traps + 1) // traps)
    return ways


def joined(parts: Sequence[PartCount]) -> tuple[int, list[int]]:
    """The fewest traps of all parts together, and the number of solutions for each number from there on."""
    left = [list(part.ways) for part in parts] or [[1]]
    while len(left) > 1:
        # Neighbours first, so that long lists are multiplied with long ones.
        pairs = [_multiplied(left[i], left[i + 1]) for i in range(0, len(left) - 1, 2)]
        left = pairs + left[2 * len(pairs) :]
    return sum(part.fewest for part in parts), left[0]


def _multiplied(ways: Sequence[int], others: Sequence[int]) -> list[int]:
    """The product of two polynomials, each packed into one number with a fixed width for each coefficient.

    Multiplying large numbers is what Python does best.
    """
    width = ((sum(ways) * sum(others)).bit_length() + 7) // 8
    length = len(ways) + len(others) - 1
    digits = (_packed(ways, width) * _packed(others, width)).to_bytes(length * width, "little")
    return [int.from_bytes(digits[i : i + width], "little") for i in range(0, len(digits), width)]


def _packed(ways: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join(way.to_bytes(width, "little") for way in ways), "little")


def product(numbers: Iterable[int]) -> int:
    """The product, of neighbours first: large numbers are multiplied with large ones."""
    left = list(numbers) or [1]
    while len(left) > 1:
        left = [math.prod(left[i : i + 2]) for i in range(0, len(left), 2)]
    return left[0]
