"""`gemhunter bench run`: measure, and print the table."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter import __version__
from gemhunter.cli.bench_places import dask_option, note_change, opened_place
from gemhunter.cli.bench_tables import LOOKS, ShownRuns, board_facts, print_summary, table_options
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.notes import note, quiet_option
from gemhunter.cli.option_types import AMOUNT, OutputFile
from gemhunter.cli.options import (
    compared_engines_option,
    complete_board,
    first_seed_option,
    memory_option,
    seconds_option,
    workers_option,
    zero_option,
)
from gemhunter.cli.progress import ProgressBar, showing_how_to_continue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gemhunter.bench.ledger import BenchHeading
    from gemhunter.bench.runs import EngineComparison
    from gemhunter.bench.values import Measurement, RunTask, WorkersUsed
    from gemhunter.work.ledger import Ledger
    from gemhunter.work.workers import Workers

USUAL_ENGINES = ("pysat", "backtracking", "brute-force", "dpll", "cdcl")
"""Who is compared if neither the user nor the suite says."""

SETTLED = ("engines", "runs", "time_limit", "memory_limit", "seed", "zero", "output", "resume")
"""Options that a ledger settles when it is resumed."""


@click.command("run")
@click.argument("boards", nargs=-1, metavar="[BOARDS|SUITE]...", shell_complete=complete_board)
@compared_engines_option("those of the suite")
@click.option("--runs", type=AMOUNT, metavar="N", help="Runs per board and engine [default: 3].")
@seconds_option("Time limit of each run [default: that of the suite, or 10].")
@memory_option
@first_seed_option
@workers_option
@dask_option
@zero_option
@click.option("-o", "--output", type=OutputFile(), metavar="FILE", help="Keep every run in a new FILE.")
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Make the runs that FILE lacks; everything else is as it was begun.",
)
@table_options
@quiet_option
def run_bench(boards: tuple[str, ...], **asked: Any) -> int:
    """Measure engines on boards, and print a table.

    BOARDS are files or folders; SUITE is one of `gemhunter bench suites`. Times are medians of encoding,
    solving and checking. Importing, compiling and an engine's first calls are outside the clock, and engines
    written here run compiled. An engine without an answer shows why: time limit, 2,000,000 attempts, memory,
    stuck, crashed. Two engines that contradict each other are an error.

    \b
    Examples:
      gemhunter bench run s1
      gemhunter bench hard -e auto -e cp-sat --time-limit 20 --workers 1 -o hard.jsonl
      gemhunter bench --resume hard.jsonl
    """
    looks = {name: asked.pop(name) for name in LOOKS}
    with ExitStack() as stack:
        begun = _begin(stack, boards, asked)
        try:
            with showing_how_to_continue(begun.path, SETTLED):
                _measure(begun)
        finally:
            wrong = print_summary(begun.shown, **looks)
    return ENGINE_FAILED if wrong else SOLVED


@dataclass(frozen=True, slots=True)
class _Begun:
    """A comparison under way: what has been found, the file it goes to, and where runs are made.

    There is no place if nothing is missing.
    """

    comparison: "EngineComparison"
    found: "list[Measurement]"
    missing: "list[RunTask]"
    ledger: "Ledger | None"
    place: "Workers | None"
    workers: "Sequence[WorkersUsed]"

    @property
    def path(self) -> Path | None:
        """The file that can be resumed, if there is one."""
        return None if self.ledger is None else self.ledger.path

    @property
    def shown(self) -> ShownRuns:
        """What there is to show so far."""
        comparison = self.comparison
        return ShownRuns(
            board_facts(comparison),
            comparison.engines,
            self.found,
            self.workers,
            __version__,
            comparison.setting.seed,
        )


def _begin(stack: ExitStack, boards: "Sequence[str]", asked: dict[str, Any]) -> _Begun:
    """A new comparison, or one that is resumed."""
    from gemhunter.bench.ledger import heading_of, heading_record
    from gemhunter.bench.values import WorkersUsed
    from gemhunter.work.ledger import new_ledger, require_new

    resume, output, dask, workers = (asked.pop(name) for name in ("resume", "output", "dask", "workers"))
    if resume is not None:
        _require_nothing_else(output, boards, asked)
        return _resumed(stack, resume, dask=dask, workers=workers)
    comparison = _new_comparison(boards, **asked)
    if output is not None:
        require_new(output)
    # The place comes first: a cluster that does not answer leaves no file behind.
    place = stack.enter_context(opened_place(dask, workers))
    used = WorkersUsed.of(place)
    ledger = None
    if output is not None:
        ledger = stack.enter_context(new_ledger(output))
        ledger.add(heading_record(heading_of(comparison, boards, asked["zero"], used)))
    return _Begun(comparison, [], comparison.missing([]), ledger, place, [used])


def _require_nothing_else(output: Path | None, boards: "Sequence[str]", asked: dict[str, Any]) -> None:
    """A file that is resumed says itself what is compared."""
    if output is not None or boards or any(asked[name] for name in ("engines", "runs", "time_limit")):
        raise click.UsageError("--resume takes boards, engines, runs and limits from its file")


def _resumed(stack: ExitStack, path: Path, *, dask: str | None, workers: int | None) -> _Begun:
    """What an earlier comparison has measured, and what it lacks."""
    from gemhunter.bench.ledger import read_comparison
    from gemhunter.errors import InputError
    from gemhunter.work.ledger import open_ledger

    lines, ledger = stack.enter_context(open_ledger(path))
    kept = read_comparison(lines)
    if kept.heading is None:
        raise InputError(f"{path} is empty; begin another with -o FILE")
    comparison = _same_comparison(kept.heading, path)
    missing = comparison.missing([each.task for each in kept.measurements])
    if not missing:
        return _Begun(comparison, list(kept.measurements), [], ledger, None, kept.workers)
    place = stack.enter_context(opened_place(dask, workers, kept.workers))
    used = note_change(ledger, place, kept.workers)
    return _Begun(comparison, list(kept.measurements), missing, ledger, place, used)


def _same_comparison(heading: "BenchHeading", path: Path) -> "EngineComparison":
    """The comparison of a file that is resumed, if it can be made here."""
    from gemhunter.bench.ledger import comparison_of, heading_of, require_same
    from gemhunter.bench.suites import load_boards

    comparison = comparison_of(heading, load_boards(heading.arguments, heading.zero))
    require_same(heading, heading_of(comparison, heading.arguments, heading.zero), path)
    return comparison


def _new_comparison(
    boards: "Sequence[str]",
    *,
    engines: tuple[str, ...],
    runs: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    seed: int,
    zero: Any,
) -> "EngineComparison":
    """What the options ask for, and the suite where they are silent."""
    from gemhunter.bench.runs import EngineComparison, RunSetting
    from gemhunter.bench.suites import load_boards
    from gemhunter.bench.values import BenchLimits
    from gemhunter.solving.registry import get_engine, require_installed

    if not boards:
        raise click.UsageError("name boards, a folder or a suite (see: gemhunter bench suites)")
    suite = load_boards(boards, zero, note)
    chosen = tuple(dict.fromkeys(engines or suite.engines or USUAL_ENGINES))
    for name in chosen:
        require_installed(get_engine(name))  # raises before any work is done
    limits = BenchLimits(time_limit or suite.seconds, memory_limit)
    runs_of = {} if runs else {name: count for name, count in suite.runs_of.items() if name in chosen}
    return EngineComparison(suite, chosen, RunSetting(limits, seed), runs or suite.runs, runs_of)


def _measure(begun: _Begun) -> None:
    """Make the runs that are missing; each is in the file before the next is waited for."""
    from gemhunter.bench.ledger import measurement_record
    from gemhunter.bench.runs import run_tasks
    from gemhunter.cli.interrupts import stop_if_pending

    if begun.place is None:
        return
    with ProgressBar(len(begun.missing)) as progress:
        for measurement in run_tasks(begun.comparison, begun.missing, begun.place):
            if begun.ledger is not None:
                begun.ledger.add(measurement_record(measurement))
            begun.found.append(measurement)
            progress.advance(f"{measurement.task.board}, {measurement.task.engine}")
            stop_if_pending()
