"""`gemhunter solve FORMULA.cnf` and its like, as people run them."""

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.cli.printout import value_lines
from gemhunter.cnf.dimacs import parse_output, write_dimacs
from pigeonholes import pigeons

Captured = pytest.CaptureFixture[str]

SATISFIABLE = "p cnf 3 3\n1 2 0\n-1 -2 0\n-2 0\n"
UNSATISFIABLE = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
LIMIT = ["--time-limit", "0.05"]


@pytest.fixture(autouse=True)
def desk(desk: Path) -> Path:
    """The current folder, with formulas of all kinds and a board."""
    (desk / "yes.cnf").write_text(SATISFIABLE, encoding="utf-8")
    (desk / "no.cnf").write_text(UNSATISFIABLE, encoding="utf-8")
    (desk / "hard.cnf").write_text(write_dimacs(pigeons(9)), encoding="utf-8")
    (desk / "bad.cnf").write_text("p cnf 1 1\n1 x 0\n", encoding="utf-8")
    (desk / "board.txt").write_text("_, 1, _\n", encoding="utf-8")
    return desk


@pytest.mark.parametrize(
    ("formula", "limit", "lines", "code", "sat_code"),
    [
        ("yes.cnf", [], ["s SATISFIABLE", "v 1 -2 -3 0"], 0, 10),
        ("no.cnf", [], ["s UNSATISFIABLE"], 1, 20),
        ("hard.cnf", ["--step-limit", "2"], ["s UNKNOWN"], 3, 0),
    ],
)
def test_answers_and_exit_codes(
    capsys: Captured, formula: str, limit: list[str], lines: list[str], code: int, sat_code: int
) -> None:
    assert run(["solve", formula, "-e", "cdcl", *limit]) == code
    comments, answer = capsys.readouterr().out.split("\n", 2)[:2], lines
    assert [line[:2] for line in comments] == ["c ", "c "]
    assert run(["solve", formula, "-e", "cdcl", *limit, "--format", "sat"]) == sat_code
    assert capsys.readouterr().out.splitlines() == answer


