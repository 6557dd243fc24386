"""One run in a process of its own: `python -m gemhunter.bench.child FOLDER`.

The folder has the board and the task, and gets the result. The clock starts after importing, compiling and
the engine's first calls on tiny boards; it is set back if something is compiled after that.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

from gemhunter.bench.values import BOARD_FILE, map_letters, short_reason
from gemhunter.compiling.choice import Mode, compiling, current_mode, is_installed
from gemhunter.compiling.progress import listening
from gemhunter.core.grid import Grid
from gemhunter.errors import GemHunterError, WrongAnswerError
from gemhunter.play.game_names import read_grid
from gemhunter.queries.solve import make_first_calls, solve
from gemhunter.records.reports import outcome_name
from gemhunter.solving.outcomes import Solved
from gemhunter.solving.protocols import Engine
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run
from gemhunter.work.memory import address_space, limit_address_space, peak_memory
from gemhunter.work.timed_child import STARTED, StartMark, read_task, write_result
from gemhunter.work.workers import pin_to_core

WARM_UP_SECONDS = 1.0
"""The most that an engine runs on the board before the run that counts."""


def main() -> None:
    """Measure the run in the folder that the command line names."""
    folder = Path(sys.argv[1])
    task = read_task(folder)
    pin_to_core(task["core"])
    mode = Mode.NEVER if current_mode() is Mode.NEVER or not is_installed() else Mode.ALWAYS

    mark = StartMark(folder / STARTED)
    with compiling(mode), listening(mark.set_back):
        record = _measured(task, folder / BOARD_FILE, mark.start)
    write_result(folder, record)


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
        return {**_solved(task, engine, grid, seconds), "memory": peak_memory()}
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
        with suppress(GemHunterError, MemoryError):  # the run itself reports any error
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


if __name__ == "__main__":
    main()
