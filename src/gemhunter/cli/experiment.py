"""`gemhunter experiment`: many games or boards, counted."""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path

import click
import numpy as np

from gemhunter import __version__
from gemhunter.board.position import FirstClick
from gemhunter.cli.exit_codes import SOLVED
from gemhunter.cli.main import CommandEntry, LazyGroup
from gemhunter.cli.notes import quiet_option, stop_if_pending
from gemhunter.cli.options import (
    AT_LEAST_ONE,
    SEED,
    Command,
    LedgerFiles,
    OutputFile,
    WorkerOptions,
    compared_agents_option,
    cores,
    dask_option,
    first_click_option,
    levels_option,
    options_as,
    seed_option,
)
from gemhunter.cli.output import RecordTable, csv_text, print_rows, print_table_as, table_format_option
from gemhunter.cli.progress import ExperimentProgress, ProgressBar, run_to_end, showing_how_to_continue
from gemhunter.compare.game_tables import (
    COURSE_LEVELS,
    GAMES_OF_THE_COURSE,
    S5_COUNTERS,
    ClueShares,
    LevelDifficulties,
    S5Line,
    lines_of_s5,
    measure_clues,
    measure_difficulties,
    measure_s5,
)
from gemhunter.compare.records import (
    clue_shares_record,
    comparison_record,
    difficulties_record,
    marked_cells_record,
    win_rate_row,
    win_rates_record,
)
from gemhunter.compare.winrate import (
    Comparison,
    Experiment,
    Heading,
    Kept,
    Records,
    Tallies,
    WinRate,
    comparisons,
    new_records,
    new_tallies,
    open_records,
    play_missing,
    players_digest,
    require_players,
    win_rate,
    win_rates,
)
from gemhunter.draw.graphs import Bars, draw_bars
from gemhunter.errors import InputError
from gemhunter.explanation.steps import DIFFICULTY_WORDS
from gemhunter.files.access import write_atomically
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.levels import LEVELS, Level, read_level
from gemhunter.play.many_games import play_games
from gemhunter.printable import counted
from gemhunter.work.estimates import Interval
from gemhunter.work.ledger import require_new
from gemhunter.work.workers import Workers, dask_cluster

# Win rates and comparisons of agents, as tables for people and records for programs.


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


# `gemhunter experiment winrate`: how often agents win.


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


# `gemhunter experiment match`: two agents or more on the same boards.


@click.command()
@compared_agents_option("Who plays: an agent, or cmd: and a program that plays.")
@experiment_options
def match(*, asked: AskedExperiment, files: LedgerFiles, workers: WorkerOptions, form: str) -> int:
    """Let agents or programs play the same games, and say which one is better.

    The difference between any two is measured game by game, and once more without the luck of their guesses,
    which takes far fewer games. A program reads a position per line and answers with a cell; docs/agents.md
    describes how.

    \b
    Examples:
      gemhunter experiment match --agent expert --agent fast --games 5000
      gemhunter experiment match -a expert -a "cmd:python my_player.py" --level intermediate
      gemhunter experiment match -a expert -a "cmd:./player" --games 20000 --output match.jsonl
    """
    return play_and_show(asked, files, workers, partial(print_match, form=form), least_agents=2)


# `gemhunter experiment marked-cells`: what `resolution` and `csp` mark, and in how many rounds.


