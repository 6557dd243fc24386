"""The chain of deductions: again and again the easiest one there is."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, UNDECIDED, Knowledge
from gemhunter.explanation.rules import (
    MOST_FOLLOWED_CELLS,
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

LATEST_LOOKED_AT = 64
"""Of many open deductions, the one nearest to the last step is chosen among this many of the latest."""

LastResort = Callable[[dict[int, int]], "Deduction | None"]
"""Finds a set of clues that decides one of the given cells, which are forced to the given values."""


class Chain:
    """Deductions on one board, each applied before the next is looked for.

    Rules beyond two clues are tried on cells that are known to be forced: `forced` maps cells to values and
    is asked for once, when it is first needed.
    """

    def __init__(
        self,
        known: Knowledge,
        forced: Callable[[], dict[int, int]],
        last_resort: LastResort,
        focus: tuple[int, int] | None = None,
        *,
        run: Run | None = None,
    ) -> None:
        """Of equally easy deductions, the nearest to `focus` comes first, or else to the last step.

        Each deduction is a step of the run, which can end the chain.
        """
        self.known, self._run = known, run or Run()
        self.stop_reason = self._run.spend()
        """Why the chain ended before nothing more was forced."""
        self.broken: int | None = None
        """The region that cannot hold, once there is one; `THE_TOTAL` for the total."""
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
        """Each deduction before it is applied, with the number of those it was chosen from."""
        while self.broken is None and self.stop_reason is None and self.known.undecided:
            found = self._easiest()
            if found is None:
                return
            yield found
            self._apply(found[0])
            self.stop_reason = self._run.spend(1)

    def _easiest(self) -> tuple[Deduction, int] | None:
        known = self.known
        if self._single:
            region = self._nearest(self._single, known.clue)
            if deduction := one_clue(known, region):
                return deduction, len(self._single)
        if deduction := total_reached(known):
            return deduction, 1
        self._look_for_pairs()
        if self._pairs:
            pair = self._nearest(self._pairs, lambda each: known.clue(each[0]))
            patterns = (line_pattern(known, self._by_place, region) for region in pair)
            return next(filter(None, patterns), None) or self._pairs[pair], len(self._pairs)
        return self._harder()

    def _harder(self) -> tuple[Deduction, int] | None:
        """A deduction beyond two clues about a cell that is known to be forced."""
        if not self._knows_forced:
            self._forced.update(self._find_forced())
            self._knows_forced = True
        left = {cell: value for cell, value in self._forced.items() if self.known.value[cell] == UNDECIDED}
        if not left:
            return None
        for attempt in (self._by_several, self._by_total, self._by_supposing, self._by_cases):
            found = attempt(left)
            self.stop_reason = self._run.spend()
            if found or self.stop_reason:
                return found
        deduction = self._last_resort(left)
        self.stop_reason = self._run.spend() if deduction is None else None
        return None if deduction is None else (deduction, 1)

    def _by_several(self, left: dict[int, int]) -> tuple[Deduction, int] | None:
        return self._combined.best(left.items())

    def _by_total(self, _: dict[int, int]) -> tuple[Deduction, int] | None:
        deduction = total_rule(self.known)
        return None if deduction is None else (deduction, 1)

    def _by_supposing(self, left: dict[int, int]) -> tuple[Deduction, int] | None:
        return self._supposed.best(left.items())

    def _by_cases(self, left: dict[int, int]) -> tuple[Deduction, int] | None:
        near = {region for cell in left for region in self.known.regions_of[cell]}
        near |= {other for region in near for other in self.known.overlapping(region)}
        return self._split.best((region, 0) for region in sorted(near))

    def _apply(self, deduction: Deduction) -> None:
        known, touched, before = self.known, dict[int, None](), self.known.undecided
        for cells, value in ((deduction.traps, IS_TRAP), (deduction.gems, IS_GEM)):
            for cell in sorted(cells):
                known.decide(cell, value)
                touched |= dict.fromkeys(known.regions_of[cell])
                self._last = self._focus or known.name(cell)
        for region in touched:
            self._forget(region)
            if one_clue(known, region):
                self._single[region] = None
        for remembered in (self._combined, self._supposed, self._split):
            remembered.forget((*touched, THE_TOTAL))
            if before > MOST_FOLLOWED_CELLS >= known.undecided:
                remembered.forget_all()
        self._check(touched)

    def _check(self, regions: Iterable[int]) -> None:
        self.broken = next((region for region in regions if not self.known.can_hold(region)), None)
        if self.broken is None and not self.known.total_can_hold():
            self.broken = THE_TOTAL

    def _forget(self, region: int) -> None:
        """Drop what was open for a region that has changed."""
        self._single.pop(region, None)
        self._changed[region] = None
        for pair in self._pairs_of.pop(region, ()):
            self._pairs.pop(pair, None)

    def _look_for_pairs(self) -> None:
        """Find the deductions from two clues of which one has changed."""
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
        """Of the latest entries, the one nearest to the last step; with a focus, of all of them."""
        row, col = self._last
        looked_at = LATEST_LOOKED_AT if self._focus is None else None

        def distance(entry: Entry) -> tuple[int, tuple[int, int]]:
            there = clue(entry)
            return max(abs(there[0] - row), abs(there[1] - col)), there

        return min(islice(reversed(latest), looked_at), key=distance)


class _Remembered:
    """What a rule found, or did not find, for each cell or region, until a region that mattered changes."""

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

    def forget(self, regions: Iterable[int]) -> None:
        """Ask again where these regions mattered."""
        for region in regions:
            for key in self._waiting.pop(region, ()):
                self._found.pop(key, None)

    def forget_all(self) -> None:
        """Ask again everywhere."""
        self._found.clear()
        self._waiting.clear()

    def _ask(self, key: int, value: int) -> Deduction | None:
        if key not in self._found:
            self._found[key], seen = self._rule(key, value)
            for region in seen:
                self._waiting.setdefault(region, set()).add(key)
        return self._found[key]
