"""`gemhunter experiment winrate`: how often agents win."""

import json
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from gemhunter import __version__
from gemhunter.cli.exit_codes import SOLVED
from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import AT_LEAST_ONE, SEED, LedgerFiles, OutputFile, options_as
from gemhunter.cli.options import (
    compared_agents_option,
    cores,
    dask_option,
    first_click_option,
    levels_option,
)
from gemhunter.cli.progress import ProgressBar, showing_how_to_continue
from gemhunter.cli.table_formats import csv_text, print_rows, table_format_option
from gemhunter.core.first_click import FirstClick
from gemhunter.errors import InputError
from gemhunter.experiments.ledger import Heading, Kept, Records, new_records, open_records, players_digest
from gemhunter.experiments.series import Experiment, Tallies, new_tallies
from gemhunter.experiments.winrate import (
    Comparison,
    WinRate,
    comparisons,
    play_missing,
    require_players,
    win_rate,
    win_rates,
)
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.levels import LEVELS, Level, read_level
from gemhunter.play.many_games import play_games
from gemhunter.report.experiment_records import win_rate_row, win_rates_record
from gemhunter.work.cluster import dask_cluster
from gemhunter.work.ledger import require_new
from gemhunter.work.workers import Workers

WIN_RATES_KEPT = ("agents", "levels", "first_click", "seed", "output", "resume")
"""Options whose values a file keeps; it can be resumed with more games than it was begun for."""


@dataclass(frozen=True, slots=True)
class WinRateSettings:
    """An experiment, and how many games of each series are asked for."""

    experiment: Experiment
    games: int


DEFAULTS = WinRateSettings(Experiment((STRONGEST_AGENT,), (LEVELS["expert"],)), 1000)


@dataclass(frozen=True, slots=True)
class AskedExperiment:
    """The options about an experiment; those that are left out are empty or None."""

    agents: tuple[str, ...]
    levels: tuple[str, ...]
    first_click: FirstClick | None
    seed: int | None
    games: int | None

    def after(self, begun: WinRateSettings) -> WinRateSettings:
        """The settings of an experiment, as it was begun wherever nothing is asked."""
        was = begun.experiment
        experiment = Experiment(
            tuple(dict.fromkeys(self.agents or was.agents)),
            tuple(dict.fromkeys(map(read_level, self.levels))) or was.levels,
            self.first_click or was.first_click,
            was.seed if self.seed is None else self.seed,
        )
        return WinRateSettings(experiment, self.games or begun.games)


@click.command()
@compared_agents_option("Who plays; several are compared.")
@levels_option("expert")
@click.option("--games", type=AT_LEAST_ONE, metavar="N", help="Games per agent and level.")
@first_click_option
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="Seed of the first game; the others follow it [default: 0].",
)
@click.option(
    "--workers", "jobs", type=AT_LEAST_ONE, metavar="N", help="Processes that play; by default all cores."
)
@dask_option("Play")
@click.option("-o", "--output", type=OutputFile(), metavar="FILE", help="Keep the games in a new FILE.")
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Continue the experiment in FILE; options left out keep the values it was begun with.",
)
@table_format_option
@quiet_option
@options_as(AskedExperiment, "asked")
@options_as(LedgerFiles, "files")
def winrate(
    *, asked: AskedExperiment, files: LedgerFiles, jobs: int | None, dask: str | None, form: str
) -> int:
    """Let agents play many games, and say how often they win.

    With 95 % intervals, games per second and per second of the processor, guesses per game, and why games
    were lost. Agents play the same games, so that their difference is known better than their win rates.
    Without options, `expert` plays 1000 games at its level. Ctrl-C prints the table of the games played
    so far; a FILE keeps them, and resuming it plays only what is missing.

    \b
    Examples:
      gemhunter experiment winrate --agent expert --level expert --games 20000 --output expert.jsonl
      gemhunter experiment winrate --resume expert.jsonl --games 50000
      gemhunter experiment winrate --agent fast --agent logic --level beginner --first-click opening
    """
    if files.output is not None and files.resume is not None:
        raise click.UsageError("--output and --resume exclude each other; give one of them")
    with ExitStack() as stack:
        begun = _begin(stack, asked, files, dask=dask, jobs=jobs or cores())
        try:
            with showing_how_to_continue(files.output or files.resume, WIN_RATES_KEPT):
                _play(begun)
        finally:
            _print_rates(begun.experiment, begun.tallies, form)
    return SOLVED


@dataclass(frozen=True, slots=True)
class _RunningExperiment:
    """An experiment under way: its games so far, the file they go to, and who plays."""

    experiment: Experiment
    tallies: Tallies
    records: Records | None
    jobs: int
    cluster: Workers | None


