"""Every built-in engine: conformance, planted boards, contradictions, and cells that nothing constrains."""

import os
import subprocess
import sys
from importlib.util import find_spec
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from gemhunter.board.checker import check
from gemhunter.board.puzzle import read_puzzle
from gemhunter.engines.backtracking import CELL_ORDERS
from gemhunter.engines.dpll import DPLL_ORDERS
from gemhunter.engines.pysat import SOLVERS
from gemhunter.files.text import parse_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.events import LearningScheme
from gemhunter.solving.outcomes import Refuted, Solved
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
from gemhunter.testing import check_engine
from strategies import Planted, planted_boards, small_boards

HERE = [f"pysat:{name}" for name, solver in SOLVERS.items() if solver.control != "process"]
"""Engines that search in this process, so many boards take little time."""

APART = [f"pysat:{name}" for name, solver in SOLVERS.items() if solver.control == "process"]
"""Engines that start a process for each board; all tests but one need `./test --full` for them."""


def engine(name: str, package: str, *marks: pytest.MarkDecorator) -> object:
    """An engine as a test parameter, skipped where a package it needs is missing."""
    missing = bool(package) and find_spec(package) is None
    skip = pytest.mark.skipif(missing, reason=f"{name} needs the package {package}")
    return pytest.param(name, marks=(skip, *marks))


OURS = [
    *("brute-force", "backtracking:most-constrained", "backtracking:reading", "dpll", "cdcl"),
    *("brute-force:order=counting,value=trap", "backtracking:reading,value=trap", "dpll:value=trap"),
    *(
        "cdcl:value=trap",
        "cdcl:pick=random",
        "cdcl:pick=first",
        "backtracking:clauses",
        "brute-force:clauses",
    ),
]
"""Engines written here."""

VARIANTS = [
    *(f"brute-force:{order},value={value}" for order in ("gray", "counting") for value in ("gem", "trap")),
    *(f"backtracking:{order},value={value}" for order in CELL_ORDERS for value in ("gem", "trap")),
    *("backtracking:clauses,prune", "backtracking:clauses,prune,value=gem"),
    *(f"dpll:{order}{more}" for order in DPLL_ORDERS for more in ("", ",pure-literals", ",value=trap")),
    *(f"cdcl:learn={scheme}" for scheme in get_args(LearningScheme)),
]
"""Engines written here, under the settings that change their search."""

MAY_BE_STUCK = ["resolution", "resolution:width=1", "resolution:width=0"]
"""Engines written here that give up where there is a choice."""

PYSAT_APART = [engine(name, SOLVERS[name.removeprefix("pysat:")].package) for name in APART]
PYSAT = [
    *(engine(f"pysat:{name}", SOLVERS[name].package) for name in SOLVERS if f"pysat:{name}" in HERE),
    *(engine(name, SOLVERS[name.removeprefix("pysat:")].package, pytest.mark.full) for name in APART),
]
CP_SAT = engine("cp-sat", "ortools")
COMPLETE = [*PYSAT, *OURS, CP_SAT]
INCOMPLETE = ["genetic:generations=200", "local-search:cap=1000"]
"""Engines that cannot refute every board, and would take long to give up."""

ALL = [*COMPLETE, *INCOMPLETE]
EVERY = [*ALL, *MAY_BE_STUCK]


@pytest.mark.parametrize("name", [*HERE, *OURS, CP_SAT, *INCOMPLETE, *MAY_BE_STUCK])
def test_every_engine_keeps_the_promises_of_an_engine(name: str) -> None:
    check_engine(name)


@pytest.mark.parametrize("name", PYSAT_APART)
def test_an_engine_in_another_process_keeps_the_promises_of_an_engine(name: str) -> None:
    check_engine(name, boards=3)


