"""How often agents win: games played here or in other processes, kept in a ledger, and counted."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import combinations
from math import isnan, nan
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gemhunter import __version__
from gemhunter.board.numbers import LARGEST_SEED, whole_number
from gemhunter.board.position import LOST, PLAYING, STUCK, WON, FirstClick, Status
from gemhunter.errors import EngineError, InputError
from gemhunter.jit.choice import working_clock, working_cpu_clock
from gemhunter.play.agents.command import program_cpu_seconds, program_files
from gemhunter.play.agents.player import REASONS
from gemhunter.play.levels import Level, read_level
from gemhunter.play.many_games import Games, play_games, prepare_games
from gemhunter.printable import counted
from gemhunter.work.estimates import Interval, mean_of, paired_difference, share_of
from gemhunter.work.ledger import (
    Ledger,
    Lines,
    new_ledger,
    open_ledger,
    seconds_field,
    sources_digest,
    text_field,
    texts_field,
    whole_field,
    wholes_field,
)
from gemhunter.work.workers import ALONE_SECONDS, TRIES, WorkerDied, Workers, process_workers, results_of

# What an experiment is: agents, levels, a rule and seeds; and what is known of its games.


MOST_GAMES = 10**9
"""Of an agent at a level; 33 bytes are kept of each."""


@dataclass(frozen=True, slots=True)
class Series:
    """All games of one agent at one level."""

    agent: str
    level: Level


@dataclass(frozen=True, slots=True)
class Experiment:
    """Every agent plays every level, on the same seeds: game i has the seed `seed` + i."""

    agents: tuple[str, ...]
    levels: tuple[Level, ...]
    first_click: FirstClick = FirstClick.SAFE
    seed: int = 0

    @property
    def series(self) -> list[Series]:
        """Agents within levels, so that those to be compared stand together."""
        return [Series(agent, level) for level in self.levels for agent in self.agents]

    def require_seeds(self, games: int) -> None:
        """Raise unless that many games have seeds."""
        whole_number(games, "the number of games", 1, MOST_GAMES)
        if not 0 <= self.seed <= LARGEST_SEED + 1 - games:
            raise InputError(
                f"seeds go from 0 to {LARGEST_SEED}; {counted(games, 'game')} from {self.seed} on do not fit"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Some games of a series, with the seconds they took: of the processor, and of the whole experiment.

    The latter pass between two results, whichever worker they come from, so that they add up with any number
    of jobs. The former are not a number if they are not known.
    """

    series: Series
    games: Games
    cpu_seconds: float
    seconds: float


