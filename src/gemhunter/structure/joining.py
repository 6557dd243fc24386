"""Parts put together again: the number of solutions of the whole board."""

from collections.abc import Iterable, Sequence
from functools import reduce
from math import comb

from gemhunter.structure.counting import PartCount

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
    """The fewest traps of all parts together, and the number of solutions from there on.

    Each part is a polynomial, written as one large number that has a coefficient in every so many bits:
    multiplying numbers is what Python does best.
    """
    bits = product([sum(part.ways) for part in parts]).bit_length() + 8 & ~7
    numbers = [
        int.from_bytes(b"".join(way.to_bytes(bits // 8, "little") for way in part.ways), "little")
        for part in parts
    ]
    length = 1 + sum(len(part.ways) - 1 for part in parts)
    digits = product(numbers).to_bytes(length * bits // 8, "little")
    ways = [int.from_bytes(digits[i : i + bits // 8], "little") for i in range(0, len(digits), bits // 8)]
    return sum(part.fewest for part in parts), ways


def product(numbers: Iterable[int]) -> int:
    """The product, of neighbours first: large numbers are multiplied with large ones."""
    left = list(numbers)
    while len(left) > 1:
        pairs = [reduce(int.__mul__, left[i : i + 2]) for i in range(0, len(left), 2)]
        left = pairs
    return left[0] if left else 1
