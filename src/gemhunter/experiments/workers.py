"""Plays games, here or in other processes, in runs of about half a second."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from gemhunter.compiling.progress import working_clock, working_cpu_clock
from gemhunter.core.first_click import FirstClick
from gemhunter.errors import EngineError
from gemhunter.experiments.series import Series, Tallies
from gemhunter.play.agents.command import program_cpu_seconds
from gemhunter.play.levels import Level
from gemhunter.play.many_games import Games, prepare_games
from gemhunter.work.workers import ALONE_SECONDS, TRIES, WorkerDied, Workers, process_workers, results_of

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
