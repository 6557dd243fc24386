"""`gemhunter proof show`: a proof in cells."""

import json
from pathlib import Path

import pytest

from gemhunter.cli.main import run

BOARD = "_, _, 1\n1, _, _\n"
PROOF = "-1 2 0\nd 1 -2 0\n-3 0\n0\n"
STEPS = """p.drat: 3 clauses added, 1 deleted
    1  add r1c1=G or r1c2=T
    2  delete r1c1=T or r1c2=G
    3  add r2c2=G
    4  add nothing, which is the contradiction
"""

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board, a formula, and steps that need not be a proof of anything."""
    (desk / "board.txt").write_text(BOARD, encoding="utf-8")
    (desk / "f.cnf").write_text("p cnf 3 1\n1 2 3 0\n", encoding="utf-8")
    (desk / "p.drat").write_text(PROOF, encoding="utf-8")
    return desk


def test_a_short_proof_is_shown_in_cells(desk: Path, capsys: Captured) -> None:
    assert run(["proof", "show", "board.txt", "p.drat"]) == 0
    assert capsys.readouterr() == (STEPS, "")


def test_a_proof_about_a_formula_is_shown_in_variables(desk: Path, capsys: Captured) -> None:
    assert run(["proof", "show", "f.cnf", "p.drat"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "    1  add -x1 or x2"


def test_a_longer_proof_is_cut_off_and_that_is_said(desk: Path, capsys: Captured) -> None:
    assert run(["proof", "show", "board.txt", "p.drat", "--max-steps", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == STEPS.splitlines()[:3]
    assert err == "the first 2 of 4 steps; --max-steps shows more\n"


def test_json_says_whether_all_steps_are_there(desk: Path, capsys: Captured) -> None:
    deleted = {"step": 2, "kind": "delete", "clause": ["r1c1=T", "r1c2=G"]}
    empty = {"step": 4, "kind": "add", "clause": []}
    for most, complete, last in (("2", False, deleted), ("4", True, empty)):
        run(["proof", "show", "board.txt", "p.drat", "--max-steps", most, "--format", "json", "-q"])
        record = json.loads(capsys.readouterr().out)
        assert (record["added"], record["deleted"], record["complete"]) == (3, 1, complete)
        assert record["steps"][-1] == last


def test_auxiliary_variables_keep_their_numbers(desk: Path, capsys: Captured) -> None:
    (desk / "p.drat").write_text("9 -1 0\n", encoding="utf-8")
    run(["proof", "show", "board.txt", "p.drat", "--encoding", "totalizer"])
    assert capsys.readouterr().out.endswith("    1  add x9 or r1c1=G\n")


def test_an_output_file_takes_the_steps(desk: Path, capsys: Captured) -> None:
    assert run(["proof", "show", "board.txt", "p.drat", "-o", "steps.txt"]) == 0
    assert capsys.readouterr() == ("", "steps.txt: 4 of 4 steps\n")
    assert (desk / "steps.txt").read_text(encoding="utf-8") == STEPS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["board.txt", "missing.drat"], "missing.drat: no such file"),
        (["board.txt", "board.txt"], "board.txt: line 1: expected"),
        (["f.cnf", "p.drat", "--traps", "3"], "--traps is about boards, but f.cnf is a formula"),
        (["board.txt", "p.drat", "--encoding", "laddre"], "no encoding named 'laddre'"),
    ],
)
def test_bad_input_is_one_line_and_returns_2(
    arguments: list[str], message: str, desk: Path, capsys: Captured
) -> None:
    assert run(["proof", "show", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
