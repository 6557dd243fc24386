"""The rules by which a person deduces cells, from easy to hard.

A rule reads `Knowledge` and returns a `Deduction`, or None where it does not apply; it changes nothing. The
rules stand in the order in which `chain` tries them: one clue, two clues, or a line of them; sums and
differences of several clues, and the total; and suppositions: "what if", and all ways to fill the cells of a
clue. At the end are the lines of thought that suppositions and sets of clues are made of.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product

from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, Knowledge

THE_TOTAL = -1
"""Stands for the total where a region is expected."""

FOLLOWED_CELL_LIMIT = 60
"""A person does not want to follow a line of thought that decides more cells."""

NO_CELLS: frozenset[int] = frozenset()


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
class Consequence:
    """A region, or `THE_TOTAL`, decides these cells, as numbered in `Knowledge`."""

    region: int
    traps: frozenset[int]
    gems: frozenset[int]


@dataclass(frozen=True, slots=True)
class Line:
    """What is supposed, what follows from it, and how the line ends.

    `broken` is the region that cannot hold in the end; None if the line ends otherwise. It may split into
    `cases`: one of them would have to be true, and none of them can be.
    """

    traps: frozenset[int]
    gems: frozenset[int]
    follows: tuple[Consequence, ...]
    broken: int | None = None
    cases: tuple["Line", ...] = ()

    @property
    def is_refuted(self) -> bool:
        """Whether the line shows that what it supposes is impossible."""
        return self.broken is not None or bool(self.cases)

    def regions(self) -> set[int]:
        """Every region that the line rests on, and `THE_TOTAL` if the total is used."""
        found = {each.region for each in self.follows}
        if self.broken is not None:
            found.add(self.broken)
        return found.union(*(case.regions() for case in self.cases))


@dataclass(frozen=True, slots=True)
class Deduction:
    """Cells that a rule decides, as numbered in `Knowledge`, and the regions that it rests on."""

    rule: Rule
    regions: tuple[int, ...]
    traps: frozenset[int]
    gems: frozenset[int]
    subtracted: tuple[int, ...] = ()
    """The regions that are subtracted from the others, if regions are combined."""
    with_total: bool = False
    lines: tuple[Line, ...] = field(default=(), compare=False)
    """What is supposed, and what follows."""

    @property
    def clues(self) -> tuple[int, ...]:
        """All regions, including those that are subtracted."""
        return self.regions + self.subtracted


def one_clue(known: Knowledge, region: int) -> Deduction | None:
    """A region without traps, or full of them, decides all its cells."""
    cells, traps = known.cells[region], known.traps[region]
    if not cells or traps not in (0, len(cells)):
        return None
    return Deduction(ONE_CLUE, (region,), *_as_traps_or_gems(cells, are_traps=traps > 0))


def total_reached(known: Knowledge) -> Deduction | None:
    """If no trap is left, or only traps, the total decides every cell."""
    if not known.undecided or known.traps_left not in (0, known.undecided):
        return None
    decided = _as_traps_or_gems(known.undecided_cells(), are_traps=known.traps_left != 0)
    return Deduction(TOTAL_REACHED, (), *decided, with_total=True)


def _as_traps_or_gems(cells: Iterable[int], *, are_traps: bool) -> tuple[frozenset[int], frozenset[int]]:
    """These cells as the traps and gems of a deduction: one of the two sets is empty."""
    return (frozenset(cells), NO_CELLS) if are_traps else (NO_CELLS, frozenset(cells))


def two_clues(known: Knowledge, larger: int, smaller: int) -> Deduction | None:
    """If `larger` needs n more traps than `smaller` and has n cells that `smaller` lacks, those are traps.

    Then the cells that only `smaller` has are gems. Trying a pair both ways round finds everything that
    follows from the two clues together, but not from one of them.
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


