"""Lines of thought: what is supposed, what follows by single clues, and where it ends.

"What if", case splits and sets of clues are all made of these. A line supposes some cells and follows them
clue by clue. It ends in a clue that cannot hold, in a conclusion, or in further lines that cover every case.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from gemhunter.deduce.knowledge import IS_GEM, IS_TRAP, Knowledge

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
