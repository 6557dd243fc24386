"""What engines answered about files of boards and formulas, as plain data."""

from typing import Any

from gemhunter.queries.batch import Failure, Result
from gemhunter.queries.formula_batch import FormulaResult
from gemhunter.records.reports import failure_record, formula_report_record, report_record


def result_record(result: Result) -> dict[str, Any]:
    """An engine's answer about the board in a file; an engine that failed has the same fields."""
    match result.answer:
        case Failure(engine, message):
            answer = failure_record(engine, message, result.read_seconds, "grid", "partial", "encoding")
        case report:
            answer = report_record(report, result.read_seconds)
    return {"board": result.board.path, **answer}


def formula_result_record(result: FormulaResult) -> dict[str, Any]:
    """An engine's answer about the formula in a file; an engine that failed has the same fields."""
    match result.answer:
        case Failure(engine, message):
            answer = failure_record(engine, message, result.read_seconds, "model")
        case report:
            answer = formula_report_record(report, result.read_seconds)
    size = {"variables": result.formula.variables, "clauses": result.formula.size}
    return {"formula": result.path, **size, **answer}
