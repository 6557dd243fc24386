"""`auto`: clue by clue or by parts, answers are the same, limits are kept and conflicting clues are named."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from boards import (
    even_lattice,
    lattice_without_solution,
    one_clue_raised,
    random_board,
    random_board_with_total,
)
from compiled import needs_compiler, output_either_way
from gemhunter.board.board import grid_from_traps
from gemhunter.board.checker import check
from gemhunter.board.grid import Cell, Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.engines.auto import by_parts
from gemhunter.engines.auto.by_parts import conflict_near
from gemhunter.engines.auto.engine import BY_PARTS_CELLS, SMALL_BOARD_CONFLICTS, Auto
from gemhunter.engines.auto.portfolio import FLIPS_PER_STEP
from gemhunter.files.text import parse_grid
from gemhunter.jit.choice import Mode, compiling
from gemhunter.questions.solve import solve
from gemhunter.solving.conflict_sentences import CLUES_NAMED
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run
from gemhunter.testing import check_engine
from strategies import Planted, any_grids, grid_of, planted_boards, small_boards

BY_PARTS = Auto(small=0)
"""Takes every board apart, however small."""


def has_solution(grid: Grid) -> bool:
    clauses = oracles.binomial_clauses(grid, "hidden")
    return bool(oracles.projected_models(clauses, []))


def only_with(grid: Grid, clues: tuple[Cell, ...]) -> Grid:
    """The board with gems in the place of all other clues."""
    marks = oracles.marks_of(grid)
    for row, col in oracles.places(marks):
        if marks[row][col].isdigit() and (row, col) not in clues:
            marks[row][col] = "G"
    return grid_of(marks)


@pytest.mark.parametrize("engine", [Auto(), BY_PARTS])
def test_it_keeps_the_promises_of_an_engine(engine: Auto) -> None:
    check_engine(engine)


def test_it_is_what_the_name_stands_for() -> None:
    assert get_engine("auto") == Auto()


@given(small_boards())
def test_by_parts_a_board_is_solved_exactly_if_it_has_a_solution(planted: Planted) -> None:
    outcome = solve(planted.grid, BY_PARTS, total=planted.traps).outcome
    assert isinstance(outcome, Solved) == bool(oracles.all_solutions(planted.grid, planted.traps))


@given(planted_boards(rows=12, cols=15))
def test_by_parts_a_planted_board_is_solved(planted: Planted) -> None:
    outcome = solve(planted.grid, BY_PARTS, total=planted.traps).outcome
    assert isinstance(outcome, Solved)
    assert check(planted.grid, outcome.solution.fill(planted.grid), planted.traps) == []


@given(any_grids(rows=6, cols=7), st.sampled_from([Auto(), BY_PARTS]))
def test_clues_that_are_named_conflict(grid: Grid, engine: Auto) -> None:
    outcome = solve(grid, engine).outcome
    assert isinstance(outcome, Refuted) != has_solution(grid)
    if isinstance(outcome, Refuted):
        assert outcome.clues
        assert not has_solution(only_with(grid, outcome.clues))


def test_by_parts_and_by_clauses_agree_on_many_random_boards() -> None:
    random = np.random.default_rng(11)
    for number in range(120):
        traps = random.random((7, 11)) < (0.2, 0.35, 0.5)[number % 3]
        codes = grid_from_traps(traps, random.random(traps.shape) < 0.45).cells.copy()
        clues = np.flatnonzero(codes >= 0)
        if number % 2 and clues.size:
            codes.ravel()[random.choice(clues)] += 1
        grid = Grid(np.minimum(codes, 8))
        total = int(traps.sum()) if number % 4 > 1 else None
        answers = {type(solve(grid, engine, total=total).outcome) for engine in (BY_PARTS, "pysat")}
        assert len(answers) == 1, f"total {total} on\n{grid}"


def test_a_refuted_board_names_the_smallest_set_in_a_sentence() -> None:
    outcome = solve(parse_grid("G, _, 1\n_, G, G\n0, _, 1"), "auto").outcome
    assert outcome == Refuted("these clues conflict: r3c1, r3c3", (Cell(2, 0), Cell(2, 2)))


@pytest.mark.parametrize("engine", [Auto(), BY_PARTS])
def test_a_total_that_does_not_fit_is_named(engine: Auto) -> None:
    outcome = solve(parse_grid("1, _, G, _, 1"), engine, total=1).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.reason == "these clues conflict with the total of 1: r1c1, r1c5"


def test_clues_beyond_the_named_ones_are_counted() -> None:
    row = ", ".join(["1", "_"] * (2 * CLUES_NAMED + 1))
    outcome = solve(parse_grid(f"{row}, 0"), BY_PARTS).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.reason.endswith(f" and {len(outcome.clues) - CLUES_NAMED} more")


def test_all_clues_behind_a_combination_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_parts, "PART_GROUPS_LIMIT", 0)
    monkeypatch.setattr(by_parts._PartByPart, "_walk", lambda _: None)
    monkeypatch.setattr(by_parts, "solve_coupled", lambda *_: Refuted("1 clues conflict", (Cell(0, 2),)))
    outcome = solve(parse_grid("0, _, 1, _\nG, G, G, _"), BY_PARTS).outcome
    assert outcome == Refuted(
        "1 clues conflict, given the cells decided by 1 other clue", (Cell(0, 0), Cell(0, 2))
    )


def counters(grid: Grid, engine: str | Auto = "auto") -> set[str]:
    return set(solve(grid, engine).counters)


def test_the_counters_show_how_a_board_was_solved() -> None:
    side = int(BY_PARTS_CELLS**0.5)
    assert {"variables", "constraints"} < counters(random_board(side - 1).grid)
    assert counters(random_board(side).grid) >= {"decided", "parts", "largest_part", "nodes"}


def test_a_small_board_with_many_conflicts_is_taken_apart() -> None:
    found = solve(lattice_without_solution(21, 21), step_limit=SMALL_BOARD_CONFLICTS + 100).counters
    assert {"conflicts", "parts", "flips"} < set(found)


@pytest.mark.parametrize(("density", "shown"), [(0.2, 0.3), (0.4, 0.4)])
def test_large_parts_are_left_to_a_local_search(density: float, shown: float) -> None:
    report = solve(random_board(120, density, shown).grid)
    assert report.counters["flips"] > 0
    assert isinstance(report.outcome, Solved)


def test_a_contradiction_in_a_large_part_is_found_where_the_walk_is_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(by_parts, "PART_GROUPS_LIMIT", 0)
    monkeypatch.setattr(by_parts, "solve_coupled", lambda puzzle, run: GaveUp(StopReason.STUCK))
    grid = random_board(40, 0.3, 0.3, seed=4).grid
    codes = np.full((40, 61), -3, np.int8)
    codes[:, :40] = grid.cells
    codes[9:14, 50:55] = lattice_without_solution(3, 3).cells
    outcome = solve(Grid(codes), BY_PARTS).outcome
    assert isinstance(outcome, Refuted)
    assert {col >= 50 for _, col in outcome.clues} == {True}


def test_a_contradiction_is_found_within_reach_only() -> None:
    codes = parse_grid("G, _, _, _, G\nG, G, G, G, G\n1, _, 1, _, 2").cells
    assert conflict_near(codes, 10, 1) is None
    found = conflict_near(codes, 12, 2)
    assert found is not None
    assert found.tolist() == [10, 12, 14]


def test_a_total_is_met_by_cells_that_no_clue_touches() -> None:
    board = random_board_with_total(110)
    report = solve(board.grid, total=board.total)
    assert isinstance(report.outcome, Solved)
    assert "coupled" not in report.counters


def test_what_the_parts_leave_to_choose_is_settled_with_the_total() -> None:
    grid = parse_grid("1, _, _\n_, _, 1\n_, _, _\nG, 2, _")
    found = {
        total: isinstance(solve(grid, BY_PARTS, total=total).outcome, Solved)
        for total in range(grid.cells.size)
    }
    assert found == {total: bool(oracles.all_solutions(grid, total)) for total in found}


def limit_of(outcome: Outcome) -> StopReason | None:
    return outcome.stop_reason if isinstance(outcome, GaveUp) else None


def test_a_step_limit_counts_nodes_and_what_is_decided_is_kept() -> None:
    report = solve(random_board(120).grid, step_limit=10)
    assert limit_of(report.outcome) is StopReason.STEPS
    assert report.partial is not None
    assert check(report.grid, report.partial) != []


def test_a_solution_that_is_there_when_a_limit_is_reached_is_not_thrown_away() -> None:
    grid = random_board(120).grid
    nodes = solve(grid).counters["nodes"]
    assert isinstance(solve(grid, step_limit=nodes).outcome, Solved)


@pytest.mark.parametrize("steps", [1, 7, 100, 577])
def test_no_more_nodes_are_visited_than_a_step_limit_allows(steps: int) -> None:
    assert solve(random_board(120).grid, step_limit=steps).counters["nodes"] == steps


def test_no_more_flips_are_made_than_a_step_limit_allows() -> None:
    grid = random_board(250, 0.2, 0.3).grid
    found = solve(grid).counters
    limit = found["nodes"] + found["flips"] // FLIPS_PER_STEP // 2
    report = solve(grid, step_limit=limit)
    assert limit_of(report.outcome) is StopReason.STEPS
    assert report.counters["nodes"] + report.counters["flips"] / FLIPS_PER_STEP == limit


def test_a_step_limit_within_the_conflicts_of_a_small_board_is_kept() -> None:
    assert limit_of(solve(even_lattice(61).grid, step_limit=100).outcome) is StopReason.STEPS


def test_a_cancelled_run_ends_by_parts_too() -> None:
    run = Run(cancel=lambda: True)
    assert limit_of(solve(random_board(100).grid, BY_PARTS, run=run).outcome) is StopReason.CANCELLED


def test_a_board_that_would_outgrow_the_memory_limit_is_not_taken_apart() -> None:
    assert limit_of(solve(random_board(100).grid, memory_limit=20_000).outcome) is StopReason.MEMORY


def test_a_temporary_step_limit_ends_with_its_block() -> None:
    run = Run(Limits(steps=50))
    run.spend(20)
    with run.at_most(10):
        assert run.slice(1000) == 10
        assert run.spend(10) is StopReason.STEPS
    assert run.slice(1000) == 20
    with run.at_most(100):
        assert run.slice(1000) == 20


@pytest.mark.parametrize(("density", "shown"), [(0.2, 0.5), (0.2, 0.3), (0.4, 0.4)])
def test_a_raised_clue_is_refuted_by_clues_around_it(density: float, shown: float) -> None:
    board = one_clue_raised(random_board(110, density, shown, seed=2))
    outcome = solve(board.grid).outcome
    assert isinstance(outcome, Refuted)
    assert len(outcome.clues) < 40
    assert not has_solution(only_with(board.grid, outcome.clues))


def test_nodes_grow_in_proportion_to_the_board() -> None:
    amounts = []
    for side in (100, 300):
        found = solve(random_board(side, seed=3).grid).counters
        amounts.append((found["decided"] + found["nodes"]) / side**2)
    assert 0.8 < amounts[1] / amounts[0] < 1.25


@needs_compiler
@given(planted_boards(rows=9, cols=14), st.booleans())
def test_the_answer_does_not_depend_on_what_is_compiled(planted: Planted, with_one_more: bool) -> None:
    # With another total, boards often have no solution, or have to be taken apart.
    total = None if planted.traps is None else planted.traps + with_one_more

    def outcome(mode: Mode) -> Outcome:
        with compiling(mode):
            return solve(planted.grid, total=total).outcome

    assert outcome(Mode.NEVER) == outcome(Mode.ALWAYS)


def test_a_new_process_solves_a_small_board_without_a_compiler() -> None:
    program = (
        "import sys; from gemhunter import solve; from gemhunter.board.board import random_grid;"
        "solve(random_grid(66, 70)); print('numba' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"


def test_the_same_seed_gives_the_same_answer() -> None:
    grid = random_board(130, 0.4, 0.4).grid
    assert solve(grid, seed=5).outcome == solve(grid, seed=5).outcome


def test_a_direct_question_about_an_impossible_clue_is_refuted() -> None:
    outcome = BY_PARTS.solve(read_puzzle(parse_grid("5, _")), Run())
    assert isinstance(outcome, Refuted)


PROGRAM = """
import numpy as np
from gemhunter.engines.auto import by_parts
from gemhunter.engines.auto.engine import Auto
from gemhunter.board.board import grid_from_traps
from gemhunter.questions.solve import solve
random = np.random.default_rng(6)
for number in range(8):
    by_parts.PART_GROUPS_LIMIT = 300 * (number % 2)
    traps = random.random((7, 12)) < 0.35
    report = solve(grid_from_traps(traps, random.random(traps.shape) < 0.4), Auto(small=0))
    print(report.filled, dict(report.counters))
"""


def test_parts_are_solved_the_same_way_compiled_and_uncompiled() -> None:
    printed = output_either_way(PROGRAM)
    assert "flips" in printed
    assert "'nodes': 0" in printed
