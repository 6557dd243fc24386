"""The sources to the letter: S3's clauses and its large board, S4's formulas, and the public API."""

import json
import re
from math import comb
from pathlib import Path

import pytest
from hypothesis import given

import oracles
from gemhunter import Grid, Solved, encode, parse_grid, read_grid, solve
from gemhunter.cli.main import run
from gemhunter.cnf.accounts import clause_sum
from gemhunter.errors import InputError
from gemhunter.files.samples import boards_folder
from source_boards import S4_BOARDS
from strategies import Planted, any_grids, small_boards

Captured = pytest.CaptureFixture[str]


def untouched(grid: Grid) -> list[oracles.Place]:
    """The hidden cells without a clue next to them."""
    marks = oracles.marks_of(grid)
    return [
        place
        for place in oracles.hidden_places(marks)
        if not any(marks[row][col].isdigit() for row, col in oracles.neighbours(marks, place))
    ]


def plain_sum(grid: Grid) -> int:
    """Σ(C(n,k+1) + C(n,n-k+1)) + E, by the definition; a clue that cannot hold has the empty clause."""
    marks, total = oracles.marks_of(grid), 0
    for row, col in oracles.places(marks):
        if marks[row][col].isdigit():
            around = [marks[r][c] for r, c in oracles.neighbours(marks, (row, col))]
            n, k = around.count("_"), int(marks[row][col]) - around.count("T")
            total += comb(n, k + 1) + comb(n, n - k + 1) if 0 <= k <= n else 1
    return total + len(untouched(grid))


@pytest.mark.parametrize("variables", ["hidden", "all"])
@given(grid=any_grids())
def test_s3_untouched_units_adds_the_unit_clause_of_every_hidden_cell_that_no_clue_touches(
    variables: str, grid: Grid
) -> None:
    marks = oracles.marks_of(grid)
    numbered = oracles.places(marks) if variables == "all" else oracles.hidden_places(marks)
    plain = encode(grid, variables=variables, keep_duplicates=True)  # type: ignore[arg-type]
    units = encode(grid, variables=variables, keep_duplicates=True, untouched="units")  # type: ignore[arg-type]
    added = [[-(numbered.index(place) + 1)] for place in untouched(grid)]
    assert units.clauses() == plain.clauses() + added


@given(grid=any_grids())
def test_s3_total_is_the_sum_over_clues_plus_e(grid: Grid) -> None:
    found = clause_sum(grid, untouched="units")
    kept = encode(grid, untouched="units", keep_duplicates=True)
    assert found.total == plain_sum(grid) == kept.size
    assert found.distinct == encode(grid, untouched="units").size
    assert found.untouched == len(untouched(grid))


@given(board=small_boards())
def test_the_sum_has_a_line_for_a_total(board: Planted) -> None:
    found = clause_sum(board.grid, "all", total=board.traps)
    assert found.total == encode(board.grid, variables="all", total=board.traps, keep_duplicates=True).size
    assert (found.of_total > 0) <= (board.traps is not None)


@given(board=small_boards())
def test_unit_clauses_for_untouched_cells_take_no_solution_from_the_others(board: Planted) -> None:
    cells = range(1, encode(board.grid).variables + 1)
    hidden = oracles.hidden_places(oracles.marks_of(board.grid))
    free = {hidden.index(place) for place in untouched(board.grid)}
    gems_there = {
        assignment
        for assignment in oracles.all_solutions(board.grid)
        if not any(assignment[place] for place in free)
    }
    assert oracles.projected_models(encode(board.grid, untouched="units").clauses(), cells) == gems_there


