"""Finds what a report lacks: runs, result maps, numbers of solutions, and games of S5."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from gemhunter.bench.runs import EngineComparison, run_tasks
from gemhunter.bench.values import RunTask, Verdict, has_map, map_letters
from gemhunter.errors import GemHunterError
from gemhunter.experiments.clue_shares import BOARDS_AT_ONCE, measure_clues
from gemhunter.experiments.s5_table import COURSE_LEVELS, GAMES_AT_ONCE, measure_s5
from gemhunter.queries.count import count
from gemhunter.queries.solve import solve
from gemhunter.queries.unique import is_unique
from gemhunter.records.analyses import decimal_text
from gemhunter.report.findings import Findings, lines_of_report, run_record
from gemhunter.report.plan import FIRST_GAME, ReportPart
from gemhunter.solving.outcomes import GaveUp, Solved
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run, never
from gemhunter.work.workers import Workers

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
