"""Questions about formulas: every engine that reads clauses is right about them, traced or not."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from gemhunter import (
    Accepted,
    Cnf,
    EngineInfo,
    GaveUp,
    InputError,
    Satisfied,
    Unsatisfiable,
    WrongAnswerError,
    check_formula_proof,
    parse_formula,
    solve_formula,
    trace_formula,
)
from gemhunter.cnf.dimacs import complete_model, false_clauses
from gemhunter.solving.registry import get_clause_engine
from gemhunter.solving.run import Run
from pigeonholes import pigeons
from strategies import formulas

ENGINES = ["pysat", "pysat:minisat22", "cdcl", "cdcl:pick=random", "dpll", "dpll:pure-literals", "genetic"]
COMPLETE = [*ENGINES[:-1], "backtracking:clauses", "brute-force:clauses"]
TRACED = ["cdcl", "dpll", "dpll:pure-literals", "backtracking:clauses"]
IMPLICATIONS = "p cnf 4 5\n1 2 0\n-1 3 0\n-3 4 0\n-2 4 0\n-4 1 0\n"


def models(cnf: Cnf) -> Iterator[tuple[int, ...]]:
    """Every model, found by trying all assignments."""
    for signs in product((1, -1), repeat=cnf.variables):
        model = tuple(sign * name for name, sign in enumerate(signs, 1))
        if all(set(clause) & set(model) for clause in cnf.clauses()):
            yield model


@pytest.mark.parametrize("engine", COMPLETE)
@settings(max_examples=30)
@given(cnf=formulas())
def test_every_engine_finds_a_model_exactly_if_trying_everything_does(engine: str, cnf: Cnf) -> None:
    report = solve_formula(cnf, engine)
    found = set(models(cnf))
    if found:
        assert tuple(report.model or ()) in found
    else:
        assert isinstance(report.outcome, Unsatisfiable)
        assert report.model is None


@pytest.mark.parametrize("engine", ["pysat", "pysat:glucose4", "cdcl", "dpll"])
@settings(max_examples=30)
@given(cnf=formulas())
def test_the_proof_of_an_unsatisfiable_formula_is_accepted(engine: str, cnf: Cnf) -> None:
    match solve_formula(cnf, engine, proof=True).outcome:
        case Unsatisfiable(proof):
            assert proof is not None
            assert isinstance(check_formula_proof(cnf, proof), Accepted)
        case outcome:
            assert isinstance(outcome, Satisfied)


@pytest.mark.parametrize("engine", TRACED)
@settings(max_examples=30)
@given(cnf=formulas())
def test_the_last_step_of_a_trace_is_the_answer(engine: str, cnf: Cnf) -> None:
    if [] in cnf.clauses():
        with pytest.raises(InputError, match=r"nothing to trace: clause \d+ is empty"):
            trace_formula(cnf, engine)
        return
    *_, last = trace_formula(cnf, engine)
    satisfiable = next(models(cnf), None) is not None
    assert last.record["event"] == ("satisfiable" if satisfiable else "unsatisfiable")
    assert last.sentence.startswith(f"{last.record['event']}: ")


@pytest.mark.parametrize(
    ("engine", "sentences"),
    [
        ("dpll", ["decide -x1 (level 1)", "imply x2, by: x1 or x2"]),
        ("backtracking:clauses", ["decide x1 (level 1)", "decide x2 (level 2)"]),
    ],
)
def test_a_trace_names_variables(engine: str, sentences: list[str]) -> None:
    steps = trace_formula(parse_formula(IMPLICATIONS), engine)
    assert [next(steps).sentence for _ in sentences] == sentences


@pytest.mark.parametrize("engine", [*ENGINES, "backtracking:clauses", "brute-force:clauses"])
def test_formulas_without_clauses_or_with_an_empty_one_need_no_engine(engine: str) -> None:
    assert solve_formula(parse_formula("p cnf 0 0\n"), engine).model == []
    assert solve_formula(parse_formula("p cnf 2 0\n"), engine).model == [-1, -2]
    assert isinstance(solve_formula(parse_formula("p cnf 0 1\n0\n"), engine).outcome, Unsatisfiable)


@pytest.mark.parametrize("engine", ["auto", "backtracking", "brute-force", "tables", "pysat:minicard"])
def test_an_engine_that_reads_boards_names_those_that_read_formulas(engine: str) -> None:
    names = "dpll, cdcl, genetic, pysat, brute-force:clauses, backtracking:clauses, cmd:PROGRAM"
    with pytest.raises(InputError, match=rf"reads boards, not formulas; engines for formulas: {names}"):
        solve_formula(parse_formula(IMPLICATIONS), engine)


@pytest.mark.parametrize("engine", ["pysat", "cmd:cadical"])
def test_an_engine_that_cannot_tell_its_search_names_those_that_can(engine: str) -> None:
    names = "dpll, cdcl, genetic, brute-force:clauses and backtracking:clauses"
    with pytest.raises(InputError, match=f"on a formula; {names} can"):
        trace_formula(parse_formula(IMPLICATIONS), engine)


@pytest.mark.parametrize("engine", ["pysat", "cdcl", "dpll", "genetic", "backtracking:clauses"])
def test_an_engine_gives_up_at_a_step_limit(engine: str) -> None:
    assert isinstance(solve_formula(pigeons(7), engine, step_limit=3).outcome, GaveUp)


def test_a_report_counts_and_times() -> None:
    report = solve_formula(pigeons(3), "cdcl", seed=5)
    assert (report.engine, report.seed, report.counters["clauses"]) == ("cdcl", 5, 22)
    assert set(report.seconds) == {"encode", "solve", "check"}


@pytest.mark.parametrize("answer", [Satisfied(np.empty(0, np.int64)), Unsatisfiable()])
def test_no_answer_is_true_or_false(answer: Satisfied | Unsatisfiable) -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(answer)


def test_a_model_is_right_exactly_if_no_clause_is_false() -> None:
    cnf = parse_formula("p cnf 3 4\n1 -2 0\n2 3 0\n-3 0\n1 -1 0\n")
    assert false_clauses(cnf, np.array([1, 2, -3])).tolist() == []
    assert false_clauses(cnf, np.array([-1, 2, 3])).tolist() == [0, 2]
    assert complete_model(np.array([3, -1, 99]), 4).tolist() == [-1, -2, 3, -4]


@dataclass(frozen=True)
class Liar:
    """A solver that says of every variable that it is true."""

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("liar", "is wrong")

    def solve_cnf(self, cnf: Cnf, run: Run) -> Satisfied:
        return Satisfied(np.arange(1, cnf.variables + 1))


def test_a_wrong_model_is_an_error_and_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cnf = parse_formula("p cnf 2 2\n1 2 0\n-1 -2 0\n")
    with pytest.raises(WrongAnswerError, match=r"liar gave a wrong model: clause 2 \(-1 -2\) is false"):
        solve_formula(cnf, Liar())
    (kept,) = tmp_path.glob("gemhunter-wrong-*.cnf")
    assert parse_formula(kept.read_bytes()).clauses() == cnf.clauses()
    assert "model 1 2" in kept.read_text(encoding="utf-8")


def test_a_solver_of_ones_own_needs_no_name() -> None:
    assert get_clause_engine(Liar()).info.name == "liar"
    assert solve_formula(parse_formula("p cnf 2 1\n1 2 0\n"), Liar()).model == [1, 2]
