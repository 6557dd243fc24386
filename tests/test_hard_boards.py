"""Our hard boards: those within reach of clause learning get their verdict in so many conflicts."""

import csv
from pathlib import Path

import pytest

from gemhunter.core.checker import check
from gemhunter.core.grid import HIDDEN
from gemhunter.formats.text import read_grid
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import Refuted, Solved

FOLDER = Path(__file__).parents[1] / "boards" / "hard"
FACTS = {row["file"]: row for row in csv.DictReader((FOLDER / "index.csv").read_text("utf-8").splitlines())}

IN_REACH = {
    "01_altsum_21x21_unsat.txt": ["pysat:cadical153", "pysat:glucose4"],
    "03_altsum_41x41_sat.txt": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "04_mutilated12_23x23_unsat.txt": ["pysat:cadical153"],
    "06_tseitin14_85x85_unsat.txt": ["pysat:glucose4"],
    "08_tseitin24_145x145_sat.txt": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "09_even_100x100_sat.txt": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "12_rand20_count55_unsat.txt": ["pysat:cadical153", "pysat:glucose4", "pysat:minisat22"],
    "13_rand20_count56_sat.txt": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "16_kaye_wire_3x3000_sat.txt": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "17_rand200_oneclue_unsat.txt": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
}
"""Which engines decide which boards with fewer than `CONFLICTS`, several times fewer in fact."""

CONFLICTS = 500_000


@pytest.mark.parametrize("file", FACTS)
def test_every_board_is_as_the_index_says(file: str) -> None:
    facts, grid = FACTS[file], read_grid(FOLDER / file)
    unknowns = int((grid.cells == HIDDEN).sum())
    clues = int((grid.cells >= 0).sum())
    counted = (grid.rows, grid.cols, unknowns, clues, grid.cells.size - unknowns - clues)
    names = ("rows", "cols", "unknowns", "clues", "prefilled")
    assert counted == tuple(int(facts[name]) for name in names)


@pytest.mark.parametrize(
    ("file", "name"), [(file, name) for file, names in IN_REACH.items() for name in names]
)
def test_a_board_within_reach_gets_its_verdict(file: str, name: str) -> None:
    facts, grid = FACTS[file], read_grid(FOLDER / file)
    traps = int(facts["global_traps"]) if facts["global_traps"] else None
    outcome = solve(grid, name, traps=traps, step_limit=CONFLICTS, seed=1).outcome
    if facts["expected"] == "SAT":
        assert isinstance(outcome, Solved)
        assert check(grid, outcome.solution.fill(grid), traps) == []
    else:
        assert isinstance(outcome, Refuted)