class SeriesTally:
    """What is known of the first games of a series, one entry per game, and the seconds they took.

    `ends` has the codes of `Status`; a game that has not been played is not over. `luck` is that of `Games`.
    """

    def __init__(self, first_seed: int, games: int) -> None:
        self.first_seed = first_seed
        self.ends = np.zeros(games, np.int8)
        self.reveals, self.guesses, self.reason = (np.zeros(games, np.int64) for _ in range(3))
        self.luck = np.zeros(games, np.float64)
        self.cpu_seconds = self.seconds = 0.0

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which games have been played."""
        known: NDArray[np.bool_] = self.ends != PLAYING
        return known

    @property
    def without_luck(self) -> NDArray[np.float64]:
        """The results of all games, 1 for a win, less the luck of their guesses."""
        results: NDArray[np.float64] = (self.ends == WON) - self.luck
        return results

    def add(self, played: Played) -> None:
        """Add games; those beyond the end are left out, with their share of the time."""
        games = played.games
        offset = games.first_seed - self.first_seed
        size = min(games.ends.size, self.ends.size - offset)
        if size <= 0:
            return
        place = slice(offset, offset + size)
        self.ends[place] = games.ends[:size]
        self.reveals[place] = games.reveals[:size]
        self.guesses[place] = games.guesses[:size]
        self.reason[place] = games.reason[:size]
        self.luck[place] = games.luck[:size]
        self.cpu_seconds += played.cpu_seconds * size / games.ends.size
        self.seconds += played.seconds * size / games.ends.size

    def missing(self) -> Iterator[range]:
        """The seeds of the games that have not been played, in as few ranges as possible."""
        edges = np.flatnonzero(np.diff(self.known, prepend=True, append=True))
        for begin, end in edges.reshape(-1, 2).tolist():
            yield range(self.first_seed + begin, self.first_seed + end)


Tallies = dict[Series, SeriesTally]


def new_tallies(experiment: Experiment, games: int) -> Tallies:
    """Empty tallies for this many games in every series."""
    experiment.require_seeds(games)
    return {series: SeriesTally(experiment.seed, games) for series in experiment.series}


# Plays games, here or in other processes, in runs of about half a second.


RUN_SECONDS = 0.5
"""How long a run should take: at most this much is lost when the machine stops."""

FIRST_RUN, LARGEST_RUN, GROWTH = 4, 10_000, 8
"""Games in the first run of a series and at most in any, and how many times more than in the one before."""


class PlayGames(Protocol):
    """Lets an agent play the games of these seeds; `play.many_games.play_games`, except in tests."""

    def __call__(self, agent: str, level: Level, first_click: FirstClick, seeds: range) -> Games:
        """What became of the games; playing them again gives the same results."""
        ...


@dataclass(frozen=True, slots=True)
class GamesToPlay:
    """Games to be played."""

    series: Series
    first_click: FirstClick
    seeds: range


@dataclass(frozen=True, slots=True)
class GamesPlayed:
    """What became of a task, and the seconds it took, on the clock and of the processor.

    `cpu_seconds` is not a number if a program has played, on a system that does not tell its processor time.
    """

    task: GamesToPlay
    games: Games
    seconds: float
    cpu_seconds: float


class GameQueue:
    """The games that are missing, handed out series by series in runs that fit the pace of the agent."""

    def __init__(self, tallies: Tallies, first_click: FirstClick, jobs: int) -> None:
        self._first_click, self._jobs = first_click, jobs
        missing = [(series, seeds) for series, tally in tallies.items() for seeds in tally.missing()]
        self._missing = missing[::-1]
        self._size = dict.fromkeys(tallies, FIRST_RUN)
        self._pace: dict[Series, float] = {}
        self._untried = list(dict.fromkeys(series for series, _ in missing))

    @property
    def games_left(self) -> int:
        """How many games have not been handed out."""
        return sum(len(seeds) for _, seeds in self._missing)

    @property
    def seconds_left(self) -> float:
        """About how long all games take that have not been handed out."""
        return sum(len(seeds) * self._pace.get(series, 0.0) for series, seeds in self._missing)

    @property
    def has_untried(self) -> bool:
        """Whether there is a series of which no game has been handed out."""
        return bool(self._untried)

    def next_task(self) -> GamesToPlay | None:
        """The next run, of a series without any if there is one; None if there is nothing left to do."""
        if not self._missing:
            return None
        series, seeds = self._missing.pop(self._next_place())
        if series in self._untried:
            self._untried.remove(series)
        # Every worker should have something to do until the end.
        size = min(self._size[series], -(-(len(seeds) + self.games_left) // self._jobs))
        if len(seeds) > size:
            self._missing.append((series, seeds[size:]))
        return GamesToPlay(series, self._first_click, seeds[:size])

    def _next_place(self) -> int:
        wanted = self._untried[0] if self._untried else self._missing[-1][0]
        return max(place for place, (series, _) in enumerate(self._missing) if series == wanted)

    def learn(self, answer: GamesPlayed) -> None:
        """Let the time that a run took decide how long the next ones are."""
        games, series = len(answer.task.seeds), answer.task.series
        self._pace[series] = answer.seconds / games
        fitting = int(games * RUN_SECONDS / max(answer.seconds, 1e-6))
        self._size[series] = max(1, min(fitting, GROWTH * games, LARGEST_RUN))


def answers(
    plan: GameQueue, play: PlayGames, jobs: int, cluster: Workers | None = None
) -> Iterator[GamesPlayed]:
    """Play everything in the plan, on a cluster if there is one; answers come as they are ready.

    Starting processes takes a second or so, so this one goes on alone unless there is more to do. It also
    finds out which agents are worth compiling. Closing the iterator early ends the other processes.
    """
    if cluster is not None:
        yield from _answers_from(plan, play, cluster)
        return
    while jobs == 1 or plan.has_untried or plan.seconds_left < ALONE_SECONDS:
        task = plan.next_task()
        if task is None:
            return
        answer = play_task(task, play)
        plan.learn(answer)
        # On a busy machine, seconds on the clock say little about what compiling would save.
        cpu_share = answer.cpu_seconds / max(answer.seconds, 1e-6)
        prepare_games(task.series.agent, task.series.level, plan.seconds_left * cpu_share)
        yield answer
    yield from _answers_of_processes(plan, play, min(jobs, plan.games_left))


def play_task(task: GamesToPlay, play: PlayGames) -> GamesPlayed:
    """Play the games of a task, and measure how long that takes without compiling."""
    agent = task.series.agent
    program_began = program_cpu_seconds(agent)
    began, cpu_began = working_clock(), working_cpu_clock()
    games = play(agent, task.series.level, task.first_click, task.seeds)
    seconds, cpu_seconds = working_clock() - began, working_cpu_clock() - cpu_began
    return GamesPlayed(task, games, seconds, cpu_seconds + program_cpu_seconds(agent) - program_began)


def _answers_of_processes(plan: GameQueue, play: PlayGames, jobs: int) -> Iterator[GamesPlayed]:
    if jobs == 0:
        return
    with process_workers(jobs) as processes:
        yield from _answers_from(plan, play, processes)


def _answers_from(plan: GameQueue, play: PlayGames, workers: Workers) -> Iterator[GamesPlayed]:
    """Hand out all runs; one whose worker dies is handed out again, `TRIES` times in all."""
    results: Iterator[tuple[GamesToPlay, GamesPlayed | WorkerDied]] = results_of(
        plan.next_task, lambda task: workers.submit(play_task, task, play), workers, tries=TRIES
    )
    for task, answer in results:
        if isinstance(answer, WorkerDied):
            seeds = f"seeds {task.seeds.start} to {task.seeds.stop - 1}"
            reason = f"the process that played {task.series.agent}, {seeds}, died {TRIES} times"
            raise EngineError(f"{reason}; try fewer --workers")
        plan.learn(answer)
        yield answer


# How often agents win: games played until there are enough, and what they say.


@dataclass(frozen=True, slots=True)
class WinRate:
    """What the games of a series say. `losses` counts lost games by the reason of their last guess.

    `without_luck` estimates the share of games won, as `won` does, from results without the luck of guesses.
    `games_per_cpu_second` is None if the processor time of some games is not known.
    """

    series: Series
    games: int
    won: Interval
    without_luck: Interval
    stuck: Interval
    guesses: Interval
    losses: dict[str, int]
    games_per_second: float
    games_per_cpu_second: float | None

    @property
    def lost(self) -> int:
        """How many games were lost."""
        return sum(self.losses.values())


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on the same games: how many only one of them won, and by how much the first wins more.

    `without_luck` estimates the same difference from results without the luck of guesses.
    """

    level: Level
    first: str
    second: str
    games: int
    only_first: int
    only_second: int
    difference: Interval
    without_luck: Interval

    @property
    def sharper(self) -> Interval:
        """The narrower of both: with programs that play badly, luck can add more doubt than it takes away."""
        return min(self.difference, self.without_luck, key=lambda interval: interval.margin)


