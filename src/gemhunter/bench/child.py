"""One run in a process of its own: `python -m gemhunter.bench.child FOLDER`.

The folder has the board and the task; what became of it is written there. What is imported or compiled, and
the engine's first calls on tiny boards, come before the clock starts; the file STARTED is touched when it
starts, and again if something is compiled after that, so that the process that waits knows from when to
count.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from gemhunter.bench.files import BOARD, RESULT, STARTED, TASK, StartMark
from gemhunter.bench.values import map_letters, short_reason
from gemhunter.compiling.choice import Mode, compiling, current_mode, is_installed
from gemhunter.compiling.progress import listening
from gemhunter.core.grid import Grid
from gemhunter.errors import GemHunterError, WrongAnswerError
from gemhunter.formats.files import write_atomically
from gemhunter.formats.text import read_grid
from gemhunter.queries.solve import make_first_calls, solve
from gemhunter.records.reports import outcome_name
from gemhunter.solving.outcomes import Solved
from gemhunter.solving.protocols import Engine
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run
from gemhunter.work.memory import address_space, limit_address_space

WARM_UP_SECONDS = 1.0
"""The most that an engine runs on the board before the run that counts."""


def main() -> None:
    """Measure the run in the folder that the command line names."""
    folder = Path(sys.argv[1])
    task = json.loads((folder / TASK).read_text(encoding="utf-8"))
    pin_to_core(task["core"])
    mode = Mode.NEVER if current_mode() is Mode.NEVER or not is_installed() else Mode.ALWAYS

    mark = StartMark(folder / STARTED)
    with compiling(mode), listening(mark.hear):
        record = _measured(task, folder / BOARD, mark.start)
    write_atomically(folder / RESULT, json.dumps(record))


def _measured(task: Mapping[str, Any], board: Path, start: Callable[[], None]) -> dict[str, Any]:
    try:
        engine = get_engine(task["engine"])
        warm_up(engine, read_grid(board), task["traps"], task["seconds"])
        began = perf_counter()
        grid = read_grid(board)
        seconds = perf_counter() - began
        if task["memory"] is not None:
            limit_address_space(address_space() + task["memory"])
        start()
        return {**_solved(task, engine, grid, seconds), "memory": _most_memory()}
    except MemoryError:
        return _record("gave-up", "memory")
    except WrongAnswerError as error:
        return _record("wrong", str(error))
    except GemHunterError as error:
        return _record("crashed", str(error))


def warm_up(engine: Engine, grid: Grid, total: int | None, seconds: float) -> None:
    """Let an engine make its slow first calls, on tiny boards and for a moment on the board itself."""
    make_first_calls(engine)
    info = engine.info
    if info.time_limit and not info.own_process:
        limits = Limits(min(seconds, WARM_UP_SECONDS))
        with suppress(GemHunterError, MemoryError):  # whatever is wrong with it, the run itself brings it up
            solve(grid, engine, total=total, run=Run(limits))


def _solved(task: Mapping[str, Any], engine: Engine, grid: Grid, read_seconds: float) -> dict[str, Any]:
    info = engine.info
    limits = Limits(
        task["seconds"] if info.time_limit else None, memory=task["memory"] if info.memory_limit else None
    )
    report = solve(grid, engine, total=task["traps"], run=Run(limits, seed=task["seed"]))
    seconds = {"read": read_seconds, **report.seconds}
    record = _record(outcome_name(report.outcome), short_reason(report), seconds, dict(report.counters))
    if task["map"] and isinstance(report.outcome, Solved):
        record["map"] = map_letters(report.outcome.solution, grid)
    return record


def _record(
    verdict: str,
    reason: str,
    seconds: Mapping[str, float] | None = None,
    counters: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    return {"verdict": verdict, "reason": reason, "seconds": seconds or {}, "counters": counters or {}}


def pin_to_core(core: int | None) -> None:
    """Stay on one core, where the system lets a process choose."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            os.sched_setaffinity(0, {core})


def _most_memory() -> int | None:
    """The most memory that this process has held, in bytes; None where the system does not say."""
    if find_spec("resource") is None:
        return None
    import resource

    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size if sys.platform == "darwin" else size * 1024


if __name__ == "__main__":
    main()
