"""`gemhunter experiment winrate`: how often agents win."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.continuing import saying_how_to_continue
from gemhunter.cli.exit_codes import SOLVED
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.options import OutputFile, agent_option, cores, first_click_option, levels_option
from gemhunter.cli.ranges import AMOUNT, SEED
from gemhunter.cli.table_forms import table_format_option
from gemhunter.errors import InputError

if TYPE_CHECKING:
    from gemhunter.experiments.ledger import Heading, Kept, Records
    from gemhunter.experiments.series import Experiment, Tallies
    from gemhunter.work.cluster import Workers

DEFAULTS: dict[str, Any] = {
    "agents": ("expert",),
    "levels": ("expert",),
    "first_click": "safe",
    "seed": 0,
    "games": 1000,
}
SETTLED = ("agents", "levels", "first_click", "seed", "output", "resume")
"""Options that a file settles; more games than it was begun for can be asked of it later."""

FLAGS = {"agents": "--agent", "levels": "--level", "first_click": "--first-click", "seed": "--seed"}


@click.command()
@agent_option("Who plays; several are compared.", "agents", multiple=True)
@levels_option("expert")
@click.option("--games", type=AMOUNT, metavar="N", help="Games per agent and level.")
@first_click_option
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="Seed of the first game; the others follow it [default: 0].",
)
@click.option(
    "--workers", "jobs", type=AMOUNT, metavar="N", help="Processes that play; by default all cores."
)
@click.option(
    "--dask", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler, or on a `local` one."
)
@click.option("-o", "--output", type=OutputFile(), metavar="FILE", help="Keep the games in a new FILE.")
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Go on with the experiment in FILE; what is not asked for otherwise is as it was begun.",
)
@table_format_option
@quiet_option
def winrate(
    form: str, *, jobs: int | None, dask: str | None, output: Path | None, resume: Path | None, **asked: Any
) -> int:
    """Let agents play many games, and say how often they win.

    With 95 % intervals, games per second and per second of the processor, guesses per game, and why games
    were lost. Agents play the same games, so that their difference is known better than their win rates.
    Without options, `expert` plays 1000 games at its level. Stopped by Ctrl-C, the table of what has been
    played is printed; a FILE has it all, and only what is missing is played when it is resumed.

    \b
    Examples:
      gemhunter experiment winrate --agent expert --level expert --games 20000 --output expert.jsonl
      gemhunter experiment winrate --resume expert.jsonl --games 50000
      gemhunter experiment winrate --agent fast --agent logic --level beginner --first-click opening
    """
    from gemhunter.cli.win_rate_texts import print_rates
    from gemhunter.experiments.ledger import new_records, open_records
    from gemhunter.work.cluster import dask_cluster

    _require_one_file(output, resume)
    with ExitStack() as files:
        kept, records = files.enter_context(open_records(resume)) if resume else (None, None)
        heading = kept.heading if kept else None
        experiment, games = _settled(asked, heading, resume)
        tallies = _tallied(experiment, games, kept)
        # The cluster comes first: one that does not answer leaves no file behind.
        cluster = files.enter_context(dask_cluster(dask, jobs or cores())) if dask else None
        if output is not None:
            records = files.enter_context(new_records(output))
        if records is not None and heading is None:
            records.begin(experiment, games)
        try:
            with saying_how_to_continue(output or resume, SETTLED):
                _play(experiment, tallies, records, jobs=jobs or cores(), cluster=cluster)
        finally:
            print_rates(experiment, tallies, form)
    return SOLVED


def _tallied(experiment: "Experiment", games: int, kept: "Kept | None") -> "Tallies":
    """What a file has of the games that are asked for."""
    from gemhunter.experiments.series import new_tallies

    tallies = new_tallies(experiment, games)
    for played in kept.played if kept else ():
        tallies[played.series].add(played)
    return tallies


def _require_one_file(output: Path | None, resume: Path | None) -> None:
    """Raise unless there is at most one file, a new one or one to go on with."""
    from gemhunter.work.ledger import require_new

    if output is not None and resume is not None:
        raise click.UsageError("--output and --resume exclude each other; give one of them")
    if output is not None:
        require_new(output)


def _settled(asked: dict[str, Any], heading: "Heading | None", path: Path | None) -> "tuple[Experiment, int]":
    """The experiment that is asked for, by what the file says and by default where nothing is asked."""
    from gemhunter import __version__
    from gemhunter.experiments.ledger import players_digest
    from gemhunter.experiments.series import Experiment
    from gemhunter.experiments.winrate import require_players
    from gemhunter.play.levels import FirstClick, read_level
    from gemhunter.play.matches import play_games

    begun: dict[str, Any] = DEFAULTS
    if heading is not None:
        if (heading.version, heading.players) != (__version__, players_digest()):
            made = f"gemhunter {heading.version}, whose agents may play otherwise than those of {__version__}"
            raise InputError(f"{path} was made by {made} here; begin a new file with --output")
        was = heading.experiment
        levels = tuple(map(str, was.levels))
        begun = {"agents": was.agents, "levels": levels, "first_click": was.first_click.value}
        begun |= {"seed": was.seed, "games": heading.games}
    settings = {name: begun[name] if value in (None, ()) else value for name, value in asked.items()}
    settings["levels"] = tuple(dict.fromkeys(str(read_level(name)) for name in settings["levels"]))
    settings["agents"] = tuple(dict.fromkeys(settings["agents"]))
    for name, flag in FLAGS.items() if heading is not None else ():
        if settings[name] != begun[name]:
            there, here = _said(begun[name]), _said(settings[name])
            raise InputError(
                f"{path} was begun with {flag} {there}, not {here}; begin a new file with --output"
            )
    experiment = Experiment(
        settings["agents"],
        tuple(map(read_level, settings["levels"])),
        FirstClick(settings["first_click"]),
        settings["seed"],
    )
    require_players(experiment, play_games)
    return experiment, settings["games"]


def _said(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _play(
    experiment: "Experiment",
    tallies: "Tallies",
    records: "Records | None",
    *,
    jobs: int,
    cluster: "Workers | None",
) -> None:
    """Play what is missing; every result is in the file before the next is waited for."""
    from gemhunter.cli.interrupts import stop_if_pending
    from gemhunter.cli.win_rate_progress import WinRateProgress
    from gemhunter.experiments.winrate import play_missing
    from gemhunter.play.matches import play_games

    with ExitStack() as stack:
        results = play_missing(experiment, tallies, jobs=jobs, cluster=cluster, play=play_games)
        progress = stack.enter_context(WinRateProgress(tallies))
        stack.enter_context(closing(results))
        for played in results:
            if records is not None:
                records.add(played)
            progress.show(played.series)
            stop_if_pending()
