"""Lets games be played, here or in other processes, in runs of about half a second."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Protocol

from gemhunter.errors import EngineError, GemHunterError
from gemhunter.experiments.series import Series, Tallies
from gemhunter.play.levels import FirstClick, Level
from gemhunter.play.matches import Games

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

RUN_SECONDS = 0.5
"""How long a run should take: so much is lost when somebody pulls the plug."""

FIRST_RUN, LARGEST_RUN, GROWTH = 4, 10_000, 8
"""Games in the first run of a series and at most in any, and how many times more than in the one before."""

STOPS = (signal.SIGINT, signal.SIGTERM)


class PlayGames(Protocol):
    """Lets an agent play the games of these seeds; `play.matches.play_games`, if it is no test."""

    def __call__(self, agent: str, level: Level, first_click: FirstClick, seeds: range) -> Games:
        """What became of the games; the same every time."""
        ...


@dataclass(frozen=True, slots=True)
class Task:
    """Games to be played."""

    series: Series
    first_click: FirstClick
    seeds: range


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a task, and the seconds it took, on the clock and of the processor."""

    task: Task
    games: Games
    seconds: float
    cpu_seconds: float


class Plan:
    """The games that are missing, handed out series by series in runs that fit the pace of the agent."""

    def __init__(self, tallies: Tallies, first_click: FirstClick, jobs: int) -> None:
        self._first_click, self._jobs = first_click, jobs
        self._missing = [(series, seeds) for series, tally in tallies.items() for seeds in tally.missing()]
        self._missing.reverse()
        self._size = dict.fromkeys(tallies, FIRST_RUN)

    @property
    def games_left(self) -> int:
        """How many games have not been handed out."""
        return sum(len(seeds) for _, seeds in self._missing)

    def next_task(self) -> Task | None:
        """The next run; None if there is nothing left to do."""
        if not self._missing:
            return None
        series, seeds = self._missing.pop()
        # Everybody should have something to do until the end.
        size = min(self._size[series], -(-(len(seeds) + self.games_left) // self._jobs))
        if len(seeds) > size:
            self._missing.append((series, seeds[size:]))
        return Task(series, self._first_click, seeds[:size])

    def learn(self, answer: Answer) -> None:
        """How long a run took decides how long the next ones are."""
        games, series = len(answer.task.seeds), answer.task.series
        fitting = int(games * RUN_SECONDS / max(answer.seconds, 1e-6))
        self._size[series] = max(1, min(fitting, GROWTH * games, LARGEST_RUN))


def answers(plan: Plan, play: PlayGames, jobs: int) -> Iterator[Answer]:
    """Play everything in the plan; answers come as they are ready.

    Whoever stops listening early closes the iterator, which ends the processes.
    """
    jobs = min(jobs, plan.games_left)
    return _answers_of_processes(plan, play, jobs) if jobs > 1 else _answers_from_here(plan, play)


def _answers_from_here(plan: Plan, play: PlayGames) -> Iterator[Answer]:
    while (task := plan.next_task()) is not None:
        answer = _answer(task, play)
        plan.learn(answer)
        yield answer


def _answer(task: Task, play: PlayGames) -> Answer:
    began, cpu_began = perf_counter(), process_time()
    games = play(task.series.agent, task.series.level, task.first_click, task.seeds)
    return Answer(task, games, perf_counter() - began, process_time() - cpu_began)


def _answers_of_processes(plan: Plan, play: PlayGames, jobs: int) -> Iterator[Answer]:
    with _workers(play, jobs) as links:
        idle, busy = list(links), set[Connection]()
        while True:
            while idle and (task := plan.next_task()) is not None:
                link = idle.pop()
                _send(link, task)
                busy.add(link)
            if not busy:
                return
            for ready in wait(list(busy)):
                link = next(link for link in busy if link is ready)
                answer = _received(link)
                busy.remove(link)
                idle.append(link)
                plan.learn(answer)
                yield answer


def _send(link: Connection, task: Task) -> None:
    with _noticing_the_dead():
        link.send(task)


def _received(link: Connection) -> Answer:
    with _noticing_the_dead():
        answer: Answer | GemHunterError = link.recv()
    if isinstance(answer, GemHunterError):
        raise answer
    return answer


@contextmanager
def _noticing_the_dead() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError):
        raise EngineError("a process that played games has ended before its time; try fewer --jobs") from None


@contextmanager
def _workers(play: PlayGames, jobs: int) -> Iterator[Sequence[Connection]]:
    """Processes that answer tasks, by the connections to them; ended at once on leaving.

    Forked, because they have the compiled kernels then.
    """
    fork = get_context("fork")
    links: list[Connection] = []
    processes: list[ForkProcess] = []
    try:
        with _deaf():
            for _ in range(jobs):
                ours, theirs = fork.Pipe()
                links.append(ours)
                process = fork.Process(target=_work, args=(theirs, list(links), play), daemon=True)
                process.start()
                processes.append(process)
                theirs.close()
        yield links
    finally:
        for worker in processes:
            worker.terminate()
        for worker in processes:
            worker.join()
        for link in links:
            link.close()


@contextmanager
def _deaf() -> Iterator[None]:
    """Signals that come meanwhile are heard afterwards: a child must not raise them where nobody listens."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(link: Connection, of_parent: Sequence[Connection], play: PlayGames) -> None:
    """Answer tasks until the parent has left, of whose connections a forked child must hold none.

    Ctrl-C reaches the whole group of processes, and the parent is the one who deals with it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    for other in of_parent:
        other.close()
    with suppress(EOFError, OSError):
        while True:
            task: Task = link.recv()
            try:
                link.send(_answer(task, play))
            except GemHunterError as error:
                link.send(error)
