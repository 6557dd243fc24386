"""`gemhunter check`, as a teacher would run it: one board, and a class."""

import csv
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from gemhunter.cli.main import run
from gemhunter.files.text import parse_grid
from gemhunter.grading import cases as class_folder
from gemhunter.grading import verdicts as grade
from gemhunter.grading.lines import Claim
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Report
from made_report import PageReader
from places import HARD
from text_files import put

Captured = pytest.CaptureFixture[str]

ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"

SECTIONS = f"""=== PySAT ===
{ANSWER}
Brute force:
No solution found

DPLL: limit reached
"""


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board and a right answer."""
    (desk / "board.txt").write_text("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n", encoding="utf-8")
    (desk / "right.txt").write_text(ANSWER, encoding="utf-8")
    return desk


def check(desk: Path, answer: str, *options: str) -> int:
    (desk / "answer.txt").write_text(answer, encoding="utf-8")
    return run(["check", "board.txt", "answer.txt", *options])


def test_a_right_answer_returns_0(desk: Path, capsys: Captured) -> None:
    assert check(desk, ANSWER) == 0
    assert capsys.readouterr().out == "answer.txt: right\n"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("3, T\nT, T\n", "the board is 3×4, the answer 2×2"),
        (ANSWER.replace("1", "2"), "r3c3 shows 1 on the board, but 2 in the answer"),
        (ANSWER.replace("T", "_", 1), "r1c2 must be T or G in the answer, not _"),
        (ANSWER.replace("G", "T", 1), "r1c3 says 2, but touches 3 traps"),
    ],
)
def test_a_wrong_answer_returns_1_and_names_the_cell(
    desk: Path, capsys: Captured, answer: str, reason: str
) -> None:
    assert check(desk, answer) == 1
    assert f"  {reason}\n" in capsys.readouterr().out


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    ("answer", "mark"), [(ANSWER, "right"), ("DPLL\r\nVô nghiệm\r\n", "wrong"), ("此題無解。\r\n", "wrong")]
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
    assert check(desk, ANSWER, "--traps", "5") == 1
    assert "the number of traps must be 5, the answer has 4" in capsys.readouterr().out


@pytest.mark.parametrize("answer", ["[]", "hello\n", "3, T, 2, G\nT, X, 2, G\nT, 3, 1, G\n"])
def test_an_unreadable_answer_returns_2(desk: Path, capsys: Captured, answer: str) -> None:
    assert check(desk, answer) == 2
    assert "unreadable" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "the answer is empty"),
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
    (desk / "class" / "ann" / "out.txt").write_text(ANSWER, encoding="utf-8")
    (desk / "class" / "bob.txt").write_text(ANSWER.replace("G", "T", 1), encoding="utf-8")
    assert run(["check", "board.txt", "class", "-o", "marks.csv"]) == 1
    with (desk / "marks.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["submission"], row["mark"], row["reasons"]) for row in rows] == [
        ("class/ann/out.txt", "right", "0"),
        ("class/bob.txt", "wrong", "2"),
    ]
    assert "class/bob.txt" in capsys.readouterr().out


@pytest.mark.parametrize("answers", ["answer.txt", "class"])
@pytest.mark.parametrize("file", ["marks.json", "marks.csv", "marks"])
def test_the_verdicts_are_printed_whatever_file_is_written(
    file: str, answers: str, desk: Path, capsys: Captured
) -> None:
    (desk / "class").mkdir()
    for name in ("answer.txt", "class/ann.txt"):
        (desk / name).write_text(ANSWER, encoding="utf-8")
    assert run(["check", "board.txt", answers]) == 0
    printed = capsys.readouterr().out
    assert run(["check", "board.txt", answers, "-o", file]) == 0
    assert capsys.readouterr().out == printed
    assert "right" in (desk / file).read_text("utf-8")


def test_json_lists_every_reason(desk: Path, capsys: Captured) -> None:
    check(desk, ANSWER.replace("G", "T", 1), "--format", "json")
    [graded] = json.loads(capsys.readouterr().out)
    assert graded["mark"] == "wrong"
    assert len(graded["reasons"]) == 2


def test_a_folder_of_everything_is_refused_at_once(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(class_folder, "FILE_LIMIT", 3)
    (desk / "disk" / "below").mkdir(parents=True)
    for number in range(4):
        (desk / "disk" / "below" / f"{number}.txt").touch()
    assert run(["check", "sample:3x4", "disk"]) == 2
    assert "disk holds more than 3 files; name the folder of submissions" in capsys.readouterr().err


BOARDS = {1: "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n", 2: "_, 1\n_, _\n_, 1\n", 3: "4, _\n_, _\n"}
RIGHT = {1: "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n", 2: "G, 1\nT, G\nG, 1\n", 3: "No solution\n"}
WRONG = {1: RIGHT[1].replace("G", "T", 1), 2: "T, 1\nT, G\nG, 1\n", 3: "4, T\nT, T\n"}


@pytest.fixture
def tests(desk: Path) -> Path:
    """The current folder, with three test cases; the last has no solution."""
    for number, board in BOARDS.items():
        put(desk / "tests" / f"testcase_{number}" / f"input_{number}.txt", board)
    return desk


def marks(capsys: Captured, *options: str) -> dict[str, list[str]]:
    """The marks of each student."""
    capsys.readouterr()
    run(["check", "tests", "class", "--format", "json", *options])
    return {each["student"]: each["marks"] for each in json.loads(capsys.readouterr().out)["students"]}


def all_right(names: dict[int, str], folder: Path) -> None:
    for number, name in names.items():
        put(folder / name, RIGHT[number])


@pytest.mark.parametrize(
    "pattern",
    [
        "ann/testcase_{}/output_{}.txt",
        "ann/testcase_{}/out.txt",
        "ann/output_{}.txt",
        "ann/{}.txt",
        "ann/Test Case {}.txt",
        "ann/results/output-0{}.out",
        "ann_{}.txt",
        "ann-output{}.txt",
        "testcase_{}/ann.txt",
    ],
)
def test_answers_are_matched_by_names_and_numbers(pattern: str, tests: Path, capsys: Captured) -> None:
    for number, answer in RIGHT.items():
        put(tests / "class" / pattern.format(number, number), answer)
    assert marks(capsys) == {"ann": ["right", "right", "right"]}


@pytest.mark.parametrize(
    "heading", ["Testcase {}", "=== Test {} ===", "Board #{}:", "input_{}.txt", "Case: {}"]
)
def test_a_file_per_student_is_matched_by_its_headings(heading: str, tests: Path, capsys: Captured) -> None:
    parts = (f"{heading.format(number)}\nPySAT:\n{answer}\n" for number, answer in RIGHT.items())
    put(tests / "class" / "20127001.txt", "\n".join(parts))
    assert marks(capsys) == {"20127001": ["right", "right", "right"]}


def test_a_claim_in_the_line_of_its_heading_is_matched(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "bob.txt", f"Test 1:\n{RIGHT[1]}\nTest 3: no solution\n")
    assert marks(capsys) == {"bob": ["right", "missing", "right"]}


def test_grids_without_any_name_are_matched_by_clues_and_size(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "bob.txt", f"{RIGHT[1]}\n\n{WRONG[2]}\n")
    assert marks(capsys) == {"bob": ["right", "wrong", "missing"]}


SIX = BOARDS | {4: "1, _, _\n_, _, 1\n", 5: "_, 8, _\n_, _, _\n", 6: "1, _, 1, 0\n_, _, _, 0\n"}
SIX_RIGHT = RIGHT | {4: "1, T, G\nG, G, 1\n", 5: "Vô nghiệm\n", 6: "1, T, 1, 0\nG, G, G, 0\n"}


@pytest.fixture
def six(tests: Path) -> Path:
    """The current folder, with six test cases; two have no solution."""
    for number, board in SIX.items():
        put(tests / "tests" / f"testcase_{number}" / f"input_{number}.txt", board)
    return tests


@pytest.mark.parametrize("between", ["\n", "", "-----\n", "\n\n\n"])
def test_six_answers_without_headings_are_told_apart_by_clues_and_order(
    between: str, six: Path, capsys: Captured
) -> None:
    put(six / "class" / "bob.txt", between.join(SIX_RIGHT.values()))
    assert marks(capsys) == {"bob": ["right"] * 6}


def test_a_claim_below_its_board_needs_no_heading(six: Path, capsys: Captured) -> None:
    parts = (f"{SIX[number]}\n{SIX_RIGHT[number]}" for number in (5, 1, 3, 2))
    put(six / "class" / "bob.txt", "\n".join(parts))
    assert marks(capsys) == {"bob": ["right", "right", "right", "missing", "right", "missing"]}


def test_claims_about_unknown_test_cases_are_unreadable_and_all_counted(six: Path, capsys: Captured) -> None:
    put(six / "class" / "bob.txt", "\n".join(SIX_RIGHT[number] for number in (1, 2, 3, 5, 6)))
    assert run(["check", "tests", "class", "-o", "report.html"]) == 2
    printed = capsys.readouterr().out
    assert "bob      right       right       unreadable  unreadable  unreadable  right       3/6" in printed
    assert "3 right, 3 unreadable; 2 answers to none of the test cases" in printed
    assert printed.count("it is not clear which test case `no solution` answers") == 2
    page = (six / "report.html").read_text(encoding="utf-8")
    assert "Nothing was handed in" not in page
    assert page.count("No answer clearly belongs to this test case; see below.") == 3


def test_text_under_the_heading_of_no_test_case_belongs_to_none(six: Path, capsys: Captured) -> None:
    put(
        six / "class" / "bob.txt",
        f"Unsolvable\nTestcase 1\n{RIGHT[1]}Testcase 9\nNo solution\nTestcase 3 - no solution\n"
        "There is no solution for testcase 5\n\nTimes\nTestcase 1: 0.5 s\nTestcase 3: 0.1 s\n",
    )
    found = ["right", "unreadable", "right", "unreadable", "right", "unreadable"]
    assert marks(capsys) == {"bob": found}
    run(["check", "tests", "class", "--format", "json"])
    answers = json.loads(capsys.readouterr().out)["students"][0]["answers"]
    assert [each["case"] for each in answers].count(None) == 2


def test_answers_by_name_in_json_are_matched(six: Path, capsys: Captured) -> None:
    rows = [row.split(", ") for row in RIGHT[1].splitlines()]
    put(six / "class" / "bob.json", json.dumps({"testcase_1": rows, "testcase_3": "No solution"}))
    assert marks(capsys) == {"bob": ["right", "missing", "right", "missing", "missing", "missing"]}


def test_files_that_have_changed_places_get_their_points_and_a_note(tests: Path, capsys: Captured) -> None:
    for number, other in ((1, 2), (2, 1), (3, 3)):
        put(tests / "class" / "ann" / f"output_{number}.txt", RIGHT[other])
    assert run(["check", "tests", "class", "-o", "report.html", "--violations", "violations.csv"]) == 0
    note = "graded as an answer to testcase_2, though its file is named after testcase_1"
    assert f"ann      testcase_2  ann/output_1.txt  right  {note}" in capsys.readouterr().out
    for name in ("report.html", "violations.csv"):
        assert note in (tests / name).read_text(encoding="utf-8")
    assert marks(capsys) == {"ann": ["right"] * 3}
    run(["check", "tests", "class", "--format", "json"])
    answers = json.loads(capsys.readouterr().out)["students"][0]["answers"]
    assert [each["note"] is None for each in answers] == [False, False, True]


def test_a_claim_in_a_file_that_may_have_changed_places_is_left_to_a_person(
    tests: Path, capsys: Captured
) -> None:
    put(tests / "class" / "ann" / "output_1.txt", RIGHT[3])
    put(tests / "class" / "ann" / "output_3.txt", RIGHT[1])
    put(tests / "class" / "bob" / "output_2.txt", "Testcase 1: no solution")
    assert marks(capsys) == {"ann": ["right", "unreadable", "unreadable"], "bob": ["unreadable"] * 3}


def test_empty_files_and_unfilled_boards_are_no_answers(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann" / "output_1.txt", "")
    put(tests / "class" / "ann" / "output_2.txt", BOARDS[2])
    put(tests / "class" / "ann" / "notes.txt", "I ran it twice.\n")
    put(tests / "class" / "bob.txt", "\n")
    put(tests / "class" / "carl.txt", f"{BOARDS[1]}\n{BOARDS[2]}")
    assert marks(capsys) == {
        "ann": ["no answer", "no answer", "missing"],
        "bob": ["no answer"] * 3,
        "carl": ["no answer", "no answer", "missing"],
    }
    assert run(["check", "tests", "class", "-o", "report.html"]) == 1
    printed = capsys.readouterr()
    assert "skipped 1 file that is not an answer" in printed.err
    assert "testcase_1  ann/output_1.txt  no answer  the answer is empty" in printed.out
    page = (tests / "report.html").read_text(encoding="utf-8")
    assert "No answer was found in <code>ann/notes.txt</code>." in page


def test_clues_are_believed_more_than_a_number_that_is_off_by_one(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann" / "output_0.txt", RIGHT[1])
    put(tests / "class" / "ann" / "output_1.txt", RIGHT[2])
    assert marks(capsys) == {"ann": ["right", "right", "missing"]}


def test_a_claim_about_no_test_case_is_not_counted_against_any(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "bob.txt", "No solution\n")
    assert run(["check", "tests", "class"]) == 2
    assert "1 answer to none of the test cases" in capsys.readouterr().out


def test_both_layouts_can_be_mixed_and_other_files_are_skipped(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann" / "output_1.txt", RIGHT[1])
    put(tests / "class" / "ann" / "main.py", "print(1)")
    put(tests / "class" / "ann" / "input_1.txt", BOARDS[1])
    put(tests / "class" / "ann" / "README.md", "T G")
    put(tests / "class" / "bob.txt", f"testcase_2\n{WRONG[2]}")
    (tests / "class" / "carl").mkdir()
    assert run(["check", "tests", "class"]) == 1
    printed = capsys.readouterr()
    assert [re.split(r" {2,}", line) for line in printed.out.splitlines()] == [
        ["student", "testcase_1", "testcase_2", "testcase_3", "points"],
        ["ann", "right", "missing", "missing", "1/3"],
        ["bob", "missing", "wrong", "missing", "0/3"],
        ["carl", "missing", "missing", "missing", "0/3"],
        [""],
        ["student", "test case", "file", "mark", "reason"],
        ["bob", "testcase_2", "bob.txt", "wrong", "r1c2 says 1, but touches 2 traps"],
        [""],
        ["3 students, 3 test cases: 1 right, 1 wrong, 7 missing; 0.33 of 3 points on average"],
    ]
    assert "skipped 3 files that are not answers" in printed.err


def test_the_folder_of_one_student_is_a_class_of_one(tests: Path, capsys: Captured) -> None:
    all_right({1: "output_1.txt", 2: "output_2.txt", 3: "output_3.txt"}, tests / "class")
    assert marks(capsys) == {"class": ["right", "right", "right"]}


def test_points_are_the_share_of_right_answers(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann" / "output_1.txt", f"DPLL\n{RIGHT[1]}\nBrute force: timeout\n")
    put(tests / "class" / "ann" / "output_2.txt", f"DPLL\n{RIGHT[2]}\nCDCL\n{WRONG[2]}\nPySAT\n{WRONG[2]}\n")
    run(["check", "tests", "class", "-o", "marks.csv"])
    with (tests / "marks.csv").open(encoding="utf-8") as stream:
        [row] = csv.DictReader(stream)
    assert [row[name] for name in ("testcase_1", "testcase_2", "testcase_3", "points", "of")] == [
        *("1", "0.33", "0", "1.33", "3")
    ]
    assert "wrong (0.33)" in capsys.readouterr().out


def test_every_violation_has_a_row_with_its_cell(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann" / "output_1.txt", f"DPLL\n{WRONG[1]}")
    put(tests / "class" / "bob" / "output_1.txt", "hello\n")
    run(["check", "tests", "class", "--violations", "violations.csv"])
    with (tests / "violations.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["student"], row["test case"], row["section"], row["mark"], row["cell"]) for row in rows] == [
        ("ann", "testcase_1", "DPLL", "wrong", "r1c3"),
        ("ann", "testcase_1", "DPLL", "wrong", "r2c3"),
        ("bob", "testcase_1", "", "unreadable", ""),
    ]


def test_a_claim_about_one_board_is_verified_once_for_the_whole_class(
    tests: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def count(*arguments: Any, **named: Any) -> Report:
        asked.append(arguments[0])
        return solve(*arguments, **named)

    monkeypatch.setattr(grade, "solve", count)
    for student in ("ann", "bob", "carl"):
        put(tests / "class" / student / "output_3.txt", "DPLL\nNo solution\nCDCL\nUnsatisfiable\n")
    assert marks(capsys) == {student: ["missing", "missing", "right"] for student in ("ann", "bob", "carl")}
    assert len(asked) == 1


def test_claims_about_all_boards_share_the_time_for_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def count(*arguments: Any, time_limit: float, **named: Any) -> Report:
        limits.append(time_limit)
        return solve(*arguments, **named)

    monkeypatch.setattr(grade, "solve", count)
    seconds = iter([0.0, 4.0, 10.0, 13.0])
    budget = grade.ClaimBudget(6.0, clock=lambda: next(seconds))
    boards = [parse_grid(f"{clue} _\n_ _\n") for clue in (1, 2, 3)]
    graders = [grade.Grader(board, time_limit=5.0, budget=budget) for board in boards]
    verdicts = [grader.grade(Claim.NO_SOLUTION) for grader in graders]
    assert [verdict.mark for verdict in verdicts] == ["wrong", "wrong", "unverified"]
    assert limits == [5.0, 2.0]
    assert "the time for all claims is used up" in verdicts[-1].reasons[0]


def test_the_report_needs_nothing_else_and_escapes_names(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "a&b" / "output_1.txt", f"<DPLL & co>\n{WRONG[1]}")
    put(tests / "class" / "bob" / "output_1.txt", RIGHT[1])
    run(["check", "tests", "class", "-o", "report.html"])
    text = (tests / "report.html").read_text(encoding="utf-8")
    page = PageReader(text)
    assert (page.open, page.faults) == ([], [])
    assert set(page.references) <= set(page.ids)  # every link leads to a place on the page
    assert not {"script", "img", "link"} & set(page.tags)
    assert "@import" not in text
    assert "url(" not in text
    assert "r1c3 says 2, but touches 3 traps" in page.texts
    assert "DPLL & co" in "".join(page.texts)
    assert text.count('class="named"') == 2


def test_a_student_s_page_says_nothing_about_others(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann" / "output_1.txt", WRONG[1])
    put(tests / "class" / "bob" / "output_1.txt", RIGHT[1])
    run(["check", "tests", "class", "-o", "report.html"])
    text = (tests / "report.html").read_text(encoding="utf-8")
    own = text.split('<section class="student"')[1:]
    assert ["ann" in part for part in own] == [True, False]
    assert ["bob" in part for part in own] == [False, True]


def test_one_board_and_a_class_give_a_report_too(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann.txt", RIGHT[1])
    board = str(Path("tests") / "testcase_1" / "input_1.txt")
    assert run(["check", board, "class", "-o", "report.html"]) == 0
    assert "1 student, 1 test case: 1 right" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tests", "nothing"], "no submissions in nothing"),
        (["tests", "tests/testcase_1/input_1.txt"], "a class is one folder"),
        (["tests", "class", "class"], "a class is one folder"),
        (["tests", "class", "--traps", "3"], "--traps works with a single board"),
        (["nothing", "class"], "no boards in nothing"),
    ],
)
def test_wrong_usage_is_one_line_and_returns_2(
    arguments: list[str], words: str, tests: Path, capsys: Captured
) -> None:
    (tests / "nothing").mkdir()
    put(tests / "class" / "ann.txt", RIGHT[1])
    assert run(["check", *arguments]) == 2
    printed = capsys.readouterr().err
    assert words in printed
    assert printed.count("\n") == 1


def test_an_answer_of_another_size_stays_with_its_test_case(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann" / "output_1.txt", "1, T\nT, G\n")
    run(["check", "tests", "class", "--format", "json"])
    (answer,) = json.loads(capsys.readouterr().out)["students"][0]["answers"]
    assert (answer["case"], answer["note"]) == ("testcase_1", None)


def test_handed_in_programs_are_run_each_in_a_copy_of_its_folder(tests: Path, capsys: Captured) -> None:
    answers = f"ANSWERS = {dict(zip(BOARDS.values(), RIGHT.values(), strict=True))!r}\n"
    programs = {
        "ann": "import sys\nprint('Solution:')\nprint(ANSWERS[open(sys.argv[1]).read()])",
        "ben": "1 / 0",
        "cyd": "import sys, time\nif '3, _' in open(sys.argv[1]).read(): time.sleep(999)\n1 / 0",
        "dee": "open('other.txt', 'w').write('x')\nprint('No solution')",
        "eve": "print('hello')",
    }
    for name, code in programs.items():
        put(tests / "class" / name / "main.py", answers + code)
    command = f'"{sys.executable}" {{student}}/main.py {{board}}'
    run(["check", "tests", "class", "--run", command, "--time-limit", "2", "--format", "json"])
    record = json.loads(capsys.readouterr().out)
    assert {each["student"]: each["marks"] for each in record["students"]} == {
        "ann": ["right"] * 3,
        "ben": ["no answer"] * 3,
        "cyd": ["no answer"] * 3,
        "dee": ["wrong", "wrong", "right"],
        "eve": ["unreadable"] * 3,
    }
    assert not (tests / "class" / "dee" / "other.txt").exists()
    assert [answer["reasons"][0].partition(":")[0] for answer in record["students"][2]["answers"]] == [
        "time limit reached",
        *["failed with exit code 1"] * 2,
    ]


def test_programs_that_ask_and_use_fixed_paths_are_run(tests: Path, capsys: Captured) -> None:
    answers = f"ANSWERS = {dict(zip(BOARDS.values(), RIGHT.values(), strict=True))!r}\n"
    code = "name = input('which? ')\nopen('out.txt', 'w').write(ANSWERS[open(f'cases/{name}.txt').read()])"
    put(tests / "class" / "ann" / "main.py", answers + code)
    ways = ("--stdin", r"1\n", "--place", "cases/1.txt", "--answer", "out.txt")
    assert marks(capsys, "--run", f'"{sys.executable}" main.py', *ways) == {"ann": ["right"] * 3}


def test_a_folder_that_cannot_be_used_costs_only_its_own_points(tests: Path, capsys: Captured) -> None:
    answers = f"ANSWERS = {dict(zip(BOARDS.values(), RIGHT.values(), strict=True))!r}\n"
    put(tests / "class" / "ann" / "cases", "a file where a folder is expected")
    put(tests / "class" / "ben" / "main.py", "print('_ ' * 4_000_000)")
    put(tests / "class" / "cyd" / "main.py", f"{answers}print(ANSWERS[open('cases/1.txt').read()])")
    command = ("--run", f'"{sys.executable}" main.py', "--place", "cases/1.txt")
    assert marks(capsys, *command) == {
        "ann": ["no answer"] * 3,
        "ben": ["unreadable"] * 3,
        "cyd": ["right"] * 3,
    }


def test_ways_to_use_a_program_need_one_and_folders_of_students(tests: Path, capsys: Captured) -> None:
    put(tests / "class" / "ann.txt", RIGHT[1])
    assert run(["check", "tests", "class", "--stdin", "1"]) == 2
    assert "add --run" in capsys.readouterr().err
    assert run(["check", "tests", "class", "--run", sys.executable]) == 2
    assert "a folder for each student" in capsys.readouterr().err
    assert run(["check", "tests", "class", "--run", "no-such-program {board}"]) == 2
    assert capsys.readouterr().err == "error: no program named 'no-such-program' on this machine\n"
