"""Tasks are handed out one after the other, and those whose worker dies are handed out again."""

from collections.abc import Callable
from concurrent.futures import Future

from gemhunter.work.workers import WorkerDied, Workers, core_workers, results_of


class DyingError(Exception):
    """What a promise raises whose worker died."""


def submit_to(deaths: dict[int, int]) -> Callable[[int], "Future[int]"]:
    """Workers that double a number, and die as often as `deaths` says of it."""

    def submit(task: int) -> "Future[int]":
        future: Future[int] = Future()
        if deaths.get(task, 0):
            deaths[task] -= 1
            future.set_exception(DyingError("lost"))
        else:
            future.set_result(2 * task)
        return future

    return submit


def results(deaths: dict[int, int], tries: int) -> dict[int, int | WorkerDied]:
    waiting = iter([1, 2, 3])
    workers = Workers(lambda *_: Future(), 2, (DyingError,))
    handed_out = results_of(lambda: next(waiting, None), submit_to(deaths), workers, tries=tries)
    return dict(handed_out)


def test_every_task_comes_back_with_its_result() -> None:
    assert results({}, tries=1) == {1: 2, 2: 4, 3: 6}


def test_a_task_whose_worker_dies_is_handed_out_again() -> None:
    assert results({2: 2}, tries=3) == {1: 2, 2: 4, 3: 6}


def test_a_task_that_costs_every_try_its_worker_says_so() -> None:
    assert results({2: 3}, tries=3) == {1: 2, 2: WorkerDied("lost"), 3: 6}


def test_functions_on_cores_are_cancelled_when_the_block_ends() -> None:
    def is_over(*, core: int | None, is_cancelled: Callable[[], bool]) -> bool:
        while not is_cancelled():
            pass
        return core is None or core >= 0

    with core_workers(1) as workers:
        future = workers.submit(is_over)
        assert not future.done()
    assert future.result()
