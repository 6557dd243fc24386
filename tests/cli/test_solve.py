"""`gemhunter solve`, as a user would run it."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.cli.notes import TerminatedError, listen
from places import HARD

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"
REFUTED = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1\n"
HARD_BOARD = HARD / "02_altsum_41x41_unsat.txt"

Captured = pytest.CaptureFixture[str]


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


def test_standard_input_is_a_board(desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BOARD.encode())))
    assert run(["solve", "-"]) == 0
    assert ANSWER in capsys.readouterr().out


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
        (
            ["solve", "board.txt", "board.txt", "--format", "sat"],
            "--format sat takes one board and one engine",
        ),
        (["solve", "empty"], "no boards in empty"),
        (["solve"], "missing argument"),
        (["solve", "board.txt", "--tarps", "3"], "did you mean '--traps'"),
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
    assert run(["solve", "board.txt", option, "99999999999999999999", "-e", "pysat:g4"]) == expected


def test_what_a_stuck_engine_knows_is_printed_and_graded_as_no_answer(desk: Path, capsys: Captured) -> None:
    (desk / "choice.txt").write_text("0, _, _, 1, _\n", encoding="utf-8")
    assert run(["solve", "choice.txt", "-e", "resolution"]) == 3
    assert capsys.readouterr().out.endswith("(1 of 3 cells decided)\n0, G, _, 1, _\n\n")
    assert run(["solve", "choice.txt", "-e", "resolution", "-o", "out.txt"]) == 3
    assert capsys.readouterr() == ("", "out.txt: 1 answer about 1 board\n")
    assert run(["check", "choice.txt", "out.txt"]) == 1
    assert capsys.readouterr().out == "out.txt [resolution]: no answer\n"


def test_json_has_what_a_stuck_engine_knows(desk: Path, capsys: Captured) -> None:
    (desk / "choice.txt").write_text("0, _, _, 1, _\n", encoding="utf-8")
    run(["solve", "choice.txt", "-e", "resolution", "--format", "json"])
    result = json.loads(capsys.readouterr().out)
    assert (result["outcome"], result["grid"], result["partial"]) == ("gave-up", None, ["0, G, _, 1, _"])


@pytest.mark.parametrize(("stop", "code"), [(KeyboardInterrupt(), 130), (TerminatedError(), 143)])
def test_a_stop_that_somebody_swallowed_still_stops(
    stop: KeyboardInterrupt,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    board = tmp_path / "board.txt"
    board.write_text("_, 1, _", encoding="utf-8")
    monkeypatch.setattr("gemhunter.cli.notes._SWALLOWED", [stop])
    assert run(["solve", str(board)]) == code
    assert capsys.readouterr().err.endswith("stopped\n")


def test_what_stumbles_over_a_swallowed_stop_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stumble(**_: object) -> int:
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr("gemhunter.cli.main.gemhunter.main", stumble)
    assert run(["solve"]) == 4
    assert "internal error: RuntimeError: no compiled object yet" in capsys.readouterr().err
    monkeypatch.setattr("gemhunter.cli.notes._SWALLOWED", [KeyboardInterrupt()])
    assert run(["solve"]) == 130
    assert capsys.readouterr().err == "stopped\n"


def test_nobody_is_told_that_a_stop_was_swallowed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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
