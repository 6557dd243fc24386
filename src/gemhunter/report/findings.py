"""Everything a report shows, as its ledger has it: runs, maps, facts about boards, and games of S5."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter.bench.ledger import (
    facts_of,
    heading_record,
    measurement_record,
    read_heading,
    read_run,
    read_workers,
)
from gemhunter.bench.summary import Summary, summarise
from gemhunter.bench.values import BenchBoard, Measurement, WorkersUsed
from gemhunter.experiments.clue_shares import LARGEST_CLUE, ClueShares
from gemhunter.experiments.s5_table import COURSE_LEVELS, S5Line, lines_of_s5
from gemhunter.formats.text import parse_grid
from gemhunter.report.own_words import OwnWords
from gemhunter.report.plan import ReportPart, ReportPlan
from gemhunter.work.fields import text_field, whole_field, wholes_field
from gemhunter.work.ledger import Lines, read_ledger

REPORT_KIND = "report"

_DIGITS = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """How many solutions a board has, where that was found: `solutions` in digits, `unique` yes or no.

    `reason` says why either is missing.
    """

    solutions: str | None
    unique: bool | None
    reason: str = ""


@dataclass(slots=True)
class Findings:
    """What has been found so far; grows with every record."""

    plan: ReportPlan
    measurements: list[list[Measurement]] = field(default_factory=list)
    """The runs of each part."""
    answers: dict[tuple[int, str], BoardAnswer] = field(default_factory=dict)
    """By part and board."""
    maps: dict[tuple[int, str, str], str] = field(default_factory=dict)
    """By part, board and engine: `T` or `G` for each hidden cell; empty if there is no map."""
    lines: list[S5Line] = field(default_factory=list)
    """S5's table, and below it the same games played by `csp`."""
    counts: dict[str, list[list[int]]] = field(default_factory=dict)
    """By level: for each dealt board, how many gems have each clue."""
    workers: list[WorkersUsed] = field(default_factory=list)
    """Those that made the runs, one after the other; empty if the ledger does not say so."""
    own: OwnWords = field(default_factory=OwnWords)

    def __post_init__(self) -> None:
        self.measurements = [[] for _ in self.plan.parts]
        self.workers = [] if self.plan.workers is None else [self.plan.workers]
        self.lines = lines_of_report() if self.plan.games else []

    def add(self, record: Mapping[str, Any]) -> None:
        """Take in one line of the ledger; `ValueError` or `KeyError` if it is about something else."""
        if "run" in record:
            part = int(record["part"])
            heading = dict(enumerate(self.plan.parts))[part].heading
            self.measurements[part].append(read_run(record["run"], heading))
        elif "map" in record:
            part, board, text = int(record["part"]), str(record["board"]), str(record["map"])
            if len(text) not in (0, self._hidden(part, board)):
                raise ValueError(text)
            self.maps[part, board, str(record["engine"])] = text
        elif "answer" in record:
            part, board = int(record["part"]), str(record["board"])
            self._hidden(part, board)
            self.answers[part, board] = _read_answer(record["answer"])
        elif "workers" in record:
            self.workers.append(read_workers(dict(record)))
        elif "own" in record:
            self.own = self.own.updated(record["own"])
        elif "clues" in record:
            for level, counts in record["clues"].items():
                self.counts.setdefault(level, []).extend(_read_counts(level, counts))
        else:
            self._add_games(record["games"])

    def _hidden(self, part: int, board: str) -> int:
        """How many hidden cells a board has; `KeyError` if there is no such board."""
        boards = dict(enumerate(self.plan.parts))[part].heading.boards
        return {facts.name: facts.unknown for facts in boards}[board]

    def _add_games(self, games: Mapping[str, Any]) -> None:
        place = int(games["line"])
        line = dict(enumerate(self.lines))[place]
        marked = np.append(line.marked, wholes_field(games, "marked"))
        rounds = np.append(line.rounds, wholes_field(games, line.counter))
        self.lines[place] = replace(line, marked=marked, rounds=rounds)

    def summary(self, part: int) -> Summary:
        """What the runs of a part come to."""
        heading = self.plan.parts[part].heading
        boards = [board.name for board in heading.boards]
        return summarise(self.measurements[part], boards=boards, engines=heading.engines)

    @property
    def clues(self) -> list[ClueShares]:
        """The dealt boards, level by level."""
        return [ClueShares(level, np.array(counts, np.int64)) for level, counts in self.counts.items()]


def lines_of_report() -> list[S5Line]:
    """The lines of S5's table before any game, then those of `csp`; ledgers know them by their places."""
    return [*lines_of_s5(), *lines_of_s5(agents=("csp",))]


def heading_of_report(plan: ReportPlan) -> dict[str, Any]:
    """The first line of a ledger. It holds the boards, so that a report needs no other file."""
    return {
        "ledger": REPORT_KIND,
        "effort": plan.effort,
        "games": plan.games,
        "dealt": plan.dealt,
        "parts": [
            {"heading": heading_record(part.heading), "grids": [str(board.grid) for board in part.boards]}
            for part in plan.parts
        ],
    }


def run_record(part: int, measurement: Measurement) -> dict[str, Any]:
    """The line of one run."""
    return {"part": part, "run": measurement_record(measurement)}


def read_findings(lines: Lines) -> Findings:
    """What the lines of a ledger say."""
    findings = Findings(lines.heading(_read_plan, REPORT_KIND))
    for _ in lines.records(findings.add):
        pass
    return findings


def open_findings(path: Path) -> Findings:
    """What a ledger says; another process may be writing to it."""
    return read_findings(read_ledger(path))


def _read_plan(record: dict[str, Any]) -> ReportPlan:
    if record["ledger"] != REPORT_KIND:
        raise ValueError(record["ledger"])
    parts = tuple(_read_part(each["heading"], each["grids"]) for each in record["parts"])
    games, dealt = whole_field(record, "games"), whole_field(record, "dealt")
    return ReportPlan(text_field(record, "effort"), parts, games, dealt)


def _read_answer(record: Mapping[str, Any]) -> BoardAnswer:
    solutions = None if record["solutions"] is None else text_field(record, "solutions")
    if solutions is not None and not _DIGITS.fullmatch(solutions):
        raise ValueError(f"solutions is {solutions[:40]!a}, expected digits")
    if not (record["unique"] is None or isinstance(record["unique"], bool)):
        raise ValueError("unique is neither true, false nor null")
    return BoardAnswer(solutions, record["unique"], text_field({"reason": "", **record}, "reason"))


def _read_counts(level: str, counts: Sequence[Any]) -> list[list[int]]:
    """How many gems of each dealt board have each clue."""
    rows = [wholes_field({level: row}, level) for row in counts]
    if level not in COURSE_LEVELS or any(len(row) != LARGEST_CLUE + 1 for row in rows):
        raise ValueError(f"no clues of a level: {level!r}")
    return rows


def _read_part(record: dict[str, Any], grids: Sequence[str]) -> ReportPart:
    heading = read_heading(record)
    if not heading.arguments:
        raise ValueError("a part names no boards")
    boards = tuple(
        BenchBoard(facts.name, parse_grid(text), facts.total, facts.note)
        for facts, text in zip(heading.boards, grids, strict=True)
    )
    if tuple(map(facts_of, boards)) != heading.boards:
        raise ValueError("a board is not the one that was measured")
    return ReportPart(heading, boards)
