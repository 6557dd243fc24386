"""Small ledgers of comparisons, reports and experiments, as if they had been measured here."""

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from gemhunter import __version__
from gemhunter.bench.ledger import BenchHeading, heading_of, heading_record, measurement_record
from gemhunter.bench.measure import RunSetting
from gemhunter.bench.runs import EngineComparison
from gemhunter.bench.values import (
    BenchBoard,
    BenchLimits,
    Measurement,
    RunTask,
    Suite,
    Verdict,
    WorkersUsed,
)
from gemhunter.formats.text import parse_grid
from gemhunter.fuzzing.seed_files import BOARD
from gemhunter.report.findings import heading_of_report, run_record
from gemhunter.report.plan import ReportPart, ReportPlan

BOARD_FILE = "board.txt"
"""The board that these ledgers speak of; its content is `BOARD`."""

ENGINES = ("dpll", "brute-force")

MACHINE: dict[str, str | int] = {"processor": "any", "cores": 2, "system": "any"}
VERSIONS = {"gemhunter": __version__, "python": "3.11.0"}
DIGEST = "0123456789abcdef"
"""What these ledgers say of the machine and the program: the same everywhere, as cases depend on it."""


@cache
def ledger_files() -> MappingProxyType[str, bytes]:
    """A whole ledger and one that lacks a run, of each kind, by file names."""
    runs = [_measurement(engine) for engine in ENGINES]
    bench = heading_record(_heading())
    report = heading_of_report(_plan())
    records: dict[str, list[dict[str, Any]]] = {
        "bench.jsonl": [bench, *map(measurement_record, runs)],
        "half.jsonl": [bench, measurement_record(runs[0])],
        "report.jsonl": [report, *(run_record(0, each) for each in runs), *_FOUND],
        "games.jsonl": [_WIN_RATE | {"gemhunter": __version__, "players": DIGEST}, *_PLAYED],
    }
    return MappingProxyType({name: _lines(each) for name, each in records.items()})


def _comparison() -> EngineComparison:
    suite = Suite("board", BOARD_FILE, (BenchBoard("board", parse_grid(BOARD)),))
    return EngineComparison(suite, ENGINES, RunSetting(BenchLimits(10.0, None), 0), 1, {})


def _plan() -> ReportPlan:
    comparison = _comparison()
    return ReportPlan("quick", (ReportPart(_heading(), comparison.suite.boards),), 0, 0)


def _heading() -> BenchHeading:
    """The heading of a comparison that was made elsewhere, so that it is the same everywhere."""
    here = heading_of(_comparison(), [BOARD_FILE], "clue", WorkersUsed(2))
    return replace(here, machine=MACHINE, versions=VERSIONS, sources=DIGEST, compiled=False)


def _measurement(engine: str) -> Measurement:
    seconds = {"read": 0.001, "encode": 0.002, "solve": 0.003, "check": 0.001}
    return Measurement(RunTask("board", engine, 1), Verdict.SOLVED, "", seconds, {"conflicts": 3}, 10**8)


def _lines(records: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records).encode()


_FOUND: list[dict[str, Any]] = [
    *({"part": 0, "board": "board", "engine": engine, "map": "TGTTGTG"} for engine in ENGINES),
    {"part": 0, "board": "board", "answer": {"solutions": "3", "unique": False, "reason": ""}},
]
"""What a report needs besides runs, so that nothing is missing."""

_WIN_RATE: dict[str, Any] = {
    "experiment": "winrate",
    "agents": ["logic"],
    "levels": ["4x4n3"],
    "first_click": "safe",
    "seed": 0,
    "games": 4,
}
_PLAYED: list[dict[str, Any]] = [
    {
        "agent": "logic",
        "level": "4x4n3",
        "seed": 0,
        "ends": "SWSS",
        "reasons": "1111",
        "guesses": [0, 0, 0, 0],
        "reveals": [1, 13, 1, 1],
        "cpu_seconds": 0.004,
        "seconds": 0.03,
    }
]
