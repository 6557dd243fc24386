"""The checker of proofs against the definition in plain loops, and what solvers write against the checker."""

import random
from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Solver

from compiled import needs_compiler, output_either_way
from drat_oracle import Clause, Step, first_fault
from gemhunter import (
    Accepted,
    GaveUp,
    Grid,
    Proof,
    Refuted,
    Rejected,
    StopReason,
    check_proof,
    encode,
    parse_grid,
)
from gemhunter.cnf.drat import EMPTY_CLAUSE, read_drat
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.pysat import SOLVERS
from gemhunter.jit.search_state import GROW
from gemhunter.play.game_names import read_grid
from gemhunter.questions import proof_checker as question
from gemhunter.questions.proof_checker import CHECK_WORK, CURRENT_STEP, check, check_formula_proof
from gemhunter.questions.solve import solve
from gemhunter.solving.run import Limits, Run
from places import HARD
from proof_steps import proof_of, steps_of

NO_SOLUTION = parse_grid("1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1")
PROVING = [name for name, solver in SOLVERS.items() if solver.proofs]
HERE = [name for name in PROVING if SOLVERS[name].control != "process"]


def formula_of(clauses: list[Clause], variables: int) -> Cnf:
    steps = proof_of([(False, clause) for clause in clauses])
    return Cnf(steps.literals, steps.starts, np.arange(variables), max(variables, 1))


def verdict(clauses: list[Clause], steps: list[Step]) -> int | None:
    """What the checker says, in the oracle's words."""
    variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
    said = check_formula_proof(formula_of(clauses, variables), proof_of(steps))
    if isinstance(said, Accepted):
        return None
    assert isinstance(said, Rejected)
    return len(steps) + 1 if said.step is None else said.step


def any_clause(rng: random.Random, variables: int) -> Clause:
    """Literals with repetitions and opposites, sometimes none."""
    size = 0 if rng.random() < 0.02 else rng.randint(1, 3)
    return [rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(size)]


def any_case(rng: random.Random) -> tuple[list[Clause], list[Step]]:
    """A formula and steps that have little to do with it."""
    variables = rng.randint(1, 6)
    clauses = [any_clause(rng, variables) for _ in range(rng.randint(0, 4 * variables))]
    steps: list[Step] = [
        (rng.random() < 0.25, any_clause(rng, variables + 1)) for _ in range(rng.randint(0, 8))
    ]
    for _ in range(min(3, len(clauses))):
        gone = list(rng.choice(clauses))
        rng.shuffle(gone)
        steps.insert(rng.randint(0, len(steps)), (True, gone))
    return clauses, steps


def refuted_case(rng: random.Random) -> tuple[list[Clause], list[Step]]:
    """A formula without a model and a proof of that, from a solver."""
    while True:
        variables = rng.randint(5, 9)
        clauses = [
            [rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), rng.choice((2, 3, 3, 3)))]
            for _ in range(int(variables * rng.uniform(4, 7)))
        ]
        with Solver(name=rng.choice(HERE), with_proof=True) as solver:
            for clause in clauses:
                solver.add_clause(clause)
            if not solver.solve():
                return clauses, steps_of(read_drat("\n".join(solver.get_proof()).encode()))


def tampered(rng: random.Random, steps: list[Step]) -> list[Step]:
    """The steps with one of them changed or gone."""
    changed = list(steps)
    place = rng.randrange(len(steps))
    deletes, clause = steps[place]
    others: list[list[Step]] = [
        [],
        [(deletes, clause[1:])],
        [(deletes, [-literal for literal in clause[:1]] + clause[1:])],
        [(not deletes, clause)],
        [(deletes, clause[::-1])],
    ]
    changed[place : place + 1] = rng.choice(others)
    return changed


@pytest.mark.parametrize("room", [1, 2**16])
def test_any_steps_get_the_verdict_of_the_definition(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "FIRST_SPACE", room)
    rng, accepted = random.Random(room), 0
    for _ in range(500):
        clauses, steps = any_case(rng)
        said = verdict(clauses, steps)
        assert said == first_fault(clauses, steps), (clauses, steps)
        accepted += said is None
    assert 100 < accepted < 400


