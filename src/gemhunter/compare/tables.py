"""Tables of measurements as headings and rows of text: on the screen, or for a file."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import floor, log10
from statistics import mean, median

from gemhunter.compare.ledger import BoardFacts
from gemhunter.compare.result_times import CaseRow, CaseTime, case_names, gave_up_words
from gemhunter.compare.suites import Measurement, Verdict, limit_of
from gemhunter.compare.summary import (
    VERDICT_WORDS,
    EngineOnBoard,
    PairedSummary,
    Summary,
    rank_overall,
    summarise,
)
from gemhunter.draw.text_maps import seconds_in_file, seconds_text
from gemhunter.engines.backtracking import BACKTRACKING_ON_CLAUSES
from gemhunter.engines.brute_force import BRUTE_FORCE_ON_CLAUSES
from gemhunter.files.tables import TextTable
from gemhunter.printable import counted
from gemhunter.work.estimates import Interval

# Tables of measurements as headings and rows of text: on the screen, or for a file.


LARGEST_RATIO = 1_000_000_000
"""A ratio beyond this, or below its inverse, is not written out."""

FEWEST_FOR_INTERVAL = 5
"""Boards, or runs on a board. The interval of fewer is so wide, or such an accident, that it misleads."""

WIDEST_INTERVAL = 1000
"""An interval whose ends are further apart than this factor says only that there are too few measurements."""


class Average(StrEnum):
    """The number that stands for all runs of an engine on a board."""

    MEDIAN = "median"
    MEAN = "mean"


@dataclass(frozen=True, slots=True)
class TableLook:
    """What a table of times shows.

    `in_file` writes seconds with six decimals instead of a unit that suits each time. `spread` adds the
    shortest and the longest time to a median, and the 95 % interval to a mean. `counters` get a column per
    engine that has them. `columns` are further columns about boards, such as sizes: heading to board to text.
    """

    average: Average = Average.MEDIAN
    in_file: bool = False
    spread: bool = False
    counters: tuple[str, ...] = ()
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def summary_table(summary: Summary, look: TableLook | None = None) -> TextTable:
    """A row per board, and a column per engine with its time or the reason why it has none."""
    look = look or TableLook()
    columns = [_engine_column(engine, look) for engine in summary.engines]
    columns += [
        _counter_column(engine, counter)
        for engine in summary.engines
        for counter in look.counters
        if any(counter in entry.counters for entry in summary.entries.values() if entry.engine == engine)
    ]
    return TextTable(
        ("board", *look.columns, *(column.heading for column in columns)),
        tuple(
            (
                board,
                *(texts.get(board, "") for texts in look.columns.values()),
                *(column.text(summary.of(board, column.engine)) for column in columns),
            )
            for board in summary.boards
        ),
    )


@dataclass(frozen=True, slots=True)
class _Column:
    """A column about an engine, and how it writes an entry, which is None where the engine did not run."""

    engine: str
    heading: str
    text: Callable[[EngineOnBoard | None], str]


def _engine_column(engine: str, look: TableLook) -> _Column:
    heading = f"{engine} (s)" if look.in_file else engine
    return _Column(engine, heading, lambda entry: "" if entry is None else entry_text(entry, look))


def _counter_column(engine: str, counter: str) -> _Column:
    def text(entry: EngineOnBoard | None) -> str:
        return "" if entry is None or counter not in entry.counters else count_text(entry.counters[counter])

    return _Column(engine, f"{engine} {counter}", text)


def entry_text(entry: EngineOnBoard, look: TableLook) -> str:
    """A time, and in brackets a remark about it if there is one; the remark alone if there is no time."""
    time, words = time_of(entry, look.average), entry.words
    if time is None:
        return words
    show = seconds_in_file if look.in_file else seconds_text
    ends = _spread_text(entry, look, show) if look.spread else ""
    return show(time) + ends + (f" ({words})" if words else "")


def time_of(entry: EngineOnBoard, average: Average) -> float | None:
    """The median or mean seconds of an engine on a board; the mean is that of the runs with an answer."""
    if average is Average.MEDIAN:
        return entry.median
    return None if entry.spread is None else entry.spread.mean.value


def _spread_text(entry: EngineOnBoard, look: TableLook, show: Callable[[float], str]) -> str:
    spread = entry.spread
    if spread is None or entry.answered < 2:
        return ""
    if look.average is Average.MEDIAN:
        return f" [{show(spread.shortest)} to {show(spread.longest)}]"
    return f" ±{show(spread.mean.margin)}"


def ranking_table(summary: Summary) -> TextTable:
    """A row per engine, best first: boards answered, boards won, and how many times as long it takes."""
    ranks = rank_overall(summary)
    best = ranks[0].engine if ranks else ""
    rows = tuple(
        (
            rank.engine,
            f"{rank.answered} of {len(summary.boards)}",
            str(rank.fastest),
            *(ratio_texts(rank.ratio, rank.compared) if rank.engine != best else (ratio_text(1.0), "")),
            str(rank.compared),
        )
        for rank in ranks
    )
    return TextTable(
        ("engine", "answered", "fastest", f"times {best}".strip(), "95 % interval", "compared"), rows
    )


def paired_table(paired: PairedSummary, *, in_file: bool = False) -> TextTable:
    """A row per board and engine: the medians of both sets, and the second as a multiple of the first."""
    look = TableLook(in_file=in_file)
    unit = " (s)" if in_file else ""
    rows = tuple(
        (
            pair.board,
            pair.engine,
            entry_text(pair.before, look),
            entry_text(pair.after, look),
            "" if pair.ratio is None else ratio_text(pair.ratio),
        )
        for pair in paired.pairs
    )
    return TextTable(("board", "engine", *(name + unit for name in paired.names), "ratio"), rows)


def change_table(paired: PairedSummary) -> TextTable:
    """A row per engine: the geometric mean of its ratios over all boards, with its interval."""
    rows = tuple(
        (each.engine, str(each.boards), *ratio_texts(each.ratio, each.boards)) for each in paired.engines
    )
    before, after = paired.names
    return TextTable(("engine", "boards", f"{after} / {before}", "95 % interval"), rows)


def unpaired_table(paired: PairedSummary) -> TextTable:
    """A row per board and engine that only one of the two sets has."""
    sides: Sequence[tuple[str, tuple[tuple[str, str], ...]]] = (
        (paired.names[0], paired.only_before),
        (paired.names[1], paired.only_after),
    )
    rows = tuple((board, engine, name) for name, keys in sides for board, engine in keys)
    return TextTable(("board", "engine", "only in"), rows)


def ratio_text(ratio: float) -> str:
    """A ratio with three significant digits, never in powers of ten."""
    if not 1 / LARGEST_RATIO <= ratio <= LARGEST_RATIO:
        return f"over {LARGEST_RATIO:,}" if ratio > 1 else f"under {1 / LARGEST_RATIO:.9f}"
    rounded = float(f"{ratio:.3g}")
    return f"{rounded:,.{max(2 - floor(log10(rounded)), 0)}f}"


def count_text(number: float) -> str:
    """A counter with commas; the median of an even number of runs can end in a half."""
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"


def ratio_texts(ratio: Interval | None, number: int) -> tuple[str, str]:
    """A mean of `number` ratios and the ends of its interval, which are left out if they say nothing."""
    if ratio is None:
        return "", ""
    is_useful = number >= FEWEST_FOR_INTERVAL and ratio.high <= ratio.low * WIDEST_INTERVAL
    ends = f"{ratio_text(ratio.low)} to {ratio_text(ratio.high)}" if is_useful else ""
    return ratio_text(ratio.value), ends


# Boards beside their times: columns about their size, and the rows of `result_times.txt`.


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
