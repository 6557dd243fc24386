"""Brute force and backtracking: what they visit, where they stop, and that compiling changes nothing."""

import pytest

from compiled import output_either_way
from gemhunter import (
    GaveUp,
    InputError,
    Refuted,
    Solved,
    StopReason,
    UnknownNameError,
    parse_grid,
    read_grid,
    solve,
)
from gemhunter.solving.registry import get_engine
from places import HARD

NO_SOLUTION = parse_grid("1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1")
WIDE = parse_grid("\n".join(["1_1_1_1", "_" * 7, "1_1_1_1", "_" * 7, "1_1_1_2"]))
"""No solution: the clues of each row, taken with alternating signs, would have to cancel out."""

ORDERS = ["backtracking:reading", "backtracking:most-constrained"]
ASSIGNMENTS = [
    f"brute-force:{order},value={value}" for order in ("gray", "counting") for value in ("gem", "trap")
]
TRAPS_FIRST = [f"{order},value=trap" for order in ORDERS]
ON_CLAUSES = ["backtracking:clauses,prune", "backtracking:clauses,prune,value=gem"]


def test_a_refutation_by_brute_force_has_tried_every_filling() -> None:
    report = solve(NO_SOLUTION, "brute-force")
    assert isinstance(report.outcome, Refuted)
    assert report.counters["attempts"] == 2**16


def test_cells_that_no_clue_touches_are_not_tried() -> None:
    assert (
        solve(parse_grid("2, _, _, _, _, _"), "brute-force").outcome
        == solve(parse_grid("2, _"), "pysat").outcome
    )
    assert solve(parse_grid("1, _, _, _, _, _"), "brute-force").counters["attempts"] == 2


def test_brute_force_gives_up_after_two_million_attempts() -> None:
    report = solve(WIDE, "brute-force")
    assert report.outcome == GaveUp(StopReason.ATTEMPTS, "2,000,000 of 2^23 assignments tried")
    assert report.counters["attempts"] == 2_000_000


def test_brute_force_without_a_number_of_attempts_tries_all() -> None:
    report = solve(WIDE, "brute-force:attempts=0")
    assert isinstance(report.outcome, Refuted)
    assert report.counters["attempts"] == 2**23


@pytest.mark.parametrize("flipped", range(5))
@pytest.mark.parametrize(("value", "usual", "other"), [("gem", "G", "T"), ("trap", "T", "G")])
def test_of_more_than_62_cells_the_last_ones_are_counted(
    flipped: int, value: str, usual: str, other: str
) -> None:
    traps = flipped if value == "gem" else 70 - flipped
    report = solve(parse_grid("_" * 70), f"brute-force:counting,{value}", total=traps)
    assert str(report.filled).replace(", ", "") == usual * (70 - flipped) + other * flipped
    assert report.counters["attempts"] == 2**flipped


def test_a_clue_that_no_filling_within_reach_satisfies_stays_wrong() -> None:
    far = parse_grid("1" + "_" * 70)
    assert solve(far, "brute-force", total=1).counters["attempts"] == 2
    counted = solve(far, "brute-force:counting,attempts=5000", total=1)
    assert counted.outcome == GaveUp(StopReason.ATTEMPTS, "5,000 of 2^70 assignments tried")
    near = parse_grid("_" * 70 + "1")
    assert solve(near, "brute-force:counting", total=1).counters["attempts"] == 2


@pytest.mark.parametrize("order", ORDERS)
def test_a_chain_of_two_thousand_steps_is_followed(order: str) -> None:
    assert isinstance(solve(read_grid(HARD / "16_kaye_wire_3x3000_sat.txt"), order).outcome, Solved)


@pytest.mark.parametrize("order", ORDERS)
def test_backtracking_gives_up_at_its_step_limit(order: str) -> None:
    report = solve(read_grid(HARD / "02_altsum_41x41_unsat.txt"), order, step_limit=500)
    assert report.outcome == GaveUp(StopReason.STEPS)
    assert 500 <= report.counters["nodes"] <= 500 + 1240


def test_the_most_constrained_order_visits_fewer_nodes() -> None:
    reading, constrained = (solve(NO_SOLUTION, order).counters["nodes"] for order in ORDERS)
    assert constrained < reading


@pytest.mark.parametrize("engine", [*ASSIGNMENTS, *ORDERS, *TRAPS_FIRST, *ON_CLAUSES])
def test_uncompiled_kernels_do_the_same(engine: str) -> None:
    program = (
        "import sys; from gemhunter import parse_grid, solve\n"
        f"report = solve(parse_grid({str(NO_SOLUTION)!r}), {engine!r})\n"
        "print(type(report.outcome).__name__, dict(report.counters))"
    )
    assert output_either_way(program).startswith("Refuted")


def test_arguments_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InputError):
        get_engine("brute-force:fast")
    with pytest.raises(UnknownNameError, match="most-constrained"):
        get_engine("backtracking:most-constraint")
