"""Boards beside their times: columns about their size, and the rows of `result_times.txt`."""

from collections import Counter
from collections.abc import Sequence
from statistics import mean, median

from gemhunter.bench.ledger import BoardFacts
from gemhunter.bench.summary import VERDICT_WORDS, EngineOnBoard, summarise
from gemhunter.bench.values import Measurement, Verdict, limit_of
from gemhunter.core.plurals import counted
from gemhunter.engines.backtracking.clauses import BACKTRACKING_ON_CLAUSES
from gemhunter.engines.brute_force import BRUTE_FORCE_ON_CLAUSES
from gemhunter.report.tables.result_times import CaseRow, CaseTime, case_names, gave_up_words
from gemhunter.report.tables.summaries import Average, time_of

S4_HEADING = "clauses (S4)"


def board_columns(
    boards: Sequence[BoardFacts], engines: Sequence[str], *, in_file: bool
) -> dict[str, dict[str, str]]:
    """The columns about boards, by their headings: a text for each board, empty if a number is not known.

    On a screen, clauses in the encoding of S4 are shown if an engine reads those.
    """
    s4_engines = (BACKTRACKING_ON_CLAUSES, BRUTE_FORCE_ON_CLAUSES)
    numbers: dict[str, list[int | None]] = {}
    if in_file:
        numbers |= {"unknown": [board.unknown for board in boards], "clues": [each.clues for each in boards]}
    numbers["clauses"] = [board.clauses for board in boards]
    if in_file or any(engine.startswith(s4_engines) for engine in engines):
        numbers[S4_HEADING] = [board.s4_clauses for board in boards]
    pattern = "" if in_file else ","
    return {
        "size": {board.name: f"{board.rows}×{board.cols}" for board in boards},
        **{
            heading: {
                board.name: "" if number is None else format(number, pattern)
                for board, number in zip(boards, column, strict=True)
            }
            for heading, column in numbers.items()
        },
    }


def measured_cases(
    boards: Sequence[BoardFacts], measurements: Sequence[Measurement], average: Average
) -> list[CaseRow]:
    """A row per board with the average of all runs of each engine.

    Where half of the runs or more have no answer, the time is that of those runs: how long an engine took to
    give up. An engine that was ended from outside has none.
    """
    runs: dict[tuple[str, str], list[Measurement]] = {}
    for each in measurements:
        runs.setdefault((each.task.board, each.task.engine), []).append(each)
    entries = summarise(measurements).entries
    times: dict[str, dict[str, CaseTime]] = {board.name: {} for board in boards}
    for (board, engine), of_engine in runs.items():
        times[board][engine] = _case_time(entries[board, engine], of_engine, average)
    names = case_names([board.name for board in boards])
    return [
        CaseRow(name, f"{board.rows}x{board.cols}", times[board.name])
        for name, board in zip(names, boards, strict=True)
    ]


def _case_time(entry: EngineOnBoard, runs: Sequence[Measurement], average: Average) -> CaseTime:
    without = [run for run in runs if run.total is None]
    if not without:
        return CaseTime(time_of(entry, average), entry.words)
    ((ending, number),) = Counter(map(_ending, without)).most_common(1)
    words = ending if number == len(runs) else f"{ending}: {number} of {counted(len(runs), 'run')}"
    if entry.median is not None:
        return CaseTime(time_of(entry, average), words)
    taken = [run.elapsed for run in without if run.elapsed is not None]
    middle = mean if average is Average.MEAN else median
    return CaseTime(middle(taken) if taken else None, words)


def _ending(run: Measurement) -> str:
    """Why a run has no answer."""
    if run.verdict is Verdict.GAVE_UP:
        return gave_up_words(limit_of(run.reason))
    return "failed" if run.verdict is Verdict.CRASHED else VERDICT_WORDS[run.verdict]
