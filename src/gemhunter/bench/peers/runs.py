"""Makes the runs of a comparison with peers: several processes per contestant and board."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from statistics import median

from gemhunter.bench.peers.contestants import Contestant
from gemhunter.bench.values import BOARD_FILE, BenchBoard, Verdict
from gemhunter.solving.run import never
from gemhunter.work.child import Exit
from gemhunter.work.timed_child import Stopped, TimedChild
from gemhunter.work.workers import WorkerDied, Workers, core_workers, results_of

PEER_MODULE = "gemhunter.bench.peers.child"

MOST_PROCESSES = 5
"""Processes that the runs of a contestant on a board are spread over."""


@dataclass(frozen=True, slots=True)
class ProcessShare:
    """What one process does: `runs` on a board, each within `seconds`, all of them in about `together`."""

    runs: int
    seconds: float
    together: float


@dataclass(frozen=True, slots=True)
class PeerSetting:
    """How all runs are made: `runs` for each contestant and board, each within `seconds`."""

    runs: int = 5
    seconds: float = 3.0

    @property
    def shares(self) -> list[ProcessShare]:
        """The processes of a contestant on a board, which differ by one run at most."""
        number = min(self.runs, MOST_PROCESSES)
        each, more = divmod(self.runs, number)
        return [
            ProcessShare(each + (process < more), self.seconds, self.seconds / number)
            for process in range(number)
        ]


@dataclass(frozen=True, slots=True)
class ContestantOnBoard:
    """What the runs of a contestant on a board came to.

    `seconds` has the times of the runs that count, process by process; it is empty unless the verdict is a
    solution or a refutation, and `reason` says why. `spent` is the time of all runs.
    """

    contestant: str
    board: str
    verdict: Verdict
    reason: str = ""
    seconds: tuple[tuple[float, ...], ...] = ()
    spent: float = 0.0

    @property
    def median(self) -> float | None:
        """The median of all runs; None if it has no answer."""
        return median(chain.from_iterable(self.seconds)) if self.seconds else None

    @property
    def medians(self) -> list[float]:
        """The median of each process."""
        return [median(runs) for runs in self.seconds]

    def with_more(self, later: "ContestantOnBoard") -> "ContestantOnBoard":
        """This together with what a later process came to; a process without an answer has the last word."""
        spent = self.spent + later.spent
        return replace(later, seconds=self.seconds + later.seconds if later.seconds else (), spent=spent)


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
        if contestant.can_answer(board.grid, board.total)
    ]


def run_peers(
    tasks: Sequence[PeerTask], setting: PeerSetting, workers: int = 1
) -> Iterator[ContestantOnBoard]:
    """What is known of a contestant on a board after each of its processes; leaving early ends them.

    All contestants on all boards have their first process before any has its second, so that a machine that
    becomes slower or faster meanwhile affects them alike. A contestant without an answer, or whose runs have
    taken the time of a run, has no further process, and is returned again unchanged.
    """
    known: dict[tuple[str, str], ContestantOnBoard] = {}
    with core_workers(workers) as at_work:
        for share in setting.shares:
            due = []
            for contestant, board in tasks:
                before = known.get((contestant.name, board.name))
                if before is None or (before.seconds and before.spent < setting.seconds):
                    due.append((contestant, board))
                else:
                    yield before
            for found in _run_round(due, share, at_work):
                key = (found.contestant, found.board)
                known[key] = known[key].with_more(found) if key in known else found
                yield known[key]


def _run_round(
    tasks: Sequence[PeerTask], share: ProcessShare, workers: Workers
) -> Iterator[ContestantOnBoard]:
    """One process for each task."""
    waiting = iter(tasks)
    results: Iterator[tuple[PeerTask, ContestantOnBoard | WorkerDied]] = results_of(
        lambda: next(waiting, None),
        lambda task: workers.submit(measure_contestant, *task, share),
        workers,
    )
    for (contestant, board), found in results:
        if isinstance(found, WorkerDied):
            yield ContestantOnBoard(contestant.name, board.name, Verdict.CRASHED, found.reason)
        else:
            yield found


def measure_contestant(
    contestant: Contestant,
    board: BenchBoard,
    share: ProcessShare,
    *,
    core: int | None = None,
    is_cancelled: Callable[[], bool] = never,
) -> ContestantOnBoard:
    """Runs of a contestant on a board, in a fresh process that is ended when its time is over."""
    with TimedChild(contestant.name, PEER_MODULE) as child:
        board_file = child.folder / BOARD_FILE
        board_file.write_text(f"{board.grid}\n", encoding="utf-8", newline="\n")
        asked = {
            "contestant": contestant.name,
            "board": str(board_file),
            "traps": board.total,
            "runs": share.runs,
            "seconds": share.seconds,
            "together": share.together,
            "core": core,
        }
        answer = child.ask(asked, share.seconds, is_cancelled)
    match answer:
        case Stopped(reason):
            return ContestantOnBoard(contestant.name, board.name, Verdict.GAVE_UP, reason)
        case Exit() as ended:
            return ContestantOnBoard(contestant.name, board.name, Verdict.CRASHED, ended.failure)
        case found:
            return ContestantOnBoard(
                contestant.name,
                board.name,
                Verdict(found["verdict"]),
                found["reason"],
                (tuple(found["seconds"]),) if found["seconds"] else (),
                found["spent"],
            )
