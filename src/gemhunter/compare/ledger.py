"""Comparisons in a ledger: what the first line says of them, and a line per run."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter import __version__
from gemhunter.board.grid import HIDDEN
from gemhunter.cnf.encode import count_clauses
from gemhunter.compare.runs import EngineComparison, RunSetting
from gemhunter.compare.suites import (
    BenchBoard,
    BenchLimits,
    Measurement,
    RunTask,
    Suite,
    Verdict,
    WorkersUsed,
)
from gemhunter.errors import InputError
from gemhunter.files.dialects import Zero
from gemhunter.jit.choice import Mode, current_mode, is_installed
from gemhunter.printable import printable
from gemhunter.work.ledger import (
    Lines,
    machine,
    package_versions,
    read_ledger,
    seconds_field,
    sources_digest,
    text_field,
    texts_field,
    whole_field,
)

BENCH_KIND = "bench"
ENGINE_PACKAGES = ("numpy", "numba", "python-sat", "ortools", "pycryptosat")
NOT_RECORDED = "number of workers not recorded"


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What a ledger keeps of a board; `digest` changes as soon as a cell or the total does.

    `clauses` are those of the default encoding and `s4_clauses` those of S4's (`ClauseCounts`), None where
    there are too many to count or where an older ledger does not say.
    """

    name: str
    rows: int
    cols: int
    unknown: int
    clues: int
    total: int | None
    note: str
    digest: str
    clauses: int | None = field(default=None, compare=False)
    s4_clauses: int | None = field(default=None, compare=False)


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
    workers: WorkersUsed | None = None
    """Those that made the first runs; None in ledgers that do not say. More workers make noisier times."""


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """What a ledger has: its heading, and measurements.

    `workers` are those that made the runs, one after the other; empty if the ledger does not say so.
    """

    heading: BenchHeading
    measurements: tuple[Measurement, ...]
    workers: tuple[WorkersUsed, ...] = ()


def heading_of(
    comparison: EngineComparison, arguments: Sequence[str], zero: Zero, workers: WorkersUsed | None = None
) -> BenchHeading:
    """The heading of a comparison that is made here and now."""
    suite = comparison.suite
    return BenchHeading(
        arguments=tuple(map(printable, arguments)),
        zero=zero,
        suite=suite.name,
        title=suite.title,
        engines=comparison.engines,
        runs=comparison.runs,
        runs_of=comparison.runs_of,
        setting=comparison.setting,
        compiled=comparison.setting.compiled and current_mode() is not Mode.NEVER and is_installed(),
        machine=machine(),
        versions=versions(),
        sources=sources_digest(),
        boards=tuple(map(facts_of, suite.boards)),
        workers=workers,
    )


def versions() -> dict[str, str]:
    """Versions of this program, of Python and of the packages that engines are made of."""
    return {"gemhunter": __version__, **package_versions(ENGINE_PACKAGES)}


def facts_of(board: BenchBoard) -> BoardFacts:
    """What a ledger keeps of a board."""
    cells = board.grid.cells
    text = f"{cells.shape} {board.total} ".encode() + cells.tobytes()
    unknown, clues = int(np.count_nonzero(cells == HIDDEN)), int(np.count_nonzero(cells >= 0))
    digest = blake2b(text, digest_size=8).hexdigest()
    made_of = (board.grid.rows, board.grid.cols, unknown, clues, board.total)
    clauses = count_clauses(board.grid, board.total)
    return BoardFacts(board.name, *made_of, board.note, digest, clauses.default, clauses.s4)


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
    heading = lines.heading(read_heading, BENCH_KIND)
    found = list(lines.records(partial(_read_line, heading=heading)))
    begun = [] if heading.workers is None else [heading.workers]
    return KeptRuns(
        heading,
        tuple(each for each in found if isinstance(each, Measurement)),
        (*begun, *(each for each in found if isinstance(each, WorkersUsed))),
    )


def open_comparison(path: Path) -> KeptRuns:
    """What a ledger says; another process may be writing to it."""
    return read_comparison(read_ledger(path))


def comparison_of(heading: BenchHeading, suite: Suite) -> EngineComparison:
    """The comparison that a heading speaks of, on boards that have been read again."""
    return EngineComparison(suite, heading.engines, heading.setting, heading.runs, dict(heading.runs_of))


