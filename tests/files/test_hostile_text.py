"""No control character from a file, a name or a program reaches a terminal, and no formula a spreadsheet."""

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.errors import BoardError, EngineError, Fault
from gemhunter.files.text_tables import csv_rows
from gemhunter.printable import json_text, printable, printable_lines, utf8
from places import ROOT

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
RIGHT = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"

EVIL = "a\x07\x1b]0;b\x9b32m\u202ec\x7f"
"""A bell, a new window title, a colour as one C1 character, an override of direction, and DEL."""

SHOWN = r"a\x07\x1b]0;b\x9b32m\u202ec\x7f"

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

Captured = pytest.CaptureFixture[str]


def printable_words(words: object) -> str:
    return printable(" ".join(words)) if isinstance(words, list) else str(words)


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board and a right answer under hostile names."""
    try:
        (desk / f"{EVIL}.txt").write_text(BOARD, encoding="utf-8")
    except OSError:
        pytest.skip("this file system has no such names")
    (desk / "board.txt").write_text(BOARD, encoding="utf-8")
    (desk / "answer.txt").write_text(RIGHT, encoding="utf-8")
    (desk / "class" / f"{EVIL}").mkdir(parents=True)
    (desk / "class" / f"{EVIL}" / "output_1.txt").write_text(f"[{EVIL}]\n{RIGHT}", encoding="utf-8")
    (desk / "class" / f"{EVIL}" / "output_2.txt").write_text(f"{EVIL}\n7, T{EVIL}, 2, G\n", encoding="utf-8")
    for number in (1, 2):
        case = desk / "cases" / f"testcase_{number}"
        case.mkdir(parents=True)
        (case / f"input_{number}.txt").write_text(BOARD, encoding="utf-8")
    return desk


def require_clean(text: str) -> None:
    found = UNSAFE.search(text)
    assert found is None, f"{found[0]!r} in {text[max(0, found.start() - 60) : found.end() + 20]!r}"


def test_control_characters_become_visible() -> None:
    assert printable(EVIL) == SHOWN
    assert printable("a\nb\tc\r") == r"a\nb\tc\r"
    assert printable_lines("a\nb\tc\r") == "a\nb\tc\\r"
    assert printable("\udcff\ud800") == r"\xff\ud800"
    assert printable("ä × 宝石 T\u200db") == "ä × 宝石 T\u200db"


def test_an_error_can_be_printed_whatever_it_quotes() -> None:
    assert str(EngineError(f"cmd:x: {EVIL}")) == f"cmd:x: {SHOWN}"
    assert (
        str(BoardError([Fault(1, 2, EVIL), Fault(2, 0, "b")], EVIL)) == f"{SHOWN}:1:2: {SHOWN}\n{SHOWN}:2: b"
    )


def test_json_is_utf_8_and_gives_the_same_strings_back() -> None:
    text = json_text({"name": f"{EVIL}ä\udcff"}, indent=2)
    require_clean(text)
    assert json.loads(text.encode()) == {"name": f"{EVIL}ä\udcff"}
    assert "ä" in text


def test_any_text_can_be_written_as_utf_8() -> None:
    assert utf8("ä\x1b\udcff\ud800") == "ä\x1b\\xff\\ud800".encode()


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1"])
def test_a_cell_that_could_be_a_formula_is_text(cell: str) -> None:
    [[written]] = csv.reader(io.StringIO(csv_rows([[cell]])))
    assert written == f"'{printable(cell)}"


@pytest.mark.parametrize(
    "cell", ["-1.5", "+3", "-1,000.25", "1e-9", "-2e+5", "-", "a=b", "r1c1", -1.5, 0, "-5%"]
)
def test_a_plain_number_stays_a_number(cell: object) -> None:
    assert csv_rows([[cell]]).strip().strip('"') == str(cell)


def test_no_other_code_writes_csv_or_json_for_people() -> None:
    """Each is written by one function, which keeps the rules above."""
    source = ROOT / "src" / "gemhunter"
    texts = {
        path.relative_to(source).as_posix(): path.read_text(encoding="utf-8") for path in source.rglob("*.py")
    }
    assert [name for name, text in texts.items() if re.search(r"csv\.(Dict)?[wW]riter", text)] == [
        "files/text_tables.py"
    ]
    assert [name for name, text in texts.items() if "ensure_ascii" in text] == ["printable.py"]
    assert [name for name, text in texts.items() if 'echo(f"error:' in text] == ["cli/exit_codes.py"]


GAME = {"format": "gemhunter-replay", "version": 1, "mines": ["*.", ".."], "moves": []}


@pytest.mark.parametrize("form", [[], ["--format", "json"]], ids=["text", "json"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", f"{EVIL}.txt"],
        ["solve", f"{EVIL}.txt", "board.txt"],
        ["solve", f"{EVIL}.txt", "board.txt", "--format", "csv"],
        ["solve", f"{EVIL}.txt", "board.txt", "--format", "md"],
        ["solve", f"{EVIL}.txt", "--all"],
        ["solve", f"{EVIL}.txt", "-o", f"{EVIL}-answers.txt"],
        ["solve", f"missing{EVIL}.txt"],
        ["solve", "board.txt", "-e", f"x{EVIL}"],
        ["solve", "board.txt", "-e", f"cmd:x{EVIL}"],
        ["solve", "board.txt", f"--no{EVIL}"],
        ["analyse", f"{EVIL}.txt"],
        ["analyse", f"{EVIL}.txt", "-o", f"{EVIL}-answers.txt"],
        ["hint", f"{EVIL}.txt"],
        ["cnf", f"{EVIL}.txt"],
        ["cnf", f"{EVIL}.txt", "-o", f"{EVIL}.cnf"],
        ["convert", f"{EVIL}.txt"],
        ["trace", f"{EVIL}.txt", "-e", "dpll"],
        ["check", f"{EVIL}.txt", "answer.txt"],
        ["check", "board.txt", f"class/{EVIL}/output_1.txt"],
        ["check", "board.txt", f"class/{EVIL}/output_2.txt"],
        ["check", "board.txt", "class"],
        ["check", "cases", "class"],
        ["replay", f"{EVIL}.json"],
        ["watch", f"{EVIL}.txt"],
        [f"x{EVIL}"],
    ],
    ids=printable_words,
)
def test_no_command_prints_a_control_character(
    arguments: list[str], form: list[str], desk: Path, capsys: Captured
) -> None:
    (desk / f"{EVIL}.json").write_text(json.dumps({**GAME, "id": EVIL}), encoding="utf-8")
    run([*arguments, *form])
    printed = capsys.readouterr()
    require_clean(printed.out)
    require_clean(printed.err)


def test_files_about_a_class_have_no_control_character_and_no_formula(desk: Path) -> None:
    (desk / "class" / "=HYPERLINK(1)").mkdir()
    (desk / "class" / "=HYPERLINK(1)" / "output_1.txt").write_text(f"@x\n{RIGHT}", encoding="utf-8")
    files = ["-o", "marks.csv", "--violations", "violations.csv", "-o", "page.html"]
    run(["check", "cases", "class", *files])
    for name in files[1::2]:
        require_clean((desk / name).read_text(encoding="utf-8"))
    assert "\n'=HYPERLINK(1)," in (desk / "marks.csv").read_text(encoding="utf-8")


def test_a_heading_cannot_colour_a_mark(
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal, Click lets colours through."""
    monkeypatch.setattr("click._compat.should_strip_ansi", lambda *_, **__: False)
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_, **__: False)
    wrong = RIGHT.replace("T", "G", 1)
    (desk / "answer.txt").write_text(f"[DPLL: \x1b\x1b[0m[32mright]\n{wrong}", encoding="utf-8")
    assert run(["check", "board.txt", "answer.txt"]) == 1
    printed = capsys.readouterr().out
    assert "\x1b[32m" not in printed
    assert "\x1b[31mwrong" in printed


@pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")
def test_what_a_program_complains_about_cannot_move_the_cursor(desk: Path, capsys: Captured) -> None:
    program = desk / "solver"
    program.write_text("#!/bin/sh\nprintf 'a\\033[2Jb\\007\\r' >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    assert run(["solve", "board.txt", "-e", f"cmd:{program}"]) == 4
    printed = capsys.readouterr()
    require_clean(printed.out + printed.err)
    assert r"a\x1b[2Jb\x07" in printed.err


BROKEN = os.fsdecode(b"caf\xe9")
"""A name in Latin-1, as a disk from another system can have it."""


@pytest.fixture
def foreign(desk: Path) -> Path:
    """The current folder, with names that are not UTF-8 among the test cases and in the class."""
    case = desk / "cases" / BROKEN
    try:
        case.mkdir()
    except (OSError, UnicodeError):
        pytest.skip("this file system has no such names")
    (case / "input_3.txt").write_text(BOARD, encoding="utf-8")
    (desk / f"{BROKEN}.txt").write_text(BOARD, encoding="utf-8")
    (desk / "class" / BROKEN).mkdir()
    (desk / "class" / BROKEN / f"{BROKEN}_1.txt").write_text(RIGHT, encoding="utf-8")
    (desk / "class" / "ann").mkdir()
    (desk / "class" / "ann" / "output_1.txt").write_text(RIGHT, encoding="utf-8")
    return desk


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "md"])
def test_solve_takes_a_folder_with_a_name_that_is_not_utf_8(
    form: str, foreign: Path, capsys: Captured
) -> None:
    assert run(["solve", "cases", "--format", form]) == 0
    capsys.readouterr().out.encode()
    assert (foreign / "cases" / BROKEN / "output_3.txt").exists()
    assert rb"caf\xe9" in (foreign / "cases" / "times.csv").read_bytes()
    assert run(["solve", "cases", "-o", "all", "--format", form]) == 0
    (foreign / "all").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["analyse", f"{BROKEN}.txt"],
        ["hint", f"{BROKEN}.txt"],
        ["check", f"{BROKEN}.txt", "answer.txt"],
        ["check", "board.txt", "class"],
        ["check", "cases", "class"],
        ["check", "cases", f"class/{BROKEN}"],
        ["analyse", f"missing{BROKEN}.txt"],
    ],
    ids=printable_words,
)
def test_a_name_that_is_not_utf_8_is_printed(
    arguments: list[str], form: str, foreign: Path, capsys: Captured
) -> None:
    run([*arguments, "--format", form])
    printed = capsys.readouterr()
    (printed.out + printed.err).encode()


def test_one_name_that_is_not_utf_8_costs_no_grades(foreign: Path) -> None:
    run(["check", "cases", "class", "-o", "marks.csv", "--violations", "violations.csv", "-o", "page.html"])
    for name in ("marks.csv", "page.html"):
        text = (foreign / name).read_text(encoding="utf-8")
        assert r"caf\xe9" in text
        assert "ann" in text