def line_pattern(known: Knowledge, by_place: dict[tuple[int, int], int], region: int) -> Deduction | None:
    """The pattern 1-2-1 or 1-2-2-1 that a region is part of; `by_place` has the region of each clue."""
    for line, rule in _lines_through(known, by_place, region):
        cells = sorted(set[int]().union(*(known.cells[each] for each in line)))
        # A pattern along a wall has at most six cells; corners add a few.
        if len(cells) > 8:
            continue
        ways = (
            {cell for cell, is_trap in zip(cells, way, strict=True) if is_trap}
            for way in product((False, True), repeat=len(cells))
        )
        possible = [way for way in ways if all(len(way & known.cells[r]) == known.traps[r] for r in line)]
        if possible and (traps := frozenset(set.intersection(*possible))):
            return Deduction(rule, line, traps, frozenset(cells).difference(*possible))
    return None


def _lines_through(
    known: Knowledge, by_place: dict[tuple[int, int], int], region: int
) -> Iterator[tuple[tuple[int, ...], Rule]]:
    """The lines of clues that match a pattern by what they still need, and contain the region."""
    row, col = known.clue(region)
    for pattern, rule in (((1, 2, 1), ONE_TWO_ONE), ((1, 2, 2, 1), ONE_TWO_TWO_ONE)):
        for down, right in ((0, 1), (1, 0)):
            for first in range(1 - len(pattern), 1):
                places = [(row + i * down, col + i * right) for i in range(first, first + len(pattern))]
                line = tuple(by_place[place] for place in places if place in by_place)
                is_whole = len(line) == len(pattern)
                if is_whole and all(known.traps[each] == n for each, n in zip(line, pattern, strict=True)):
                    yield line, rule


# Several clues: sums and differences, and the total against clues without a common cell.


def coefficients(known: Knowledge, added: Iterable[int], subtracted: Iterable[int]) -> dict[int, int]:
    """How often each cell counts in a sum of regions, without the cells that cancel out."""
    counts = Counter(cell for region in added for cell in known.cells[region])
    counts.subtract(cell for region in subtracted for cell in known.cells[region])
    return {cell: count for cell, count in counts.items() if count}


def sum_rule(known: Knowledge, added: tuple[int, ...], subtracted: tuple[int, ...]) -> Deduction | None:
    """What follows from adding some clues and subtracting others, if the sum is as large as it can be.

    Then the cells that count more than zero are traps, and those that count less than zero are gems.
    """
    counts = coefficients(known, added, subtracted)
    needed = sum(known.traps[each] for each in added) - sum(known.traps[each] for each in subtracted)
    if not counts or needed != sum(count for count in counts.values() if count > 0):
        return None
    traps = frozenset(cell for cell, count in counts.items() if count > 0)
    return Deduction(SEVERAL_CLUES, added, traps, frozenset(counts) - traps, subtracted)


class Sums:
    """Finds sums of several clues that decide cells as more and more of a board becomes known.

    A set of cells is an integer with a bit for each cell of a window. Cells a whole window apart share a bit,
    but the clues of one sum never reach that far: four clues that overlap in turn reach at most eight rows or
    columns from a cell of the first.
    """

    def __init__(self, known: Knowledge, forced: Mapping[int, int]) -> None:
        """`forced` has the value of every cell that is the same in all solutions."""
        self.known, self._forced = known, forced
        self._bits: dict[int, tuple[int, int, int]] = {}
        self._near: dict[int, list[int]] = {}

    def find(self, cell: int, value: int) -> tuple[Deduction | None, set[int]]:
        """A sum that shows `cell` to have `value` or decides other cells, and all regions looked at.

        Asking about every forced cell finds one with the fewest clues of all sums that decide anything.
        """
        own = self.known.regions_of[cell]
        search = _SumSearch(self, value, seen=set(own))
        for region in own:
            search.extend((region,), ())
        return search.best, search.seen

    def bits(self, region: int) -> tuple[int, int, int]:
        """The undecided cells of a region, those that are forced to be gems, and those forced to be traps."""
        cells, found = self.known.cells[region], self._bits.get(region)
        # Regions only lose cells, so one has changed if it has fewer cells.
        if found is None or found[0].bit_count() != len(cells):
            every, forced = 0, [0, 0]
            for cell in cells:
                row, col = self.known.place(cell)
                bit = 1 << (row % 17 * 17 + col % 17)
                every |= bit
                if cell in self._forced:
                    forced[self._forced[cell]] |= bit
            found = self._bits[region] = every, forced[IS_GEM], forced[IS_TRAP]
        return found

    def near(self, region: int) -> list[int]:
        """The regions that shared cells with a region when this was first called for it."""
        if region not in self._near:
            self._near[region] = sorted(self.known.overlapping(region))
        return self._near[region]


