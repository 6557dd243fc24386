"""Rules for several clues: sums and differences, and the total against clues without a common cell."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gemhunter.deduce.knowledge import IS_TRAP, Knowledge
from gemhunter.deduce.rules import SEVERAL_CLUES, TOTAL, Deduction

MOST_COMBINED_CLUES = 4
"""More clues than that are hard to add up in the head."""

MOST_PACKING_NODES = 2000
"""Choices of disjoint clues that are tried in one part of a board."""

MOST_PACKED_REGIONS = 100
"""In larger parts, one choice is made greedily and no other is tried."""


def several_clues(known: Knowledge, cell: int, value: int) -> tuple[Deduction | None, set[int]]:
    """Clues added and subtracted so that `cell` must have `value`, as few as possible; and all clues seen.

    The difference counts each cell of `plus` once and each of `minus` as -1. If it is as large as it can be,
    every cell of `plus` is a trap and every cell of `minus` is a gem.
    """
    search = _Combination(known, cell)
    for region in known.regions_of[cell]:
        search.begin(region, adds=value == IS_TRAP)
    return search.best, search.seen


@dataclass(frozen=True, slots=True)
class _Sum:
    """Clues added and subtracted: what is left of their cells, and how far it is from the most it can be."""

    added: tuple[int, ...]
    subtracted: tuple[int, ...]
    plus: frozenset[int]
    minus: frozenset[int]
    slack: int

    @property
    def size(self) -> int:
        return len(self.added) + len(self.subtracted)

    def with_added(self, region: int, cells: set[int], traps: int) -> "_Sum | None":
        """The sum with a clue added, if that cancels cells and brings it no further from its bound."""
        cancelled = self.minus & cells
        gain = len(cells) - traps - len(cancelled)
        if not cancelled or gain > 0 or self.plus & cells:
            return None
        plus, minus = self.plus | (cells - cancelled), self.minus - cells
        return _Sum((*self.added, region), self.subtracted, plus, minus, self.slack + gain)

    def with_subtracted(self, region: int, cells: set[int], traps: int) -> "_Sum | None":
        """The sum with a clue subtracted, if that cancels cells and brings it no further from its bound."""
        cancelled = self.plus & cells
        gain = traps - len(cancelled)
        if not cancelled or gain > 0 or self.minus & cells:
            return None
        plus, minus = self.plus - cells, self.minus | (cells - cancelled)
        return _Sum(self.added, (*self.subtracted, region), plus, minus, self.slack + gain)


class _Combination:
    """A depth-first search for the sum with the fewest clues that decides a cell."""

    def __init__(self, known: Knowledge, cell: int) -> None:
        self.known, self.cell = known, cell
        self.best: Deduction | None = None
        self.seen: set[int] = set()
        self._most = MOST_COMBINED_CLUES

    def begin(self, region: int, *, adds: bool) -> None:
        """Try all sums with this clue first, added or subtracted."""
        cells, traps, none = frozenset(self.known.cells[region]), self.known.traps[region], frozenset[int]()
        if adds:
            self._extend(_Sum((region,), (), cells, none, len(cells) - traps))
        else:
            self._extend(_Sum((), (region,), none, cells, traps))

    def _extend(self, so_far: _Sum) -> None:
        if so_far.slack == 0:
            self.best = Deduction(SEVERAL_CLUES, so_far.added, so_far.plus, so_far.minus, so_far.subtracted)
            self._most = so_far.size - 1
            return
        if so_far.size >= self._most:
            return
        known, used = self.known, {*so_far.added, *so_far.subtracted}
        for region in self._touching(so_far.plus | so_far.minus) - used:
            cells, traps = known.cells[region], known.traps[region]
            if self.cell in cells:
                continue
            for longer in (
                so_far.with_added(region, cells, traps),
                so_far.with_subtracted(region, cells, traps),
            ):
                if longer is not None:
                    self._extend(longer)

    def _touching(self, cells: Iterable[int]) -> set[int]:
        found = {region for cell in cells for region in self.known.regions_of[cell]}
        self.seen |= found
        return found


def total_rule(known: Knowledge) -> Deduction | None:
    """The total against clues that share no cell: all other cells are gems, or all are traps.

    If such clues need every trap that is left, the other cells are gems. If they leave room for no gem
    elsewhere, the other cells are traps.
    """
    if known.traps_left is None:
        return None
    gems_left = known.undecided - known.traps_left
    packed = _packing(known, lambda region: known.traps[region])
    if sum(known.traps[region] for region in packed) == known.traps_left:
        return _outside(known, packed, are_traps=False)
    packed = _packing(known, lambda region: len(known.cells[region]) - known.traps[region])
    if sum(len(known.cells[region]) - known.traps[region] for region in packed) == gems_left:
        return _outside(known, packed, are_traps=True)
    return None


def _outside(known: Knowledge, packed: list[int], *, are_traps: bool) -> Deduction | None:
    covered = set[int]().union(*(known.cells[region] for region in packed))
    others, none = frozenset(known.undecided_cells()) - covered, frozenset[int]()
    if not others:
        return None
    traps, gems = (others, none) if are_traps else (none, others)
    return Deduction(TOTAL, tuple(packed), traps, gems, with_total=True)


def _packing(known: Knowledge, weight: Callable[[int], int]) -> list[int]:
    """Regions without a common cell and with a large sum of weights: the largest, in small parts."""
    left = {region for region in range(len(known.cells)) if known.cells[region] and weight(region)}
    chosen: list[int] = []
    while left:
        part = _part(known, min(left), left)
        left -= part
        chosen += _Packing(known, weight, part).best
    return sorted(chosen)


def _part(known: Knowledge, first: int, regions: set[int]) -> set[int]:
    """The regions that are connected with the first one by common cells."""
    part, stack = {first}, [first]
    while stack:
        for other in known.overlapping(stack.pop()):
            if other in regions and other not in part:
                part.add(other)
                stack.append(other)
    return part


class _Packing:
    """The best choice of regions without a common cell, by branch and bound with an end."""

    def __init__(self, known: Knowledge, weight: Callable[[int], int], part: set[int]) -> None:
        self._weight = {region: weight(region) for region in part}
        self._near = {region: known.overlapping(region) & part for region in part}
        # Few rivals first: the first choice is then the greedy one.
        order = sorted(part, key=lambda each: (len(self._near[each]) - self._weight[each], each))
        self.best = self._greedy(order)
        self._most = sum(self._weight[region] for region in self.best)
        self._nodes = MOST_PACKING_NODES
        if len(order) <= MOST_PACKED_REGIONS:
            self._choose(order, [], 0)

    def _greedy(self, order: list[int]) -> list[int]:
        chosen: list[int] = []
        for region in order:
            if self._near[region].isdisjoint(chosen):
                chosen.append(region)
        return chosen

    def _choose(self, left: list[int], chosen: list[int], sum_so_far: int) -> None:
        if sum_so_far > self._most:
            self.best, self._most = chosen, sum_so_far
        self._nodes -= 1
        if not left or self._nodes < 0 or sum_so_far + sum(map(self._weight.__getitem__, left)) <= self._most:
            return
        region, *others = left
        rivals = self._near[region]
        apart = [other for other in others if other not in rivals]
        self._choose(apart, [*chosen, region], sum_so_far + self._weight[region])
        if len(apart) < len(others):
            self._choose(others, chosen, sum_so_far)
