"""Formulas × engines: every engine is asked about every formula, one after the other."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.formula_files import read_formula
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.queries.batch import Answered, Failure, Question, TaskProgress, ask_each
from gemhunter.queries.formulas import FormulaReport, solve_formula
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class FormulaResult(Answered):
    """What one engine answered about one formula, and how long reading the formula took."""

    path: str
    formula: Cnf
    read_seconds: float
    answer: FormulaReport | Failure


def formula_answers(
    formulas: Sequence[str],
    engines: Sequence[CnfEngine],
    question: Question,
    *,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Iterator[FormulaResult | InputError]:
    """Results as they come; a formula that cannot be read does not stop the others.

    Ends early, without the answer that was cut short, when `cancel` says so.
    """
    for path in formulas:
        began = time.perf_counter()
        try:
            formula = read_formula(path)
        except InputError as error:
            yield error
            continue
        read_seconds = time.perf_counter() - began
        asking = partial(_ask, formula)
        for answer in ask_each(engines, path, asking, question, progress=progress, cancel=cancel):
            yield FormulaResult(path, formula, read_seconds, answer)
        if cancel():
            return


def _ask(formula: Cnf, engine: CnfEngine, run: Run) -> FormulaReport | Failure:
    """What one engine answers about one formula, or why it failed."""
    try:
        return solve_formula(formula, engine, run=run)
    except (EngineError, WrongAnswerError) as error:
        return Failure(engine.info.name, str(error))
