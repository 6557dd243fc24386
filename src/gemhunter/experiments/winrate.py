"""How often agents win: games are played here or in other processes, kept in a ledger, and counted.

An `Experiment` says who plays what. `play_missing` plays the games that are missing from the tallies, and
`win_rates` and `comparisons` summarise them. Records for other programs and the lines of the ledger follow.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import combinations
from math import isnan, nan
from time import perf_counter
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct, field
from numpy.typing import NDArray

from gemhunter import __version__
from gemhunter.board.position import LOST, PLAYING, STUCK, WON, FirstClick, Status
from gemhunter.errors import LARGEST_SEED, InputError, whole_number
from gemhunter.jit.choice import working_cpu_clock
from gemhunter.play.agents.command import program_cpu_seconds, program_files
from gemhunter.play.game_ids import Level, read_level
from gemhunter.play.many_games import Games, play_games, prepare_games
from gemhunter.play.player import REASONS
from gemhunter.records.engines import interval_fields
from gemhunter.wording import counted
from gemhunter.work.confidence_intervals import Interval, mean_of, paired_difference, share_of
from gemhunter.work.ledger import Lines, Positive, Seconds, Text, Texts, Whole, Wholes, sources_digest
from gemhunter.work.pieces import Piece, Pieces, Watch, hand_out
from gemhunter.work.workers import Workers


@dataclass(frozen=True, slots=True)
class Series:
    """All games of one agent at one level."""

    agent: str
    level: Level


@dataclass(frozen=True, slots=True)
class Experiment:
    """Every agent plays every level with equal seeds: game i has the seed `seed` + i."""

    agents: tuple[str, ...]
    levels: tuple[Level, ...]
    first_click: FirstClick = FirstClick.SAFE
    seed: int = 0

    @property
    def series(self) -> list[Series]:
        """All series, level by level, so that those that are compared are next to each other."""
        return [Series(agent, level) for level in self.levels for agent in self.agents]

    def require_seeds(self, games: int) -> None:
        """Raise unless there are seeds for this many games."""
        whole_number(games, "the number of games", 1, 10**9)  # a game takes 33 bytes
        if not 0 <= self.seed <= LARGEST_SEED + 1 - games:
            raise InputError(
                f"seeds go from 0 to {LARGEST_SEED}; {counted(games, 'game')} from {self.seed} on do not fit"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Some games of a series, with their processor time and wall-clock time.

    `seconds` is the time since the previous result of any worker, so that the sum is right for any number of
    jobs. `cpu_seconds` is NaN if it is unknown.
    """

    series: Series
    games: Games
    cpu_seconds: float
    seconds: float


class SeriesTally:
    """The results of the first games of a series, one entry per game, and the seconds they took.

    `ends` has the codes of `Status`, `PLAYING` for a game still to be played. `luck` is that of `Games`.
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
        """The result of each game, 1 for a win, minus the luck of its guesses."""
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


# Games are played here or in other processes, in pieces of about half a second.


PlayGames = Callable[[str, Level, FirstClick, range], Games]
"""Lets an agent play the games with these seeds; `play.many_games.play_games`, except in tests."""


@dataclass(frozen=True, slots=True)
class GamesPlayed:
    """The games of a piece, and their processor time.

    `cpu_seconds` is NaN if a program played on a system that does not report its processor time.
    """

    games: Games
    cpu_seconds: float

    def __len__(self) -> int:
        return self.games.ends.size


def play_piece(piece: Piece[Series], _: Watch, *, play: PlayGames, first_click: FirstClick) -> GamesPlayed:
    """Play the games of a piece, and measure their processor time without that of compiling."""
    agent = piece.kind.agent
    program_began, cpu_began = program_cpu_seconds(agent), working_cpu_clock()
    games = play(agent, piece.kind.level, first_click, piece.seeds)
    cpu_seconds = working_cpu_clock() - cpu_began
    return GamesPlayed(games, cpu_seconds + program_cpu_seconds(agent) - program_began)


# How often agents win, and which of two agents wins more often.


@dataclass(frozen=True, slots=True)
class WinRate:
    """The results of a series. `losses` counts lost games by the reason for their last guess.

    `without_luck` estimates the share of games won, as `won` does, from results without the luck of guesses.
    `games_per_cpu_second` is None if the processor time of some games is unknown.
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
        """The number of lost games."""
        return sum(self.losses.values())


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on the same games: the wins of only one of them, and the difference of their win rates.

    `without_luck` estimates `difference` from results without the luck of guesses.
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
        """The narrower interval: for programs that play badly, removing luck can widen it."""
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
    """Play the games that are missing from the tallies and add them; the workers do not affect the results.

    Closing the iterator early ends the processes that play.
    """
    missing = (
        Piece(series, seeds, series.agent) for series, tally in tallies.items() for seeds in tally.missing()
    )
    # Some games of each series come first, to learn what is worth compiling.
    pieces = Pieces(missing, cluster or jobs, trial=4)
    before = clock()
    do = partial(play_piece, play=play, first_click=experiment.first_click)
    with closing(hand_out(pieces, do, in_order=False)) as results:
        for piece, done, seconds in results:
            if not pieces.is_shared:
                # On a busy machine, wall-clock time says little about what compiling would save.
                cpu_share = done.cpu_seconds / max(seconds, 1e-6)
                prepare_games(piece.kind.agent, piece.kind.level, pieces.seconds_left * cpu_share)
            now = clock()
            played = Played(piece.kind, done.games, done.cpu_seconds, now - before)
            tallies[played.series].add(played)
            before = now
            yield played


