"""Answers about all solutions, read off the circuit: large numbers, wide boards, limits."""

import numpy as np
import pytest

from compiled import needs_compiler, output_either_way
from gemhunter.board.board import grid_from_traps
from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.counting import board_circuit as circuits
from gemhunter.counting import counts
from gemhunter.counting.board_circuit import BoardCircuit, CompleteCircuit
from gemhunter.counting.plan import NoSolution
from gemhunter.counting.random_solutions import choose_solution
from gemhunter.counting.weigh import WeighedBoard, cell_probabilities, weigh_board
from gemhunter.files.text import parse_grid
from gemhunter.questions.count import count, count_by_traps
from gemhunter.questions.probability import Probabilities, probabilities, probabilities_of_many
from gemhunter.questions.sample import sample
from gemhunter.questions.solutions import solutions
from gemhunter.solving.outcomes import GaveUp, Refuted, StopReason
from gemhunter.solving.run import Limits, Run
from strips import counts_of_strip


def strip(rows: int, cols: int, seed: int, shown: float = 0.35, density: float = 0.35) -> Grid:
    random = np.random.default_rng([rows, cols, seed])
    return grid_from_traps(random.random((rows, cols)) < density, random.random((rows, cols)) < shown)


def lattice(rows: int, cols: int, seed: int) -> Grid:
    """Clues on every second cell of every second row: one part, and many states."""
    random = np.random.default_rng(seed)
    shown = np.zeros((rows, cols), bool)
    shown[::2, ::2] = True
    return grid_from_traps((random.random((rows, cols)) < 0.5) & ~shown, shown)


STRIPS = [
    *(strip(rows, cols, seed) for rows, cols in [(1, 90), (2, 70), (3, 60), (4, 40)] for seed in range(2)),
    strip(3, 150, 0, shown=0.2),
    strip(60, 3, 1),
    lattice(3, 61, 1),
    lattice(5, 25, 2),
]


@pytest.mark.parametrize("grid", STRIPS, ids=repr)
def test_large_counts_agree_with_counting_column_by_column(grid: Grid) -> None:
    upright = grid if grid.rows <= grid.cols else Grid(grid.cells.T)
    expected = counts_of_strip(upright)
    assert count_by_traps(grid) == expected
    assert count(grid) == sum(expected.values())
    likely = max(expected, key=lambda traps: expected[traps])
    for traps in (min(expected), likely, max(expected), max(expected) + 1):
        assert count(grid, total=traps) == expected.get(traps, 0)


