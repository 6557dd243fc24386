"""Boards of many seeds, made here or by workers; they come in the order of their seeds either way."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, inf
from typing import Generic, TypeAlias, TypeVar

from gemhunter.board.numbers import LARGEST_SEED, whole_number
from gemhunter.errors import EngineError
from gemhunter.jit.choice import working_clock
from gemhunter.solving.run import never, silent
from gemhunter.work.workers import (
    ALONE_SECONDS,
    TRIES,
    WorkerDied,
    Workers,
    ending_with_children,
    process_workers,
    require_workers,
    results_of,
)

Wish = TypeVar("Wish")
Made = TypeVar("Made")

PIECE_SECONDS, ALONE_PIECE_SECONDS = 0.5, 0.05
"""How long the boards take that are made together, by a worker or here: they are handed over together."""

PIECE_GROWTH, LARGEST_PIECE = 4, 1000
"""How many times larger than the one before a piece can be, and its largest number of seeds."""

WORTH_SHARING_SECONDS = 4.0
"""Less work is done here: other processes need two seconds to start and to load what is compiled."""

PIECES_AHEAD = 16
"""Pieces per worker that are made before the one that is next in order is there."""

WorkersAsked: TypeAlias = int | Workers
"""A number of processes on this machine, or the workers of a cluster."""


@dataclass(frozen=True, slots=True)
class Order(Generic[Wish]):
    """One board as wished for each of the seeds."""

    wish: Wish
    seeds: range

    @property
    def number(self) -> int:
        """How many boards; `len` cannot count all seeds there are."""
        return self.seeds.stop - self.seeds.start


def seeds_from(seed: int, number: int | None) -> range:
    """The seeds from `seed` on, `number` of them or all there are; raises `InputError` if it is none."""
    seed = whole_number(seed, "a seed", 0, LARGEST_SEED)
    return range(seed, LARGEST_SEED + 1 if number is None else seed + number)


@dataclass(frozen=True, slots=True)
class Watch:
    """How a caller follows the work.

    `progress` receives the seconds and steps that the next result has taken so far; `cancel` ends the work.
    """

    cancel: Callable[[], bool] = never
    progress: Callable[[float, int], None] = silent


Maker: TypeAlias = Callable[[Order[Wish], Watch], Sequence[Made]]
"""Makes what the seeds of an order give, or only the first of it if `watch` cancels the rest; picklable."""


def made_in_order(
    orders: Sequence[Order[Wish]],
    make: Maker[Wish, Made],
    *,
    workers: WorkersAsked = 1,
    watch: Watch | None = None,
    prepare: Callable[[float], None] = lambda _: None,
) -> Generator[Made, None, None]:
    """What `make` makes of orders whose seeds follow each other, in their order.

    Work that is over soon is done in this process. `prepare` is called before other processes start, with
    the approximate seconds of work that is left. Closing the iterator ends them.
    """
    watch = watch or Watch()
    if isinstance(workers, Workers):
        yield from _made_by(workers, _Pieces(orders, workers.at_once), make, watch)
        return
    require_workers(workers)
    pieces = _Pieces(orders, workers)
    yield from _made_here(pieces, make, watch, may_share=workers > 1)
    if pieces.left and not watch.cancel():
        prepare(pieces.seconds_left)
        with process_workers(min(workers, pieces.left)) as processes:
            yield from _made_by(processes, pieces, make, watch)


class _Pieces(Generic[Wish]):
    """Orders that have not been handed out, cut into pieces that take about as long as wished."""

    def __init__(self, orders: Sequence[Order[Wish]], at_once: int) -> None:
        self._orders = [order for order in orders if order.number > 0][::-1]
        self._at_once = at_once
        self._pace, self._largest, self._learned = 0.0, 1, 0
        self.left = sum(order.number for order in self._orders)

    @property
    def seconds_left(self) -> float:
        """About how long what is left takes, at the latest pace; 0 while that is not known."""
        # The first boards also pay for what is imported and set up.
        return self.left * self._pace if self._learned > 1 else 0.0

    @property
    def next_seed(self) -> int:
        """The first seed that has not been handed out."""
        return self._orders[-1].seeds.start

    def next_piece(self, seconds: float) -> Order[Wish] | None:
        """The next seeds of one wish; None if there are none left."""
        if not self._orders:
            return None
        order = self._orders.pop()
        fitting, least = (
            int(each / self._pace) if self._pace else 1 for each in (seconds, ALONE_PIECE_SECONDS)
        )
        # Every worker should have something to do until the end.
        share = max(least, ceil(self.left / (2 * self._at_once)))
        size = max(1, min(fitting, share, self._largest, order.number))
        if size < order.number:
            self._orders.append(replace(order, seeds=order.seeds[size:]))
        else:
            self._largest = 1  # another wish may take much longer
        self.left -= size
        return replace(order, seeds=order.seeds[:size])

    def put_back(self, order: Order[Wish], number: int) -> None:
        """Hand out an order again, without the first `number` seeds."""
        rest = replace(order, seeds=order.seeds[number:])
        self._orders.append(rest)
        self.left += rest.number

    def learn(self, number: int, seconds: float) -> None:
        """Let the time that boards took decide how many come next."""
        self._learned += 1
        self._pace = max(seconds, 1e-6) / number
        self._largest = min(PIECE_GROWTH * number, LARGEST_PIECE)


def _made_here(
    pieces: _Pieces[Wish], make: Maker[Wish, Made], watch: Watch, *, may_share: bool
) -> Iterator[Made]:
    """What is made in this process: all of it, or until it is worth sharing what is left.

    A board that takes too long here, while others wait, is left to a worker; its seed gives it again.
    """
    while not (may_share and pieces.left > 1 and pieces.seconds_left > WORTH_SHARING_SECONDS):
        piece, began = pieces.next_piece(ALONE_PIECE_SECONDS), working_clock()
        if piece is None:
            return
        latest = began + ALONE_SECONDS if may_share and pieces.left else inf
        made = make(piece, replace(watch, cancel=partial(_is_over, watch, latest)))
        yield from made
        if watch.cancel():
            return
        if len(made) < piece.number:
            pieces.put_back(piece, len(made))
            return
        pieces.learn(piece.number, working_clock() - began)


def _is_over(watch: Watch, latest: float) -> bool:
    return watch.cancel() or working_clock() > latest


def _made_by(
    workers: Workers, pieces: _Pieces[Wish], make: Maker[Wish, Made], watch: Watch
) -> Iterator[Made]:
    """What workers make; pieces that are ready before their turn wait for it."""
    if not pieces.left:
        return
    ready: dict[int, tuple[int, Sequence[Made]]] = {}
    seed, unfinished, began = pieces.next_seed, 0, working_clock()

    def next_piece() -> Order[Wish] | None:
        nonlocal unfinished
        has_room = unfinished < PIECES_AHEAD * workers.at_once
        found = pieces.next_piece(PIECE_SECONDS) if has_room else None
        unfinished += found is not None
        return found

    def is_cancelled() -> bool:
        watch.progress(working_clock() - began, 0)
        return watch.cancel()

    def submit(piece: Order[Wish]) -> Future[tuple[Sequence[Made], float]]:
        return workers.submit(_make_elsewhere, make, piece)

    for piece, answer in results_of(next_piece, submit, workers, tries=TRIES, is_cancelled=is_cancelled):
        if isinstance(answer, WorkerDied):
            raise EngineError(_death(piece.seeds))
        made, seconds = answer
        pieces.learn(piece.number, seconds)
        ready[piece.seeds.start] = piece.seeds.stop, made
        while seed in ready:
            seed, made = ready.pop(seed)
            unfinished -= 1
            yield from made
            began = working_clock()


def _make_elsewhere(make: Maker[Wish, Made], piece: Order[Wish]) -> tuple[Sequence[Made], float]:
    """In a worker: what a piece gives, and the seconds that it took."""
    began = working_clock()
    with ending_with_children():
        return make(piece, Watch()), working_clock() - began


def _death(seeds: range) -> str:
    named = f"seed {seeds.start}" if len(seeds) == 1 else f"seeds {seeds.start} to {seeds.stop - 1}"
    return f"the process that worked on {named} died {TRIES} times; try fewer workers"
