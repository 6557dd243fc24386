"""`gemhunter experiment winrate`: how often agents win."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import numpy as np

from gemhunter import __version__
from gemhunter.cli.exit_codes import SOLVED
from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import (
    AT_LEAST_ONE,
    SEED,
    LedgerFiles,
    OutputFile,
    WorkerOptions,
    options_as,
)
from gemhunter.cli.options import (
    Command,
    compared_agents_option,
    cores,
    dask_option,
    first_click_option,
    levels_option,
)
from gemhunter.cli.progress import ProgressBar, showing_how_to_continue
from gemhunter.cli.table_formats import table_format_option
from gemhunter.cli.winrate_tables import level_name, print_rates
from gemhunter.core.first_click import FirstClick
from gemhunter.errors import InputError
from gemhunter.experiments.ledger import Heading, Kept, Records, new_records, open_records, players_digest
from gemhunter.experiments.series import Experiment, Tallies, new_tallies
from gemhunter.experiments.winrate import play_missing, require_players, win_rate
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.levels import LEVELS, read_level
from gemhunter.play.many_games import play_games
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


def experiment_options(command: Command) -> Command:
    """The options of commands that let agents play; they get `asked`, `files`, `workers` and `form`."""
    options = (
        levels_option("expert"),
        click.option("--games", type=AT_LEAST_ONE, metavar="N", help="Games per agent and level."),
        first_click_option,
        click.option(
            "--seed",
            type=SEED,
            metavar="N",
            help="Seed of the first game; the others follow it [default: 0].",
        ),
        click.option(
            "--workers", type=AT_LEAST_ONE, metavar="N", help="Processes that play; by default all cores."
        ),
        dask_option("Play"),
        click.option(
            "-o", "--output", type=OutputFile(), metavar="FILE", help="Keep the games in a new FILE."
        ),
        click.option(
            "--resume",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Continue the experiment in FILE; options left out keep the values it was begun with.",
        ),
        table_format_option,
        quiet_option,
        options_as(AskedExperiment, "asked"),
        options_as(LedgerFiles, "files"),
        options_as(WorkerOptions, "workers"),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@compared_agents_option("Who plays; several are compared.")
@experiment_options
def winrate(*, asked: AskedExperiment, files: LedgerFiles, workers: WorkerOptions, form: str) -> int:
    """Let agents play many games, and say how often they win.

    With 95 % intervals, games per second and per second of the processor, guesses per game, and why games
    were lost. Agents play the same games, so that their difference is known better than their win rates;
    without the luck of their guesses it is known better still.
    Without options, `expert` plays 1000 games at its level. Ctrl-C prints the table of the games played
    so far; a FILE keeps them, and resuming it plays only what is missing.

    \b
    Examples:
      gemhunter experiment winrate --agent expert --level expert --games 20000 --output expert.jsonl
      gemhunter experiment winrate --resume expert.jsonl --games 50000
      gemhunter experiment winrate --agent fast --agent logic --level beginner --first-click opening
    """
    return play_and_show(asked, files, workers, partial(print_rates, form=form))


def play_and_show(
    asked: AskedExperiment,
    files: LedgerFiles,
    workers: WorkerOptions,
    show: Callable[[Experiment, Tallies], None],
    *,
    least_agents: int = 1,
) -> int:
    """Play what is missing, and show the games there are, however that ends."""
    if files.output is not None and files.resume is not None:
        raise click.UsageError("--output and --resume exclude each other; give one of them")
    with ExitStack() as stack:
        begun = _begin(stack, asked, files, workers, least_agents=least_agents)
        try:
            with showing_how_to_continue(files.output or files.resume, WIN_RATES_KEPT):
                _play(begun)
        finally:
            show(begun.experiment, begun.tallies)
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
    stack: ExitStack,
    asked: AskedExperiment,
    files: LedgerFiles,
    workers: WorkerOptions,
    *,
    least_agents: int,
) -> _RunningExperiment:
    """A new experiment, or one that is resumed, with its file and its workers."""
    dask, jobs = workers.dask, workers.workers or cores()
    if files.output is not None:
        require_new(files.output)
    kept: Kept | None = None
    records: Records | None = None
    if files.resume is not None:
        kept, records = stack.enter_context(open_records(files.resume))
    settings = _resumed(asked, kept.heading, files.resume) if kept else asked.after(DEFAULTS)
    if len(settings.experiment.agents) < least_agents:
        raise click.UsageError(f"this needs at least {least_agents} different agents; give each with --agent")
    require_players(settings.experiment, play_games)
    tallies = new_tallies(settings.experiment, settings.games)
    for played in kept.played if kept else ():
        tallies[played.series].add(played)
    # The cluster comes first: one that does not answer leaves no file behind.
    cluster = stack.enter_context(dask_cluster(dask, jobs)) if dask else None
    if files.output is not None:
        records = stack.enter_context(new_records(files.output))
        records.begin(settings.experiment, settings.games)
    return _RunningExperiment(settings.experiment, tallies, records, jobs, cluster)


def _resumed(asked: AskedExperiment, heading: Heading, path: Path | None) -> WinRateSettings:
    """The settings of a file, if the options do not contradict them and the same agents play."""
    if (heading.version, heading.players) != (__version__, players_digest(heading.experiment.agents)):
        made = f"gemhunter {heading.version}; its agents, or a program that plays, have changed since"
        raise InputError(f"{path} was made by {made}; begin a new file with --output")
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