def test_a_proof_is_accepted_and_a_changed_one_gets_the_verdict_of_the_definition() -> None:
    rng, rejected = random.Random(1), 0
    for _ in range(80):
        clauses, steps = refuted_case(rng)
        assert verdict(clauses, steps) is None
        for _ in range(3 if steps else 0):
            changed = tampered(rng, steps)
            said = verdict(clauses, changed)
            assert said == first_fault(clauses, changed), (clauses, changed)
            rejected += said is not None
    assert rejected > 20


@pytest.mark.parametrize(
    ("clauses", "steps", "fault"),
    [
        pytest.param([[]], [], None, id="the empty clause in the formula"),
        pytest.param([], [], 1, id="nothing at all"),
        pytest.param([], [(False, [])], 1, id="the empty clause out of nothing"),
        pytest.param([[1], [-1]], [], None, id="a contradiction needs no steps"),
        pytest.param([[1, 1], [-1, -1]], [], None, id="repeated literals"),
        pytest.param([[1, -1]], [(False, [2]), (False, [-1, 1])], 3, id="tautologies say nothing"),
        pytest.param([[1, 2], [1, -2], [-1, 2], [-1, -2]], [(False, [1]), (False, [])], None, id="rup"),
        pytest.param([[1, 2]], [(False, [3, -1]), (False, [3])], 3, id="rat on a new variable"),
        pytest.param([[1, 2]], [(False, [3, -1]), (False, [-3, 2])], 2, id="not rat any more"),
        pytest.param([[-1, 2]], [(False, [2, 1])], 2, id="rat on the first literal"),
        pytest.param([[-1, 2]], [(False, [1, 2])], 1, id="not rat on the first literal"),
        pytest.param([[-1, 2]], [(False, [-2, 1])], 2, id="rat by a tautology"),
        pytest.param([[1, 2], [2, 1]], [(True, [2, 1]), (False, [2, 1])], 3, id="one copy of two is deleted"),
        pytest.param([[1, 2], [-2]], [(True, [2, 1]), (False, [1])], 3, id="a reason is not deleted"),
        pytest.param([[1, 2, 3]], [(True, [3, 1, 2]), (False, [1, 2, 3]), (False, [])], 3, id="any order"),
    ],
)
def test_special_cases(clauses: list[Clause], steps: list[Step], fault: int | None) -> None:
    assert verdict(clauses, steps) == fault == first_fault(clauses, steps)


def test_variables_with_large_numbers_need_no_more_memory() -> None:
    steps: list[Step] = [(False, [2**31 - 1, 1]), (False, [-(2**31) + 1, 1]), (False, [1, 2])]
    assert verdict([[1, 2], [-1, 2]], steps) == first_fault([[1, 2], [-1, 2]], steps)


def random_board(rng: np.random.Generator) -> tuple[Grid, int | None]:
    """A board that may or may not have a solution."""
    codes = rng.integers(1, 4, (int(rng.integers(3, 6)), int(rng.integers(4, 8)))).astype(np.int8)
    codes[rng.random(codes.shape) < 0.7] = -1
    return Grid(codes), int(rng.integers(5, 12)) if rng.random() < 0.3 else None


@pytest.mark.parametrize("name", PROVING)
def test_the_proofs_of_pysat_solvers_are_accepted(name: str) -> None:
    rng, proved, boards = np.random.default_rng(3), 0, 30 if name in HERE else 2
    for _ in range(boards):
        grid, traps = random_board(rng)
        outcome = solve(grid, f"pysat:{name}", total=traps, proof=True, seed=1).outcome
        if isinstance(outcome, Refuted):
            assert outcome.proof is not None
            assert isinstance(check_proof(grid, outcome.proof, traps), Accepted)
            proved += 1
    assert proved >= boards // 4


