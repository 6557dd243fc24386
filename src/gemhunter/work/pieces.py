"""Work in pieces, for boards, puzzles and games: done in this process, in others, or on a Dask cluster.

`hand_out` cuts seeds into pieces of about half a second and gives them to workers. It uses `results_of`,
which hands out tasks of any kind. Where the work is done never changes a result or the order of boards.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence, Sized
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, inf
from typing import Generic, TypeAlias, TypeVar

from gemhunter.errors import LARGEST_SEED, EngineError, whole_number
from gemhunter.jit.choice import working_clock
from gemhunter.work.workers import TRIES, Workers, ending_with_children, process_workers, require_workers

Kind = TypeVar("Kind")
Made = TypeVar("Made")
Done = TypeVar("Done", bound=Sized)
Task = TypeVar("Task")
Result = TypeVar("Result")

WorkersAsked: TypeAlias = int | Workers
"""A number of processes on this machine, or the workers of a cluster."""

PIECE_SECONDS, SHORT_PIECE_SECONDS = 0.5, 0.05
"""How long a piece should take: usually, and in this process while a caller waits for results in order."""

WORTH_SHARING_SECONDS = 4.0
"""Less work than this is not shared: other processes need two seconds to start and load compiled code."""

ALONE_SECONDS = 2.0
"""A piece that takes longer in this process, while others wait, is left to a worker."""


@dataclass(frozen=True, slots=True)
class Watch:
    """How a caller follows the work.

    `progress` receives the seconds and steps that the next result has taken so far; the work ends when
    `cancel` returns True.
    """

    cancel: Callable[[], bool] = lambda: False
    progress: Callable[[float, int], None] = lambda _seconds, _steps: None


@dataclass(frozen=True, slots=True)
class Piece(Generic[Kind]):
    """Seeds for one kind of work; `label` names the kind in messages."""

    kind: Kind
    seeds: range
    label: str = ""

    @property
    def number(self) -> int:
        """How many seeds there are; `len` cannot count a range of all seeds."""
        return self.seeds.stop - self.seeds.start

    def __str__(self) -> str:
        first, last = self.seeds.start, self.seeds.stop - 1
        seeds = f"seed {first}" if first == last else f"seeds {first} to {last}"
        return f"{self.label}, {seeds}," if self.label else seeds


def seeds_from(seed: int, number: int | None) -> range:
    """The seeds from `seed` on, `number` of them or all; `InputError` if `seed` is not valid."""
    seed = whole_number(seed, "a seed", 0, LARGEST_SEED)
    return range(seed, LARGEST_SEED + 1 if number is None else seed + number)


class Pieces(Generic[Kind]):
    """The seeds that have not been handed out, cut into pieces by the time that earlier pieces have taken.

    With `trial`, this many seeds of each kind are done in this process before work is shared with others.
    `is_shared` says whether it is.
    """

    def __init__(
        self, work: Iterable[Piece[Kind]], workers: WorkersAsked = 1, *, trial: int | None = None
    ) -> None:
        if isinstance(workers, int):
            require_workers(workers)
        self.workers = workers
        self.is_shared = isinstance(workers, Workers)
        self._at_once = workers if isinstance(workers, int) else workers.at_once
        seeds = [piece for piece in work if piece.number > 0]
        self._waiting = seeds[::-1]  # `pop` takes the next one from the end
        self._untried = list(dict.fromkeys(piece.kind for piece in seeds)) if trial else []
        self._trial = trial
        self._pace: dict[Kind, float] = {}
        self._largest: dict[Kind, int] = {}
        self._latest_pace, self._learned = 0.0, 0
        self.left = sum(piece.number for piece in self._waiting)

    @property
    def seconds_left(self) -> float:
        """About how long the remaining seeds take; 0 if it is not known yet."""
        return sum(piece.number * self._pace_of(piece.kind) for piece in self._waiting)

    @property
    def is_worth_sharing(self) -> bool:
        """Whether other processes should take over."""
        # The first piece includes the time of imports and preparation, so it says too little.
        if self._at_once == 1 or self._untried or self._learned < 2:
            return False
        return self.left > 1 and self.seconds_left > WORTH_SHARING_SECONDS

    def next_piece(self, seconds: float) -> Piece[Kind] | None:
        """The next seeds, in order except that untried kinds come first; None if none are left."""
        if not self._waiting:
            return None
        kind = self._untried.pop(0) if self._untried else self._waiting[-1].kind
        piece = self._waiting.pop(max(i for i, each in enumerate(self._waiting) if each.kind == kind))
        pace, first_size = self._pace_of(kind), self._trial or 1
        fitting, least = (int(time / pace) if pace else first_size for time in (seconds, SHORT_PIECE_SECONDS))
        # Every worker should have something to do until the end.
        share = max(least, ceil(self.left / (2 * self._at_once)))
        size = max(1, min(fitting, share, self._largest.get(kind, first_size), piece.number))
        if size < piece.number:
            self._waiting.append(replace(piece, seeds=piece.seeds[size:]))
        self.left -= size
        return replace(piece, seeds=piece.seeds[:size])

    def _pace_of(self, kind: Kind) -> float:
        """Seconds per seed; 0 if not known. Without trials, a new kind is assumed to be like the last."""
        return self._pace.get(kind, 0.0 if self._trial else self._latest_pace)

    def put_back(self, piece: Piece[Kind], number: int) -> None:
        """Hand out a piece again, without its first `number` seeds."""
        self._waiting.append(replace(piece, seeds=piece.seeds[number:]))
        self.left += self._waiting[-1].number

    def learn(self, piece: Piece[Kind], seconds: float) -> None:
        """Note how long a piece took, which determines the size of the next ones."""
        self._learned += 1
        self._latest_pace = self._pace[piece.kind] = max(seconds, 1e-6) / piece.number
        # A piece grows slowly, as one seed can take much longer than another.
        self._largest[piece.kind] = min(4 * piece.number, 10_000)


def made_in_order(
    pieces: Pieces[Kind],
    make: Callable[[Piece[Kind], Watch], Sequence[Made]],
    *,
    watch: Watch | None = None,
    prepare: Callable[[float], None] = lambda _: None,
) -> Generator[Made, None, None]:
    """The results of `make`, one by one, in the order of the seeds; see `hand_out`."""
    with closing(hand_out(pieces, make, watch=watch, prepare=prepare)) as results:
        for _, made, _ in results:
            yield from made


def hand_out(
    pieces: Pieces[Kind],
    do: Callable[[Piece[Kind], Watch], Done],
    *,
    watch: Watch | None = None,
    in_order: bool = True,
    prepare: Callable[[float], None] = lambda _: None,
) -> Generator[tuple[Piece[Kind], Done, float], None, None]:
    """Each piece with the result of `do`, and the seconds it took; in order, or as results are ready.

    `do` must be picklable. It does the seeds of a piece, or only the first of them if the watch cancels the
    rest; the length of its result says how many. Short work is done in this process. Before other processes
    start, `prepare` is called with the approximate seconds of work that are left. Closing the iterator ends
    the processes.
    """
    watch = watch or Watch()
    if isinstance(pieces.workers, Workers):
        yield from _done_by(pieces.workers, pieces, do, watch, in_order=in_order)
        return
    yield from _done_here(pieces, do, watch, SHORT_PIECE_SECONDS if in_order else PIECE_SECONDS)
    if pieces.left and not watch.cancel():
        prepare(pieces.seconds_left)
        pieces.is_shared = True
        with process_workers(min(pieces.workers, pieces.left)) as processes:
            yield from _done_by(processes, pieces, do, watch, in_order=in_order)


def _done_here(
    pieces: Pieces[Kind], do: Callable[[Piece[Kind], Watch], Done], watch: Watch, piece_seconds: float
) -> Iterator[tuple[Piece[Kind], Done, float]]:
    """The results from this process: all of them, or until the rest is worth sharing."""
    while not pieces.is_worth_sharing:
        piece, began = pieces.next_piece(piece_seconds), working_clock()
        if piece is None:
            return
        latest = began + ALONE_SECONDS if pieces.workers != 1 and pieces.left else inf
        done = do(piece, replace(watch, cancel=partial(_is_over, watch, latest)))
        seconds = working_clock() - began
        is_whole = len(done) == piece.number
        if is_whole:
            pieces.learn(piece, seconds)
        yield piece, done, seconds
        if watch.cancel():
            return
        if not is_whole:  # a worker does the rest: the same seeds give the same results there
            pieces.put_back(piece, len(done))
            return


def _is_over(watch: Watch, latest: float) -> bool:
    return watch.cancel() or working_clock() > latest


def _done_by(
    workers: Workers,
    pieces: Pieces[Kind],
    do: Callable[[Piece[Kind], Watch], Done],
    watch: Watch,
    *,
    in_order: bool,
) -> Iterator[tuple[Piece[Kind], Done, float]]:
    """The results from workers; a piece whose worker dies is handed out again, `TRIES` times in all."""
    began = working_clock()

    def is_cancelled() -> bool:
        watch.progress(working_clock() - began, 0)
        return watch.cancel()

    def learn(piece: Piece[Kind], answer: tuple[Done, float] | WorkerDied) -> None:
        if not isinstance(answer, WorkerDied):
            pieces.learn(piece, answer[1])

    answers: Iterator[tuple[Piece[Kind], tuple[Done, float] | WorkerDied]] = results_of(
        lambda: pieces.next_piece(PIECE_SECONDS),
        lambda piece: workers.submit(_do_elsewhere, do, piece),
        workers,
        tries=TRIES,
        is_cancelled=is_cancelled,
        ahead=16 * workers.at_once if in_order else None,
        on_result=learn,
    )
    for piece, answer in answers:
        if isinstance(answer, WorkerDied):
            raise EngineError(f"the process that worked on {piece} died {TRIES} times; try fewer workers")
        yield piece, *answer
        began = working_clock()


def _do_elsewhere(do: Callable[[Piece[Kind], Watch], Done], piece: Piece[Kind]) -> tuple[Done, float]:
    """In a worker: the result of `do` for a piece, and the seconds it took."""
    began = working_clock()
    with ending_with_children():
        return do(piece, Watch()), working_clock() - began


@dataclass(frozen=True, slots=True)
class WorkerDied:
    """The result of a task if each worker that got it died."""

    reason: str


def results_of(
    next_task: Callable[[], Task | None],
    submit: Callable[[Task], Future[Result]],
    workers: Workers,
    *,
    tries: int = 1,
    is_cancelled: Callable[[], bool] = lambda: False,
    ahead: int | None = None,
    on_result: Callable[[Task, Result | WorkerDied], None] = lambda _task, _result: None,
    survives_broken_pools: bool = False,
) -> Iterator[tuple[Task, Result | WorkerDied]]:
    """Hand out tasks until `next_task` has none left; yields each with its result when that is ready.

    `submit` gives a task to the workers. A task whose worker dies is handed out again, `tries` times in all.
    `next_task` may return None, and later another task, while there are results to come. `is_cancelled` is
    called several times per second; once it returns True, nothing more is yielded.

    With `ahead`, results come in the order of their tasks, and at most this many tasks are handed out before
    the next result in order is ready. `on_result` is called with each result as soon as it is ready.

    A worker that dies while it takes a task can break its whole pool, and then the task is not known. All
    tasks of a broken pool are handed out again, without using up a try. If pools keep breaking, this raises
    `BrokenProcessPool` or, with `survives_broken_pools`, counts it as a death.
    """
    # Entries are: the number of a task in the order, the task, and how often it was handed out.
    busy: dict[Future[Result], tuple[int, Task, int]] = {}
    again: list[tuple[int, Task, int]] = []
    ready: dict[int, tuple[Task, Result | WorkerDied]] = {}
    handed_out = handed_over = 0
    broken = 0  # tasks in a row that were lost with their pool

    def next_try() -> tuple[int, Task, int] | None:
        nonlocal handed_out
        if again:
            return again.pop()
        is_too_early = ahead is not None and handed_out - handed_over >= ahead
        task = None if is_too_early else next_task()
        if task is None:
            return None
        handed_out += 1
        return handed_out - 1, task, 1

    while True:
        while len(busy) < workers.at_once and (entry := next_try()) is not None:
            busy[submit(entry[1])] = entry
        if not busy or is_cancelled():
            return
        # On Windows, Ctrl-C does not interrupt a wait without a timeout.
        for future in wait(busy, timeout=0.2, return_when=FIRST_COMPLETED).done:
            number, task, tried = busy.pop(future)
            try:
                result: Result | WorkerDied = future.result()
                broken = 0
            except BrokenProcessPool as error:
                broken += 1
                if broken <= TRIES * workers.at_once:
                    again.append((number, task, tried))
                    continue
                if not survives_broken_pools:
                    raise
                result = WorkerDied(str(error))
            except workers.failures as error:
                broken = 0
                if tried < tries:
                    again.append((number, task, tried + 1))
                    continue
                result = WorkerDied(str(error))
            on_result(task, result)
            if ahead is None:
                yield task, result
                continue
            ready[number] = task, result
            while handed_over in ready:
                handed_over += 1
                yield ready.pop(handed_over - 1)
