"""All runs of a comparison: which there are, which are missing, and how several are made side by side."""

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

from gemhunter.bench.measure import RunSetting
from gemhunter.bench.places import Place
from gemhunter.bench.values import Measurement, RunTask, Suite, Verdict
from gemhunter.errors import InputError

MOST_RUNS = 1_000_000
"""Of one comparison: all of them are listed before the first is made."""

LOOK_SECONDS = 0.2
"""Between two looks: on Windows, a wait without an end does not hear Ctrl-C."""


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """Every engine on every board of a suite, `runs` times each unless `runs_of` says otherwise."""

    suite: Suite
    engines: tuple[str, ...]
    setting: RunSetting
    runs: int = 3
    runs_of: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        asked = len(self.suite.boards) * sum(map(self.runs_by, self.engines))
        if asked > MOST_RUNS:
            raise InputError(f"{asked:,} runs; expected at most {MOST_RUNS:,}")

    def runs_by(self, engine: str) -> int:
        """How often an engine is asked about each board."""
        return self.runs_of.get(engine, self.runs)

    def tasks(self) -> Iterator[RunTask]:
        """All runs. The first run of all engines on all boards comes before the second of any.

        A machine that becomes slower or faster meanwhile is then so for everybody.
        """
        most = max(map(self.runs_by, self.engines), default=0)
        for run in range(1, most + 1):
            for board in self.suite.boards:
                for engine in self.engines:
                    if run <= self.runs_by(engine):
                        yield RunTask(board.name, engine, run)

    def missing(self, done: Collection[RunTask]) -> list[RunTask]:
        """The runs that have not been made, in order."""
        made = set(done)
        return [task for task in self.tasks() if task not in made]


def run_tasks(comparison: EngineComparison, tasks: Sequence[RunTask], place: Place) -> Iterator[Measurement]:
    """Make these runs at a place; results come as they are ready."""
    boards = {board.name: board for board in comparison.suite.boards}
    waiting = iter(tasks)
    busy: dict[Future[Measurement | None], RunTask] = {}
    while True:
        while len(busy) < place.at_once and (task := next(waiting, None)) is not None:
            busy[place.submit(task, boards[task.board], comparison.setting)] = task
        if not busy:
            return
        for future in wait(busy, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED).done:
            found = _result(future, busy.pop(future), place)
            if found is not None:
                yield found


def _result(future: "Future[Measurement | None]", task: RunTask, place: Place) -> Measurement | None:
    try:
        return future.result()
    except place.failures as error:
        return Measurement(task, Verdict.CRASHED, f"its worker died: {error}", {}, {})
