"""The chain of deductions: always the easiest one available, applied before the next is looked for.

`_easiest` is the algorithm: single clues, the total, pairs of clues, and then rules that cost a search, which
are tried only on cells that are known to be forced. A deduction stays available until a clue that it rests on
changes, so the cost of a step depends on what it changes, not on the size of the board.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, UNDECIDED, Knowledge
from gemhunter.explanation.rules import (
    FOLLOWED_CELL_LIMIT,
    THE_TOTAL,
    Deduction,
    Sums,
    case_split,
    line_pattern,
    one_clue,
    total_reached,
    total_rule,
    two_clues,
    what_if,
)
from gemhunter.solving.run import Run

Entry = TypeVar("Entry")


class Chain:
    """Deductions on one board, each applied before the next is looked for.

    Rules beyond two clues are tried on cells that are known to be forced: `forced`, which is called once when
    first needed, returns their values. If no rule applies, `last_resort` finds a set of clues that decides
    one of them.
    """

    def __init__(
        self,
        known: Knowledge,
        forced: Callable[[], dict[int, int]],
        last_resort: Callable[[dict[int, int]], Deduction | None],
        focus: tuple[int, int] | None = None,
        *,
        run: Run | None = None,
    ) -> None:
        """Of equally easy deductions, the one nearest to `focus`, or else to the last step, comes first.

        Each deduction is a step of the run, which can end the chain.
        """
        self.known, self._run = known, run or Run()
        self.stop_reason = known.stop_reason or self._run.spend()
        """Why the run ended the chain, if it did."""
        self.broken: int | None = None
        """The region that cannot hold, once there is one; `THE_TOTAL` for the total."""
        if self.stop_reason is not None:
            return
        self._find_forced, self._last_resort = forced, last_resort
        self._forced: dict[int, int] = {}
        self._knows_forced = False
        regions = range(len(known.cells))
        self._single = dict.fromkeys(region for region in regions if one_clue(known, region))
        self._pairs: dict[tuple[int, int], Deduction] = {}
        self._pairs_of: dict[int, set[tuple[int, int]]] = {}
        self._changed = dict.fromkeys(regions)
        self._by_place: dict[tuple[int, int], int] = {known.clue(region): region for region in regions}
        self._combined = _Remembered(Sums(known, self._forced).find, self._run)
        self._supposed = _Remembered(partial(what_if, known), self._run)
        self._split = _Remembered(lambda region, _: case_split(known, region), self._run)
        self._focus = focus
        self._last = focus or (0, 0)
        self._check(regions)

    def __iter__(self) -> Iterator[tuple[Deduction, int]]:
        """Each deduction before it is applied, and the number of deductions that it was chosen from."""
        while self.broken is None and self.stop_reason is None and self.known.undecided:
            found = self._easiest()
            if found is None:
                return
            yield found
            self._apply(found[0])
            self.stop_reason = self._run.spend(1)

    def _easiest(self) -> tuple[Deduction, int] | None:
        known = self.known
        # `_apply` keeps the single clues that decide their cells up to date.
        if self._single:
            region = self._nearest(self._single, known.clue)
            if deduction := one_clue(known, region):
                return deduction, len(self._single)
        if deduction := total_reached(known):
            return deduction, 1
        # Single clues are exhausted. A pair of clues that share cells may still decide something; if such a
        # pair is part of a well-known pattern, the pattern is shown instead.
        self._look_for_pairs()
        if self._pairs:
            pair = self._nearest(self._pairs, lambda each: known.clue(each[0]))
            patterns = (line_pattern(known, self._by_place, region) for region in pair)
            return next(filter(None, patterns), None) or self._pairs[pair], len(self._pairs)
        # Nothing follows from two clues. From here on every rule costs a search, so only cells that are known
        # to be forced are tried.
        # They are looked for once: a deduction rules out no solution, so forced cells stay forced.
        if not self._knows_forced:
            self._forced.update(self._find_forced())
            self._knows_forced = True
        left = {cell: value for cell, value in self._forced.items() if known.value[cell] == UNDECIDED}
        if not left:
            return None
        attempts: tuple[Callable[[], tuple[Deduction, int] | None], ...] = (
            lambda: self._combined.best(left.items()),
            lambda: None if (by_total := total_rule(known)) is None else (by_total, 1),
            lambda: self._supposed.best(left.items()),
            lambda: self._split.best((region, 0) for region in self._regions_near(left)),
        )
        for attempt in attempts:
            found = attempt()
            self.stop_reason = self._run.spend()
            if found or self.stop_reason:
                return found
        # No rule applies, and yet these cells are forced: some set of clues decides them.
        deduction = self._last_resort(left)
        self.stop_reason = self._run.spend() if deduction is None else None
        return None if deduction is None else (deduction, 1)

    def _regions_near(self, cells: Iterable[int]) -> list[int]:
        """The regions of these cells and those that overlap them."""
        near = {region for cell in cells for region in self.known.regions_of[cell]}
        return sorted(near.union(*map(self.known.overlapping, near)))

    def _apply(self, deduction: Deduction) -> None:
        known, touched, before = self.known, dict[int, None](), self.known.undecided
        for cells, value in ((deduction.traps, IS_TRAP), (deduction.gems, IS_GEM)):
            for cell in sorted(cells):
                known.decide(cell, value)
                touched |= dict.fromkeys(known.regions_of[cell])
                self._last = self._focus or known.name(cell)
        # Deductions from a region that has changed are dropped, and looked for again.
        for region in touched:
            self._single.pop(region, None)
            self._changed[region] = None
            for pair in self._pairs_of.pop(region, ()):
                self._pairs.pop(pair, None)
            if one_clue(known, region):
                self._single[region] = None
        # Every decided cell changes the total, too.
        for remembered in (self._combined, self._supposed, self._split):
            remembered.drop((*touched, THE_TOTAL))
            # From now on suppositions use the total, too.
            if before > FOLLOWED_CELL_LIMIT >= known.undecided:
                remembered.drop_all()
        self._check(touched)

    def _check(self, regions: Iterable[int]) -> None:
        self.broken = next((region for region in regions if not self.known.can_hold(region)), None)
        if self.broken is None and not self.known.total_can_hold():
            self.broken = THE_TOTAL

    def _look_for_pairs(self) -> None:
        """Find the deductions from two clues, at least one of which has changed."""
        known = self.known
        for region in self._changed:
            for other in known.overlapping(region):
                for pair in ((region, other), (other, region)):
                    deduction = two_clues(known, *pair)
                    if deduction is not None:
                        self._pairs[pair] = deduction
                        for each in pair:
                            self._pairs_of.setdefault(each, set()).add(pair)
        self._changed.clear()

    def _nearest(self, latest: dict[Entry, Any], clue: Callable[[Entry], tuple[int, int]]) -> Entry:
        """The entry nearest to the last step: of the 64 latest ones, or of all if there is a focus."""
        row, col = self._last

        def distance(entry: Entry) -> tuple[int, tuple[int, int]]:
            there = clue(entry)
            return max(abs(there[0] - row), abs(there[1] - col)), there

        return min(islice(reversed(latest), 64 if self._focus is None else None), key=distance)


class _Remembered:
    """The answer of a rule for each cell or region, kept until a region that mattered changes."""

    def __init__(self, rule: Callable[[int, int], tuple[Deduction | None, set[int]]], run: Run) -> None:
        self._rule, self._run = rule, run
        self._found: dict[int, Deduction | None] = {}
        self._waiting: dict[int, set[int]] = {}

    def best(self, keys: Iterable[tuple[int, int]]) -> tuple[Deduction, int] | None:
        """The deduction with the fewest clues, and the number of deductions found before the run ended."""
        deductions = []
        for key, value in keys:
            if deduction := self._ask(key, value):
                deductions.append(deduction)
            if self._run.spend() is not None:
                break
        if not deductions:
            return None
        return min(deductions, key=lambda deduction: len(deduction.clues)), len(deductions)

    def drop(self, regions: Iterable[int]) -> None:
        """Drop the answers for which these regions mattered."""
        for region in regions:
            for key in self._waiting.pop(region, ()):
                self._found.pop(key, None)

    def drop_all(self) -> None:
        """Drop all answers."""
        self._found.clear()
        self._waiting.clear()

    def _ask(self, key: int, value: int) -> Deduction | None:
        if key not in self._found:
            self._found[key], seen = self._rule(key, value)
            for region in seen:
                self._waiting.setdefault(region, set()).add(key)
        return self._found[key]
