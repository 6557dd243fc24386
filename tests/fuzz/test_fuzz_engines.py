"""All engines agree with each other and with trying everything, on random boards and formulas."""

from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

import oracles
from counted_boards import MOST_HIDDEN, make_board
from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN
from gemhunter.board.puzzle import Puzzle, Solution, impossible_regions, read_puzzle
from gemhunter.cnf.dimacs import read_formula
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.pysat import SOLVERS
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_position
from gemhunter.questions.proof_checker import Accepted, check_formula_proof, check_proof
from gemhunter.questions.solve import solve
from gemhunter.solving.engine import CnfEngine, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.registry import BUILT_IN_ENGINES, NEEDS_ARGUMENT, engine_names, get_engine
from gemhunter.solving.run import Limits, Run
from places import REGRESSIONS
from strategies import Planted, formula, formulas

Question = Planted | Cnf


def quick_engines() -> list[Engine]:
    """Every built-in engine that is installed, but those that start a process for each call: too slow."""
    alone = {f"pysat:{name}" for name, solver in SOLVERS.items() if solver.control == "process"}
    others = {"auto", "pysat", *(f"{name}:{what}" for name, what in NEEDS_ARGUMENT.items())}
    names = [name for name in engine_names() if name.partition(":")[0] in BUILT_IN_ENGINES]
    engines = [get_engine(name) for name in names if name not in alone | others]
    return [engine for engine in engines if engine.info.is_installed]


def ask(engine: Engine, question: Question) -> bool | None:
    """Whether an engine says that there is a solution, None for no answer; what proves it is checked."""
    info = engine.info
    limits = Limits(5.0 if info.time_limit else None, 20_000 if info.step else None)
    run = Run(limits, wants_proof=info.proofs)
    try:
        answer: bool | GaveUp | None
        if isinstance(question, Planted):
            answer = ask_board(engine, question, run)
        else:
            answer = ask_formula(engine, question, run)
    except Exception as error:
        error.add_note(f"{info.name} was asked about {question}")
        raise
    if isinstance(answer, GaveUp):
        may = (StopReason.TIME, StopReason.STEPS, StopReason.MEMORY)
        assert not info.complete or answer.stop_reason in may, (
            f"{info.name} calls itself complete, but gave up"
        )
        return None
    return answer


def ask_board(engine: Engine, board: Planted, run: Run) -> bool | GaveUp:
    puzzle = read_puzzle(board.grid, board.traps)
    if impossible_regions(puzzle).size:  # no engine is asked about such a board
        outcome: Outcome = solve(board.grid, engine, total=board.traps, run=run).outcome
    else:
        outcome = engine.solve(puzzle, run)
    match outcome:
        case Solved(solution):
            broken = check(board.grid, solution.fill(board.grid), board.traps)
            assert not broken, f"the solution of {engine.info.name} is wrong: {broken}"
            return True
        case Refuted(proof=proof):
            if engine.info.proofs:
                encoding = engine.encoding if isinstance(engine, CnfEngine) else "binomial"
                assert proof is not None, f"{engine.info.name} writes no proof"
                assert isinstance(check_proof(board.grid, proof, board.traps, encoding), Accepted)
            return False
        case GaveUp():
            return outcome


def ask_formula(engine: Engine, cnf: Cnf, run: Run) -> bool | GaveUp | None:
    # A solver never meets a formula without clauses: `CnfEngine` sees to that, and MapleSAT crashes on one.
    if not isinstance(engine, CnfEngine) or not cnf.size:
        return None
    answer: SatAnswer = engine.solver.solve_cnf(cnf, run)
    match answer:
        case Satisfied(model):
            true = set(model.tolist())
            assert not any(-literal in true for literal in true), f"{engine.info.name} contradicts itself"
            for clause in map(set, cnf.clauses()):
                is_tautology = any(-literal in clause for literal in clause)
                assert is_tautology or true & clause, f"the model of {engine.info.name} leaves out {clause}"
            return True
        case Unsatisfiable(proof):
            if engine.info.proofs:
                assert proof is not None, f"{engine.info.name} writes no proof"
                assert isinstance(check_formula_proof(cnf, proof), Accepted)
            return False
        case GaveUp():
            return answer


