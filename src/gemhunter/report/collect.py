"""What a report lacks is measured: runs, result maps, numbers of solutions, and games of S5."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from msgspec import convert

from gemhunter.bench.ledger import run_line
from gemhunter.bench.runs import RunTask, Verdict, has_map, map_letters, run_tasks
from gemhunter.errors import GemHunterError
from gemhunter.experiments.game_tables import (
    BOARDS_AT_ONCE,
    COURSE_LEVELS,
    GAMES_AT_ONCE,
    measure_clues,
    measure_s5,
)
from gemhunter.questions.count import count
from gemhunter.questions.forced import is_unique
from gemhunter.questions.solve import solve
from gemhunter.records.boards import decimal_text
from gemhunter.report.findings import Findings
from gemhunter.report.ledger import (
    BoardAnswer,
    CluesLine,
    PartAnswer,
    PartMap,
    PartRun,
    ReportLine,
    S5Games,
    S5GamesLine,
)
from gemhunter.report.plan import FIRST_GAME, ReportPart, lines_of_report
from gemhunter.solving.outcomes import GaveUp, Solved
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run, never
from gemhunter.work.workers import Workers


class LedgerLine(NamedTuple):
    """A line for the ledger, and a few words about it for the progress bar."""

    record: ReportLine
    words: str


def count_missing(findings: Findings) -> int:
    """The number of lines that the ledger lacks if every missing run finds a solution."""
    plan = findings.plan
    runs = [(plan.parts[part], task) for part, tasks in _missing_runs(findings) for task in tasks]
    maps = sum(task.run == 1 and has_map(part.board(task.board).grid) for part, task in runs)
    known = len([*_missing_maps(findings)]) + len([*_missing_answers(findings)])
    # Games are played, and boards are dealt, several at a time.
    left = [(plan.games - line.marked.size, GAMES_AT_ONCE) for line in findings.lines]
    left += [(plan.dealt - _dealt_so_far(findings), BOARDS_AT_ONCE)]
    return len(runs) + maps + known + sum(-(-missing // size) for missing, size in left if missing > 0)


def most_seconds(findings: Findings, at_once: int) -> float:
    """How long the missing runs take if each uses all of its time limit and `at_once` run in parallel."""
    parts = findings.plan.parts
    return sum(parts[part].heading.seconds * len(tasks) for part, tasks in _missing_runs(findings)) / at_once


def collect(
    findings: Findings, workers: Workers, *, is_cancelled: Callable[[], bool] = never
) -> Iterator[LedgerLine]:
    """Measure what is missing, and yield each line when it is ready; the caller adds it to the findings.

    `is_cancelled` ends the current runs.
    """
    for part, tasks in _missing_runs(findings):
        comparison = findings.plan.parts[part].comparison
        comparison = replace(comparison, setting=replace(comparison.setting, keeps_maps=True))
        for run in run_tasks(comparison, tasks, workers, is_cancelled=is_cancelled):
            board, engine = run.task.board, run.task.engine
            yield LedgerLine(PartRun(part, run_line(run)), f"{board}, {engine}")
            if run.map:
                yield LedgerLine(PartMap(part, board, engine, run.map), f"{board}, {engine}")
    for index, board in list(_missing_answers(findings)):
        answer = _answer(findings.plan.parts[index], board)
        yield LedgerLine(PartAnswer(index, board, answer), f"{board}, solutions")
    for index, board, engine in list(_missing_maps(findings)):
        text = _map(findings.plan.parts[index], board, engine)
        yield LedgerLine(PartMap(index, board, engine, text), f"{board}, {engine}")
    yield from chain(_games(findings), _dealt(findings))


def _missing_runs(findings: Findings) -> list[tuple[int, list[RunTask]]]:
    pairs = zip(findings.plan.parts, findings.measurements, strict=True)
    missing = enumerate(part.comparison.missing(runs.values()) for part, runs in pairs)
    return [(part, tasks) for part, tasks in missing if tasks]


def _missing_answers(findings: Findings) -> Iterator[tuple[int, str]]:
    for part, each in enumerate(findings.plan.parts):
        for board in each.boards:
            if (part, board.name) not in findings.answers:
                yield part, board.name


def _missing_maps(findings: Findings) -> Iterator[tuple[int, str, str]]:
    """Boards and engines whose first run found a solution that was lost when a process died."""
    for part, each in enumerate(findings.plan.parts):
        for run in findings.measurements[part].values():
            key = (part, run.board, run.engine)
            is_solved = run.run == 1 and run.verdict is Verdict.SOLVED
            if is_solved and key not in findings.maps and has_map(each.board(run.board).grid):
                yield key


def _map(part: ReportPart, name: str, engine: str) -> str:
    """The result map of an engine with the seed of its first run; empty if it finds no solution."""
    board, heading = part.board(name), part.heading
    keeps_time = get_engine(engine).info.time_limit
    run = Run(Limits(heading.seconds if keeps_time else None), seed=heading.seed)
    try:
        outcome = solve(board.grid, engine, total=board.total, run=run).outcome
    except GemHunterError:
        return ""
    return map_letters(outcome.solution, board.grid) if isinstance(outcome, Solved) else ""


def _answer(part: ReportPart, name: str) -> BoardAnswer:
    """The number of solutions of a board and whether it has just one, if each is found in 5 seconds."""
    board, limits = part.board(name), Limits(5.0)
    try:
        number = count(board.grid, total=board.total, run=Run(limits))
        if not isinstance(number, GaveUp):
            return BoardAnswer(decimal_text(number), number == 1)
        unique = is_unique(board.grid, total=board.total, run=Run(limits))
    except GemHunterError as error:
        return BoardAnswer(None, None, str(error))
    return BoardAnswer(None, None if isinstance(unique, GaveUp) else unique, number.stop_reason.value)


def _games(findings: Findings) -> Iterator[LedgerLine]:
    empty = lines_of_report() if findings.plan.games else []
    for place, line in enumerate(empty):
        for first in range(findings.lines[place].marked.size, findings.plan.games, GAMES_AT_ONCE):
            games = min(GAMES_AT_ONCE, findings.plan.games - first)
            *_, (played,) = measure_s5([line], games, FIRST_GAME + first)
            rounds = {line.counter: tuple(played.rounds.tolist())}
            yield LedgerLine(S5GamesLine(S5Games(place, tuple(played.marked.tolist()), **rounds)), line.name)


def _dealt(findings: Findings) -> Iterator[LedgerLine]:
    for first in range(_dealt_so_far(findings), findings.plan.dealt, BOARDS_AT_ONCE):
        boards = min(BOARDS_AT_ONCE, findings.plan.dealt - first)
        *_, levels = measure_clues(boards, FIRST_GAME + first)
        clues = {"clues": {each.level: each.counts.tolist() for each in levels}}
        yield LedgerLine(convert(clues, CluesLine), "dealt boards")


def _dealt_so_far(findings: Findings) -> int:
    return len(findings.counts.get(COURSE_LEVELS[0], []))
