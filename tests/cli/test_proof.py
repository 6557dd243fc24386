"""`gemhunter solve -o FILE.drat`, `gemhunter proof check` and `gemhunter proof show`."""

import io
import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.cnf.drat import is_binary
from gemhunter.solving.outcomes import GaveUp, StopReason
from places import HARD

Captured = pytest.CaptureFixture[str]

SOLVABLE = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
REFUTED = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1\n"
HARD_BOARD = HARD / "02_altsum_41x41_unsat.txt"
CADICAL = pytest.mark.skipif(shutil.which("cadical") is None, reason="cadical is not installed here")


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board that has a solution and one that has none."""
    (desk / "board.txt").write_text(SOLVABLE, encoding="utf-8")
    (desk / "refuted.txt").write_text(REFUTED, encoding="utf-8")
    return desk


def test_a_proof_is_written_and_accepted(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "refuted.txt", "-o", "p.drat"]) == 1
    steps = (desk / "p.drat").read_text("utf-8").count("\n")
    assert capsys.readouterr().err == f"p.drat: {steps} steps\n"
    assert run(["proof", "check", "refuted.txt", "p.drat"]) == 0
    assert capsys.readouterr().out.startswith("p.drat: accepted: ")


def test_a_proof_is_about_the_total_too(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "board.txt", "--traps", "6", "-o", "p.drat"]) == 1
    assert run(["proof", "check", "board.txt", "p.drat", "--traps", "6"]) == 0
    assert run(["proof", "check", "board.txt", "p.drat"]) == 1


def test_a_changed_proof_is_rejected_with_the_line_of_the_fault(desk: Path, capsys: Captured) -> None:
    run(["solve", "refuted.txt", "-o", "p.drat"])
    lines = (desk / "p.drat").read_text("utf-8").splitlines(keepends=True)
    (desk / "p.drat").write_text("c changed\n7 0\n" + "".join(lines), "utf-8")
    capsys.readouterr()
    assert run(["proof", "check", "refuted.txt", "p.drat"]) == 1
    assert "p.drat: rejected at step 1 (line 2): the clause does not follow" in capsys.readouterr().out
    (desk / "p.drat").write_text("".join(lines[:3]), "utf-8")
    assert run(["proof", "check", "refuted.txt", "p.drat"]) == 1
    assert "p.drat: rejected: all steps follow, but" in capsys.readouterr().out


def test_check_and_show_count_the_clauses_added_alike(desk: Path, capsys: Captured) -> None:
    (desk / "units.cnf").write_text("p cnf 3 2\n1 0\n-1 0\n", "utf-8")
    (desk / "needless.drat").write_text("2 0\n-3 2 0\nd 2 0\n0\n", "utf-8")
    run(["solve", "refuted.txt", "-o", "p.drat", "-q"])
    for subject, file, added, said in (
        ("units.cnf", "needless.drat", 3, "none needed: unit propagation alone finds the contradiction\n"),
        ("refuted.txt", "p.drat", 29, "the first 28 checked: unit propagation then finds the contradiction"),
    ):
        capsys.readouterr()
        assert run(["proof", "check", subject, file]) == 0
        assert f"{file}: accepted: {added} clauses added, {said}" in capsys.readouterr().out
        assert run(["proof", "show", subject, file]) == 0
        assert f"{file}: {added} clauses added, " in capsys.readouterr().out
        for verb in ("check", "show"):
            run(["proof", verb, subject, file, "--format", "json", "-q"])
            assert json.loads(capsys.readouterr().out)["added"] == added


def test_json_has_the_same(desk: Path, capsys: Captured) -> None:
    run(["solve", "refuted.txt", "-o", "p.drat"])
    capsys.readouterr()
    run(["proof", "check", "refuted.txt", "p.drat", "--format", "json"])
    record = json.loads(capsys.readouterr().out)
    assert (record["board"], record["proof"], record["verdict"]) == ("refuted.txt", "p.drat", "accepted")
    assert record["checked"] > 0
    (desk / "p.drat").write_text("1 0\n", "utf-8")
    run(["proof", "check", "refuted.txt", "p.drat", "--format", "json"])
    record = json.loads(capsys.readouterr().out)
    assert (record["verdict"], record["step"], record["place"]) == ("rejected", 1, "line 1")


def test_a_proof_can_come_from_standard_input(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(["solve", "refuted.txt", "-o", "p.drat"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((desk / "p.drat").read_bytes())))
    assert run(["proof", "check", "refuted.txt", "-"]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "note"),
    [
        (["board.txt"], 0, "p.drat: not written, the board has a solution"),
        ([str(HARD_BOARD), "--step-limit", "10"], 3, "p.drat: not written, the engine gave up"),
        (["refuted.txt", "-e", "brute-force"], 2, "error: brute-force writes no proofs; `gemhunter engines`"),
        (["refuted.txt", "-e", "cmd:no-such-program {proof}"], 4, "no program named"),
        (["refuted.txt", "board.txt"], 2, "error: a proof is about one board and one engine"),
        (["refuted.txt", "-e", "pysat:g3", "-e", "pysat:g4"], 2, "a proof is about one board and one engine"),
        (["."], 2, "a proof is about one board and one engine"),
    ],
)
def test_where_there_is_no_proof_no_file_is_written(
    desk: Path, capsys: Captured, arguments: list[str], code: int, note: str
) -> None:
    assert run(["solve", *arguments, "-o", "p.drat"]) == code
    assert note in capsys.readouterr().err
    assert not (desk / "p.drat").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1 2\n", "error: p.drat: line 1: the last step is cut off"),
        (b"1 x 0\n", "error: p.drat: line 1: expected a literal or 0, found 'x'"),
        (b"a\x02", "error: p.drat: offset 2: the last step is cut off"),
    ],
)
def test_a_file_that_is_no_proof_is_bad_input(
    desk: Path, capsys: Captured, content: bytes, message: str
) -> None:
    (desk / "p.drat").write_bytes(content)
    assert run(["proof", "check", "refuted.txt", "p.drat"]) == 2
    assert message in capsys.readouterr().err


def test_missing_files_and_commands_are_bad_input(desk: Path, capsys: Captured) -> None:
    assert run(["proof", "check", "refuted.txt", "no.drat"]) == 2
    assert "no.drat: no such file or directory" in capsys.readouterr().err
    assert run(["proof"]) == 2
    assert run(["proof", "chek"]) == 2


@CADICAL
@pytest.mark.parametrize("options", ["", "--no-binary"])
def test_a_program_can_write_the_proof(desk: Path, capsys: Captured, options: str) -> None:
    engine = f"cmd:cadical -q {options} {{in}} {{proof}}"
    assert run(["solve", "refuted.txt", "-e", engine, "-o", "p.drat"]) == 1
    assert run(["proof", "check", "refuted.txt", "p.drat"]) == 0
    assert run(["solve", "refuted.txt", "-e", engine]) == 1


@CADICAL
@pytest.mark.parametrize("encoding", ["binomial", "totalizer"])
def test_the_proof_of_another_solver_is_accepted(desk: Path, encoding: str) -> None:
    run(["cnf", "refuted.txt", "--encoding", encoding, "-o", "p.cnf"])
    subprocess.run(["cadical", "-q", "p.cnf", "p.drat"], check=False, capture_output=True)
    assert is_binary((desk / "p.drat").read_bytes())
    assert run(["proof", "check", "refuted.txt", "p.drat", "--encoding", encoding]) == 0


def test_progress_is_shown_on_a_terminal(desk: Path) -> None:
    assert run(["solve", "refuted.txt", "-o", "p.drat"]) == 1
    code = "import gemhunter.cli.progress as s; s.PATIENCE_SECONDS = s.REDRAW_SECONDS = 0\n"
    code += "from gemhunter.cli.main import main; main()"
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", code, "proof", "check", "refuted.txt", "p.drat"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=False,
    )
    os.close(theirs)
    assert done.returncode == 0
    assert "p.drat" in os.read(ours, 100_000).decode()


def test_a_limit_that_is_reached_is_neither_acceptance_nor_rejection(
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["solve", "refuted.txt", "-o", "p.drat", "-q"]) == 1
    capsys.readouterr()
    assert run(["proof", "check", "refuted.txt", "p.drat", "--time-limit", "60", "--format", "json"]) == 0
    capsys.readouterr()
    gave_up = GaveUp(StopReason.TIME)
    monkeypatch.setattr("gemhunter.cli.proof.check_formula_proof", lambda *_, **__: gave_up)
    assert run(["proof", "check", "refuted.txt", "p.drat"]) == 3
    assert capsys.readouterr().out == "p.drat: gave up: time limit reached\n"


SMALL = "_, _, 1\n1, _, _\n"
PROOF = "-1 2 0\nd 1 -2 0\n-3 0\n0\n"

STEPS = """p.drat: 3 clauses added, 1 deleted
    1  add r1c1=G or r1c2=T
    2  delete r1c1=T or r1c2=G
    3  add r2c2=G
    4  add the empty clause, a contradiction
