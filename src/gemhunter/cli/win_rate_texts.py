"""Win rates for people and for programs: tables, JSON and CSV."""

import json
from typing import TYPE_CHECKING, Any

import click

from gemhunter import __version__
from gemhunter.cli.measuring import fields_of
from gemhunter.cli.table_forms import csv_text, print_rows
from gemhunter.experiments.winrate import comparisons, win_rates
from gemhunter.play.levels import LEVELS, Level
from gemhunter.play.matches import REASONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gemhunter.experiments.series import Experiment, Tallies
    from gemhunter.experiments.winrate import Comparison, WinRate


def print_rates(experiment: "Experiment", tallies: "Tallies", form: str) -> None:
    """Print what the games played so far say."""
    rates, compared = win_rates(tallies), comparisons(experiment, tallies)
    match form:
        case "json":
            click.echo(as_json(experiment, rates, compared))
        case "csv":
            click.echo(csv_text([_csv_record(experiment, rate) for rate in rates]), nl=False)
        case _:
            _print_tables(form, experiment, rates, compared)


def level_name(level: Level) -> str:
    """What people call a level."""
    return next((name for name, known in LEVELS.items() if known == level), str(level))


def as_json(experiment: "Experiment", rates: "Sequence[WinRate]", compared: "Sequence[Comparison]") -> str:
    """One document: the settings, a record per series, and a record per two agents at a level."""
    document = {
        "version": __version__,
        "first_click": experiment.first_click.value,
        "seed": experiment.seed,
        "series": [_record(rate) | {"losses": rate.losses} for rate in rates],
        "comparisons": [
            {
                "level": str(pair.level),
                "first": pair.first,
                "second": pair.second,
                "games": pair.games,
                "only_first_won": pair.only_first,
                "only_second_won": pair.only_second,
                **fields_of("difference", pair.difference),
            }
            for pair in compared
        ],
    }
    return json.dumps(document, indent=2)


def _csv_record(experiment: "Experiment", rate: "WinRate") -> dict[str, Any]:
    """A series as a row; losses are a column per reason."""
    return (
        _record(rate)
        | {"first_click": experiment.first_click.value, "seed": experiment.seed}
        | {f"lost: {reason}": rate.losses.get(reason, 0) for reason in REASONS}
    )


def _record(rate: "WinRate") -> dict[str, Any]:
    return {
        "agent": rate.series.agent,
        "level": str(rate.series.level),
        "games": rate.games,
        "lost": rate.lost,
        **fields_of("win_rate", rate.won),
        **fields_of("stuck_rate", rate.stuck),
        **fields_of("guesses_per_game", rate.guesses),
        "games_per_second": round(rate.games_per_second, 2),
        "games_per_cpu_second": round(rate.games_per_cpu_second, 2),
    }


def _print_tables(
    form: str, experiment: "Experiment", rates: "Sequence[WinRate]", compared: "Sequence[Comparison]"
) -> None:
    """Several tables, because a terminal has 80 columns."""
    click.echo(f"first click {experiment.first_click.value}, seeds from {experiment.seed}; 95 % intervals")
    if not rates:
        click.echo("no game has been played to its end")
        return
    tables: list[tuple[list[str], list[list[str]]]] = [
        (["agent", "level", "games", "won %", "from … to", "stuck %"], [_rate_row(rate) for rate in rates]),
        (["agent", "level", "guesses", "games/s", "games/CPU s"], [_pace_row(rate) for rate in rates]),
        (["agent", "level", "lost by", "games", "%"], [row for rate in rates for row in _loss_rows(rate)]),
        (
            ["level", "first", "second", "games", "more %", "from … to", "won alone"],
            [_pair_row(pair) for pair in compared],
        ),
    ]
    for number, (headings, rows) in enumerate(tables):
        if rows:
            click.echo(nl=number > 0 or form == "md")
            print_rows(form, headings, rows)


def _names(rate: "WinRate") -> list[str]:
    return [rate.series.agent, level_name(rate.series.level)]


def _rate_row(rate: "WinRate") -> list[str]:
    won = rate.won
    ends = f"{100 * won.low:.2f} … {100 * won.high:.2f}"
    return [*_names(rate), str(rate.games), f"{100 * won.value:.2f}", ends, f"{100 * rate.stuck.value:.2f}"]


def _pace_row(rate: "WinRate") -> list[str]:
    paces = [f"{pace:,.1f}" for pace in (rate.games_per_second, rate.games_per_cpu_second)]
    return [*_names(rate), rate.guesses.text(2), *paces]


def _loss_rows(rate: "WinRate") -> list[list[str]]:
    """Why games were lost: a row for each reason that there was."""
    return [
        [*_names(rate), reason, str(amount), f"{100 * amount / rate.lost:.1f}"]
        for reason, amount in rate.losses.items()
    ]


def _pair_row(pair: "Comparison") -> list[str]:
    more = pair.difference
    ends = f"{100 * more.low:+.2f} … {100 * more.high:+.2f}"
    alone = f"{pair.only_first} : {pair.only_second}"
    names = [level_name(pair.level), pair.first, pair.second]
    return [*names, str(pair.games), f"{100 * more.value:+.2f}", ends, alone]
