"""The questions "what is a solution?" and "does this formula have a model?".

`solve` does once what every engine needs: it refutes clues that cannot hold on their own, asks the engine,
makes untouched cells gems, and has the independent checker verify the solution.
"""

import json
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from gemhunter.board.checker import check
from gemhunter.board.grid import Grid, require_grid
from gemhunter.board.puzzle import Solution, are_all_touched, impossible_regions, read_puzzle, untouched_cells
from gemhunter.cnf.dimacs import complete_model, false_clauses, write_dimacs
from gemhunter.cnf.drat import EMPTY_CLAUSE
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.files.access import kept_where
from gemhunter.files.json_boards import grid_rows
from gemhunter.jit.kernel import Ints
from gemhunter.solving.engine import CnfEngine, CnfSolver, Engine, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Report, Solved
from gemhunter.solving.registry import FORMULA_ENGINE, PYTHON_FILE, get_clause_engine, get_engine
from gemhunter.solving.run import IMPORT, Limits, Run, given_run
from gemhunter.wording import counted, program_name


def solve(
    grid: Grid,
    engine: str | Engine = "auto",
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    memory_limit: int | None = None,
    seed: int = 0,
    proof: bool = False,
    run: Run | None = None,
) -> Report:
    """Fill in `grid`, show that it cannot be done, or give up at a limit.

    `total` is the number of traps on the whole board, if known, including those already shown. With `proof`,
    a refutation carries a proof, if the engine can write one.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit, memory_limit), seed=seed, proof=proof)
    # A Python file is imported by another process, which has to start.
    is_file = isinstance(engine, str) and PYTHON_FILE.fullmatch(engine)
    with run.stage(IMPORT) if is_file else nullcontext():
        chosen = _chosen(engine, run)
    return _report(run, chosen, grid, total)


def _chosen(engine: str | Engine, run: Run) -> Engine:
    """The engine, looked up if a name is given; raises if it cannot do what the run asks for."""
    chosen = get_engine(engine, proof=run.wants_proof) if isinstance(engine, str) else engine
    if chosen is engine and not isinstance(engine, Engine):
        raise TypeError(f"expected the name of an engine or an Engine, not {type(engine).__name__}")
    require_limits(chosen, run.limits)
    if run.wants_proof:
        require_proofs(chosen)
    return chosen


def _report(run: Run, chosen: Engine, grid: Grid, total: int | None) -> Report:
    """Ask the engine, check its answer, and report both."""
    with run.stage("encode"):
        puzzle = read_puzzle(grid, total)
        impossible = impossible_regions(puzzle)
    if impossible.size:
        from gemhunter.solving.conflict_sentences import impossible_clues
        from gemhunter.solving.conflict_sets import clue_cells

        clues, proof = clue_cells(puzzle, puzzle.clues[impossible]), EMPTY_CLAUSE if run.wants_proof else None
        outcome: Outcome = Refuted(impossible_clues(puzzle, impossible), clues, proof)
    else:
        with run.stage("solve"):
            outcome = chosen.solve(puzzle, run)
    _require_cells(outcome, puzzle.hidden.size, chosen.info.name)
    if isinstance(outcome, Refuted) and not impossible.size and not chosen.info.is_trusted:
        with run.stage(IMPORT):  # the second opinion is not part of the engine's time
            _require_no_solution(run, chosen, grid, total)
    with run.stage("check"):
        if isinstance(outcome, Solved):
            if not are_all_touched(puzzle):
                outcome = Solved(Solution(outcome.solution.traps & ~untouched_cells(puzzle)))
            if check(grid, outcome.solution.fill(grid), total):
                _report_wrong_answer(run, chosen, outcome.solution.fill(grid), grid=grid, total=total)
    seconds = {stage: run.seconds.get(stage, 0.0) for stage in ("encode", "solve", "check")}
    seconds.update({stage: run.seconds[stage] for stage in ("explain", "start") if stage in run.seconds})
    info, encoding = chosen.info, getattr(chosen, "encoding", None)
    return Report(
        grid, outcome, info.name, seconds, dict(run.counters), run.seed, info.settings, encoding=encoding
    )


def require_limits(engine: Engine, limits: Limits) -> None:
    """Raise `InputError` if this engine cannot keep one of the limits."""
    info = engine.info
    if limits.steps is not None and not info.step:
        raise InputError(f"{info.name} has no steps to limit; use a time limit instead")
    if limits.seconds is not None and not info.time_limit:
        raise InputError(f"{info.name} cannot keep a time limit; use a step limit instead")
    if limits.memory is not None and not info.memory_limit:
        raise InputError(f"{info.name} cannot keep a memory limit")


def require_proofs(engine: Engine) -> None:
    """Raise `InputError` if this engine writes no proofs."""
    if not engine.info.proofs:
        name, command = engine.info.name, f"{program_name()} engines"
        raise InputError(f"{name} writes no proofs; `{command}` says which engines do")


def _require_cells(outcome: object, hidden: int, engine: str) -> None:
    """Raise `EngineError` if this is not an outcome, or has cells that the board does not have."""
    if not isinstance(outcome, Outcome):
        raise EngineError(f"{engine} returned {outcome!r:.40}; expected Solved, Refuted or GaveUp")
    if isinstance(outcome, Solved) and outcome.solution.traps.shape != (hidden,):
        raise EngineError(f"{engine} filled {outcome.solution.traps.size} of {counted(hidden, 'cell')}")
    decided = outcome.decided if isinstance(outcome, GaveUp) else ()
    # There can be millions of them, and a loop would take seconds.
    if decided and not 0 < min(map(abs, decided)) <= max(map(abs, decided)) <= hidden:
        raise EngineError(f"{engine} decided cells that the board does not have; it has {hidden}")


def _require_no_solution(run: Run, engine: Engine, grid: Grid, total: int | None) -> None:
    """Raise `WrongAnswerError` if the default engine finds a solution in about the time the engine took."""
    taken = run.seconds.get("solve", 0.0)
    ours = get_engine("auto").solve(read_puzzle(grid, total), run.of_seconds(min(1.0 + 2 * taken, 10.0)))
    if isinstance(ours, Solved):
        raise WrongAnswerError(f"{engine.info.name} gave a wrong answer: no solution, but there is one")


def _report_wrong_answer(
    run: Run, engine: Engine, filled: Grid, *, grid: Grid, total: int | None
) -> NoReturn:
    """Save a file that reproduces the wrong answer, and raise `WrongAnswerError`."""
    name, broken = engine.info.name, check(grid, filled, total)
    boards = {"grid": grid_rows(grid), "filled": grid_rows(filled), "broken": [str(each) for each in broken]}
    record = json.dumps({"engine": name, "traps": total, "seed": run.seed, **boards})
    raise WrongAnswerError(f"{name} gave a wrong answer: {broken[0]}{kept_where(record, '.json')}")


# The question "does this formula have a model?".


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
    """The engine's settings with default values, as `key=value`; the others are part of its name."""

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

    Any engine that reads clauses can be asked. Its model is completed to all variables and checked. With
    `proof`, a refutation carries a proof, if the engine can write one.
    """
    run = given_run(run, Limits(time_limit, step_limit, memory_limit), seed=seed, proof=proof)
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
    """The answer of the engine, which is not asked if there are no clauses or if one of them is empty."""
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
        how = f"engine {engine.info.name}, seed {run.seed}"
        comments = (how, f"model {' '.join(map(str, model.tolist()))}")
        kept = kept_where(write_dimacs(formula, comments), ".cnf")
        literals = formula.literals[formula.starts[wrong[0]] : formula.starts[wrong[0] + 1]].tolist()
        clause = f"clause {wrong[0] + 1} ({' '.join(map(str, literals))})"
        raise WrongAnswerError(f"{engine.info.name} gave a wrong model: {clause} is false{kept}")
    return model
