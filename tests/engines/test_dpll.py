"""DPLL: its answers under every setting, what it counts, where it stops, its proofs, its steps one by one."""

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from pysat.solvers import Solver

from compiled import output_either_way
from gemhunter.cnf.encode import encode
from gemhunter.cnf.formula import Cnf
from gemhunter.engines import dpll
from gemhunter.engines.dpll import WORK_LIMIT, Dpll, Order, beginning, bytes_needed
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.jit.search_state import MORE
from gemhunter.play.game_names import read_grid
from gemhunter.questions.proof_checker import Accepted, check_formula_proof, check_proof
from gemhunter.questions.solve import solve
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.events import (
    ClauseConflict,
    Decided,
    Event,
    Exhausted,
    Flipped,
    Implied,
    ModelFound,
    Pure,
    TooDeep,
)
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run
from places import HARD
from strategies import formula, formulas

LATTICE = parse_grid("1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1")
"""No solution: the clues of each row, taken with alternating signs, would have to cancel out."""

SETTINGS = [
    *(Dpll(order, pure_literals=pure) for order in get_args(Order) for pure in (False, True)),
    *(Dpll(order, "trap") for order in get_args(Order)),
]


def names_of(settings: Dpll) -> str:
    return settings.info.name


@pytest.mark.parametrize("settings", SETTINGS, ids=names_of)
@given(cnf=formulas())
def test_any_formula_gets_a_model_or_an_accepted_proof(settings: Dpll, cnf: Cnf) -> None:
    answer = settings.solve_cnf(cnf, Run(wants_proof=True))
    with Solver(name="minisat22", bootstrap_with=cnf.clauses()) as oracle:
        satisfiable = oracle.solve()
    if satisfiable:
        assert isinstance(answer, Satisfied)
        assert all(set(answer.model.tolist()) & set(clause) for clause in cnf.clauses())
    else:
        assert isinstance(answer, Unsatisfiable)
        assert answer.proof is not None
        assert isinstance(check_formula_proof(cnf, answer.proof), Accepted)


def test_what_propagation_alone_solves_takes_no_decision() -> None:
    report = solve(parse_grid("0, _, 2, _\n_, _, 2, _"), "dpll")
    assert isinstance(report.outcome, Solved)
    assert (report.counters["decisions"], report.counters["propagations"]) == (0, 5)


def test_cells_that_nothing_constrains_are_not_decided() -> None:
    assert solve(parse_grid("1, _, _\n_, _, _\n_, _, _\n_, _, _"), "dpll:first").counters["decisions"] == 2


@pytest.mark.parametrize("settings", SETTINGS, ids=names_of)
def test_a_chain_of_two_thousand_implications_is_followed(settings: Dpll) -> None:
    report = solve(read_grid(HARD / "16_kaye_wire_3x3000_sat.txt"), settings.info.name)
    assert isinstance(report.outcome, Solved)


def test_a_refutation_takes_back_every_decision_once() -> None:
    counters = solve(LATTICE, "dpll").counters
    assert counters["conflicts"] == counters["decisions"] + 1
    assert 0 < counters["decisions"] < 1000


def test_it_gives_up_at_its_step_limit() -> None:
    report = solve(read_grid(HARD / "02_altsum_41x41_unsat.txt"), "dpll", step_limit=500)
    assert report.outcome == GaveUp(StopReason.STEPS)
    assert report.counters["decisions"] == 500


def test_a_depth_that_is_not_enough_is_no_refutation() -> None:
    outcome = solve(LATTICE, "dpll:depth=1").outcome
    assert outcome == GaveUp(StopReason.DEPTH, "depth=1 is not enough")
    assert isinstance(solve(LATTICE, "dpll:depth=16").outcome, Refuted)


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(InputError, match="depth"):
        get_engine("dpll:depth=-1")


def test_pure_literals_spare_decisions_and_are_counted() -> None:
    cnf = formula([[1, 2], [1, -2, 3], [-3, 2, 1]], 3)
    plain, pure = Run(), Run()
    Dpll("first").solve_cnf(cnf, plain)
    Dpll("first", pure_literals=True).solve_cnf(cnf, pure)
    assert plain.counters["decisions"] > 0
    assert pure.counters["decisions"] == 0
    assert pure.counters["pure_literals"] >= 1


@pytest.mark.parametrize("settings", SETTINGS, ids=names_of)
@pytest.mark.parametrize("proof", [False, True])
def test_a_memory_limit_is_kept_before_anything_is_allocated(settings: Dpll, proof: bool) -> None:
    cnf = encode(read_grid(HARD / "09_even_100x100_sat.txt"))
    held = sum(array.nbytes for array in beginning(cnf, settings, proof=proof)) + cnf.literals.nbytes
    needed = bytes_needed(cnf, settings, proof=proof)
    assert held <= needed <= 1.2 * held
    answer = settings.solve_cnf(cnf, Run(Limits(memory=needed - 1, steps=1), wants_proof=proof))
    assert answer == GaveUp(StopReason.MEMORY, f"the search needs {needed:,} bytes")
    enough = settings.solve_cnf(cnf, Run(Limits(memory=needed, steps=1), wants_proof=proof))
    assert enough == GaveUp(StopReason.STEPS)


