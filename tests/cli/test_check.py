"""`gemhunter check`, as a teacher would run it."""

import csv
import json
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.files.answers import cases as class_folder
from places import HARD

RIGHT = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"
SECTIONS = f"""=== PySAT ===
{RIGHT}
Brute force:
No solution found

DPLL: limit reached
"""

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board and a right answer."""
    (desk / "board.txt").write_text("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n", encoding="utf-8")
    (desk / "right.txt").write_text(RIGHT, encoding="utf-8")
    return desk


def check(desk: Path, answer: str, *options: str) -> int:
    (desk / "answer.txt").write_text(answer, encoding="utf-8")
    return run(["check", "board.txt", "answer.txt", *options])


def test_a_right_answer_returns_0(desk: Path, capsys: Captured) -> None:
    assert check(desk, RIGHT) == 0
    assert capsys.readouterr().out == "answer.txt: right\n"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("3, T\nT, T\n", "the board is 3×4, the answer 2×2"),
        (RIGHT.replace("1", "2"), "r3c3 shows 1 on the board, but 2 in the answer"),
        (RIGHT.replace("T", "_", 1), "r1c2 must be T or G in the answer, not _"),
        (RIGHT.replace("G", "T", 1), "r1c3 says 2, but touches 3 traps"),
    ],
)
def test_a_wrong_answer_returns_1_and_names_the_cell(
    desk: Path, capsys: Captured, answer: str, reason: str
) -> None:
    assert check(desk, answer) == 1
    assert f"  {reason}\n" in capsys.readouterr().out


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    ("answer", "mark"), [(RIGHT, "right"), ("DPLL\r\nVô nghiệm\r\n", "wrong"), ("此題無解。\r\n", "wrong")]
)
def test_utf_16_without_a_byte_order_mark_is_read(
    desk: Path, capsys: Captured, answer: str, mark: str, encoding: str
) -> None:
    (desk / "answer.txt").write_bytes(answer.encode(encoding))
    run(["check", "board.txt", "answer.txt", "--format", "json"])
    assert [each["mark"] for each in json.loads(capsys.readouterr().out)] == [mark]


def test_every_section_is_graded_and_no_solution_is_verified(desk: Path, capsys: Captured) -> None:
    assert check(desk, SECTIONS) == 1
    assert capsys.readouterr().out.splitlines() == [
        "answer.txt [PySAT]: right",
        "answer.txt [Brute force]: wrong",
        "  the board has a solution",
        "answer.txt [DPLL]: no answer",
    ]


def test_no_solution_is_right_where_there_is_none(desk: Path, capsys: Captured) -> None:
    (desk / "board.txt").write_text("4, _\n_, _\n", encoding="utf-8")
    assert check(desk, "PySAT\nno solution\n") == 0


def test_a_claim_that_cannot_be_verified_in_time_returns_3(desk: Path, capsys: Captured) -> None:
    hard = HARD / "02_altsum_41x41_unsat.txt"
    (desk / "answer.txt").write_text("no solution", encoding="utf-8")
    assert run(["check", str(hard), "answer.txt", "--time-limit", "0.000001"]) == 3
    assert "could not be verified: time limit reached" in capsys.readouterr().out


def test_the_total_is_graded_too(desk: Path, capsys: Captured) -> None:
    assert check(desk, RIGHT, "--traps", "5") == 1
    assert "the number of traps must be 5, the answer has 4" in capsys.readouterr().out


@pytest.mark.parametrize("answer", ["[]", "hello\n", "3, T, 2, G\nT, X, 2, G\nT, 3, 1, G\n"])
def test_an_unreadable_answer_returns_2(desk: Path, capsys: Captured, answer: str) -> None:
    assert check(desk, answer) == 2
    assert "unreadable" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "nothing is written here"),
        ("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n", "the board stands here as it was given, not filled in"),
    ],
)
def test_a_file_without_an_answer_returns_1_and_says_why(
    desk: Path, capsys: Captured, answer: str, reason: str
) -> None:
    assert check(desk, answer) == 1
    assert capsys.readouterr().out == f"answer.txt: no answer\n  {reason}\n"


def test_an_answer_that_only_gives_up_is_not_all_right(desk: Path, capsys: Captured) -> None:
    assert check(desk, "DPLL: limit reached\n") == 1


def test_what_solve_writes_is_right(desk: Path, capsys: Captured) -> None:
    for form in ("text", "json"):
        run(["solve", "board.txt", "-e", "pysat:g4", "-e", "pysat:mc", "--format", form, "-o", "answer.txt"])
        assert run(["check", "board.txt", "answer.txt"]) == 0


def test_a_folder_of_submissions_gives_a_table_and_csv(desk: Path, capsys: Captured) -> None:
    (desk / "class" / "ann").mkdir(parents=True)
    (desk / "class" / "ann" / "out.txt").write_text(RIGHT, encoding="utf-8")
    (desk / "class" / "bob.txt").write_text(RIGHT.replace("G", "T", 1), encoding="utf-8")
    assert run(["check", "board.txt", "class", "--csv", "marks.csv"]) == 1
    with (desk / "marks.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["submission"], row["mark"], row["reasons"]) for row in rows] == [
        ("class/ann/out.txt", "right", "0"),
        ("class/bob.txt", "wrong", "2"),
    ]
    assert "class/bob.txt" in capsys.readouterr().out


def test_json_lists_every_reason(desk: Path, capsys: Captured) -> None:
    check(desk, RIGHT.replace("G", "T", 1), "--format", "json")
    [graded] = json.loads(capsys.readouterr().out)
    assert graded["mark"] == "wrong"
    assert len(graded["reasons"]) == 2


def test_a_folder_of_everything_is_refused_at_once(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(class_folder, "MOST_FILES", 3)
    (desk / "disk" / "below").mkdir(parents=True)
    for number in range(4):
        (desk / "disk" / "below" / f"{number}.txt").touch()
    assert run(["check", "sample:3x4", "disk"]) == 2
    assert "disk holds more than 3 files; name the folder of submissions" in capsys.readouterr().err
