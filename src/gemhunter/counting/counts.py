"""The exact number of solutions: of each part of a board, of all together, and by number of traps."""

import math
from collections.abc import Iterable, Sequence
from math import comb

import numpy as np

from gemhunter.counting.circuit import OUT_OF_RANGE, BoardCircuit, CompleteCircuit, Weights
from gemhunter.counting.plan import BoardPlan, NoSolution
from gemhunter.counting.remainders import PartCount, bits_at_most, count_streaming
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

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