def require_players(experiment: Experiment, play: PlayGames = play_games) -> None:
    """Raise `UnknownNameError` if an agent does not exist, before any game is played."""
    for series in experiment.series:
        play(series.agent, series.level, experiment.first_click, range(0))


def win_rate(series: Series, tally: SeriesTally) -> WinRate | None:
    """The results of the games played so far; None if there are none."""
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
    """The results so far of every series that has any."""
    return [rate for series, tally in tallies.items() if (rate := win_rate(series, tally))]


def comparisons(experiment: Experiment, tallies: Tallies) -> list[Comparison]:
    """Each pair of agents, at every level, on the games that both have played."""
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


# Win rates as records for other programs.


def win_rates_record(
    experiment: Experiment, rates: Sequence[WinRate], compared: Sequence[Comparison]
) -> dict[str, Any]:
    """The settings, a record per series, and a record per pair of agents at each level."""
    return {
        "version": __version__,
        "first_click": experiment.first_click.value,
        "seed": experiment.seed,
        "series": [_win_rate_fields(rate) | {"losses": rate.losses} for rate in rates],
        "comparisons": [comparison_record(pair) for pair in compared],
    }


def win_rate_row(experiment: Experiment, rate: WinRate) -> dict[str, Any]:
    """A series as a flat record, with a field per reason for losses."""
    return (
        _win_rate_fields(rate)
        | {"first_click": experiment.first_click.value, "seed": experiment.seed}
        | {f"lost: {reason}": rate.losses.get(reason, 0) for reason in REASONS}
    )


def _win_rate_fields(rate: WinRate) -> dict[str, Any]:
    cpu_rate = rate.games_per_cpu_second
    return {
        "agent": rate.series.agent,
        "level": str(rate.series.level),
        "games": rate.games,
        "lost": rate.lost,
        **interval_fields("win_rate", rate.won, 6),
        **interval_fields("without_luck", rate.without_luck, 6),
        **interval_fields("stuck_rate", rate.stuck, 6),
        **interval_fields("guesses_per_game", rate.guesses, 6),
        "games_per_second": round(rate.games_per_second, 2),
        "games_per_cpu_second": None if cpu_rate is None else round(cpu_rate, 2),
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
        **interval_fields("difference", pair.difference, 6),
        **interval_fields("without_luck", pair.without_luck, 6),
    }


# Games are kept in a ledger, so that an experiment can be stopped at any time and resumed.


ENDS = {status.letter: status.code for status in (Status.WON, Status.LOST, Status.STUCK)}
"""The letter in a ledger for each end of a game."""

LUCK_UNIT = 1_000_000
"""Luck is kept as a whole number of millionths of a win."""


