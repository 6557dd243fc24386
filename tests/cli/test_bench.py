"""The `bench` command: measured, kept, resumed, shown again, drawn and compared."""

import csv
import json
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.files.samples import FIRST_SAMPLE, file_of

Captured = pytest.CaptureFixture[str]

SAMPLE_BOARD = str(file_of(FIRST_SAMPLE))
REFUTED = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1\n"


def two_boards(folder: Path) -> str:
    """A folder of two boards."""
    folder.mkdir()
    (folder / "a.txt").write_text(Path(SAMPLE_BOARD).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "b.txt").write_text(REFUTED, encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two boards and a ledger: two engines, two runs each."""
    home = tmp_path_factory.mktemp("bench")
    words = ["-e", "pysat", "-e", "pysat:minisat22", "--runs", "2", "-o", str(home / "bench.jsonl")]
    assert run(["bench", two_boards(home / "boards"), *words]) == 0
    return home


@pytest.fixture
def boards(tmp_path: Path) -> str:
    """A folder of two boards."""
    return two_boards(tmp_path / "boards")


@pytest.fixture
def ledger(measured: Path, tmp_path: Path, capsys: Captured) -> Path:
    """A copy of the ledger that a test may change."""
    capsys.readouterr()
    return Path(shutil.copy(measured / "bench.jsonl", tmp_path))


def test_a_table_has_a_row_per_board_and_a_column_per_engine(boards: str, capsys: Captured) -> None:
    assert run(["bench", boards, "-e", "pysat", "-e", "brute-force:attempts=9", "--runs", "1"]) == 0
    heading, first, second, *_ = capsys.readouterr().out.splitlines()
    assert heading.split() == ["board", "size", "clauses", "pysat", "brute-force:attempts=9"]
    assert first.split()[:3] == ["a", "3×4", "27"]
    assert first.endswith("attempt limit")
    assert "no solution" in second


def test_every_run_is_kept_with_what_it_depends_on(ledger: Path) -> None:
    heading, *runs = map(json.loads, ledger.read_text(encoding="utf-8").splitlines())
    assert heading["engines"] == ["pysat", "pysat:minisat22"]
    assert {"machine", "versions", "seed", "seconds", "memory", "compiled", "boards"} <= heading.keys()
    assert len(runs) == 2 * 2 * 2
    assert {(each["board"], each["verdict"]) for each in runs} == {("a", "solved"), ("b", "refuted")}


def test_resuming_makes_only_the_runs_that_are_missing(ledger: Path, capsys: Captured) -> None:
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[:-2]) + lines[-2][:20])
    assert run(["bench", "--resume", str(ledger)]) == 0
    again = ledger.read_bytes().splitlines(keepends=True)
    assert again[:-2] == lines[:-2]
    tasks = [(each["board"], each["engine"], each["run"]) for each in map(json.loads, again[1:])]
    assert len(tasks) == len(set(tasks)) == 8
    assert run(["bench", "--resume", str(ledger)]) == 0
    assert ledger.read_bytes().splitlines(keepends=True) == again


def test_a_board_that_has_changed_is_not_mixed_with_what_it_was(
    ledger: Path, measured: Path, capsys: Captured
) -> None:
    heading, *rest = ledger.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = heading.replace(str(measured / "boards"), str(measured / "boards" / "a.txt"))
    ledger.write_text("".join([changed, *rest]), encoding="utf-8")
    assert run(["bench", "--resume", str(ledger)]) == 2
    assert "cannot be resumed: a board has changed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("csv", "board,size,unknown,clues,clauses,clauses (S4),pysat (s),"),
        ("md", "| board | size | "),
        ("tex", "\\begin{tabular}"),
    ],
)
def test_a_ledger_is_shown_in_the_forms_of_documents(
    form: str, begins: str, ledger: Path, capsys: Captured
) -> None:
    assert run(["bench", "show", str(ledger), "--format", form]) == 0
    assert capsys.readouterr().out.startswith(begins)


def test_tables_are_written_to_files_in_the_form_of_their_endings(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(ledger.parent)
    assert run(["bench", "show", "bench.jsonl", "-o", "table.tex", "-o", "table.json", "-o", "table"]) == 0
    assert Path("table.tex").read_text(encoding="utf-8").startswith("\\begin{tabular}")
    assert len(json.loads(Path("table.json").read_text(encoding="utf-8"))) == 4
    assert Path("table").read_text(encoding="utf-8") == capsys.readouterr().out


@pytest.mark.parametrize("form", ["text", "csv", "md", "tex", "json"])
def test_a_name_in_a_ledger_cannot_move_the_cursor(form: str, ledger: Path, capsys: Captured) -> None:
    text = ledger.read_text(encoding="utf-8")
    ledger.write_text(text.replace('"a"', r'"a\u001b[2J\u009b\u202e"'), encoding="utf-8")
    assert run(["bench", "show", str(ledger), "--format", form]) == 0
    printed = capsys.readouterr()
    assert "[2J" in printed.out.replace("\\[", "[")
    assert not set(printed.out + printed.err) & {"\x1b", "\x9b", "\u202e"}


def test_json_has_a_record_per_board_and_engine(ledger: Path, capsys: Captured) -> None:
    assert run(["bench", "show", str(ledger), "--format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert len(records) == 4
    assert {record["board"] for record in records} == {"a", "b"}


def test_a_missing_program_is_reported_before_any_run(desk: Path, capsys: Captured) -> None:
    assert run(["bench", "sample:3x4", "-e", "cmd:no-such-solver", "-o", "runs.jsonl"]) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "error: cmd:no-such-solver: no program named 'no-such-solver' on this machine"
    assert not Path("runs.jsonl").exists()


@pytest.mark.skipif(os.name == "nt", reason="the program is a script of a POSIX shell")
def test_a_crash_is_an_error_that_gives_its_reason(desk: Path, capsys: Captured) -> None:
    solver = desk / "dies.sh"
    solver.write_text("#!/bin/sh\nkill -SEGV $$\n", encoding="utf-8")
    solver.chmod(0o755)
    assert run(["bench", "sample:3x4", "-e", f"cmd:{solver}", "--runs", "2", "--workers", "1"]) == 4
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error")]
    assert line == f"error: sample:3x4: cmd:{solver}: ended by SIGSEGV"


def test_a_failure_on_several_boards_is_one_line_with_all_of_them(desk: Path, capsys: Captured) -> None:
    (desk / "mine.py").write_text("def solve(grid): return 42\n", encoding="utf-8")
    assert run(["bench", "sample:3x4", "sample:5x5", "-e", "./mine.py", "--runs", "2"]) == 4
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error")]
    assert line.startswith("error: sample:3x4 and sample:5x5: ./mine.py: returned 42")


@pytest.mark.parametrize("number", [1, 9])
def test_a_run_that_a_ledger_cannot_have_is_refused_with_its_line(
    number: int, ledger: Path, capsys: Captured
) -> None:
    first_run = next(line for line in ledger.read_text(encoding="utf-8").splitlines() if '"run":1,' in line)
    lines = len(ledger.read_text(encoding="utf-8").splitlines())
    with ledger.open("a", encoding="utf-8") as stream:
        stream.write(first_run.replace('"run":1,', f'"run":{number},') + "\n")
    assert run(["bench", "show", str(ledger)]) == 2
    assert f"{ledger}:{lines + 1}: not a line of results" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["--seed 4", "--memory-limit 1MB", "--zero unknown", "--runs 3"])
def test_what_a_ledger_has_cannot_be_changed_on_resuming(words: str, ledger: Path, capsys: Captured) -> None:
    assert run(["bench", "--resume", str(ledger), *words.split()]) == 2
    assert "--resume takes boards, runs, limits, the seed" in capsys.readouterr().err


def test_a_counter_that_nothing_counted_is_named(ledger: Path, capsys: Captured) -> None:
    assert run(["bench", "show", str(ledger), "--counters", "clauses,wishes"]) == 0
    assert "no engine counted wishes; they counted" in capsys.readouterr().err


def test_two_ledgers_are_compared_engine_by_engine(ledger: Path, capsys: Captured) -> None:
    assert run(["bench", "show", str(ledger), str(ledger)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["board", "engine", "bench", "bench", "ratio"]
    assert "1.00" in out


def test_a_run_draws_its_charts(desk: Path) -> None:
    assert run(["bench", SAMPLE_BOARD, "-e", "pysat", "--runs", "1", "--charts", "new/charts", "-q"]) == 0
    names = {path.name for path in (desk / "new" / "charts").iterdir()}
    charts = ("board-sample-3x4", "counters-sample-3x4", "scaling", "cactus")
    assert names == {f"{chart}.{ending}" for chart in charts for ending in ("svg", "png")}


def test_boards_whose_names_differ_only_in_signs_have_charts_of_their_own(
    desk: Path, capsys: Captured
) -> None:
    boards = ["x y.txt", "x$y.txt", "X^y.txt"]
    for board in boards:
        (desk / board).write_text("_, 1", encoding="utf-8")
    assert run(["bench", *boards, "-e", "pysat", "--runs", "1", "--charts", "charts"]) == 0
    assert "charts: 8 charts" in capsys.readouterr().err
    names = sorted(path.stem for path in (desk / "charts").glob("*.svg"))
    assert len({name.casefold() for name in names}) == 8


def test_a_folder_that_cannot_hold_charts_is_reported_before_any_run(desk: Path, capsys: Captured) -> None:
    (desk / "file").touch()
    assert run(["bench", SAMPLE_BOARD, "-o", "kept.jsonl", "--charts", "file/charts"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert not (desk / "kept.jsonl").exists()


def test_charts_are_drawn_for_boards_sizes_and_engines(ledger: Path, tmp_path: Path) -> None:
    charts = tmp_path / "charts"
    assert run(["bench", "show", str(ledger), "--charts", str(charts), "--line"]) == 0
    assert {path.name for path in charts.glob("*.svg")} == {
        *("board-a.svg", "board-b.svg", "counters-a.svg", "counters-b.svg", "scaling.svg", "cactus.svg"),
        "pysat-against-pysat-minisat22.svg",
    }
    assert (charts / "cactus.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")


def test_a_program_s_time_for_a_board_of_one_cell_is_below_the_table(ledger: Path, capsys: Captured) -> None:
    starts = iter([0.03, 0.02, 0.05, 0.04])
    text = re.sub(
        r'("engine":"pysat:minisat22".*"seconds":{)',
        lambda begin: f'{begin[1]}"start":{next(starts)},',
        ledger.read_text(encoding="utf-8"),
    )
    ledger.write_text(text, encoding="utf-8")
    assert run(["bench", "show", str(ledger)]) == 0
    about = [line for line in capsys.readouterr().out.splitlines() if "one cell" in line]
    assert about == ["`pysat:minisat22`: times include its start; 20.0 ms for a board of one cell"]


def test_wrong_answers_are_an_error_that_names_board_and_engines(ledger: Path, capsys: Captured) -> None:
    text = ledger.read_text(encoding="utf-8")
    ledger.write_text(text.replace('"verdict":"refuted"', '"verdict":"solved"', 1), encoding="utf-8")
    assert run(["bench", "show", str(ledger)]) == 4
    assert "error: b: " in capsys.readouterr().err


@pytest.mark.parametrize("form", ["csv", "json"])
def test_every_run_of_several_ledgers_is_a_row(form: str, ledger: Path, capsys: Captured) -> None:
    assert run(["bench", "show", *[str(ledger)] * 3, "--every-run", "--format", form]) == 0
    out = capsys.readouterr().out
    rows = json.loads(out) if form == "json" else list(csv.DictReader(out.splitlines()))
    assert Counter((each["board"], int(each["rows"])) for each in rows) == {("a", 3): 12, ("b", 5): 12}
    assert all(0 < float(each["solve_seconds"]) <= float(each["seconds"]) for each in rows)


def test_suites_are_listed(capsys: Captured) -> None:
    assert run(["bench", "suites"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()][:5] == [
        *("suite", "s1", "s2", "s3", "s4")
    ]
    assert run(["bench", "suites", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[3]["runs_of"] == {"genetic": 5}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["harc"], "no suite, folder or board file named 'harc'; did you mean 'hard'"),
        (["run"], "name boards, a folder or a suite"),
        ([SAMPLE_BOARD, "-e", "cdlc"], "no engine named 'cdlc'; did you mean 'cdcl'?"),
        (
            ["--resume", "bench.jsonl", "-e", "cdcl"],
            "was begun with --engine pysat, pysat:minisat22, not cdcl",
        ),
        (["show", "bench.jsonl", "bench.jsonl", "bench.jsonl"], "show one ledger, or compare two"),
        (["show", "bench.jsonl", "bench.jsonl", "--charts", "c"], "--charts takes one ledger"),
        (["show", "bench.jsonl", "-o", "new.jsonl"], "cannot write .jsonl here"),
        (["--resume", "bench.jsonl", "-o", "new.jsonl"], "results are kept in one file"),
        (["show", "empty.jsonl"], "empty.jsonl has no results of `gemhunter bench`: it has no complete line"),
        ([SAMPLE_BOARD, "-o", "bench.jsonl"], "bench.jsonl exists; resume it with --resume bench.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    words: list[str], message: str, ledger: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(ledger.parent)
    (ledger.parent / "empty.jsonl").touch()
    capsys.readouterr()
    assert run(["bench", *words]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not printed.out