class _SumSearch:
    """The search for a sum with few clues that decides one cell.

    Clues are `plus` if they count towards the cell's value, `minus` if they count against it: for a trap that
    means added and subtracted, for a gem the reverse. One of the plus clues has the cell.
    """

    def __init__(self, sums: Sums, value: int, *, seen: set[int]) -> None:
        self.best: Deduction | None = None
        self.seen = seen
        self._sums, self._value = sums, value
        self._most = 4  # more clues are hard to add up in one's head

    def extend(self, plus: tuple[int, ...], minus: tuple[int, ...]) -> None:
        """Look for sums that have these clues and are as large as they can be.

        In such a sum, a cell cancels out unless it is forced to the value that its sign calls for.
        """
        bits, left = self._sums.bits, self._most - len(plus) - len(minus)
        if left < 0:
            return
        alike = unlike = 0
        for region in plus + minus:
            forced = bits(region)
            alike |= forced[1 + self._value]
            unlike |= forced[2 - self._value]
        # How often each cell occurs, in unary: bit c of `twice` says that cell c is in two or more of the
        # clues. A cell is surplus if it is in more added than subtracted clues, unless it has the value that
        # this calls for.
        once, twice, thrice = _counted([bits(region)[0] for region in plus])
        less, less_2, less_3 = _counted([bits(region)[0] for region in minus])
        surplus = (once & ~less | twice & ~less_2 | thrice & ~less_3) & ~alike
        deficit = (less & ~once | less_2 & ~twice | less_3 & ~thrice) & ~unlike
        wrong = surplus | deficit
        if not wrong:
            self._take(plus, minus)
            return
        # One more clue, added or subtracted, cancels wrong cells of one kind only.
        if not left or (left == 1 and surplus and deficit):
            return
        # Any of the wrong cells will do, because some clue of the sum must cancel it.
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
            # From here on, only sums of fewer clues are of interest.
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
    # Clues without common cells need at least the sum of their traps; the second attempt counts gems instead.
    attempts: list[tuple[bool, int, Callable[[int], int]]] = [
        (False, known.traps_left, lambda region: known.traps[region]),
        (True, known.undecided - known.traps_left, lambda each: len(known.cells[each]) - known.traps[each]),
    ]
    for are_traps, left, weight in attempts:
        packed = _packing(known, weight)
        if sum(map(weight, packed)) == left:
            others = set(known.undecided_cells()).difference(*(known.cells[region] for region in packed))
            decided = _as_traps_or_gems(others, are_traps=are_traps)
            return Deduction(TOTAL, tuple(packed), *decided, with_total=True) if others else None
    return None


def _packing(known: Knowledge, weight: Callable[[int], int]) -> list[int]:
    """Regions that share no cell and have a large sum of weights; in small parts, the largest possible."""
    left = {region for region in range(len(known.cells)) if known.cells[region] and weight(region)}
    chosen: list[int] = []
    while left:
        # The regions that are connected with the first one by common cells.
        part, stack = {min(left)}, [min(left)]
        while stack:
            found = known.overlapping(stack.pop()) & left - part
            part |= found
            stack += found
        left -= part
        chosen += _best_packing(known, part, {region: weight(region) for region in part})
    return sorted(chosen)


