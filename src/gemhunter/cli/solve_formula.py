"""`gemhunter solve FORMULA.cnf`: formulas in, `s` and `v` lines out."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from gemhunter.cli.exit_codes import BAD_INPUT, SAT_COMPETITION, SOLVED
from gemhunter.cli.formula_arguments import refuse_options_about_boards
from gemhunter.cli.formula_results import FormulaResult, times_table
from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.notes import complain, note, print_or_write
from gemhunter.cli.printout import ONE_DOCUMENT
from gemhunter.cli.progress import Progress
from gemhunter.cli.proof import write_proof
from gemhunter.cli.results import Failure, as_json
from gemhunter.cli.table_forms import table_text
from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.formula_files import read_formula
from gemhunter.core.plurals import counted
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.printable import json_text
from gemhunter.queries.formulas import FormulaReport, solve_formula
from gemhunter.queries.solve import require_limits, require_proofs
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.protocols import Satisfied, Unsatisfiable
from gemhunter.solving.registry import FORMULA_ENGINE, get_clause_engine, require_installed
from gemhunter.solving.run import Limits, Run

FORMULA_SOLVE_OPTIONS = (
    *("engine", "time_limit", "step_limit", "memory_limit", "seed"),
    *("form", "output", "proof_file", "quiet"),
)
"""Options that do not speak of boards."""


@dataclass(frozen=True, slots=True)
class FormulaQuestion:
    """What is asked of each engine about each formula."""

    engines: Sequence[CnfEngine]
    limits: Limits
    seed: int
    proof: bool

    def __post_init__(self) -> None:
        for engine in self.engines:
            require_installed(engine)
            require_limits(engine, self.limits)
            if self.proof:
                require_proofs(engine)


def solve_formulas(formulas: Sequence[str], **how: Any) -> int:
    """Ask every engine about every formula; returns the exit code."""
    refuse_options_about_boards(formulas[0], *FORMULA_SOLVE_OPTIONS)
    form, proof_file = how["form"], how["proof_file"]
    asked = FormulaQuestion(
        [get_clause_engine(name) for name in _engine_names(how["engine"])],
        Limits(how["time_limit"], how["step_limit"], how["memory_limit"]),
        how["seed"],
        proof_file is not None,
    )
    several = len(formulas) > 1 or len(asked.engines) > 1
    for option, given in (("--format sat", form == "sat"), ("--proof", asked.proof)):
        if given and several:
            raise click.UsageError(f"{option} takes one formula and one engine")
    printed = _Printout(form, several=several, shown=how["output"] is None)
    try:
        for result in _results(formulas, asked):
            printed.add(result)
    finally:
        printed.finish(how["output"])
    if proof_file is not None and printed.results:
        _save_proof(printed.results[0], proof_file)
    return printed.exit_code


class _Printout:
    """The results so far; `several` says that more than one was asked for.

    Unless `shown`, nothing goes to standard output: all of it is for a file.
    """

    def __init__(self, form: str, *, several: bool, shown: bool) -> None:
        self.results: list[FormulaResult] = []
        self._form, self._several, self._is_shown, self._unreadable = form, several, shown, False

    @property
    def exit_code(self) -> int:
        """The highest code of all results; SAT solvers have their own."""
        codes = [result.exit_code for result in self.results] + [BAD_INPUT] * self._unreadable
        code = max(codes, default=SOLVED)
        return SAT_COMPETITION.get(code, code) if self._form == "sat" else code

    def add(self, result: FormulaResult | InputError) -> None:
        """Print one result, unless the form is one document."""
        if isinstance(result, InputError):
            self._unreadable = True
            complain(result)
            return
        if isinstance(result.answer, Failure):
            complain(result.answer.message)
        self.results.append(result)
        if self._is_shown and self._form not in ONE_DOCUMENT:
            click.echo(self._printed(result), nl=False)

    def finish(self, output: Path | None) -> None:
        """Write the file, with whatever results there are, and print what comes last."""
        if not self.results:
            return
        answers = counted(len(self.results), "answer")
        if output is not None or self._form in ONE_DOCUMENT:
            print_or_write(self._document(), output, answers)

    def _document(self) -> str:
        """Everything for a file: what was printed, with exact times."""
        if self._form == "json":
            return as_json([result.record() for result in self.results], several=self._several) + "\n"
        if self._form in ONE_DOCUMENT:
            return table_text(self._form, times_table(self.results))
        return "".join(self._printed(result, in_file=True) for result in self.results)

    def _printed(self, result: FormulaResult, *, in_file: bool = False) -> str:
        if self._form == "jsonl":
            return json_text(result.record()) + "\n"
        return result.sat_lines() if self._form == "sat" else result.text(in_file=in_file)


def _engine_names(given: tuple[str, ...]) -> tuple[str, ...]:
    """Who is asked; the default is another one than for boards."""
    source = click.get_current_context().get_parameter_source("engine")
    return (FORMULA_ENGINE,) if source is ParameterSource.DEFAULT else given


def _results(formulas: Sequence[str], asked: FormulaQuestion) -> Iterator[FormulaResult | InputError]:
    """Results as they come; a formula that cannot be read does not keep the others from being solved."""
    progress = Progress(len(formulas) * len(asked.engines))
    for path in formulas:
        began = time.perf_counter()
        try:
            formula = read_formula(path)
        except InputError as error:
            yield error
            continue
        read = time.perf_counter() - began
        for engine in asked.engines:
            progress.begin(f"{path} {engine.info.name}")
            answer = _ask(engine, formula, asked, progress)
            progress.clear()
            stop_if_pending()
            yield FormulaResult(path, formula, read, answer)


def _ask(
    engine: CnfEngine, formula: Cnf, asked: FormulaQuestion, progress: Progress
) -> FormulaReport | Failure:
    run = Run(
        asked.limits, seed=asked.seed, cancel=is_pending, progress=progress.tick, wants_proof=asked.proof
    )
    try:
        return solve_formula(formula, engine, run=run)
    except (EngineError, WrongAnswerError) as error:
        return Failure(engine.info.name, str(error))
    except KeyboardInterrupt:
        progress.clear()
        raise


def _save_proof(result: FormulaResult, file: Path) -> None:
    """Write the proof of an unsatisfiable formula, or say why there is none."""
    if isinstance(result.answer, Failure):
        return
    outcome = result.answer.outcome
    if isinstance(outcome, Unsatisfiable):
        write_proof(file, outcome.proof, result.answer.engine)
    else:
        why = "the formula has a model" if isinstance(outcome, Satisfied) else "the engine gave up"
        note(f"{file}: not written, {why}")
