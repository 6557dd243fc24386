"""Boards by other people: all are read, and the facts of their index come out the same.

They are not ours to publish, so they are found through `GEMHUNTER_BOARDS`.
"""

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Solver

from campaigns import first_of
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import read_puzzle, untouched_cells
from gemhunter.cnf.encode import encode
from gemhunter.errors import BoardError
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_grid
from gemhunter.questions.forced import Forced, forced, is_unique
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Solved

if "GEMHUNTER_BOARDS" not in os.environ:
    pytest.skip("GEMHUNTER_BOARDS is not set: no boards by other people here", allow_module_level=True)

FOLDER = Path(os.environ["GEMHUNTER_BOARDS"])
FACTS = {row["file"]: row for row in csv.DictReader((FOLDER / "index.csv").read_text("utf-8").splitlines())}
RAW = sorted(path.name for path in (FOLDER / "raw").iterdir())
ENGINES = first_of(
    ["cadical153", "cadical195", "glucose3", "glucose4", "maplechrono", "minicard", "minisat22"]
)
SOLVABLE = [file for file, facts in FACTS.items() if facts["sat"] == "True"]
SMALL = [file for file in SOLVABLE if int(FACTS[file]["unknowns"]) <= 400]


def read(file: str) -> Grid:
    return read_grid(FOLDER / file)


def cells_next_to_a_clue(grid: Grid) -> list[int]:
    """Their variables."""
    return (np.flatnonzero(~untouched_cells(read_puzzle(grid))) + 1).tolist()


def test_the_index_has_all_boards() -> None:
    assert (len(FACTS), set(FACTS)) == (171, {path.name for path in FOLDER.glob("lab-*.txt")})


def test_boards_are_as_the_index_says() -> None:
    for file, facts in FACTS.items():
        grid = read(file)
        cells, clues = grid.cells, grid.cells[grid.cells >= 0]
        counted = {
            "rows": grid.rows,
            "cols": grid.cols,
            "unknowns": np.count_nonzero(cells == HIDDEN),
            "clues": clues.size,
            "prefilled": np.count_nonzero((cells == TRAP) | (cells == GEM)),
            "zero_clues": np.count_nonzero(clues == 0),
            "max_clue": clues.max(initial=0),
            "isolated_unknowns": np.count_nonzero(untouched_cells(read_puzzle(grid))),
        }
        assert {name: str(number) for name, number in counted.items()}.items() <= facts.items(), file


def test_boards_are_written_as_they_were_read() -> None:
    texts = [(FOLDER / file).read_text(encoding="utf-8") for file in FACTS]
    assert [str(parse_grid(text)) for text in texts] == [text.rstrip("\n") for text in texts]


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_solves_exactly_the_boards_that_have_a_solution(name: str) -> None:
    outcomes = {file: solve(read(file), f"pysat:{name}", step_limit=10**6, seed=1).outcome for file in FACTS}
    assert [file for file, outcome in outcomes.items() if isinstance(outcome, GaveUp)] == []
    solved = {file for file, outcome in outcomes.items() if isinstance(outcome, Solved)}
    assert solved == set(SOLVABLE)


def test_clauses_force_as_many_cells_as_the_index_says() -> None:
    for file in SMALL:
        grid, forced = read(file), 0
        with Solver(name="minisat22", bootstrap_with=encode(grid).clauses()) as solver:
            assert solver.solve(), file
            true = set(solver.get_model())
            for cell in cells_next_to_a_clue(grid):
                forced += not solver.solve(assumptions=[-cell if cell in true else cell])
        assert str(forced) == FACTS[file]["forced_cells"], file


def test_forced_cells_and_uniqueness_are_as_the_index_says() -> None:
    for file in SOLVABLE:
        grid, facts = read(file), FACTS[file]
        answer = forced(grid)
        assert isinstance(answer, Forced), file
        assert str(len(answer.traps) + len(answer.gems)) == facts["forced_cells"], file
        assert str(is_unique(grid)) == facts["unique"], file


def test_clauses_have_one_model_on_constrained_cells_where_the_index_says_so() -> None:
    for file in SMALL:
        grid = read(file)
        with Solver(name="minisat22", bootstrap_with=encode(grid).clauses()) as solver:
            solver.solve()
            true = set(solver.get_model())
            solver.add_clause([-cell if cell in true else cell for cell in cells_next_to_a_clue(grid)])
            assert str(not solver.solve()) == FACTS[file]["unique_on_constrained"], file


@pytest.mark.parametrize("file", [file for file in RAW if not file.startswith("ragged")])
def test_a_file_as_its_author_wrote_it_is_read_with_all_its_clues(file: str) -> None:
    zero_is_unknown = file.startswith("zero-is-unknown")
    grid = read_grid(FOLDER / "raw" / file, zero="unknown" if zero_is_unknown else "clue")
    lines = (FOLDER / "raw" / file).read_text(encoding="utf-8").split("\n")
    rows = [line for line in lines if line.strip()][file.startswith("size-header") :]
    digits = "12345678" if zero_is_unknown else "012345678"
    assert grid.rows == len(rows)
    assert grid.cells[grid.cells >= 0].tolist() == [int(sign) for sign in "".join(rows) if sign in digits]


@pytest.mark.parametrize(("file", "line"), [("ragged-1.txt", 8), ("ragged-2.txt", 10), ("ragged-3.txt", 7)])
def test_a_ragged_file_is_refused_with_the_line_at_fault(file: str, line: int) -> None:
    with pytest.raises(BoardError, match="as in most rows") as caught:
        read_grid(FOLDER / "raw" / file)
    assert [fault.line for fault in caught.value.faults] == [line]
