"""How often agents win: games played until there are enough, and what they say."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import combinations
from math import isnan
from time import perf_counter

import numpy as np

from gemhunter.core.game_status import LOST, STUCK, WON
from gemhunter.experiments.series import Experiment, Played, Series, SeriesTally, Tallies
from gemhunter.experiments.workers import GameQueue, PlayGames, answers
from gemhunter.play.agents.reasons import REASONS
from gemhunter.play.levels import Level
from gemhunter.play.many_games import play_games
from gemhunter.work.estimates import Interval, mean_of, paired_difference, share_of
from gemhunter.work.workers import Workers


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
