"""CDCL: its answers under every setting, proofs, growing, limits, how it picks variables."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from pysat.solvers import Solver

from campaigns import first_of
from compiled import needs_compiler, output_either_way
from formulas import alternating_sum
from gemhunter.cnf.encode import encode
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.cdcl.engine import Cdcl, FormulaSearch, Policy
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.text import parse_grid
from gemhunter.jit.search_state import EXHAUSTED, GROW, PAUSED
from gemhunter.play.game_names import read_grid
from gemhunter.questions.proof_checker import Accepted, check_formula_proof, check_proof
from gemhunter.questions.solve import solve
from gemhunter.questions.trace import trace
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.events import (
    ClauseConflict,
    Decided,
    Event,
    Implied,
    Learned,
    LearningScheme,
    Restarted,
)
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run
from places import HARD
from raw_cdcl import PEER, rows_of
from strategies import formula, formulas

LATTICE = alternating_sum(5, 5, seed=3).grid
"""No solution, which takes a few hundred conflicts to see."""

SMALL_LATTICE = alternating_sum(4, 5, seed=3).grid
"""No solution either, after a third of the conflicts."""

POLICIES = [
    Policy(),
    Policy(restarts="glue"),
    Policy(restarts="never", reduce=False),
    Policy(unit=1, decay=0.5, shorten=False, save_phases=False),
    Policy(learn="last-uip", restarts="glue"),
    Policy(learn="decisions", unit=10),
]

PICKS = [
    Policy(pick="random"),
    Policy(pick="random", value="trap", reduce=False),
    Policy(pick="first"),
    Policy(pick="first", value="trap", unit=1),
]
"""Ways to decide without a heuristic, which take many more conflicts."""

SCHEMES = get_args(LearningScheme)


def names_of(policy: Policy) -> str:
    return Cdcl(policy).info.name


def random_3sat(variables: int, ratio: float, seed: int) -> Cnf:
    chance = np.random.default_rng(seed)
    rows = [chance.choice(variables, 3, replace=False) + 1 for _ in range(round(ratio * variables))]
    return formula([(row * chance.choice([-1, 1], 3)).tolist() for row in rows], variables)


def holds(clauses: list[list[int]], model: set[int]) -> bool:
    return all(any(literal in model for literal in clause) for clause in clauses)


def is_right(policy: Policy, cnf: Cnf, seed: int) -> bool:
    """Whether the answer agrees with MiniSat, and is shown by a model or a proof."""
    with Solver(name="minisat22", bootstrap_with=cnf.clauses()) as minisat:
        expected = minisat.solve()
    match Cdcl(policy).solve_cnf(cnf, Run(wants_proof=True, seed=seed)):
        case Satisfied(model):
            return expected and holds(cnf.clauses(), set(model.tolist()))
        case Unsatisfiable(proof):
            assert proof is not None
            return not expected and isinstance(check_formula_proof(cnf, proof), Accepted)
        case GaveUp():
            return False


@pytest.mark.parametrize("policy", [*POLICIES, *PICKS], ids=names_of)
@given(cnf=formulas())
def test_a_formula_is_satisfied_or_refuted_with_a_proof(policy: Policy, cnf: Cnf) -> None:
    assert is_right(policy, cnf, seed=1)


@pytest.mark.parametrize("policy", [*POLICIES, *PICKS], ids=names_of)
@pytest.mark.parametrize("seed", first_of(range(6), 2))
def test_formulas_that_take_many_conflicts_agree_with_minisat(policy: Policy, seed: int) -> None:
    variables = 60 if policy in PICKS else 120 if policy.reduce else 90
    assert is_right(policy, random_3sat(variables, 4.3, seed), seed)


@needs_compiler
def test_a_search_continues_where_a_limit_stopped_it() -> None:
    formula, limits = FormulaSearch(encode(read_grid(HARD / "01_altsum_21x21_unsat.txt")), Policy()), 0
    while isinstance(answer := formula.answer(Run(Limits(steps=5000))), GaveUp):
        limits += 1
    assert limits > 2
    assert answer == Unsatisfiable()


@needs_compiler
def test_after_memory_has_grown_the_proof_is_still_right() -> None:
    board = read_grid(HARD / "01_altsum_21x21_unsat.txt")
    formula = FormulaSearch(encode(board), Policy(), proof=True)
    held = formula.bytes_held
    assert formula.answer(Run()) == Unsatisfiable()
    assert formula.bytes_held > 2 * held
    assert formula.counters["reductions"] > 5
    assert isinstance(check_proof(board, formula.proof()), Accepted)


def test_a_search_that_would_outgrow_its_memory_gives_up() -> None:
    report = solve(read_grid(HARD / "02_altsum_41x41_unsat.txt"), "cdcl", memory_limit=4_000_000)
    assert isinstance(report.outcome, GaveUp)
    assert report.outcome.stop_reason is StopReason.MEMORY
    assert "needs more" in report.outcome.detail


@pytest.mark.parametrize("steps", [1, 100, 2500])
def test_a_step_limit_is_kept_to_the_conflict(steps: int) -> None:
    report = solve(read_grid(HARD / "02_altsum_41x41_unsat.txt"), "cdcl", step_limit=steps)
    assert report.outcome == GaveUp(StopReason.STEPS)
    assert report.counters["conflicts"] == steps


def test_a_chain_of_two_thousand_implications_takes_no_decision() -> None:
    report = solve(read_grid(HARD / "16_kaye_wire_3x3000_sat.txt"), "cdcl")
    assert isinstance(report.outcome, Solved)
    assert (report.counters["decisions"], report.counters["propagations"]) == (0, 2000)


@needs_compiler
def test_clauses_are_loaded_without_an_object_for_each() -> None:
    cnf = encode(read_grid(HARD / "17_rand200_oneclue_unsat.txt"))
    size = cnf.literals.size
    starts = np.concatenate([cnf.starts[:-1] + copy * size for copy in range(6)] + [np.array([6 * size])])
    many = Cnf(np.tile(cnf.literals, 6), starts, cnf.cell_indexes.copy(), cnf.cols)
    assert many.size > 1_000_000
    assert isinstance(Cdcl(Policy()).solve_cnf(many, Run()), Unsatisfiable)


def test_shortening_makes_learned_clauses_shorter() -> None:
    counted = [solve(LATTICE, f"cdcl:shorten={shorten}").counters for shorten in ("no", "yes")]
    assert counted[1]["learned_literals"] < 0.9 * counted[0]["learned_literals"]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("others", ["", ",shorten=no", ",pick=random", ",save-phases=no,unit=5"])
def test_refutations_are_proved_however_clauses_are_learned(scheme: str, others: str) -> None:
    outcome = solve(SMALL_LATTICE, f"cdcl:learn={scheme}{others}", proof=True).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.proof is not None
    assert isinstance(check_proof(SMALL_LATTICE, outcome.proof), Accepted)


def test_a_pause_after_each_step_changes_nothing() -> None:
    from gemhunter.engines.cdcl.search import search

    whole, stepped = (FormulaSearch(encode(LATTICE), Policy()) for _ in range(2))
    assert whole.answer(Run()) == Unsatisfiable()
    steps = 0
    while (code := search(stepped.search, 10**9, True)) in (PAUSED, GROW):
        steps += 1
        if code == GROW:
            stepped.grow()
    assert code == EXHAUSTED
    assert stepped.counters == whole.counters
    assert steps > 4 * stepped.counters["conflicts"]


def test_another_seed_takes_another_path_to_the_same_answer() -> None:
    reports = [solve(LATTICE, "cdcl", seed=seed) for seed in (0, 1, 1)]
    assert all(isinstance(report.outcome, Refuted) for report in reports)
    assert reports[0].counters != reports[1].counters == reports[2].counters


def test_uncompiled_kernels_do_the_same() -> None:
    program = (
        "from gemhunter import parse_grid, solve\n"
        f"for settings in {[*(f'{scheme},unit=10' for scheme in SCHEMES), 'random', 'first,value=trap']}:\n"
        f"    report = solve(parse_grid({str(SMALL_LATTICE)!r}), f'cdcl:{{settings}}', proof=True, seed=2)\n"
        "    print(type(report.outcome).__name__, report.counters, report.outcome.proof.literals.sum())"
    )
    assert output_either_way(program).count("Refuted") == 5


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match=r"decay must be at least 0.5 and below 1, not 1.5"):
        get_engine("cdcl:decay=1.5")
    with pytest.raises(InputError, match="unit must be a number of conflicts above 0, not 0"):
        get_engine("cdcl:unit=0")
    with pytest.raises(UnknownNameError, match="did you mean 'luby'"):
        get_engine("cdcl:restarts=lubi")
    with pytest.raises(UnknownNameError, match="did you mean 'last-uip'"):
        get_engine("cdcl:learn=last-uib")


# How it picks variables: the first, or any.

PICKED = alternating_sum(4, 4, seed=3).grid
"""No solution, which takes many conflicts to see without a heuristic."""


def open_variables(events: list[Event], variables: int) -> list[tuple[Decided, list[int]]]:
    """Each decision of a search with the variables that were open before it, by its events alone."""
    found, trail, level = [], {}, 0
    for event in events:
        match event:
            case Decided(literal, level):
                found.append((event, [v for v in range(1, variables + 1) if v not in trail]))
                trail[abs(literal)] = level
            case Implied(literal, _):
                trail[abs(literal)] = level
            case Learned(level=level) | Restarted(level):
                trail = {variable: at for variable, at in trail.items() if at <= level}
    return found


def test_pick_first_decides_the_first_open_variable() -> None:
    events = [step.event for step in trace(PICKED, "cdcl:pick=first,unit=1")]
    decisions = open_variables(events, encode(PICKED).variables)
    assert len(decisions) > 50
    assert all(abs(event.literal) == variables[0] for event, variables in decisions)


def test_pick_random_decides_any_open_variable() -> None:
    events = [step.event for step in trace(PICKED, "cdcl:pick=random")]
    decisions = open_variables(events, encode(PICKED).variables)
    assert all(abs(event.literal) in variables for event, variables in decisions)
    places = [variables.index(abs(event.literal)) / len(variables) for event, variables in decisions]
    assert 0.4 < sum(places) / len(places) < 0.6
    assert any(isinstance(event, ClauseConflict) for event in events)


def test_every_variable_can_be_the_first_one_picked_at_random() -> None:
    ring = parse_grid("_, _, _\n_, 3, _\n_, _, _")
    said = {next(trace(ring, "cdcl:pick=random", run=Run(seed=seed))).sentence for seed in range(100)}
    cells = [f"r{row}c{col}" for row in (1, 2, 3) for col in (1, 2, 3) if (row, col) != (2, 2)]
    assert said == {f"decide {cell}=G (level 1)" for cell in cells}


def test_a_seed_decides_what_is_picked_at_random() -> None:
    counters = [solve(PICKED, "cdcl:pick=random", seed=seed).counters for seed in (5, 5, 6)]
    assert counters[0] == counters[1]
    assert counters[0] != counters[2]


def test_the_search_that_is_traced_is_the_search_that_runs() -> None:
    events = [step.event for step in trace(PICKED, "cdcl:pick=random", run=Run(seed=7))]
    counters = solve(PICKED, "cdcl:pick=random", seed=7).counters
    assert sum(isinstance(event, Decided) for event in events) == counters["decisions"]
    assert counters["restarts"] == 0


@needs_compiler
def test_its_seconds_can_be_measured_against_pysat_with_glucose_4() -> None:
    rows = rows_of("1×3", parse_grid("_, 1, _"), runs=2, limit=10)
    assert [row[1] for row in rows][:3] == [PEER, "cdcl:pick=random", "cdcl:pick=random, plain Python"]
    assert all(float(row[4]) > 0 for row in rows[1:])
