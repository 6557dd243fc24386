"""What an engine may use, and the live object that keeps count of it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gemhunter.errors import InputError
from gemhunter.solving.outcomes import Limit


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one run may use; None means as much as it takes."""

    seconds: float | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise InputError(f"a time limit is a number of seconds above 0, not {self.seconds}")
        if self.steps is not None and self.steps < 1:
            raise InputError(f"a step limit is a whole number above 0, not {self.steps}")


def never() -> bool:
    """The cancel of a run that nobody cancels."""
    return False


def silent(seconds: float, steps: int) -> None:
    """The progress of a run that nobody watches."""


class Run:
    """One run of an engine: its clock, its limits, its seed, and what it counted.

    An engine works in slices. `slice` says how many steps the next one may take, `spend` is told how many
    it took and answers why to stop, if so. `stage` says what the time is spent on: time belongs to the
    innermost stage.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        clock: Callable[[], float] = time.perf_counter,
        cancel: Callable[[], bool] = never,
        progress: Callable[[float, int], None] = silent,
    ) -> None:
        """`progress` is called with the seconds and steps used, from time to time."""
        self.limits = limits or Limits()
        self.seed = seed
        self.steps = 0
        self.counters: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        self._clock, self._cancel, self._progress = clock, cancel, progress
        self._started = self._charged = clock()
        self._stages: list[str] = []

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self._clock() - self._started

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit, never below 0; None without a limit."""
        return None if self.limits.seconds is None else max(self.limits.seconds - self.elapsed, 0.0)

    @property
    def steps_left(self) -> int | None:
        """Steps until the step limit, never below 0; None without a limit."""
        return None if self.limits.steps is None else max(self.limits.steps - self.steps, 0)

    def slice(self, steps: int) -> int:
        """At most `steps`, and no more than the limit allows."""
        return steps if self.steps_left is None else min(steps, self.steps_left)

    def spend(self, steps: int = 0) -> Limit | None:
        """Count `steps`, report progress, and say why to stop, if so."""
        self.steps += steps
        self._progress(self.elapsed, self.steps)
        if self._cancel():
            return Limit.CANCELLED
        if self.seconds_left == 0:
            return Limit.TIME
        return Limit.STEPS if self.steps_left == 0 else None

    def count(self, **amounts: int) -> None:
        """Add to the counters of the report."""
        for name, amount in amounts.items():
            self.counters[name] = self.counters.get(name, 0) + amount

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Charge the time inside to `name`."""
        self._charge()
        self._stages.append(name)
        try:
            yield
        finally:
            self._charge()
            self._stages.pop()

    def _charge(self) -> None:
        now = self._clock()
        if self._stages:
            stage = self._stages[-1]
            self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._charged
        self._charged = now
