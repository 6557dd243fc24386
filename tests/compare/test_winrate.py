"""Experiments: nothing is played twice, nothing is lost, and the number of processes cannot be told."""

import os
import signal
from collections.abc import Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import integers, sets

from fake_games import fake_games, wins
from gemhunter.board.numbers import LARGEST_SEED
from gemhunter.board.position import FirstClick
from gemhunter.compare import winrate as workers
from gemhunter.compare.winrate import (
    LARGEST_RUN,
    RUN_SECONDS,
    Experiment,
    GameQueue,
    GamesPlayed,
    GamesToPlay,
    Played,
    Series,
    SeriesTally,
    Tallies,
    comparisons,
    new_records,
    new_tallies,
    open_records,
    play_missing,
    play_task,
    win_rates,
)
from gemhunter.errors import EngineError, InputError, UnknownNameError
from gemhunter.play.agents.player import REASONS
from gemhunter.play.levels import Level
from gemhunter.play.many_games import Games, play_games
from gemhunter.work.workers import dask_cluster
from line_players import FIRST_HIDDEN, command_of
from processes import needs_proc

SMALL, WIDE = Level(3, 5, 4), Level(2, 9, 3)
BOTH = Experiment(("odd", "third"), (SMALL, WIDE), FirstClick.ANY, seed=7)
ODD = Experiment(("odd",), (SMALL,))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes are started as soon as every series has been tried."""
    monkeypatch.setattr(workers, "ALONE_SECONDS", 0.0)


def finished(experiment: Experiment, games: int, jobs: int = 1, known: Iterable[Played] = ()) -> Tallies:
    """The tallies after everything that was missing has been played."""
    tallies = new_tallies(experiment, games)
    for played in known:
        tallies[played.series].add(played)
    for _ in play_missing(experiment, tallies, jobs=jobs, play=fake_games):
        pass
    return tallies


def columns(tallies: Tallies) -> list[list[int]]:
    """Everything but the seconds."""
    return [
        column.tolist() for tally in tallies.values() for column in (tally.ends, tally.reveals, tally.guesses)
    ] + [tally.reason.tolist() for tally in tallies.values()]


def some_games(series: Series, seeds: range) -> Played:
    return Played(series, fake_games(series.agent, series.level, FirstClick.ANY, seeds), 1.0, 0.5)


def test_every_agent_plays_every_level_on_the_same_seeds() -> None:
    tallies = finished(BOTH, 100)
    assert list(tallies) == [Series(agent, level) for level in (SMALL, WIDE) for agent in ("odd", "third")]
    for series, tally in tallies.items():
        assert (tally.ends == 1).tolist() == [wins(series.agent, seed) for seed in range(7, 107)]


def test_the_number_of_jobs_changes_nothing() -> None:
    assert columns(finished(BOTH, 333, jobs=2)) == columns(finished(BOTH, 333))


@given(sets(integers(0, 40)))
def test_only_what_is_missing_is_played(known: set[int]) -> None:
    asked: list[int] = []

    def listening(agent: str, level: Level, first_click: FirstClick, seeds: range) -> Games:
        asked.extend(seeds)
        return fake_games(agent, level, first_click, seeds)

    tallies = new_tallies(ODD, 30)
    for seed in known:
        tallies[ODD.series[0]].add(some_games(ODD.series[0], range(seed, seed + 1)))
    list(play_missing(ODD, tallies, play=listening))
    assert sorted(asked) == sorted(set(range(30)) - known)
    assert columns(tallies) == columns(finished(ODD, 30))


def test_games_behind_the_end_are_left_out_with_their_share_of_the_time() -> None:
    tally = SeriesTally(0, 10)
    tally.add(some_games(ODD.series[0], range(5, 25)))
    assert (tally.known.tolist(), tally.cpu_seconds) == ([False] * 5 + [True] * 5, 0.25)


def test_seconds_pass_between_results_and_add_up() -> None:
    tallies = new_tallies(ODD, 500)
    ticks = iter(range(0, 10_000, 3))
    amount = len(list(play_missing(ODD, tallies, play=fake_games, clock=lambda: float(next(ticks)))))
    assert tallies[ODD.series[0]].seconds == 3.0 * amount


def test_runs_grow_until_they_take_half_a_second() -> None:
    plan = GameQueue(new_tallies(ODD, 10**6), FirstClick.SAFE, jobs=2)
    games = fake_games("odd", SMALL, FirstClick.SAFE, range(1))
    sizes = []
    for _ in range(8):
        task = plan.next_task()
        assert task is not None
        sizes.append(len(task.seeds))
        plan.learn(GamesPlayed(task, games, seconds=0.001 * len(task.seeds), cpu_seconds=0.0))
    assert sizes == [4, 32, 256, 500, 500, 500, 500, 500]
    assert RUN_SECONDS == 0.5 < LARGEST_RUN


def test_the_last_runs_are_shared_among_all_jobs() -> None:
    plan = GameQueue(new_tallies(ODD, 5), FirstClick.SAFE, jobs=3)
    tasks = [plan.next_task() for _ in range(5)]
    assert [len(task.seeds) if task else 0 for task in tasks] == [2, 1, 1, 1, 0]


def test_compiling_is_weighed_against_the_processor_time_of_all_games_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two series of 100 games, 4 games each are played when the second is weighed; a game takes 0.5 s."""
    asked: list[float] = []

    def played(task: GamesToPlay, _: object) -> GamesPlayed:
        games = fake_games("odd", SMALL, FirstClick.SAFE, task.seeds)
        return GamesPlayed(task, games, seconds=2.0 * len(task.seeds), cpu_seconds=0.5 * len(task.seeds))

    monkeypatch.setattr(workers, "play_task", played)
    monkeypatch.setattr(workers, "prepare_games", lambda _agent, _level, seconds: asked.append(seconds))
    two = Experiment(("odd", "third"), (SMALL,))
    plan = GameQueue(new_tallies(two, 100), FirstClick.SAFE, jobs=2)
    results = workers.answers(plan, fake_games, jobs=2)
    for _ in range(2):
        next(results)
    assert asked == [0.5 * 96, 0.5 * 192]


