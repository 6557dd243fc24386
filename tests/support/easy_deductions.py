"""What one clue, two, or a sum of several decide on a board: found by going through all there is."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

import numpy as np

from clue_judge import ClueJudge
from oracles import Place


class EasyDeductions:
    """The clues, and pairs of clues, that decide a cell, kept up to date while cells are decided."""

    def __init__(self, judge: ClueJudge, clues: Iterable[Place], *, with_total: bool) -> None:
        self._clues = set(clues)
        self._left = {clue: set(judge.region[clue]) for clue in self._clues}
        self._needed = {clue: judge.needed[clue] for clue in self._clues}
        self._cells = len(judge.hidden)
        self._traps = judge.hidden_traps if with_total else None
        self._one: set[Place] = set()
        self._two: set[tuple[Place, Place]] = set()
        for clue in self._clues:
            self._look(clue)

    def by_one(self) -> list[Place | str]:
        """The clues that decide a cell alone, and `total` if all cells that are left must be the same."""
        total = ["total"] if self._cells and self._traps in (0, self._cells) else []
        return [*sorted(self._one), *total]

    def by_two(self) -> list[tuple[Place, Place]]:
        """The pairs of clues that decide a cell together."""
        return sorted(self._two)

    def by_sum(self, most: int) -> dict[Place, int] | None:
        """Clues with signs, `most` of them at most and as few as possible, whose sum decides a cell.

        Every sum says that its cells, each times its coefficient, come to a number. If that is the largest
        number that they can come to, all of them are decided. As all signs are tried, this covers the
        smallest number too.
        """
        clues = self.unfinished()
        cells = sorted(set().union(*(self._left[clue] for clue in clues)))
        has = np.array([[cell in self._left[clue] for cell in cells] for clue in clues], np.int8)
        needs = np.array([self._needed[clue] for clue in clues], np.int8)
        for sets in self._connected(clues, most):
            signs = np.array(list(product((1, -1), repeat=len(sets[0]))), np.int8)
            coefficients, number = signs @ has[sets], (signs @ needs[sets][:, :, None])[:, :, 0]
            largest = np.maximum(coefficients, 0).sum(axis=2)
            decides = (number == largest) & coefficients.any(axis=2)
            if decides.any():
                chosen, signed = np.argwhere(decides)[0]
                return {
                    clues[clue]: int(sign) for clue, sign in zip(sets[chosen], signs[signed], strict=True)
                }
        return None

    def unfinished(self) -> list[Place]:
        """The clues that have undecided cells."""
        return sorted(clue for clue in self._clues if self._left[clue])

    def _connected(self, clues: list[Place], most: int) -> Iterator[list[tuple[int, ...]]]:
        """For each size up to `most`, all sets of clues that hang together by common cells.

        No other sum matters: of two groups of clues without a common cell, each decides its own cells alone.
        """
        near = [
            {index for index, other in enumerate(clues) if self._left[clue] & self._left[other]}
            for clue in clues
        ]
        sets = {frozenset({index}) for index in range(len(clues))}
        for _ in range(most if sets else 0):
            yield [tuple(sorted(each)) for each in sets]
            sets = {each | {other} for each in sets for index in each for other in near[index] - each}
            if not sets:
                return

    def decide(self, values: Mapping[Place, bool]) -> None:
        """Cells become known."""
        changed = set()
        self._cells -= len(values)
        for (row, col), is_trap in values.items():
            if self._traps is not None:
                self._traps -= is_trap
            around = {(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)}
            for clue in around & self._clues:
                self._left[clue].discard((row, col))
                self._needed[clue] -= is_trap
                changed.add(clue)
        for clue in changed:
            self._look(clue)

    def _look(self, clue: Place) -> None:
        row, col = clue
        self._one.discard(clue)
        if _is_decided(len(self._left[clue]), [self._needed[clue]]):
            self._one.add(clue)
        reach = range(-2, 3)
        for other in {(row + down, col + right) for down in reach for right in reach} & self._clues - {clue}:
            pair = min(clue, other), max(clue, other)
            self._two.discard(pair)
            if self._decide_together(*pair):
                self._two.add(pair)

    def _decide_together(self, one: Place, other: Place) -> bool:
        """Whether all ways to fill the cells of two clues agree on a cell."""
        shared = len(self._left[one] & self._left[other])
        own, others = len(self._left[one]) - shared, len(self._left[other]) - shared
        ways = [
            (here, self._needed[one] - here, self._needed[other] - here)
            for here in range(shared + 1)
            if 0 <= self._needed[one] - here <= own and 0 <= self._needed[other] - here <= others
        ]
        sizes = (shared, own, others)
        return bool(ways) and any(
            _is_decided(size, [way[part] for way in ways]) for part, size in enumerate(sizes)
        )


def _is_decided(cells: int, traps: list[int]) -> bool:
    """Whether cells that no clue tells apart are decided, if they can have these numbers of traps."""
    return cells > 0 and (set(traps) == {0} or set(traps) == {cells})
