"""How CDCL picks variables, the first or any: its answers, proofs, cores and seeds under each."""

import pytest
from hypothesis import given
from pysat.solvers import Solver

from compiled import needs_compiler, output_either_way
from formulas import alternating_sum, random_3sat
from gemhunter import Refuted, encode, parse_grid, solve, trace
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.cdcl.engine import Cdcl
from gemhunter.engines.cdcl.session import Conflict, Policy, Session
from gemhunter.questions.proof import Accepted, check_formula_proof, check_proof
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.events import ClauseConflict, Decided, Event, Implied, Learned, Restarted
from gemhunter.solving.run import Run
from raw_cdcl import PEER, rows_of
from strategies import formula, formulas

POLICIES = [
    Policy(pick="random"),
    Policy(pick="random", value="trap", forget=False),
    Policy(pick="first"),
    Policy(pick="first", value="trap", unit=1),
]
LATTICE = alternating_sum(4, 4, seed=3).grid
"""No solution, which takes cdcl many conflicts to see."""


def name_of(policy: Policy) -> str:
    return Cdcl(policy).info.name


def agrees_with_minisat(policy: Policy, cnf: Cnf, seed: int) -> bool:
    """Whether the answer is right, and shown by a model or a proof."""
    with Solver(name="minisat22", bootstrap_with=cnf.clauses()) as minisat:
        expected = minisat.solve()
    match Cdcl(policy).solve_cnf(cnf, Run(wants_proof=True, seed=seed)):
        case Satisfied(model):
            return expected and all(set(model.tolist()) & set(clause) for clause in cnf.clauses())
        case Unsatisfiable(proof):
            assert proof is not None
            return not expected and isinstance(check_formula_proof(cnf, proof), Accepted)
        case _:
            return False


@pytest.mark.parametrize("policy", POLICIES, ids=name_of)
@given(cnf=formulas())
def test_a_formula_is_satisfied_or_refuted_with_a_proof(policy: Policy, cnf: Cnf) -> None:
    assert agrees_with_minisat(policy, cnf, seed=1)


@pytest.mark.parametrize("policy", POLICIES, ids=name_of)
@pytest.mark.parametrize("seed", range(3))
def test_formulas_that_take_many_conflicts_agree_with_minisat(policy: Policy, seed: int) -> None:
    assert agrees_with_minisat(policy, random_3sat(60, seed), seed)


@pytest.mark.parametrize("policy", POLICIES, ids=name_of)
def test_assumptions_that_cannot_hold_together_are_named(policy: Policy) -> None:
    cnf = formula([[1, 2, 3], [-1, 4], [-2, 4], [-3, 4], [5, 6]], 6)
    session = Session(cnf.variables, policy, seed=3)
    session.add(cnf.literals, cnf.starts)
    answer = session.ask((5, -4), Run())
    assert isinstance(answer, Conflict)
    assert answer.core == (-4,)
    again = session.ask((5, 4, -6), Run())
    assert isinstance(again, Satisfied)
    assert {5, 4, -6} < set(again.model.tolist())


@pytest.mark.parametrize("policy", POLICIES, ids=name_of)
def test_a_board_is_refuted_with_a_proof_that_holds(policy: Policy) -> None:
    outcome = solve(LATTICE, name_of(policy), proof=True).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.proof is not None
    assert isinstance(check_proof(LATTICE, outcome.proof), Accepted)


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
    events = [step.event for step in trace(LATTICE, "cdcl:pick=first,unit=1")]
    decisions = open_variables(events, encode(LATTICE).variables)
    assert len(decisions) > 50
    assert all(abs(event.literal) == variables[0] for event, variables in decisions)


def test_pick_random_decides_any_open_variable() -> None:
    events = [step.event for step in trace(LATTICE, "cdcl:pick=random")]
    decisions = open_variables(events, encode(LATTICE).variables)
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
    counters = [solve(LATTICE, "cdcl:pick=random", seed=seed).counters for seed in (5, 5, 6)]
    assert counters[0] == counters[1]
    assert counters[0] != counters[2]


def test_the_search_that_is_traced_is_the_search_that_runs() -> None:
    events = [step.event for step in trace(LATTICE, "cdcl:pick=random", run=Run(seed=7))]
    counters = solve(LATTICE, "cdcl:pick=random", seed=7).counters
    assert sum(isinstance(event, Decided) for event in events) == counters["decisions"]
    assert counters["restarts"] == 0


@needs_compiler
def test_its_seconds_can_be_measured_against_pysat_with_glucose_4() -> None:
    rows = rows_of("1×3", parse_grid("_, 1, _"), runs=2, limit=10)
    assert [row[1] for row in rows][:3] == [PEER, "cdcl:pick=random", "cdcl:pick=random, plain Python"]
    assert all(float(row[4]) > 0 for row in rows[1:])


def test_uncompiled_kernels_do_the_same() -> None:
    program = (
        "from gemhunter import parse_grid, solve\n"
        "for pick in ('random', 'first', 'random,value=trap', 'first,value=trap'):\n"
        f"    report = solve(parse_grid({str(LATTICE)!r}), f'cdcl:pick={{pick}}', seed=2)\n"
        "    print(type(report.outcome).__name__, dict(report.counters))"
    )
    assert output_either_way(program).count("Refuted") == 4
