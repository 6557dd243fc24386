"""Worker processes are replaced when they break, and end with their block."""

import os
import signal
from collections.abc import Callable

from gemhunter.work.pieces import results_of
from gemhunter.work.workers import core_workers, process_workers


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
