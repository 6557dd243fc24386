"""Workers: the same boards in the same order, for any number of them, and nothing left behind."""

import pickle
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from itertools import islice
from multiprocessing import active_children
from typing import Any

import pytest

from campaigns import first_of
from gemhunter.errors import InputError
from gemhunter.generate.games import generate_games
from gemhunter.generate.puzzles import GeneratedPuzzle, NotGenerated, PuzzleWish, generate_puzzles
from gemhunter.generate.suites import SuiteBoard, SuiteWish, generate_suite
from gemhunter.printable import json_text
from gemhunter.records.boards import puzzle_record
from gemhunter.records.games import generated_game_record
from gemhunter.work import pieces
from gemhunter.work.pieces import Piece, Watch
from gemhunter.work.workers import Workers, dask_cluster, process_workers

SUITE = SuiteWish(((3, 4), (4, 4)), difficulties=("easy", None), each=2, unsolvable=1)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes are started for the first board."""
    monkeypatch.setattr(pieces, "ALONE_SECONDS", 0.0)


def puzzle_texts(found: Iterable[GeneratedPuzzle | NotGenerated | SuiteBoard]) -> list[str]:
    puzzles = (each.puzzle if isinstance(each, SuiteBoard) else each for each in found)
    return [
        each.reason if isinstance(each, NotGenerated) else json_text(puzzle_record(each)) for each in puzzles
    ]


def everything(workers: int | Workers) -> list[str]:
    """Puzzles, some of which are not made, boards of a suite, and games."""
    puzzles = generate_puzzles(PuzzleWish(5, 4), seed=3, number=9, step_limit=27, workers=workers)
    suite = generate_suite(SUITE, seed=5, workers=workers)
    games = generate_games("4x6n4", seed=7, number=9, workers=workers)
    records = [json_text(generated_game_record(game)) for game in games]
    return [*puzzle_texts(puzzles), *puzzle_texts(suite), *records]


@pytest.fixture(name="alone", scope="module")
def made_alone() -> list[str]:
    return everything(1)


def test_the_boards_of_this_test_are_of_all_kinds(alone: list[str]) -> None:
    assert len(alone) == 9 + 10 + 9
    assert "step limit reached" in alone
    assert "no solution" in "".join(alone)


@pytest.mark.parametrize("number", first_of([2, 3]))
def test_the_number_of_processes_changes_nothing(alone: list[str], number: int) -> None:
    with process_workers(number) as workers:
        assert everything(workers) == alone


@pytest.mark.full
def test_a_dask_cluster_makes_the_same_boards(alone: list[str]) -> None:
    with dask_cluster("dask", 2) as cluster:
        assert everything(cluster) == alone


def test_a_caller_who_leaves_early_leaves_no_process_behind() -> None:
    with closing(generate_puzzles(PuzzleWish(4, 4), workers=2)) as puzzles:
        assert len(list(islice(puzzles, 3))) == 3
        assert active_children()
    assert active_children() == []


def test_a_cancelled_stream_ends_and_leaves_no_process_behind() -> None:
    waits: list[float] = []
    watch = Watch(lambda: len(waits) > 3, lambda seconds, _: waits.append(seconds))
    assert len(list(generate_puzzles(PuzzleWish(4, 4), workers=2, watch=watch))) < 10**6
    assert active_children() == []


def first_three(piece: Piece[str], watch: Watch) -> list[str | InputError]:
    return [f"{seed}" if seed < 3 else InputError("no fourth") for seed in piece.seeds[:4]]


def test_games_before_one_that_cannot_be_made_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.generate.games._make_games", first_three)
    games = generate_games("4x6n4", number=9)
    assert list(map(str, islice(games, 3))) == ["0", "1", "2"]
    with pytest.raises(InputError, match="no fourth"):
        next(games)


def test_work_that_is_over_soon_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "ALONE_SECONDS", 1e6)
    monkeypatch.setattr(pieces, "process_workers", partial(pytest.fail, "a process was started"))
    assert len(list(generate_puzzles(PuzzleWish(4, 4), number=5, workers=2))) == 5


@pytest.mark.parametrize("workers", [0, -1, 10**9])
def test_a_number_of_workers_that_no_machine_has_is_refused(workers: int) -> None:
    with pytest.raises(InputError, match="workers; expected from 1 to 1,000"):
        list(generate_puzzles(PuzzleWish(4, 4), number=1, workers=workers))


@pytest.mark.parametrize(
    "value",
    [
        PuzzleWish(4, 4, symmetry="both"),
        *generate_puzzles(PuzzleWish(3, 4, solutions="none"), seed=1, number=1),
        *generate_puzzles(PuzzleWish(6, 6), number=1, step_limit=5),
        *generate_suite(SUITE, step_limit=1000),
        *generate_games("4x6n4", number=1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_wishes_and_what_comes_of_them_can_be_sent_to_other_processes(value: Any) -> None:
    assert repr(pickle.loads(pickle.dumps(value))) == repr(value)
