"""`gemhunter check TESTS CLASS`, as a teacher would run it."""

import csv
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from gemhunter.cli.main import run
from gemhunter.files.answers.rows import Claim
from gemhunter.files.text import parse_grid
from gemhunter.questions import grade
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Report
from text_files import put

BOARDS = {1: "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n", 2: "_, 1\n_, _\n_, 1\n", 3: "4, _\n_, _\n"}
RIGHT = {1: "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n", 2: "G, 1\nT, G\nG, 1\n", 3: "No solution\n"}
WRONG = {1: RIGHT[1].replace("G", "T", 1), 2: "T, 1\nT, G\nG, 1\n", 3: "4, T\nT, T\n"}

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
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
def test_answers_are_matched_by_names_and_numbers(pattern: str, desk: Path, capsys: Captured) -> None:
    for number, answer in RIGHT.items():
        put(desk / "class" / pattern.format(number, number), answer)
    assert marks(capsys) == {"ann": ["right", "right", "right"]}


@pytest.mark.parametrize(
    "heading", ["Testcase {}", "=== Test {} ===", "Board #{}:", "input_{}.txt", "Case: {}"]
)
def test_a_file_per_student_is_matched_by_its_headings(heading: str, desk: Path, capsys: Captured) -> None:
    parts = (f"{heading.format(number)}\nPySAT:\n{answer}\n" for number, answer in RIGHT.items())
    put(desk / "class" / "20127001.txt", "\n".join(parts))
    assert marks(capsys) == {"20127001": ["right", "right", "right"]}


def test_a_claim_in_the_line_of_its_heading_is_matched(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "bob.txt", f"Test 1:\n{RIGHT[1]}\nTest 3: no solution\n")
    assert marks(capsys) == {"bob": ["right", "missing", "right"]}


def test_grids_without_any_name_are_matched_by_clues_and_size(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "bob.txt", f"{RIGHT[1]}\n\n{WRONG[2]}\n")
    assert marks(capsys) == {"bob": ["right", "wrong", "missing"]}


SIX = BOARDS | {4: "1, _, _\n_, _, 1\n", 5: "_, 8, _\n_, _, _\n", 6: "1, _, 1, 0\n_, _, _, 0\n"}
SIX_RIGHT = RIGHT | {4: "1, T, G\nG, G, 1\n", 5: "Vô nghiệm\n", 6: "1, T, 1, 0\nG, G, G, 0\n"}


@pytest.fixture
def six(desk: Path) -> Path:
    """The current folder, with six test cases; two have no solution."""
    for number, board in SIX.items():
        put(desk / "tests" / f"testcase_{number}" / f"input_{number}.txt", board)
    return desk


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
    assert run(["check", "tests", "class", "--html", "report.html"]) == 2
    printed = capsys.readouterr().out
    assert "bob      right       right       unreadable  unreadable  unreadable  right       3/6" in printed
    assert "3 right, 3 unreadable; 2 answers to no test case" in printed
    assert printed.count("which test case `no solution` is about is not clear") == 2
    page = (six / "report.html").read_text(encoding="utf-8")
    assert "Nothing was handed in" not in page
    assert page.count("No answer is certain to be to this test case; see below.") == 3


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


def test_files_that_have_changed_places_get_their_points_and_a_note(desk: Path, capsys: Captured) -> None:
    for number, other in ((1, 2), (2, 1), (3, 3)):
        put(desk / "class" / "ann" / f"output_{number}.txt", RIGHT[other])
    assert run(["check", "tests", "class", "--html", "report.html", "--violations", "violations.csv"]) == 0
    note = "graded as an answer to testcase_2, though its file is named after testcase_1"
    assert f"ann      testcase_2  ann/output_1.txt  right  {note}" in capsys.readouterr().out
    for name in ("report.html", "violations.csv"):
        assert note in (desk / name).read_text(encoding="utf-8")
    assert marks(capsys) == {"ann": ["right"] * 3}
    run(["check", "tests", "class", "--format", "json"])
    answers = json.loads(capsys.readouterr().out)["students"][0]["answers"]
    assert [each["note"] is None for each in answers] == [False, False, True]


def test_a_claim_in_a_file_that_may_have_changed_places_is_left_to_a_person(
    desk: Path, capsys: Captured
) -> None:
    put(desk / "class" / "ann" / "output_1.txt", RIGHT[3])
    put(desk / "class" / "ann" / "output_3.txt", RIGHT[1])
    put(desk / "class" / "bob" / "output_2.txt", "Testcase 1: no solution")
    assert marks(capsys) == {"ann": ["right", "unreadable", "unreadable"], "bob": ["unreadable"] * 3}