def play_missing(
    experiment: Experiment,
    tallies: Tallies,
    *,
    jobs: int = 1,
    cluster: Workers | None = None,
    play: PlayGames = play_games,
    clock: Callable[[], float] = perf_counter,
) -> Generator[Played, None, None]:
    """Play the games that the tallies lack, and add them; where they are played changes nothing.

    Closing the iterator early ends the processes that play.
    """
    plan = GameQueue(tallies, experiment.first_click, jobs if cluster is None else cluster.at_once)
    before = clock()
    for answer in answers(plan, play, jobs, cluster):
        now = clock()
        played = Played(answer.task.series, answer.games, answer.cpu_seconds, now - before)
        tallies[played.series].add(played)
        before = now
        yield played


def require_players(experiment: Experiment, play: PlayGames = play_games) -> None:
    """Raise `UnknownNameError` if there is no such agent, before anything is begun."""
    for series in experiment.series:
        play(series.agent, series.level, experiment.first_click, range(0))


def win_rate(series: Series, tally: SeriesTally) -> WinRate | None:
    """What the games played so far say; None if there are none."""
    known = tally.known
    games = int(np.count_nonzero(known))
    if games == 0:
        return None
    lost = np.bincount(tally.reason[tally.ends == LOST], minlength=len(REASONS))
    return WinRate(
        series,
        games,
        share_of(int(np.count_nonzero(tally.ends == WON)), games),
        mean_of(tally.without_luck[known]).clipped(0.0, 1.0),
        share_of(int(np.count_nonzero(tally.ends == STUCK)), games),
        mean_of(tally.guesses[known]),
        {reason: int(count) for reason, count in zip(REASONS, lost, strict=True) if count},
        games / max(tally.seconds, 1e-6),
        None if isnan(tally.cpu_seconds) else games / max(tally.cpu_seconds, 1e-6),
    )


