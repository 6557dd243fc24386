"""Processes that tests start: whether they run, what they have started, and waiting for a condition."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

TRIES = 4500
SECONDS_PER_TRY = 0.02

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="there is no /proc to look for children"
)


def wait_until(is_true: Callable[[], object]) -> bool:
    """Whether the condition comes true; it is tried often, and for a minute and a half at most."""
    for _ in range(TRIES):
        if is_true():
            return True
        time.sleep(SECONDS_PER_TRY)
    return False


def is_running(pid: int) -> bool:
    """Whether a process exists and has not ended; a process that no parent has waited for has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def end(*pids: int) -> bool:
    """Whether all of these processes end soon; being killed takes a moment."""
    return wait_until(lambda: not any(map(is_running, pids)))


def children_of(pid: int) -> list[int]:
    """The processes that any thread of a process has started."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # the thread or the process has just ended
            found += map(int, file.read_text(encoding="ascii").split())
    return found


def programs_below(pid: int, words: str) -> set[int]:
    """The processes below a process, started by it or by others, with these words in their command lines."""
    found = set()
    for each in descendants_of(pid):
        with suppress(OSError):  # it has just ended
            if words.encode() in Path(f"/proc/{each}/cmdline").read_bytes():
                found.add(each)
    return found


def descendants_of(pid: int) -> list[int]:
    """The processes that a process has started, and the processes that these have started."""
    return [each for child in children_of(pid) for each in (child, *descendants_of(child))]
