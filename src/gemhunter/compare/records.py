"""Measurements and experiments as records for other programs: numbers as numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from gemhunter import __version__
from gemhunter.compare.game_tables import (
    GAMES_OF_THE_COURSE,
    S5_COUNTERS,
    ClueShares,
    LevelDifficulties,
    S5Line,
)
from gemhunter.compare.ledger import BoardFacts, KeptRuns
from gemhunter.compare.suites import RUN_STAGES, Suite
from gemhunter.compare.summary import EngineOnBoard, PairedSummary, Spread, Summary, rank_overall
from gemhunter.compare.winrate import Comparison, Experiment, WinRate
from gemhunter.explanation.steps import DIFFICULTY_WORDS
from gemhunter.play.agents.player import REASONS
from gemhunter.printable import json_text
from gemhunter.records.answers import interval_fields

# Measurements and suites as records for other programs: numbers as numbers.


JsonValue: TypeAlias = str | int | float | Mapping[str, "JsonValue"] | None

JsonRecord: TypeAlias = dict[str, JsonValue]

SECONDS_DIGITS = 6

RUN_COLUMNS = (
    *("ledger", "board", "rows", "cols", "unknown", "clues", "clauses", "s4_clauses", "traps"),
    *("engine", "run", "verdict", "reason"),
    *("seconds", *(f"{stage}_seconds" for stage in RUN_STAGES), "memory", "counters"),
)
"""What the record of a run has."""


def summary_records(
    summary: Summary, boards: Sequence[BoardFacts], version: str, seed: int
) -> list[JsonRecord]:
    """A record per board and engine that has runs, board by board; `seed` is that of first runs."""
    facts = {board.name: board for board in boards}
    entries = (summary.of(board, engine) for board in summary.boards for engine in summary.engines)
    return [
        {**_record(entry), **_size_record(facts[entry.board]), "version": version, "seed": seed}
        for entry in entries
        if entry is not None
    ]


def _size_record(board: BoardFacts) -> JsonRecord:
    """How large a board is, in cells and in clauses."""
    return {
        "rows": board.rows,
        "cols": board.cols,
        "unknown": board.unknown,
        "clues": board.clues,
        "clauses": board.clauses,
        "s4_clauses": board.s4_clauses,
    }


def run_records(ledger: str, kept: KeptRuns) -> list[JsonRecord]:
    """A record per run of a ledger; `seconds` is None for a run without an answer."""
    boards = {board.name: board for board in kept.heading.boards}
    records: list[JsonRecord] = []
    for each in kept.measurements:
        board, task = boards[each.task.board], each.task
        values: tuple[JsonValue, ...] = (
            *(ledger, board.name, board.rows, board.cols, board.unknown, board.clues),
            *(board.clauses, board.s4_clauses, board.total),
            *(task.engine, task.run, each.verdict.value, each.reason, _seconds(each.total)),
            *(_seconds(each.seconds.get(stage)) for stage in RUN_STAGES),
            *(each.memory, dict(each.counters)),
        )
        records.append(dict(zip(RUN_COLUMNS, values, strict=True)))
    return records


def ranking_records(summary: Summary) -> list[JsonRecord]:
    """A record per engine, best first; ratios are multiples of the first one's time."""
    return [
        {
            "engine": rank.engine,
            "boards": len(summary.boards),
            "answered": rank.answered,
            "fastest": rank.fastest,
            "compared": rank.compared,
            **interval_fields("ratio", rank.ratio),
        }
        for rank in rank_overall(summary)
    ]


def paired_records(paired: PairedSummary) -> list[JsonRecord]:
    """A record per board and engine: the entries of both sets and their ratio, or the set that has it."""
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


def change_records(paired: PairedSummary) -> list[JsonRecord]:
    """A record per engine: the geometric mean of its ratios, with its interval."""
    return [
        {"engine": each.engine, "boards": each.boards, **interval_fields("ratio", each.ratio)}
        for each in paired.engines
    ]


def write_json(records: Sequence[JsonRecord]) -> str:
    """Records as a JSON list, a record per line."""
    lines = ",\n".join(json_text(record) for record in records)
    return f"[\n{lines}\n]\n" if records else "[]\n"


def _record(entry: EngineOnBoard) -> JsonRecord:
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
        **_spread(entry.spread),
        "stages": {stage: _seconds(taken) for stage, taken in entry.stages.items()},
        "counters": dict(entry.counters),
        "memory": entry.memory,
    }


