"""Our hard boards: those within reach of clause learning get their verdict in so many conflicts."""

import pytest

from gemhunter.bench.suites import load_suite
from gemhunter.board.checker import check
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Refuted, Solved

BOARDS = {board.name: board for board in load_suite("hard").boards}

IN_REACH = {
    "01_altsum_21x21_unsat": ["pysat:cadical153", "pysat:glucose4"],
    "03_altsum_41x41_sat": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "04_mutilated12_23x23_unsat": ["pysat:cadical153"],
    "06_tseitin14_85x85_unsat": ["pysat:glucose4"],
    "08_tseitin24_145x145_sat": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "09_even_100x100_sat": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "12_rand20_count55_unsat": ["pysat:cadical153", "pysat:glucose4", "pysat:minisat22"],
    "13_rand20_count56_sat": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "16_kaye_wire_3x3000_sat": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
    "17_rand200_oneclue_unsat": ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"],
}
"""Which engines decide which boards with fewer than `CONFLICTS`, several times fewer in fact."""

CONFLICTS = 500_000


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        pytest.param(name, engine, marks=[pytest.mark.full] * (engine != engines[-1]))
        for name, engines in IN_REACH.items()
        for engine in engines
    ],
)
def test_a_board_within_reach_gets_its_verdict(name: str, engine: str) -> None:
    grid, total = BOARDS[name].grid, BOARDS[name].total
    outcome = solve(grid, engine, total=total, step_limit=CONFLICTS, seed=1).outcome
    if name.endswith("_unsat"):
        assert isinstance(outcome, Refuted)
    else:
        assert isinstance(outcome, Solved)
        assert check(grid, outcome.solution.fill(grid), total) == []
