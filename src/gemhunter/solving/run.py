"""The limits of a run, and the object that counts what an engine uses of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gemhunter.errors import LARGEST_SEED, InputError, require_seconds, whole_number
from gemhunter.jit.choice import working_clock
from gemhunter.solving.outcomes import StopReason

IMPORT = "import"
"""The stage that reports and limits leave out; otherwise the first engine would pay for all imports."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a run may use; None means no limit."""

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

    An engine works in slices: `slice` says how many steps the next one may take, and `spend` counts the steps
    taken and returns the reason to stop, if there is one. `stage` names what the time is spent on; nested
    stages do not count for the outer one.
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
        """`progress` is called now and then with the seconds and steps used so far.

        With `wants_proof`, engines that can write proofs add one to a refutation.
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
        """Seconds since the run began, without importing and compiling."""
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
        """`steps`, or as many of them as the limit still allows."""
        return steps if self.steps_left is None else min(steps, self.steps_left)

    def slice_sizes(self, first: int) -> Iterator[int]:
        """Yield slice sizes without end, from `first` on, adapted to take about a tenth of a second each.

        The caller finishes each slice before it takes the next size.
        """
        size = first
        while True:
            began = self.elapsed
            yield size
            size = min(2 * size, 2**40) if self.elapsed - began < 0.1 else max(size // 2, 1)

    def spend(self, steps: int = 0) -> StopReason | None:
        """Count `steps`, report progress, and return the reason to stop, or None to continue."""
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
        """A context in which the step limit is at most `steps` steps away."""
        limits = self.limits
        self.limits = Limits(limits.seconds, self.steps + self.slice(steps), limits.memory)
        try:
            yield
        finally:
            self.limits = limits

    def within(self, steps: int | None = None, *, seconds: float | None = None) -> "Run":
        """A run with its own steps and the time that this one has left, or these seconds of it.

        Cancelling this one cancels both.
        """
        left = self.seconds_left
        if left is not None:
            # If no time is left, the first `spend` of the new run ends it.
            seconds = max(left if seconds is None else min(left, seconds), 1e-9)
        return self.of_seconds(seconds, steps)

    def of_seconds(self, seconds: float | None, steps: int | None = None) -> "Run":
        """A run with its own time and steps, otherwise like this one; cancelling this one cancels both."""
        return Run(
            Limits(seconds, steps, self.limits.memory),
            seed=self.seed,
            clock=self._clock,
            cancel=self._cancel,
            progress=lambda _, more: self._progress(self.elapsed, self.steps + more),
            wants_proof=self.wants_proof,
        )

    def fits(self, size: int) -> bool:
        """Whether an engine may hold `size` bytes."""
        return self.limits.memory is None or size <= self.limits.memory

    def count(self, /, **counts: int) -> None:
        """Add to the counters of the report; any name is allowed, even `self`."""
        for name, count in counts.items():
            self.counters[name] = self.counters.get(name, 0) + count

    def stage(self, name: str) -> "_Stage":
        """Charge the time inside a `with` statement to `name`."""
        return _Stage(name, self._stages, self._charge)

    def _charge(self) -> None:
        now = self._clock()
        if self._stages:
            stage = self._stages[-1]
            self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._charged
            if stage == IMPORT:
                self._started += now - self._charged
        self._charged = now


class _Stage:
    """A stage of a run, for a `with` statement; a generator would take twice as long to enter and leave."""

    __slots__ = ("_charge", "_name", "_stages")

    def __init__(self, name: str, stages: list[str], charge: Callable[[], None]) -> None:
        self._name, self._stages, self._charge = name, stages, charge

    def __enter__(self) -> None:
        self._charge()
        self._stages.append(self._name)

    def __exit__(self, *_: object) -> None:
        self._charge()
        self._stages.pop()


def given_run(run: Run | None, limits: Limits, *, seed: int = 0, proof: bool = False) -> Run:
    """The caller's run, or a new one with these limits; raises `InputError` if both are given."""
    if run is None:
        return Run(limits, seed=seed, wants_proof=proof)
    if limits != Limits() or seed or proof:
        raise InputError("a run has its own limits and seed; give them to `Run`, not beside `run=`")
    return run
