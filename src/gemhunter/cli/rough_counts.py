"""What can be said of a number of solutions that was too large to count: bounds and estimates, on request."""

from collections.abc import Callable
from typing import Any

from gemhunter.cli.findings import READABLE_DIGITS, about
from gemhunter.core.grid import Grid
from gemhunter.queries.bounds import Bounds, count_bounds
from gemhunter.queries.estimate import Estimate, estimate_count
from gemhunter.records.analyses import bounds_record, estimate_record
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Run


class RoughCounts:
    """Bounds and an estimate, as far as they were asked for: lines for people, fields for programs."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._bounds: Bounds | GaveUp | None = None
        self._estimate: Estimate | GaveUp | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """For programs: numbers of solutions with all their digits, None for what gave up."""
        fields: dict[str, Any] = {}
        if self._bounds is not None:
            fields["bounds"] = bounds_record(self._bounds)
        if self._estimate is not None:
            fields["estimate"] = estimate_record(self._estimate)
        return fields

    def add_bounds(self, answer: Bounds | GaveUp) -> None:
        """Take in proven bounds."""
        self._bounds = answer
        match answer:
            case Bounds(low, high):
                self.lines.append(f"at least {_short(low)} and at most {_short(high)} solutions, both proven")
            case GaveUp(reason=reason):
                self.lines.append(f"bounds: gave up: {reason}")

    def add_estimate(self, answer: Estimate | GaveUp) -> None:
        """Take in an estimate."""
        self._estimate = answer
        match answer:
            case Estimate(value, epsilon, delta):
                sure = f"within a factor of {1 + epsilon:g} with probability {1 - delta:g}"
                self.lines.append(f"about {_short(value)} solutions, {sure}")
            case GaveUp(reason=reason):
                self.lines.append(f"estimate: gave up: {reason}")


def _short(number: int) -> str:
    return str(number) if number < 10**READABLE_DIGITS else about(number)


def rough_counts(
    new_run: Callable[[str], Run], grid: Grid, *, total: int | None, bounds: bool, estimate: bool
) -> RoughCounts:
    """Find out what was asked for."""
    found = RoughCounts()
    if bounds:
        found.add_bounds(count_bounds(grid, total=total, run=new_run("bounds")))
    if estimate:
        found.add_estimate(estimate_count(grid, total=total, run=new_run("estimate")))
    return found