def truth_about(question: Question) -> bool | None:
    """Whether there is a solution, found by trying everything; None if that is too much."""
    if isinstance(question, Planted):
        if np.count_nonzero(question.grid.cells == HIDDEN) > MOST_HIDDEN:
            return None
        return len(oracles.solution_table(question.grid, question.traps)) > 0
    clauses = question.clauses()
    models = product((False, True), repeat=question.variables)
    return any(
        all(any(model[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses) for model in models
    )


def require_agreement(question: Question, engines: list[Engine]) -> None:
    """Raise `AssertionError` if an engine is wrong, as the truth or the solution of another shows."""
    said = {engine.info.name: ask(engine, question) for engine in engines}
    truth = truth_about(question)
    if truth is None:
        truth = any(said.values())
    wrong = {name: answer for name, answer in said.items() if answer not in (None, truth)}
    assert not wrong, f"there is {'a' if truth else 'no'} solution, but they say {wrong}:\n{question}"


FEW = ["brute-force", "backtracking:reading", "backtracking", "pysat:minicard", "pysat:minisat22"]


@pytest.mark.parametrize(
    ("names", "cases"),
    [
        (None, 15),
        pytest.param(None, 100, marks=pytest.mark.full),
        pytest.param(FEW, 1000, marks=pytest.mark.full),
    ],
)
def test_engines_agree(names: list[str] | None, cases: int) -> None:
    engines = quick_engines() if names is None else [get_engine(name) for name in names]
    for number in range(cases):
        require_agreement(make_board(Random(f"{cases} {number}")), engines)

    @settings(max_examples=cases)
    @given(formulas())
    def agree(cnf: Cnf) -> None:
        require_agreement(cnf, engines)

    agree()


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(REGRESSIONS.iterdir()) if path.suffix != ".json"],
    ids=lambda path: path.name,
)
def test_engines_agree_about_what_was_once_a_problem(path: Path) -> None:
    if path.suffix == ".cnf":
        require_agreement(read_formula(path), quick_engines())
    else:
        position = read_position(path)
        require_agreement(Planted(position.grid, position.total), quick_engines())


class Fake:
    """An engine or a solver that always answers the same."""

    def __init__(self, answer: Outcome | SatAnswer, *, proofs: bool = False) -> None:
        self.info, self.answer = EngineInfo("fake", "always answers the same", proofs=proofs), answer

    def solve(self, _puzzle: Puzzle, _run: Run) -> Outcome:
        assert isinstance(self.answer, Outcome)
        return self.answer

    def solve_cnf(self, _cnf: Cnf, _run: Run) -> SatAnswer:
        assert not isinstance(self.answer, Solved | Refuted)
        return self.answer


SMALL = Planted(parse_grid("_, 1, _"), None)
LARGE = Planted(parse_grid("_, _, _, _, _, _, _\n_, 3, _, _, _, _, _"), None)
CLASH = Planted(parse_grid("_, 1, _"), 2)


@pytest.mark.parametrize(
    ("board", "engine", "complaint"),
    [
        (SMALL, Fake(Refuted("no reason")), "there is a solution, but they say {'fake': False}"),
        (LARGE, Fake(Refuted("no reason")), "there is a solution, but they say {'fake': False}"),
        (SMALL, Fake(Solved(Solution(np.zeros(2, bool)))), "the solution of fake is wrong"),
        (SMALL, Fake(GaveUp(StopReason.STUCK)), "fake calls itself complete, but gave up"),
        (CLASH, Fake(Refuted("no reason"), proofs=True), "fake writes no proof"),
    ],
)
def test_a_wrong_engine_is_noticed(board: Planted, engine: Engine, complaint: str) -> None:
    with pytest.raises(AssertionError) as raised:
        require_agreement(board, [engine, get_engine("pysat")])
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("clauses", "answer", "complaint"),
    [
        ([[1, 1], [2]], Unsatisfiable(), "there is a solution, but they say {'fake': False}"),
        ([[1, 2], [-1]], Satisfied(np.array([-1, -2])), "the model of fake leaves out {1, 2}"),
        ([[1, 2]], Satisfied(np.array([1, -1])), "fake contradicts itself"),
    ],
)
def test_a_wrong_solver_is_noticed(clauses: list[list[int]], answer: SatAnswer, complaint: str) -> None:
    with pytest.raises(AssertionError) as raised:
        require_agreement(formula(clauses, 2), [CnfEngine(Fake(answer))])
    assert complaint in str(raised.value)
