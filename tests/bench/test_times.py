"""S2's table of times from measurements: its layout, its words, and the commands that write it."""

import re
from pathlib import Path

import pytest
from msgspec import convert, structs

from gemhunter.bench.ledger import BoardFacts, facts_of
from gemhunter.bench.result_times import case_names, result_times_text
from gemhunter.bench.runs import Measurement, Verdict
from gemhunter.bench.suites import load_suite
from gemhunter.bench.tables import Average, board_columns, measured_cases
from gemhunter.cli.main import run
from made_measurements import refuted, solved, stopped, timed, untimed

Captured = pytest.CaptureFixture[str]

S2_BOARDS = [facts_of(board) for board in load_suite("s2").boards]


def after(seconds: float, reason: str, board: str, engine: str) -> Measurement:
    """A run that gave up after some time."""
    return structs.replace(timed(board, engine, seconds, Verdict.GAVE_UP), reason=reason)


def table(
    boards: list[BoardFacts], measurements: list[Measurement], average: Average = Average.MEDIAN
) -> list[list[str]]:
    engines = list(dict.fromkeys(each.task.engine for each in measurements))
    text = result_times_text(engines, measured_cases(boards, measurements, average))
    return [re.split(r" {2,}", line) for line in text.splitlines()]


def test_the_layout_and_the_words_are_those_of_s2() -> None:
    names = ("testcase_0", "testcase_3")
    boards = [board for board in S2_BOARDS if board.name in names]
    runs = [
        *solved("testcase_0", "brute-force", 0.000272),
        *solved("testcase_0", "dpll", 0.00009),
        after(7.615532, "attempt limit", "testcase_3", "brute-force"),
        *solved("testcase_3", "dpll", 0.002905),
    ]
    assert table(boards, runs) == [
        ["Testcase", "Size", "brute-force (s)", "dpll (s)"],
        ["0", "3x4", "0.000272", "0.000090"],
        ["3", "11x11", "7.615532 (Exceeded max attempts)", "0.002905"],
    ]


@pytest.mark.parametrize(
    ("runs", "shown"),
    [
        (refuted("testcase_1", "e", 0.5, 0.7, 0.6), "0.600000 (No solution)"),
        (stopped("testcase_1", "e", "time limit"), "Exceed time"),
        ([after(2.5, "time limit", "testcase_1", "e")], "2.500000 (Exceed time)"),
        ([after(2.5, "step limit", "testcase_1", "e")], "2.500000 (Exceeded max attempts)"),
        (stopped("testcase_1", "e", "memory"), "Exceeded memory"),
        (stopped("testcase_1", "e", "stuck"), "Stuck"),
        (stopped("testcase_1", "e", "did not start"), "Gave up"),
        ([untimed("testcase_1", "e", Verdict.CRASHED, "ended by SIGKILL")], "Failed"),
        ([untimed("testcase_1", "e", Verdict.WRONG, "r1c1")], "Wrong answer"),
        (
            [*solved("testcase_1", "e", 0.1, 0.3), *stopped("testcase_1", "e", "time limit")],
            "0.300000 (Exceed time: 1 of 3 runs)",
        ),
        (
            [*solved("testcase_1", "e", 0.1), *(after(s, "time limit", "testcase_1", "e") for s in (2, 4))],
            "3.000000 (Exceed time: 2 of 3 runs)",
        ),
    ],
)
def test_what_else_happened_stands_beside_the_time(runs: list[Measurement], shown: str) -> None:
    assert table(S2_BOARDS[1:2], runs)[1] == ["1", "5x5", shown]


def test_the_average_can_be_the_mean() -> None:
    runs = solved("testcase_1", "e", 0.1, 0.2, 0.6)
    assert table(S2_BOARDS[1:2], runs, Average.MEAN)[1][2] == "0.300000"


def test_a_board_that_an_engine_has_not_run_on_has_an_empty_place() -> None:
    runs = [*solved("testcase_1", "a", 0.1), *solved("testcase_2", "b", 0.2)]
    assert [row[-1] for row in table(S2_BOARDS[1:3], runs)[1:]] == ["0.100000", "0.200000"]


@pytest.mark.parametrize(
    ("boards", "names"),
    [
        (["testcase_0", "testcase_10"], ["0", "10"]),
        (["Test_Case3", "case-4", "input_5"], ["3", "4", "5"]),
        (["board-11x11", "66x66"], ["board-11x11", "66x66"]),
        (["testcase_1", "input_1"], ["testcase_1", "input_1"]),
        (["s2/testcase_0", "mine/testcase_0"], ["s2/testcase_0", "mine/testcase_0"]),
    ],
)
def test_a_test_case_has_its_number_and_any_other_board_its_name(boards: list[str], names: list[str]) -> None:
    assert case_names(boards) == names


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two test cases beside the ledger of a comparison on them."""
    monkeypatch.chdir(tmp_path)
    for number, text in ((1, "_, 1, _\n"), (2, "_, 3, _\n0, _, _\n")):
        folder = tmp_path / "cases" / f"testcase_{number}"
        folder.mkdir(parents=True)
        (folder / f"input_{number}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def test_bench_writes_the_table_and_writes_it_again_from_a_ledger(cases: Path, capsys: Captured) -> None:
    words = ["-e", "pysat", "--runs", "1", "-o", "bench.jsonl", "-o", "result_times.txt"]
    assert run(["bench", "cases", *words]) == 0
    assert capsys.readouterr().err == "result_times.txt: the times\n"
    table = (cases / "result_times.txt").read_text(encoding="utf-8")
    assert re.sub(r"\d\.\d{6}", "N", table) == (
        "Testcase  Size  pysat (s)\n1         1x3   N\n2         2x3   N (No solution)\n"
    )
    assert run(["bench", "show", "bench.jsonl", "-o", "again.txt"]) == 0
    assert (cases / "again.txt").read_text(encoding="utf-8") == table


def test_the_table_of_two_ledgers_is_refused(cases: Path, capsys: Captured) -> None:
    assert run(["bench", "cases", "-e", "pysat", "--runs", "1", "-o", "bench.jsonl"]) == 0
    capsys.readouterr()
    assert run(["bench", "show", "bench.jsonl", "bench.jsonl", "-o", "times.txt"]) == 2
    assert "-o FILE.txt takes one ledger" in capsys.readouterr().err
    assert not (cases / "times.txt").exists()


def test_the_boards_of_s4_are_listed_with_s4_s_numbers_of_clauses() -> None:
    boards = [facts_of(board) for board in load_suite("s4").boards]
    columns = board_columns(boards, ["genetic", "brute-force:clauses"], in_file=False)
    assert list(columns["clauses (S4)"].values()) == ["20", "81", "114", "144", "197"]
    assert list(columns["clauses"].values()) == ["14", "72", "106", "117", "182"]
    assert "clauses (S4)" not in board_columns(boards, ["genetic"], in_file=False)


def test_a_ledger_that_does_not_say_how_many_clauses_there_are_can_be_read() -> None:
    board = {
        "name": "a",
        "rows": 3,
        "cols": 4,
        "unknown": 7,
        "clues": 5,
        "traps": None,
        "note": "",
        "digest": "",
    }
    facts = convert(board, BoardFacts)
    assert (facts.clauses, facts.s4_clauses) == (None, None)
    assert board_columns([facts], [], in_file=False)["clauses"] == {"a": ""}