def test_empty_files_and_unfilled_boards_are_no_answers(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann" / "output_1.txt", "")
    put(desk / "class" / "ann" / "output_2.txt", BOARDS[2])
    put(desk / "class" / "ann" / "notes.txt", "I ran it twice.\n")
    put(desk / "class" / "bob.txt", "\n")
    put(desk / "class" / "carl.txt", f"{BOARDS[1]}\n{BOARDS[2]}")
    assert marks(capsys) == {
        "ann": ["no answer", "no answer", "missing"],
        "bob": ["no answer"] * 3,
        "carl": ["no answer", "no answer", "missing"],
    }
    assert run(["check", "tests", "class", "--html", "report.html"]) == 1
    printed = capsys.readouterr()
    assert "skipped 1 file that is not an answer" in printed.err
    assert "testcase_1  ann/output_1.txt  no answer  nothing is written here" in printed.out
    page = (desk / "report.html").read_text(encoding="utf-8")
    assert "No answer was found in <code>ann/notes.txt</code>." in page


def test_clues_are_believed_more_than_a_number_that_is_off_by_one(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann" / "output_0.txt", RIGHT[1])
    put(desk / "class" / "ann" / "output_1.txt", RIGHT[2])
    assert marks(capsys) == {"ann": ["right", "right", "missing"]}


def test_a_claim_about_no_test_case_is_not_counted_against_any(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "bob.txt", "No solution\n")
    assert run(["check", "tests", "class"]) == 2
    assert "1 answer to no test case" in capsys.readouterr().out


def test_both_layouts_can_be_mixed_and_other_files_are_skipped(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann" / "output_1.txt", RIGHT[1])
    put(desk / "class" / "ann" / "main.py", "print(1)")
    put(desk / "class" / "ann" / "input_1.txt", BOARDS[1])
    put(desk / "class" / "ann" / "README.md", "T G")
    put(desk / "class" / "bob.txt", f"testcase_2\n{WRONG[2]}")
    (desk / "class" / "carl").mkdir()
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
        [
            "3 students, 3 test cases: 1 right, 1 wrong, 7 missing; 0.33 of 3 points on average",
        ],
    ]
    assert "skipped 3 files that are not answers" in printed.err


def test_the_folder_of_one_student_is_a_class_of_one(desk: Path, capsys: Captured) -> None:
    all_right({1: "output_1.txt", 2: "output_2.txt", 3: "output_3.txt"}, desk / "class")
    assert marks(capsys) == {"class": ["right", "right", "right"]}


def test_points_are_the_share_of_right_answers_and_giving_up_costs_none(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann" / "output_1.txt", f"DPLL\n{RIGHT[1]}\nBrute force: timeout\n")
    put(desk / "class" / "ann" / "output_2.txt", f"DPLL\n{RIGHT[2]}\nCDCL\n{WRONG[2]}\nPySAT\n{WRONG[2]}\n")
    run(["check", "tests", "class", "--csv", "marks.csv"])
    with (desk / "marks.csv").open(encoding="utf-8") as stream:
        [row] = csv.DictReader(stream)
    assert [row[name] for name in ("testcase_1", "testcase_2", "testcase_3", "points", "of")] == [
        *("1", "0.33", "0", "1.33", "3")
    ]
    assert "wrong (0.33)" in capsys.readouterr().out


def test_every_violation_has_a_row_with_its_cell(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann" / "output_1.txt", f"DPLL\n{WRONG[1]}")
    put(desk / "class" / "bob" / "output_1.txt", "hello\n")
    run(["check", "tests", "class", "--violations", "violations.csv"])
    with (desk / "violations.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["student"], row["test case"], row["section"], row["mark"], row["cell"]) for row in rows] == [
        ("ann", "testcase_1", "DPLL", "wrong", "r1c3"),
        ("ann", "testcase_1", "DPLL", "wrong", "r2c3"),
        ("bob", "testcase_1", "", "unreadable", ""),
    ]


def test_a_claim_about_one_board_is_verified_once_for_the_whole_class(
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def count(*arguments: Any, **named: Any) -> Report:
        asked.append(arguments[0])
        return solve(*arguments, **named)

    monkeypatch.setattr(grade, "solve", count)
    for student in ("ann", "bob", "carl"):
        put(desk / "class" / student / "output_3.txt", "DPLL\nNo solution\nCDCL\nUnsatisfiable\n")
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


def test_the_time_for_all_claims_is_an_option(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann" / "output_3.txt", "No solution\n")
    assert marks(capsys, "--total-limit", "100") == {"ann": ["missing", "missing", "right"]}
    assert run(["check", "tests", "class", "--total-limit", "0"]) == 2


class Page(HTMLParser):
    """What a page loads, what it says, and which elements are left open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for name, value in attrs if name in ("src", "href") and value]
        if tag not in ("meta", "path", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("path", "rect"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_report_needs_nothing_else_and_escapes_names(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "a&b" / "output_1.txt", f"<DPLL & co>\n{WRONG[1]}")
    put(desk / "class" / "bob" / "output_1.txt", RIGHT[1])
    run(["check", "tests", "class", "--html", "report.html"])
    text = (desk / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert all(link.startswith("#") for link in page.loads)
    assert "@import" not in text
    assert "url(" not in text
    assert "r1c3 says 2, but touches 3 traps" in page.words
    assert "DPLL & co" in "".join(page.words)
    assert text.count('class="named"') == 2


def test_a_student_s_page_says_nothing_about_others(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann" / "output_1.txt", WRONG[1])
    put(desk / "class" / "bob" / "output_1.txt", RIGHT[1])
    run(["check", "tests", "class", "--html", "report.html"])
    text = (desk / "report.html").read_text(encoding="utf-8")
    own = text.split('<section class="student"')[1:]
    assert ["ann" in part for part in own] == [True, False]
    assert ["bob" in part for part in own] == [False, True]


def test_one_board_and_a_class_give_a_report_too(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann.txt", RIGHT[1])
    board = str(Path("tests") / "testcase_1" / "input_1.txt")
    assert run(["check", board, "class", "--html", "report.html"]) == 0
    assert "1 student, 1 test case: 1 right" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tests", "nothing"], "no submissions in nothing"),
        (["tests", "tests/testcase_1/input_1.txt"], "a class is a folder"),
        (["tests", "class", "class"], "a class is one folder"),
        (["tests", "class", "--traps", "3"], "--traps takes one board"),
        (["nothing", "class"], "no boards in nothing"),
    ],
)
def test_wrong_usage_is_one_line_and_returns_2(
    arguments: list[str], words: str, desk: Path, capsys: Captured
) -> None:
    (desk / "nothing").mkdir()
    put(desk / "class" / "ann.txt", RIGHT[1])
    assert run(["check", *arguments]) == 2
    printed = capsys.readouterr().err
    assert words in printed
    assert printed.count("\n") == 1


def test_an_answer_of_another_size_stays_with_the_test_case_in_its_name(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann" / "output_1.txt", "1, T\nT, G\n")
    run(["check", "tests", "class", "--format", "json"])
    (answer,) = json.loads(capsys.readouterr().out)["students"][0]["answers"]
    assert (answer["case"], answer["note"]) == ("testcase_1", None)


def test_handed_in_programs_are_run_each_in_a_copy_of_its_folder(desk: Path, capsys: Captured) -> None:
    answers = f"ANSWERS = {dict(zip(BOARDS.values(), RIGHT.values(), strict=True))!r}\n"
    programs = {
        "ann": "import sys\nprint('Solution:')\nprint(ANSWERS[open(sys.argv[1]).read()])",
        "ben": "1 / 0",
        "cyd": "import sys, time\nif '3, _' in open(sys.argv[1]).read(): time.sleep(999)\n1 / 0",
        "dee": "open('other.txt', 'w').write('x')\nprint('No solution')",
        "eve": "print('hello')",
    }
    for name, code in programs.items():
        put(desk / "class" / name / "main.py", answers + code)
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
    assert not (desk / "class" / "dee" / "other.txt").exists()
    assert [answer["reasons"][0].partition(":")[0] for answer in record["students"][2]["answers"]] == [
        "time limit reached",
        *["failed with exit code 1"] * 2,
    ]


def test_programs_that_ask_and_use_fixed_paths_are_run(desk: Path, capsys: Captured) -> None:
    answers = f"ANSWERS = {dict(zip(BOARDS.values(), RIGHT.values(), strict=True))!r}\n"
    code = "name = input('which? ')\nopen('out.txt', 'w').write(ANSWERS[open(f'cases/{name}.txt').read()])"
    put(desk / "class" / "ann" / "main.py", answers + code)
    ways = ("--stdin", r"1\n", "--place", "cases/1.txt", "--answer", "out.txt")
    assert marks(capsys, "--run", f'"{sys.executable}" main.py', *ways) == {"ann": ["right"] * 3}


def test_ways_to_use_a_program_need_one_and_folders_of_students(desk: Path, capsys: Captured) -> None:
    put(desk / "class" / "ann.txt", RIGHT[1])
    assert run(["check", "tests", "class", "--stdin", "1"]) == 2
    assert "give --run" in capsys.readouterr().err
    assert run(["check", "tests", "class", "--run", "x"]) == 2
    assert "a folder for each student" in capsys.readouterr().err
