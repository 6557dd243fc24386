"""The exact number of solutions: of each part of a board, of the whole board, and by number of traps.

A count below 2^53 is read off the weights of the circuit. A larger one is computed modulo several primes and
put together by the Chinese remainder theorem. This keeps only the tables on the stack, so it also works for
parts whose tables would not all fit into memory.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from math import comb
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.counting.board_circuit import (
    KEPT_STATE_LIMIT,
    OUT_OF_RANGE,
    STATE_LIMIT,
    WEIGHT_BYTE_LIMIT,
    BoardCircuit,
    CompleteCircuit,
    longer,
    state_slice_sizes,
)
from gemhunter.counting.circuit import (
    COMPLETE,
    EMPTY_TABLE,
    INCOMPLETE,
    NEXT_STEP,
    NO_LINK,
    NO_PAIRS,
    NO_STATES,
    STACK_DEPTH,
    TABLE_FULL,
    Links,
    add_cell,
    bound_by_cell,
    bound_by_pairs,
    join_tables,
)
from gemhunter.counting.plan import ADD_CELL, BEGIN_TABLE, BoardPlan, CountPlan, NoSolution
from gemhunter.counting.sweep import Weights
from gemhunter.jit.kernel import Ints, kernel, tight_kernel
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

KEPT_COST_LIMIT = 20_000_000
"""A plan that may need more states is counted without keeping them."""

NO_VALUES = 5
"""An answer of `count_steps` in addition to those of `build`: there is no room for remainders."""

STATES_MADE = 2
"""The place in `Stack.numbers` after `NEXT_STEP` and `STACK_DEPTH`: how many states were made."""


@dataclass(frozen=True, slots=True)
class PartCount:
    """A part has `ways[i]` solutions with `fewest` + i traps, or `ways[0]` with any number of traps."""

    fewest: int
    ways: tuple[int, ...]


class Stack(NamedTuple):
    """The tables that are not used yet: table t has the states from `starts[t]` to `starts[t+1]`.

    The number of ways to reach state i is in the rows of `remainders` from `spans[i]` on: one row for each
    number of traps from `fewest[i]` to `most[i]`, or one for all, and one column for each prime. `gem`,
    `trap` and `pairs` are scratch space.
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


def count_solutions(board: BoardCircuit, run: Run) -> int | GaveUp:
    """The number of solutions."""
    counted = _count_parts(board, run, by_traps=False)
    if not isinstance(counted, tuple):
        return counted if isinstance(counted, GaveUp) else 0
    plan, parts = counted
    # Multiply in pairs, as in a balanced tree: multiplying numbers of similar size is faster.
    ways = [sum(part.ways) for part in parts] or [1]
    while len(ways) > 1:
        ways = [math.prod(ways[i : i + 2]) for i in range(0, len(ways), 2)]
    return ways[0] << plan.untouched.size


def count_with_total(board: BoardCircuit, run: Run, total: int) -> int | GaveUp:
    """The number of solutions with `total` traps on the whole board."""
    counted = _count_parts(board, run, by_traps=True)
    if not isinstance(counted, tuple):
        return counted if isinstance(counted, GaveUp) else 0
    plan, parts = counted
    fewest, ways = _joined(parts)
    untouched, left = plan.untouched.size, total - plan.traps - fewest
    first = max(0, left - untouched)
    if left < 0 or first >= len(ways):
        return 0
    # Split the traps that are left between parts and untouched cells, at first with as many as possible in
    # untouched cells. The binomial for one trap fewer there follows from the one before.
    count, in_untouched = 0, comb(untouched, left - first)
    for traps in range(left - first, max(left - len(ways), -1), -1):
        count += ways[left - traps] * in_untouched
        in_untouched = in_untouched * traps // (untouched - traps + 1)
    return count


