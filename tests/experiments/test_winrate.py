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
from gemhunter.board.position import FirstClick
from gemhunter.errors import LARGEST_SEED, EngineError, InputError, UnknownNameError
from gemhunter.experiments import winrate
from gemhunter.experiments.winrate import (
    Experiment,
    GamesPlayed,
    Played,
    Series,
    SeriesTally,
    Tallies,
    comparisons,
    games_line,
    heading_of_games,
    new_tallies,
    play_missing,
    play_piece,
    players_digest,
    read_games,
    win_rates,
)
from gemhunter.play.game_ids import Level
from gemhunter.play.many_games import Games, play_games
from gemhunter.play.player import REASONS
from gemhunter.work import pieces
from gemhunter.work.ledger import new_ledger, read_ledger, sources_digest
from gemhunter.work.pieces import Piece, Watch
from gemhunter.work.workers import dask_cluster
from line_players import FIRST_HIDDEN, command_of
from processes import needs_proc

SMALL, WIDE = Level(3, 5, 4), Level(2, 9, 3)
BOTH = Experiment(("odd", "third"), (SMALL, WIDE), FirstClick.ANY, seed=7)
ODD = Experiment(("odd",), (SMALL,))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes are started as soon as every series has been tried."""
    monkeypatch.setattr(pieces, "WORTH_SHARING_SECONDS", 0.0)


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


def test_compiling_is_weighed_against_the_processor_time_of_all_games_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two series of 100 games, 4 games each are played when the second is weighed; a game takes 0.5 s."""
    asked: list[float] = []
    now = 0.0

    def played(piece: Piece[Series], _: Watch, **__: object) -> GamesPlayed:
        nonlocal now
        now += 2.0 * piece.number
        games = fake_games("odd", SMALL, FirstClick.SAFE, piece.seeds)
        return GamesPlayed(games, cpu_seconds=0.5 * piece.number)

    monkeypatch.setattr(winrate, "play_piece", played)
    monkeypatch.setattr(winrate, "prepare_games", lambda _agent, _level, seconds: asked.append(seconds))
    monkeypatch.setattr(pieces, "working_clock", lambda: now)
    two = Experiment(("odd", "third"), (SMALL,))
    results = play_missing(two, new_tallies(two, 100), jobs=2)
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
    with pytest.raises(EngineError, match=r"the process that worked on fatal, seeds? .*, died 3 times"):
        finished(Experiment(("fatal",), (SMALL,)), 90, jobs=2)


@pytest.mark.full
def test_a_dask_cluster_plays_the_same_games() -> None:
    tallies = new_tallies(BOTH, 40)
    with dask_cluster("dask", 2) as cluster:
        for _ in play_missing(BOTH, tallies, cluster=cluster, play=fake_games):
            pass
    assert columns(tallies) == columns(finished(BOTH, 40))


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="kill -9 is for POSIX")
def test_a_cluster_whose_worker_is_killed_plays_the_same_games() -> None:
    tallies = new_tallies(BOTH, 40)
    with dask_cluster("dask", 2) as cluster:
        results = play_missing(BOTH, tallies, cluster=cluster, play=fake_games)
        next(results)
        os.kill(cluster.submit(os.getpid).result(), signal.SIGKILL)
        assert list(results)
    assert columns(tallies) == columns(finished(BOTH, 40))


def test_whoever_stops_listening_leaves_no_process_behind() -> None:
    from multiprocessing import active_children

    tallies = new_tallies(Experiment(("slow",), (SMALL,)), 10_000)
    with closing(play_missing(Experiment(("slow",), (SMALL,)), tallies, jobs=2, play=fake_games)) as results:
        assert len(list(islice(results, 3))) == 3
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
    piece = Piece(series, range(1))
    played = play_piece(piece, Watch(), play=play_games, first_click=FirstClick.SAFE)
    assert played.cpu_seconds > 0.25


def test_a_file_of_games_depends_on_the_sources_of_all_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    read_bytes = Path.read_bytes

    def remembering(path: Path) -> bytes:
        read.append(path.as_posix())
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", remembering)
    sources_digest.cache_clear()
    players_digest(["resolution", "expert"])
    used = (
        "engines/resolution.py",
        "play/agents/resolution.py",
        "play/guessing/choose.py",
        "counting/weigh.py",
        "jit/kernel.py",
    )
    assert [name for name in used if not any(path.endswith(f"gemhunter/{name}") for path in read)] == []


def test_a_file_gives_back_what_was_added(tmp_path: Path) -> None:
    tallies, path = new_tallies(BOTH, 50), tmp_path / "games.jsonl"
    with new_ledger(path) as ledger:
        ledger.add(heading_of_games(BOTH, 50))
        for played in play_missing(BOTH, tallies, play=fake_games):
            ledger.add(games_line(played))
    heading, kept = read_games(read_ledger(path))
    assert (heading.experiment, heading.games) == (BOTH, 50)
    again = new_tallies(BOTH, 50)
    for played in kept:
        again[played.series].add(played)
    assert columns(again) == columns(tallies)
    assert sum(played.cpu_seconds for played in kept) == pytest.approx(
        sum(tally.cpu_seconds for tally in tallies.values()), abs=1e-4
    )
