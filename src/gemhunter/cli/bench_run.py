"""`gemhunter bench run`: measure, and print the table."""

import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.bench_tables import board_facts, print_summary, table_options
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.options import (
    OutputFile,
    complete_engine,
    cores,
    memory_option,
    seconds_option,
    workers_option,
    zero_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gemhunter.bench.ledger import KeptRuns
    from gemhunter.bench.runs import EngineComparison
    from gemhunter.bench.values import Measurement
    from gemhunter.work.ledger import Ledger

USUAL_ENGINES = ("pysat", "backtracking", "brute-force", "dpll", "cdcl")
"""Who is compared if neither the user nor the suite says."""


@click.command("run")
@click.argument("boards", nargs=-1, metavar="[BOARDS|SUITE]...")
@click.option(
    "-e",
    "--engine",
    "engines",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_engine,
    help="Engine to compare; may be given several times [default: those of the suite].",
)
@click.option(
    "--runs", type=click.IntRange(min=1), metavar="N", help="Runs per board and engine [default: 3]."
)
@seconds_option("Time limit of each run [default: that of the suite, or 10].")
@memory_option
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of first runs; others follow it.")
@workers_option
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Make the runs on the Dask cluster of this scheduler, or on a `local` one.",
)
@zero_option
@click.option("-o", "--output", type=OutputFile(), metavar="FILE", help="Keep every run in a new FILE.")
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Make the runs that FILE lacks; everything else is as it was begun.",
)
@table_options
def run_bench(boards: tuple[str, ...], *, workers: int | None, **asked: Any) -> int:
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
    resume, output, dask = (asked.pop(name) for name in ("resume", "output", "dask"))
    looks = {name: asked.pop(name) for name in ("form", "average", "spread", "counters")}
    with ExitStack() as files:
        kept, ledger = None, None
        if resume is not None:
            _require_nothing_else(output, boards, asked)
            kept, ledger = _resumed(files, resume)
        comparison = _new_comparison(boards, **asked) if kept is None else _same_comparison(kept, resume)
        if output is not None:
            ledger = files.enter_context(_begun(output, comparison, boards, asked["zero"]))
        found = [] if kept is None else list(kept.measurements)
        try:
            _measure(comparison, found, ledger, workers=workers or cores(), dask=dask)
        finally:
            wrong = print_summary(board_facts(comparison), comparison.engines, found, **looks)
    return ENGINE_FAILED if wrong else SOLVED


def _require_nothing_else(output: Path | None, boards: "Sequence[str]", asked: dict[str, Any]) -> None:
    """A file that is resumed says itself what is compared."""
    if output is not None or boards or any(asked[name] for name in ("engines", "runs", "time_limit")):
        raise click.UsageError("--resume takes boards, engines, runs and limits from its file")


def _resumed(files: ExitStack, path: Path) -> "tuple[KeptRuns, Ledger]":
    """What an earlier comparison has measured, and the file to add to."""
    from gemhunter.bench.ledger import read_comparison
    from gemhunter.errors import InputError
    from gemhunter.work.ledger import open_ledger

    lines, ledger = files.enter_context(open_ledger(path))
    kept = read_comparison(lines)
    if kept.heading is None:
        raise InputError(f"{path} is empty; begin another with -o FILE")
    return kept, ledger


def _same_comparison(kept: "KeptRuns", path: Path) -> "EngineComparison":
    """The comparison of a file that is resumed, if it can be made here."""
    from gemhunter.bench.ledger import comparison_of, heading_of, require_same
    from gemhunter.bench.suites import load_boards

    heading = kept.heading
    if heading is None:
        raise AssertionError("an empty file is not resumed")
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
    from gemhunter.bench.measure import RunSetting
    from gemhunter.bench.runs import EngineComparison
    from gemhunter.bench.suites import load_boards
    from gemhunter.bench.values import BenchLimits
    from gemhunter.solving.registry import get_engine

    if not boards:
        raise click.UsageError("name boards, a folder or a suite (see: gemhunter bench suites)")
    suite = load_boards(boards, zero, lambda line: click.echo(line, err=True))
    chosen = tuple(dict.fromkeys(engines or suite.engines or USUAL_ENGINES))
    for name in chosen:
        get_engine(name)  # raises before any work is done if there is no such engine
    limits = BenchLimits(time_limit or suite.seconds, memory_limit)
    runs_of = {} if runs else {name: count for name, count in suite.runs_of.items() if name in chosen}
    return EngineComparison(suite, chosen, RunSetting(limits, seed), runs or suite.runs, runs_of)


@contextmanager
def _begun(
    output: Path, comparison: "EngineComparison", boards: "Sequence[str]", zero: Any
) -> "Iterator[Ledger]":
    """A new file with its first line."""
    from gemhunter.bench.ledger import heading_of, heading_record
    from gemhunter.work.ledger import new_ledger

    with new_ledger(output) as ledger:
        ledger.add(heading_record(heading_of(comparison, boards, zero)))
        yield ledger


def _measure(
    comparison: "EngineComparison",
    found: "list[Measurement]",
    ledger: "Ledger | None",
    *,
    workers: int,
    dask: str | None,
) -> None:
    """Make the runs that are missing; each is in the file before the next is waited for."""
    from gemhunter.bench.ledger import measurement_record
    from gemhunter.bench.places import on_dask, this_machine
    from gemhunter.bench.runs import run_tasks
    from gemhunter.cli.bench_progress import BenchProgress
    from gemhunter.cli.interrupts import stop_if_pending

    missing = comparison.missing([each.task for each in found])
    with (
        BenchProgress(len(missing), sys.stderr.isatty()) as progress,
        on_dask(dask, workers) if dask else this_machine(workers) as place,
    ):
        for measurement in run_tasks(comparison, missing, place):
            if ledger is not None:
                ledger.add(measurement_record(measurement))
            found.append(measurement)
            progress.show(measurement)
            stop_if_pending()
