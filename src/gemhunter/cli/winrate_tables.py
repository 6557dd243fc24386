"""Win rates and comparisons of agents, as tables for people and records for programs."""

import json
from collections.abc import Sequence
from math import isfinite

import click

from gemhunter.cli.table_formats import csv_text, print_rows
from gemhunter.core.plurals import counted
from gemhunter.experiments.series import Experiment, Tallies
from gemhunter.experiments.winrate import Comparison, WinRate, comparisons, win_rates
from gemhunter.play.levels import LEVELS, Level
from gemhunter.report.experiment_records import comparison_record, win_rate_row, win_rates_record
from gemhunter.work.estimates import Interval


def print_rates(experiment: Experiment, tallies: Tallies, form: str) -> None:
    """Print what the games played so far say."""
    rates, compared = win_rates(tallies), comparisons(experiment, tallies)
    match form:
        case "json":
            click.echo(json.dumps(win_rates_record(experiment, rates, compared), indent=2))
        case "csv":
            click.echo(csv_text([win_rate_row(experiment, rate) for rate in rates]), nl=False)
        case _:
            _print_rate_tables(form, experiment, rates, compared)


def print_match(experiment: Experiment, tallies: Tallies, form: str) -> None:
    """Print who is better, by the games played so far."""
    rates, compared = win_rates(tallies), comparisons(experiment, tallies)
    match form:
        case "json":
            click.echo(json.dumps(win_rates_record(experiment, rates, compared), indent=2))
        case "csv":
            click.echo(csv_text([comparison_record(pair) for pair in compared]), nl=False)
        case _:
            _print_settings(experiment, rates)
            rows = [_match_row(rate) for rate in rates]
            headings = ["agent", "level", "games", "won %", "won % without luck"]
            _print_tables(form, [(headings, rows), *_pair_tables(compared)])
            for pair in compared:
                click.echo(f"\n{_verdict(pair)}")


def _verdict(pair: Comparison) -> str:
    """Which of two agents is better, in a sentence, if that can be said."""
    more, level = pair.sharper, level_name(pair.level)
    if not isfinite(more.margin) or more.low <= 0.0 <= more.high:
        games = counted(pair.games, "game")
        return f"{level}: {pair.first} and {pair.second} cannot be told apart by {games}"
    better, worse = (pair.first, pair.second) if more.value > 0 else (pair.second, pair.first)
    low, high = sorted((abs(100 * more.low), abs(100 * more.high)))
    return f"{level}: {better} wins {low:.2f} to {high:.2f} points more often than {worse}"


def _print_settings(experiment: Experiment, rates: Sequence[WinRate]) -> None:
    click.echo(f"first click {experiment.first_click.value}, seeds from {experiment.seed}; 95 % intervals")
    if not rates:
        click.echo("no game has been played to its end")


Table = tuple[list[str], list[list[str]]]
"""Headings and rows."""


def _print_rate_tables(
    form: str, experiment: Experiment, rates: Sequence[WinRate], compared: Sequence[Comparison]
) -> None:
    """Several tables, because a terminal has 80 columns."""
    _print_settings(experiment, rates)
    tables: list[Table] = [
        (["agent", "level", "games", "won %", "from … to", "stuck %"], [_rate_row(rate) for rate in rates]),
        (
            ["agent", "level", "won % without luck", "guesses", "games/s", "games/CPU s"],
            [_pace_row(rate) for rate in rates],
        ),
        (["agent", "level", "lost by", "games", "%"], [row for rate in rates for row in _loss_rows(rate)]),
        *_pair_tables(compared),
    ]
    _print_tables(form, tables)


def _pair_tables(compared: Sequence[Comparison]) -> list[Table]:
    """By how much one of two agents wins more often: by all games, and without luck."""
    return [
        (
            ["level", "first", "second", "games", "more %", "from … to", "won alone"],
            [_pair_row(pair) for pair in compared],
        ),
        (
            ["level", "first", "second", "more % without luck", "from … to"],
            [_pair_row_without_luck(pair) for pair in compared],
        ),
    ]


def _print_tables(form: str, tables: Sequence[Table]) -> None:
    for number, (headings, rows) in enumerate(tables):
        if rows:
            click.echo(nl=number > 0 or form == "md")
            print_rows(form, headings, rows)


def level_name(level: Level) -> str:
    """What people call a level."""
    return next((name for name, known in LEVELS.items() if known == level), str(level))


def _names(rate: WinRate) -> list[str]:
    return [rate.series.agent, level_name(rate.series.level)]


def _match_row(rate: WinRate) -> list[str]:
    return [*_names(rate), str(rate.games), _percent(rate.won), _percent(rate.without_luck)]


def _rate_row(rate: WinRate) -> list[str]:
    won = rate.won
    ends = f"{100 * won.low:.2f} … {100 * won.high:.2f}"
    return [*_names(rate), str(rate.games), f"{100 * won.value:.2f}", ends, f"{100 * rate.stuck.value:.2f}"]


def _pace_row(rate: WinRate) -> list[str]:
    paces = [
        "?" if pace is None else f"{pace:,.1f}" for pace in (rate.games_per_second, rate.games_per_cpu_second)
    ]
    return [*_names(rate), _percent(rate.without_luck), rate.guesses.text(2), *paces]


def _loss_rows(rate: WinRate) -> list[list[str]]:
    """Why games were lost: a row for each reason that occurred."""
    return [
        [*_names(rate), reason, str(count), f"{100 * count / rate.lost:.1f}"]
        for reason, count in rate.losses.items()
    ]


def _percent(share: Interval) -> str:
    """A share with its margin, as in `40.17 ±0.32`; without a margin if it is endless."""
    margin = f" ±{100 * share.margin:.2f}" if isfinite(share.margin) else ""
    return f"{100 * share.value:.2f}{margin}"


def _pair_names(pair: Comparison) -> list[str]:
    return [level_name(pair.level), pair.first, pair.second]


def _pair_row(pair: Comparison) -> list[str]:
    alone = f"{pair.only_first} : {pair.only_second}"
    return [*_pair_names(pair), str(pair.games), *_more(pair.difference), alone]


def _pair_row_without_luck(pair: Comparison) -> list[str]:
    return [*_pair_names(pair), *_more(pair.without_luck)]


def _more(difference: Interval) -> list[str]:
    """By how many points the first of two wins more, and the ends of the interval."""
    low, high = 100 * difference.low, 100 * difference.high
    return [f"{100 * difference.value:+.2f}", f"{low:+.2f} … {high:+.2f}"]