@pytest.mark.parametrize(
    ("file", "traps"),
    [
        ("01_altsum_21x21_unsat.txt", None),
        pytest.param("12_rand20_count55_unsat.txt", 55, marks=pytest.mark.full),
    ],
)
@needs_compiler
def test_proofs_of_hard_boards_are_accepted_but_not_in_part(file: str, traps: int | None) -> None:
    grid = read_grid(HARD / file)
    outcome = solve(grid, "auto", total=traps, proof=True, seed=1).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.proof is not None
    said = check_proof(grid, outcome.proof, traps)
    assert isinstance(said, Accepted)
    assert said.checked > 0
    half = steps_of(outcome.proof)[: outcome.proof.size // 2]
    assert check_proof(grid, proof_of(half), traps) == Rejected(
        None, "all steps follow, but they do not end in a conflict"
    )
    assert isinstance(check_proof(grid, proof_of([*half[1000:], (False, [])]), traps), Rejected)


def test_a_clue_that_cannot_hold_has_the_empty_clause_as_its_proof() -> None:
    grid = parse_grid("4, _\n_, _")
    outcome = solve(grid, proof=True).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.proof is EMPTY_CLAUSE
    assert check_proof(grid, EMPTY_CLAUSE) == Accepted(0)


def test_a_proof_is_about_one_board_one_total_and_one_encoding() -> None:
    proof = proof_of_board(NO_SOLUTION)
    assert isinstance(check_proof(NO_SOLUTION, proof), Accepted)
    assert isinstance(check_proof(parse_grid(str(NO_SOLUTION).replace("3", "4")), proof), Rejected)
    assert isinstance(check_proof(parse_grid("_, 1, _"), proof), Rejected)
    with Solver(name="glucose4", bootstrap_with=[], with_proof=True) as solver:
        cnf = encode(NO_SOLUTION, "totalizer")
        for clause in cnf.clauses():
            solver.add_clause(clause)
        assert not solver.solve()
        other = read_drat("\n".join(solver.get_proof()).encode())
    assert isinstance(check_proof(NO_SOLUTION, other, encoding="totalizer"), Accepted)


def proof_of_board(grid: Grid) -> Proof:
    outcome = solve(grid, proof=True).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.proof is not None
    return outcome.proof


def test_a_check_can_be_watched_and_cancelled() -> None:
    proof = proof_of_board(read_grid(HARD / "01_altsum_21x21_unsat.txt"))
    ticks: list[int] = []
    run = Run(cancel=lambda: ticks[-1] > 0, progress=lambda _, steps: ticks.append(steps))
    said = check_proof(read_grid(HARD / "01_altsum_21x21_unsat.txt"), proof, run=run)
    assert said == GaveUp(StopReason.CANCELLED)
    assert ticks == sorted(ticks)
    assert 0 < ticks[-1] < proof.size


def work_of_new_variables(amount: int) -> int:
    """How much work steps are that each bring two new variables, which only RAT lets in."""
    pairs = [[first, first + 1] for first in range(3, 3 + 2 * amount, 2)]
    steps: list[Step] = [(False, each) for a, b in pairs for each in ([a, b], [-a, -b])]
    state = question._beginning(formula_of([[1, 2], [-1, -2]], 2), proof_of(steps))
    while check(state, 2**40) == GROW:
        state = question._with_more_space(state)
    assert state.numbers[CURRENT_STEP] == 2 + 2 * amount
    return int(state.numbers[CHECK_WORK])


def test_steps_with_new_variables_are_linear_work() -> None:
    assert work_of_new_variables(400) < 2.5 * work_of_new_variables(200)


def test_a_check_keeps_a_memory_limit() -> None:
    grid = read_grid(HARD / "01_altsum_21x21_unsat.txt")
    proof = proof_of_board(grid)
    for limit in (1, 2**20):
        assert check_proof(grid, proof, run=Run(Limits(memory=limit))) == GaveUp(StopReason.MEMORY)
    assert isinstance(check_proof(grid, proof, run=Run(Limits(memory=2**30))), Accepted)


def test_a_verdict_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="match it"):
        bool(check_proof(parse_grid("_, 1, _"), EMPTY_CLAUSE))


def test_uncompiled_kernels_say_the_same() -> None:
    program = (
        f"import random, sys; sys.path.append({str(Path(__file__).parent)!r})\n"
        "from test_proof_check import *\n"
        "rng = random.Random(4)\n"
        "print([verdict(*any_case(rng)) for _ in range(40)])\n"
        "print([verdict(*refuted_case(rng)) for _ in range(5)])\n"
        "print(check_proof(NO_SOLUTION, proof_of_board(NO_SOLUTION)))"
    )
    output = output_either_way(program)
    assert "Accepted" in output
