"""`gemhunter generate puzzle`: what it prints and writes, and how it ends."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemhunter import parse_grid, read_grid, solve
from gemhunter.board.checker import check
from gemhunter.cli import generate as command
from gemhunter.cli.main import run
from gemhunter.errors import EngineError
from gemhunter.generate.puzzles import GeneratedPuzzle, NotGenerated, PuzzleWish, generate_puzzle


def test_the_board_is_printed_and_a_note_says_how_hard_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "puzzle", "4x6", "--seed", "3"]) == 0
    printed = capsys.readouterr()
    assert parse_grid(printed.out).cells.shape == (4, 6)
    assert printed.err.startswith("seed 3: ")


def test_json_lines_have_the_solution(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "3", "--format", "jsonl"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["seed"] for record in records] == [1, 2, 3]
    for record in records:
        grid, solution = (parse_grid("\n".join(record[name])) for name in ("grid", "solution"))
        assert check(grid, solution) == []
        assert record["difficulty"]["word"] in ("easy", "medium", "hard", "expert")


def test_a_folder_gets_puzzles_and_solutions(desk: Path) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "2", "--folder", "made", "-q"]) == 0
    names = sorted(path.name for path in (desk / "made").iterdir())
    assert names == ["puzzle-1.txt", "puzzle-2.txt", "solution-1.txt", "solution-2.txt"]
    puzzle, solution = (read_grid(desk / "made" / f"{name}-2.txt") for name in ("puzzle", "solution"))
    assert solve(puzzle).filled == solution


def test_puzzles_in_a_folder_are_not_overwritten(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "puzzle", "3x3", "--folder", "made", "-q"]) == 0
    before = (desk / "made" / "puzzle-1.txt").read_text("utf-8")
    assert run(["generate", "puzzle", "4x4", "--folder", "made", "-q"]) == 2
    assert capsys.readouterr().err == "error: made has puzzles already\n"
    assert (desk / "made" / "puzzle-1.txt").read_text("utf-8") == before


def test_a_board_without_a_solution_names_the_clues_at_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "puzzle", "4x5", "--unsat", "--format", "jsonl"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["solution"] is None
    assert record["conflict"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["5"], "a size is written 9x9"),
        (["5x5", "--density", "2"], "density"),
        (["5x5", "--density", "1"], "leaves no cell of 25"),
        (["0x5"], "the number of rows"),
        (["5x5", "--clues", "few"], "few"),
        (["5x5", "--difficulty", "mediun"], "mediun"),
        (["5x5", "--count", "2", "-o", "x.txt"], "need --folder"),
        (["5x5", "--folder", "x", "-o", "x.txt"], "exclude each other"),
        (["5x5", "--folder", "x", "--format", "jsonl"], "--folder writes text"),
        (["5x5", "--solutions", "many", "--difficulty", "easy"], "with one solution"),
        (["5x5", "--solutions", "none"], "'none' is not one of"),
        (["5x5", "--sheet", "sheet.png"], "sheet.png is no sheet; expected FILE.pdf or FILE.svg"),
        (["5x5", "--unsat", "--solutions", "many"], "--unsat and --solutions many exclude each other"),
        (["5x5", "--unsat", "--difficulty", "easy"], "--unsat and --difficulty exclude each other"),
        (["5x5", "--unsat", "--rule", "what-if"], "--unsat and --rule exclude each other"),
    ],
)
def test_bad_wishes_are_one_line_and_exit_2(
    words: list[str], complaint: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", "puzzle", *words]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert list(desk.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "reached"),
    [
        (["2x2", "--density", "0.25", "--difficulty", "expert"], "is easy, not expert, in 200 attempts"),
        (["1x1", "--difficulty", "hard"], "is easy, not hard, in 200 attempts"),
        (["2x2", "--density", "0.5", "--clues", "0"], "needs 2 clues, not 0, in 200 attempts"),
        (["5x5", "--time-limit", "0.000001"], "time limit reached"),
    ],
)
def test_a_wish_that_is_not_reached_says_what_was(
    words: list[str], reached: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", "puzzle", *words]) == 3
    error = capsys.readouterr().err
    assert error.startswith("error: no puzzle for seed 1: ")
    assert error.endswith(f"{reached}\n")


def test_an_error_on_the_way_keeps_the_puzzles_that_are_finished(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(wish: PuzzleWish, **_: object) -> Iterator[GeneratedPuzzle | NotGenerated]:
        yield generate_puzzle(wish)
        raise EngineError("the process died")

    monkeypatch.setattr(command, "generate_puzzles", failing)
    assert run(["generate", "puzzle", "3x3", "--count", "5", "--format", "jsonl", "-o", "kept.jsonl"]) == 4
    assert len((desk / "kept.jsonl").read_text("utf-8").splitlines()) == 1
    assert capsys.readouterr().err.endswith("error: the process died\n")


def test_a_sheet_as_pdf_is_one_file(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "2", "--sheet", "sheet.pdf"]) == 0
    assert [path.name for path in desk.iterdir()] == ["sheet.pdf"]
    assert (desk / "sheet.pdf").read_bytes().startswith(b"%PDF")
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.partition(":")[0] for line in err.splitlines()] == ["seed 1", "seed 2", "sheet.pdf"]


def test_json_lines_are_printed_beside_a_sheet(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "puzzle", "3x3", "--format", "jsonl", "--sheet", "sheet.svg", "-q"]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 1


def test_a_sheet_as_pdf_needs_a_package_before_any_work(
    desk: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["generate", "puzzle", "4x4", "--sheet", "sheet.pdf"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert "sheets as PDF need the package matplotlib" in printed.err


def test_a_sheet_has_the_puzzles_and_another_the_solutions(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", "puzzle", "4x4", "--count", "2", "--sheet", "sheet.svg", "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    puzzles, solutions = ((desk / name).read_text("utf-8") for name in ("sheet.svg", "sheet-solutions.svg"))
    assert "2 · " in puzzles
    assert "✹" not in puzzles
    assert solutions.count("✹") == 2 * round(0.2 * 16)