def test_what_games_say_by_hand() -> None:
    """Seeds 0 to 19: ten are won, 0 and 10 are stuck, the other eight lost, for reasons seed % 6 + 1."""
    (rate,) = win_rates(finished(ODD, 20))
    assert (rate.games, rate.won.value, rate.stuck.value, rate.lost) == (20, 0.5, 0.1, 8)
    assert rate.guesses.value == np.mean([seed % 4 for seed in range(20)])
    lost = [seed % 6 + 1 if seed % 4 else 0 for seed in range(20) if seed % 2 == 0 and seed % 10]
    assert rate.losses == {name: lost.count(code) for code, name in enumerate(REASONS) if code in lost}


def test_agents_are_compared_on_the_games_that_both_have_played() -> None:
    experiment = Experiment(("odd", "third"), (SMALL,))
    tallies = new_tallies(experiment, 60)
    odd, third = experiment.series
    tallies[odd].add(some_games(odd, range(40)))
    tallies[third].add(some_games(third, range(10, 60)))
    (pair,) = comparisons(experiment, tallies)
    only_odd = sum(wins("odd", seed) and not wins("third", seed) for seed in range(10, 40))
    only_third = sum(wins("third", seed) and not wins("odd", seed) for seed in range(10, 40))
    assert (pair.games, pair.only_first, pair.only_second) == (30, only_odd, only_third)
    assert pair.difference.value == pytest.approx((only_odd - only_third) / 30)


def test_nothing_played_is_nothing_said() -> None:
    tallies = new_tallies(BOTH, 5)
    assert (win_rates(tallies), comparisons(BOTH, tallies)) == ([], [])


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_a_player_arrives(jobs: int) -> None:
    with pytest.raises(UnknownNameError, match="nobody"):
        finished(Experiment(("nobody",), (SMALL,)), 30, jobs)


def test_games_whose_process_dies_are_played_again_until_that_makes_no_sense() -> None:
    with pytest.raises(EngineError, match=r"the process that played fatal, seeds \d+ to \d+, died 3 times"):
        finished(Experiment(("fatal",), (SMALL,)), 90, jobs=2)


@pytest.mark.full
def test_a_dask_cluster_plays_the_same_games() -> None:
    tallies = new_tallies(BOTH, 40)
    with dask_cluster("local", 2) as cluster:
        for _ in play_missing(BOTH, tallies, cluster=cluster, play=fake_games):
            pass
    assert columns(tallies) == columns(finished(BOTH, 40))


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="kill -9 is for POSIX")
def test_a_cluster_whose_worker_is_killed_plays_the_same_games() -> None:
    tallies = new_tallies(BOTH, 40)
    with dask_cluster("local", 2) as cluster:
        results = play_missing(BOTH, tallies, cluster=cluster, play=fake_games)
        next(results)
        os.kill(cluster.submit(os.getpid).result(), signal.SIGKILL)
        assert list(results)
    assert columns(tallies) == columns(finished(BOTH, 40))


def test_whoever_stops_listening_leaves_no_process_behind() -> None:
    from multiprocessing import active_children

    tallies = new_tallies(Experiment(("slow",), (SMALL,)), 10_000)
    with closing(play_missing(Experiment(("slow",), (SMALL,)), tallies, jobs=2, play=fake_games)) as results:
        assert len(list(islice(results, 2))) == 2
        assert len(active_children()) == 2
    assert active_children() == []


@pytest.mark.parametrize(("seed", "games"), [(LARGEST_SEED, 2), (-1, 1), (0, 0)])
def test_games_without_seeds_are_refused(seed: int, games: int) -> None:
    with pytest.raises(InputError):
        new_tallies(Experiment(("odd",), (SMALL,), seed=seed), games)


def test_the_last_seed_of_all_can_be_played() -> None:
    assert finished(Experiment(("odd",), (SMALL,), seed=LARGEST_SEED), 1)[ODD.series[0]].known.all()


@needs_proc
def test_the_processor_time_of_a_program_that_plays_counts() -> None:
    busy = FIRST_HIDDEN.replace("    print", "    while time.process_time() < 0.3: pass\n    print")
    series = Series(command_of(f"import time{busy}"), Level(3, 4, 2))
    played = play_task(GamesToPlay(series, FirstClick.SAFE, range(1)), play_games)
    assert played.cpu_seconds > 0.25


def test_a_file_gives_back_what_was_added(tmp_path: Path) -> None:
    tallies, path = new_tallies(BOTH, 50), tmp_path / "games.jsonl"
    with new_records(path) as records:
        records.begin(BOTH, 50)
        for played in play_missing(BOTH, tallies, play=fake_games):
            records.add(played)
    with open_records(path) as (kept, _):
        assert (kept.heading.experiment, kept.heading.games) == (BOTH, 50)
        again = new_tallies(BOTH, 50)
        for played in kept.played:
            again[played.series].add(played)
    assert columns(again) == columns(tallies)
    assert sum(played.cpu_seconds for played in kept.played) == pytest.approx(
        sum(tally.cpu_seconds for tally in tallies.values()), abs=1e-4
    )
