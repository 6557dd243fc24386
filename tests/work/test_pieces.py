"""Work in pieces: handed out one after the other, again if a worker dies, with results in order."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from fake_makers import deadly, doubled
from gemhunter.errors import EngineError
from gemhunter.work.pieces import PIECE_SECONDS, Piece, Pieces, Watch, WorkerDied, made_in_order, results_of
from gemhunter.work.workers import Workers, process_workers


class DyingError(Exception):
    """What a promise raises whose worker died."""


def submit_to(deaths: dict[int, int], error: Exception) -> Callable[[int], "Future[int]"]:
    """Workers that double a number, and die as often as `deaths` says of it."""

    def submit(task: int) -> "Future[int]":
        future: Future[int] = Future()
        if deaths.get(task, 0):
            deaths[task] -= 1
            future.set_exception(error)
        else:
            future.set_result(2 * task)
        return future

    return submit


def results(
    deaths: dict[int, int], tries: int, error: Exception | None = None
) -> dict[int, int | WorkerDied]:
    waiting = iter([1, 2, 3])
    workers = Workers(lambda *_: Future(), 2, (DyingError,))
    handed_out = results_of(
        lambda: next(waiting, None), submit_to(deaths, error or DyingError("lost")), workers, tries=tries
    )
    return dict(handed_out)


def test_every_task_comes_back_with_its_result() -> None:
    assert results({}, tries=1) == {1: 2, 2: 4, 3: 6}


def test_a_task_whose_worker_dies_is_handed_out_again() -> None:
    assert results({2: 2}, tries=3) == {1: 2, 2: 4, 3: 6}


def test_a_task_that_costs_every_try_its_worker_says_so() -> None:
    assert results({2: 3}, tries=3) == {1: 2, 2: WorkerDied("lost"), 3: 6}


def test_tasks_that_are_lost_with_a_broken_pool_have_not_used_up_a_try() -> None:
    assert results({1: 1, 2: 1, 3: 1}, tries=1, error=BrokenProcessPool()) == {1: 2, 2: 4, 3: 6}


def test_pools_that_break_again_and_again_are_given_up() -> None:
    with pytest.raises(BrokenProcessPool):
        results({1: 99}, tries=1, error=BrokenProcessPool())


def test_results_wait_for_their_turn_and_tasks_for_results() -> None:
    """The first task is the last to be ready; no more than three are handed out before it is."""
    futures: dict[int, Future[int]] = {}
    waiting = iter(range(5))
    workers = Workers(lambda *_: Future(), 5)

    def submit(task: int) -> "Future[int]":
        futures[task] = Future()
        if task:
            futures[task].set_result(task)
        return futures[task]

    def is_cancelled() -> bool:
        if len(futures) == 3 and all(future.done() for task, future in futures.items() if task):
            futures[0].set_result(0)
        return False

    handed_out = results_of(lambda: next(waiting, None), submit, workers, is_cancelled=is_cancelled, ahead=3)
    assert next(handed_out) == (0, 0)
    assert sorted(futures) == [0, 1, 2]
    assert [task for task, _ in handed_out] == [1, 2, 3, 4]


def test_a_piece_of_each_kind_is_tried_first() -> None:
    plan = Pieces([Piece("odd", range(10)), Piece("even", range(5, 9))], 2, trial=2)
    tried = [plan.next_piece(PIECE_SECONDS) for _ in range(3)]
    assert [(piece.kind, piece.seeds) for piece in tried if piece] == [
        ("odd", range(2)),
        ("even", range(5, 7)),
        ("even", range(7, 9)),
    ]


@given(lists(integers(0, 40), max_size=6), integers(1, 5))
def test_results_come_in_the_order_of_their_seeds(numbers: list[int], at_once: int) -> None:
    orders, first = [], 100
    for wish, number in enumerate(numbers):
        orders.append(Piece(str(wish), range(first, first + number)))
        first += number
    expected = [each for order in orders for each in doubled(order, Watch())]
    with ThreadPoolExecutor(at_once) as pool:
        workers = Workers(pool.submit, at_once)
        assert list(made_in_order(Pieces(orders, workers), doubled)) == expected
    assert list(made_in_order(Pieces(orders), doubled)) == expected


def test_a_board_that_kills_its_workers_is_an_error_that_names_its_seed() -> None:
    orders = [Piece("fatal", range(4, 5)), Piece("good", range(5, 9))]
    with (
        process_workers(2) as workers,
        pytest.raises(EngineError, match=r"the process that worked on seed 4 died 3 times"),
    ):
        list(made_in_order(Pieces(orders, workers), deadly))


def test_pieces_grow_until_they_take_half_a_second() -> None:
    plan = Pieces([Piece("odd", range(10**6))], 2, trial=4)
    sizes = []
    for _ in range(8):
        piece = plan.next_piece(PIECE_SECONDS)
        assert piece is not None
        sizes.append(piece.number)
        plan.learn(piece, seconds=0.001 * piece.number)
    assert sizes == [4, 16, 64, 256, 500, 500, 500, 500]


def test_the_last_pieces_are_shared_among_all_workers() -> None:
    plan = Pieces([Piece("odd", range(12))], 2, trial=4)
    sizes = []
    while (piece := plan.next_piece(PIECE_SECONDS)) is not None:
        sizes.append(piece.number)
        plan.learn(piece, seconds=0.1 * piece.number)
    assert sizes == [4, 2, 2, 1, 1, 1, 1]
