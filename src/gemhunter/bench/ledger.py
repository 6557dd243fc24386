"""The ledger of `bench`: a heading that describes the comparison, and a line per run.

A ledger of `report` has such headings and runs, too. `work/ledger.py` reads and writes the files.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import numpy as np
from msgspec import Struct, field, structs

from gemhunter import __version__
from gemhunter.bench.runs import BenchLimits, EngineComparison, Measurement, RunSetting, RunTask, WorkersUsed
from gemhunter.bench.suites import BenchBoard, Suite
from gemhunter.board.grid import HIDDEN
from gemhunter.cnf.accounts import count_clauses
from gemhunter.errors import InputError
from gemhunter.files.dialects import Zero
from gemhunter.jit.choice import Mode, current_mode, is_installed
from gemhunter.printable import printable
from gemhunter.solving.registry import refuse_programs
from gemhunter.wording import counted
from gemhunter.work.ledger import (
    Lines,
    Machine,
    Positive,
    Seconds,
    Text,
    Texts,
    Whole,
    machine,
    package_versions,
    sources_digest,
)


class BoardFacts(Struct, frozen=True):
    """What a ledger keeps about a board; `digest` changes with every cell and with the total.

    `clauses` counts those of the default encoding and `s4_clauses` those of S4's (`ClauseCounts`). Both are
    None if there are too many to count, and in older ledgers.
    """

    name: Text
    rows: Whole
    cols: Whole
    unknown: Whole
    clues: Whole
    total: Whole | None = field(name="traps")
    note: Text
    digest: Text
    clauses: Whole | None = None
    s4_clauses: Whole | None = None

    @property
    def shape(self) -> str:
        """Rows and columns, such as `9×9`."""
        return f"{self.rows}×{self.cols}"


class BenchHeading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line of a ledger: everything that comparable measurements have in common."""

    ledger: Literal["bench"]
    arguments: tuple[Text, ...]
    zero: Zero
    suite: Text
    title: Text
    engines: Texts
    runs: Positive
    runs_of: dict[Text, Positive]
    seed: int
    seconds: Seconds
    memory: Whole | None
    compiled: bool
    machine: Machine
    versions: dict[str, Text]
    sources: Text
    boards: tuple[BoardFacts, ...]
    first_workers: Positive | None = field(name="workers", default=None)
    on_dask: bool | None = field(name="dask", default=None)

    @property
    def setting(self) -> RunSetting:
        """The setting of all runs."""
        return RunSetting(BenchLimits(self.seconds, self.memory), self.seed, compiled=self.compiled)

    @property
    def workers(self) -> WorkersUsed | None:
        """The workers of the first runs; None in older ledgers. More workers make noisier times."""
        return WorkersUsed(self.first_workers, bool(self.on_dask)) if self.first_workers else None

    def require_run(self, run: Measurement, earlier: Container[RunTask]) -> None:
        """Raise `ValueError` unless the run belongs to the comparison and is not among the `earlier` ones."""
        if run.engine not in self.engines or run.board not in {board.name for board in self.boards}:
            raise ValueError(f"line 1 names no run of {run.engine!r} on {run.board!r}")
        runs = self.runs_of.get(run.engine, self.runs)
        if run.run > runs:
            raise ValueError(f"it is run {run.run}, but line 1 asks for {counted(runs, 'run')}")
        if run.task in earlier:
            raise ValueError(f"run {run.run} of {run.engine!r} on {run.board!r} was on an earlier line")

    def made_by(self, workers: WorkersUsed) -> "BenchHeading":
        """This heading with the workers of the first runs."""
        return structs.replace(self, first_workers=workers.number, on_dask=workers.on_dask)


def run_line(measurement: Measurement) -> Measurement:
    """A run as a ledger keeps it."""
    seconds = {stage: round(taken, 9) for stage, taken in measurement.seconds.items()}
    return structs.replace(measurement, seconds=seconds, map="", cpu_seconds=None)


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """The content of a ledger: its heading and its measurements.

    `workers` are the sets of workers that made the runs, in order; empty if they were not recorded.
    """

    heading: BenchHeading
    measurements: tuple[Measurement, ...]
    workers: tuple[WorkersUsed, ...] = ()


