"""`gemhunter bench run`: measure, and print the table."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import click

from gemhunter import __version__
from gemhunter.bench.ledger import (
    BenchHeading,
    comparison_of,
    facts_of,
    heading_of,
    heading_record,
    measurement_record,
    read_comparison,
    require_same,
)
from gemhunter.bench.runs import EngineComparison, RunSetting, choose_mode, run_tasks
from gemhunter.bench.suites import load_boards
from gemhunter.bench.values import BenchLimits, Measurement, RunTask, WorkersUsed
from gemhunter.cli.bench_charts import ChartChoices, chart_options, write_charts
from gemhunter.cli.bench_tables import ShownRuns, TableChoices, print_summary, table_options
from gemhunter.cli.bench_workers import note_new_workers, opened_workers
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.cli.notes import note, quiet_option
from gemhunter.cli.option_types import AT_LEAST_ONE, LedgerFiles, OutputFile, WorkerOptions, options_as
from gemhunter.cli.options import (
    compared_engines_option,
    complete_board,
    dask_option,
    first_seed_option,
    memory_option,
    plain_option,
    seconds_option,
    workers_option,
    zero_option,
)
from gemhunter.cli.progress import ProgressBar, showing_how_to_continue
from gemhunter.formats.dialects import Zero
from gemhunter.program_name import program_name
from gemhunter.solving.registry import get_engine, require_installed
from gemhunter.work.ledger import Ledger, new_ledger, open_ledger, require_new
from gemhunter.work.workers import Workers

USUAL_ENGINES = ("pysat", "backtracking", "brute-force", "dpll", "cdcl")
"""The engines compared if neither the user nor the suite names any."""

BENCH_KEPT = ("engines", "runs", "time_limit", "memory_limit", "seed", "zero", "output", "resume")
"""Options whose values a ledger keeps; the command that continues it does not repeat them."""


@dataclass(frozen=True, slots=True)
class AskedComparison:
    """The options about a comparison; the suite decides what they leave out."""

    engines: tuple[str, ...]
    runs: int | None
    time_limit: float | None
    memory_limit: int | None
    seed: int
    zero: Zero


@click.command("run")
@click.argument("boards", nargs=-1, metavar="[BOARDS|SUITE]...", shell_complete=complete_board)
@compared_engines_option("those of the suite")
@click.option("--runs", type=AT_LEAST_ONE, metavar="N", help="Runs per board and engine [default: 3].")
@seconds_option("Time limit of each run [default: that of the suite, or 10].")
@memory_option
@first_seed_option
@workers_option
@dask_option("Make the runs")
@plain_option
@zero_option
@click.option("-o", "--output", type=OutputFile(), metavar="FILE", help="Keep every run in a new FILE.")
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Make the runs that FILE lacks, with the settings it was begun with.",
)
@table_options
@chart_options
@quiet_option
@options_as(AskedComparison, "asked")
@options_as(WorkerOptions, "worker_options")
@options_as(LedgerFiles, "files")
@options_as(TableChoices, "choices")
@options_as(ChartChoices, "pictures")
def run_bench(
    boards: tuple[str, ...],
    *,
    asked: AskedComparison,
    worker_options: WorkerOptions,
    files: LedgerFiles,
    choices: TableChoices,
    pictures: ChartChoices,
) -> int:
    """Measure engines on boards, and print a table.

    BOARDS are files or folders; SUITE is one of `gemhunter bench suites`. Times are medians of encoding,
    solving and checking. Importing, compiling and an engine's first calls are outside the clock. Engines
    written here run compiled, or all as plain Python if that is faster than to compile them first. An engine
    without an answer shows why: time limit, attempt limit, memory, stuck, crashed. Two engines that
    contradict each other are an error.

    \b
    Examples:
      gemhunter bench run s1
      gemhunter bench hard -e auto -e cp-sat --time-limit 20 --workers 1 -o hard.jsonl
      gemhunter bench --resume hard.jsonl
      gemhunter bench s1 --charts charts/
    """
    pictures.require()
    with ExitStack() as stack:
        if files.resume is None:
            begun = _begin(stack, boards, asked, worker_options=worker_options, output=files.output)
        else:
            if files.output is not None or boards or asked.engines or asked.runs or asked.time_limit:
                raise click.UsageError("--resume takes boards, engines, runs and limits from its file")
            begun = _resume(stack, files.resume, worker_options)
        try:
            with showing_how_to_continue(begun.path, BENCH_KEPT):
                _measure(begun)
        finally:
            shown = begun.shown
            wrong = print_summary(shown, choices)
        write_charts(shown, pictures, choices.look.average)
    return ENGINE_FAILED if wrong else SOLVED


@dataclass(frozen=True, slots=True)
class _RunningComparison:
    """A comparison under way: what has been found, the ledger it goes to, and the workers that make the runs.

    `workers` is None if no run is missing. `workers_used` are those of earlier runs too.
    """

    comparison: EngineComparison
    found: list[Measurement]
    missing: list[RunTask]
    ledger: Ledger | None
    workers: Workers | None
    workers_used: Sequence[WorkersUsed]

    @property
    def path(self) -> Path | None:
        """The file that can be resumed, if there is one."""
        return None if self.ledger is None else self.ledger.path

    @property
    def shown(self) -> ShownRuns:
        """What the tables are made from, so far."""
        comparison = self.comparison
        return ShownRuns(
            comparison.suite.title,
            [facts_of(board) for board in comparison.suite.boards],
            comparison.engines,
            self.found,
            self.workers_used,
            __version__,
            comparison.setting,
            comparison.setting.compiled,
        )


def _begin(
    stack: ExitStack,
    boards: Sequence[str],
    asked: AskedComparison,
    *,
    worker_options: WorkerOptions,
    output: Path | None,
) -> _RunningComparison:
    """A new comparison."""
    comparison = _new_comparison(boards, asked)
    if output is not None:
        require_new(output)
    # Workers come first: a cluster that does not answer leaves no file behind.
    workers = stack.enter_context(opened_workers(worker_options))
    mode = choose_mode(comparison, workers)
    if mode.why:
        note(f"note: {mode.why}")
    comparison = replace(comparison, setting=replace(comparison.setting, compiled=mode.compiled))
    used, ledger = WorkersUsed.of(workers), None
    if output is not None:
        ledger = stack.enter_context(new_ledger(output))
        ledger.add(heading_record(heading_of(comparison, boards, asked.zero, used)))
        for measurement in mode.found:
            ledger.add(measurement_record(measurement))
    missing = comparison.missing([each.task for each in mode.found])
    return _RunningComparison(comparison, list(mode.found), missing, ledger, workers, [used])


def _resume(stack: ExitStack, path: Path, worker_options: WorkerOptions) -> _RunningComparison:
    """What an earlier comparison has measured, and what it lacks."""
    lines, ledger = stack.enter_context(open_ledger(path))
    kept = read_comparison(lines)
    comparison = _same_comparison(kept.heading, path)
    missing = comparison.missing([each.task for each in kept.measurements])
    if not missing:
        return _RunningComparison(comparison, list(kept.measurements), [], ledger, None, kept.workers)
    workers = stack.enter_context(opened_workers(worker_options, kept.workers))
    used = note_new_workers(ledger, workers, kept.workers)
    return _RunningComparison(comparison, list(kept.measurements), missing, ledger, workers, used)


def _same_comparison(heading: BenchHeading, path: Path) -> EngineComparison:
    """The comparison of a file that is resumed, if it can be made here."""
    comparison = comparison_of(heading, load_boards(heading.arguments, heading.zero))
    require_same(heading, heading_of(comparison, heading.arguments, heading.zero), path)
    return comparison


def _new_comparison(boards: Sequence[str], asked: AskedComparison) -> EngineComparison:
    """What the options ask for, with the suite's values for options left out."""
    if not boards:
        raise click.UsageError(f"name boards, a folder or a suite (see: {program_name()} bench suites)")
    suite = load_boards(boards, asked.zero, note)
    chosen = tuple(dict.fromkeys(asked.engines or suite.engines or USUAL_ENGINES))
    for name in chosen:
        require_installed(get_engine(name))  # raises before any work is done
    limits = BenchLimits(asked.time_limit or suite.seconds, asked.memory_limit)
    runs_of = {} if asked.runs else {name: count for name, count in suite.runs_of.items() if name in chosen}
    return EngineComparison(suite, chosen, RunSetting(limits, asked.seed), asked.runs or suite.runs, runs_of)


def _measure(begun: _RunningComparison) -> None:
    """Make the runs that are missing; each is in the file before the next is waited for."""
    if begun.workers is None:
        return
    with ProgressBar(len(begun.missing)) as progress:
        results = run_tasks(begun.comparison, begun.missing, begun.workers, on_compiling=progress.show)
        for measurement in results:
            if begun.ledger is not None:
                begun.ledger.add(measurement_record(measurement))
            begun.found.append(measurement)
            progress.advance(f"{measurement.task.board}, {measurement.task.engine}")
            stop_if_pending()
