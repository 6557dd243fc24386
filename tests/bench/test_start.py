"""When the clock of a measured run starts: not while kernels are compiled for it."""

import os
from pathlib import Path

from gemhunter.bench.files import STARTED, StartMark
from gemhunter.bench.measure import RunWatch


def test_compiling_before_the_start_does_not_start_the_clock(tmp_path: Path) -> None:
    mark = StartMark(tmp_path / STARTED)
    mark.hear("a kernel", left=3)
    assert not (tmp_path / STARTED).exists()
    assert RunWatch(tmp_path, 0.0, lambda: False).reason() is None
    mark.start()
    assert (tmp_path / STARTED).exists()


def test_compiling_after_the_start_sets_the_clock_back(tmp_path: Path) -> None:
    mark = StartMark(tmp_path / STARTED)
    mark.start()
    os.utime(tmp_path / STARTED, (1, 1))
    watch = RunWatch(tmp_path, 1.0, lambda: False)
    assert watch.reason() is not None
    mark.hear()
    assert watch.reason() is None