def _spread(spread: Spread | None) -> dict[str, float | None]:
    shown = {
        **interval_fields("mean", None if spread is None else spread.mean),
        "shortest": None if spread is None else spread.shortest,
        "longest": None if spread is None else spread.longest,
        "deviation": None if spread is None else spread.deviation,
    }
    return {name: _seconds(seconds) for name, seconds in shown.items()}


def _seconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, SECONDS_DIGITS)


def suite_record(suite: Suite) -> dict[str, Any]:
    """What a suite compares, and how often."""
    return {
        "suite": suite.name,
        "title": suite.title,
        "boards": [board.name for board in suite.boards],
        "engines": list(suite.engines),
        "runs": suite.runs,
        "runs_of": dict(suite.runs_of),
        "seconds": suite.seconds,
    }


# Experiments as records for other programs: win rates, zeros on random boards, and marked cells.


DIGITS = 6
"""Digits behind the point, in estimates and their intervals."""


def win_rates_record(
    experiment: Experiment, rates: Sequence[WinRate], compared: Sequence[Comparison]
) -> dict[str, Any]:
    """The settings, a record per series, and a record per two agents at a level."""
    return {
        "version": __version__,
        "first_click": experiment.first_click.value,
        "seed": experiment.seed,
        "series": [_win_rate_fields(rate) | {"losses": rate.losses} for rate in rates],
        "comparisons": [comparison_record(pair) for pair in compared],
    }


def win_rate_row(experiment: Experiment, rate: WinRate) -> dict[str, Any]:
    """A series as a flat record, in which losses are a field per reason."""
    return (
        _win_rate_fields(rate)
        | {"first_click": experiment.first_click.value, "seed": experiment.seed}
        | {f"lost: {reason}": rate.losses.get(reason, 0) for reason in REASONS}
    )


def clue_shares_record(level: ClueShares) -> dict[str, Any]:
    """How many clues are 0 on random boards of a level."""
    return {
        "level": level.level,
        "boards": level.boards,
        **interval_fields("zeros", level.zeros, DIGITS),
        "traps_per_gem": level.ratio,
        "shares": level.shares,
    }


def difficulties_record(level: LevelDifficulties) -> dict[str, Any]:
    """How hard the games of a level are; `score` is null if every game needs a guess."""
    shares: dict[str, Any] = {}
    for word in DIFFICULTY_WORDS:
        shares |= interval_fields(word, level.share(word), DIGITS)
    gave_up = sum(game is None for game in level.games)
    score = None if level.score is None else round(level.score.value, DIGITS)
    return {"level": level.level, "games": len(level.games), **shares, "score": score, "gave_up": gave_up}


def marked_cells_record(line: S5Line) -> dict[str, Any]:
    """What an agent marked on a level, and in how many rounds or backtracks; the other of both is null."""
    counts: dict[str, Any] = {}
    for counter in S5_COUNTERS.values():
        is_own = counter == line.counter
        counts |= interval_fields(counter, line.mean_rounds if is_own else None, DIGITS)
        counts[f"first_{counter}"] = line.rounds[:GAMES_OF_THE_COURSE].tolist() if is_own else None
    return {
        "level": line.level,
        "initial": line.given,
        "agent": line.agent,
        "cells": line.cells,
        "games": int(line.marked.size),
        **interval_fields("finished", line.finished, DIGITS),
        **interval_fields("marked", line.mean_marked, DIGITS),
        "first_marked": line.marked[:GAMES_OF_THE_COURSE].tolist(),
        **counts,
    }


def _win_rate_fields(rate: WinRate) -> dict[str, Any]:
    return {
        "agent": rate.series.agent,
        "level": str(rate.series.level),
        "games": rate.games,
        "lost": rate.lost,
        **interval_fields("win_rate", rate.won, DIGITS),
        **interval_fields("without_luck", rate.without_luck, DIGITS),
        **interval_fields("stuck_rate", rate.stuck, DIGITS),
        **interval_fields("guesses_per_game", rate.guesses, DIGITS),
        "games_per_second": round(rate.games_per_second, 2),
        "games_per_cpu_second": None
        if rate.games_per_cpu_second is None
        else round(rate.games_per_cpu_second, 2),
    }


def comparison_record(pair: Comparison) -> dict[str, Any]:
    """Two agents on the same games."""
    return {
        "level": str(pair.level),
        "first": pair.first,
        "second": pair.second,
        "games": pair.games,
        "only_first_won": pair.only_first,
        "only_second_won": pair.only_second,
        **interval_fields("difference", pair.difference, DIGITS),
        **interval_fields("without_luck", pair.without_luck, DIGITS),
    }
