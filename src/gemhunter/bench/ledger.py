"""Comparisons in a ledger: what the first line says of them, and a line per run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter.bench.machine import machine, sources_digest, versions
from gemhunter.bench.measure import RunSetting
from gemhunter.bench.runs import EngineComparison
from gemhunter.bench.values import BenchBoard, BenchLimits, Measurement, RunTask, Suite, Verdict
from gemhunter.compiling.choice import Mode, current_mode, is_installed
from gemhunter.core.grid import HIDDEN
from gemhunter.errors import InputError
from gemhunter.formats.tokens import Zero
from gemhunter.work.ledger import Lines, read_ledger

KIND = "bench"
MADE_BY = "gemhunter bench"


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What a ledger keeps of a board; `digest` is another one as soon as a cell or the total is."""

    name: str
    rows: int
    cols: int
    unknown: int
    clues: int
    traps: int | None
    note: str
    digest: str


@dataclass(frozen=True, slots=True)
class BenchHeading:
    """The first line of a ledger: everything that two measurements must share to be compared."""

    arguments: tuple[str, ...]
    zero: Zero
    suite: str
    title: str
    engines: tuple[str, ...]
    runs: int
    runs_of: Mapping[str, int]
    setting: RunSetting
    compiled: bool
    machine: Mapping[str, Any]
    versions: Mapping[str, str]
    sources: str
    boards: tuple[BoardFacts, ...]


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """What a ledger has: its heading, None if not even that was written, and measurements."""

    heading: BenchHeading | None
    measurements: tuple[Measurement, ...]


def heading_of(comparison: EngineComparison, arguments: Sequence[str], zero: Zero) -> BenchHeading:
    """The heading of a comparison that is made here and now."""
    suite = comparison.suite
    return BenchHeading(
        arguments=tuple(arguments),
        zero=zero,
        suite=suite.name,
        title=suite.title,
        engines=comparison.engines,
        runs=comparison.runs,
        runs_of=comparison.runs_of,
        setting=comparison.setting,
        compiled=current_mode() is not Mode.NEVER and is_installed(),
        machine=machine(),
        versions=versions(),
        sources=sources_digest(),
        boards=tuple(map(facts_of, suite.boards)),
    )


def facts_of(board: BenchBoard) -> BoardFacts:
    """What a ledger keeps of a board."""
    cells = board.grid.cells
    text = f"{cells.shape} {board.traps} ".encode() + cells.tobytes()
    unknown, clues = int(np.count_nonzero(cells == HIDDEN)), int(np.count_nonzero(cells >= 0))
    digest = blake2b(text, digest_size=8).hexdigest()
    rows, cols = board.grid.rows, board.grid.cols
    return BoardFacts(board.name, rows, cols, unknown, clues, board.traps, board.note, digest)


def require_same(kept: BenchHeading, here: BenchHeading, path: Path) -> None:
    """Raise unless runs made here can be added to those of a ledger."""
    for what, there, now in (
        ("the program", (kept.versions, kept.sources), (here.versions, here.sources)),
        ("the machine", kept.machine, here.machine),
        ("compiling", kept.compiled, here.compiled),
        ("a board", kept.boards, here.boards),
    ):
        if there != now:
            raise InputError(
                f"{path} cannot be resumed: {what} is not what it was; begin another with -o FILE"
            )


def read_comparison(lines: Lines) -> KeptRuns:
    """What the lines of a ledger say."""
    heading = lines.heading(read_heading, MADE_BY)
    return KeptRuns(heading, () if heading is None else tuple(lines.records(read_measurement)))


def open_comparison(path: Path) -> KeptRuns:
    """What a ledger says that another process may be writing to."""
    return read_comparison(read_ledger(path))


def comparison_of(heading: BenchHeading, suite: Suite) -> EngineComparison:
    """The comparison that a heading speaks of, on boards that have been read again."""
    return EngineComparison(suite, heading.engines, heading.setting, heading.runs, dict(heading.runs_of))


def heading_record(heading: BenchHeading) -> dict[str, Any]:
    """The first line."""
    limits = heading.setting.limits
    return {
        "ledger": KIND,
        "arguments": list(heading.arguments),
        "zero": heading.zero,
        "suite": heading.suite,
        "title": heading.title,
        "engines": list(heading.engines),
        "runs": heading.runs,
        "runs_of": dict(heading.runs_of),
        "seed": heading.setting.seed,
        "seconds": limits.seconds,
        "memory": limits.memory,
        "compiled": heading.compiled,
        "machine": dict(heading.machine),
        "versions": dict(heading.versions),
        "sources": heading.sources,
        "boards": [{name: getattr(board, name) for name in BoardFacts.__slots__} for board in heading.boards],
    }


def read_heading(record: dict[str, Any]) -> BenchHeading:
    """The heading that a first line holds."""
    if record["ledger"] != KIND:
        raise ValueError(record["ledger"])
    limits = BenchLimits(float(record["seconds"]), record["memory"])
    return BenchHeading(
        arguments=tuple(record["arguments"]),
        zero="unknown" if record["zero"] == "unknown" else "clue",
        suite=str(record["suite"]),
        title=str(record["title"]),
        engines=tuple(record["engines"]),
        runs=int(record["runs"]),
        runs_of=dict(record["runs_of"]),
        setting=RunSetting(limits, int(record["seed"])),
        compiled=bool(record["compiled"]),
        machine=dict(record["machine"]),
        versions=dict(record["versions"]),
        sources=str(record["sources"]),
        boards=tuple(BoardFacts(**board) for board in record["boards"]),
    )


def measurement_record(measurement: Measurement) -> dict[str, Any]:
    """One line: what became of a run."""
    task = measurement.task
    return {
        "board": task.board,
        "engine": task.engine,
        "run": task.run,
        "verdict": measurement.verdict.value,
        "reason": measurement.reason,
        "seconds": {stage: round(taken, 9) for stage, taken in measurement.seconds.items()},
        "counters": dict(measurement.counters),
        "memory": measurement.memory,
    }


def read_measurement(record: dict[str, Any]) -> Measurement:
    """The run that a line tells of."""
    return Measurement(
        RunTask(str(record["board"]), str(record["engine"]), int(record["run"])),
        Verdict(record["verdict"]),
        str(record["reason"]),
        {str(stage): float(taken) for stage, taken in record["seconds"].items()},
        {str(name): int(count) for name, count in record["counters"].items()},
        None if record["memory"] is None else int(record["memory"]),
    )
