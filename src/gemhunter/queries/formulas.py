"""The question "does this formula have a model?"."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gemhunter.cnf.dimacs import write_dimacs
from gemhunter.cnf.formula import Cnf, Ints
from gemhunter.cnf.models import complete_model, false_clauses
from gemhunter.cnf.proof import EMPTY_CLAUSE
from gemhunter.errors import WrongAnswerError
from gemhunter.formats.files import kept_where
from gemhunter.queries.solve import require_limits, require_proofs
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.protocols import CnfSolver, Engine, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.registry import FORMULA_ENGINE, get_clause_engine
from gemhunter.solving.run import Limits, Run, given_run


@dataclass(frozen=True, slots=True)
class FormulaReport:
    """What an engine answered about a formula, what it counted, and how long each stage took."""

    formula: Cnf
    outcome: SatAnswer
    engine: str
    seconds: Mapping[str, float]
    counters: Mapping[str, int]
    seed: int
    settings: tuple[str, ...] = ()
    """The settings that the engine has by default, `key=value`; those that differ are part of its name."""

    @property
    def model(self) -> list[int] | None:
        """A literal for each variable, in order; None unless the formula is satisfiable."""
        return self.outcome.model.tolist() if isinstance(self.outcome, Satisfied) else None


def solve_formula(
    formula: Cnf,
    engine: str | Engine | CnfSolver = FORMULA_ENGINE,
    *,
    time_limit: float | None = None,
    step_limit: int | None = None,
    memory_limit: int | None = None,
    seed: int = 0,
    proof: bool = False,
    run: Run | None = None,
) -> FormulaReport:
    """Find a model of `formula`, show that there is none, or give up at a limit.

    Any engine that reads clauses can be asked. Its model gets a value for every variable and is checked. With
    `proof`, a refutation carries one, if the engine can.
    """
    limits = Limits(time_limit, step_limit, memory_limit)
    run = given_run(run, limits, seed=seed, proof=proof)
    chosen = get_clause_engine(engine)
    require_limits(chosen, run.limits)
    if run.wants_proof:
        require_proofs(chosen)
    with run.stage("solve"):
        answer = _answer(chosen, formula, run)
    with run.stage("check"):
        if isinstance(answer, Satisfied):
            answer = Satisfied(_checked(run, chosen, formula, answer.model))
    seconds = {stage: run.seconds.get(stage, 0.0) for stage in ("encode", "solve", "check")}
    info = chosen.info
    return FormulaReport(formula, answer, info.name, seconds, dict(run.counters), run.seed, info.settings)


def _answer(engine: CnfEngine, formula: Cnf, run: Run) -> SatAnswer:
    """The answer of the engine, which is not asked about a formula without clauses or with an empty one."""
    run.count(variables=formula.variables, clauses=formula.size)
    if not formula.size:
        return Satisfied(np.empty(0, np.int64))
    if not np.diff(formula.starts).all():
        return Unsatisfiable(EMPTY_CLAUSE if run.wants_proof else None)
    return engine.solver.solve_cnf(formula, run)


def _checked(run: Run, engine: CnfEngine, formula: Cnf, found: Ints) -> Ints:
    """The model with a value for every variable; raises `WrongAnswerError` if a clause is false in it."""
    model = complete_model(found, formula.variables)
    wrong = false_clauses(formula, model)
    if wrong.size:
        kept = _keep_wrong_model(run, engine, formula, model)
        literals = formula.literals[formula.starts[wrong[0]] : formula.starts[wrong[0] + 1]].tolist()
        clause = f"clause {wrong[0] + 1} ({' '.join(map(str, literals))})"
        raise WrongAnswerError(f"{engine.info.name} gave a wrong model: {clause} is false{kept}")
    return model


def _keep_wrong_model(run: Run, engine: CnfEngine, formula: Cnf, model: Ints) -> str:
    """Write what reproduces the mistake to a file; the end of a sentence that names it."""
    comments = (f"engine {engine.info.name}, seed {run.seed}", f"model {' '.join(map(str, model.tolist()))}")
    return kept_where(write_dimacs(formula, comments), ".cnf")
