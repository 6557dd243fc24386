"""Measures one run: starts its process, holds it to its limits, and reads what became of it."""

import json
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gemhunter.bench.files import BOARD, RESULT, STARTED, TASK
from gemhunter.bench.values import BenchBoard, BenchLimits, Measurement, RunTask, Verdict, has_map
from gemhunter.formats.files import write_atomically
from gemhunter.solving.run import never
from gemhunter.work.child import Exit, module_command, run_child

PROGRAM = "gemhunter.bench.child"
TRIES = 3
"""How often a run is made whose process dies: a process that is killed says nothing about its engine."""

STARTING_SECONDS = 600.0
"""How long importing and compiling may take before the clock of a run starts."""

SLACK_SHARE, SLACK_SECONDS = 0.1, 1.0
"""An engine that keeps time limits may be late by this share and this many seconds; then it is ended."""


@dataclass(frozen=True, slots=True)
class RunSetting:
    """How all runs of a comparison are made: their limits, and the seed of the first run of each engine.

    `keeps_maps` asks for the solutions of first runs on boards that are not too large for a page.
    """

    limits: BenchLimits
    seed: int = 0
    keeps_maps: bool = False


def measure(
    task: RunTask,
    board: BenchBoard,
    setting: RunSetting,
    *,
    core: int | None = None,
    is_cancelled: Callable[[], bool] = never,
) -> Measurement | None:
    """What becomes of one run in a fresh process; None if it was cancelled.

    A run whose process dies is made again, up to `TRIES` times in all, before it counts as crashed.
    """
    asked = {
        "engine": task.engine,
        "traps": board.total,
        "seed": setting.seed + task.run - 1,
        "seconds": setting.limits.seconds,
        "memory": setting.limits.memory,
        "core": core,
        "map": setting.keeps_maps and task.run == 1 and has_map(board.grid),
    }
    failure = ""
    for _ in range(TRIES):
        found = _made(task, board, asked, is_cancelled)
        if not isinstance(found, Exit):
            return found
        if setting.limits.memory is not None and found.ran_out_of_memory:
            return _without_answer(task, Verdict.GAVE_UP, "memory")
        failure = found.failure
    return _without_answer(task, Verdict.CRASHED, failure)


def _made(
    task: RunTask, board: BenchBoard, asked: Mapping[str, object], is_cancelled: Callable[[], bool]
) -> Measurement | Exit | None:
    """Make a run; how its process ended if it left no result."""
    # On Windows, a file that is still open elsewhere cannot be removed; that is no reason to fail.
    with tempfile.TemporaryDirectory(prefix="gemhunter-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        write_atomically(folder / BOARD, f"{board.grid}\n")
        write_atomically(folder / TASK, json.dumps(asked))
        watch = RunWatch(folder, float(str(asked["seconds"])), is_cancelled)
        command = module_command(task.engine, PROGRAM, str(folder))
        ended = run_child(command, folder, seconds_left=watch.nothing, stop=watch.reason)
        if isinstance(ended, str):
            return None if ended == CANCELLED else _without_answer(task, Verdict.GAVE_UP, ended)
        if not (folder / RESULT).exists():
            return ended
        return _read(task, json.loads((folder / RESULT).read_text(encoding="utf-8")))


CANCELLED, TOO_LATE, NEVER_STARTED = "cancelled", "time limit", "did not start"


class RunWatch:
    """Looks at a run from outside: has it started, is its time over, was it cancelled?"""

    def __init__(self, folder: Path, seconds: float, is_cancelled: Callable[[], bool]) -> None:
        self._started, self._is_cancelled = folder / STARTED, is_cancelled
        self._began = time.time()
        self._most = seconds * (1 + SLACK_SHARE) + SLACK_SECONDS

    def nothing(self) -> None:
        """No time is known at which the run must be looked at; it is looked at often."""

    def reason(self) -> str | None:
        """Why to end it now, if so."""
        if self._is_cancelled():
            return CANCELLED
        if not self._started.exists():
            return NEVER_STARTED if time.time() - self._began > STARTING_SECONDS else None
        return TOO_LATE if time.time() - self._started.stat().st_mtime > self._most else None


def _read(task: RunTask, record: dict[str, object]) -> Measurement:
    seconds, counters, memory = record["seconds"], record["counters"], record.get("memory")
    if not (isinstance(seconds, dict) and isinstance(counters, dict)):
        raise TypeError("a run wrote down something else than its result")
    return Measurement(
        task,
        Verdict(str(record["verdict"])),
        str(record["reason"]),
        seconds,
        counters,
        memory if isinstance(memory, int) else None,
        str(record.get("map", "")),
    )


def _without_answer(task: RunTask, verdict: Verdict, reason: str) -> Measurement:
    return Measurement(task, verdict, reason, {}, {})
