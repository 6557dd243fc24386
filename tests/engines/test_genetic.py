"""The genetic algorithm: boards it must solve, what it counts, where it stops, and its settings."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from compiled import needs_compiler, output_either_way
from gemhunter import (
    GaveUp,
    Grid,
    InputError,
    Refuted,
    Solved,
    StopReason,
    UnknownNameError,
    parse_grid,
    solve,
)
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.genetic import Remainder, without_units
from gemhunter.solving.registry import get_engine

BOARDS = [
    "010/201/020",
    "0020/2020/0300/0001",
    "00000/20302/03030/20302/00000",
    "01000/01060/00000/11100/00000",
    "102000/000000/103000/000220/020000/021000",
]
GRIDS = [parse_grid(board.replace("/", "\n"), "unknown") for board in BOARDS]
PLAIN = "genetic:raw,elite=0,restarts=0"
NO_SOLUTION = parse_grid("1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1")
"""Nothing in it is decided by a single clue."""

clauses_of = st.lists(
    st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True).flatmap(
        lambda clause: st.tuples(*(st.sampled_from([variable, -variable]) for variable in clause))
    ),
    max_size=40,
)


def formula(clauses: list[tuple[int, ...]], variables: int = 9) -> Cnf:
    literals = np.array([literal for clause in clauses for literal in clause], np.int32)
    starts = np.concatenate([[0], np.cumsum([len(clause) for clause in clauses], dtype=np.int64)])
    return Cnf(literals, starts.astype(np.int64), np.arange(variables), variables)


@pytest.mark.parametrize("grid", GRIDS, ids=BOARDS)
def test_at_least_95_of_100_seeds_solve_each_of_the_five_boards(grid: Grid) -> None:
    outcomes = [solve(grid, "genetic", seed=seed).outcome for seed in range(100)]
    assert sum(isinstance(outcome, Solved) for outcome in outcomes) >= 95


@needs_compiler
def test_selection_pressure_saves_generations() -> None:
    plain, default = (
        sum(solve(GRIDS[4], name, seed=seed).counters["generations"] for seed in range(20))
        for name in (PLAIN, "genetic")
    )
    assert default < plain / 4


def test_it_gives_up_after_ten_thousand_generations() -> None:
    report = solve(NO_SOLUTION, "genetic:population=16")
    assert report.outcome == GaveUp(StopReason.ATTEMPTS, "10,000 generations tried")
    assert report.counters["generations"] == 10_000
    assert report.counters["evaluations"] == 16 * 10_001


@pytest.mark.parametrize(
    ("generations", "steps", "limit", "made"),
    [
        (10_000, 7, StopReason.STEPS, 7),
        (7, 10_000, StopReason.ATTEMPTS, 7),
        (7, 7, StopReason.STEPS, 7),
        (0, 20_000, StopReason.STEPS, 20_000),
    ],
)
@needs_compiler
def test_the_smaller_of_generations_and_step_limit_holds_and_is_named(
    generations: int, steps: int, limit: StopReason, made: int
) -> None:
    report = solve(NO_SOLUTION, f"genetic:population=4,elite=1,generations={generations}", step_limit=steps)
    assert report.outcome == GaveUp(limit, f"{made:,} generations tried")
    assert report.counters["generations"] == made


@settings(max_examples=30)
@given(
    st.lists(st.integers(0, 2**9 - 1), min_size=2, max_size=7),
    st.integers(0, 2**32),
    st.sampled_from([0.0, 1.0]),
)
def test_crossover_makes_two_children_from_a_pair(people: list[int], seed: int, crossover: float) -> None:
    """Without mutation, each two children in a row are two of the people, cut at one place and swapped."""
    children = next_generation(people, seed, crossover)
    cuts = range(1, 9) if crossover else [0]
    families = {
        (first >> cut << cut | second & (1 << cut) - 1, second >> cut << cut | first & (1 << cut) - 1)
        for cut in cuts
        for first in people
        for second in people
    }
    pairs = [tuple(children[i : i + 2]) for i in range(0, len(children), 2)]
    assert all(any(family[: len(pair)] == pair for family in families) for pair in pairs)


def next_generation(people: list[int], seed: int, crossover: float) -> list[int]:
    """What becomes of chromosomes of nine values, under clauses that none of them satisfies."""
    from gemhunter.engines import genetic as kernels
    from gemhunter.jit.search_state import new_random_state

    units: list[tuple[int, ...]] = [(sign * variable,) for variable in range(1, 10) for sign in (1, -1)]
    cnf = formula(units)
    now = np.array([[each] for each in people], np.uint64)
    broken, numbers = np.zeros(len(people), np.int64), np.zeros(kernels.GENETIC_NUMBERS, np.int64)
    numbers[kernels.FEWEST_FALSE] = 99
    kernels.evaluate(cnf.literals.copy(), cnf.starts.copy(), now, broken)
    population = kernels.Population(
        cnf.literals.copy(), cnf.starts.copy(), now, now.copy(), broken, numbers, new_random_state(seed)
    )
    kernels.breed(population, 9, kernels.RAW_SCALING, np.array([crossover, 0.0]), 0, 0, 1)
    return [int(row[0]) for row in population.now]


@needs_compiler
def test_without_progress_it_restarts_unless_restarts_are_off() -> None:
    assert solve(NO_SOLUTION, "genetic:restarts=50,generations=2000").counters["restarts"] > 20
    assert solve(NO_SOLUTION, "genetic:restarts=0,generations=2000").counters["restarts"] == 0


def test_a_seed_decides_everything() -> None:
    runs = [solve(GRIDS[4], "genetic", seed=seed) for seed in (3, 3, 4)]
    assert (runs[0].outcome, runs[0].counters) == (runs[1].outcome, runs[1].counters)
    assert runs[0].outcome != runs[2].outcome


def test_what_unit_clauses_decide_needs_no_generation() -> None:
    report = solve(parse_grid("2, _, 1\n_, G, 1"), "genetic")
    assert str(report.filled) == "2, T, 1\nT, G, 1"
    assert "generations" not in report.counters


def test_unit_clauses_that_contradict_each_other_refute_the_board() -> None:
    assert isinstance(solve(parse_grid("1, _, _\n0, _, _"), "genetic").outcome, Refuted)


def satisfies(clauses: list[tuple[int, ...]], model: object) -> bool:
    true = set(np.asarray(model).tolist())
    return all(true & set(clause) for clause in clauses)


@given(clauses_of)
def test_unit_propagation_keeps_the_models_and_refutes_only_what_has_none(
    clauses: list[tuple[int, ...]],
) -> None:
    rest = without_units(formula(clauses))
    with Solver("minisat22", bootstrap_with=[list(clause) for clause in clauses]) as solver:
        solvable = solver.solve()
    if rest is None:
        assert not solvable
        return
    assert (np.diff(rest.starts) >= 2).all()
    with Solver("minisat22", bootstrap_with=formula_of(rest).clauses()) as solver:
        assert solver.solve() == solvable
        if solvable:
            values = np.zeros(rest.variables.size, bool)
            for literal in solver.get_model():
                values[abs(literal) - 1] = literal > 0
            assert satisfies(clauses, rest.model(values))


def formula_of(rest: Remainder) -> Cnf:
    return Cnf(rest.literals, rest.starts, np.arange(rest.variables.size), 1)


@settings(max_examples=40)
@given(clauses_of, st.sampled_from([2, 63, 64, 65, 130]))
def test_false_clauses_are_counted_as_by_hand(clauses: list[tuple[int, ...]], population: int) -> None:
    from gemhunter.engines.genetic import evaluate

    # Variables 1..9 are moved apart so that they lie in different words.
    spread = [tuple(literal * 15 for literal in clause) for clause in clauses]
    cnf = formula(spread, 135)
    chromosomes = np.random.default_rng(population).integers(0, 2**64, (population, 3), np.uint64)
    broken = np.zeros(population, np.int64)
    best = evaluate(cnf.literals.copy(), cnf.starts.copy(), chromosomes, broken)
    bits = np.unpackbits(chromosomes.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    expected = [
        sum(not any(row[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in spread)
        for row in bits.tolist()
    ]
    assert broken.tolist() == expected
    assert best == expected.index(min(expected))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("population=1", "population must be from 2 to 10,000, not 1"),
        ("mutation=1.5", "mutation must be a rate from 0 to 1, not 1.5"),
        ("crossover=-0.1", "crossover must be a rate from 0 to 1, not -0.1"),
        ("crossover=nan", "crossover must be a rate from 0 to 1, not nan"),
        ("population=4,elite=4", "elite must be ≥ 0 and below the population, not 4"),
        ("restarts=-1", "restarts must be ≥ 0 generations (0 means never), not -1"),
        ("generations=-1", "generations must be ≥ 0 (0 means no limit), not -1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(argument: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^genetic: {re.escape(message)}$"):
        get_engine(f"genetic:{argument}")


def test_a_misspelt_setting_is_met_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'population'"):
        get_engine("genetic:populations=10")


def test_uncompiled_kernels_do_the_same() -> None:
    program = (
        "from gemhunter import parse_grid, solve\n"
        "for scaling in ('power', 'window', 'raw'):\n"
        f"    report = solve(parse_grid({str(NO_SOLUTION)!r}),"
        " f'genetic:{scaling},population=70,restarts=5', step_limit=12)\n"
        f"    other = solve(parse_grid({str(GRIDS[4])!r}),"
        " f'genetic:{scaling},population=20', step_limit=30)\n"
        "    print(report.outcome, report.counters, other.outcome, other.counters)"
    )
    assert "restarts" in output_either_way(program)
