"""Measurements as tables of text for people, and as records for other programs.

The columns of `bench` are here; `runs.py` says how to add a measured number.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import floor, log10
from statistics import mean, median
from typing import TypeAlias

from gemhunter.bench.ledger import BoardFacts, KeptRuns
from gemhunter.bench.result_times import CaseRow, CaseTime, case_names, gave_up_words
from gemhunter.bench.runs import RUN_STAGES, SHORT_WORDS, Measurement, Verdict
from gemhunter.bench.summary import (
    VERDICT_WORDS,
    EngineOnBoard,
    PairedSummary,
    Summary,
    rank_overall,
    summarise,
)
from gemhunter.engines.backtracking import BACKTRACKING_ON_CLAUSES
from gemhunter.engines.brute_force import BRUTE_FORCE_ON_CLAUSES
from gemhunter.files.text_tables import TextTable
from gemhunter.printable import json_text, printable
from gemhunter.records.engines import interval_fields
from gemhunter.solving.outcomes import StopReason
from gemhunter.wording import counted, seconds_in_file, seconds_text
from gemhunter.work.confidence_intervals import Interval

MIN_FOR_INTERVAL = 5
"""Boards, or runs on a board: with fewer, an interval is too wide to be useful, or narrow by accident."""


class Average(StrEnum):
    """Which average of the runs of an engine on a board is shown."""

    MEDIAN = "median"
    MEAN = "mean"


@dataclass(frozen=True, slots=True)
class TableLook:
    """What a table of times shows.

    `in_file` writes seconds with six decimals instead of choosing a unit. `spread` adds the shortest and the
    longest time to a median, and the 95 % interval to a mean. `counters` get a column per engine that has
    them. `columns` are further columns about boards, such as sizes: by heading, a text for each board.
    """

    average: Average = Average.MEDIAN
    in_file: bool = False
    spread: bool = False
    counters: tuple[str, ...] = ()
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def summary_table(summary: Summary, look: TableLook | None = None) -> TextTable:
    """A row per board, and a column per engine with its time or the reason it has none."""
    look = look or TableLook()
    unit = " (s)" if look.in_file else ""
    counters = [
        (engine, counter)
        for engine in summary.engines
        for counter in look.counters
        if any(counter in entry.counters for entry in summary.entries.values() if entry.engine == engine)
    ]
    rows = []
    for board in summary.boards:
        entries = {engine: summary.of(board, engine) for engine in summary.engines}
        row = [board, *(texts.get(board, "") for texts in look.columns.values())]
        row += ["" if entry is None else entry_text(entry, look) for entry in entries.values()]
        for engine, counter in counters:
            entry = entries[engine]
            number = None if entry is None else entry.counters.get(counter)
            row.append("" if number is None else count_text(number))
        rows.append(tuple(row))
    headings = [f"{engine}{unit}" for engine in summary.engines]
    headings += [f"{engine} {counter}" for engine, counter in counters]
    return TextTable(("board", *look.columns, *headings), tuple(rows))


def entry_text(entry: EngineOnBoard, look: TableLook) -> str:
    """A time, followed by any remark about it in parentheses; only the remark if there is no time."""
    time, words = time_of(entry, look.average), entry.words
    if time is None:
        return words
    show = seconds_in_file if look.in_file else seconds_text
    ends = ""
    if look.spread and entry.spread is not None and entry.answered > 1:
        spread = entry.spread
        ends = f" [{show(spread.shortest)} to {show(spread.longest)}]"
        if look.average is Average.MEAN:
            ends = f" ±{show(spread.mean.margin)}"
    return show(time) + ends + (f" ({words})" if words else "")


def time_of(entry: EngineOnBoard, average: Average) -> float | None:
    """The median or mean seconds of an engine on a board; only runs with an answer count for the mean."""
    if average is Average.MEDIAN:
        return entry.median
    return None if entry.spread is None else entry.spread.mean.value


def ranking_table(summary: Summary) -> TextTable:
    """A row per engine, best first: boards answered, boards won, and its time as a multiple of the best."""
    ranks = rank_overall(summary)
    best = next((rank.engine for rank in ranks if rank.answered), "")
    rows = tuple(
        (
            rank.engine,
            f"{rank.answered} of {len(summary.boards)}",
            str(rank.fastest),
            *(_over_boards(rank.ratio, rank.compared) if rank.engine != best else (ratio_text(1.0), "")),
            str(rank.compared),
        )
        for rank in ranks
    )
    ratio = f"ratio to {best}".removesuffix(" to ")
    return TextTable(("engine", "answered", "fastest", ratio, "95 % interval", "compared"), rows)


def start_notes(measurements: Iterable[Measurement]) -> list[str]:
    """A line for each program that starts for every board, with its least time for a board of one cell."""
    least: dict[str, float] = {}
    for run in measurements:
        if seconds := run.seconds.get("start"):
            least[run.engine] = min(seconds, least.get(run.engine, seconds))
    return [
        f"`{printable(engine)}`: times include its start; {seconds_text(seconds)} for a board of one cell"
        for engine, seconds in least.items()
    ]


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
        (change.engine, str(change.boards), *_over_boards(change.ratio, change.boards))
        for change in paired.engines
    )
    before, after = paired.names
    return TextTable(("engine", "boards", f"{after} / {before}", "95 % interval"), rows)


def unpaired_table(paired: PairedSummary) -> TextTable:
    """A row per board and engine that is in only one of the two sets."""
    sides = zip(paired.names, (paired.only_before, paired.only_after), strict=True)
    rows = tuple((board, engine, name) for name, keys in sides for board, engine in keys)
    return TextTable(("board", "engine", "only in"), rows)


def _over_boards(ratio: Interval | None, boards: int) -> tuple[str, str]:
    """A mean of ratios, and its interval or how many boards it needs."""
    value, ends = ratio_texts(ratio, boards)
    is_short = ratio is not None and boards < MIN_FOR_INTERVAL
    return value, f"needs {MIN_FOR_INTERVAL} boards" if is_short else ends


def ratio_text(ratio: float) -> str:
    """A ratio with three significant digits, without an exponent."""
    if not 1e-9 <= ratio <= 1e9:
        return "over 1,000,000,000" if ratio > 1 else "under 0.000000001"
    rounded = float(f"{ratio:.3g}")
    return f"{rounded:,.{max(2 - floor(log10(rounded)), 0)}f}"


def count_text(number: float) -> str:
    """A counter with commas; the median of an even number of runs can end in a half."""
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"


def counter_text(number: float, name: str) -> str:
    """A counter with its name, a plural: `1 conflict`, `2 conflicts`."""
    return f"{count_text(number)} {name.removesuffix('s') if number == 1 else name}"


def ratio_texts(ratio: Interval | None, number: int) -> tuple[str, str]:
    """A mean of `number` ratios and the ends of its interval, which are empty unless they are informative."""
    if ratio is None:
        return "", ""
    # Ends further apart than a factor of 1000 show only that there are too few measurements.
    is_useful = number >= MIN_FOR_INTERVAL and ratio.high <= ratio.low * 1000
    ends = f"{ratio_text(ratio.low)} to {ratio_text(ratio.high)}" if is_useful else ""
    return ratio_text(ratio.value), ends


# Columns about the size of boards, and the rows of `result_times.txt`.


S4_HEADING = "clauses (S4)"


def board_columns(
    boards: Sequence[BoardFacts], engines: Sequence[str], *, in_file: bool
) -> dict[str, dict[str, str]]:
    """The columns about boards, by their headings: a text for each board, empty for an unknown number.

    On a screen, clauses in the encoding of S4 are shown only if an engine reads those.
    """
    s4_engines = (BACKTRACKING_ON_CLAUSES, BRUTE_FORCE_ON_CLAUSES)
    fields = {"unknown": "unknown", "clues": "clues"} if in_file else {}
    fields["clauses"] = "clauses"
    if in_file or any(engine.startswith(s4_engines) for engine in engines):
        fields[S4_HEADING] = "s4_clauses"
    pattern = "" if in_file else ","
    columns = {"size": {board.name: board.shape for board in boards}}
    for heading, name in fields.items():
        numbers = {board.name: getattr(board, name) for board in boards}
        columns[heading] = {
            board: "" if number is None else format(number, pattern) for board, number in numbers.items()
        }
    return columns


def measured_cases(
    boards: Sequence[BoardFacts], measurements: Sequence[Measurement], average: Average
) -> list[CaseRow]:
    """A row per board with the average of all runs of each engine.

    If at least half of the runs have no answer, the time is the average of those: how long the engine took to
    give up. There is no time for runs that were stopped from outside.
    """
    runs: dict[tuple[str, str], list[Measurement]] = {}
    for measurement in measurements:
        runs.setdefault((measurement.board, measurement.engine), []).append(measurement)
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
        by_words = {SHORT_WORDS.get(reason, reason.value): reason for reason in StopReason}
        return gave_up_words(by_words.get(run.reason))
    return "failed" if run.verdict is Verdict.CRASHED else VERDICT_WORDS[run.verdict]


# Records for other programs, in which numbers are numbers.


JsonValue: TypeAlias = str | int | float | Mapping[str, "JsonValue"] | None

JsonRecord: TypeAlias = dict[str, JsonValue]

RUN_COLUMNS = (
    *("ledger", "board", "rows", "cols", "unknown", "clues", "clauses", "s4_clauses", "traps"),
    *("engine", "run", "verdict", "reason"),
    *("seconds", *(f"{stage}_seconds" for stage in RUN_STAGES), "memory", "counters"),
)
"""The fields of the record of a run."""


def summary_records(
    summary: Summary, boards: Sequence[BoardFacts], version: str, seed: int
) -> list[JsonRecord]:
    """A record per board and engine that has runs, board by board; `seed` is that of first runs."""
    sizes = {board.name: _size(board) for board in boards}
    entries = (summary.of(board, engine) for board in summary.boards for engine in summary.engines)
    return [
        {**_record(entry), **sizes[entry.board], "version": version, "seed": seed}
        for entry in entries
        if entry is not None
    ]


def run_records(ledger: str, kept: KeptRuns) -> list[JsonRecord]:
    """A record per run of a ledger; `seconds` is None for a run without an answer."""
    boards = {board.name: board for board in kept.heading.boards}
    records: list[JsonRecord] = []
    for run in kept.measurements:
        board = boards[run.board]
        values: tuple[JsonValue, ...] = (
            *(ledger, board.name, *_size(board).values(), board.total),
            *(run.engine, run.run, run.verdict.value, run.reason, _seconds(run.total)),
            *(_seconds(run.seconds.get(stage)) for stage in RUN_STAGES),
            *(run.memory, dict(run.counters)),
        )
        records.append(dict(zip(RUN_COLUMNS, values, strict=True)))
    return records


def _size(board: BoardFacts) -> JsonRecord:
    names = ("rows", "cols", "unknown", "clues", "clauses", "s4_clauses")
    return {name: getattr(board, name) for name in names}


def paired_records(paired: PairedSummary) -> list[JsonRecord]:
    """A record per board and engine: both entries and their ratio, or the only set that has an entry."""
    both: list[JsonRecord] = [
        {
            "board": pair.board,
            "engine": pair.engine,
            "before": _record(pair.before),
            "after": _record(pair.after),
            "ratio": pair.ratio,
        }
        for pair in paired.pairs
    ]
    return both + [
        {"board": board, "engine": engine, "only_in": side}
        for side, keys in (("before", paired.only_before), ("after", paired.only_after))
        for board, engine in keys
    ]


def write_json(records: Sequence[JsonRecord]) -> str:
    """A JSON list with a record per line."""
    lines = ",\n".join(json_text(record) for record in records)
    return f"[\n{lines}\n]\n" if records else "[]\n"


def _record(entry: EngineOnBoard) -> JsonRecord:
    spread = entry.spread
    spreads = {
        **interval_fields("mean", None if spread is None else spread.mean),
        "shortest": None if spread is None else spread.shortest,
        "longest": None if spread is None else spread.longest,
        "deviation": None if spread is None else spread.deviation,
    }
    return {
        "board": entry.board,
        "engine": entry.engine,
        "runs": entry.runs,
        "answered": entry.answered,
        "verdict": entry.verdict,
        "verdicts": {verdict.value: number for verdict, number in entry.verdicts.items()},
        "reasons": dict(entry.reasons),
        "words": entry.words,
        "median": _seconds(entry.median),
        **{name: _seconds(seconds) for name, seconds in spreads.items()},
        "stages": {stage: _seconds(taken) for stage, taken in entry.stages.items()},
        "counters": dict(entry.counters),
        "memory": entry.memory,
    }


def _seconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 6)
