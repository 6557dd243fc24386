"""`gemhunter experiment`: statistics of many games or boards.

`winrate` and `match` let agents play, keep the games in a ledger, and can be resumed; `marked-cells`,
`difficulty` and `clues` each make a table in one go.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np

from gemhunter import __version__
from gemhunter.board.position import FirstClick
from gemhunter.cli.declare import Declaration, Group, command, number, option
from gemhunter.cli.exit_codes import SOLVED, stop_if_pending
from gemhunter.cli.options import (
    FIRST_CLICK_OPTION,
    FIRST_SEED_OPTION,
    SEED,
    agents_option,
    cores,
    levels_option,
    resume_option,
    workers_option,
)
from gemhunter.cli.output import (
    TABLE_FORMS,
    Outputs,
    csv_text,
    format_option,
    json_document,
    output_option,
    table_in,
    write_output,
)
from gemhunter.cli.progress import Progress, new_ledger_path, showing_how_to_continue
from gemhunter.draw.graphs import Bars, draw_bars
from gemhunter.errors import InputError
from gemhunter.experiments.game_tables import (
    COURSE_LEVELS,
    GAMES_OF_THE_COURSE,
    S5_COUNTERS,
    ClueShares,
    LevelDifficulties,
    S5Line,
    clue_shares_record,
    difficulties_record,
    distinct_levels,
    lines_of_s5,
    marked_cells_record,
    measure_clues,
    measure_difficulties,
    measure_s5,
)
from gemhunter.experiments.winrate import (
    Comparison,
    Experiment,
    GamesHeading,
    Played,
    Tallies,
    WinRate,
    comparison_record,
    comparisons,
    games_line,
    heading_of_games,
    new_tallies,
    play_missing,
    players_digest,
    read_games,
    require_players,
    win_rate,
    win_rate_row,
    win_rates,
    win_rates_record,
)
from gemhunter.explanation.steps import DIFFICULTY_WORDS
from gemhunter.play.agents.registry import STRONGEST_AGENT
from gemhunter.play.game_ids import LEVELS, Level, read_level
from gemhunter.play.many_games import play_games
from gemhunter.solving.registry import refuse_programs
from gemhunter.wording import counted
from gemhunter.work.confidence_intervals import Interval
from gemhunter.work.ledger import Ledger, new_ledger, open_ledger
from gemhunter.work.workers import dask_cluster

Measured = TypeVar("Measured")


@click.group(
    cls=Group, kind="experiment", no_args_is_help=False, instead={"s5-table": "experiment marked-cells"}
)
def experiment() -> None:
    """Play many games, or deal many boards, and gather statistics.

    \b
    Examples:
      gemhunter experiment winrate --agent expert --level expert --games 20000
      gemhunter experiment match --agent expert --agent fast --games 5000
      gemhunter experiment marked-cells --games 200
      gemhunter experiment clues -o clues.svg

    The same seed gives the same numbers. Ctrl-C prints what has been measured so far.
    """


# Agents play many games: `winrate` and `match`, which have the same options.


TABLE_FORM_OPTION = format_option(*TABLE_FORMS)
TABLE_TOO = "the table, which is printed too"
SERIES_OUTPUT_OPTION = output_option(
    jsonl="the games, which --resume continues", csv=TABLE_TOO, md=TABLE_TOO, json=TABLE_TOO
)
SERIES_RESUME_OPTION = resume_option(
    "Continue the experiment in FILE; options left out keep the values it was begun with."
)
SERIES_SEED_OPTION = option(
    "--seed N", "Seed of the first game; the others follow it [default: 0].", rare=True, type=SEED
)
GAMES_OPTION = number("--games", "Games per agent and level.")


@command(group=experiment)
def winrate(
    *,
    agents: tuple[str, ...] = agents_option("Who plays; several are compared."),
    levels: tuple[str, ...] = levels_option("expert"),
    games: int | None = GAMES_OPTION,
    first_click: FirstClick | None = FIRST_CLICK_OPTION,
    outputs: Outputs = SERIES_OUTPUT_OPTION,
    resume: Path | None = SERIES_RESUME_OPTION,
    form: str = TABLE_FORM_OPTION,
    seed: int | None = SERIES_SEED_OPTION,
    workers: int | str | None = workers_option("Play"),
) -> int:
    """Let agents play many games, and say how often they win.

    \b
    Examples:
      gemhunter experiment winrate --agent fast --agent logic --level beginner
      gemhunter experiment winrate --agent expert --level expert --games 20000 -o expert.jsonl
      gemhunter experiment winrate --resume expert.jsonl --games 50000

    The tables have 95 % confidence intervals, games per second and per second of processor time, guesses per
    game, and the reasons for losses. Agents play the same games, so that their difference is known more
    precisely than their win rates, and without the luck of their guesses more precisely still. Without
    options, `expert` plays 1000 games at its level. Ctrl-C prints the table of the games played so far; a
    .jsonl file keeps them, and resuming it plays only what is missing.
    """
    asked = (agents, levels, games, first_click, seed)
    return _play_series(_rates_text, *asked, outputs, resume, form, workers)


@command(group=experiment)
def match(
    *,
    agents: tuple[str, ...] = agents_option("Who plays: an agent, or cmd: and a program that plays."),
    levels: tuple[str, ...] = levels_option("expert"),
    games: int | None = GAMES_OPTION,
    first_click: FirstClick | None = FIRST_CLICK_OPTION,
    outputs: Outputs = SERIES_OUTPUT_OPTION,
    resume: Path | None = SERIES_RESUME_OPTION,
    form: str = TABLE_FORM_OPTION,
    seed: int | None = SERIES_SEED_OPTION,
    workers: int | str | None = workers_option("Play"),
) -> int:
    """Let agents or programs play the same games, and say which one is better.

    \b
    Examples:
      gemhunter experiment match --agent expert --agent fast --games 5000
      gemhunter experiment match -a expert -a "cmd:python my_player.py" --level intermediate
      gemhunter experiment match -a expert -a "cmd:./player" --games 20000 -o match.jsonl

    The difference between any two is measured game by game, and once more without the luck of their guesses,
    which takes far fewer games. A program reads a position per line, such as `4x6n5 safe ______/_1____/…`:
    rows, columns and traps, the rule for the first click, and the rows, in which `_` is hidden. It answers
    each with a line: the cell to reveal, such as r4c6, or `stuck`.
    """
    asked = (agents, levels, games, first_click, seed)
    return _play_series(_match_text, *asked, outputs, resume, form, workers, least_agents=2)


def _play_series(
    render: Callable[[str, Experiment, Tallies], str],
    agents: tuple[str, ...],
    levels: tuple[str, ...],
    games: int | None,
    first_click: FirstClick | None,
    seed: int | None,
    outputs: Outputs,
    resume: Path | None,
    form: str,
    workers: int | str | None,
    *,
    least_agents: int = 1,
) -> int:
    """Play the games that are missing; keep and print all results, even if the work is stopped."""
    new = new_ledger_path(outputs, resume)
    with ExitStack() as stack:
        ledger: Ledger | None = None
        heading: GamesHeading | None = None
        kept: list[Played] = []
        if resume is not None:
            lines, ledger = stack.enter_context(open_ledger(resume))
            heading, kept = read_games(lines)
        # Options left out have the values of the file; without one, `expert` plays 1000 games at its level.
        usual = Experiment((STRONGEST_AGENT,), (LEVELS["expert"],))
        begun = usual if heading is None else heading.experiment
        games = games or (1000 if heading is None else heading.games)
        experiment = Experiment(
            tuple(dict.fromkeys(agents or begun.agents)),
            tuple(dict.fromkeys(map(read_level, levels))) or begun.levels,
            first_click or begun.first_click,
            begun.seed if seed is None else seed,
        )
        if heading is not None:
            _require_same(heading, experiment, resume)
        if len(experiment.agents) < least_agents:
            raise click.UsageError(
                f"this needs at least {least_agents} different agents; give each with --agent"
            )
        tallies = new_tallies(experiment, games)
        for played in kept:
            tallies[played.series].add(played)
        known = sum(int(np.count_nonzero(tally.known)) for tally in tallies.values())
        if known < games * len(tallies):
            if heading is not None and not agents:
                refuse_programs(heading.agents, "-a", str(resume))
            if heading is not None and heading.players != players_digest(heading.agents):
                raise _changed_players(heading, resume)
            require_players(experiment, play_games)
        # Connect to the cluster first: if it does not answer, no file has been created.
        cluster = stack.enter_context(dask_cluster(workers, cores())) if isinstance(workers, str) else None
        jobs = workers if isinstance(workers, int) else cores()
        if new is not None:
            ledger = stack.enter_context(new_ledger(new))
            ledger.add(heading_of_games(experiment, games))
        # The command that continues need not repeat what the ledger keeps; it may ask for more games.
        kept_options = ("agents", "levels", "first_click", "seed", "resume")
        try:
            with (
                showing_how_to_continue(new or resume, kept_options),
                Progress(games * len(tallies), done=known) as progress,
                closing(
                    play_missing(experiment, tallies, jobs=jobs, cluster=cluster, play=play_games)
                ) as plays,
            ):
                for played in plays:
                    # Every result is in the file before the next is waited for.
                    if ledger is not None:
                        ledger.add(games_line(played))
                    if rate := win_rate(played.series, tallies[played.series]):
                        name = f"{played.series.agent}, {_level_name(played.series.level)}"
                        estimate = rate.won.text(1, percent=True)
                        progress.advance(f"{name}, {estimate}", played.games.won.size)
                    stop_if_pending()
        finally:
            outputs.print_and_write(form, lambda form: render(form, experiment, tallies), "the table")
    return SOLVED


def _require_same(heading: GamesHeading, asked: Experiment, path: Path | None) -> None:
    """Raise an error if the options or the version differ from those in a file."""
    begun = heading.experiment
    if heading.version != __version__:
        raise _changed_players(heading, path)
    for name, there, here in (
        ("--agent", ", ".join(begun.agents), ", ".join(asked.agents)),
        ("--level", ", ".join(map(str, begun.levels)), ", ".join(map(str, asked.levels))),
        ("--first-click", begun.first_click.value, asked.first_click.value),
        ("--seed", begun.seed, asked.seed),
    ):
        if there != here:
            raise InputError(f"{path} was begun with {name} {there}, not {here}; begin a new file with -o")


def _changed_players(heading: GamesHeading, path: Path | None) -> InputError:
    """The error that the agents have changed since a file was begun."""
    made = f"gemhunter {heading.version}; its agents, or a program that plays, have changed since"
    return InputError(f"{path} was made by {made}; begin a new file with -o")


# The results, as tables for people and records for programs.


def _rates_text(form: str, experiment: Experiment, tallies: Tallies) -> str:
    """How often each agent wins, how fast it plays, and why it loses."""
    rates = win_rates(tallies)
    if form == "csv":
        return csv_text([win_rate_row(experiment, rate) for rate in rates])
    # There are several tables because a terminal has 80 columns.
    won = [["agent", "level", "games", "won %", "from … to", "stuck %"]]
    pace = [["agent", "level", "won % without luck", "guesses", "games/s", "games/CPU s"]]
    lost = [["agent", "level", "lost by", "games", "%"]]
    for rate in rates:
        names = [rate.series.agent, _level_name(rate.series.level)]
        ends = f"{_points(rate.won.low)} … {_points(rate.won.high)}"
        won.append([*names, str(rate.games), _points(rate.won.value), ends, _points(rate.stuck.value)])
        paces = (rate.games_per_second, rate.games_per_cpu_second)
        shown = ["?" if pace is None else f"{pace:,.1f}" for pace in paces]
        pace.append([*names, _percent(rate.without_luck), rate.guesses.text(2), *shown])
        for reason, count in rate.losses.items():
            lost.append([*names, reason, str(count), f"{100 * count / rate.lost:.1f}"])
    return _series_text(form, experiment, rates, comparisons(experiment, tallies), [won, pace, lost])


def _match_text(form: str, experiment: Experiment, tallies: Tallies) -> str:
    """Which agent is better."""
    rates, compared = win_rates(tallies), comparisons(experiment, tallies)
    if form == "csv":
        return csv_text([comparison_record(pair) for pair in compared])
    won = [["agent", "level", "games", "won %", "won % without luck"]]
    for rate in rates:
        names = [rate.series.agent, _level_name(rate.series.level)]
        won.append([*names, str(rate.games), _percent(rate.won), _percent(rate.without_luck)])
    text = _series_text(form, experiment, rates, compared, [won])
    return text if form == "json" else "".join([text, *(f"\n{_verdict(pair)}\n" for pair in compared)])


def _series_text(
    form: str,
    experiment: Experiment,
    rates: Sequence[WinRate],
    compared: Sequence[Comparison],
    tables: list[list[list[str]]],
) -> str:
    """Tables about agents, followed by those about each pair of them; or all records as JSON."""
    if form == "json":
        return json_document(win_rates_record(experiment, rates, compared))
    all_games = [["level", "first", "second", "games", "more %", "from … to", "won alone"]]
    without_luck = [["level", "first", "second", "more % without luck", "from … to"]]
    for pair in compared:
        names = [_level_name(pair.level), pair.first, pair.second]
        alone = f"{pair.only_first} : {pair.only_second}"
        all_games.append([*names, str(pair.games), *_more(pair.difference), alone])
        without_luck.append([*names, *_more(pair.without_luck)])
    text = f"first click {experiment.first_click.value}, seeds from {experiment.seed}; 95 % intervals\n"
    if not rates:
        text += "no game has been played to its end\n"
    for place, table in enumerate([*tables, all_games, without_luck]):
        if len(table) > 1:
            text += "\n" * (place > 0 or form == "md") + table_in(form, table)
    return text


def _verdict(pair: Comparison) -> str:
    """A sentence that says which of two agents is better, or that neither clearly is."""
    more, level = pair.sharper, _level_name(pair.level)
    if not isfinite(more.margin) or more.low <= 0.0 <= more.high:
        games = counted(pair.games, "game")
        return f"{level}: no clear winner between {pair.first} and {pair.second} after {games}"
    better, worse = (pair.first, pair.second) if more.value > 0 else (pair.second, pair.first)
    low, high = sorted((abs(100 * more.low), abs(100 * more.high)))
    return f"{level}: {better} wins {low:.2f} to {high:.2f} points more often than {worse}"


def _level_name(level: Level) -> str:
    """The usual name of a level."""
    return next((name for name, known in LEVELS.items() if known == level), str(level))


def _points(share: float) -> str:
    return f"{100 * share:.2f}"


def _more(difference: Interval) -> list[str]:
    """A difference in percentage points, and the ends of its interval."""
    value, low, high = (f"{100 * each:+.2f}" for each in (difference.value, difference.low, difference.high))
    return [value, f"{low} … {high}"]


def _percent(share: Interval) -> str:
    """A share with its margin, as in `40.17 ±0.32`, unless the margin is infinite."""
    return _points(share.value) + (f" ±{_points(share.margin)}" if isfinite(share.margin) else "")


# Tables that are measured in one go; Ctrl-C prints the results so far.


def counted_option(flags: str, default: int, what: str) -> Declaration:
    """The number of games or boards that a table is based on."""
    return number(flags, what, type=click.IntRange(min=1, max=10**6), default=default)


TABLE_OUTPUT_OPTION = output_option(csv=TABLE_TOO, md=TABLE_TOO, json=TABLE_TOO)


@command(group=experiment)
def marked_cells(
    *,
    agents: tuple[str, ...] = option(
        "-a --agent",
        "Who plays; give it twice to let both play the same games.",
        choices=S5_COUNTERS,
        multiple=True,
        default=["resolution"],
    ),
    levels: tuple[str, ...] = levels_option("easy, medium, hard"),
    games: int = counted_option("--games", 100, "Games for each level and number of initial safe cells."),
    initial: str = option(
        "--initial LIST",
        "Initial safe cells, separated by commas: half, one or two times √n, or numbers.",
        default="half,one,two",
    ),
    form: str = TABLE_FORM_OPTION,
    outputs: Outputs = TABLE_OUTPUT_OPTION,
    seed: int = FIRST_SEED_OPTION,
) -> None:
    """Let resolution, or csp, play with few and many initial safe cells.

    \b
    Examples:
      gemhunter experiment marked-cells
      gemhunter experiment marked-cells --games 1000 --seed 7 --format md
      gemhunter experiment marked-cells --agent resolution --agent csp
      gemhunter experiment marked-cells --level hard --level 9x16n20 --initial 5,10,20

    The levels are those of the course that resolution comes from, with ½√n, √n and 2√n initial safe cells of
    n. The table shows these, and the cells marked and the matching rounds in the first three games, with the
    means of all games and their 95 % confidence intervals, and the share of games in which every cell was
    marked. For csp, backtracks are counted in place of matching rounds.
    """
    players = tuple(dict.fromkeys(agents))
    empty = lines_of_s5(levels or COURSE_LEVELS, [each.strip() for each in initial.split(",")], players)
    # With these short headings, the table of one agent fits into 80 columns; the help explains them.
    named = ("agent",) if len(players) > 1 else ()
    counters = "/".join(S5_COUNTERS[agent] for agent in players)
    headings = ("level", "safe", *named, "marked", "mean", "done", counters, "mean", "games")

    def row(line: S5Line) -> list[str]:
        marked, rounds = (
            " ".join(map(str, numbers[:GAMES_OF_THE_COURSE])) for numbers in (line.marked, line.rounds)
        )
        return [
            *(line.level, str(line.given), *([line.agent] if named else [])),
            *(marked, line.mean_marked.text(1), f"{line.finished.value:.1%}"),
            *(rounds, line.mean_rounds.text(2), str(line.marked.size)),
        ]

    results = measure_s5(empty, games, seed)
    show = partial(_give_table, form, outputs, headings, row, marked_cells_record)
    run_to_end(results, len(empty), "games", lambda line: (line.name, line.marked.size), show)


@command(group=experiment)
def difficulty(
    *,
    levels: tuple[str, ...] = levels_option("beginner, medium, intermediate, expert"),
    games: int = counted_option("--games", 1000, "Games for each level."),
    first_click: FirstClick | None = FIRST_CLICK_OPTION,
    form: str = TABLE_FORM_OPTION,
    outputs: Outputs = TABLE_OUTPUT_OPTION,
    seed: int = FIRST_SEED_OPTION,
) -> None:
    """Say how hard games are for a player who thinks and never guesses.

    \b
    Examples:
      gemhunter experiment difficulty --games 100
      gemhunter experiment difficulty --level 9x9n20 --first-click opening --format md

    After a first click in the middle, the easiest deduction is made again and again, and the gems that it
    finds are opened. The difficulty of a game is that of its hardest deduction, as
    `gemhunter explain` rates it, or "needs a guess". The score is the mean of the games without a guess, with
    its 95 % confidence interval.
    """
    # Each size and number of traps occurs once; `easy` and `hard` are the course's names for two of them.
    usual = ("beginner", "medium", "intermediate", "expert")
    wanted = [*distinct_levels(levels or usual).values()]

    def row(level: LevelDifficulties) -> list[str]:
        shares = [f"{level.share(word).value:.1%}" for word in DIFFICULTY_WORDS]
        score = "" if level.score is None else level.score.text(1)
        return [level.level, *shares, score, str(len(level.games))]

    headings = ("level", *DIFFICULTY_WORDS, "score", "games")
    show = partial(_give_table, form, outputs, headings, row, difficulties_record)
    results = measure_difficulties(wanted, games, seed, first_click or FirstClick.SAFE)
    run_to_end(results, len(wanted), "games", lambda level: (level.level, len(level.games)), show)


@command(group=experiment)
def clues(
    *,
    boards: int = counted_option("--boards", 3000, "Boards for each level."),
    form: str = TABLE_FORM_OPTION,
    outputs: Outputs = output_option(csv=TABLE_TOO, md=TABLE_TOO, json=TABLE_TOO, svg="the bar chart"),
    seed: int = FIRST_SEED_OPTION,
) -> None:
    """Count the gems without a neighbouring trap on random boards.

    \b
    Examples:
      gemhunter experiment clues
      gemhunter experiment clues --boards 500 -o clues.svg

    For each level, the table shows their share of all gems, with its 95 % confidence interval, and the number
    of traps per gem; both are also drawn as bars.
    """

    def row(level: ClueShares) -> list[str]:
        return [level.level, level.zeros.text(2, percent=True), f"{level.ratio:.2%}", str(level.boards)]

    def show(found: list[ClueShares]) -> None:
        headings = ("level", "clues of 0", "traps per gem", "boards")
        _give_table(form, outputs, headings, row, clue_shares_record, found, below=_bars(found))
        for path in outputs.ending("svg"):
            zeros = Bars("clues of 0 among all clues", tuple(level.zeros.value for level in found))
            ratio = Bars("traps per gem", tuple(level.ratio for level in found))
            title = f"{found[0].boards:,} random boards per level"
            picture = draw_bars(title, [level.level for level in found], [zeros, ratio])
            write_output(path, picture, "the bar chart")

    results = measure_clues(boards, seed)
    run_to_end(results, len(COURSE_LEVELS), "boards", lambda level: (level.level, level.boards), show)


def _bars(found: Sequence[ClueShares]) -> str:
    """Two bars per level as text; 50 characters are 100 %."""
    width = max(len(level.level) for level in found)
    text = "\n"
    for level in found:
        bars = (level.level, "clues of 0", level.zeros.value), ("", "traps per gem", level.ratio)
        for name, what, share in bars:
            text += f"{name:{width}}  {what:13}  {'█' * round(50 * share)} {share:.1%}\n"
    return text


def _give_table(
    form: str,
    outputs: Outputs,
    headings: Sequence[str],
    row: Callable[[Measured], list[str]],
    record: Callable[[Measured], dict[str, Any]],
    found: Sequence[Measured],
    *,
    below: str = "",
) -> None:
    """Print a table of measurements, and write it to files; as text, it is followed by `below`."""
    rows, records = [headings, *map(row, found)], [*map(record, found)]
    outputs.print_and_write(
        form, lambda form: table_in(form, rows, records) + (below if form == "text" else ""), "the table"
    )


def run_to_end(
    results: Iterator[list[Measured]],
    tasks: int,
    unit: str,
    at_hand: Callable[[Measured], tuple[str, int]],
    show: Callable[[list[Measured]], None],
) -> None:
    """Show progress while a table is filled in; then show its latest state, even after Ctrl-C.

    `at_hand` gives the name and the finished units of the last entry of a table, which is being measured.
    """
    task, began = "", time.monotonic()
    latest: list[Measured] = []
    try:
        with Progress(tasks, unit=unit) as progress:
            for latest in results:
                stop_if_pending()
                name, count = at_hand(latest[-1])
                if name != task:
                    task, began = name, time.monotonic()
                    progress.begin(name)
                progress.tick(time.monotonic() - began, count)
    finally:
        if latest:
            show(latest)
