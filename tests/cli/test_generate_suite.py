"""`gemhunter generate suite`: a folder that the grader and the benchmark read."""

import csv
import re
from itertools import chain, repeat
from pathlib import Path

import pytest

import oracles
from gemhunter import read_grid
from gemhunter.cli import generate as generate_workers
from gemhunter.cli.main import run
from gemhunter.cnf.encode import encode
from gemhunter.compare.suites import read_index
from gemhunter.generate.suites import SuiteWish


@pytest.fixture(name="suite")
def small_suite(desk: Path) -> Path:
    words = ["--size", "3x5", "--difficulty", "easy", "--difficulty", "medium", "--each", "2"]
    assert run(["generate", "suite", "boards", *words, "-q"]) == 0
    return desk / "boards"


def facts_of(suite: Path) -> list[dict[str, str]]:
    with (suite / "facts.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_grader_marks_every_expected_answer_as_right(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(suite), str(suite / "expected")]) == 0
    assert "5/5" in capsys.readouterr().out


def test_the_facts_are_true(suite: Path) -> None:
    facts = facts_of(suite)
    assert [each["difficulty"] for each in facts] == ["easy", "easy", "medium", "medium", "no solution"]
    for number, each in enumerate(facts, 1):
        grid = read_grid(suite / each["board"] / f"input_{number}.txt")
        assert len(oracles.all_solutions(grid)) == int(each["solutions"])
        assert (grid.cells.shape, int(each["hidden"])) == ((3, 5), len(list(grid.where(-1))))
        assert int(each["clauses"]) == encode(grid).size
        assert int(each["s4_clauses"]) == encode(grid, variables="all", keep_duplicates=True).size


def test_the_benchmark_reads_the_index(suite: Path) -> None:
    found = read_index(suite / "index.toml", "boards")
    assert [board.grid.cells.shape for board in found.boards] == [(3, 5)] * 5


def test_a_folder_with_files_is_left_alone(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(suite.rglob("*"))
    assert run(["generate", "suite", str(suite)]) == 2
    assert capsys.readouterr().err == f"error: {suite} is not empty\n"
    assert sorted(suite.rglob("*")) == before


def test_what_is_finished_stays_when_the_work_is_stopped(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = chain(repeat(False, 60), repeat(True))
    monkeypatch.setattr(generate_workers, "is_pending", lambda: next(answers))
    assert (
        run(["generate", "suite", "boards", "--size", "3x3", "--each", "1000", "--workers", "1", "-q"]) == 0
    )
    cases = [path for path in (desk / "boards").iterdir() if path.name.startswith("testcase_")]
    assert 0 < len(cases) < 1000
    assert len(facts_of(desk / "boards")) == len(cases)


@pytest.mark.parametrize(
    "words",
    [["--each", "0", "--unsolvable", "0"], ["--size", "big"], ["--density", "1"], ["--clauses", "9,x"]],
)
def test_bad_wishes_write_nothing(words: list[str], desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "suite", "boards", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(desk.iterdir()) == []


def test_a_difficulty_that_no_board_has_says_what_was_reached(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--size", "2x2", "--difficulty", "expert", "--each", "1", "--unsolvable", "1"]
    assert run(["generate", "suite", "boards", *words]) == 3
    error, counted = capsys.readouterr().err.splitlines()
    assert error.startswith("error: no board for seed 1: ")
    assert error.endswith("is easy, not expert, in 200 attempts")
    assert counted == "1 board in boards"


def test_boards_come_by_size_and_those_without_a_solution_last_of_their_size() -> None:
    wish = SuiteWish(((4, 4), (3, 3)), (0.1, 0.2), ("easy", None), each=1, unsolvable=1)
    kinds = [(each.cells, each.solutions) for each in wish.wishes]
    assert kinds == [(9, "one")] * 4 + [(9, "none")] * 2 + [(16, "one")] * 4 + [(16, "none")] * 2


def test_boards_come_near_to_the_numbers_of_clauses_asked_for(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", "suite", "boards", "--clauses", "20, 60", "--each", "1", "--workers", "1"]) == 0
    facts = facts_of(desk / "boards")
    assert [each["clauses_asked"] for each in facts] == ["20", "20", "60", "60"]
    assert [each["solutions"] for each in facts] == ["1", "0", "1", "0"]
    for each in facts:
        assert abs(int(each["clauses"]) - int(each["clauses_asked"])) <= 2
    reached = ", ".join(each["clauses"] for each in facts[2:])
    assert capsys.readouterr().err.splitlines()[-1] == f"clauses asked for: 60; reached: {reached}"


def test_a_number_of_clauses_that_no_board_of_the_size_has_is_an_error_with_the_nearest(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--clauses", "999", "--size", "2x3", "--each", "1", "--unsolvable", "0", "--workers", "1"]
    assert run(["generate", "suite", "boards", *words]) == 3
    error, _ = capsys.readouterr().err.splitlines()
    assert re.search(r"of 2x3 with a density of 0.2 has \d+ clauses?, not 999; choose another size$", error)


def test_numbers_of_clauses_go_with_sizes_and_difficulties() -> None:
    sized = SuiteWish(((3, 5),), difficulties=("easy", "hard"), clauses=(30, 50))
    assert [(each.clauses, each.difficulty) for each in sized.wishes] == [
        *((30, "easy"), (30, "hard"), (50, "easy"), (50, "hard"))
    ]
    free = SuiteWish((), clauses=(20, 120))
    assert [(each.rows, each.cols, each.clauses) for each in free.wishes] == [(3, 3, 20), (6, 6, 120)]