def win_rates(tallies: Tallies) -> list[WinRate]:
    """What the games played so far say of every series that has any."""
    rates = (win_rate(series, tally) for series, tally in tallies.items())
    return [rate for rate in rates if rate is not None]


def comparisons(experiment: Experiment, tallies: Tallies) -> list[Comparison]:
    """Every two agents, at every level, on the games that both have played."""
    compared = []
    for level in experiment.levels:
        for first, second in combinations(experiment.agents, 2):
            one, other = tallies[Series(first, level)], tallies[Series(second, level)]
            both = one.known & other.known
            games = int(np.count_nonzero(both))
            if games == 0:
                continue
            only_first = int(np.count_nonzero(both & (one.ends == WON) & (other.ends != WON)))
            only_second = int(np.count_nonzero(both & (other.ends == WON) & (one.ends != WON)))
            difference = paired_difference(only_first, only_second, games)
            without_luck = mean_of((one.without_luck - other.without_luck)[both]).clipped(-1.0, 1.0)
            compared.append(
                Comparison(level, first, second, games, only_first, only_second, difference, without_luck)
            )
    return compared


# Games kept in a ledger, so that an experiment can be stopped at any time and resumed.


KIND = "winrate"
ENDS = {status.letter: status.code for status in (Status.WON, Status.LOST, Status.STUCK)}
"""One letter per game says how it ended."""

LUCK_UNIT = 1_000_000
"""Luck is kept in whole numbers of this part of a win."""

REASON_DIGITS = "".join(map(str, range(len(REASONS))))
"""One digit per game."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The first line of a file: the experiment, how many games were asked for, and who played."""

    experiment: Experiment
    games: int
    version: str
    players: str


class Records:
    """A ledger of games, open for appending."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def begin(self, experiment: Experiment, games: int) -> None:
        """Write the first line."""
        players = players_digest(experiment.agents)
        self._ledger.add(_heading_record(Heading(experiment, games, __version__, players)))

    def add(self, played: Played) -> None:
        """Write one more line; it is in the file when this returns."""
        self._ledger.add(_played_record(played))


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What a file has: its first line, and games."""

    heading: Heading
    played: tuple[Played, ...]


@contextmanager
def new_records(path: Path) -> Iterator[Records]:
    """A new file; one that exists is not touched, as it may have taken hours."""
    with new_ledger(path) as ledger:
        yield Records(ledger)


@contextmanager
def open_records(path: Path) -> Iterator[tuple[Kept, Records]]:
    """What is in a file, and the file to append to; a last line that was cut is left out."""
    with open_ledger(path) as (lines, ledger):
        yield _read(lines), Records(ledger)


