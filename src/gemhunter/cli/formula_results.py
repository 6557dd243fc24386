"""A formula's answer by one engine, as `s` and `v` lines and as JSON."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gemhunter.cli.exit_codes import ENGINE_FAILED, GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.results import Failure
from gemhunter.cli.table_forms import RecordTable
from gemhunter.cnf.formula import Cnf
from gemhunter.core.plurals import counted
from gemhunter.queries.formulas import FormulaReport
from gemhunter.records.reports import failure_record, formula_report_record
from gemhunter.render.times import seconds_in_file, seconds_text
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.protocols import Satisfied, Unsatisfiable

LINE_WIDTH = 78
"""Characters of a `v` line, as CaDiCaL and Kissat print it."""


@dataclass(frozen=True, slots=True)
class FormulaResult:
    """What one engine said about one formula; `read` is how long reading the formula took."""

    path: str
    formula: Cnf
    read: float
    answer: FormulaReport | Failure

    @property
    def exit_code(self) -> int:
        """What the command returns if this is the only result."""
        if isinstance(self.answer, Failure):
            return ENGINE_FAILED
        match self.answer.outcome:
            case Satisfied():
                return SOLVED
            case Unsatisfiable():
                return NO_SOLUTION
            case GaveUp():
                return GAVE_UP

    def text(self, *, in_file: bool = False) -> str:
        """The formula and the engine as comments, and the result of a SAT competition."""
        size = f"{counted(self.formula.variables, 'variable')}, {counted(self.formula.size, 'clause')}"
        show = (lambda seconds: f"{seconds_in_file(seconds)} s") if in_file else seconds_text
        return f"c {self.path}: {size}\nc {self._comment(show)}\n{self.sat_lines()}"

    def sat_lines(self) -> str:
        """An `s` line, and `v` lines with a literal for each variable; nothing if the engine failed."""
        if isinstance(self.answer, Failure):
            return ""
        match self.answer.outcome:
            case Satisfied():
                return f"s SATISFIABLE\n{value_lines(self.answer.model or [])}"
            case Unsatisfiable():
                return "s UNSATISFIABLE\n"
            case GaveUp():
                return "s UNKNOWN\n"

    def record(self) -> dict[str, Any]:
        """All of it for programs."""
        if isinstance(self.answer, Failure):
            answer = failure_record(self.answer.engine, self.answer.message, self.read, "model")
        else:
            answer = formula_report_record(self.answer, self.read)
        size = {"variables": self.formula.variables, "clauses": self.formula.size}
        return {"formula": self.path, **size, **answer}

    def _comment(self, show: Callable[[float], str]) -> str:
        engine = f"[{self.answer.engine}]"
        if isinstance(self.answer, Failure):
            return f"{engine} failed: {self.answer.message.removeprefix(f'{self.answer.engine}: ')}"
        taken = show(sum(self.answer.seconds.values()))
        match self.answer.outcome:
            case Satisfied():
                return f"{engine} satisfiable, in {taken}"
            case Unsatisfiable():
                return f"{engine} unsatisfiable, in {taken}"
            case GaveUp() as gave_up:
                return f"{engine} gave up after {taken}: {gave_up.reason}"


def times_table(results: Sequence[FormulaResult]) -> RecordTable:
    """A row per formula and engine: how large it is, what came out, and how long that took."""
    records = []
    for result in results:
        record, answer = result.record(), result.answer
        seconds = "" if isinstance(answer, Failure) else seconds_in_file(sum(answer.seconds.values()))
        kept = {name: record[name] for name in ("formula", "variables", "clauses", "engine", "outcome")}
        records.append({**kept, "seconds": seconds, "reason": record["reason"] or ""})
    headings = ["formula", "variables", "clauses", "engine", "outcome", "seconds", "reason"]
    return RecordTable(headings, [[*map(str, record.values())] for record in records], records)


def value_lines(model: Sequence[int]) -> str:
    """The literals of a model and a 0, in `v` lines that fit into a terminal."""
    lines, line = [], "v"
    for word in (*map(str, model), "0"):
        if len(line) + 1 + len(word) > LINE_WIDTH:
            lines.append(line)
            line = "v"
        line += f" {word}"
    return "\n".join([*lines, line, ""])
