"""Gives a case to engines and says what is wrong with their answers.

The truth about a case is known from trying everything, if it is small, or from a solution that some engine
found and that the checker accepts. Without either, only crashes and proofs can be judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gemhunter.core.checker import check
from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.core.puzzle import impossible_regions, read_puzzle
from gemhunter.fuzzing.cases import BoardCase, Case, FormulaCase, all_assignments
from gemhunter.queries.proof import Accepted, check_formula_proof, check_proof
from gemhunter.queries.solve import solve
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.protocols import Engine, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Limits, Run

JUDGED_STEPS = 20_000
JUDGED_SECONDS = 5.0
MOST_ENUMERATED = 12
"""Cells or variables. With more, not everything is tried."""

OWN_LIMITS = (StopReason.TIME, StopReason.STEPS, StopReason.MEMORY)
"""At these a complete engine may give up too."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What an engine did wrong; `witness` is the engine whose solution shows it, if it takes one."""

    engine: Engine
    message: str
    witness: Engine | None = None

    @property
    def kind(self) -> str:
        """What went wrong, without the particulars."""
        return self.message.partition(":")[0]

    def __str__(self) -> str:
        return f"{self.engine.info.name}: {self.message}"


def judge(case: Case, engines: Sequence[Engine], seed: int = 0) -> list[Complaint]:
    """Everything that is wrong with what these engines say about a case; ideally nothing."""
    complaints: list[Complaint] = []
    said_yes: list[Engine] = []
    said_no: list[Engine] = []
    for engine in engines:
        if isinstance(case, FormulaCase) and not isinstance(engine, CnfEngine):
            continue
        try:
            verdict = _verdict(case, engine, seed)
        except Exception as error:  # noqa: BLE001 - whatever an engine raises is what we are looking for
            verdict = f"crashed: {type(error).__name__}: {error}"
        if isinstance(verdict, str):
            complaints.append(Complaint(engine, verdict))
        elif verdict is not None:
            (said_yes if verdict else said_no).append(engine)
    witness = said_yes[0] if said_yes else None
    if witness is not None or has_solution(case):
        complaints += [Complaint(engine, "refuted what has a solution", witness) for engine in said_no]
    return complaints


def has_solution(case: Case) -> bool | None:
    """Whether any assignment is a solution, found by trying all; None if there are too many."""
    return _board_has_solution(case) if isinstance(case, BoardCase) else _formula_has_model(case)


def _verdict(case: Case, engine: Engine, seed: int) -> bool | str | None:
    """Yes or no, None for no answer, or what is wrong with it."""
    limits = Limits(
        JUDGED_SECONDS if engine.info.time_limit else None, JUDGED_STEPS if engine.info.step else None
    )
    run = Run(limits, seed=seed, wants_proof=engine.info.proofs)
    if isinstance(case, BoardCase):
        return _board_verdict(case, engine, run)
    assert isinstance(engine, CnfEngine)  # noqa: S101 - `judge` asks no others about formulas
    cnf = case.cnf
    # A solver never meets a formula without clauses: `CnfEngine` sees to that, and MapleSAT crashes on one.
    return _formula_verdict(case, engine, engine.solver.solve_cnf(cnf, run)) if cnf.size else None


def _board_verdict(case: BoardCase, engine: Engine, run: Run) -> bool | str | None:
    puzzle = read_puzzle(case.grid, case.total)
    if impossible_regions(puzzle).size:
        outcome: Outcome = solve(case.grid, engine, total=case.total, run=run).outcome
    else:
        outcome = engine.solve(puzzle, run)
    match outcome:
        case Solved(solution):
            broken = check(case.grid, solution.fill(case.grid), case.total)
            return f"its solution is wrong: {broken[0]}" if broken else True
        case Refuted(proof=proof):
            if not engine.info.proofs:
                return False
            accepted = proof is not None and isinstance(
                check_proof(case.grid, proof, case.total, _encoding(engine)), Accepted
            )
            return False if accepted else "its proof does not hold"
        case GaveUp() as gave_up:
            return _gave_up(engine, gave_up)


def _formula_verdict(case: FormulaCase, engine: Engine, answer: SatAnswer) -> bool | str | None:
    match answer:
        case Satisfied(model):
            true = set(model.tolist())
            if any(-literal in true for literal in true):
                return "its model contradicts itself"
            unsatisfied = [
                clause for clause in case.clauses if true.isdisjoint(clause) and not _is_tautology(clause)
            ]
            return f"its model leaves out the clause {list(unsatisfied[0])}" if unsatisfied else True
        case Unsatisfiable(proof):
            if not engine.info.proofs:
                return False
            accepted = proof is not None and isinstance(check_formula_proof(case.cnf, proof), Accepted)
            return False if accepted else "its proof does not hold"
        case GaveUp() as gave_up:
            return _gave_up(engine, gave_up)


def _is_tautology(clause: tuple[int, ...]) -> bool:
    """Whether a clause holds whatever its variables are; a model may leave them out."""
    return any(-literal in clause for literal in clause)


def _gave_up(engine: Engine, gave_up: GaveUp) -> str | None:
    wrong = engine.info.complete and gave_up.stop_reason not in OWN_LIMITS
    return f"calls itself complete but gave up: {gave_up.reason}" if wrong else None


def _encoding(engine: Engine) -> str:
    return engine.encoding if isinstance(engine, CnfEngine) else "binomial"


def _board_has_solution(case: BoardCase) -> bool | None:
    codes = case.grid.cells.ravel()
    hidden = np.flatnonzero(codes == HIDDEN)
    if hidden.size > MOST_ENUMERATED:
        return None
    assignments = all_assignments(hidden.size)
    traps = np.tile(codes == TRAP, (len(assignments), 1))
    traps[:, hidden] = assignments
    holds = np.ones(len(assignments), bool) if case.total is None else traps.sum(axis=1) == case.total
    for index in np.flatnonzero(codes >= 0).tolist():
        holds &= traps[:, _around(case.grid, index)].sum(axis=1) == codes[index]
    return bool(holds.any())


def _around(grid: Grid, index: int) -> list[int]:
    """The neighbours of a cell, written out once more so that no engine's mistake is repeated here."""
    row, col = divmod(index, grid.cols)
    rows = range(max(row - 1, 0), min(row + 2, grid.rows))
    cols = range(max(col - 1, 0), min(col + 2, grid.cols))
    return [r * grid.cols + c for r in rows for c in cols if (r, c) != (row, col)]


def _formula_has_model(case: FormulaCase) -> bool | None:
    if case.variables > MOST_ENUMERATED:
        return None
    values = all_assignments(case.variables)
    holds = np.ones(len(values), bool)
    for clause in case.clauses:
        satisfied = np.zeros(len(values), bool)
        for literal in clause:
            satisfied |= values[:, abs(literal) - 1] == (literal > 0)
        holds &= satisfied
    return bool(holds.any())