def _best_packing(known: Knowledge, part: set[int], weight: dict[int, int]) -> list[int]:
    """The best choice of regions that share no cell, by branch and bound up to 2,000 nodes."""
    near = {region: known.overlapping(region) & part for region in part}
    # Regions that overlap few others come first, so that the first choice is the greedy one.
    order = sorted(part, key=lambda each: (len(near[each]) - weight[each], each))
    best: list[int] = []
    for region in order:
        if near[region].isdisjoint(best):
            best.append(region)
    # In larger parts no other choice is tried.
    if len(order) > 100:
        return best
    most, nodes = sum(weight[region] for region in best), 2000

    def choose(left: list[int], chosen: list[int], sum_so_far: int) -> None:
        nonlocal best, most, nodes
        if sum_so_far > most:
            best, most = chosen, sum_so_far
        nodes -= 1
        # Bound: even if all clues that are left had no common cells, their sum would not be larger.
        if not left or nodes < 0 or sum_so_far + sum(map(weight.__getitem__, left)) <= most:
            return
        region, *others = left
        apart = [other for other in others if other not in near[region]]
        choose(apart, [*chosen, region], sum_so_far + weight[region])
        if len(apart) < len(others):
            choose(others, chosen, sum_so_far)

    choose(order, [], 0)
    return best


# Suppositions: "what if", and going through all ways to fill the cells of a clue.
#
# Each returns its deduction and the regions that mattered: the answer changes only if one of them does.


def what_if(known: Knowledge, cell: int, value: int) -> tuple[Deduction | None, set[int]]:
    """If single clues refute the other value of a cell, the cell has this value."""
    supposition = Supposition(known, {cell: 1 - value})
    if supposition.broken is None:
        return None, supposition.seen
    return decided_by_lines(WHAT_IF, cell, value, [supposition.line()]), supposition.seen


def case_split(known: Knowledge, region: int) -> tuple[Deduction | None, set[int]]:
    """If all ways to fill the cells of a region lead to one value of a cell, the cell has that value."""
    cells, traps = sorted(known.cells[region]), known.traps[region]
    # A person would go through at most ten ways.
    ways = list(islice(combinations(cells, traps), 11)) if cells and traps >= 0 else []
    if not 2 <= len(ways) <= 10:
        return None, {region}
    cases = [Supposition(known, {cell: int(cell in way) for cell in cells}) for way in ways]
    return _agreed(region, cases), {region}.union(*(case.seen for case in cases))


def _agreed(region: int, cases: "Sequence[Supposition]") -> Deduction | None:
    """The cell on which all possible cases agree, and that takes the shortest lines to show."""
    possible = [case for case in cases if case.broken is None]
    if not possible:
        return None
    common = set(possible[0].value.items()).intersection(*(case.value.items() for case in possible[1:]))
    found = []
    for cell, value in sorted(common):
        deduction = decided_by_lines(CASE_SPLIT, cell, value, [case.line([cell]) for case in cases], region)
        if len(deduction.regions) <= 12:  # more clues are too many to follow
            found.append(deduction)
    return min(
        found,
        key=lambda each: (len(each.regions), sum(len(line.follows) for line in each.lines)),
        default=None,
    )


def decided_by_lines(rule: Rule, cell: int, value: int, lines: Sequence[Line], *split: int) -> Deduction:
    """The deduction that a cell has the value that lines show; the region that they split comes first."""
    regions = set[int]().union(*(line.regions() for line in lines)) - {*split}
    clues = (*split, *sorted(regions - {THE_TOTAL}))
    return decided_cell(rule, clues, cell, value, with_total=THE_TOTAL in regions, lines=tuple(lines))


def decided_cell(
    rule: Rule, regions: tuple[int, ...], cell: int, value: int, *, with_total: bool, lines: tuple[Line, ...]
) -> Deduction:
    """The deduction that a cell has this value."""
    decided = _as_traps_or_gems([cell], are_traps=value == IS_TRAP)
    return Deduction(rule, regions, *decided, with_total=with_total, lines=lines)


# Lines of thought: what is supposed, what follows by single clues, and where it ends.
#
# "What if", case splits and sets of clues are all made of these. A line supposes the values of some cells and
# follows them clue by clue. It ends with a clue that cannot hold, with a conclusion, or by splitting into
# lines that cover every case.


