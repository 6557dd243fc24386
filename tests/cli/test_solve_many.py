"""`gemhunter solve` about several boards: tables, forms, files, workers, encodings."""

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemhunter.cli.main import run
from gemhunter.cli.solve import short_names
from gemhunter.files.folders import BoardFile
from gemhunter.work.workers import Workers, process_workers

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
REFUTED = "4, _\n_, _\n"
NINE = "_, 1, _\n_, _, 9\n"

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with boards of all kinds, some of them in a folder."""
    files = {"board.txt": BOARD, "refuted.txt": REFUTED, "nine.txt": NINE, "bad.txt": "1, x\n"}
    for name, text in {**files, "more/one.txt": BOARD, "more/two.txt": REFUTED}.items():
        (desk / name).parent.mkdir(exist_ok=True)
        (desk / name).write_text(text, encoding="utf-8")
    return desk


def without_times(text: str) -> str:
    """Times replaced, and the blanks of columns that depend on them."""
    return re.sub(r" +", " ", re.sub(r"\d[\d.]* (s|ms|µs)\b", "N s", text))


def test_several_files_get_a_table_of_boards_and_engines(desk: Path, capsys: Captured) -> None:
    run(["solve", "board.txt", "refuted.txt", "-e", "pysat:g4", "-e", "dpll"])
    table = without_times(capsys.readouterr().out).splitlines()[-5:]
    assert table == [
        "board size pysat:glucose4 dpll",
        "board.txt 3×4 N s N s",
        "refuted.txt 2×2 N s (no solution) N s (no solution)",
        "",
        "engines written here ran as plain Python",
    ]


def test_one_board_gets_no_table(desk: Path, capsys: Captured) -> None:
    run(["solve", "board.txt", "-e", "pysat:g4", "-e", "dpll"])
    assert "size" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/b/c.txt", "a/b/d/c.txt"], ["c.txt", "d/c.txt"]),
        (["a/c.txt", "b/c.txt"], ["a/c.txt", "b/c.txt"]),
        (["/x/y/c.txt", "/x/z/c.txt"], ["y/c.txt", "z/c.txt"]),
        (["a/c.txt"], ["a/c.txt"]),
        (["-", "a/c.txt"], ["-", "a/c.txt"]),
    ],
)
def test_a_table_leaves_out_the_folder_that_all_boards_are_in(paths: list[str], names: list[str]) -> None:
    shown = short_names([BoardFile(path) for path in paths])
    assert [Path(name) for name in shown] == [Path(name) for name in names]


def test_markdown_is_the_table_and_how_engines_ran(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "more/one.txt", "more/two.txt", "-e", "dpll", "--format", "md"]) == 1
    *lines, _, mode = capsys.readouterr().out.splitlines()
    assert mode == "engines written here ran as plain Python"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0] == ["board", "size", "dpll (s)"]
    assert [row[:2] for row in cells[2:]] == [["one.txt", "3×4"], ["two.txt", "2×2"]]
    assert re.fullmatch(r"\d+\.\d{6} \(No solution\)", cells[3][2])


def test_csv_has_a_row_per_board_and_engine(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "bad.txt", "-e", "dpll", "-e", "cdcl", "--format", "csv"]) == 2
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["board"], row["engine"], row["outcome"]) for row in rows] == [
        ("board.txt", "dpll", "solved"),
        ("board.txt", "cdcl", "solved"),
        ("bad.txt", "", "unreadable"),
    ]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "md"])
def test_an_output_file_leaves_standard_output_empty(form: str, desk: Path, capsys: Captured) -> None:
    run(["solve", "board.txt", "refuted.txt", "--format", form, "-o", "out"])
    assert capsys.readouterr() == ("", "out: 2 answers about 2 boards\n")
    assert "refuted" in (desk / "out").read_text(encoding="utf-8")


def test_quiet_leaves_errors_alone_on_standard_error(desk: Path, capsys: Captured) -> None:
    run(["solve", ".", "-e", "dpll", "-o", "out", "--quiet"])
    assert capsys.readouterr() == (
        "",
        "error: bad.txt:1:4: expected `_`, a clue 0-8, `T` or `G`, found 'x'\n",
    )


def test_workers_print_the_same_in_the_same_order(desk: Path, capsys: Captured) -> None:
    asked = ["solve", "board.txt", "bad.txt", "nine.txt", "more", "-e", "dpll", "-e", "pysat:minicard"]
    assert run(asked) == 2
    alone = capsys.readouterr()
    assert run([*asked, "-j", "2"]) == 2
    together = capsys.readouterr()
    assert without_times(together.out) == without_times(alone.out)
    assert together.err == alone.err


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell script")
def test_a_worker_that_dies_costs_one_answer(desk: Path, capsys: Captured) -> None:
    killer = desk / "killer"
    killer.write_text("#!/bin/sh\nkill -9 $PPID\n", encoding="utf-8")
    killer.chmod(0o755)
    asked = ["solve", "board.txt", "refuted.txt", "-e", f"cmd:{killer}", "-e", "dpll", "--format", "json"]
    assert run([*asked, "--workers", "2"]) == 4
    out, err = capsys.readouterr()
    outcomes = [record["outcome"] for record in json.loads(out)]
    assert outcomes == ["failed", "solved", "refuted", "refuted"]
    assert err == f"error: cmd:{killer}: its worker process died\n"


@pytest.mark.parametrize(
    ("lost", "code", "outcomes"), [(2, 0, ["solved", "solved"]), (99, 4, ["failed", "failed"])]
)
def test_a_question_that_is_lost_with_a_broken_pool_is_asked_again(
    lost: int, code: int, outcomes: list[str], desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def breaking(number: int) -> Iterator[Workers]:
        breaks = iter(range(lost))

        def submit(*call: Any) -> Future[Any]:
            if next(breaks, None) is None:
                return workers.submit(*call)
            broken: Future[Any] = Future()
            broken.set_exception(BrokenProcessPool())
            return broken

        with process_workers(number) as workers:
            yield replace(workers, submit=submit)

    monkeypatch.setattr("gemhunter.questions.batch.process_workers", breaking)
    asked = ["solve", "board.txt", "-e", "dpll", "-e", "pysat:minicard", "-j", "2", "--format", "jsonl"]
    assert run(asked) == code
    assert [json.loads(line)["outcome"] for line in capsys.readouterr().out.splitlines()] == outcomes


def test_limits_hold_in_workers(desk: Path, capsys: Captured) -> None:
    asked = ["solve", "board.txt", "more/one.txt", "-e", "backtracking:reading", "--step-limit", "1"]
    assert run([*asked, "-j", "2", "--format", "jsonl"]) == 3
    reasons = [json.loads(line)["reason"] for line in capsys.readouterr().out.splitlines()]
    assert reasons == ["step limit reached"] * 2


@pytest.mark.parametrize("encoding", ["binomial", "seqcounter", "totalizer", "ladder"])
def test_an_encoding_gives_the_same_answer_by_other_clauses(
    encoding: str, desk: Path, capsys: Captured
) -> None:
    run(["cnf", "board.txt", "--encoding", encoding])
    header = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("p cnf"))
    assert run(["solve", "board.txt", "-e", "cdcl", "--encoding", encoding, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["grid"] == ["3, T, 2, G", "T, T, 2, G", "T, 3, 1, G"]
    assert header == f"p cnf {record['counters']['variables']} {record['counters']['clauses']}"


def test_an_encoding_alone_asks_an_engine_that_reads_clauses(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "--encoding", "totalizer"]) == 0
    assert "[pysat:cadical153] solved" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ["auto", "resolution", "pysat:minicard"])
def test_an_engine_without_clauses_takes_no_encoding(engine: str, desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "-e", engine, "--encoding", "totalizer"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(
        f"error: {engine} reads no clauses, so it takes no --encoding; these do: dpll, cdcl"
    )


def test_an_unknown_encoding_is_met_with_the_nearest(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "--encoding", "laddre"]) == 2
    assert "no encoding named 'laddre'; did you mean 'ladder'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--all", "--format", "md"], "--all prints text, json or jsonl, not md"),
        (["--all", "-j", "2"], "--all takes no --workers"),
        (["--all", "--encoding", "ladder"], "--all takes no --encoding"),
        (["-j", "0"], "invalid value for '-j' / '--workers'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    options: list[str], message: str, desk: Path, capsys: Captured
) -> None:
    assert run(["solve", "board.txt", *options]) == 2
    assert message in capsys.readouterr().err
