"""Parts put together again: the number of solutions of the whole board."""

import math
from collections.abc import Iterable, Sequence
from math import comb

from gemhunter.counting.counts import PartCount

MOST_CELLS = 30_000
"""A number for each number of traps in more cells, of as many bits, takes longer than anybody waits."""


def count_in_all(parts: Sequence[PartCount], free: int) -> int:
    """The number of solutions of parts and of so many cells that can be anything."""
    return product([sum(part.ways) for part in parts]) << free


def count_with_total(parts: Sequence[PartCount], free: int, rest: int) -> int:
    """The number of solutions with `rest` traps in the parts and the free cells together."""
    fewest, ways = joined(parts)
    left = rest - fewest
    first = max(0, left - free)
    if left < 0 or first >= len(ways):
        return 0
    total, in_free = 0, comb(free, left - first)
    for traps in range(left - first, max(left - len(ways), -1), -1):
        total += ways[left - traps] * in_free
        # One trap fewer in the free cells.
        in_free = in_free * traps // (free - traps + 1)
    return total


def counts_by_traps(parts: Sequence[PartCount], free: int) -> dict[int, int]:
    """The number of solutions for each number of traps in the parts and the free cells together."""
    everything = PartCount(0, tuple(_binomials(free)))
    fewest, ways = joined([*parts, everything])
    return {fewest + more: way for more, way in enumerate(ways) if way}


def _binomials(size: int) -> list[int]:
    """In how many ways 0, 1, ... of so many cells can be traps; each follows from the one before."""
    ways = [1]
    for traps in range(1, size + 1):
        ways.append(ways[-1] * (size - traps + 1) // traps)
    return ways


def joined(parts: Sequence[PartCount]) -> tuple[int, list[int]]:
    """The fewest traps of all parts together, and the number of solutions from there on."""
    left = [list(part.ways) for part in parts] or [[1]]
    while len(left) > 1:
        # Neighbours first, so that long lists are multiplied with long ones.
        pairs = [_multiplied(left[i], left[i + 1]) for i in range(0, len(left) - 1, 2)]
        left = pairs + left[2 * len(pairs) :]
    return sum(part.fewest for part in parts), left[0]


def _multiplied(ways: Sequence[int], others: Sequence[int]) -> list[int]:
    """The product of two polynomials, each written as one number with a coefficient in every so many bytes.

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