@pytest.mark.parametrize("grid", STRIPS[::3], ids=repr)
def test_counting_without_keeping_tables_agrees(grid: Grid, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = count(grid), count_by_traps(grid)
    monkeypatch.setattr(counts, "KEPT_COST_LIMIT", -1.0)
    assert (count(grid), count_by_traps(grid)) == expected


@pytest.mark.parametrize("traps", [None, 0, 1])
def test_probabilities_of_a_long_strip_are_ratios_of_counts(traps: int | None) -> None:
    """With the fewest possible traps, with one more, and with any number."""
    grid = strip(2, 60, 4)
    total = None if traps is None else min(counts_of_strip(grid)) + traps
    answer = probabilities(grid, total=total)
    ways = counts_of_strip(grid)
    everything = sum(ways.values()) if total is None else ways[total]
    for place in np.flatnonzero(grid.cells == HIDDEN)[::7].tolist():
        codes = grid.cells.copy().ravel()
        codes[place] = TRAP
        with_trap = counts_of_strip(Grid(codes.reshape(grid.cells.shape)))
        part = sum(with_trap.values()) if total is None else with_trap.get(total, 0)
        assert isinstance(answer, Probabilities)
        assert abs(answer.values.ravel()[place] - part / everything) < 1e-12


def test_weighing_in_slices_gives_the_probabilities_of_weighing_at_once() -> None:
    for seed in range(20):
        grid = strip(9, 12, seed)
        traps = int(np.count_nonzero(grid.cells == HIDDEN) * 0.35)
        for total, density in [(None, None), (traps, None), (None, 0.1)]:
            weight = 1.0 if density is None else density / (1.0 - density)
            in_slices = cell_probabilities(BoardCircuit(grid), Run(), total=total, trap_weight=weight)
            weighed = weigh_board(BoardCircuit(grid), Run(), total=total, trap_weight=weight)
            answer = probabilities(grid, total=total, density=density)
            if isinstance(weighed, WeighedBoard):
                assert isinstance(answer, Probabilities)
                found = weighed.traps_and_gems(Run())
                assert not isinstance(found, GaveUp)
                cells = weighed.circuit.board.parts.group_cells
                expected = answer.values.ravel()[cells]
                np.testing.assert_allclose(found[0] / (found[0] + found[1]), expected, rtol=0, atol=1e-13)
                np.testing.assert_array_equal(answer.values.ravel(), in_slices)
            else:
                assert isinstance(weighed, NoSolution)
                assert isinstance(in_slices, NoSolution)
                assert count(grid, total=total) == 0


def test_no_table_has_more_states_than_its_plan_says() -> None:
    for grid in [*STRIPS, lattice(12, 12, 0)]:
        circuit = BoardCircuit(grid).complete(Run())
        assert isinstance(circuit, CompleteCircuit)
        steps = circuit.board.steps
        sizes = np.diff(circuit.states.starts[: steps + 1])
        assert (sizes <= circuit.board.plan.bound[:steps]).all()


def test_the_number_of_states_grows_linearly_with_the_length_of_a_strip() -> None:
    once = np.random.default_rng(1).random((5, 20)) < 0.5

    def states(times: int) -> int:
        traps = np.tile(once, (1, times))
        shown = np.zeros_like(traps)
        shown[::2, ::2] = True
        run = Run()
        count(grid_from_traps(traps & ~shown, shown), run=run)
        return run.steps

    few, more, many = states(10), states(20), states(40)
    assert few > 1000
    assert many - more == pytest.approx(2 * (more - few), rel=0.05)


def test_a_board_too_wide_is_given_up_with_its_width() -> None:
    answer = count(lattice(60, 60, 1))
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason is StopReason.STATES
    assert "too wide" in answer.detail


def test_a_state_limit_is_given_up_with_the_estimated_states() -> None:
    answer = count(lattice(16, 16, 0), step_limit=1000)
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason is StopReason.STEPS
    assert "2^" in answer.detail


@pytest.mark.parametrize("streaming", [False, True])
def test_counting_ends_even_without_a_limit(streaming: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (circuits, counts):
        monkeypatch.setattr(module, "STATE_LIMIT", 500)
    monkeypatch.setattr(circuits, "FIRST_STATE_SLICE", 100)
    if streaming:
        monkeypatch.setattr(counts, "KEPT_COST_LIMIT", -1.0)
    answer = count(lattice(16, 16, 0))
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason is StopReason.STATES


def test_a_memory_limit_is_kept() -> None:
    answer = count(lattice(16, 16, 0), run=Run(Limits(memory=1000)))
    assert isinstance(answer, GaveUp)


def test_counting_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circuits, "FIRST_STATE_SLICE", 100)
    answer = count(lattice(12, 12, 0), run=Run(cancel=lambda: True))
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason is StopReason.CANCELLED


def test_a_solution_with_any_possible_total_can_be_chosen() -> None:
    for seed in range(5):
        grid = strip(3, 24, seed)
        ways = counts_of_strip(grid)
        for traps in range(min(ways) - 1, max(ways) + 2):
            chosen = choose_solution(BoardCircuit(grid), traps, Run(seed=seed))
            if traps in ways:
                assert isinstance(chosen, Grid)
                assert not check(grid, chosen, traps)
            else:
                assert isinstance(chosen, NoSolution)


def test_kernels_count_the_same_uncompiled() -> None:
    output_either_way(
        "from gemhunter.files.text import parse_grid\n"
        "from gemhunter.questions.count import count, count_by_traps\n"
        "from gemhunter.questions.probability import probabilities\n"
        "from gemhunter.questions.sample import sample\n"
        "from gemhunter.counting import counts\n"
        "grid = parse_grid('1, _, 2, _, 1, _\\n_, _, _, _, _, _\\n2, _, 3, _, 2, _\\n_, _, _, _, _, 1')\n"
        "print(count(grid), count(grid, total=7), count_by_traps(grid))\n"
        "for traps in (None, 7): print(probabilities(grid, total=traps).values.round(12).tolist())\n"
        "for traps in (None, 7): print(*sample(grid, 2, total=traps, seed=3), sep='\\n\\n')\n"
        "counts.KEPT_COST_LIMIT = -1.0\n"
        "print(count(grid), count_by_traps(grid))\n"
    )


def test_a_part_whose_tables_are_joined_is_counted_once() -> None:
    grid = parse_grid("_, 1, _, _, _, 1, _\n_, _, _, 2, _, _, _\n_, 1, _, _, _, 1, _")
    assert count_by_traps(grid) == counts_of_strip(grid)


def chain(clues: int) -> Grid:
    """Fours in a row: one part, in which totals can be very rare."""
    codes = np.full((3, 2 * clues + 1), HIDDEN, np.int8)
    codes[1, 1::2] = 4
    return Grid(codes)


def dead_ends(length: int) -> Grid:
    """A chain of clues with very many partial solutions, of which few can be completed."""
    knot = parse_grid("_, _, _, _, _\n_, 7, _, _, _\n_, _, _, 4, 3\n_, _, _, _, _\n1, 1, 2, _, 2")
    codes = np.full((knot.rows, 2 * length), GEM, np.int8)
    codes[:3] = HIDDEN
    codes[1, 1::2] = np.where(np.arange(length)[::-1] % 2 == 0, 3, 5)
    return Grid(np.hstack([codes, knot.cells]))


def test_a_small_count_among_a_great_many_dead_ends_is_not_lost() -> None:
    grid = dead_ends(130)
    expected = len(list(solutions(grid, limit=100)))
    assert 0 < expected < 100
    assert count(grid) == expected
    by_traps = count_by_traps(grid)
    assert isinstance(by_traps, dict)
    assert sum(by_traps.values()) == expected
    assert isinstance(probabilities(grid), Probabilities)
    assert isinstance(sample(grid), list)


@pytest.mark.parametrize("more", [0, 1, 20, 300])
@needs_compiler
def test_totals_far_from_the_usual_have_their_probabilities(more: int) -> None:
    grid = chain(600)
    answer = probabilities(grid, total=1201 + more)
    assert isinstance(answer, Probabilities)
    assert np.nansum(answer.values) == pytest.approx(1201 + more)
    drawn = sample(grid, total=1201 + more)
    assert isinstance(drawn, list)


@needs_compiler
def test_impossible_totals_are_distinguished_from_rare_ones() -> None:
    grid = chain(600)
    assert isinstance(probabilities(grid, total=1200), Refuted)
    assert isinstance(probabilities(grid, total=1803), Refuted)
    assert count(grid, total=1200) == 0


@needs_compiler
def test_many_parts_can_have_totals_that_hardly_any_solution_has() -> None:
    grid = parse_grid("_, 1, _, 1, _, G")
    many = Grid(np.tile(np.vstack([grid.cells, np.full_like(grid.cells, GEM)]), (1500, 1)))
    for total in (2999, 2995, 1500):
        chosen = choose_solution(BoardCircuit(many), total, Run())
        assert isinstance(chosen, Grid)
        assert not check(many, chosen, total)
        assert isinstance(sample(many, total=total), list)


@pytest.mark.parametrize("density", [5e-324, 1e-300, 1e-200, 1e-9, 1.0 - 1e-16])
def test_extreme_densities_do_not_distort_the_weights(density: float) -> None:
    two = parse_grid("_, _, _\n_, 2, _\n_, _, _")
    for answer in [probabilities(two, density=density), *probabilities_of_many([two], density=density)]:
        assert isinstance(answer, Probabilities)
        assert np.allclose(answer.values[two.cells == HIDDEN], 0.25, rtol=0, atol=1e-12)
    drawn = sample(two, 50, density=density, seed=1)
    assert isinstance(drawn, list)
    assert len({str(grid) for grid in drawn}) > 10