class GamesHeading(Struct, frozen=True, kw_only=True):
    """The first line of a ledger: the experiment, the requested number of games, and who played."""

    kind: Literal["winrate"] = field(name="experiment")
    version: Text = field(name="gemhunter")
    players: Text
    agents: Texts
    levels: Texts
    first_click: FirstClick
    seed: Whole
    games: Positive

    def __post_init__(self) -> None:
        self.experiment.require_seeds(self.games)

    @property
    def experiment(self) -> Experiment:
        """The experiment that the ledger is about."""
        return Experiment(self.agents, tuple(map(read_level, self.levels)), self.first_click, self.seed)


def heading_of_games(experiment: Experiment, games: int) -> GamesHeading:
    """The heading of an experiment that begins now."""
    return GamesHeading(
        kind="winrate",
        version=__version__,
        players=players_digest(experiment.agents),
        agents=experiment.agents,
        levels=tuple(map(str, experiment.levels)),
        first_click=experiment.first_click,
        seed=experiment.seed,
        games=games,
    )


def players_digest(agents: Sequence[str]) -> str:
    """A digest of the source code of the agents and of the files that `cmd:` agents name."""
    ours = sources_digest("counting/*.py", "engines/resolution.py", "jit/*.py", "play/**/*.py")
    files = [content for agent in agents for content in program_files(agent)]
    return blake2b(b"".join([ours.encode(), *files]), digest_size=8).hexdigest() if files else ours


class GamesLine(Struct, frozen=True, kw_only=True):
    """A line of a ledger with games of a series: a letter, a digit or a number per game."""

    agent: Text
    level: Text
    seed: Whole
    ends: Text
    reasons: Text
    guesses: Wholes
    reveals: Wholes
    # Ledgers of older versions have none; they are refused later, because their agents were different.
    luck: tuple[Annotated[int, Meta(ge=-(2**62), le=2**62)], ...] | None = None
    cpu_seconds: Seconds | None
    seconds: Seconds

    def played(self, experiment: Experiment) -> Played:
        """The games; `ValueError` unless they belong to the experiment and are possible."""
        series = Series(self.agent, read_level(self.level))
        if series not in experiment.series or self.seed < experiment.seed:
            raise ValueError("games of another experiment")
        if not set(self.ends) <= set(ENDS):
            raise ValueError("an unknown end of a game")
        ends = np.array([ENDS[letter] for letter in self.ends], np.int64)
        digits = "".join(map(str, range(len(REASONS))))
        reasons = np.array([digits.index(digit) for digit in self.reasons], np.int64)
        guesses, reveals = np.array(self.guesses, np.int64), np.array(self.reveals, np.int64)
        luck = np.array([0] * ends.size if self.luck is None else self.luck) / LUCK_UNIT
        if not ends.shape == reasons.shape == guesses.shape == reveals.shape == luck.shape:
            raise ValueError("columns of different lengths")
        cells = series.level.rows * series.level.cols
        if reveals.max() > cells or np.abs(luck).max() > cells:
            raise ValueError("more reveals, or more luck, than there are cells")
        if (guesses > reveals).any():
            raise ValueError("more guesses than cells were revealed")
        if self.seed + ends.size - 1 > LARGEST_SEED:
            raise ValueError("games with seeds beyond the largest")
        games = Games(self.seed, ends, reveals, guesses, reasons, luck)
        return Played(series, games, nan if self.cpu_seconds is None else self.cpu_seconds, self.seconds)


def games_line(played: Played) -> GamesLine:
    """The line for these games."""
    games = played.games
    letters = {code: letter for letter, code in ENDS.items()}
    return GamesLine(
        agent=played.series.agent,
        level=str(played.series.level),
        seed=games.first_seed,
        ends="".join(letters[end] for end in games.ends.tolist()),
        reasons="".join(map(str, games.reason.tolist())),
        guesses=tuple(games.guesses.tolist()),
        reveals=tuple(games.reveals.tolist()),
        luck=tuple(np.rint(games.luck * LUCK_UNIT).astype(int).tolist()),
        cpu_seconds=None if isnan(played.cpu_seconds) else round(played.cpu_seconds, 6),
        seconds=round(played.seconds, 6),
    )


def read_games(lines: Lines) -> tuple[GamesHeading, list[Played]]:
    """The heading and the games in a ledger."""
    heading = lines.heading(GamesHeading, "experiment winrate")
    experiment = heading.experiment
    return heading, lines.records({"ends": GamesLine}, lambda line: line.played(experiment))
