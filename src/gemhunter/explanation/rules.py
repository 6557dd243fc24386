"""The rules by which a person deduces cells, from easy to hard.

One clue, two clues, or a line of them; lines of thought that suppose something and follow single clues;
sums and differences of several clues, and the total; and suppositions: "what if", and all ways to fill
the cells of a clue. `chain` tries them in this order.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product

from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, Knowledge

# Lines of thought: what is supposed, what follows by single clues, and where it ends.
#
# "What if", case splits and sets of clues are all made of these. A line supposes some cells and follows
# them clue by clue. It ends in a clue that cannot hold, in a conclusion, or in further lines that cover
# every case.


MOST_FOLLOWED_CELLS = 60
"""A line that decides more cells is more than a person wants to follow."""

THE_TOTAL = -1
"""In place of a region: the total."""

SUPPOSED = -1
"""In place of the number of an event: before all of them."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """A region, or `THE_TOTAL`, decides these cells, as numbered in `Knowledge`."""

    region: int
    traps: frozenset[int]
    gems: frozenset[int]


@dataclass(frozen=True, slots=True)
class Line:
    """Cells that are supposed, what follows, and the end.

    `broken` is the region that cannot hold in the end; None if the line ends otherwise. `cases` go on from
    here where they are not empty: one of them must be true, and none of them can be.
    """

    traps: frozenset[int]
    gems: frozenset[int]
    follows: tuple[Consequence, ...]
    broken: int | None = None
    cases: tuple["Line", ...] = ()

    @property
    def is_refuted(self) -> bool:
        """Whether what is supposed cannot be."""
        return self.broken is not None or bool(self.cases)

    def regions(self) -> set[int]:
        """Every region that the line rests on, and `THE_TOTAL` if the total is used."""
        found = {each.region for each in self.follows}
        if self.broken is not None:
            found.add(self.broken)
        return found.union(*(case.regions() for case in self.cases))


class Supposition:
    """What follows by single clues once some cells are supposed; `known` is left as it is.

    `seen` has the regions whose state mattered: while they stay as they are, so does the answer.
    """

    def __init__(
        self, known: Knowledge, supposed: dict[int, int], *, among: Collection[int] | None = None
    ) -> None:
        """`among` are the regions to use; by default all, and the total where few cells are left."""
        self.known = known
        self.value = dict(supposed)
        self.broken: int | None = None
        self.seen: set[int] = set()
        self._among = among
        self._order = dict.fromkeys(supposed, SUPPOSED)
        self._reasons: list[int] = []
        self._left: dict[int, int] = {}
        self._needed: dict[int, int] = {}
        self._queue: list[int] = []
        self._uses_total = known.traps_left is not None and (
            known.undecided <= MOST_FOLLOWED_CELLS if among is None else THE_TOTAL in among
        )
        if self._uses_total:
            self.seen.add(THE_TOTAL)
        for cell, value in supposed.items():
            self._note(cell, value)
        self._follow()

    def _note(self, cell: int, value: int) -> None:
        """Take a cell out of its regions, and put them in the queue."""
        known, left, needed = self.known, self._left, self._needed
        for region in known.regions_of[cell]:
            if self._among is not None and region not in self._among:
                continue
            if region not in left:
                left[region] = len(known.cells[region])
                needed[region] = known.traps[region]
                self.seen.add(region)
            left[region] -= 1
            needed[region] -= value
            self._queue.append(region)
            if self.broken is None and not 0 <= needed[region] <= left[region]:
                self.broken = region

    def _follow(self) -> None:
        """Apply single clues until nothing follows, a clue cannot hold, or it becomes too much."""
        at = 0
        most = MOST_FOLLOWED_CELLS if self._among is None else len(self.known.value)
        while self.broken is None and len(self.value) <= most:
            if at < len(self._queue):
                self._apply(self._queue[at])
                at += 1
            elif not self._apply_total():
                return

    def _apply(self, region: int) -> None:
        left, needed = self._left[region], self._needed[region]
        if left and needed in (0, left):
            self._decide(region, self.known.cells[region], IS_TRAP if needed else IS_GEM)

    def _apply_total(self) -> bool:
        """Whether the total decides something now, or cannot hold."""
        if not self._uses_total or self.known.traps_left is None:
            return False
        left = self.known.undecided - len(self.value)
        needed = self.known.traps_left - sum(self.value.values())
        if not 0 <= needed <= left:
            self.broken = THE_TOTAL
        elif left and needed in (0, left):
            self._decide(THE_TOTAL, set(self.known.undecided_cells()), IS_TRAP if needed else IS_GEM)
        else:
            return False
        return True

    def _decide(self, region: int, cells: set[int], value: int) -> None:
        number = len(self._reasons)
        self._reasons.append(region)
        for cell in sorted(cells):
            if cell not in self.value:
                self.value[cell] = value
                self._order[cell] = number
                self._note(cell, value)

    def line(self, wanted: Iterable[int] = (), *, cases: tuple[Line, ...] = ()) -> Line:
        """The line with only what its end needs: the broken region, or else the values of `wanted`."""
        cells = set(wanted) if self.broken is None else self._cells_behind(self.broken, len(self._reasons))
        follows: list[Consequence] = []
        for number in range(len(self._reasons) - 1, -1, -1):
            here = {cell for cell in cells if self._order[cell] == number}
            if here:
                traps = frozenset(cell for cell in here if self.value[cell] == IS_TRAP)
                follows.append(Consequence(self._reasons[number], traps, frozenset(here) - traps))
                cells |= self._cells_behind(self._reasons[number], number)
        supposed = frozenset(cell for cell in cells if self._order[cell] == SUPPOSED)
        traps = frozenset(cell for cell in supposed if self.value[cell] == IS_TRAP)
        return Line(traps, supposed - traps, tuple(reversed(follows)), self.broken, cases)

    def _cells_behind(self, region: int, before: int) -> set[int]:
        """The cells of a region that were decided before an event."""
        cells = self.value.keys() if region == THE_TOTAL else self.known.cells[region]
        return {cell for cell in cells if cell in self.value and self._order[cell] < before}


def refute(known: Knowledge, supposed: dict[int, int], among: Collection[int], lines: int) -> Line | None:
    """A line that shows that these cells cannot be as supposed, by the regions `among` alone.

    Where single clues do not show it, the line splits on a cell. None if it would take more than `lines`
    lines, or if nothing shows it.
    """
    return _Refutation(known, among, lines).refute(supposed)


@dataclass(slots=True)
class _Refutation:
    known: Knowledge
    among: Collection[int]
    lines: int

    def refute(self, supposed: dict[int, int]) -> Line | None:
        self.lines -= 1
        supposition = Supposition(self.known, supposed, among=self.among)
        if supposition.broken is not None:
            return supposition.line()
        split = self._cell_to_split(supposition)
        if split is None or self.lines < 2:
            return None
        cases = []
        for value in (IS_TRAP, IS_GEM):
            case = self.refute({**supposition.value, split: value})
            if case is None:
                return None
            if split not in case.traps | case.gems:
                # The case does not need the cell: what it goes on to split leads to the end alone.
                return supposition.line(case.traps | case.gems, cases=case.cases)
            cases.append(case)
        wanted = frozenset[int]().union(*(case.traps | case.gems for case in cases)) - {split}
        return supposition.line(wanted, cases=tuple(_only(case, split) for case in cases))

    def _cell_to_split(self, supposition: Supposition) -> int | None:
        """An undecided cell of a region with few of them: supposing it leads furthest."""
        fewest, found = 0, None
        for region in self.among:
            cells = () if region == THE_TOTAL else self.known.cells[region] - supposition.value.keys()
            if cells and (found is None or len(cells) < fewest):
                fewest = len(cells)
                found = min(cells, key=lambda cell: (-len(self.known.regions_of[cell]), cell))
        return found


def _only(case: Line, split: int) -> Line:
    """A case that supposes the split cell alone; the rest is what its parent knows."""
    return Line(case.traps & {split}, case.gems & {split}, case.follows, case.broken, case.cases)


# The rules by which a person deduces cells from one clue, from two, or from a line of them.
#
# A rule reads `Knowledge` and returns a `Deduction`, or None where it does not apply. Nothing is changed.


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of deduction. Rules of a lower level are easier; `about` completes "A cell is decided by …"."""

    name: str
    level: int
    about: str


