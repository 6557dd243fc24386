"""Records of engines, of their answers, and of errors."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from gemhunter import __version__
from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.errors import BoardError, Fault, FormulaError, GemHunterError, InputError
from gemhunter.files.boards import read_game_file
from gemhunter.files.json_boards import grid_rows
from gemhunter.files.samples import SAMPLE_PREFIX, SAMPLES
from gemhunter.questions.batch import Failure, FormulaResult, Result
from gemhunter.questions.solve import FormulaReport
from gemhunter.solving.engine import CnfEngine, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Report, Solved
from gemhunter.solving.registry import engine_family, get_engine

if TYPE_CHECKING:
    from gemhunter.work.confidence_intervals import Interval


def error_record(code: str, error: GemHunterError | str, field: str | None = None) -> dict[str, Any]:
    """An error: a word for programs, a line for people, the field to correct, and each fault in a text."""
    faults: tuple[Fault, ...] = ()
    if isinstance(error, BoardError):
        faults = error.faults[:100]  # the first ones are enough to mend it
    elif isinstance(error, FormulaError):
        faults = (error.fault,)
    if isinstance(error, InputError):
        field = error.field
    message = (faults[0].message if faults else str(error)).partition("\n")[0]
    record = {"code": code, "message": message, "field": field, "faults": [asdict(fault) for fault in faults]}
    return {"error": record}


def interval_fields(
    name: str, interval: "Interval | None", digits: int | None = None
) -> dict[str, float | None]:
    """A value and the ends of its interval, rounded to `digits`; a missing bound (after one run) is null."""
    if interval is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    ends = (interval.low, interval.high) if isfinite(interval.high) else (None, None)
    fields = {name: interval.value, f"{name}_low": ends[0], f"{name}_high": ends[1]}
    if digits is None:
        return fields
    return {key: None if value is None else round(value, digits) for key, value in fields.items()}


# Answers of engines.


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
    if engine.startswith(("cmd:", "grid:")):
        return {}
    written = (*defaults, *engine.partition(":")[2].split(","))
    return dict(part.split("=", 1) for part in written if "=" in part)


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
    """An engine that failed, and its error message; the fields `missing` are null."""
    return {
        "engine": engine,
        "outcome": "failed",
        **dict.fromkeys(missing),
        "reason": message,
        "seconds": rounded_seconds({"read": read_seconds}),
        "counters": {},
        "version": __version__,
        "seed": None,
        "settings": settings_record(engine, ()),
    }


def rounded_seconds(seconds: Mapping[str, float]) -> dict[str, float]:
    """The seconds of each stage, with six decimal places."""
    return {stage: round(taken, 6) for stage, taken in seconds.items()}


def _why_and_how(report: Report | FormulaReport, read_seconds: float) -> dict[str, Any]:
    """Why the engine refuted the board or gave up, and how it ran."""
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


# Engines.


def asked_record(name: str, seed: int) -> dict[str, Any]:
    """The engine of a run, with its version, seed, settings, and encoding if it has one."""
    engine = get_engine(name)
    info = engine.info
    return {
        "engine": info.name,
        "version": __version__,
        "seed": seed,
        "settings": settings_record(info.name, info.settings),
        "encoding": engine.encoding if isinstance(engine, CnfEngine) else None,
    }


def engine_record(info: EngineInfo, engine: Engine | None) -> dict[str, Any]:
    """Everything known about an engine; `engine` is None for a plug-in that cannot be loaded."""
    reads = None if engine is None else "clauses" if isinstance(engine, CnfEngine) else "board"
    return {
        **asdict(info),
        "settings": list(info.settings),
        "limits": list(info.limits),
        "reads": reads,
        "installed": engine is not None and info.is_installed,
        "family": engine_family(info.name),
    }


# Sample boards.


def sample_record(name: str) -> dict[str, Any]:
    """The size of a sample board, and what is special about it."""
    grid = read_game_file(f"{SAMPLE_PREFIX}{name}").position.grid
    return {
        "name": f"{SAMPLE_PREFIX}{name}",
        "rows": grid.rows,
        "cols": grid.cols,
        "unknown": int((grid.cells == HIDDEN).sum()),
        "about": SAMPLES[name].about,
    }
