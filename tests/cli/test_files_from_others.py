"""A file from others starts no program and imports no file, unless the command line names it again."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from gemhunter.cli.bench import run_bench
from gemhunter.cli.main import run
from gemhunter.cli.progress import continuing_command
from gemhunter.report.contents import write_document
from gemhunter.report.findings import read_findings
from gemhunter.report.ledger import heading_of_report
from gemhunter.report.plan import QUICK_EFFORT, new_plan
from gemhunter.solving.registry import starts_program
from gemhunter.work.ledger import new_ledger, read_ledger
from line_players import program_word
from text_files import put

Captured = pytest.CaptureFixture[str]

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
TRACE = Path("started")
LEAVES_A_TRACE = f"open('{TRACE}', 'w').close()"
PROGRAM = f"{sys.executable} -c {program_word(LEAVES_A_TRACE)}"
PROGRAMS = (f"cmd:{PROGRAM}", f"grid:{PROGRAM}", "./mine.py")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with finished ledgers of `bench` and `experiment`, and one of a report that was just begun."""
    home = tmp_path_factory.mktemp("measured")
    board = str(put(home / "a.txt", BOARD))
    assert run(["bench", board, "-e", "dpll", "--runs", "2", "-o", str(home / "bench.jsonl")]) == 0
    with new_ledger(home / "report.jsonl") as ledger:
        ledger.add(heading_of_report(new_plan([board], QUICK_EFFORT, engines=["dpll"])))
    games = ["-a", "logic", "--level", "3x4n2", "--games", "2", "-o", str(home / "games.jsonl")]
    assert run(["experiment", "winrate", *games]) == 0
    return home


@pytest.fixture(params=PROGRAMS, ids=["cmd", "grid", "file"])
def program(request: pytest.FixtureRequest, desk: Path) -> str:
    """The name of an engine whose program, if it is started, leaves a file in the current folder."""
    put(desk / "mine.py", f"{LEAVES_A_TRACE}\ndef solve_grid(grid): return None\n")
    return str(request.param)


def from_others(ledger: Path, engine: str, program: str, *, finished: bool) -> str:
    """The name of a copy of a ledger that names a program instead of the engine."""
    lines = ledger.read_text(encoding="utf-8").replace(json.dumps(engine), json.dumps(program)).splitlines()
    name = ledger.name
    put(Path(name), "".join(f"{line}\n" for line in lines[: len(lines) if finished else 1]))
    return name


def assert_refused(words: list[str], program: str, capsys: Captured) -> None:
    capsys.readouterr()
    assert run(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "would start" in line
    assert program in line
    assert not TRACE.exists()


def test_a_ledger_of_bench_starts_no_program(program: str, measured: Path, capsys: Captured) -> None:
    ledger = from_others(measured / "bench.jsonl", "dpll", program, finished=False)
    assert_refused(["bench", "--resume", ledger], program, capsys)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_ledger_of_bench_waits_for_no_pipe(measured: Path, desk: Path, capsys: Captured) -> None:
    os.mkfifo(desk / "pipe")
    lines = (measured / "bench.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    heading = {**json.loads(lines[0]), "arguments": ["pipe"]}
    ledger = put(desk / "piped.jsonl", "".join([json.dumps(heading) + "\n", *lines[1:]]))
    assert run(["bench", "--resume", str(ledger)]) == 2
    assert "names pipe, which is neither a file nor a folder" in capsys.readouterr().err


def test_a_ledger_of_report_starts_no_program(program: str, measured: Path, capsys: Captured) -> None:
    ledger = from_others(measured / "report.jsonl", "dpll", program, finished=False)
    assert_refused(["report", "--resume", ledger, "-o", "again.html"], program, capsys)


@pytest.mark.parametrize("command", ["winrate", "match"])
def test_a_ledger_of_games_starts_no_program(
    command: str, measured: Path, capsys: Captured, desk: Path
) -> None:
    ledger = from_others(measured / "games.jsonl", "logic", PROGRAMS[0], finished=False)
    with Path(ledger).open("r+", encoding="utf-8") as stream:
        heading = json.load(stream)
        heading["agents"].append("logic")
        stream.seek(0)
        stream.write(json.dumps(heading) + "\n")
    assert_refused(["experiment", command, "--resume", ledger], PROGRAMS[0], capsys)


@pytest.mark.parametrize("command", [["bench"], ["report", "-o", "report.html"]], ids=["bench", "report"])
def test_an_index_in_a_folder_starts_no_program(command: list[str], program: str, capsys: Captured) -> None:
    put(Path("boards") / "a.txt", BOARD)
    put(Path("boards") / "index.toml", f"engines = [{json.dumps(program)}]\n")
    assert_refused([*command, "boards"], program, capsys)


def test_a_finished_ledger_of_games_needs_none_of_its_agents(measured: Path, desk: Path) -> None:
    ledger = from_others(measured / "games.jsonl", "logic", PROGRAMS[0], finished=True)
    assert run(["experiment", "winrate", "--resume", ledger]) == 0
    assert not TRACE.exists()


def test_a_finished_ledger_of_bench_needs_none_of_its_engines(program: str, measured: Path) -> None:
    ledger = from_others(measured / "bench.jsonl", "dpll", program, finished=True)
    assert run(["bench", "--resume", ledger]) == 0
    assert run(["bench", "show", ledger]) == 0
    assert not TRACE.exists()


def test_a_report_is_written_without_any_of_its_engines(program: str, measured: Path) -> None:
    ledger = from_others(measured / "report.jsonl", "dpll", program, finished=True)
    write_document(read_findings(read_ledger(Path(ledger))), with_charts=False, with_notes=True)
    assert not TRACE.exists()


def test_a_program_that_the_command_line_names_again_is_started(
    program: str, measured: Path, capsys: Captured
) -> None:
    ledger = from_others(measured / "bench.jsonl", "dpll", program, finished=False)
    assert run(["bench", "--resume", ledger, "-e", program, "--workers", "1"]) == 4  # it gives no answer
    assert TRACE.exists()


def test_resuming_takes_no_other_engines(measured: Path, desk: Path, capsys: Captured) -> None:
    shutil.copytree(measured, desk, dirs_exist_ok=True)
    for command in ("bench", "report"):
        capsys.readouterr()
        assert run([command, "--resume", f"{command}.jsonl", "-e", "cdcl"]) == 2
        assert "was begun with --engine dpll, not cdcl" in capsys.readouterr().err


def test_the_command_that_continues_names_the_programs(desk: Path) -> None:
    words = ["a.txt", "-e", "dpll", "-e", "cmd:minisat"]
    with run_bench.make_context("bench", words) as ctx:
        assert continuing_command(ctx, Path("bench.jsonl"), ("engines",)).endswith("--engine cmd:minisat")


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        ("cmd:minisat", True),
        ("grid:./a.out", True),
        ("mine.py", True),
        ("/tmp/mine.py:solve_grid,cells=str", True),
        ("pysat:mine.py", False),
        ("cdcl:pick=random", False),
        ("expert", False),
    ],
)
def test_programs_are_known_by_their_names(name: str, starts: bool) -> None:
    assert starts_program(name) is starts
