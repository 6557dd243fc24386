"""Single clues first, MiniCard for the rest, the total last: answers are right, and refutations sure."""

import pytest
from hypothesis import given

import oracles
from gemhunter.board.checker import check
from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.engines.auto.engine import (
    IS_GEM,
    IS_TRAP,
    IS_UNDECIDED,
    SWEEP_LIMIT,
    SingleClueRest,
    rest_by_arrays,
    rest_by_lists,
    solve_clue_by_clue,
)
from gemhunter.files.text import parse_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run
from strategies import Planted, any_grids, small_boards


def asked(grid: Grid, total: int | None = None) -> Outcome | None:
    return solve_clue_by_clue(read_puzzle(grid, total), Run())


@given(any_grids(rows=4, cols=5))
def test_without_a_total_it_solves_what_has_a_solution_and_refutes_the_rest(grid: Grid) -> None:
    outcome = asked(grid)
    if not oracles.all_solutions(grid):
        assert isinstance(outcome, Refuted)
    else:
        assert isinstance(outcome, Solved)
        assert check(grid, outcome.solution.fill(grid)) == []


@given(small_boards())
def test_with_a_total_it_is_right_or_gives_no_answer(planted: Planted) -> None:
    outcome = asked(planted.grid, planted.traps)
    if isinstance(outcome, Solved):
        assert check(planted.grid, outcome.solution.fill(planted.grid), planted.traps) == []
    else:
        assert outcome is None or not oracles.all_solutions(planted.grid, planted.traps)


def test_untouched_cells_make_up_for_a_total_in_reading_order() -> None:
    report = solve(parse_grid("1, _, _, _, _\nT, G, _, _, _"), total=3)
    assert str(report.filled) == "1, G, T, T, G\nT, G, G, G, G"


def test_a_total_that_untouched_cells_cannot_meet_is_left_to_others() -> None:
    grid = parse_grid("_, 1, _, 1, _")
    assert [asked(grid, total) is None for total in (0, 3)] == [True, True]
    assert [str(solve(grid, total=total).filled) for total in (1, 2)] == ["G, 1, T, 1, G", "T, 1, G, 1, T"]


@given(any_grids(rows=5, cols=8))
def test_lists_and_arrays_leave_the_same(grid: Grid) -> None:
    def left(rest: SingleClueRest | None) -> object:
        if rest is None:
            return None
        regions = [([int(rest.cells[cell - 1]) for cell in cells], traps) for cells, traps in rest.regions]
        return rest.values.tolist(), regions

    puzzle = read_puzzle(grid)
    assert left(rest_by_lists(puzzle)) == left(rest_by_arrays(puzzle))


def test_single_clues_decide_in_sweeps() -> None:
    rest = rest_by_lists(read_puzzle(parse_grid("_, 1, _, 2, _, _\nG, G, G, G, G, G\n_, G, _, 1, _, G")))
    assert rest is not None
    assert rest.values.tolist() == [IS_GEM, IS_TRAP, IS_TRAP, *[IS_UNDECIDED] * 4]
    assert (rest.regions, rest.cells) == ([([1, 2], 1)], [5, 6])


def test_single_clues_that_break_a_clue_refute() -> None:
    puzzle = read_puzzle(parse_grid("_, 2, _, 0"))
    assert rest_by_lists(puzzle) is rest_by_arrays(puzzle) is None


def test_a_chain_longer_than_the_sweeps_is_followed_by_the_solver() -> None:
    links = 300
    grid = parse_grid("_" + ", 1, _" * links + ", 1")
    report = solve(grid)
    assert report.counters["single_clues"] <= 2 * SWEEP_LIMIT < links
    # The last clue has one neighbour, a trap; from there traps and gems take turns.
    traps = ["T" if (links - cell) % 2 == 0 else "G" for cell in range(links + 1)]
    assert str(report.filled) == ", 1, ".join(traps) + ", 1"


@pytest.mark.parametrize("change", [1, -1])
def test_a_conflict_at_the_end_of_a_long_chain_is_found(change: int) -> None:
    grid = parse_grid("0, " + "_, 1, " * 301 + f"_, {1 + change}")
    assert isinstance(solve(grid).outcome, Refuted)


def test_it_gives_up_when_the_run_must_stop() -> None:
    run = Run(Limits(steps=5), cancel=lambda: True)
    outcome = solve_clue_by_clue(read_puzzle(parse_grid("_, 1, _")), run)
    assert outcome == GaveUp(StopReason.CANCELLED)
