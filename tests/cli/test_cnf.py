"""`gemhunter cnf`: a board as a formula, and a solver's model back on the board."""

from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Glucose4

from gemhunter.cli.main import run

Captured = pytest.CaptureFixture[str]

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board."""
    (desk / "board.txt").write_text(BOARD, encoding="utf-8")
    return desk


@pytest.mark.parametrize("variables", ["hidden", "all"])
@pytest.mark.parametrize("encoding", ["binomial", "totalizer"])
@pytest.mark.parametrize("total", [[], ["--traps", "4"]])
def test_a_model_of_the_formula_decodes_to_the_answer(
    desk: Path, capsys: Captured, variables: str, encoding: str, total: list[str]
) -> None:
    how = ["--variables", variables, *total]
    assert run(["cnf", "board.txt", "--encoding", encoding, "-o", "board.cnf", *how]) == 0
    with Glucose4(bootstrap_with=CNF(from_file="board.cnf")) as solver:
        assert solver.solve()
        model = " ".join(map(str, solver.get_model()))
    (desk / "model").write_text(f"s SATISFIABLE\nv {model} 0\n", encoding="utf-8")
    assert run(["cnf", "board.txt", "--model", "model", *how]) == 0
    assert capsys.readouterr().out == ANSWER


def test_a_model_of_a_formula_with_other_variables_says_how_they_differ(desk: Path, capsys: Captured) -> None:
    (desk / "model").write_text("v -1 2 -3 -4 5 6 -7 -8 9 -10 -11 -12 0\n", encoding="utf-8")
    assert run(["cnf", "board.txt", "--model", "model"]) == 2
    assert "it names 12 variables, but with these options 7 stand for cells" in capsys.readouterr().err
    assert run(["cnf", "board.txt", "--model", "model", "--variables", "all"]) == 0


def test_comments_name_the_cell_of_each_variable(desk: Path, capsys: Captured) -> None:
    run(["cnf", "board.txt"])
    assert "c 3 r2c1\n" in capsys.readouterr().out


def test_s4_counts_come_from_the_command_line(desk: Path, capsys: Captured) -> None:
    (desk / "s4.txt").write_text("0020\n2020\n0300\n0001\n", encoding="utf-8")
    run(["cnf", "s4.txt", "--variables", "all", "--keep-duplicates", "--zero", "unknown"])
    assert "p cnf 16 81\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("model", "code", "words"),
    [
        ("s UNSATISFIABLE\n", 1, "no solution"),
        ("s UNKNOWN\n", 3, "gave up"),
        ("nothing here\n", 2, "no model found"),
        ("v 1 x 0\n", 2, "other than literals"),
        ("v -1 -2 -3 -4 -5 -6 -7 0\n", 2, "not a model of this board: r1c1 says 3"),
    ],
)
def test_other_output_is_told_apart(desk: Path, capsys: Captured, model: str, code: int, words: str) -> None:
    (desk / "model").write_text(model, encoding="utf-8")
    assert run(["cnf", "board.txt", "--model", "model"]) == code
    assert words in capsys.readouterr().err