@pytest.mark.parametrize("settings", SETTINGS, ids=names_of)
def test_a_proof_in_many_pieces_is_accepted(settings: Dpll, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dpll, "LOG_ROOM", 4)
    outcome = solve(LATTICE, settings.info.name, proof=True).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.proof is not None
    assert isinstance(check_proof(LATTICE, outcome.proof), Accepted)


def test_pure_literals_are_steps_of_a_proof() -> None:
    square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    cnf = formula([[5, 6, 3], [6, -3], [-5, 3], *square], 6)
    run = Run(wants_proof=True)
    answer = Dpll("first", pure_literals=True).solve_cnf(cnf, run)
    assert isinstance(answer, Unsatisfiable)
    assert answer.proof is not None
    assert answer.proof.size == run.counters["conflicts"] + run.counters["pure_literals"] > 2
    assert isinstance(check_formula_proof(cnf, answer.proof), Accepted)


def test_a_proof_that_does_not_fit_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dpll, "LOG_ROOM", 4)
    cnf = encode(LATTICE)
    enough = bytes_needed(cnf, Dpll(), proof=True)
    answer = Dpll().solve_cnf(cnf, Run(Limits(memory=enough), wants_proof=True))
    assert answer == GaveUp(StopReason.MEMORY, "the proof does not fit")


@pytest.mark.parametrize("settings", SETTINGS, ids=names_of)
def test_a_search_in_small_slices_is_the_same_search(settings: Dpll) -> None:
    whole, sliced = Run(), Run()
    settings.solve_cnf(encode(LATTICE), whole)
    search = beginning(encode(LATTICE), settings)
    search.numbers[WORK_LIMIT] = 1
    while dpll.search_until(search, 1, False) == MORE:
        pass
    sliced.count(**dpll.counters(search))
    assert sliced.counters == whole.counters


def test_uncompiled_kernels_do_the_same() -> None:
    program = (
        "from gemhunter import parse_grid, solve\n"
        f"for engine in {[settings.info.name for settings in SETTINGS]}:\n"
        f"    report = solve(parse_grid({str(LATTICE)!r}), engine, proof=True)\n"
        "    print(type(report.outcome).__name__, dict(report.counters), report.outcome.proof.literals)"
    )
    assert output_either_way(program).count("Refuted") == len(SETTINGS)


def replayed(cnf: Cnf, events: list[Event]) -> None:
    """Follow the events with a list of literals, checking that each could happen just then."""
    path: list[int] = []
    places: list[int] = []
    clauses = cnf.clauses()
    for event in events:
        match event:
            case Decided(literal, level):
                places.append(len(path))
                assert level == len(places)
                assert literal not in path
                assert -literal not in path
                path.append(literal)
            case Implied(literal, clause):
                assert list(clause) in clauses
                assert literal in clause
                assert all(-other in path for other in clause if other != literal)
                assert literal not in path
                path.append(literal)
            case Pure(literal):
                assert not {literal, -literal} & set(path)
                assert all(set(clause) & set(path) for clause in clauses if -literal in clause)
                path.append(literal)
            case ClauseConflict(clause):
                assert list(clause) in clauses
                assert all(-literal in path for literal in clause)
            case Flipped(literal, level):
                assert path[places[level - 1]] == -literal
                del path[places[level - 1] :]
                del places[level:]
                path.append(literal)
            case ModelFound():
                assert all(set(clause) & set(path) for clause in clauses)
            case Exhausted() | TooDeep():
                pass


@pytest.mark.parametrize("settings", SETTINGS, ids=names_of)
@given(cnf=formulas())
def test_every_event_follows_from_those_before(settings: Dpll, cnf: Cnf) -> None:
    events = list(settings.trace_cnf(cnf, Run()))
    replayed(cnf, events)
    answer = settings.solve_cnf(cnf, Run())
    assert isinstance(events[-1], ModelFound if isinstance(answer, Satisfied) else Exhausted)


@pytest.mark.parametrize("settings", SETTINGS, ids=names_of)
def test_a_traced_search_is_the_search_without_a_trace(settings: Dpll) -> None:
    run = Run()
    settings.solve_cnf(encode(LATTICE), run)
    events = list(settings.trace_cnf(encode(LATTICE), Run()))
    replayed(encode(LATTICE), events)
    kinds = [type(event) for event in events]
    assert kinds.count(Decided) == run.counters["decisions"]
    assert kinds.count(Implied) == run.counters["propagations"]
    assert kinds.count(ClauseConflict) == run.counters["conflicts"]
    assert kinds.count(Pure) == run.counters.get("pure_literals", 0)


def test_after_a_conflict_comes_a_flip_or_the_end() -> None:
    events = list(Dpll().trace_cnf(encode(LATTICE), Run()))
    after = {type(later) for event, later in pairwise(events) if isinstance(event, ClauseConflict)}
    assert after == {Flipped, Exhausted}


def test_events_of_a_small_formula() -> None:
    cnf = formula([[1, 2], [1, -2], [-1, 3]], 3)
    assert list(Dpll("first").trace_cnf(cnf, Run())) == [
        Decided(-1, 1),
        Implied(2, (1, 2)),
        ClauseConflict((1, -2)),
        Flipped(1, 1),
        Implied(3, (-1, 3)),
        Decided(-2, 2),
        ModelFound(),
    ]
    assert list(Dpll("first", depth=1).trace_cnf(cnf, Run()))[-1] == TooDeep(1)
