"""What an engine answered about a board or a formula, as plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from gemhunter import __version__
from gemhunter.core.grid import Grid
from gemhunter.formats.json_boards import grid_rows
from gemhunter.queries.batch import Failure, Result
from gemhunter.queries.formula_batch import FormulaResult
from gemhunter.queries.formulas import FormulaReport
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Report, Solved
from gemhunter.solving.protocols import SatAnswer, Satisfied, Unsatisfiable

SECONDS_DIGITS = 6
"""Decimal places of seconds."""

FAILED = "failed"
"""The outcome of an engine that could not do its work."""


def outcome_name(outcome: Outcome | SatAnswer) -> str:
    """An outcome in one word."""
    match outcome:
        case Solved():
            return "solved"
        case Refuted():
            return "refuted"
        case Satisfied():
            return "satisfiable"
        case Unsatisfiable():
            return "unsatisfiable"
        case GaveUp():
            return "gave-up"


def settings_record(engine: str, defaults: Sequence[str]) -> dict[str, str]:
    """All settings of an engine by name: its defaults, and those that its name overrides."""
    written = (*defaults, *engine.partition(":")[2].split(","))
    return dict(
        part.split("=", 1) for part in written if "=" in part and not engine.startswith(("cmd:", "grid:"))
    )


def report_record(report: Report, read_seconds: float) -> dict[str, Any]:
    """An engine's answer about a board; reading the board took `read_seconds`."""
    return {
        "engine": report.engine,
        "outcome": outcome_name(report.outcome),
        "grid": _rows(report.filled),
        "partial": _rows(report.partial),
        **_why_and_how(report, read_seconds),
        "encoding": report.encoding,
    }


def formula_report_record(report: FormulaReport, read_seconds: float) -> dict[str, Any]:
    """An engine's answer about a formula; reading the formula took `read_seconds`."""
    return {
        "engine": report.engine,
        "outcome": outcome_name(report.outcome),
        "model": report.model,
        **_why_and_how(report, read_seconds),
    }


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


def solution_record(board: str, number: int, filled: Grid) -> dict[str, Any]:
    """One of several solutions of a board, with its number from 1."""
    return {"board": board, "solution": number, "grid": grid_rows(filled)}


def failure_record(engine: str, message: str, read_seconds: float, *missing: str) -> dict[str, Any]:
    """An engine that failed, and its own words about it; the fields `missing` are null."""
    return {
        "engine": engine,
        "outcome": FAILED,
        **dict.fromkeys(missing),
        "reason": message,
        "seconds": rounded_seconds({"read": read_seconds}),
        "counters": {},
        "version": __version__,
        "seed": None,
        "settings": settings_record(engine, ()),
    }


def rounded_seconds(seconds: Mapping[str, float]) -> dict[str, float]:
    """The seconds of each stage, rounded."""
    return {stage: round(taken, SECONDS_DIGITS) for stage, taken in seconds.items()}


def _why_and_how(report: Report | FormulaReport, read_seconds: float) -> dict[str, Any]:
    """The reason of a refutation or of giving up, the seconds and the counters."""
    outcome = report.outcome
    return {
        "reason": outcome.reason if isinstance(outcome, Refuted | GaveUp) else None,
        "seconds": rounded_seconds({"read": read_seconds, **report.seconds}),
        "counters": dict(report.counters),
        "version": __version__,
        "seed": report.seed,
        "settings": settings_record(report.engine, report.settings),
    }


def _rows(grid: Grid | None) -> list[str] | None:
    return None if grid is None else grid_rows(grid)