def _begin(
    stack: ExitStack, asked: AskedExperiment, files: LedgerFiles, *, dask: str | None, jobs: int
) -> _RunningExperiment:
    """A new experiment, or one that is resumed."""
    if files.output is not None:
        require_new(files.output)
    kept: Kept | None = None
    records: Records | None = None
    if files.resume is not None:
        kept, records = stack.enter_context(open_records(files.resume))
    heading = kept.heading if kept else None
    settings = asked.after(DEFAULTS) if heading is None else _resumed(asked, heading, files.resume)
    require_players(settings.experiment, play_games)
    tallies = new_tallies(settings.experiment, settings.games)
    for played in kept.played if kept else ():
        tallies[played.series].add(played)
    # The cluster comes first: one that does not answer leaves no file behind.
    cluster = stack.enter_context(dask_cluster(dask, jobs)) if dask else None
    if files.output is not None:
        records = stack.enter_context(new_records(files.output))
    if records is not None and heading is None:
        records.begin(settings.experiment, settings.games)
    return _RunningExperiment(settings.experiment, tallies, records, jobs, cluster)


def _resumed(asked: AskedExperiment, heading: Heading, path: Path | None) -> WinRateSettings:
    """The settings of a file, if the options do not contradict them and the same agents play."""
    if (heading.version, heading.players) != (__version__, players_digest()):
        made = f"gemhunter {heading.version}, whose agents may play otherwise than those of {__version__}"
        raise InputError(f"{path} was made by {made} here; begin a new file with --output")
    settings = asked.after(WinRateSettings(heading.experiment, heading.games))
    there, here = _flags(heading.experiment), _flags(settings.experiment)
    for flag, value in there.items():
        if here[flag] != value:
            raise InputError(
                f"{path} was begun with {flag} {value}, not {here[flag]}; begin a new file with --output"
            )
    return settings


def _flags(experiment: Experiment) -> dict[str, str]:
    """The options that define an experiment, with their values."""
    return {
        "--agent": ", ".join(experiment.agents),
        "--level": ", ".join(map(str, experiment.levels)),
        "--first-click": experiment.first_click.value,
        "--seed": str(experiment.seed),
    }


def _play(begun: _RunningExperiment) -> None:
    """Play what is missing; every result is in the file before the next is waited for."""
    tallies = begun.tallies
    games = sum(tally.ends.size for tally in tallies.values())
    done = sum(int(np.count_nonzero(tally.known)) for tally in tallies.values())
    results = play_missing(begun.experiment, tallies, jobs=begun.jobs, cluster=begun.cluster, play=play_games)
    with ProgressBar(games, done) as progress, closing(results):
        for played in results:
            if begun.records is not None:
                begun.records.add(played)
            if rate := win_rate(played.series, tallies[played.series]):
                name = f"{played.series.agent}, {level_name(played.series.level)}"
                estimate = rate.won.text(1, percent=True)
                progress.advance(f"{name}, {estimate}", played.games.won.size)
            stop_if_pending()


def _print_rates(experiment: Experiment, tallies: Tallies, form: str) -> None:
    """Print what the games played so far say."""
    rates, compared = win_rates(tallies), comparisons(experiment, tallies)
    match form:
        case "json":
            click.echo(json.dumps(win_rates_record(experiment, rates, compared), indent=2))
        case "csv":
            click.echo(csv_text([win_rate_row(experiment, rate) for rate in rates]), nl=False)
        case _:
            _print_tables(form, experiment, rates, compared)


def _print_tables(
    form: str, experiment: Experiment, rates: Sequence[WinRate], compared: Sequence[Comparison]
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


def level_name(level: Level) -> str:
    """What people call a level."""
    return next((name for name, known in LEVELS.items() if known == level), str(level))


def _names(rate: WinRate) -> list[str]:
    return [rate.series.agent, level_name(rate.series.level)]


def _rate_row(rate: WinRate) -> list[str]:
    won = rate.won
    ends = f"{100 * won.low:.2f} … {100 * won.high:.2f}"
    return [*_names(rate), str(rate.games), f"{100 * won.value:.2f}", ends, f"{100 * rate.stuck.value:.2f}"]


def _pace_row(rate: WinRate) -> list[str]:
    paces = [f"{pace:,.1f}" for pace in (rate.games_per_second, rate.games_per_cpu_second)]
    return [*_names(rate), rate.guesses.text(2), *paces]


def _loss_rows(rate: WinRate) -> list[list[str]]:
    """Why games were lost: a row for each reason that occurred."""
    return [
        [*_names(rate), reason, str(count), f"{100 * count / rate.lost:.1f}"]
        for reason, count in rate.losses.items()
    ]


def _pair_row(pair: Comparison) -> list[str]:
    more = pair.difference
    ends = f"{100 * more.low:+.2f} … {100 * more.high:+.2f}"
    alone = f"{pair.only_first} : {pair.only_second}"
    names = [level_name(pair.level), pair.first, pair.second]
    return [*names, str(pair.games), f"{100 * more.value:+.2f}", ends, alone]
