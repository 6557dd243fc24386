"""Everything a report shows, as its ledger has it, and the work that finds what is missing."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gemhunter.compare.game_tables import (
    BOARDS_AT_ONCE,
    COURSE_LEVELS,
    GAMES_AT_ONCE,
    LARGEST_CLUE,
    ClueShares,
    S5Line,
    lines_of_s5,
    measure_clues,
    measure_s5,
)
from gemhunter.compare.ledger import (
    facts_of,
    heading_record,
    measurement_record,
    read_heading,
    read_run,
    read_workers,
)
from gemhunter.compare.report.own_words import OwnWords
from gemhunter.compare.report.plan import FIRST_GAME, ReportPart, ReportPlan
from gemhunter.compare.runs import EngineComparison, run_tasks
from gemhunter.compare.suites import (
    BenchBoard,
    Measurement,
    RunTask,
    Verdict,
    WorkersUsed,
    has_map,
    map_letters,
)
from gemhunter.compare.summary import Summary, summarise
from gemhunter.errors import GemHunterError
from gemhunter.files.text import parse_grid
from gemhunter.questions.count import count
from gemhunter.questions.forced import is_unique
from gemhunter.questions.solve import solve
from gemhunter.records.boards import decimal_text
from gemhunter.solving.outcomes import GaveUp, Solved
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run, never
from gemhunter.work.ledger import Lines, read_ledger, text_field, whole_field, wholes_field
from gemhunter.work.workers import Workers

# Everything a report shows, as its ledger has it: runs, maps, facts about boards, and games of S5.


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


# Finds what a report lacks: runs, result maps, numbers of solutions, and games of S5.


ANSWER_SECONDS = 5.0
"""How long the solutions of a board may be counted, and how long it may be asked whether it has only one."""


class LedgerLine(NamedTuple):
    """One line for the ledger, and a few words about it for the progress."""

    record: dict[str, Any]
    words: str


def count_missing(findings: Findings) -> int:
    """How many lines the ledger lacks, if every run that is missing finds a solution."""
    runs = [(part, task) for part, tasks in _missing_runs(findings) for task in tasks]
    parts = findings.plan.parts
    later = [task for part, task in runs if task.run == 1 and has_map(parts[part].grid(task.board))]
    known = len([*_missing_maps(findings)]) + len([*_missing_answers(findings)])
    return len(runs) + len(later) + known + _missing_chunks(findings)


def most_seconds(findings: Findings, at_once: int) -> float:
    """How long the runs that are missing take at most, if each uses up its time limit, `at_once` of them."""
    parts = findings.plan.parts
    limits = [
        parts[part].heading.setting.limits.seconds for part, tasks in _missing_runs(findings) for _ in tasks
    ]
    return sum(limits) / at_once


def collect(
    findings: Findings, workers: Workers, *, is_cancelled: Callable[[], bool] = never
) -> Iterator[LedgerLine]:
    """Everything that is missing, as it is found; the caller adds it to the findings.

    `is_cancelled` ends the runs that are being made.
    """
    for part, tasks in _missing_runs(findings):
        comparison = _keeping_maps(findings.plan.parts[part])
        for run in run_tasks(comparison, tasks, workers, is_cancelled=is_cancelled):
            yield LedgerLine(run_record(part, run), f"{run.task.board}, {run.task.engine}")
            if run.map:
                yield _found_map(part, run.task.board, run.task.engine, run.map)
    for index, board in list(_missing_answers(findings)):
        record = {"part": index, "board": board, "answer": _answer(findings.plan.parts[index], board)}
        yield LedgerLine(record, f"{board}, solutions")
    for index, board, engine in list(_missing_maps(findings)):
        yield _found_map(index, board, engine, _map(findings.plan.parts[index], board, engine))
    yield from chain(_games(findings), _dealt(findings))


def _keeping_maps(part: ReportPart) -> EngineComparison:
    """The runs of a part, whose first ones keep their solutions."""
    comparison = part.comparison
    return replace(comparison, setting=replace(comparison.setting, keeps_maps=True))


def _found_map(part: int, board: str, engine: str, text: str) -> LedgerLine:
    return LedgerLine({"part": part, "board": board, "engine": engine, "map": text}, f"{board}, {engine}")


def _missing_runs(findings: Findings) -> list[tuple[int, list[RunTask]]]:
    done = [[each.task for each in runs] for runs in findings.measurements]
    return [
        (part, tasks)
        for part, each in enumerate(findings.plan.parts)
        if (tasks := each.comparison.missing(done[part]))
    ]


def _missing_answers(findings: Findings) -> Iterator[tuple[int, str]]:
    for part, each in enumerate(findings.plan.parts):
        for board in each.boards:
            if (part, board.name) not in findings.answers:
                yield part, board.name


def _missing_maps(findings: Findings) -> Iterator[tuple[int, str, str]]:
    """Boards and engines that have solved them in their first run, but whose map was lost with a process."""
    for part, each in enumerate(findings.plan.parts):
        for run in findings.measurements[part]:
            key = (part, run.task.board, run.task.engine)
            is_solved = run.task.run == 1 and run.verdict is Verdict.SOLVED
            if is_solved and key not in findings.maps and has_map(each.grid(run.task.board)):
                yield key


def _map(part: ReportPart, board: str, engine: str) -> str:
    """What an engine fills the hidden cells with, under the seed of its first run; empty if it does not."""
    found = next(each for each in part.boards if each.name == board)
    setting = part.heading.setting
    keeps_time = get_engine(engine).info.time_limit
    run = Run(Limits(setting.limits.seconds if keeps_time else None), seed=setting.seed)
    try:
        outcome = solve(found.grid, engine, total=found.total, run=run).outcome
    except GemHunterError:
        return ""
    if not isinstance(outcome, Solved):
        return ""
    return map_letters(outcome.solution, found.grid)


def _answer(part: ReportPart, board: str) -> dict[str, Any]:
    """How many solutions a board has, and whether it has just one, as far as that is found in time."""
    found = next(each for each in part.boards if each.name == board)
    try:
        number = count(found.grid, total=found.total, run=Run(Limits(ANSWER_SECONDS)))
        if not isinstance(number, GaveUp):
            return {"solutions": decimal_text(number), "unique": number == 1}
        unique = is_unique(found.grid, total=found.total, run=Run(Limits(ANSWER_SECONDS)))
    except GemHunterError as error:
        return {"solutions": None, "unique": None, "reason": str(error)}
    reason = number.stop_reason.value
    return {"solutions": None, "unique": None if isinstance(unique, GaveUp) else unique, "reason": reason}


def _games(findings: Findings) -> Iterator[LedgerLine]:
    empty = lines_of_report() if findings.plan.games else []
    for place, line in enumerate(empty):
        for first in range(findings.lines[place].marked.size, findings.plan.games, GAMES_AT_ONCE):
            games = min(GAMES_AT_ONCE, findings.plan.games - first)
            *_, (played,) = measure_s5([line], games, FIRST_GAME + first)
            numbers = {"marked": played.marked.tolist(), line.counter: played.rounds.tolist()}
            yield LedgerLine({"games": {"line": place, **numbers}}, line.name)


def _dealt(findings: Findings) -> Iterator[LedgerLine]:
    for first in range(_dealt_so_far(findings), findings.plan.dealt, BOARDS_AT_ONCE):
        boards = min(BOARDS_AT_ONCE, findings.plan.dealt - first)
        *_, levels = measure_clues(boards, FIRST_GAME + first)
        yield LedgerLine({"clues": {each.level: each.counts.tolist() for each in levels}}, "dealt boards")


def _dealt_so_far(findings: Findings) -> int:
    return len(findings.counts.get(COURSE_LEVELS[0], []))


def _missing_chunks(findings: Findings) -> int:
    plan = findings.plan
    left = [(plan.games - line.marked.size, GAMES_AT_ONCE) for line in findings.lines]
    left += [(plan.dealt - _dealt_so_far(findings), BOARDS_AT_ONCE)]
    return sum(-(-missing // size) for missing, size in left if missing > 0)