def read_comparison(lines: Lines) -> KeptRuns:
    """The content of a ledger."""
    heading = lines.heading(BenchHeading, "bench")
    measurements: dict[RunTask, Measurement] = {}
    workers = [] if heading.workers is None else [heading.workers]

    def take(line: Measurement | WorkersUsed) -> None:
        if isinstance(line, WorkersUsed):
            workers.append(line)
        else:
            heading.require_run(line, measurements)
            measurements[line.task] = line

    lines.records({"workers": WorkersUsed, "run": Measurement}, take)
    return KeptRuns(heading, tuple(measurements.values()), tuple(workers))


def comparison_of(heading: BenchHeading, suite: Suite) -> EngineComparison:
    """The comparison that a heading describes, on boards that have been read again."""
    return EngineComparison(suite, heading.engines, heading.setting, heading.runs, heading.runs_of)


def heading_of(
    comparison: EngineComparison, arguments: Sequence[str], zero: Zero, workers: WorkersUsed | None = None
) -> BenchHeading:
    """The heading of a comparison that is made now, on this machine."""
    suite, setting = comparison.suite, comparison.setting
    heading = BenchHeading(
        ledger="bench",
        arguments=tuple(map(printable, arguments)),
        zero=zero,
        suite=suite.name,
        title=suite.title,
        engines=comparison.engines,
        runs=comparison.runs,
        runs_of=comparison.runs_of,
        seed=setting.seed,
        seconds=setting.limits.seconds,
        memory=setting.limits.memory,
        compiled=setting.compiled and current_mode() is not Mode.NEVER and is_installed(),
        machine=machine(),
        versions=versions(),
        sources=sources_digest(),
        boards=tuple(map(facts_of, suite.boards)),
    )
    return heading if workers is None else heading.made_by(workers)


def versions() -> dict[str, str]:
    """The versions of this program, of Python and of the packages that engines use."""
    packages = ("numpy", "numba", "python-sat", "ortools", "pycryptosat")
    return {"gemhunter": __version__, **package_versions(packages)}


def facts_of(board: BenchBoard) -> BoardFacts:
    """What a ledger keeps about a board."""
    cells = board.grid.cells
    text = f"{cells.shape} {board.total} ".encode() + cells.tobytes()
    clauses = count_clauses(board.grid, board.total)
    return BoardFacts(
        board.name,
        board.grid.rows,
        board.grid.cols,
        int(np.count_nonzero(cells == HIDDEN)),
        int(np.count_nonzero(cells >= 0)),
        board.total,
        board.note,
        blake2b(text, digest_size=8).hexdigest(),
        clauses.default,
        clauses.s4,
    )


def are_same_boards(some: Sequence[BoardFacts], others: Sequence[BoardFacts]) -> bool:
    """Whether these are the same boards in the same order; clauses, which older ledgers lack, are ignored."""
    plain = [
        [structs.replace(facts, clauses=None, s4_clauses=None) for facts in boards]
        for boards in (some, others)
    ]
    return plain[0] == plain[1]


def require_same(kept: BenchHeading, here: BenchHeading, path: Path) -> None:
    """Raise unless runs made here may be added to those of a ledger."""
    for what, is_same in (
        ("the program", (kept.versions, kept.sources) == (here.versions, here.sources)),
        ("the machine", kept.machine == here.machine),
        ("the choice to compile", kept.compiled == here.compiled),
        ("a board", are_same_boards(kept.boards, here.boards)),
    ):
        if not is_same:
            raise InputError(f"{path} cannot be resumed: {what} has changed; start a new one with -o FILE")


def require_engines(kept: Sequence[str], given: Sequence[str], path: Path, *, starts: bool) -> None:
    """Raise unless the engines that the user has given, if any, are those of a ledger.

    If the work `starts` them, a ledger alone must not name programs, because it can come from others.
    """
    if given and set(given) != set(kept):
        begun, here = ", ".join(kept), ", ".join(given)
        raise InputError(f"{path} was begun with --engine {begun}, not {here}; start a new one with -o FILE")
    if starts and not given:
        refuse_programs(kept, "-e", str(path))


def require_readable(arguments: Sequence[str], path: Path) -> None:
    """Raise `InputError` if a ledger names a pipe or a device as a board: reading it might never end."""
    for argument in arguments:
        place = Path(argument)
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise InputError(f"{path} names {argument}, which is neither a file nor a folder of boards")


def workers_text(workers: Sequence[WorkersUsed]) -> str:
    """Which workers made the runs of a ledger, for people."""
    if not workers:
        return "number of workers not recorded"
    return f"measured by {', then by '.join(used.words for used in workers)}"
