"""Limits, and the run that keeps them: slices, steps, stages and counters, with a fake clock."""

from typing import Any

import pytest

from gemhunter.errors import InputError
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.run import Limits, Run


class Clock:
    """A clock that stands still until a test advances it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize("seconds", [0, -1, 0.0, float("nan"), float("-inf")])
def test_a_time_limit_is_above_zero(seconds: float) -> None:
    with pytest.raises(InputError, match="seconds above 0"):
        Limits(seconds=seconds)


def test_a_run_without_limits_has_all_it_wants(clock: Clock) -> None:
    run = Run(clock=clock)
    clock.advance(10**9)
    assert (run.slice(500), run.spend(10**12), run.seconds_left, run.steps_left) == (500, None, None, None)


def test_a_slice_is_no_larger_than_the_steps_left(clock: Clock) -> None:
    run = Run(Limits(steps=1200), clock=clock)
    run.spend(1000)
    assert (run.slice(100), run.slice(500)) == (100, 200)


@pytest.mark.parametrize(("spent", "limit"), [(9, None), (10, StopReason.STEPS), (15, StopReason.STEPS)])
def test_a_run_stops_when_its_steps_are_used_up(spent: int, limit: StopReason | None, clock: Clock) -> None:
    assert Run(Limits(steps=10), clock=clock).spend(spent) is limit


def test_steps_add_up_and_beyond_the_limit_none_are_left(clock: Clock) -> None:
    run = Run(Limits(steps=10), clock=clock)
    assert [run.spend(4), run.spend(4), run.spend(17)] == [None, None, StopReason.STEPS]
    assert (run.steps_left, run.slice(5), run.steps) == (0, 0, 25)


@pytest.mark.parametrize(("seconds", "limit"), [(1.9, None), (2.0, StopReason.TIME), (60, StopReason.TIME)])
def test_a_run_stops_when_its_time_is_over(seconds: float, limit: StopReason | None, clock: Clock) -> None:
    run = Run(Limits(seconds=2), clock=clock)
    clock.advance(seconds)
    assert run.spend() is limit


def test_time_counts_from_the_beginning_of_the_run_and_is_never_below_zero(clock: Clock) -> None:
    run = Run(Limits(seconds=2), clock=clock)
    clock.advance(0.5)
    assert (run.elapsed, run.seconds_left) == (0.5, 1.5)
    clock.advance(5)
    assert run.seconds_left == 0


@pytest.mark.parametrize(
    ("seconds", "steps", "cancel", "limit"),
    [(9, 9, True, StopReason.CANCELLED), (9, 9, False, StopReason.TIME), (0, 9, False, StopReason.STEPS)],
)
def test_cancelling_comes_before_time_and_time_before_steps(
    seconds: float, steps: int, cancel: bool, limit: StopReason, clock: Clock
) -> None:
    run = Run(Limits(seconds=1, steps=1), clock=clock, cancel=lambda: cancel)
    clock.advance(seconds)
    assert run.spend(steps) is limit


def test_progress_hears_of_seconds_and_steps(clock: Clock) -> None:
    heard: list[tuple[float, int]] = []
    run = Run(clock=clock, progress=lambda seconds, steps: heard.append((seconds, steps)))
    clock.advance(1)
    run.spend(10)
    clock.advance(1)
    run.spend(5)
    assert heard == [(1.0, 10), (2.0, 15)]


def test_counters_of_one_name_add_up(clock: Clock) -> None:
    run = Run(clock=clock)
    run.count(conflicts=3, restarts=1)
    run.count(conflicts=4)
    assert run.counters == {"conflicts": 7, "restarts": 1}


def test_time_belongs_to_the_innermost_stage_and_adds_up(clock: Clock) -> None:
    run = Run(clock=clock)
    clock.advance(1)
    for seconds in (1, 2):
        with run.stage("solve"):
            clock.advance(seconds)
            with run.stage("encode"):
                clock.advance(10 * seconds)
            clock.advance(4)
    clock.advance(100)
    assert run.seconds == {"solve": 11.0, "encode": 30.0}


def test_a_stage_that_fails_is_charged_and_left(clock: Clock) -> None:
    run = Run(clock=clock)
    with pytest.raises(RuntimeError), run.stage("solve"):
        clock.advance(1)
        raise RuntimeError
    clock.advance(2)
    with run.stage("check"):
        clock.advance(4)
    assert run.seconds == {"solve": 1.0, "check": 4.0}


def test_importing_and_compiling_use_up_no_time() -> None:
    clock = iter([0.0, 1.0, 90.0, 91.0, 91.5, 92.0])
    run = Run(Limits(seconds=5), clock=lambda: next(clock))
    with run.stage("import"):
        pass
    assert run.elapsed == 2.0
    assert run.seconds_left == 2.5


def test_a_run_within_another_has_its_time_and_steps_of_its_own(clock: Clock) -> None:
    run = Run(Limits(seconds=5, steps=10), clock=clock)
    clock.advance(2)
    inner = run.within(steps=100)
    assert (inner.seconds_left, inner.steps_left) == (3, 100)
    clock.advance(3)
    late = run.within()
    clock.advance(1)
    assert (inner.spend(5), late.spend(), run.steps) == (StopReason.TIME, StopReason.TIME, 0)


def test_a_run_within_another_keeps_its_memory_limit_its_seed_and_its_wish_for_a_proof() -> None:
    run = Run(Limits(memory=1000), seed=3, wants_proof=True)
    for inner in (run.within(steps=5), run.of_seconds(1)):
        assert (inner.limits.memory, inner.seed, inner.wants_proof) == (1000, 3, True)


def test_a_run_is_no_context_itself() -> None:
    run: Any = Run()
    with pytest.raises(TypeError), run:
        pass
