"""Runs of a comparison: contained whatever the engine does, and never lost."""

import io
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from gemhunter.bench import run_child as child
from gemhunter.bench.ledger import heading_of, read_comparison, require_same, run_line
from gemhunter.bench.runs import (
    BenchLimits,
    EngineComparison,
    Measurement,
    ModeChoice,
    RunSetting,
    RunTask,
    Verdict,
    choose_mode,
    engine_processes,
    measure,
    run_tasks,
    run_workers,
)
from gemhunter.bench.suites import BenchBoard, Suite
from gemhunter.board.puzzle import Puzzle
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.jit.choice import CompileCost, Mode, compiling
from gemhunter.questions.batch import FIRST_CALL_BOARDS
from gemhunter.solving.outcomes import Outcome
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
from gemhunter.work.ledger import new_ledger, open_ledger, read_ledger
from gemhunter.work.memory import can_limit_memory
from gemhunter.work.timed_child import TaskReporter
from gemhunter.work.workers import Workers, dask_cluster
from places import ROOT
from processes import end, needs_proc, programs_below, wait_until

SMALL = BenchBoard("small", parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"))
REFUTED = BenchBoard("refuted", parse_grid("_, 1, _\n2, _, _\n_, 0, _"))
WIDE = BenchBoard("wide", parse_grid("\n".join(["_" * 40, "2_" * 20, "_" * 40])))
LIMITS = BenchLimits(seconds=20.0)

BAD_ENGINES = """
import os, time
import numpy as np
from gemhunter import EngineInfo, Solved, Solution
from gemhunter.solving.registry import get_engine

class Bad:
    def __init__(self, how): self.how = how
    @property
    def info(self):
        keeps_time = self.how == "promises"
        return EngineInfo(f"bad:{self.how}", "an engine that misbehaves", time_limit=keeps_time)
    def solve(self, puzzle, run):
        if self.how in ("hangs", "promises"):
            while True: pass
        if self.how == "crashes": os.abort()
        if self.how == "dies":
            with open(os.environ["TIMES_TO_DIE"], "a+") as deaths:
                deaths.seek(0)
                if len(deaths.read()) < 2:
                    deaths.write("x")
                    deaths.flush()
                    os.kill(os.getpid(), 9)
            return solve_with("pysat", puzzle, run)
        if self.how == "once":
            with open(os.environ["PROCESSES"], "a") as processes:
                processes.write(f"{os.getpid()}\\n")
            if puzzle.clues.size == 2: os.abort()
            print("an engine that prints")
            return solve_with("pysat", puzzle, run)
        if self.how == "stops":
            time.perf_counter = time.monotonic = time.process_time = lambda: 0.0
            time.sleep(0.1)
            return solve_with("pysat", puzzle, run)
        if self.how == "eats":
            kept = []
            while True: kept.append(np.ones(10**7))
        return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))

def solve_with(name, puzzle, run):
    return get_engine(name).solve(puzzle, run)

def make_engine(argument): return Bad(argument)
"""


@pytest.fixture
def bad_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in that the processes of runs find."""
    home = tmp_path / "plugins"
    facts = home / "bad_engines-1.0.dist-info"
    facts.mkdir(parents=True)
    (home / "bad_engines.py").write_text(BAD_ENGINES, encoding="utf-8")
    (facts / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: bad-engines\nVersion: 1.0\n", encoding="utf-8"
    )
    (facts / "entry_points.txt").write_text(
        "[gemhunter.engines]\nbad = bad_engines:make_engine\n", encoding="utf-8"
    )
    monkeypatch.setenv("PYTHONPATH", str(home))


def measured(engine: str, board: BenchBoard = SMALL, limits: BenchLimits = LIMITS) -> Measurement:
    """What becomes of one run."""
    with engine_processes():
        found = measure(RunTask(board.name, engine, 1), board, RunSetting(limits))
    assert found is not None
    return found


def test_a_run_has_its_verdict_its_stages_and_its_counters() -> None:
    found = measured("pysat:glucose3")
    assert (found.verdict, found.reason) == (Verdict.SOLVED, "")
    assert list(found.seconds) == ["read", "encode", "solve", "check"]
    assert found.counters["clauses"] == 27
    assert found.total == pytest.approx(sum(found.seconds.values()) - found.seconds["read"])


def test_a_refutation_is_an_answer_and_a_limit_is_none() -> None:
    assert measured("pysat:glucose3", REFUTED).verdict is Verdict.REFUTED
    attempts = measured("brute-force:attempts=1000", WIDE)
    assert (attempts.verdict, attempts.reason) == (Verdict.GAVE_UP, "attempt limit")
    assert attempts.total is None
    late = measured("backtracking:clauses", WIDE, BenchLimits(seconds=0.2))
    assert (late.verdict, late.reason) == (Verdict.GAVE_UP, "time limit")
    stuck = measured("resolution", BenchBoard("guess", parse_grid("_, 1, _")))
    assert (stuck.verdict, stuck.reason) == (Verdict.GAVE_UP, "stuck")


def calls_before_runs(
    engine: "CountedEngine", runs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[int]:
    """The number of calls of an engine before the clock of each run starts."""
    calls_before_clock = []

    class Clock(TaskReporter):
        def start_clock(self) -> None:
            calls_before_clock.append(len(engine.puzzles))

    monkeypatch.setattr(child, "get_engine", lambda _name: engine)
    (tmp_path / "board.txt").write_text(f"{SMALL.grid}\n", encoding="utf-8")
    asked = {
        "engine": engine.info.name,
        "name": "small",
        "traps": None,
        "seed": 0,
        "seconds": 5.0,
        "memory": None,
    }
    task = {**asked, "board": str(tmp_path / "board.txt"), "core": None, "map": False, "compiled": False}
    process = child.EngineRuns()
    for _ in range(runs):
        process.do(task, Clock(io.StringIO()))
    return calls_before_clock


def test_an_engine_is_warm_before_its_first_run_is_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = CountedEngine("backtracking")
    on_tiny_boards, on_the_board = 8, 1
    assert calls_before_runs(engine, 2, tmp_path, monkeypatch) == [
        on_tiny_boards + on_the_board,
        on_tiny_boards + on_the_board + 1,
    ]


def test_an_engine_that_could_remember_is_warmed_up_on_other_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert SMALL.grid in FIRST_CALL_BOARDS
    engine = CountedEngine("./mine.py")
    # The clock also bounds the calls that do not count.
    assert calls_before_runs(engine, 1, tmp_path, monkeypatch) == [0, 4]
    assert [puzzle.grid == SMALL.grid for puzzle in engine.puzzles] == [False] * 4 + [True]


class CountedEngine:
    """An engine that counts its calls."""

    def __init__(self, name: str) -> None:
        self.puzzles: list[Puzzle] = []
        self.info = replace(get_engine("backtracking").info, name=name)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        self.puzzles.append(puzzle)
        return get_engine("backtracking").solve(puzzle, run)


def test_a_first_run_keeps_its_map_if_asked() -> None:
    asked = RunSetting(LIMITS, keeps_maps=True)
    with engine_processes():
        maps = [measure(RunTask("small", "pysat", run), SMALL, asked) for run in (1, 2)]
        unsolvable = measure(RunTask("refuted", "pysat", 1), REFUTED, asked)
    assert [found and found.map for found in maps] == ["TGTTGTG", ""]
    assert unsolvable is not None
    assert unsolvable.map == measured("pysat").map == ""


@pytest.mark.parametrize("how", ["hangs", "promises"])  # that it keeps time limits, so that it is warmed up
def test_an_engine_that_hangs_is_ended_at_its_time_limit(how: str, bad_engines: None) -> None:
    found = measured(f"bad:{how}", limits=BenchLimits(seconds=0.1))
    assert (found.verdict, found.reason, found.total) == (Verdict.GAVE_UP, "time limit", None)


def test_an_engine_that_crashes_is_contained_and_named(bad_engines: None) -> None:
    found = measured("bad:crashes")
    assert found.verdict is Verdict.CRASHED
    assert found.reason


@pytest.mark.skipif(not can_limit_memory(), reason="this system cannot limit memory")
def test_an_engine_that_eats_memory_hits_its_limit(bad_engines: None) -> None:
    found = measured("bad:eats", limits=BenchLimits(seconds=20.0, memory=300 * 2**20))
    assert (found.verdict, found.reason) == (Verdict.GAVE_UP, "memory")


def test_an_engine_that_lies_is_caught_by_the_check(bad_engines: None) -> None:
    found = measured("bad:lies")
    assert found.verdict is Verdict.WRONG
    assert "bad:lies gave a wrong answer" in found.reason


def test_an_engine_that_replaces_clocks_is_timed(bad_engines: None) -> None:
    assert measured("bad:stops").seconds["solve"] > 0.09


def test_an_engine_that_there_is_not_is_a_crash_with_its_words() -> None:
    found = measured("cdlc")
    assert found.verdict is Verdict.CRASHED
    assert "did you mean 'cdcl'" in found.reason


def comparison(runs: int = 2) -> EngineComparison:
    suite = Suite("mine", "two boards", (SMALL, REFUTED))
    return EngineComparison(suite, ("pysat", "pysat:minisat22"), RunSetting(LIMITS), runs, {"pysat": 1})


def test_every_engine_runs_on_every_board_and_some_run_more_often() -> None:
    tasks = list(comparison().tasks())
    assert len(tasks) == len(set(tasks)) == 2 * (1 + 2)
    assert [task.run for task in tasks] == [1, 1, 1, 1, 2, 2]
    assert (
        comparison().missing([Measurement(*task, Verdict.SOLVED, "", {}, {}, None) for task in tasks[:4]])
        == tasks[4:]
    )


def test_runs_side_by_side_are_all_made_once() -> None:
    tasks = list(comparison(1).tasks())
    with run_workers(None, 2) as workers:
        found = list(run_tasks(comparison(1), tasks, workers))
    assert sorted(map(str, (each.task for each in found))) == sorted(map(str, tasks))
    verdicts = {each.task.board: each.verdict for each in found}
    assert verdicts == {"small": Verdict.SOLVED, "refuted": Verdict.REFUTED}


@needs_proc
def test_leaving_the_machine_ends_the_runs_under_way(bad_engines: None) -> None:
    both = EngineComparison(
        Suite("mine", "", (SMALL,)), ("pysat", "bad:hangs"), RunSetting(BenchLimits(1e6)), 1
    )
    others = programs_below(os.getpid(), "bench.run_child")  # other tests may share a server or a browser
    with run_workers(None, 2) as workers:
        results = run_tasks(both, list(both.tasks()), workers)
        assert next(results).verdict is Verdict.SOLVED
        assert wait_until(lambda: programs_below(os.getpid(), "bench.run_child") - others)
        children = programs_below(os.getpid(), "bench.run_child") - others
    assert end(*children)


def test_a_run_whose_process_dies_is_made_again_and_then_counts_as_crashed(
    bad_engines: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMES_TO_DIE", str(tmp_path / "deaths"))
    assert measured("bad:dies").verdict is Verdict.SOLVED
    assert (tmp_path / "deaths").read_text(encoding="utf-8") == "xx"
    (tmp_path / "deaths").unlink()
    monkeypatch.setattr("gemhunter.bench.runs.TRIES", 2)
    assert measured("bad:dies").verdict is Verdict.CRASHED


def processes_of_runs(engine: str, limits: BenchLimits, *boards: BenchBoard) -> list[Verdict]:
    """The verdicts of two runs on each board, one after the other."""
    both = EngineComparison(Suite("mine", "", boards), (engine,), RunSetting(limits), 2)
    with run_workers(None, 1) as workers:
        return [found.verdict for found in run_tasks(both, list(both.tasks()), workers)]


def test_one_process_makes_all_runs_of_a_built_in_engine_until_it_dies(
    bad_engines: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemhunter.bench.runs.is_built_in", lambda _: True)
    kept = tmp_path / "processes"
    monkeypatch.setenv("PROCESSES", str(kept))
    monkeypatch.setattr("gemhunter.bench.runs.TRIES", 1)
    other = BenchBoard("other", parse_grid("_, 1, _"))
    assert set(processes_of_runs("bad:once", LIMITS, SMALL, other)) == {Verdict.SOLVED}
    processes = kept.read_text(encoding="utf-8").split()
    assert (len(processes), len(set(processes))) == (4, 1)
    kept.unlink()
    deadly = BenchBoard("deadly", parse_grid("1, _, 1"))
    assert processes_of_runs("bad:once", LIMITS, deadly, other) == [Verdict.CRASHED, Verdict.SOLVED] * 2
    assert len(set(kept.read_text(encoding="utf-8").split())) == 3


def test_every_run_of_a_plug_in_has_a_process_of_its_own(
    bad_engines: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROCESSES", str(tmp_path / "processes"))
    assert set(processes_of_runs("bad:once", LIMITS, SMALL)) == {Verdict.SOLVED}
    assert len(set((tmp_path / "processes").read_text(encoding="utf-8").split())) == 2


def test_a_solver_that_remembers_boards_searches_in_every_run(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(REMEMBERS, encoding="utf-8")
    twice = EngineComparison(Suite("mine", "", (SMALL,)), (str(file),), RunSetting(LIMITS), 2)
    with run_workers(None, 1) as workers:
        runs = list(run_tasks(twice, list(twice.tasks()), workers))
    assert [(run.verdict, dict(run.counters)) for run in runs] == [(Verdict.SOLVED, {"search": 1})] * 2


REMEMBERS = """
known = {}

def solve(grid):
    if str(grid) not in known:
        yield "search"
        known[str(grid)] = "3 T 2 G\\nT T 2 G\\nT 3 1 G"
    return known[str(grid)]
"""


@pytest.mark.skipif(not can_limit_memory(), reason="this system cannot limit memory")
def test_every_run_under_a_memory_limit_has_a_process_of_its_own(
    bad_engines: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROCESSES", str(tmp_path / "processes"))
    limits = BenchLimits(20.0, memory=2**30)
    assert set(processes_of_runs("bad:once", limits, SMALL)) == {Verdict.SOLVED}
    assert len(set((tmp_path / "processes").read_text(encoding="utf-8").split())) == 2


@pytest.mark.parametrize(
    ("missing", "everything", "plain", "compiled", "made"),
    [
        pytest.param(5.0, 20.0, 1e6, True, 0, id="three quarters are cached"),
        pytest.param(20.0, 20.0, 1.0, False, 4, id="plain Python is faster"),
        pytest.param(20.0, 20.0, 4.0, True, 3, id="compiling is faster"),
    ],
)
def test_a_comparison_is_compiled_if_that_is_cached_or_faster(
    missing: float,
    everything: float,
    plain: float,
    compiled: bool,
    made: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs: list[RunTask] = []

    def instant(task: RunTask, _board: BenchBoard, setting: RunSetting, **_: object) -> Measurement:
        runs.append(task)
        assert not setting.compiled
        return Measurement(*task, Verdict.SOLVED, "", {}, {}, None, cpu_seconds=plain)

    monkeypatch.setattr("gemhunter.bench.runs.measure", instant)
    monkeypatch.setattr("gemhunter.bench.runs.compile_cost", lambda _: CompileCost(missing, everything))
    monkeypatch.setattr("gemhunter.bench.runs.is_installed", lambda: True)
    asked = EngineComparison(Suite("mine", "", (WIDE, SMALL)), ("cdcl", "dpll"), RunSetting(LIMITS), 2)
    with compiling(Mode.AUTO), run_workers(None, 1) as workers:
        found = choose_mode(asked, workers)
    assert (found.compiled, len(runs)) == (compiled, made)
    assert [run.task for run in found.found] == ([] if compiled else runs)
    assert [task.board for task in runs] == ["small", "small", "wide", "wide"][:made]


@pytest.mark.parametrize("mode", [Mode.ALWAYS, Mode.NEVER])
def test_the_mode_of_the_environment_is_that_of_the_comparison(
    mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemhunter.bench.runs.is_installed", lambda: True)
    with compiling(mode), run_workers(None, 1) as workers:
        assert choose_mode(comparison(), workers) == ModeChoice(mode is Mode.ALWAYS)


def test_a_worker_that_dies_is_a_crash_with_its_words() -> None:
    def submit(*_: object) -> "Future[Measurement | None]":
        future: Future[Measurement | None] = Future()
        future.set_exception(EOFError("worker lost"))
        return future

    one = EngineComparison(Suite("mine", "", (SMALL,)), ("pysat",), RunSetting(LIMITS), 1)
    (found,) = run_tasks(one, list(one.tasks()), Workers(submit, 1, (EOFError,)))
    assert (found.verdict, found.reason) == (Verdict.CRASHED, "its worker died: worker lost")


@pytest.mark.full
def test_a_dask_cluster_comes_to_the_same_verdicts() -> None:
    tasks = list(comparison().tasks())
    with run_workers("dask", 2) as cluster:
        found = list(run_tasks(comparison(), tasks, cluster))
    verdicts = {each.task: each.verdict for each in found}
    assert verdicts.keys() == set(tasks)
    assert {task.board: verdict for task, verdict in verdicts.items()} == {
        "small": Verdict.SOLVED,
        "refuted": Verdict.REFUTED,
    }


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="kill -9 is for POSIX")
def test_a_cluster_whose_worker_is_killed_makes_all_runs() -> None:
    tasks = list(comparison().tasks())
    with dask_cluster("dask", 2) as cluster:
        results = run_tasks(comparison(), tasks, cluster)
        found = [next(results)]
        os.kill(cluster.submit(os.getpid).result(), signal.SIGKILL)
        found += results
    verdicts = {each.task.board: each.verdict for each in found}
    assert sorted(map(str, (each.task for each in found))) == sorted(map(str, tasks))
    assert verdicts == {"small": Verdict.SOLVED, "refuted": Verdict.REFUTED}


def test_a_scheduler_that_does_not_answer_is_an_error_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.work.workers.CONNECT_SECONDS", 0.2)
    with (
        pytest.raises(InputError, match="no Dask scheduler answers at tcp"),
        run_workers("tcp://127.0.0.1:1", 1),
    ):
        pass


def test_a_ledger_says_what_was_measured(tmp_path: Path) -> None:
    heading = heading_of(comparison(), ["boards/"], "clue")
    found = Measurement("small", "pysat", 1, Verdict.SOLVED, "", {"solve": 0.25}, {"conflicts": 3}, 2**20)
    path = tmp_path / "bench.jsonl"
    with new_ledger(path) as ledger:
        ledger.add(heading)
        ledger.add(run_line(found))
    kept = read_comparison(read_ledger(path))
    assert kept.heading == heading
    assert kept.measurements == (found,)


def test_what_cannot_be_compared_is_not_mixed(tmp_path: Path) -> None:
    here = heading_of(comparison(), [], "clue")
    other = EngineComparison(Suite("mine", "", (SMALL,)), ("pysat",), RunSetting(LIMITS))
    with pytest.raises(InputError, match="cannot be resumed: a board has changed"):
        require_same(heading_of(other, [], "clue"), here, tmp_path)


def test_another_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"experiment": "winrate"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="has no results of `gemhunter bench`"):
        read_comparison(read_ledger(path))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="kill -9 is for POSIX")
def test_a_killed_comparison_loses_no_finished_run_and_resumes_exactly_once(tmp_path: Path) -> None:
    path = tmp_path / "bench.jsonl"
    program = (
        "import sys; from pathlib import Path; import test_runs as t\n"
        "from gemhunter.work.ledger import new_ledger\n"
        "with new_ledger(Path(sys.argv[1])) as ledger:\n"
        "    ledger.add(t.heading_of(t.comparison(1), [], 'clue'))\n"
        "    with t.run_workers(None, 1) as workers:\n"
        "        for found in t.run_tasks(t.comparison(1), list(t.comparison(1).tasks()), workers):\n"
        "            ledger.add(t.run_line(found)); print('made', flush=True)\n"
    )
    words = [sys.executable, "-c", program, str(path)]
    path_of_tests = {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "bench"), *sys.path])}
    with subprocess.Popen(words, stdout=subprocess.PIPE, env={**os.environ, **path_of_tests}) as process:
        assert process.stdout is not None
        for _ in range(2):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    with open_ledger(path) as (lines, ledger):
        kept = read_comparison(lines)
        assert len(kept.measurements) >= 2
        with run_workers(None, 2) as workers:
            for found in run_tasks(comparison(1), comparison(1).missing(kept.measurements), workers):
                ledger.add(run_line(found))
    tasks = [each.task for each in read_comparison(read_ledger(path)).measurements]
    assert sorted(map(str, tasks)) == sorted(map(str, comparison(1).tasks()))
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])["ledger"] == "bench"
