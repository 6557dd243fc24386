"""`gemhunter solve`, as a user would run it: one board, several of them, and all solutions of one."""

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemhunter.bench.result_times import short_names
from gemhunter.board.grid import Grid
from gemhunter.cli.exit_codes import TerminatedError, listen
from gemhunter.cli.main import run
from gemhunter.files.folders import BoardFile
from gemhunter.questions.solutions import Solutions
from gemhunter.work.workers import Workers, process_workers
from places import HARD

Captured = pytest.CaptureFixture[str]

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"
REFUTED = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1\n"
HARD_BOARD = HARD / "02_altsum_41x41_unsat.txt"


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board that has a solution and one that has none."""
    (desk / "board.txt").write_text(BOARD, encoding="utf-8")
    (desk / "refuted.txt").write_text(REFUTED, encoding="utf-8")
    return desk


def test_a_board_is_shown_and_then_its_map_and_running_time(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt"]) == 0
    shown, _, answer = capsys.readouterr().out.partition("\n\n")
    assert shown == f"board.txt (3×4)\n{BOARD}".rstrip()
    assert re.fullmatch(r"\[auto\] solved in [\d.]+ (s|ms|µs)\n" + ANSWER + "\n", answer)


def test_each_engine_gets_a_labelled_section(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "-e", "pysat:g4", "--engine", "pysat:minicard"]) == 0
    assert re.findall(r"^\[(.*?)\]", capsys.readouterr().out, re.M) == ["pysat:glucose4", "pysat:minicard"]


def test_a_board_without_solution_returns_1_with_the_reason(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "refuted.txt"]) == 1
    assert "no solution" in capsys.readouterr().out


def test_a_clue_that_cannot_hold_is_named(desk: Path, capsys: Captured) -> None:
    (desk / "four.txt").write_text("4, _\n_, _\n", encoding="utf-8")
    assert run(["solve", "four.txt"]) == 1
    assert "the clue 4 at r1c1 cannot hold" in capsys.readouterr().out


def test_a_limit_returns_3_and_names_the_limit(desk: Path, capsys: Captured) -> None:
    assert run(["solve", str(HARD_BOARD), "--step-limit", "10"]) == 3
    assert "gave up" in (out := capsys.readouterr().out)
    assert "step limit reached" in out


def test_the_total_number_of_traps_counts(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "--traps", "4"]) == 0
    assert run(["solve", "board.txt", "--traps", "5"]) == 1


def test_zero_can_mean_unknown(desk: Path, capsys: Captured) -> None:
    (desk / "zero.txt").write_text("010\n", encoding="utf-8")
    assert run(["solve", "zero.txt"]) == 1
    assert run(["solve", "zero.txt", "--zero", "unknown"]) == 0


def test_json_has_one_object_with_all_fields(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "-e", "pysat:m22", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    answer = {"board", "engine", "outcome", "grid", "partial", "reason", "seconds", "counters"}
    assert set(result) == answer | {"version", "seed", "settings", "encoding"}
    assert (result["board"], result["engine"], result["outcome"]) == (
        "board.txt",
        "pysat:minisat22",
        "solved",
    )
    assert "\n".join(result["grid"]) + "\n" == ANSWER
    assert set(result["seconds"]) == {"read", "encode", "solve", "check"}


def test_json_is_a_list_where_several_answers_were_asked_for(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "refuted.txt", "--format", "json"]) == 1
    solved, refuted = json.loads(capsys.readouterr().out)
    assert (solved["outcome"], refuted["outcome"]) == ("solved", "refuted")
    assert (refuted["grid"], solved["reason"]) == (None, None)


def test_jsonl_has_a_line_per_result(desk: Path, capsys: Captured) -> None:
    run(["solve", "board.txt", "-e", "pysat:g3", "-e", "pysat:g4", "--format", "jsonl"])
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["engine"] for line in lines] == ["pysat:glucose3", "pysat:glucose4"]


@pytest.mark.parametrize(
    ("arguments", "code", "out"),
    [
        (["board.txt"], 10, "s SATISFIABLE\nv 1 -2 3 4 -5 6 -7 0\n"),
        (["refuted.txt"], 20, "s UNSATISFIABLE\n"),
        ([str(HARD_BOARD), "--step-limit", "10"], 0, "s UNKNOWN\n"),
    ],
)
def test_sat_format_is_that_of_the_competition(
    desk: Path, capsys: Captured, arguments: list[str], code: int, out: str
) -> None:
    assert run(["solve", "--format", "sat", *arguments]) == code
    assert capsys.readouterr().out == out


def test_output_has_the_answers_without_the_board(desk: Path, capsys: Captured) -> None:
    run(["solve", "board.txt", "-e", "pysat:g4", "-e", "pysat:mc", "-o", "out.txt"])
    output = (desk / "out.txt").read_text(encoding="utf-8")
    status = r"\] solved in \d+\.\d{6} s\n"
    assert re.fullmatch(rf"\[pysat:glucose4{status}{ANSWER}\n\[pysat:minicard{status}{ANSWER}\n", output)


def test_output_names_each_of_several_boards(desk: Path, capsys: Captured) -> None:
    run(["solve", "board.txt", "refuted.txt", "-e", "pysat:g4", "-o", "out.txt"])
    output = (desk / "out.txt").read_text(encoding="utf-8")
    assert re.findall(r"^.*×.*$", output, re.M) == ["board.txt (3×4)", "refuted.txt (5×5)"]


def test_test_cases_get_their_outputs_and_a_table_of_times(desk: Path, capsys: Captured) -> None:
    for number in (1, 2, 10):
        case = desk / "cases" / f"testcase_{number}"
        case.mkdir(parents=True)
        (case / f"input_{number}.txt").write_text(BOARD, encoding="utf-8")
    assert run(["solve", "cases", "-e", "pysat:g4", "-e", "pysat:mc"]) == 0
    output = (desk / "cases" / "testcase_10" / "output_10.txt").read_text(encoding="utf-8")
    assert re.findall(r"^\[(.*?)\]", output, re.M) == ["pysat:glucose4", "pysat:minicard"]
    times = (desk / "cases" / "times.csv").read_text(encoding="utf-8").splitlines()
    assert times[0] == "board,rows,cols,unknown,clues,engine,outcome,seconds,reason,mode"
    assert [line.split(",")[:7] for line in times[1:]] == [
        [f"cases/testcase_{number}/input_{number}.txt", "3", "4", "7", "5", engine, "solved"]
        for number in (1, 2, 10)
        for engine in ("pysat:glucose4", "pysat:minicard")
    ]
    assert "input_10.txt" in capsys.readouterr().out.splitlines()[-1]


def test_a_folder_of_boards_is_solved_in_natural_order(desk: Path, capsys: Captured) -> None:
    assert run(["solve", ".", "--format", "jsonl"]) == 1
    boards = [json.loads(line)["board"] for line in capsys.readouterr().out.splitlines()]
    assert boards == ["board.txt", "refuted.txt"]


def test_a_bad_board_does_not_stop_the_others(desk: Path, capsys: Captured) -> None:
    (desk / "bad.txt").write_text("1, 12\n", encoding="utf-8")
    assert run(["solve", "bad.txt", "board.txt"]) == 2
    printed = capsys.readouterr()
    assert "bad.txt:1:4: a clue is at most 8, found '12'" in printed.err
    assert ANSWER in printed.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "missing.txt"], "error: missing.txt: no such file or directory"),
        (["solve", "board.txt", "-e", "pysat:glocose4"], "did you mean 'pysat:glucose4'"),
        (["solve", "board.txt", "-e", "cmd:"], "cmd: needs the program to run"),
        (["solve", "board.txt", "-e", "pysat:lgl", "--step-limit", "5"], "has no steps to limit"),
        (["solve", "board.txt", "--traps", "-1"], "--traps"),
        (["solve", "board.txt", "--time-limit", "0"], "--time-limit"),
        (["solve", "board.txt", "--workers", "0"], "invalid value for '--workers'"),
        (
            ["solve", "board.txt", "board.txt", "--format", "sat"],
            "--format sat takes one board and one engine",
        ),
        (["solve", "empty"], "no boards in empty"),
        (["solve"], "missing argument"),
        (["solve", "board.txt", "--tarps", "3"], "did you mean --traps?"),
        (["slove", "board.txt"], "no command named 'slove'; did you mean 'solve'?"),
        (["solve", "board.txt", "-o", "missing/out.txt"], "cannot write missing/out.txt"),
    ],
)
def test_bad_input_is_one_line_and_returns_2(
    desk: Path, capsys: Captured, arguments: list[str], message: str
) -> None:
    (desk / "empty").mkdir()
    assert run(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert message.lower() in lines[0].lower()


def test_an_engine_that_fails_returns_4_and_the_others_still_answer(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "-e", "cmd:no-such-program", "-e", "pysat:g4"]) == 4
    printed = capsys.readouterr()
    assert "no program named 'no-such-program'" in printed.err
    assert ANSWER in printed.out


def test_nothing_is_written_where_nothing_was_solved(desk: Path, capsys: Captured) -> None:
    (desk / "precious.txt").write_text("old", encoding="utf-8")
    for bad in (["board.txt", "-e", "nope"], ["missing.txt"], ["board.txt", "-o", "-"]):
        assert run(["solve", "-o", "precious.txt", *bad]) == 2
    assert (desk / "precious.txt").read_text(encoding="utf-8") == "old"


def test_an_unreadable_test_case_has_its_row_and_says_so_in_its_output(desk: Path, capsys: Captured) -> None:
    (desk / "cases" / "testcase_1").mkdir(parents=True)
    (desk / "cases" / "testcase_1" / "input_1.txt").write_text("12\n1\n", encoding="utf-8")
    assert run(["solve", "cases"]) == 2
    output = (desk / "cases" / "testcase_1" / "output_1.txt").read_text(encoding="utf-8")
    assert "unreadable" in output
    assert "unreadable" in (desk / "cases" / "times.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--traps", "--step-limit"])
def test_numbers_beyond_all_measure_do_no_harm(desk: Path, capsys: Captured, option: str) -> None:
    expected = 1 if option == "--traps" else 0
    assert run(["solve", "board.txt", option, str(2**63 - 1), "-e", "pysat:g4"]) == expected


def test_what_a_stuck_engine_knows_is_printed_and_graded_as_no_answer(desk: Path, capsys: Captured) -> None:
    (desk / "choice.txt").write_text("0, _, _, 1, _\n", encoding="utf-8")
    assert run(["solve", "choice.txt", "-e", "resolution"]) == 3
    assert capsys.readouterr().out.endswith("(1 of 3 cells decided)\n0, G, _, 1, _\n\n")
    assert run(["solve", "choice.txt", "-e", "resolution", "-o", "out.txt"]) == 3
    assert capsys.readouterr() == ("", "out.txt: 1 answer for 1 board\n")
    assert run(["check", "choice.txt", "out.txt"]) == 1
    assert capsys.readouterr().out == "out.txt [resolution]: no answer\n"
    run(["solve", "choice.txt", "-e", "resolution", "--format", "json"])
    result = json.loads(capsys.readouterr().out)
    assert (result["outcome"], result["grid"], result["partial"]) == ("gave-up", None, ["0, G, _, 1, _"])


@pytest.mark.parametrize(("stop", "code"), [(KeyboardInterrupt(), 130), (TerminatedError(), 143)])
def test_a_stop_that_somebody_swallowed_still_stops(
    stop: KeyboardInterrupt, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    board = tmp_path / "board.txt"
    board.write_text("_, 1, _", encoding="utf-8")
    monkeypatch.setattr("gemhunter.cli.exit_codes._SWALLOWED", [stop])
    assert run(["solve", str(board)]) == code
    assert capsys.readouterr().err.endswith("stopped\n")


def test_what_stumbles_over_a_swallowed_stop_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def stumble(**_: object) -> int:
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr("gemhunter.cli.main.gemhunter.main", stumble)
    assert run(["solve"]) == 4
    assert "internal error: RuntimeError: no compiled object yet" in capsys.readouterr().err
    monkeypatch.setattr("gemhunter.cli.exit_codes._SWALLOWED", [KeyboardInterrupt()])
    assert run(["solve"]) == 130
    assert capsys.readouterr().err == "stopped\n"


def test_nobody_is_told_that_a_stop_was_swallowed(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    class Deaf:
        """Raises where nothing can be raised."""

        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __del__(self) -> None:
            raise self.error

    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    listen()
    Deaf(KeyboardInterrupt())
    assert not capsys.readouterr().err
    Deaf(ValueError("said aloud"))
    assert "said aloud" in capsys.readouterr().err


FOUR = "4, _\n_, _\n"
NINE = "_, 1, _\n_, _, 9\n"


@pytest.fixture
def boards(desk: Path) -> Path:
    """The current folder, with boards of all kinds, some of them in a folder."""
    files = {"board.txt": BOARD, "refuted.txt": FOUR, "nine.txt": NINE, "bad.txt": "1, x\n"}
    for name, text in {**files, "more/one.txt": BOARD, "more/two.txt": FOUR}.items():
        (desk / name).parent.mkdir(exist_ok=True)
        (desk / name).write_text(text, encoding="utf-8")
    return desk


def without_times(text: str) -> str:
    """Times replaced, and the blanks of columns that depend on them."""
    return re.sub(r" +", " ", re.sub(r"\d[\d.]* (s|ms|µs)\b", "N s", text))


def test_several_files_get_a_table_of_boards_and_engines(boards: Path, capsys: Captured) -> None:
    run(["solve", "board.txt", "refuted.txt", "-e", "pysat:g4", "-e", "dpll"])
    table = without_times(capsys.readouterr().out).splitlines()[-5:]
    assert table == [
        "board size pysat:glucose4 dpll",
        "board.txt 3×4 N s N s",
        "refuted.txt 2×2 N s (no solution) N s (no solution)",
        "",
        "the engines of Gem Hunter ran as plain Python",
    ]


def test_one_board_gets_no_table(boards: Path, capsys: Captured) -> None:
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


def test_markdown_is_the_table_and_how_engines_ran(boards: Path, capsys: Captured) -> None:
    assert run(["solve", "more/one.txt", "more/two.txt", "-e", "dpll", "--format", "md"]) == 1
    *lines, _, mode = capsys.readouterr().out.splitlines()
    assert mode == "the engines of Gem Hunter ran as plain Python"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0] == ["board", "size", "dpll (s)"]
    assert [row[:2] for row in cells[2:]] == [["one.txt", "3×4"], ["two.txt", "2×2"]]
    assert re.fullmatch(r"\d+\.\d{6} \(No solution\)", cells[3][2])


def test_csv_has_a_row_per_board_and_engine(boards: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "bad.txt", "-e", "dpll", "-e", "cdcl", "--format", "csv"]) == 2
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["board"], row["engine"], row["outcome"]) for row in rows] == [
        ("board.txt", "dpll", "solved"),
        ("board.txt", "cdcl", "solved"),
        ("bad.txt", "", "unreadable"),
    ]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "md"])
def test_an_output_file_leaves_standard_output_empty(form: str, boards: Path, capsys: Captured) -> None:
    run(["solve", "board.txt", "refuted.txt", "--format", form, "-o", "out"])
    assert capsys.readouterr() == ("", "out: 2 answers for 2 boards\n")
    assert "refuted" in (boards / "out").read_text(encoding="utf-8")


def test_quiet_leaves_errors_alone_on_standard_error(boards: Path, capsys: Captured) -> None:
    run(["solve", ".", "-e", "dpll", "-o", "out", "--quiet"])
    assert capsys.readouterr() == (
        "",
        "error: bad.txt:1:4: expected `_`, a clue 0-8, `T` or `G`, found 'x'\n",
    )


def test_workers_print_the_same_in_the_same_order(boards: Path, capsys: Captured) -> None:
    asked = ["solve", "board.txt", "bad.txt", "nine.txt", "more", "-e", "dpll", "-e", "pysat:minicard"]
    assert run(asked) == 2
    alone = capsys.readouterr()
    assert run([*asked, "--workers", "2"]) == 2
    together = capsys.readouterr()
    assert without_times(together.out) == without_times(alone.out)
    assert together.err == alone.err


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the program looks for its ancestors there")
def test_a_worker_that_dies_costs_one_answer(boards: Path, capsys: Captured) -> None:
    # Between the worker and the program are a supervisor and a guard.
    killer = boards / "killer"
    parent = "parent() { cut -d ' ' -f 4 /proc/$1/stat; }"
    killer.write_text(f"#!/bin/sh\n{parent}\nkill -9 $(parent $(parent $PPID))\n", encoding="utf-8")
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
    lost: int, code: int, outcomes: list[str], boards: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
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

    monkeypatch.setattr("gemhunter.work.workers.process_workers", breaking)
    asked = [
        "solve",
        "board.txt",
        "-e",
        "dpll",
        "-e",
        "pysat:minicard",
        "--workers",
        "2",
        "--format",
        "jsonl",
    ]
    assert run(asked) == code
    assert [json.loads(line)["outcome"] for line in capsys.readouterr().out.splitlines()] == outcomes


def test_limits_hold_in_workers(boards: Path, capsys: Captured) -> None:
    asked = ["solve", "board.txt", "more/one.txt", "-e", "backtracking:reading", "--step-limit", "1"]
    assert run([*asked, "--workers", "2", "--format", "jsonl"]) == 3
    reasons = [json.loads(line)["reason"] for line in capsys.readouterr().out.splitlines()]
    assert reasons == ["step limit reached"] * 2


@pytest.mark.parametrize("encoding", ["binomial", "seqcounter", "totalizer", "ladder"])
def test_an_encoding_gives_the_same_answer_by_other_clauses(
    encoding: str, boards: Path, capsys: Captured
) -> None:
    run(["cnf", "board.txt", "--encoding", encoding])
    header = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("p cnf"))
    assert run(["solve", "board.txt", "-e", "cdcl", "--encoding", encoding, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["grid"] == ["3, T, 2, G", "T, T, 2, G", "T, 3, 1, G"]
    assert header == f"p cnf {record['counters']['variables']} {record['counters']['clauses']}"


def test_an_encoding_alone_asks_an_engine_that_reads_clauses(boards: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "--encoding", "totalizer"]) == 0
    assert "[pysat:cadical153] solved" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ["auto", "resolution", "pysat:minicard"])
def test_an_engine_without_clauses_takes_no_encoding(engine: str, boards: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "-e", engine, "--encoding", "totalizer"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(
        f"error: {engine} reads no clauses, so it takes no --encoding; these do: dpll, cdcl"
    )


PAIRS = "_, 1, _, G, _, 1, _\n"
FIRST = ["G, 1, T, G, G, 1, T", "G, 1, T, G, T, 1, G"]


@pytest.fixture
def pairs(desk: Path) -> Path:
    """The current folder, with a board of four solutions, one of none, and one of 2^100."""
    (desk / "pairs.txt").write_text(PAIRS, encoding="utf-8")
    (desk / "none.txt").write_text("4, _\n_, _\n", encoding="utf-8")
    (desk / "empty.txt").write_text(str(Grid(np.full((10, 10), -1))), encoding="utf-8")
    return desk


class Interrupted(Solutions):
    """Somebody presses Ctrl-C while the third solution is looked for."""

    def __next__(self) -> Grid:
        if self.found == 2:
            raise KeyboardInterrupt
        return super().__next__()


def test_solutions_are_numbered_and_their_end_is_said_aside(pairs: Path, capsys: Captured) -> None:
    assert run(["solve", "pairs.txt", "--all", "--limit", "2"]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"solution 1\n{FIRST[0]}\n\nsolution 2\n{FIRST[1]}\n\n"
    assert printed.err == "2 solutions: as many as requested\n"


def test_without_a_limit_all_are_printed(pairs: Path, capsys: Captured) -> None:
    assert run(["solve", "pairs.txt", "--all"]) == 0
    printed = capsys.readouterr()
    assert (printed.out.count("solution "), printed.err) == (4, "4 solutions: these are all\n")


def test_jsonl_has_an_object_per_solution_and_json_a_list(pairs: Path, capsys: Captured) -> None:
    expected = [{"board": "pairs.txt", "solution": at, "grid": [row]} for at, row in enumerate(FIRST, 1)]
    assert run(["solve", "pairs.txt", "--all", "--limit", "2", "--format", "jsonl"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == expected
    assert run(["solve", "pairs.txt", "--all", "--limit", "2", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == expected


def test_all_solutions_have_the_total(pairs: Path, capsys: Captured) -> None:
    assert run(["solve", "empty.txt", "--all", "--traps", "1", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 100


def test_a_board_without_any_solution_returns_1(pairs: Path, capsys: Captured) -> None:
    assert run(["solve", "none.txt", "--all"]) == 1
    assert capsys.readouterr().out.startswith("no solution: the clue 4 at r1c1 cannot hold")
    assert run(["solve", "none.txt", "--all", "--format", "json"]) == 1
    assert capsys.readouterr().out == "[]\n"


def test_a_limit_of_steps_returns_3_after_what_was_found(pairs: Path, capsys: Captured) -> None:
    assert run(["solve", "empty.txt", "--all", "--traps", "50", "--step-limit", "400"]) == 3
    printed = capsys.readouterr()
    assert printed.out.startswith("solution 1\n")
    assert printed.err.endswith("solutions, then gave up: step limit reached\n")


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_keeps_what_was_printed(
    form: str, pairs: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "gemhunter.questions.solutions.solutions", lambda grid, *, run, **how: Interrupted(run, grid, **how)
    )
    assert run(["solve", "pairs.txt", "--all", "--format", form, "-o", "kept"]) == 130
    printed = capsys.readouterr()
    assert (printed.out, printed.err.split("\n")[0]) == ("", "kept: 2 solutions")
    kept = (pairs / "kept").read_text(encoding="utf-8")
    assert all(row in kept for row in FIRST)
    assert form == "text" or len(json.loads(kept)) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pairs.txt", "--limit", "2"], "--limit needs --all"),
        (["pairs.txt", "none.txt", "--all"], "--all takes one board"),
        ([".", "--all"], "--all takes one board"),
        (["pairs.txt", "--all", "--format", "sat"], "--all prints text, json or jsonl, not sat"),
        (["pairs.txt", "--all", "-e", "cdcl"], "--all takes no --engine"),
        (["pairs.txt", "--all", "--memory-limit", "1GB"], "--all takes no --memory-limit"),
        (["pairs.txt", "--all", "-o", "p.drat"], "--all writes .txt, .json or .jsonl, not p.drat"),
        (["pairs.txt", "--all", "--seed", "1"], "--all takes no --seed"),
        (["pairs.txt", "--all", "--workers", "2"], "--all takes no --workers"),
        (["pairs.txt", "--all", "--encoding", "ladder"], "--all takes no --encoding"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    arguments: list[str], message: str, pairs: Path, capsys: Captured
) -> None:
    assert run(["solve", *arguments]) == 2
    assert capsys.readouterr().err == f"error: {message} (see: gemhunter solve --help)\n"
