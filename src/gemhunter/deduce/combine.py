"""Rules for several clues: sums and differences, and the total against clues without a common cell."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from gemhunter.deduce.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.deduce.rules import SEVERAL_CLUES, TOTAL, Deduction

MOST_COMBINED_CLUES = 4
"""More clues than that are hard to add up in the head."""

WINDOW = 17
"""Four clues that overlap in turn reach at most eight rows or columns from a cell of the first."""

MOST_PACKING_NODES = 2000
"""Choices of disjoint clues that are tried in one part of a board."""

MOST_PACKED_REGIONS = 100
"""In larger parts, one choice is made greedily and no other is tried."""


def coefficients(known: Knowledge, added: Iterable[int], subtracted: Iterable[int]) -> dict[int, int]:
    """How often each cell counts in a sum of regions; cells that cancel out are left out."""
    counts = Counter(cell for region in added for cell in known.cells[region])
    counts.subtract(cell for region in subtracted for cell in known.cells[region])
    return {cell: count for cell, count in counts.items() if count}


def sum_rule(known: Knowledge, added: tuple[int, ...], subtracted: tuple[int, ...]) -> Deduction | None:
    """What follows from some clues added and others subtracted, if their sum is as large as it can be.

    Then the cells that count more than zero are traps, and those that count less are gems.
    """
    counts = coefficients(known, added, subtracted)
    needed = sum(known.traps[each] for each in added) - sum(known.traps[each] for each in subtracted)
    if not counts or needed != sum(count for count in counts.values() if count > 0):
        return None
    traps = frozenset(cell for cell, count in counts.items() if count > 0)
    return Deduction(SEVERAL_CLUES, added, traps, frozenset(counts) - traps, subtracted)


class Sums:
    """Finds sums of several clues that decide cells, while more and more is known of a board.

    A set of cells is an integer with a bit for each cell. Cells a whole window apart share a bit, but the
    clues of one sum, which overlap, never reach that far.
    """

    def __init__(self, known: Knowledge, forced: Mapping[int, int]) -> None:
        """`forced` has the value of every cell that is the same in all solutions."""
        self.known, self._forced = known, forced
        self._bits: dict[int, tuple[int, int, int]] = {}
        self._near: dict[int, list[int]] = {}

    def find(self, cell: int, value: int) -> tuple[Deduction | None, set[int]]:
        """A sum by which `cell` must have `value`, or which decides others; and all regions looked at.

        Of all sums that decide anything, one with the fewest clues is found if every cell that it decides is
        asked for.
        """
        own = self.known.regions_of[cell]
        search = _SumSearch(self, value, seen=set(own))
        for region in own:
            search.extend((region,), ())
        return search.best, search.seen

    def bits(self, region: int) -> tuple[int, int, int]:
        """The undecided cells of a region, and those of them that are forced to be gems, and traps."""
        cells, found = self.known.cells[region], self._bits.get(region)
        # Regions only lose cells, so the number of cells tells whether one has changed.
        if found is None or found[0].bit_count() != len(cells):
            every, forced = 0, [0, 0]
            for cell in cells:
                row, col = self.known.place(cell)
                bit = 1 << (row % WINDOW * WINDOW + col % WINDOW)
                every |= bit
                if cell in self._forced:
                    forced[self._forced[cell]] |= bit
            found = self._bits[region] = every, forced[IS_GEM], forced[IS_TRAP]
        return found

    def near(self, region: int) -> list[int]:
        """The regions that share cells with a region, or did when this was first asked."""
        if region not in self._near:
            self._near[region] = sorted(self.known.overlapping(region))
        return self._near[region]


class _SumSearch:
    """The search for a sum with few clues that decides one cell.

    Clues are `plus` if they count towards the cell's value, `minus` if they count against it: for a trap that
    means added and subtracted, for a gem the reverse. A sum that decides the cell has a plus clue with it.
    """

    def __init__(self, sums: Sums, value: int, *, seen: set[int]) -> None:
        self.best: Deduction | None = None
        self.seen = seen
        self._sums, self._value = sums, value
        self._most = MOST_COMBINED_CLUES

    def extend(self, plus: tuple[int, ...], minus: tuple[int, ...]) -> None:
        """Look for sums that have these clues and are as large as they can be.

        In such a sum, cells that are not forced, or to the wrong value, cancel out.
        """
        bits, left = self._sums.bits, self._most - len(plus) - len(minus)
        if left < 0:
            return
        alike = unlike = 0
        for region in plus + minus:
            forced = bits(region)
            alike |= forced[1 + self._value]
            unlike |= forced[2 - self._value]
        once, twice, thrice = _counted([bits(region)[0] for region in plus])
        less, less_2, less_3 = _counted([bits(region)[0] for region in minus])
        surplus = (once & ~less | twice & ~less_2 | thrice & ~less_3) & ~alike
        deficit = (less & ~once | less_2 & ~twice | less_3 & ~thrice) & ~unlike
        wrong = surplus | deficit
        if not wrong:
            self._take(plus, minus)
            return
        if not left or (left == 1 and surplus and deficit):
            return
        # Any one of the wrong cells will do: a clue of the sum must cancel it.
        bit = wrong & -wrong
        near = self._sums.near(next(region for region in plus + minus if bits(region)[0] & bit))
        self.seen.update(near)
        for region in near:
            cells = bits(region)[0]
            if cells & bit and region not in plus + minus and (left > 1 or not wrong & ~cells):
                if bit & surplus:
                    self.extend(plus, (*minus, region))
                else:
                    self.extend((*plus, region), minus)

    def _take(self, plus: tuple[int, ...], minus: tuple[int, ...]) -> None:
        added, subtracted = (plus, minus) if self._value == IS_TRAP else (minus, plus)
        deduction = sum_rule(self._sums.known, added, subtracted)
        if deduction is not None:
            self.best, self._most = deduction, len(plus) + len(minus) - 1


def _counted(sets: Iterable[int]) -> tuple[int, int, int]:
    """The cells that are in at least one, two and three of these sets."""
    once = twice = thrice = 0
    for cells in sets:
        once, twice, thrice = once | cells, twice | once & cells, thrice | twice & cells
    return once, twice, thrice


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