@click.command()
@click.option(
    "-a",
    "--agent",
    "agents",
    type=click.Choice(list(S5_COUNTERS)),
    multiple=True,
    default=["resolution"],
    show_default=True,
    help="Who plays; repeat it to let both play the same games.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1, max=10**6),
    default=100,
    show_default=True,
    help="Games for each level and number of initial safe cells.",
)
@levels_option("easy, medium, hard")
@click.option(
    "--initial",
    default="half,one,two",
    show_default=True,
    metavar="LIST",
    help="Initial safe cells, separated by commas: half, one or two times √n, or numbers.",
)
@seed_option
@table_format_option
@quiet_option
def marked_cells(
    *, agents: tuple[str, ...], games: int, levels: tuple[str, ...], initial: str, seed: int, form: str
) -> None:
    """Let resolution, or csp, play with few and many initial safe cells.

    On every level of the course that resolution comes from, with ½√n, √n and 2√n initial safe cells of n.
    Shows these, the cells it marks and its matching rounds in the first three games, each with the mean of
    all games and its 95 % confidence interval, and the share of games in which every cell was marked. For
    csp, backtracks are counted in place of matching rounds.

    \b
    Examples:
      gemhunter experiment marked-cells
      gemhunter experiment marked-cells --games 1000 --seed 7 --format md
      gemhunter experiment marked-cells --agent resolution --agent csp
      gemhunter experiment marked-cells --level hard --level 9x16n20 --initial 5,10,20
    """
    players = tuple(dict.fromkeys(agents))
    wanted = [each.strip() for each in initial.split(",")]
    lines = lines_of_s5(levels or COURSE_LEVELS, wanted, players)
    pace = ExperimentProgress(len(lines), "games", lambda done: (done[-1].name, done[-1].marked.size))
    run_to_end(measure_s5(lines, games, seed), pace, partial(_show_marked_cells, form, players))


def _show_marked_cells(form: str, agents: tuple[str, ...], lines: list[S5Line]) -> None:
    # Short, so that the table of one agent fits into 80 columns; the help page says what the words mean.
    named = ("agent",) if len(agents) > 1 else ()
    counters = "/".join(S5_COUNTERS[agent] for agent in agents)
    headings = ("level", "safe", *named, "marked", "mean", "done", counters, "mean", "games")
    rows = [_marked_cells_row(line, has_agent=len(agents) > 1) for line in lines]
    print_table_as(form, RecordTable(headings, rows, [*map(marked_cells_record, lines)]))


def _marked_cells_row(line: S5Line, *, has_agent: bool) -> list[str]:
    three = [" ".join(map(str, numbers[:GAMES_OF_THE_COURSE])) for numbers in (line.marked, line.rounds)]
    return [
        *(line.level, str(line.given), *([line.agent] if has_agent else [])),
        *(three[0], line.mean_marked.text(1), f"{line.finished.value:.1%}"),
        *(three[1], line.mean_rounds.text(2), str(line.marked.size)),
    ]


# `gemhunter experiment difficulty`: how hard games are for a player who thinks and never guesses.


DEFAULT_LEVELS = ("beginner", "medium", "intermediate", "expert")
"""One of each size and number of traps; `easy` and `hard` are the course's names for two of them."""

DIFFICULTY_HEADINGS = ("level", *DIFFICULTY_WORDS, "score", "games")


@click.command()
@click.option(
    "--games",
    type=click.IntRange(min=1, max=10**6),
    default=1000,
    show_default=True,
    help="Games for each level.",
)
@levels_option(", ".join(DEFAULT_LEVELS))
@first_click_option
@seed_option
@table_format_option
@quiet_option
def difficulty(
    *, games: int, levels: tuple[str, ...], first_click: FirstClick | None, seed: int, form: str
) -> None:
    """Say how hard games are for a player who thinks and never guesses.

    After a first click in the middle, the easiest deduction is made again and again, and the gems that it
    finds are opened. The difficulty is that of the hardest deduction the game needs (docs/explain.md), or
    "needs a guess". The score is the mean of the games without a guess, with its 95 % confidence interval.

    \b
    Examples:
      gemhunter experiment difficulty --games 100
      gemhunter experiment difficulty --level 9x9n20 --first-click opening --format md
    """
    wanted = levels or DEFAULT_LEVELS
    for level in wanted:
        read_level(level)
    pace = ExperimentProgress(len(wanted), "games", lambda found: (found[-1].level, len(found[-1].games)))
    rule = first_click or FirstClick.SAFE
    run_to_end(measure_difficulties(wanted, games, seed, rule), pace, partial(_show_difficulties, form))


def _show_difficulties(form: str, found: list[LevelDifficulties]) -> None:
    rows, records = [*map(_difficulty_row, found)], [*map(difficulties_record, found)]
    print_table_as(form, RecordTable(DIFFICULTY_HEADINGS, rows, records))