ONE_CLUE = Rule("one-clue", 1, "a single clue")
TOTAL_REACHED = Rule("total-reached", 1, "the number of traps that are left")
SUBSET = Rule("subset", 2, "two clues, one of which covers the cells of the other")
OVERLAP = Rule("overlap", 2, "two clues that share cells")
ONE_ONE = Rule("1-1", 2, "the pattern 1-1")
ONE_TWO = Rule("1-2", 2, "the pattern 1-2")
ONE_TWO_ONE = Rule("1-2-1", 2, "the pattern 1-2-1")
ONE_TWO_TWO_ONE = Rule("1-2-2-1", 2, "the pattern 1-2-2-1")
SEVERAL_CLUES = Rule("several-clues", 3, "several clues, added and subtracted")
TOTAL = Rule("total", 4, "the total and clues without a common cell")
WHAT_IF = Rule("what-if", 5, "supposing the opposite, which leads to a conflict")
CASE_SPLIT = Rule("case-split", 6, "all ways to fill the cells of one clue, which agree")
CLUE_SET = Rule("clue-set", 7, "a set of clues, none of which can be left out")

RULES = {
    rule.name: rule
    for rule in (
        *(ONE_CLUE, TOTAL_REACHED, ONE_ONE, ONE_TWO, ONE_TWO_ONE, ONE_TWO_TWO_ONE, SUBSET, OVERLAP),
        *(SEVERAL_CLUES, TOTAL, WHAT_IF, CASE_SPLIT, CLUE_SET),
    )
}
"""All rules by name, the easiest first."""

