"""The process that `runs.py` starts to measure an engine: `python -m gemhunter.bench.run_child`.

The clock of a run starts after imports, compiling and the engine's first calls; it is reset if something is
compiled later. A built-in engine is warmed up on the board itself. Any other could remember the board, so it
is warmed up on tiny boards alone, and its process makes a single run.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from gemhunter.bench.runs import SHORT_WORDS, map_letters
from gemhunter.board.grid import Grid
from gemhunter.errors import GemHunterError, WrongAnswerError
from gemhunter.jit.choice import Mode, compiling, cost_of_used_kernels, listening, may_compile
from gemhunter.play.game_names import read_grid
from gemhunter.questions.batch import FIRST_CALL_BOARDS, WARM_UP_ROUNDS, make_first_calls
from gemhunter.questions.solve import solve
from gemhunter.records.engines import outcome_name
from gemhunter.solving.engine import Engine
from gemhunter.solving.outcomes import GaveUp, Solved
from gemhunter.solving.registry import get_engine, is_built_in
from gemhunter.solving.run import Limits, Run
from gemhunter.work.memory import address_space, forget_peak_memory, limit_address_space, peak_memory
from gemhunter.work.timed_child import TaskReporter, serve_tasks
from gemhunter.work.workers import pin_to_core


class EngineRuns:
    """Does the tasks of this process, which are all about one engine."""

    def __init__(self) -> None:
        self._warm: set[object] = set()
        self._made = 0

    def do(self, task: Mapping[str, Any], reporter: TaskReporter) -> dict[str, Any]:
        """Make a run or, for a task without a board, return the cost of compiling the engine."""
        pin_to_core(task.get("core"))
        if "board" not in task:
            with compiling(Mode.NEVER), suppress(GemHunterError):  # a run reports any error
                make_first_calls(get_engine(task["engine"]))
            return cost_of_used_kernels()._asdict()
        with (
            compiling(Mode.ALWAYS if task["compiled"] and may_compile() else Mode.NEVER),
            listening(reporter.say_compiling),
        ):
            return self._measured(task, reporter.start_clock)

    def _measured(self, task: Mapping[str, Any], start_clock: Callable[[], None]) -> dict[str, Any]:
        board = Path(task["board"])
        try:
            engine = get_engine(task["engine"])
            question = (task["compiled"], task["name"], task["traps"])
            if question not in self._warm:
                if not self._warm:
                    make_first_calls(engine)
                self._warm.add(question)
                if is_built_in(task["engine"]):
                    warm_up(engine, [read_grid(board)], task["traps"], min(task["seconds"], 0.3))
                else:  # it could remember this board
                    start_clock()  # also for calls that do not count, as it may hang and keep no limit
                    others = [other for other in FIRST_CALL_BOARDS if other != read_grid(board)]
                    warm_up(engine, others * WARM_UP_ROUNDS, None, min(task["seconds"], 2.0))
            knows_peak = forget_peak_memory() or not self._made
            self._made += 1
            began = perf_counter()
            grid = read_grid(board)
            seconds = perf_counter() - began
            if task["memory"] is not None:
                limit_address_space(address_space() + task["memory"])
            start_clock()
            cpu_began = process_time()
            record = _solved(task, engine, grid, seconds)
            cpu_seconds = process_time() - cpu_began
            return {**record, "memory": peak_memory() if knows_peak else None, "cpu_seconds": cpu_seconds}
        except MemoryError:
            return _record("gave-up", "memory")
        except WrongAnswerError as error:
            return _record("wrong", str(error))
        except GemHunterError as error:
            return _record("crashed", str(error))


def warm_up(engine: Engine, grids: Sequence[Grid], total: int | None, seconds: float) -> None:
    """Let an engine run on these boards, for at most `seconds` in all, before it is measured."""
    info, run = engine.info, Run(Limits(seconds))
    if info.time_limit and not info.own_process:
        for grid in grids:
            with suppress(GemHunterError, MemoryError):  # the run itself reports any error
                solve(grid, engine, total=total, run=run)


def _solved(task: Mapping[str, Any], engine: Engine, grid: Grid, read_seconds: float) -> dict[str, Any]:
    """Solve the board, and return the record of the run."""
    info = engine.info
    limits = Limits(
        task["seconds"] if info.time_limit else None, memory=task["memory"] if info.memory_limit else None
    )
    report = solve(grid, engine, total=task["traps"], run=Run(limits, seed=task["seed"]))
    record = _record(outcome_name(report.outcome), "")
    record |= {"seconds": {"read": read_seconds, **report.seconds}, "counters": dict(report.counters)}
    match report.outcome:
        case GaveUp(reason):
            record["reason"] = SHORT_WORDS.get(reason, reason.value)
        case Solved(solution) if task["map"]:
            record["map"] = map_letters(solution, grid)
    return record


def _record(verdict: str, reason: str) -> dict[str, Any]:
    return {"verdict": verdict, "reason": reason, "seconds": {}, "counters": {}, "memory": None}


if __name__ == "__main__":
    serve_tasks(EngineRuns().do)
