"""Experiments as records for other programs: win rates, zeros on random boards, and marked cells."""

from collections.abc import Sequence
from typing import Any

from gemhunter import __version__
from gemhunter.deduce.difficulty import DIFFICULTY_WORDS
from gemhunter.experiments.clue_shares import ClueShares
from gemhunter.experiments.difficulties import LevelDifficulties
from gemhunter.experiments.s5_table import GAMES_OF_THE_COURSE, S5_COUNTERS, S5Line
from gemhunter.experiments.series import Experiment
from gemhunter.experiments.winrate import Comparison, WinRate
from gemhunter.play.agents.reasons import REASONS
from gemhunter.records.estimates import interval_fields

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
