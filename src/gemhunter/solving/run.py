"""What an engine may use, and the live object that keeps count of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from gemhunter.board.numbers import LARGEST_SEED, require_seconds, whole_number
from gemhunter.errors import InputError
from gemhunter.jit.choice import working_clock
from gemhunter.solving.outcomes import StopReason

SLICE_SECONDS = 0.1
LARGEST_SLICE = 2**40
"""How long a slice should take, and how many steps it has at most, however fast they are."""

IMPORT = "import"
"""The stage that neither reports nor limits count: the first engine would pay for the imports of all."""

LEAST_SECONDS = 1e-9
"""The time limit of a run that begins when the time is up: its first `spend` ends it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one run may use; None means no limit."""

    seconds: float | None = None
    steps: int | None = None
    memory: int | None = None
    """Bytes that an engine may hold for its search."""

    def __post_init__(self) -> None:
        if self.seconds is not None:
            require_seconds(self.seconds)
        if self.steps is not None:
            object.__setattr__(self, "steps", whole_number(self.steps, "a step limit", 1))
        if self.memory is not None:
            object.__setattr__(self, "memory", whole_number(self.memory, "a memory limit in bytes", 1))


def never() -> bool:
    """The default for `cancel`: a run that is never cancelled."""
    return False


def silent(seconds: float, steps: int) -> None:
    """The default for `progress`: a run whose progress is not shown."""


class Run:
    """One run of an engine: its clock, its limits, its seed, and what it counted.

    An engine works in slices. `slice` says how many steps the next one may take, and `spend` counts the steps
    it took and returns the reason to stop, if there is one. `stage` says what the time is spent on: time
    belongs to the innermost stage.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        clock: Callable[[], float] = working_clock,
        cancel: Callable[[], bool] = never,
        progress: Callable[[float, int], None] = silent,
        wants_proof: bool = False,
    ) -> None:
        """`progress` is called with the seconds and steps used, from time to time.

        `wants_proof` asks engines that write proofs for a refutation that can be checked.
        """
        self.limits = limits or Limits()
        self.seed = whole_number(seed, "a seed", 0, LARGEST_SEED)
        self.wants_proof = wants_proof
        self.steps = 0
        self.counters: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        self._clock, self._cancel, self._progress = clock, cancel, progress
        self._started = self._charged = clock()
        self._stages: list[str] = []

    @property
    def elapsed(self) -> float:
        """Seconds since the run began, without those for importing and compiling."""
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

    def slice_sizes(self, first: int) -> Iterator[int]:
        """Yield sizes of slices that take about a tenth of a second each, without end; the first is `first`.

        The caller works each slice off before it asks for the next.
        """
        size = first
        while True:
            began = self.elapsed
            yield size
            size = min(2 * size, LARGEST_SLICE) if self.elapsed - began < SLICE_SECONDS else max(size // 2, 1)

    def spend(self, steps: int = 0) -> StopReason | None:
        """Count `steps`, report progress, and return the reason to stop, or None to go on."""
        self.steps += steps
        limits, elapsed = self.limits, self.elapsed
        self._progress(elapsed, self.steps)
        if self._cancel():
            return StopReason.CANCELLED
        if limits.seconds is not None and elapsed >= limits.seconds:
            return StopReason.TIME
        return StopReason.STEPS if limits.steps is not None and self.steps >= limits.steps else None

    @contextmanager
    def at_most(self, steps: int) -> Iterator[None]:
        """Inside, the step limit is at most `steps` steps away."""
        limits = self.limits
        self.limits = Limits(limits.seconds, self.steps + self.slice(steps), limits.memory)
        try:
            yield
        finally:
            self.limits = limits

    def within(self, steps: int | None = None) -> "Run":
        """A run with its own steps, in the time that this one has left; cancelling this one cancels both."""
        left = self.seconds_left
        return self._offspring(Limits(None if left is None else max(left, LEAST_SECONDS), steps))

    def of_seconds(self, seconds: float | None) -> "Run":
        """A run with its own time, whatever this one has left, or without a limit; cancelling this one
        cancels both."""
        return self._offspring(Limits(seconds))

    def _offspring(self, limits: Limits) -> "Run":
        return Run(
            limits,
            seed=self.seed,
            clock=self._clock,
            cancel=self._cancel,
            progress=lambda _, more: self._progress(self.elapsed, self.steps + more),
        )

    def fits(self, size: int) -> bool:
        """Whether an engine may hold `size` bytes."""
        return self.limits.memory is None or size <= self.limits.memory

    def count(self, **counts: int) -> None:
        """Add to the counters of the report."""
        for name, count in counts.items():
            self.counters[name] = self.counters.get(name, 0) + count

    def stage(self, name: str) -> Self:
        """Charge the time inside to `name`; for a `with` statement, which ends the stage."""
        # Not a generator, because entering and leaving one takes twice as long.
        self._charge()
        self._stages.append(name)
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._charge()
        self._stages.pop()

    def _charge(self) -> None:
        now = self._clock()
        if self._stages:
            stage = self._stages[-1]
            self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._charged
            if stage == IMPORT:
                self._started += now - self._charged
        self._charged = now


def given_run(run: Run | None, limits: Limits, *, seed: int = 0, proof: bool = False) -> Run:
    """The caller's run, or a new one with these limits; raises `InputError` if both are given."""
    if run is None:
        return Run(limits, seed=seed, wants_proof=proof)
    if limits != Limits() or seed or proof:
        raise InputError("a run has its own limits and seed; give them to `Run`, not beside `run=`")
    return run