def heading_record(heading: BenchHeading) -> dict[str, Any]:
    """The first line."""
    limits = heading.setting.limits
    return {
        "ledger": BENCH_KIND,
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
        "boards": [_board_record(board) for board in heading.boards],
        **({} if heading.workers is None else workers_record(heading.workers)),
    }


def _board_record(board: BoardFacts) -> dict[str, Any]:
    facts = asdict(board)
    return {"traps" if name == "total" else name: value for name, value in facts.items()}


def read_heading(record: dict[str, Any]) -> BenchHeading:
    """The heading that a first line holds."""
    if record["ledger"] != BENCH_KIND:
        raise ValueError(record["ledger"])
    limits = BenchLimits(seconds_field(record, "seconds"), _bytes_field(record))
    runs_of = dict(record["runs_of"])
    return BenchHeading(
        arguments=texts_field(record, "arguments") if record["arguments"] else (),
        zero="unknown" if record["zero"] == "unknown" else "clue",
        suite=text_field(record, "suite"),
        title=text_field(record, "title"),
        engines=texts_field(record, "engines"),
        runs=whole_field(record, "runs", low=1),
        runs_of={name: whole_field(runs_of, name, low=1) for name in runs_of},
        setting=RunSetting(limits, int(record["seed"]), compiled=bool(record["compiled"])),
        compiled=bool(record["compiled"]),
        machine=_read_machine(record["machine"]),
        versions={name: text_field(record["versions"], name) for name in record["versions"]},
        sources=str(record["sources"]),
        boards=tuple(map(read_board, record["boards"])),
        workers=read_workers(record) if "workers" in record else None,
    )


def _read_machine(record: dict[str, Any]) -> dict[str, str | int]:
    processor, cores = text_field(record, "processor"), whole_field(record, "cores", low=1)
    return {"processor": processor, "cores": cores, "system": text_field(record, "system")}


def read_board(record: dict[str, Any]) -> BoardFacts:
    """The facts about a board in a first line."""
    return BoardFacts(
        name=text_field(record, "name"),
        rows=whole_field(record, "rows"),
        cols=whole_field(record, "cols"),
        unknown=whole_field(record, "unknown"),
        clues=whole_field(record, "clues"),
        total=None if record["traps"] is None else whole_field(record, "traps"),
        note=text_field(record, "note"),
        digest=text_field(record, "digest"),
        clauses=_count_field(record, "clauses"),
        s4_clauses=_count_field(record, "s4_clauses"),
    )


def _count_field(record: dict[str, Any], name: str) -> int | None:
    return None if record.get(name) is None else whole_field(record, name)


def _bytes_field(record: dict[str, Any]) -> int | None:
    return None if record["memory"] is None else whole_field(record, "memory")


def workers_record(workers: WorkersUsed) -> dict[str, Any]:
    """The workers: in the first line, and in a line of their own where they change."""
    return {"workers": workers.number, "dask": workers.on_dask}


def read_workers(record: dict[str, Any]) -> WorkersUsed:
    """The workers that a line names."""
    return WorkersUsed(whole_field(record, "workers", low=1), bool(record["dask"]))


def workers_text(workers: Sequence[WorkersUsed]) -> str:
    """Which workers made the runs of a ledger, for people."""
    return f"measured by {', then by '.join(each.words for each in workers)}" if workers else NOT_RECORDED


def _read_line(record: dict[str, Any], heading: BenchHeading) -> Measurement | WorkersUsed:
    return read_workers(record) if "workers" in record else read_run(record, heading)


def read_run(record: dict[str, Any], heading: BenchHeading) -> Measurement:
    """The run in a line, which has to be one of the comparison."""
    measurement = read_measurement(record)
    task = measurement.task
    if task.engine not in heading.engines or task.board not in {board.name for board in heading.boards}:
        raise ValueError(f"line 1 names no run of {task.engine!r} on {task.board!r}")
    return measurement


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
    """The run in a line."""
    return Measurement(
        RunTask(text_field(record, "board"), text_field(record, "engine"), whole_field(record, "run", low=1)),
        Verdict(record["verdict"]),
        text_field(record, "reason"),
        {stage: seconds_field(record["seconds"], stage) for stage in record["seconds"]},
        {name: whole_field(record["counters"], name) for name in record["counters"]},
        _bytes_field(record),
    )