@pytest.mark.parametrize("name", ["pysat", "auto", "local-search"])
@given(data=st.data(), planted=planted_boards(rows=12, cols=14))
def test_a_planted_board_is_solved(name: str, data: st.DataObject, planted: Planted) -> None:
    engine = data.draw(st.sampled_from(HERE)) if name == "pysat" else name
    outcome = solve(planted.grid, engine, total=planted.traps, seed=1).outcome
    assert isinstance(outcome, Solved)
    assert check(planted.grid, outcome.solution.fill(planted.grid), planted.traps) == []


@pytest.mark.parametrize("name", ["pysat", CP_SAT, *VARIANTS])
@given(data=st.data(), planted=small_boards())
def test_a_board_is_solved_exactly_if_trying_every_filling_finds_one(
    name: str, data: st.DataObject, planted: Planted
) -> None:
    engine = data.draw(st.sampled_from(HERE)) if name == "pysat" else name
    outcome = solve(planted.grid, engine, total=planted.traps, seed=1).outcome
    solutions = oracles.all_solutions(planted.grid, planted.traps)
    match outcome:
        case Solved(solution):
            assert tuple(solution.traps.tolist()) in solutions
        case _:
            assert isinstance(outcome, Refuted)
            assert not solutions


@pytest.mark.parametrize("name", COMPLETE)
def test_a_contradiction_between_clues_is_refuted(name: str) -> None:
    boards = [
        ("_, _, 1, _\n2, _, 1, _\n_, _, 1, 2", None),
        ("1, _, _\n0, _, _", None),
        ("_, 1, _, _, 1, _", 3),
    ]
    for board, traps in boards:
        assert isinstance(solve(parse_grid(board), name, total=traps, seed=1).outcome, Refuted), board


@pytest.mark.parametrize("name", EVERY)
def test_cells_that_nothing_constrains_become_gems(name: str) -> None:
    filled = solve(parse_grid("1, _, _, _\nG, G, _, _"), name, seed=1).filled
    assert str(filled) == "1, T, G, G\nG, G, G, G"


@pytest.mark.parametrize("name", EVERY)
def test_a_board_without_clues_becomes_all_gems(name: str) -> None:
    assert str(solve(parse_grid("_, _, T\n_, G, _"), name, seed=1).filled) == "G, G, T\nG, G, G"


@pytest.mark.parametrize("name", EVERY)
def test_a_board_without_hidden_cells_is_its_own_answer(name: str) -> None:
    assert str(solve(parse_grid("1, T, 1"), name, seed=1).filled) == "1, T, 1"


@pytest.mark.parametrize("name", ALL)
def test_the_total_is_kept_where_clues_leave_a_choice(name: str) -> None:
    for traps in (1, 3, 5):
        filled = solve(parse_grid("1, _, _, _\nT, G, _, _"), name, total=traps, seed=1).filled
        assert str(filled).count("T") == traps


@pytest.mark.parametrize("name", [*HERE, *MAY_BE_STUCK, CP_SAT])
@pytest.mark.parametrize("board", ["1", "0, T", "0, T, _", "5, _", "1, G, _"])
def test_an_impossible_region_is_refuted_even_if_an_engine_is_asked_directly(name: str, board: str) -> None:
    outcome = get_engine(name).solve(read_puzzle(parse_grid(board)), Run(seed=1))
    assert isinstance(outcome, Refuted)


@pytest.mark.parametrize("name", PYSAT)
def test_clauses_and_variables_are_counted(name: str) -> None:
    counters = solve(parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"), name, seed=1).counters
    assert counters["variables"] == 7


def test_no_engine_imports_anything_while_its_clock_runs() -> None:
    program = """
import sys
from gemhunter.board.puzzle import read_puzzle
from gemhunter.files.text import parse_grid
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
puzzle = read_puzzle(parse_grid("1, _, 1\\n_, _, _\\n1, _, 1"))
puzzle.cells
for name in "backtracking dpll tables cdcl genetic local-search resolution".split():
    engine = get_engine(name)
    before = set(sys.modules)
    engine.solve(puzzle, Run())
    if late := set(sys.modules) - before:
        sys.exit(f"{name} imports {late}")
"""
    environment = {**os.environ, "GEMHUNTER_COMPILE": "never"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
