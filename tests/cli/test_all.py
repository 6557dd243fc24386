"""`gemhunter solve --all`, as a user would run it."""

import json
from pathlib import Path

import numpy as np
import pytest

from gemhunter.board.grid import Grid
from gemhunter.cli import solve as solve_all
from gemhunter.cli.main import run
from gemhunter.questions.solutions import Solutions

PAIRS = "_, 1, _, G, _, 1, _\n"
FIRST = ["G, 1, T, G, G, 1, T", "G, 1, T, G, T, 1, G"]

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
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


def test_solutions_are_numbered_and_their_end_is_said_aside(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "pairs.txt", "--all", "--limit", "2"]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"solution 1\n{FIRST[0]}\n\nsolution 2\n{FIRST[1]}\n\n"
    assert printed.err == "2 solutions: as many as were asked for\n"


def test_without_a_limit_all_are_printed(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "pairs.txt", "--all"]) == 0
    printed = capsys.readouterr()
    assert (printed.out.count("solution "), printed.err) == (4, "4 solutions: these are all\n")


def test_jsonl_has_an_object_per_solution_and_json_a_list(desk: Path, capsys: Captured) -> None:
    expected = [{"board": "pairs.txt", "solution": at, "grid": [row]} for at, row in enumerate(FIRST, 1)]
    assert run(["solve", "pairs.txt", "--all", "--limit", "2", "--format", "jsonl"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == expected
    assert run(["solve", "pairs.txt", "--all", "--limit", "2", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == expected


def test_the_total_counts(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "empty.txt", "--all", "--traps", "1", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 100


def test_a_board_without_solution_returns_1(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "none.txt", "--all"]) == 1
    assert capsys.readouterr().out.startswith("no solution: the clue 4 at r1c1 cannot hold")
    assert run(["solve", "none.txt", "--all", "--format", "json"]) == 1
    assert capsys.readouterr().out == "[]\n"


def test_a_limit_of_steps_returns_3_after_what_was_found(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "empty.txt", "--all", "--traps", "50", "--step-limit", "400"]) == 3
    printed = capsys.readouterr()
    assert printed.out.startswith("solution 1\n")
    assert printed.err.endswith("solutions, then gave up: step limit reached\n")


@pytest.mark.parametrize(("board", "count"), [("pairs.txt", 4), ("none.txt", 0)])
def test_the_output_file_has_what_would_be_printed(
    board: str, count: int, desk: Path, capsys: Captured
) -> None:
    code = run(["solve", board, "--all"])
    printed = capsys.readouterr().out
    assert run(["solve", board, "--all", "-o", "all.txt"]) == code
    assert (desk / "all.txt").read_text(encoding="utf-8") == printed
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0]) == ("", f"all.txt: {count} solutions")


def test_a_file_that_cannot_be_written_is_told_before_the_first_solution(
    desk: Path, capsys: Captured
) -> None:
    assert run(["solve", "pairs.txt", "--all", "-o", "missing/all.txt"]) == 2
    assert capsys.readouterr() == ("", "error: cannot write missing/all.txt: no such file or directory\n")


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_keeps_what_was_printed(
    form: str, desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_all, "solutions", lambda grid, *, run, **how: Interrupted(run, grid, **how))
    assert run(["solve", "pairs.txt", "--all", "--format", form, "-o", "kept"]) == 130
    printed = capsys.readouterr()
    assert (printed.out, printed.err.split("\n")[0]) == ("", "kept: 2 solutions")
    kept = (desk / "kept").read_text(encoding="utf-8")
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
        (["pairs.txt", "--all", "--proof", "p"], "--all takes no --proof"),
        (["pairs.txt", "--all", "--seed", "1"], "--all takes no --seed"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    arguments: list[str], message: str, desk: Path, capsys: Captured
) -> None:
    assert run(["solve", *arguments]) == 2
    assert capsys.readouterr().err == f"error: {message} (see: gemhunter solve --help)\n"