def players_digest(agents: Sequence[str]) -> str:
    """A word that changes whenever the sources of the agents do, or files that `cmd:` agents name."""
    ours = sources_digest("counting/*.py", "engines/resolution/*.py", "jit/*.py", "play/**/*.py")
    files = [content for agent in agents for content in program_files(agent)]
    return blake2b(b"".join([ours.encode(), *files]), digest_size=8).hexdigest() if files else ours


def _read(lines: Lines) -> Kept:
    heading = lines.heading(_read_heading, f"experiment {KIND}")
    return Kept(heading, tuple(lines.records(partial(_read_played, experiment=heading.experiment))))


def _heading_record(heading: Heading) -> dict[str, Any]:
    experiment = heading.experiment
    return {
        "experiment": KIND,
        "gemhunter": heading.version,
        "players": heading.players,
        "agents": list(experiment.agents),
        "levels": [str(level) for level in experiment.levels],
        "first_click": experiment.first_click.value,
        "seed": experiment.seed,
        "games": heading.games,
    }


def _read_heading(record: dict[str, Any]) -> Heading:
    if record["experiment"] != KIND:
        raise ValueError("it is about another experiment")
    experiment = Experiment(
        texts_field(record, "agents"),
        tuple(map(read_level, texts_field(record, "levels"))),
        FirstClick(record["first_click"]),
        whole_field(record, "seed"),
    )
    games = whole_field(record, "games", low=1)
    experiment.require_seeds(games)
    return Heading(experiment, games, text_field(record, "gemhunter"), text_field(record, "players"))


def _played_record(played: Played) -> dict[str, Any]:
    games = played.games
    letters = {code: letter for letter, code in ENDS.items()}
    return {
        "agent": played.series.agent,
        "level": str(played.series.level),
        "seed": games.first_seed,
        "ends": "".join(letters[end] for end in games.ends.tolist()),
        "reasons": "".join(map(str, games.reason.tolist())),
        "guesses": games.guesses.tolist(),
        "reveals": games.reveals.tolist(),
        "luck": np.rint(games.luck * LUCK_UNIT).astype(int).tolist(),
        "cpu_seconds": None if isnan(played.cpu_seconds) else round(played.cpu_seconds, 6),
        "seconds": round(played.seconds, 6),
    }


def _read_played(record: dict[str, Any], experiment: Experiment) -> Played:
    series = Series(text_field(record, "agent"), read_level(text_field(record, "level")))
    seed = whole_field(record, "seed", low=experiment.seed)
    if series not in experiment.series:
        raise ValueError("games of another experiment")
    letters = text_field(record, "ends")
    if not set(letters) <= set(ENDS):
        raise ValueError("an unknown end of a game")
    ends = np.array([ENDS[letter] for letter in letters], np.int64)
    reasons = np.array([REASON_DIGITS.index(digit) for digit in text_field(record, "reasons")], np.int64)
    cells = series.level.rows * series.level.cols
    guesses, reveals = (
        np.array(wholes_field(record, name, high=cells), np.int64) for name in ("guesses", "reveals")
    )
    most = cells * LUCK_UNIT
    # Files of older versions have none; they are refused later, because other agents have played.
    units = wholes_field(record, "luck", low=-most, high=most) if "luck" in record else [0] * ends.size
    luck = np.array(units) / LUCK_UNIT
    if not ends.shape == reasons.shape == guesses.shape == reveals.shape == luck.shape:
        raise ValueError("columns of different lengths")
    if (guesses > reveals).any():
        raise ValueError("more guesses than cells were revealed")
    if seed + ends.size - 1 > LARGEST_SEED:
        raise ValueError("games with seeds beyond the largest")
    games = Games(seed, ends, reveals, guesses, reasons, luck)
    cpu_seconds = nan if record["cpu_seconds"] is None else seconds_field(record, "cpu_seconds")
    return Played(series, games, cpu_seconds, seconds_field(record, "seconds"))
