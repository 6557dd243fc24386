"""S3's clue 9 and S4's plain numbers: boards that are read, with a warning."""

from pathlib import Path

import numpy as np
import pytest

import gemhunter
from gemhunter.board.grid import Cell, Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cli.main import run
from gemhunter.files.text import parse_grid
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run

NINE = "_, _, _\n_, _, 9\n_, 2, _\n"
WARNING = "warning: nine.txt: r2c3: a clue of 9 can never hold; a cell has at most 8 neighbours\n"
OPEN = parse_grid("_, _, _\n_, 9, _\n_, _, _")
S4_BOARDS = {
    "s4-1.txt": "010\n201\n020\n",
    "s4-2.txt": "0020\n2020\n0300\n0001\n",
    "s4-3.txt": "00000\n20302\n03030\n20302\n00000\n",
    "s4-4.txt": "01000\n01060\n00000\n11100\n00000\n",
    "s4-5.txt": "102000\n000000\n103000\n000220\n020000\n021000\n",
}

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
    """A folder with a board that has a 9."""
    (desk / "nine.txt").write_text(NINE, encoding="utf-8")
    return desk


@pytest.mark.parametrize(
    ("command", "code", "shown"),
    [
        ("analyse nine.txt", 1, "conflicting clues: r2c3"),
        ("solve nine.txt --all", 1, "no solution"),
        ("solve nine.txt --format sat", 20, "s UNSATISFIABLE"),
        ("cnf nine.txt", 0, "\n0\n"),
        ("convert nine.txt", 0, "9"),
        ("solve nine.txt", 1, "the clue 9 at r2c3 cannot hold"),
    ],
)
def test_every_command_warns_of_a_clue_9(
    command: str, code: int, shown: str, desk: Path, capsys: Captured
) -> None:
    assert run(command.split()) == code
    printed = capsys.readouterr()
    assert printed.err == WARNING
    assert shown in printed.out


def test_a_warning_names_five_cells_and_counts_the_others(desk: Path, capsys: Captured) -> None:
    (desk / "nine.txt").write_text("1_9\n9_9\n999\n", encoding="utf-8")
    assert run(["solve", "nine.txt"]) == 1
    assert "r1c3, r2c1, r2c3, r3c1, r3c2 and 1 more: a clue of 9" in capsys.readouterr().err


def test_the_proof_that_a_clue_9_cannot_hold_is_accepted(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "nine.txt", "-o", "nine.drat"]) == 1
    assert run(["proof", "check", "nine.txt", "nine.drat"]) == 0


def test_no_solution_is_the_right_answer_to_a_board_with_a_9(desk: Path, capsys: Captured) -> None:
    (desk / "no.txt").write_text("No solution\n", encoding="utf-8")
    (desk / "filled.txt").write_text("G, T, T\nG, T, 9\nG, 2, T\n", encoding="utf-8")
    assert run(["check", "nine.txt", "no.txt", "filled.txt"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "no.txt: right",
        "filled.txt: wrong",
        "  r2c3 says 9, but touches 4 traps",
    ]


@pytest.mark.parametrize("text", ["_, 10", "_ 12\n_ _", "[[null, 10]]"])
def test_a_larger_number_stays_unreadable(text: str) -> None:
    with pytest.raises(gemhunter.BoardError, match=r"a clue is at most 8, found '1[02]'"):
        parse_grid(text)


@pytest.mark.parametrize(
    "engine",
    [
        *("auto", "brute-force", "backtracking", "backtracking:reading", "dpll", "cdcl", "resolution"),
        *("genetic", "local-search", "tables", "pysat", "pysat:glucose3", "pysat:minicard"),
    ],
)
def test_every_engine_refutes_a_9_even_where_it_is_asked_directly(engine: str) -> None:
    chosen = get_engine(engine)
    outcome = chosen.solve(read_puzzle(OPEN), Run(Limits(steps=100)))
    assert isinstance(outcome, Refuted)
    report = gemhunter.solve(OPEN, engine)
    assert isinstance(report.outcome, Refuted)
    assert report.outcome.clues == (Cell(1, 1),)


def test_nothing_solves_a_9_in_python(desk: Path) -> None:
    grid = gemhunter.read_grid("nine.txt")
    assert gemhunter.count(grid) == 0
    assert list(gemhunter.solutions(grid)) == []
    assert gemhunter.is_unique(grid) is False
    for question in (gemhunter.forced, gemhunter.probabilities, gemhunter.sample):
        assert isinstance(question(grid), Refuted)
    assert isinstance(gemhunter.probabilities_of_many([grid])[0], Refuted)
    assert 0 in np.diff(gemhunter.encode(grid).starts)


def test_a_9_is_written_as_it_was_read(desk: Path, capsys: Captured) -> None:
    assert str(parse_grid(NINE)) == NINE.strip()
    assert Grid(np.array([[9]]))[0, 0] == 9
    run(["convert", "nine.txt", "--format", "compact"])
    assert capsys.readouterr().out == "___\n__9\n_2_\n"


def test_a_9_can_be_drawn(desk: Path, capsys: Captured) -> None:
    assert ">9</text>" in OPEN._repr_svg_()
    assert run(["analyse", "nine.txt", "-o", "heat.svg", "-o", "heat.png"]) == 1
    assert ">9</text>" in (desk / "heat.svg").read_text(encoding="utf-8")
    assert (desk / "heat.png").read_bytes().startswith(b"\x89PNG")


def test_a_mine_file_has_no_9(desk: Path, capsys: Captured) -> None:
    assert run(["convert", "nine.txt", "--format", "mine", "--traps", "3"]) == 2
    assert capsys.readouterr().err.endswith("no sign for r2c3: a clue of 9 can never hold\n")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("9 9\n" + "_ _ _ _ _ _ _ _ _\n" * 9, (9, 9)),
        ("9, 2\n" + "_, _\n" * 9, (9, 2)),
        ("1, 9\n_, _\n", (2, 2)),
        ("9 _\n_ _\n", (2, 2)),
    ],
)
def test_a_first_line_with_a_9_is_the_size_where_it_fits(text: str, shape: tuple[int, int]) -> None:
    assert parse_grid(text).cells.shape == shape


@pytest.mark.parametrize("name", S4_BOARDS)
def test_plain_numbers_without_an_unknown_cell_suggest_zero_unknown(
    name: str, desk: Path, capsys: Captured
) -> None:
    (desk / name).write_text(S4_BOARDS[name], encoding="utf-8")
    assert run(["solve", name]) == 1
    zeros = S4_BOARDS[name].count("0")
    assert capsys.readouterr().err == (
        f"warning: {name}: no unknown cell, but {zeros} zeros; if 0 means unknown here, add --zero unknown\n"
    )
    assert run(["solve", name, "--zero", "unknown"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("text", ["0, _\n", "0, T\n", "1, 2\n"])
def test_other_boards_suggest_nothing_about_zeros(text: str, desk: Path, capsys: Captured) -> None:
    (desk / "board.txt").write_text(text, encoding="utf-8")
    run(["solve", "board.txt"])
    assert capsys.readouterr().err == ""