"""


@pytest.fixture
def steps(desk: Path) -> Path:
    """The current folder, with a board, a formula, and steps that need not be a proof of anything."""
    (desk / "board.txt").write_text(SMALL, encoding="utf-8")
    (desk / "f.cnf").write_text("p cnf 3 1\n1 2 3 0\n", encoding="utf-8")
    (desk / "p.drat").write_text(PROOF, encoding="utf-8")
    return desk


def test_a_short_proof_is_shown_in_cells(steps: Path, capsys: Captured) -> None:
    assert run(["proof", "show", "board.txt", "p.drat"]) == 0
    assert capsys.readouterr() == (STEPS, "")


def test_a_proof_about_a_formula_is_shown_in_variables(steps: Path, capsys: Captured) -> None:
    assert run(["proof", "show", "f.cnf", "p.drat"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "    1  add -x1 or x2"


def test_a_longer_proof_is_cut_off_and_that_is_said(steps: Path, capsys: Captured) -> None:
    assert run(["proof", "show", "board.txt", "p.drat", "--limit", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == STEPS.splitlines()[:3]
    assert err == "the first 2 of 4 steps; --limit shows more\n"


def test_json_says_whether_all_steps_are_there(steps: Path, capsys: Captured) -> None:
    deleted = {"step": 2, "kind": "delete", "clause": ["r1c1=T", "r1c2=G"]}
    empty = {"step": 4, "kind": "add", "clause": []}
    for most, complete, last in (("2", False, deleted), ("4", True, empty)):
        run(["proof", "show", "board.txt", "p.drat", "--limit", most, "--format", "json", "-q"])
        record = json.loads(capsys.readouterr().out)
        assert (record["added"], record["deleted"], record["complete"]) == (3, 1, complete)
        assert record["steps"][-1] == last


def test_auxiliary_variables_keep_their_numbers(steps: Path, capsys: Captured) -> None:
    (steps / "p.drat").write_text("9 -1 0\n", encoding="utf-8")
    run(["proof", "show", "board.txt", "p.drat", "--encoding", "totalizer"])
    assert capsys.readouterr().out.endswith("    1  add x9 or r1c1=G\n")


def test_an_output_file_takes_the_steps(steps: Path, capsys: Captured) -> None:
    assert run(["proof", "show", "board.txt", "p.drat", "-o", "steps.txt"]) == 0
    assert capsys.readouterr() == ("", "steps.txt: 4 of 4 steps\n")
    assert (steps / "steps.txt").read_text(encoding="utf-8") == STEPS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["board.txt", "missing.drat"], "missing.drat: no such file"),
        (["board.txt", "board.txt"], "board.txt: line 1: expected"),
        (["f.cnf", "p.drat", "--traps", "3"], "--traps is about boards, but f.cnf is a formula"),
        (["board.txt", "p.drat", "--encoding", "laddre"], "no encoding named 'laddre'"),
    ],
)
def test_what_cannot_be_shown_is_one_line_and_returns_2(
    arguments: list[str], message: str, steps: Path, capsys: Captured
) -> None:
    assert run(["proof", "show", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