SUPPOSED = -1
"""Stands for the number of a consequence: supposed cells come before all consequences."""


class Supposition:
    """What follows by single clues from supposing the values of some cells, without changing `known`.

    `seen` has the regions whose state mattered: the answer changes only if one of them does.
    """

    def __init__(
        self, known: Knowledge, supposed: dict[int, int], *, among: Collection[int] | None = None
    ) -> None:
        """`among` has the regions to use; by default all, and the total if few cells are left."""
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
            known.undecided <= FOLLOWED_CELL_LIMIT if among is None else THE_TOTAL in among
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
            if region not in left:  # counts are copied when first changed, so `known` stays as it is
                left[region] = len(known.cells[region])
                needed[region] = known.traps[region]
                self.seen.add(region)
            left[region] -= 1
            needed[region] -= value
            self._queue.append(region)
            if self.broken is None and not 0 <= needed[region] <= left[region]:
                self.broken = region

    def _follow(self) -> None:
        """Apply single clues until nothing follows, a clue cannot hold, or too many cells are decided."""
        at = 0
        most = FOLLOWED_CELL_LIMIT if self._among is None else len(self.known.value)
        while self.broken is None and len(self.value) <= most:
            if at < len(self._queue):
                self._apply(self._queue[at])
                at += 1
            # The total comes last: it decides something only when nearly all cells are decided.
            elif not self._apply_total():
                return

    def _apply(self, region: int) -> None:
        left, needed = self._left[region], self._needed[region]
        if left and needed in (0, left):
            self._decide(region, self.known.cells[region], IS_TRAP if needed else IS_GEM)

    def _apply_total(self) -> bool:
        """Apply the total; returns whether it decides something, or cannot hold."""
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
        """The line with only what leads to its end: the broken region, or else the values of `wanted`."""
        cells = set(wanted) if self.broken is None else self._cells_behind(self.broken, len(self._reasons))
        follows: list[Consequence] = []
        # Backwards: keep each consequence that decides a wanted cell, and want the cells that it rests on.
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
        """The cells of a region that were decided before a consequence."""
        cells = self.value.keys() if region == THE_TOTAL else self.known.cells[region]
        return {cell for cell in cells if cell in self.value and self._order[cell] < before}


def refute(known: Knowledge, supposed: dict[int, int], among: Collection[int], lines: int) -> Line | None:
    """A line that shows, by the regions `among` alone, that these cells cannot have these values.

    Where single clues do not show it, the line splits on a cell. None if that would take more than `lines`
    lines, or if these regions do not show it.
    """
    left = lines

    def attempt(supposed: dict[int, int]) -> Line | None:
        nonlocal left
        left -= 1
        supposition = Supposition(known, supposed, among=among)
        if supposition.broken is not None:
            return supposition.line()
        split = _cell_to_split(supposition, among)
        if split is None or left < 2:
            return None
        cases = []
        for value in (IS_TRAP, IS_GEM):
            case = attempt({**supposition.value, split: value})
            if case is None:  # it cannot be refuted, so the supposition stands
                return None
            if split not in case.traps | case.gems:
                # The case does not need the cell, so its own cases are enough.
                return supposition.line(case.traps | case.gems, cases=case.cases)
            cases.append(case)
        wanted = NO_CELLS.union(*(case.traps | case.gems for case in cases)) - {split}
        # Each case supposes the split cell alone; its parent knows the others.
        alone = (replace(case, traps=case.traps & {split}, gems=case.gems & {split}) for case in cases)
        return supposition.line(wanted, cases=tuple(alone))

    return attempt(supposed)


def _cell_to_split(supposition: Supposition, among: Collection[int]) -> int | None:
    """An undecided cell of the region that has the fewest, because supposing it leads furthest."""
    known, fewest, found = supposition.known, 0, None
    for region in among:
        cells = () if region == THE_TOTAL else known.cells[region] - supposition.value.keys()
        if cells and (found is None or len(cells) < fewest):
            fewest = len(cells)
            found = min(cells, key=lambda cell: (-len(known.regions_of[cell]), cell))
    return found