def test_s3_cnf_prints_the_sum_by_clue(desk: Path, capsys: Captured) -> None:
    (desk / "board.txt").write_text("_, 1, T, _, _\n_, 2, _, _, _\n", encoding="utf-8")
    assert run(["cnf", "board.txt", "--untouched", "units", "--sum"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "cell  clue  n  k  C(n,k+1)  C(n,n-k+1)  clauses",
        "r1c2  1     3  0  3         0           3",
        "r2c2  2     3  1  3         1           4",
        "  7 for the clues",
        "+ 4 for the unknown cells that no clue touches, a unit clause each",
        "= 11 clauses, 11 without duplicates",
    ]
    run(["cnf", "board.txt", "--untouched", "units", "--sum", "--format", "json"])
    record = json.loads(capsys.readouterr().out)
    assert list(record["clues"][1]) == ["cell", "clue", "n", "k", "upper", "lower", "clauses"]
    assert list(record["clues"][1].values()) == ["r2c2", 2, 3, 1, 3, 1, 4]
    assert (record["of_clues"], record["untouched"], record["total"]) == (7, 4, 11)
    run(["cnf", "board.txt", "--untouched", "units"])
    assert "p cnf 7 11\n" in capsys.readouterr().out


def test_without_unit_clauses_the_sum_says_how_to_add_them(desk: Path, capsys: Captured) -> None:
    (desk / "board.txt").write_text("_, 1, _, _\n", encoding="utf-8")
    run(["cnf", "board.txt", "--sum"])
    assert capsys.readouterr().out.splitlines()[2:] == [
        "  2 for the clues",
        "+ 0 for 1 unknown cell that no clue touches (--untouched units adds one clause for each)",
        "= 2 clauses, 2 without duplicates",
    ]


@pytest.mark.parametrize(("board", "clauses"), S4_BOARDS.items())
def test_the_sum_gives_s4s_clause_counts(desk: Path, capsys: Captured, board: str, clauses: int) -> None:
    (desk / "s4.txt").write_text(board.replace("/", "\n"), encoding="utf-8")
    run(["cnf", "s4.txt", "--zero", "unknown", "--variables", "all", "--sum"])
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"= {clauses} clauses, ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format", "json"], "json needs --sum"),
        (["--sum", "--encoding", "totalizer"], "--sum counts binomial clauses, not those of totalizer"),
        (["--untouched", "units", "--traps", "1"], "leave out the total or the unit clauses"),
    ],
)
def test_options_of_cnf_that_do_not_go_together(
    desk: Path, capsys: Captured, words: list[str], message: str
) -> None:
    (desk / "board.txt").write_text("_, 1, _\n", encoding="utf-8")
    assert run(["cnf", "board.txt", *words]) == 2
    assert message in capsys.readouterr().err


def test_an_unknown_way_with_untouched_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="untouched is 'none' or 'units', not 'some'"):
        encode(parse_grid("_"), untouched="some")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a total may need traps"):
        encode(parse_grid("_"), untouched="units", total=0)


@pytest.mark.parametrize(
    ("engine", "steps"),
    [
        ("pysat:glucose4", 1000),
        ("cdcl:pick=random", 1000),
        ("cdcl", 1000),
        ("backtracking:most-constrained", 1000),
        ("backtracking:most-constrained,value=trap", 1000),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_s3_every_engine_of_its_table_finishes_the_shipped_66x66_board(
    engine: str, steps: int, seed: int
) -> None:
    grid = read_grid(boards_folder() / "board-66x66.txt")
    assert (grid.rows, grid.cols) == (66, 66)
    assert isinstance(solve(grid, engine, step_limit=steps, seed=seed).outcome, Solved)


@pytest.mark.parametrize(
    "engine",
    [
        *("pysat:minisat22", "pysat:glucose4", "cdcl", "dpll", "genetic"),
        *("backtracking:clauses", "brute-force:clauses"),
    ],
)
def test_s4_dimacs_in_solve_gives_any_clause_engine_a_formula(desk: Path, engine: str) -> None:
    (desk / "s4.txt").write_text("0020\n2020\n0300\n0001\n", encoding="utf-8")
    run(["cnf", "s4.txt", "--zero", "unknown", "--variables", "all", "--keep-duplicates", "-o", "s4.cnf"])
    assert run(["solve", "s4.cnf", "-e", engine, "--format", "sat", "-o", "model"]) == 10
    assert re.fullmatch(r"s SATISFIABLE\nv( -?\d+){16} 0\n", (desk / "model").read_text(encoding="utf-8"))
    assert run(["cnf", "s4.txt", "--model", "model", "--zero", "unknown", "--variables", "all"]) == 0


def test_s4_formulas_have_json_proofs_limits_and_traces_in_variables(desk: Path, capsys: Captured) -> None:
    board = boards_folder() / "no-solution-5x5.txt"
    run(["cnf", str(board), "-o", "f.cnf"])
    assert run(["solve", "f.cnf", "-e", "cdcl", "--format", "json", "-o", "f.drat"]) == 1
    assert json.loads(capsys.readouterr().out)["outcome"] == "unsatisfiable"
    assert run(["proof", "check", "f.cnf", "f.drat"]) == 0
    assert run(["solve", "f.cnf", "-e", "cdcl", "--step-limit", "1"]) == 3
    assert "s UNKNOWN" in capsys.readouterr().out
    assert run(["trace", "f.cnf", "-e", "dpll", "--format", "jsonl"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(re.fullmatch(r"-?x\d+", event["literal"]) for event in events if "literal" in event)
    assert events[-1] == {"event": "unsatisfiable"}
