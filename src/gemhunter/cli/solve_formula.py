"""`gemhunter solve FORMULA.cnf`: formulas in, `s` and `v` lines out."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from gemhunter.cli.board_arguments import refuse_options_about_boards
from gemhunter.cli.exit_codes import BAD_INPUT, ENGINE_FAILED, GAVE_UP, NO_SOLUTION, SAT_COMPETITION, SOLVED
from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.notes import complain, note, print_or_write
from gemhunter.cli.progress import Progress
from gemhunter.cli.proof import write_proof
from gemhunter.cli.solve_printout import ONE_DOCUMENT, SolveForm, one_or_list
from gemhunter.cli.table_formats import RecordTable, table_text
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.printable import json_text
from gemhunter.queries.batch import Failure, Question
from gemhunter.queries.formula_batch import FormulaResult, formula_answers
from gemhunter.records.reports import formula_result_record
from gemhunter.render.times import seconds_in_file, seconds_text
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.protocols import Satisfied, Unsatisfiable

FORMULA_SOLVE_OPTIONS = (
    *("engine", "time_limit", "step_limit", "memory_limit", "seed"),
    *("form", "output", "proof_file", "quiet"),
)
"""Options that are not about boards."""

TABLE_FIELDS = ("formula", "variables", "clauses", "engine", "outcome")
"""The fields of a result's record that a table of times has, before the time and the reason."""

LINE_WIDTH = 78
"""Characters of a `v` line, as CaDiCaL and Kissat print it."""


def solve_formulas(
    formulas: Sequence[str],
    question: Question,
    *,
    form: SolveForm,
    output: Path | None,
    proof_file: Path | None,
) -> int:
    """Ask every engine about every formula; returns the exit code."""
    refuse_options_about_boards(formulas[0], *FORMULA_SOLVE_OPTIONS)
    engines = question.formula_engines()
    several = len(formulas) > 1 or len(engines) > 1
    for option, given in (("--format sat", form == "sat"), ("--proof", question.proof)):
        if given and several:
            raise click.UsageError(f"{option} takes one formula and one engine")
    printed = _FormulaPrintout(form, several=several, shown=output is None)
    progress = Progress(len(formulas) * len(engines))
    try:
        for result in formula_answers(formulas, engines, question, progress=progress, cancel=is_pending):
            printed.add(result)
        stop_if_pending()
    finally:
        printed.finish(output)
    if proof_file is not None and printed.results:
        _save_proof(printed.results[0], proof_file)
    return printed.exit_code


class _FormulaPrintout:
    """The results so far; `several` says that more than one was asked for.

    Unless `shown`, nothing goes to standard output: all of it is for a file.
    """

    def __init__(self, form: SolveForm, *, several: bool, shown: bool) -> None:
        self.results: list[FormulaResult] = []
        self._form, self._several, self._is_shown, self._unreadable = form, several, shown, False

    @property
    def exit_code(self) -> int:
        """The highest code of all results; `sat` has the codes of SAT competitions."""
        codes = [_exit_code(result) for result in self.results] + [BAD_INPUT] * self._unreadable
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
        """Write the file, with the results so far, and print what comes last."""
        if not self.results:
            return
        answers = counted(len(self.results), "answer")
        if output is not None or self._form in ONE_DOCUMENT:
            print_or_write(self._document(), output, answers)

    def _document(self) -> str:
        """All results for a file: what was printed, with exact times."""
        if self._form == "json":
            return one_or_list([*map(formula_result_record, self.results)], several=self._several)
        if self._form in ONE_DOCUMENT:
            return table_text(self._form, _times_table(self.results))
        return "".join(self._printed(result, in_file=True) for result in self.results)

    def _printed(self, result: FormulaResult, *, in_file: bool = False) -> str:
        if self._form == "jsonl":
            return json_text(formula_result_record(result)) + "\n"
        return _sat_lines(result) if self._form == "sat" else _text(result, in_file=in_file)


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


def _exit_code(result: FormulaResult) -> int:
    """What the command returns if this is the only result."""
    if isinstance(result.answer, Failure):
        return ENGINE_FAILED
    match result.answer.outcome:
        case Satisfied():
            return SOLVED
        case Unsatisfiable():
            return NO_SOLUTION
        case GaveUp():
            return GAVE_UP


def _text(result: FormulaResult, *, in_file: bool) -> str:
    """The formula and the engine as comments, and the result of a SAT competition."""
    size = f"{counted(result.formula.variables, 'variable')}, {counted(result.formula.size, 'clause')}"
    show = (lambda seconds: f"{seconds_in_file(seconds)} s") if in_file else seconds_text
    return f"c {result.path}: {size}\nc {_comment(result, show)}\n{_sat_lines(result)}"


def _comment(result: FormulaResult, show: Callable[[float], str]) -> str:
    engine = f"[{result.engine}]"
    if isinstance(result.answer, Failure):
        return f"{engine} failed: {result.answer.message.removeprefix(f'{result.engine}: ')}"
    taken = show(sum(result.answer.seconds.values()))
    match result.answer.outcome:
        case Satisfied():
            return f"{engine} satisfiable, in {taken}"
        case Unsatisfiable():
            return f"{engine} unsatisfiable, in {taken}"
        case GaveUp() as gave_up:
            return f"{engine} gave up after {taken}: {gave_up.reason}"


def _sat_lines(result: FormulaResult) -> str:
    """An `s` line, and `v` lines with a literal for each variable; nothing if the engine failed."""
    if isinstance(result.answer, Failure):
        return ""
    match result.answer.outcome:
        case Satisfied():
            return f"s SATISFIABLE\n{value_lines(result.answer.model or [])}"
        case Unsatisfiable():
            return "s UNSATISFIABLE\n"
        case GaveUp():
            return "s UNKNOWN\n"


def value_lines(model: Sequence[int]) -> str:
    """The literals of a model and a 0, in `v` lines that fit into a terminal."""
    lines, line = [], "v"
    for word in (*map(str, model), "0"):
        if len(line) + 1 + len(word) > LINE_WIDTH:
            lines.append(line)
            line = "v"
        line += f" {word}"
    return "\n".join([*lines, line, ""])


def _times_table(results: Sequence[FormulaResult]) -> RecordTable:
    """A row per formula and engine: how large the formula is, what came out, and how long that took."""
    records = []
    for result in results:
        record = formula_result_record(result)
        seconds = "" if result.seconds is None else seconds_in_file(result.seconds)
        kept = {name: record[name] for name in TABLE_FIELDS}
        records.append({**kept, "seconds": seconds, "reason": record["reason"] or ""})
    headings = [*TABLE_FIELDS, "seconds", "reason"]
    return RecordTable(headings, [[*map(str, record.values())] for record in records], records)
