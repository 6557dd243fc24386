"""Tasks are handed out one after the other, and those whose worker dies are handed out again."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from gemhunter.work.workers import WorkerDied, Workers, core_workers, process_workers, results_of


class DyingError(Exception):
    """What a promise raises whose worker died."""


def submit_to(deaths: dict[int, int], error: Exception) -> Callable[[int], "Future[int]"]:
    """Workers that double a number, and die as often as `deaths` says of it."""

    def submit(task: int) -> "Future[int]":
        future: Future[int] = Future()
        if deaths.get(task, 0):
            deaths[task] -= 1
            future.set_exception(error)
        else:
            future.set_result(2 * task)
        return future

    return submit


def results(
    deaths: dict[int, int], tries: int, error: Exception | None = None
) -> dict[int, int | WorkerDied]:
    waiting = iter([1, 2, 3])
    workers = Workers(lambda *_: Future(), 2, (DyingError,))
    handed_out = results_of(
        lambda: next(waiting, None), submit_to(deaths, error or DyingError("lost")), workers, tries=tries
    )
    return dict(handed_out)


def test_every_task_comes_back_with_its_result() -> None:
    assert results({}, tries=1) == {1: 2, 2: 4, 3: 6}


def test_a_task_whose_worker_dies_is_handed_out_again() -> None:
    assert results({2: 2}, tries=3) == {1: 2, 2: 4, 3: 6}


def test_a_task_that_costs_every_try_its_worker_says_so() -> None:
    assert results({2: 3}, tries=3) == {1: 2, 2: WorkerDied("lost"), 3: 6}


def test_tasks_that_are_lost_with_a_broken_pool_have_not_used_up_a_try() -> None:
    assert results({1: 1, 2: 1, 3: 1}, tries=1, error=BrokenProcessPool()) == {1: 2, 2: 4, 3: 6}


def test_pools_that_break_again_and_again_are_given_up() -> None:
    with pytest.raises(BrokenProcessPool):
        results({1: 99}, tries=1, error=BrokenProcessPool())


def test_a_broken_pool_of_processes_is_replaced() -> None:
    """Its only worker dies without a task, which is how pools break."""
    with process_workers(1) as workers:
        first = workers.submit(os.getpid).result()
        os.kill(first, signal.SIGTERM)
        waiting = iter(["task"])
        handed_out = results_of(lambda: next(waiting, None), lambda _: workers.submit(os.getpid), workers)
        ((_, second),) = handed_out
    assert second != first


def test_functions_on_cores_are_cancelled_when_the_block_ends() -> None:
    def is_over(*, core: int | None, is_cancelled: Callable[[], bool]) -> bool:
        while not is_cancelled():
            pass
        return core is None or core >= 0

    with core_workers(1) as workers:
        future = workers.submit(is_over)
        assert not future.done()
    assert future.result()
