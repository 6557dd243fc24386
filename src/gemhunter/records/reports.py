"""What an engine said about a board or a formula, as plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from gemhunter import __version__
from gemhunter.core.grid import Grid
from gemhunter.formats.json_boards import grid_rows
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
    """All settings of an engine by name: its defaults, and what its name has instead."""
    written = (*defaults, *engine.partition(":")[2].split(","))
    return dict(part.split("=", 1) for part in written if "=" in part and not engine.startswith("cmd:"))


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
