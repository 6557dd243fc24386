"""Formulas × engines: every engine is asked about every formula, one after the other."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.formula_files import read_formula
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.queries.batch import Failure, Question, TaskProgress
from gemhunter.queries.formulas import FormulaReport, solve_formula
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class FormulaResult:
    """What one engine answered about one formula, and how long reading the formula took."""

    path: str
    formula: Cnf
    read_seconds: float
    answer: FormulaReport | Failure

    @property
    def engine(self) -> str:
        """The engine that answered."""
        return self.answer.engine

    @property
    def seconds(self) -> float | None:
        """The running time, without reading the formula; None for an engine that failed."""
        return None if isinstance(self.answer, Failure) else sum(self.answer.seconds.values())


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
        for engine in engines:
            progress.begin(f"{path} {engine.info.name}")
            try:
                answer = _ask(engine, formula, question.new_run(cancel, progress.tick))
            finally:
                progress.clear()
            if cancel():
                return
            yield FormulaResult(path, formula, read_seconds, answer)


def _ask(engine: CnfEngine, formula: Cnf, run: Run) -> FormulaReport | Failure:
    """What one engine answers about one formula, or why it failed."""
    try:
        return solve_formula(formula, engine, run=run)
    except (EngineError, WrongAnswerError) as error:
        return Failure(engine.info.name, str(error))
