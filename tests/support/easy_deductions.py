"""What one clue, or two, decide on a board: found by going through all ways to fill their cells."""

from collections.abc import Iterable, Mapping

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
