"""When the clock of a child starts: not while kernels are compiled for it."""

import os
from pathlib import Path

from gemhunter.work.timed_child import STARTED, ChildClock, StartMark


def test_compiling_before_the_start_does_not_start_the_clock(tmp_path: Path) -> None:
    mark = StartMark(tmp_path / STARTED)
    mark.set_back("a kernel", left=3)
    assert not (tmp_path / STARTED).exists()
    assert ChildClock(tmp_path, 0.0, lambda: False).reason_to_stop() is None
    mark.start()
    assert (tmp_path / STARTED).exists()


def test_compiling_after_the_start_sets_the_clock_back(tmp_path: Path) -> None:
    mark = StartMark(tmp_path / STARTED)
    mark.start()
    os.utime(tmp_path / STARTED, (1, 1))
    watch = ChildClock(tmp_path, 1.0, lambda: False)
    assert watch.reason_to_stop() is not None
    mark.set_back()
    assert watch.reason_to_stop() is None
