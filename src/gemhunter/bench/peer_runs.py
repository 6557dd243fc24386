"""Makes the runs of a comparison with peers: a process per contestant and board, a few side by side."""

import json
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from gemhunter.bench.files import BOARD, RESULT, TASK
from gemhunter.bench.measure import RunWatch
from gemhunter.bench.peers import Contestant
from gemhunter.bench.places import free_cores
from gemhunter.bench.runs import LOOK_SECONDS
from gemhunter.bench.values import BenchBoard, Verdict
from gemhunter.formats.files import write_atomically
from gemhunter.work.child import module_command, run_child

PEER_PROGRAM = "gemhunter.bench.peer_child"


@dataclass(frozen=True, slots=True)
class PeerSetting:
    """How all runs are made: `runs` for each contestant and board, each within `seconds`."""

    runs: int = 5
    seconds: float = 3.0


@dataclass(frozen=True, slots=True)
class ContestantOnBoard:
    """What the runs of a contestant on a board came to.

    `seconds` has the time of each run; it is empty unless the verdict is a solution or a refutation, and
    `reason` says why.
    """

    contestant: str
    board: str
    verdict: Verdict
    reason: str = ""
    seconds: tuple[float, ...] = ()

    @property
    def median(self) -> float | None:
        """The median of its runs; None if it has no answer."""
        return median(self.seconds) if self.seconds else None


PeerTask = tuple[Contestant, BenchBoard]


def peer_tasks(
    pairs: Sequence[tuple[Contestant, Contestant]], boards: Sequence[BenchBoard]
) -> list[PeerTask]:
    """Every contestant on every board that it is asked about, board by board."""
    contestants = {each.name: each for pair in pairs for each in pair}
    return [
        (contestant, board)
        for board in boards
        for contestant in contestants.values()
        if contestant.can_answer(board.grid, board.traps)
    ]


def run_peers(
    tasks: Sequence[PeerTask], setting: PeerSetting, workers: int = 1
) -> Iterator[ContestantOnBoard]:
    """Results as they are ready; leaving early ends what is under way."""
    cores, is_over = free_cores(workers), threading.Event()

    def make(task: PeerTask) -> ContestantOnBoard:
        core = cores.get()
        try:
            return measure_contestant(*task, setting, core=core, is_cancelled=is_over.is_set)
        finally:
            cores.put(core)

    with ThreadPoolExecutor(workers) as pool:
        busy: set[Future[ContestantOnBoard]] = {pool.submit(make, task) for task in tasks}
        try:
            while busy:
                done, busy = wait(busy, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            is_over.set()
            pool.shutdown(cancel_futures=True)


def measure_contestant(
    contestant: Contestant,
    board: BenchBoard,
    setting: PeerSetting,
    *,
    core: int | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> ContestantOnBoard:
    """All runs of a contestant on a board, in a fresh process that is ended when its time is over."""
    asked = {
        "contestant": contestant.name,
        "traps": board.traps,
        "runs": setting.runs,
        "seconds": setting.seconds,
        "core": core,
    }
    # On Windows, a file that is still open elsewhere cannot be removed; that is no reason to fail.
    with tempfile.TemporaryDirectory(prefix="gemhunter-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        write_atomically(folder / BOARD, f"{board.grid}\n")
        write_atomically(folder / TASK, json.dumps(asked))
        watch = RunWatch(folder, setting.seconds, is_cancelled)
        command = module_command(contestant.name, PEER_PROGRAM, str(folder))
        ended = run_child(command, folder, seconds_left=watch.nothing, stop=watch.reason)
        if isinstance(ended, str):
            return ContestantOnBoard(contestant.name, board.name, Verdict.GAVE_UP, ended)
        if not (folder / RESULT).exists():
            return ContestantOnBoard(contestant.name, board.name, Verdict.CRASHED, ended.failure)
        found = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    return ContestantOnBoard(
        contestant.name, board.name, Verdict(found["verdict"]), found["reason"], tuple(found["seconds"])
    )