HARDEST_LEVEL = max(rule.level for rule in RULES.values())


@dataclass(frozen=True, slots=True)
class Deduction:
    """Cells that a rule decides, by the numbers of `Knowledge`, and the regions that it rests on."""

    rule: Rule
    regions: tuple[int, ...]
    traps: frozenset[int]
    gems: frozenset[int]
    subtracted: tuple[int, ...] = ()
    """The regions that are subtracted from the others, where regions are combined."""
    with_total: bool = False
    lines: tuple[Line, ...] = field(default=(), compare=False)
    """What is supposed, and what follows."""

    @property
    def clues(self) -> tuple[int, ...]:
        """All regions, with those that are subtracted."""
        return self.regions + self.subtracted


def one_clue(known: Knowledge, region: int) -> Deduction | None:
    """A region without traps, or full of them, decides all its cells."""
    cells, traps = known.cells[region], known.traps[region]
    if not cells or traps not in (0, len(cells)):
        return None
    decided, none = frozenset(cells), frozenset[int]()
    return Deduction(ONE_CLUE, (region,), decided if traps else none, none if traps else decided)


def total_reached(known: Knowledge) -> Deduction | None:
    """If no trap is left, or nothing but traps, the total decides every cell."""
    if not known.undecided or known.traps_left not in (0, known.undecided):
        return None
    decided, none = frozenset(known.undecided_cells()), frozenset[int]()
    traps, gems = (decided, none) if known.traps_left else (none, decided)
    return Deduction(TOTAL_REACHED, (), traps, gems, with_total=True)


def two_clues(known: Knowledge, larger: int, smaller: int) -> Deduction | None:
    """The clue `larger` needs as many more traps than `smaller` as it has cells of its own: all are traps.

    Then the cells that only `smaller` has are gems. Asked both ways round, this finds everything that
    follows from two clues together and not from one of them.
    """
    own = known.cells[larger] - known.cells[smaller]
    if known.traps[larger] - known.traps[smaller] != len(own):
        return None
    other = known.cells[smaller] - known.cells[larger]
    if not own and not other:
        return None
    rule = _pair_rule(known, larger, smaller, is_subset=not own or not other)
    return Deduction(rule, (larger,), frozenset(own), frozenset(other), (smaller,))


def _pair_rule(known: Knowledge, larger: int, smaller: int, *, is_subset: bool) -> Rule:
    (row, col), (other_row, other_col) = known.clue(larger), known.clue(smaller)
    needs = known.traps[larger], known.traps[smaller]
    if abs(row - other_row) + abs(col - other_col) == 1:
        if needs == (1, 1) and is_subset:
            return ONE_ONE
        if needs == (2, 1):
            return ONE_TWO
    return SUBSET if is_subset else OVERLAP


LINE_PATTERNS = {(1, 2, 1): ONE_TWO_ONE, (1, 2, 2, 1): ONE_TWO_TWO_ONE}
"""What clues side by side along a wall need, and the pattern that they form."""

MOST_PATTERN_CELLS = 8
"""A pattern along a wall has at most six cells; corners add a few."""