def count_for_each_total(board: BoardCircuit, run: Run) -> dict[int, int] | GaveUp:
    """The number of solutions for each number of traps on the whole board that has any, ascending."""
    counted = _count_parts(board, run, by_traps=True, with_untouched=True)
    if not isinstance(counted, tuple):
        return counted if isinstance(counted, GaveUp) else {}
    plan, parts = counted
    # In how many ways 0, 1, … untouched cells can be traps: each binomial follows from the one before.
    size, binomials = plan.untouched.size, [1]
    for traps in range(1, size + 1):
        binomials.append(binomials[-1] * (size - traps + 1) // traps)
    fewest, ways = _joined([*parts, PartCount(0, tuple(binomials))])
    return {plan.traps + fewest + more: way for more, way in enumerate(ways) if way}


def _count_parts(
    board: BoardCircuit, run: Run, *, by_traps: bool, with_untouched: bool = False
) -> tuple[BoardPlan, list[PartCount]] | NoSolution | GaveUp:
    """The plan of a board, and the number of solutions of each part."""
    plan = board.plan
    if not isinstance(plan, BoardPlan):
        return plan
    cells = plan.parts.group_cells.size + (plan.untouched.size if with_untouched else 0)
    # With more cells, computing a count of up to that many bits for each number of traps takes too long.
    if by_traps and cells > 30_000:
        return GaveUp(StopReason.MEMORY, f"a count for each number of traps in {cells:,} cells would not fit")
    every_part, counts = range(plan.plan.roots.size), list[PartCount | float]()
    if plan.cost <= KEPT_COST_LIMIT:
        circuit = board.complete(run)
        if not isinstance(circuit, CompleteCircuit):
            return circuit
        weights = circuit.weigh(run, by_traps=by_traps, trap_weight=1.0)
        if isinstance(weights, Weights):
            counts = [_read_off(circuit, weights, part) for part in every_part]
        elif weights != OUT_OF_RANGE:
            return weights
    parts = []
    for part, known in enumerate(counts or (_bits_at_most(plan, part) for part in every_part)):
        if isinstance(known, PartCount):
            parts.append(known)
            continue
        counted = _count_modulo(plan, run, part, bits=known, by_traps=by_traps)
        if not isinstance(counted, PartCount):
            return counted
        parts.append(counted)
    return plan, parts


def _read_off(circuit: CompleteCircuit, weights: Weights, part: int) -> PartCount | float:
    """The count of a part if its weights are exact; otherwise a number of bits that is enough for it."""
    ends = circuit.board.plan.roots
    scale = weights.scale[0 if part == 0 else int(ends[part - 1]) + 1 : int(ends[part]) + 1]
    root = circuit.states.starts[ends[part]]
    ways = weights.values[weights.spans[root] : weights.spans[root + 1]]
    # Whole numbers below 2^53 are exact in floating point, and so are all sums on the way to them. Larger
    # ones are rounded, but their size is right.
    if np.all(scale == 1.0) and ways.sum() < 2.0**53:
        return PartCount(int(circuit.states.fewest[root]), tuple(int(way) for way in ways))
    if ways.sum() > 0.0:
        return float(np.log2(ways.sum()) - np.log2(scale).sum()) + 1.0
    return _bits_at_most(circuit.board, part)


def _joined(parts: Sequence[PartCount]) -> tuple[int, list[int]]:
    """The fewest traps in all parts together, and the number of solutions for each number from there on."""
    left = [list(part.ways) for part in parts] or [[1]]
    while len(left) > 1:
        # Multiply in pairs, as in a balanced tree: multiplying lists of similar length is faster.
        pairs = [multiplied(left[i], left[i + 1]) for i in range(0, len(left) - 1, 2)]
        left = pairs + left[2 * len(pairs) :]
    return sum(part.fewest for part in parts), left[0]


def multiplied(ways: Sequence[int], others: Sequence[int]) -> list[int]:
    """The product of two polynomials by Kronecker substitution: each is packed into one large number.

    Python multiplies large numbers much faster than lists.
    """
    width = ((sum(ways) * sum(others)).bit_length() + 7) // 8
    length = len(ways) + len(others) - 1
    one, other = (
        int.from_bytes(b"".join(way.to_bytes(width, "little") for way in factor), "little")
        for factor in (ways, others)
    )
    digits = (one * other).to_bytes(length * width, "little")
    return [int.from_bytes(digits[i : i + width], "little") for i in range(0, len(digits), width)]


def _bits_at_most(plan: BoardPlan, part: int) -> float:
    """A number of bits that is enough for the number of solutions of a part.

    The bound multiplies the binomials of clues that share no cells, and 2 for every other cell.
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


# Counting by remainders: a number below the product of some primes is known from its remainders modulo them.


def _count_modulo(
    board: BoardPlan, run: Run, part: int, *, bits: float, by_traps: bool
) -> PartCount | NoSolution | GaveUp:
    """Count the solutions of a part, of at most `bits` bits, modulo primes; tables are not kept."""
    # A prime below 2^31 adds 30.9 bits to the numbers that remainders can tell apart.
    lanes = math.ceil((bits + 1) / 30.9)
    plan, primes = board.plan, _primes(lanes)
    states, rows, pairs = 4_096, 16_384, 1_024
    stack = Stack(
        np.zeros(board.steps + 2, np.int64),
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
    stack.numbers[NEXT_STEP] = 0 if part == 0 else plan.roots[part - 1] + 1
    end, made = plan.roots[part] + 1, 0
    # A state has about 64 rows of remainders, one for each number of traps.
    sizes = state_slice_sizes(run, lanes * (64 if by_traps else 1))
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
            if stack.gem.size > KEPT_STATE_LIMIT or size > WEIGHT_BYTE_LIMIT or not run.fits(size):
                return GaveUp(StopReason.STATES, board.width)
    # One table with one state is left on the stack, that of the whole part.
    modulus, basis = _remainder_basis(lanes)
    rows = stack.remainders[: stack.spans[1]].tolist()
    return PartCount(int(stack.fewest[0]), tuple(sum(map(mul, row, basis)) % modulus for row in rows))


def _longer_stack(stack: Stack, answer: int) -> Stack:
    """A copy of the stack with twice the space in the arrays that ran out of it."""
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
def _primes(number: int) -> Ints:
    """The `number` largest primes below 2^31."""
    return np.array(list(islice(filter(_is_prime, count(2**31 - 1, -2)), number)), np.int64)


def _is_prime(number: int) -> bool:
    """The Miller-Rabin test, which is certain below 3·10^9 with these bases."""
    twos = (number - 1 & 1 - number).bit_length() - 1
    odd = number - 1 >> twos
    for base in (2, 3, 5, 7):
        powers = [pow(base, odd << i, number) for i in range(twos)]
        if powers[0] != 1 and number - 1 not in powers:
            return False
    return True


@cache
def _remainder_basis(number: int) -> tuple[int, tuple[int, ...]]:
    """The product of the first primes, and for each a number that is 1 modulo it and 0 modulo the others.

    The sum of remainders times these numbers has those remainders (the Chinese remainder theorem).
    """
    primes = _primes(number).tolist()
    modulus = math.prod(primes)
    others = [modulus // prime for prime in primes]
    return modulus, tuple(other * pow(other, -1, prime) for other, prime in zip(others, primes, strict=True))


@kernel(estimate=lambda plan, end, *_: 1e-5 * min(1e4, plan.bound[:end].sum()))
def count_steps(plan: CountPlan, steps: int, s: Stack, by_traps: bool, primes: Ints, last: int) -> int:
    """Carry out a plan up to step `steps`, until `last` states or more have been made.

    Return `COMPLETE`, with the table of the whole part on the stack; `INCOMPLETE` or what ran out of room,
    after which another call can continue; or `EMPTY_TABLE` if there is no solution.
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
            count = add_cell(plan, step, keys[low:begin], keys[begin : begin + s.gem.size], s.gem, s.trap)
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
            count, made = join_tables(
                plan, step, keys[low:high], keys[high:begin], keys[begin : begin + s.gem.size], s.pairs
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
        # Move the new table to the place of those it was made from.
        if low < begin:
            move_down(s, low, begin, begin + count)
        starts[depth] = low + count
        step += 1
        numbers[NEXT_STEP], numbers[STACK_DEPTH] = step, depth
        numbers[STATES_MADE] += count
    return COMPLETE


@kernel
def lay_rows(s: Stack, begin: int, end: int, by_traps: bool) -> bool:
    """Give the states from `begin` to `end` their rows, all zero; return false if there is no room."""
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
    """Sum up the remainders of the states from `begin` to `end`, which add a cell to those from `low` on."""
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
    """Sum up the remainders of the states from `begin` on, which join those from `low` and from `high` on."""
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
    """Move the states from `begin` to `end`, with their remainders, down to `to`."""
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