def _difficulty_row(level: LevelDifficulties) -> list[str]:
    shares = [f"{level.share(word).value:.1%}" for word in DIFFICULTY_WORDS]
    return [level.level, *shares, "" if level.score is None else level.score.text(1), str(len(level.games))]


# `gemhunter experiment clues`: how many clues are 0 on random boards.


CLUE_HEADINGS = ("level", "clues of 0", "traps per gem", "boards")
FULL_BAR = 50
"""Characters for 100 %."""


@click.command()
@click.option(
    "--boards",
    type=click.IntRange(min=1, max=10**6),
    default=3000,
    show_default=True,
    help="Boards for each level.",
)
@seed_option
@click.option("--svg", type=OutputFile(), metavar="FILE", help="Write the bar chart as an SVG picture.")
@table_format_option
@quiet_option
def clues(*, boards: int, seed: int, svg: Path | None, form: str) -> None:
    """Count the gems without any trap around on random boards.

    Shows, for each level, their share of all gems, with its 95 % confidence interval, beside the traps per
    gem, and both as bars.

    \b
    Examples:
      gemhunter experiment clues
      gemhunter experiment clues --boards 500 --svg clues.svg
    """
    pace = ExperimentProgress(len(COURSE_LEVELS), "boards", lambda found: (found[-1].level, found[-1].boards))
    run_to_end(measure_clues(boards, seed), pace, partial(_show_clues, form, svg))


def _show_clues(form: str, svg: Path | None, found: list[ClueShares]) -> None:
    print_table_as(
        form, RecordTable(CLUE_HEADINGS, [*map(_clue_row, found)], [*map(clue_shares_record, found)])
    )
    if form == "text":
        click.echo(_chart(found))
    if svg is not None:
        write_atomically(svg, _picture(found))


def _clue_row(level: ClueShares) -> list[str]:
    return [level.level, level.zeros.text(2, percent=True), f"{level.ratio:.2%}", str(level.boards)]


def _chart(found: list[ClueShares]) -> str:
    """Two bars per level, for a terminal or a text file."""
    width = max(len(level.level) for level in found)
    lines = [""]
    for level in found:
        for name, what, share in (
            (level.level, "clues of 0", level.zeros.value),
            ("", "traps per gem", level.ratio),
        ):
            lines.append(f"{name:{width}}  {what:13}  {'█' * round(FULL_BAR * share)} {share:.1%}")
    return "\n".join(lines)


def _picture(found: list[ClueShares]) -> str:
    zeros = Bars("clues of 0 among all clues", tuple(level.zeros.value for level in found))
    ratio = Bars("traps per gem", tuple(level.ratio for level in found))
    return draw_bars(
        f"{found[0].boards:,} random boards per level", [level.level for level in found], [zeros, ratio]
    )


# `gemhunter experiment`: many games or boards, counted.


EXPERIMENTS = {
    "marked-cells": CommandEntry(
        "gemhunter.cli.experiment:marked_cells",
        "Let resolution, or csp, play with few and many initial safe cells.",
    ),
    "clues": CommandEntry(
        "gemhunter.cli.experiment:clues",
        "Count the gems without any trap around on random boards.",
    ),
    "difficulty": CommandEntry(
        "gemhunter.cli.experiment:difficulty",
        "Say how hard games are for a player who thinks and never guesses.",
    ),
    "match": CommandEntry(
        "gemhunter.cli.experiment:match",
        "Let agents or programs play the same games, and say which one is better.",
    ),
    "winrate": CommandEntry(
        "gemhunter.cli.experiment:winrate",
        "Let agents play many games, and say how often they win.",
    ),
}

OLD_NAMES = {"s5-table": "marked-cells"}


@click.group(
    cls=LazyGroup,
    sections={"Experiments": EXPERIMENTS},
    aliases=OLD_NAMES,
    kind="experiment",
    no_args_is_help=False,
)
def experiment() -> None:
    """Play many games, or deal many boards, and count.

    The same seed gives the same numbers. Ctrl-C prints what has been measured so far.

    \b
    Examples:
      gemhunter experiment marked-cells --games 200
      gemhunter experiment clues --svg clues.svg
      gemhunter experiment match --agent expert --agent fast --games 5000
      gemhunter experiment winrate --agent expert --level expert --games 20000
    """