def line_pattern(known: Knowledge, by_place: dict[tuple[int, int], int], region: int) -> Deduction | None:
    """The pattern 1-2-1 or 1-2-2-1 that a region is part of; `by_place` has the region of each clue."""
    for line, rule in _lines_through(known, by_place, region):
        found = _decided_by(known, line)
        if found is not None and found[0]:
            return Deduction(rule, line, *found)
    return None


def _lines_through(
    known: Knowledge, by_place: dict[tuple[int, int], int], region: int
) -> Iterator[tuple[tuple[int, ...], Rule]]:
    row, col = known.clue(region)
    for pattern, rule in LINE_PATTERNS.items():
        for down, right in ((0, 1), (1, 0)):
            for first in range(1 - len(pattern), 1):
                places = [(row + i * down, col + i * right) for i in range(first, first + len(pattern))]
                line = tuple(by_place[place] for place in places if place in by_place)
                is_whole = len(line) == len(pattern)
                if is_whole and all(known.traps[each] == n for each, n in zip(line, pattern, strict=True)):
                    yield line, rule


def _decided_by(known: Knowledge, line: tuple[int, ...]) -> tuple[frozenset[int], frozenset[int]] | None:
    """The traps and gems that are the same in every way to fill the cells of a line of regions."""
    cells = sorted(set[int]().union(*(known.cells[region] for region in line)))
    if len(cells) > MOST_PATTERN_CELLS:
        return None
    ways = [
        {cell for cell, is_trap in zip(cells, way, strict=True) if is_trap}
        for way in product((False, True), repeat=len(cells))
    ]
    fitting = [way for way in ways if all(len(way & known.cells[r]) == known.traps[r] for r in line)]
    if not fitting:
        return None
    return frozenset(set.intersection(*fitting)), frozenset(set(cells).difference(*fitting))


# Rules for several clues: sums and differences, and the total against clues without a common cell.


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


# Rules that suppose something: "what if", and going through all ways to fill the cells of a clue.
#
# Each returns its deduction and the regions that mattered: while those stay as they are, so does the
# answer.


MOST_WAYS = 10
"""Ways to fill the cells of one clue that a person would go through."""

MOST_CASE_CLUES = 12
"""Clues that all cases together may use."""


def what_if(known: Knowledge, cell: int, value: int) -> tuple[Deduction | None, set[int]]:
    """If the other value of a cell leads to a conflict by single clues, the cell has this value."""
    supposition = Supposition(known, {cell: 1 - value})
    if supposition.broken is None:
        return None, supposition.seen
    return decided_by_lines(WHAT_IF, cell, value, [supposition.line()]), supposition.seen


def case_split(known: Knowledge, region: int) -> tuple[Deduction | None, set[int]]:
    """If all ways to fill the cells of a region lead to the same value of a cell, it has that value."""
    cells, traps = sorted(known.cells[region]), known.traps[region]
    ways = list(islice(combinations(cells, traps), MOST_WAYS + 1)) if cells and traps >= 0 else []
    if not 2 <= len(ways) <= MOST_WAYS:
        return None, {region}
    cases = [Supposition(known, {cell: int(cell in way) for cell in cells}) for way in ways]
    return _agreed(region, cases), {region}.union(*(case.seen for case in cases))


def _agreed(region: int, cases: Sequence[Supposition]) -> Deduction | None:
    """The cell on which all possible cases agree, with the shortest lines."""
    possible = [case for case in cases if case.broken is None]
    if not possible:
        return None
    common = set(possible[0].value.items()).intersection(*(case.value.items() for case in possible[1:]))
    found = []
    for cell, value in sorted(common):
        deduction = decided_by_lines(CASE_SPLIT, cell, value, [case.line([cell]) for case in cases], region)
        if len(deduction.regions) <= MOST_CASE_CLUES:
            found.append(deduction)
    return min(
        found,
        key=lambda each: (len(each.regions), sum(len(line.follows) for line in each.lines)),
        default=None,
    )


def decided_by_lines(rule: Rule, cell: int, value: int, lines: Sequence[Line], *split: int) -> Deduction:
    """The deduction that lines show a cell to have this value; the region that they split comes first."""
    regions = set[int]().union(*(line.regions() for line in lines)) - {*split}
    decided, none = frozenset({cell}), frozenset[int]()
    traps, gems = (decided, none) if value == IS_TRAP else (none, decided)
    clues = (*split, *sorted(regions - {THE_TOTAL}))
    return Deduction(rule, clues, traps, gems, with_total=THE_TOTAL in regions, lines=tuple(lines))