def test_comments_name_the_formula_and_the_engine(capsys: Captured) -> None:
    run(["solve", "yes.cnf", "-e", "dpll", "-e", "cdcl"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == lines[4] == "c yes.cnf: 3 variables, 3 clauses"
    assert lines[1].startswith("c [dpll] satisfiable, in ")
    assert lines[5].startswith("c [cdcl] satisfiable, in ")


def test_the_default_engine_for_formulas_is_cadical(capsys: Captured) -> None:
    run(["solve", "yes.cnf", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["engine"] == "pysat:cadical153"


def test_json_has_all_of_it(capsys: Captured) -> None:
    assert run(["solve", "yes.cnf", "no.cnf", "--format", "json"]) == 1
    yes, no = json.loads(capsys.readouterr().out)
    assert (yes["formula"], yes["variables"], yes["clauses"]) == ("yes.cnf", 3, 3)
    assert (yes["outcome"], yes["model"], yes["reason"]) == ("satisfiable", [1, -2, -3], None)
    assert set(yes["seconds"]) == {"read", "encode", "solve", "check"}
    assert (no["outcome"], no["model"]) == ("unsatisfiable", None)


def test_jsonl_is_a_line_per_result_and_tells_why_there_is_no_answer(capsys: Captured) -> None:
    assert run(["solve", "hard.cnf", "-e", "cdcl", "-e", "cmd:nosuch", "--format", "jsonl", *LIMIT]) == 4
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["outcome"] for record in records] == ["gave-up", "failed"]
    assert records[0]["reason"] == "time limit reached"
    assert "no program named 'nosuch'" in records[1]["reason"]


def test_an_engine_that_failed_has_a_comment_and_no_answer(capsys: Captured) -> None:
    assert run(["solve", "yes.cnf", "-e", "cmd:nosuch"]) == 4
    assert "c [cmd:nosuch] failed: no program named 'nosuch'" in capsys.readouterr().out


def test_a_formula_on_standard_input(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(SATISFIABLE.encode())))
    monkeypatch.setattr(sys, "stdin", stream)
    assert run(["solve", "-", "--format", "sat"]) == 10
    assert capsys.readouterr().out == "s SATISFIABLE\nv 1 -2 -3 0\n"


def test_a_bad_formula_does_not_keep_others_from_being_solved(capsys: Captured) -> None:
    assert run(["solve", "bad.cnf", "yes.cnf"]) == 2
    out, err = capsys.readouterr()
    assert err == "error: bad.cnf:2:3: expected a literal or 0, found 'x'\n"
    assert "s SATISFIABLE" in out


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sat", "csv", "md"])
def test_what_would_be_printed_goes_to_a_file_instead(desk: Path, capsys: Captured, form: str) -> None:
    run(["solve", "yes.cnf", "--format", form])
    printed = capsys.readouterr().out
    run(["solve", "yes.cnf", "--format", form, "-o", "out"])
    assert capsys.readouterr() == ("", "out: 1 answer\n")
    written = (desk / "out").read_text(encoding="utf-8")
    assert without_times(written) == without_times(printed)


def without_times(text: str) -> str:
    return re.sub(r"in .*s$|\d(\.\d+)?e-\d+|\d\.\d+", "", text, flags=re.M)


def test_a_table_has_a_row_per_formula_and_engine(desk: Path, capsys: Captured) -> None:
    run(["solve", "yes.cnf", "yes.cnf", "-e", "cdcl", "-e", "dpll", "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["formula"], row["engine"], row["outcome"]) for row in rows] == [
        ("yes.cnf", engine, "satisfiable") for engine in ("cdcl", "dpll", "cdcl", "dpll")
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "yes.cnf", "--traps", "3"], "--traps is about boards, but yes.cnf is a formula"),
        (["solve", "yes.cnf", "--zero", "unknown"], "--zero is about boards"),
        (["solve", "yes.cnf", "--all"], "--all is about boards"),
        (["solve", "yes.cnf", "board.txt"], "yes.cnf is a formula, board.txt is not"),
        (["solve", "yes.cnf", "no.cnf", "--format", "sat"], "--format sat takes one formula and one engine"),
        (
            ["solve", "yes.cnf", "-e", "cdcl", "-e", "dpll", "-o", "p.drat"],
            "a proof is about one formula and one engine",
        ),
        (["solve", "yes.cnf", "-e", "auto"], "auto reads boards, not formulas; engines for formulas: dpll"),
        (["solve", "yes.cnf", "-e", "genetic", "-o", "p.drat"], "genetic writes no proofs"),
        (["solve", "yes.cnf", "-e", "cmd:x", "--step-limit", "3"], "cmd:x has no steps to limit"),
        (["trace", "yes.cnf", "--traps", "3"], "--traps is about boards"),
        (["trace", "yes.cnf", "-e", "resolution"], "resolution reads boards, not formulas"),
        (["proof", "check", "yes.cnf", "p", "--encoding", "ladder"], "--encoding is about boards"),
        (["analyse", "yes.cnf"], "a formula in DIMACS; expected a board; `solve`, `trace` and `proof check`"),
    ],
)
def test_what_does_not_go_with_formulas_is_refused_in_a_line(
    capsys: Captured, words: list[str], message: str
) -> None:
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_a_proof_is_written_and_accepted(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "no.cnf", "-o", "p.drat"]) == 1
    assert "p.drat: " in capsys.readouterr().err
    assert run(["proof", "check", "no.cnf", "p.drat", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["formula"], record["verdict"]) == ("no.cnf", "accepted")
    assert run(["proof", "check", "yes.cnf", "p.drat"]) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [(["yes.cnf"], "the formula has a model"), (["hard.cnf", "--step-limit", "2"], "the engine gave up")],
)
def test_where_there_is_no_proof_the_reason_is_given(
    desk: Path, capsys: Captured, words: list[str], why: str
) -> None:
    run(["solve", *words, "-e", "cdcl", "-o", "p.drat"])
    assert capsys.readouterr().err == f"p.drat: not written, {why}\n"
    assert not (desk / "p.drat").exists()


@pytest.mark.parametrize("variables", [0, 1, 30, 5000])
def test_v_lines_are_short_and_have_every_literal_once(variables: int) -> None:
    model = [(-1) ** name * name for name in range(1, variables + 1)]
    lines = value_lines(model).splitlines()
    assert max(map(len, lines)) <= 78
    assert all(line.startswith("v ") for line in lines)
    assert lines[-1].endswith(" 0")
    assert parse_output("\n".join(lines)).model.tolist() == model


def test_what_solve_prints_about_the_formula_of_a_board_decodes_to_the_board(
    desk: Path, capsys: Captured
) -> None:
    run(["cnf", "board.txt", "-o", "board.cnf"])
    run(["solve", "board.cnf", "-e", "dpll", "-o", "model"])
    capsys.readouterr()
    assert run(["cnf", "board.txt", "--model", "model"]) == 0
    assert capsys.readouterr().out == "G, 1, T\n"


def test_a_conflict_of_a_formula_is_drawn_with_variables(desk: Path, capsys: Captured) -> None:
    assert run(["trace", "hard.cnf", "--limit", "1", "-o", "c.svg", "-o", "c.dot"]) == 0
    assert "-x" in (desk / "c.svg").read_text(encoding="utf-8")
    assert 'label="learned at the first UIP: ' in (desk / "c.dot").read_text(encoding="utf-8")
