"""`gemhunter bench`: boards × engines × runs, compared fairly.

`run` measures and prints a table, `show` prints and draws earlier results, `suites` lists built-in suites.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemhunter.bench.ledger import (
    KeptRuns,
    comparison_of,
    heading_of,
    read_comparison,
    require_engines,
    require_readable,
    require_same,
    run_line,
    workers_text,
)
from gemhunter.bench.result_times import mode_text, result_times_text
from gemhunter.bench.runs import (
    BenchLimits,
    EngineComparison,
    RunSetting,
    Verdict,
    WorkersUsed,
    choose_mode,
    run_tasks,
)
from gemhunter.bench.suites import Suite, chosen_engines, load_boards, load_suite, suite_names, suite_record
from gemhunter.bench.summary import PairedSummary, compare, disagreements, summarise
from gemhunter.bench.tables import (
    RUN_COLUMNS,
    S4_HEADING,
    Average,
    JsonRecord,
    TableLook,
    board_columns,
    change_table,
    measured_cases,
    paired_records,
    paired_table,
    ranking_table,
    run_records,
    start_notes,
    summary_records,
    summary_table,
    unpaired_table,
    write_json,
)
from gemhunter.charts.look import ChartLook, chart_file_names, png_of, require_matplotlib, svg_of
from gemhunter.charts.suites import board_chart, cactus_chart, counters_chart, engines_chart, scaling_chart
from gemhunter.cli.declare import Group, argument, command, flag, number, option
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED, complain, note, stop_if_pending
from gemhunter.cli.options import (
    FIRST_RUN_SEED_OPTION,
    MEMORY_OPTION,
    PLAIN_OPTION,
    TIMING_WORKERS,
    ZERO_OPTION,
    compared_engines_option,
    complete_board,
    is_given,
    resume_option,
    seconds_option,
    workers_option,
)
from gemhunter.cli.output import TABLE_FORMS, Outputs, format_option, output_option, table_in, write_output
from gemhunter.cli.progress import Progress, new_ledger_path, showing_how_to_continue
from gemhunter.cli.workers import NOISE, note_new_workers, opened_workers
from gemhunter.files.access import make_folder, require_writable_folder, write_atomically
from gemhunter.files.dialects import Zero
from gemhunter.files.text_tables import TextTable
from gemhunter.printable import json_text
from gemhunter.questions.warmup import has_kernels
from gemhunter.solving.registry import get_engine, require_installed
from gemhunter.wording import counted, joined, program_name
from gemhunter.work.command_words import path_of_program
from gemhunter.work.ledger import Ledger, new_ledger, open_ledger, read_ledger

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gemhunter.work.workers import Workers


TABLE_FILES = dict.fromkeys(("csv", "md", "tex", "json"), "the table, which is printed too") | {
    "txt": "the times as in S2's result_times.txt"
}
"""The files that `-o` writes in addition to a ledger."""


class BenchGroup(Group):
    """A group in which `bench s1` means `bench run s1`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `run` unless a subcommand or help is requested."""
        if not args or args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=BenchGroup, kind="bench command", no_args_is_help=False)
def bench() -> None:
    """Compare engines on boards: which is fastest, and where.

    \b
    Examples:
      gemhunter bench s1
      gemhunter bench my-boards/ -e cdcl -e pysat:glucose4 --runs 5 -o bench.jsonl
      gemhunter bench --resume bench.jsonl
      gemhunter bench show bench.jsonl --format md
      gemhunter bench show before.jsonl after.jsonl
      gemhunter bench suites

    `bench s1` is short for `bench run s1`. Every engine runs in a separate process, under limits that it
    cannot evade. Every answer is checked. With -o FILE.jsonl, no measurement is lost.
    """


# How tables and charts of times look, in `bench run` and `bench show`.

CHARTS_OPTION = option(
    "--charts FOLDER",
    "Draw times and counters per board, times by size, a cactus plot and a chart for each pair of "
    "engines, as .svg and .png.",
    type=click.Path(file_okay=False, path_type=Path),
)
LINE_OPTION = flag("--line", "Draw charts of boards as a line with markers.")
BENCH_FORM_OPTION = format_option("text", "csv", "md", "tex", "json")
COUNTERS_OPTION = option("--counters LIST", "Counters beside times, such as conflicts,nodes.", rare=True)
AVERAGE_OPTION = option(
    "--average",
    "The number that summarises all runs.",
    rare=True,
    choices=[average.value for average in Average],
    default=Average.MEDIAN.value,
    callback=lambda _, __, text: Average(text),
)
SPREAD_OPTION = flag("--spread", "Show the spread of the runs.", rare=True)


@command("run", group=bench)
def run_bench(
    boards: tuple[str, ...] = argument(nargs=-1, metavar="[BOARDS|SUITE]...", shell_complete=complete_board),
    *,
    engines: tuple[str, ...] = compared_engines_option("those of the suite"),
    runs: int | None = number("--runs", "Runs per board and engine [default: 3]."),
    time_limit: float | None = seconds_option("Time limit of each run [default: that of the suite, or 10]."),
    outputs: Outputs = output_option(jsonl="every run, which --resume continues", **TABLE_FILES),
    resume: Path | None = resume_option("Make the runs that are missing from FILE, with its settings."),
    charts: Path | None = CHARTS_OPTION,
    line: bool = LINE_OPTION,
    form: str = BENCH_FORM_OPTION,
    counters: str | None = COUNTERS_OPTION,
    average: Average = AVERAGE_OPTION,
    spread: bool = SPREAD_OPTION,
    memory_limit: int | None = MEMORY_OPTION,
    seed: int = FIRST_RUN_SEED_OPTION,
    workers: int | str | None = workers_option("Make the runs", TIMING_WORKERS),
    plain: bool = PLAIN_OPTION,
    zero: Zero = ZERO_OPTION,
) -> int:
    """Measure engines on boards, and print a table.

    \b
    Examples:
      gemhunter bench run s1
      gemhunter bench my-boards/ -e cdcl -e pysat:glucose4 -o bench.jsonl
      gemhunter bench --resume bench.jsonl
      gemhunter bench hard -e auto -e cp-sat --time-limit 20 -o hard.jsonl -o hard.csv
      gemhunter bench s1 --charts charts/

    BOARDS are files or folders; SUITE is one of `gemhunter bench suites`. Times are medians of encoding,
    solving and checking. Importing, compiling and an engine's first calls are not timed. The engines of Gem
    Hunter all run compiled, or all as plain Python if that is faster than compiling them first. If an engine
    has no answer, the table shows why: time limit, attempt limit, memory, stuck, crashed. It is an error if
    two engines contradict each other or one crashes.
    """
    _require_charts(charts)
    new = new_ledger_path(outputs, resume)
    ledger: Ledger | None = None
    opened: Workers | None = None
    with ExitStack() as stack:
        if resume is not None:
            kept_there = ("runs", "time_limit", "memory_limit", "seed", "zero")
            if boards or any(map(is_given, kept_there)):
                raise click.UsageError(
                    "--resume takes boards, runs, limits, the seed and --zero from its file"
                )
            lines, ledger = stack.enter_context(open_ledger(resume))
            kept = read_comparison(lines)
            heading, found, used = kept.heading, [*kept.measurements], [*kept.workers]
            require_readable(heading.arguments, resume)
            comparison = comparison_of(heading, load_boards(heading.arguments, heading.zero))
            require_same(heading, heading_of(comparison, heading.arguments, heading.zero), resume)
            missing = comparison.missing(found)
            require_engines(heading.engines, engines, resume, starts=bool(missing))
            if missing:
                opened = stack.enter_context(opened_workers(workers, used))
                used = note_new_workers(ledger, opened, used)
        else:
            if not boards:
                raise click.UsageError(
                    f"name boards, a folder or a suite; `{program_name()} bench suites` lists the suites"
                )
            suite = load_boards(boards, zero, note)
            limits = BenchLimits(time_limit or suite.seconds, memory_limit)
            comparison = _comparison(suite, engines, RunSetting(limits, seed), runs)
            # Connect to the workers first: if a cluster does not answer, no file has been created.
            opened = stack.enter_context(opened_workers(workers))
            mode = choose_mode(comparison, opened)
            if mode.why:
                note(f"note: {mode.why}")
            comparison = replace(comparison, setting=replace(comparison.setting, compiled=mode.compiled))
            found, used = [*mode.found], [WorkersUsed.of(opened)]
            heading = heading_of(comparison, boards, zero, used[0])
            if new is not None:
                ledger = stack.enter_context(new_ledger(new))
                ledger.add(heading)
                for measurement in found:
                    ledger.add(run_line(measurement))
            missing = comparison.missing(found)
        try:
            # The command that continues need not repeat what the ledger keeps.
            limits_kept = ("runs", "time_limit", "memory_limit")
            kept_options = ("engines", *limits_kept, "seed", "plain", "zero", "resume")
            with showing_how_to_continue(new or resume, kept_options), Progress(len(missing)) as progress:
                made = run_tasks(comparison, missing, opened, on_compiling=progress.show) if opened else ()
                for measurement in made:
                    # Each run is in the file before the next is waited for.
                    if ledger is not None:
                        ledger.add(run_line(measurement))
                    found.append(measurement)
                    progress.advance(f"{measurement.task.board}, {measurement.task.engine}")
                    stop_if_pending()
        finally:
            runs_made = KeptRuns(heading, tuple(found), tuple(used))
            code = _show_table(runs_made, outputs, form, average, counters, spread=spread)
    _write_charts(runs_made, charts, average, line=line)
    return code


def _comparison(
    suite: Suite, engines: Sequence[str], setting: RunSetting, runs: int | None
) -> EngineComparison:
    """The comparison that the options describe; options left out have the values of the suite."""
    usual = ("pysat", "backtracking", "brute-force", "dpll", "cdcl")
    chosen = chosen_engines(suite, engines, usual)
    for name in chosen:
        info = require_installed(get_engine(name)).info  # raises before any work is done
        if info.program:
            path_of_program(info.program, name)
    runs_of = {} if runs else {name: count for name, count in suite.runs_of.items() if name in chosen}
    return EngineComparison(suite, chosen, setting, runs or suite.runs, runs_of)


def _show_table(
    kept: KeptRuns, outputs: Outputs, form: str, average: Average, counters: str | None, *, spread: bool
) -> int:
    """Print the table of times, and write it to files; contradictory answers are an error."""
    heading = kept.heading
    boards = [board.name for board in heading.boards]
    summary = summarise(kept.measurements, boards=boards, engines=heading.engines)
    names = tuple(name.strip() for name in counters.split(",")) if counters else ()
    has_own = any(map(has_kernels, heading.engines))
    mode = mode_text(compiled=heading.compiled) if has_own else None

    def render(form: str) -> str:
        if form == "json":
            version = heading.versions.get("gemhunter", "")
            return write_json(summary_records(summary, heading.boards, version, heading.setting.seed))
        columns = board_columns(heading.boards, heading.engines, in_file=form != "text")
        look = TableLook(average, form != "text", spread, names, columns)
        table = _table(form, summary_table(summary, look))
        if form != "text":
            return table
        parts = [table]
        if len(summary.engines) > 1 and len(summary.boards) > 1:
            parts.append(_table(form, ranking_table(summary)))
        s4 = "; S4: with --variables all --keep-duplicates" if S4_HEADING in columns else ""
        clauses = f"clauses: as `cnf BOARD` writes them{s4}"
        about = (clauses, mode, *start_notes(kept.measurements), workers_text(kept.workers))
        return "\n".join([*parts, "".join(f"{line}\n" for line in about if line)])

    outputs.print_and_write(form, render, "the table")
    known = {counter for entry in summary.entries.values() for counter in entry.counters}
    if unknown := [name for name in names if name not in known]:
        note(f"no engine counted {', '.join(unknown)}; they counted {', '.join(sorted(known)) or 'nothing'}")
    for path in outputs.ending("txt"):
        cases = measured_cases(heading.boards, kept.measurements, average)
        write_output(path, result_times_text(heading.engines, cases, mode), "the times")
    wrong = disagreements(kept.measurements)
    for each in wrong:
        complain(each.text)
    # Engines often fail on every board in the same way: that is one line with all boards.
    failed: dict[tuple[str, str], set[str]] = {}
    for run in kept.measurements:
        if run.verdict is Verdict.CRASHED:
            failed.setdefault((run.engine, run.reason), set()).add(run.board)
    for (engine, reason), its_boards in failed.items():
        named = joined([board for board in boards if board in its_boards], "other boards")
        complain(f"{named}: {reason if reason.startswith(engine) else f'{engine}: {reason}'}")
    return ENGINE_FAILED if wrong or failed else SOLVED


def _require_charts(folder: Path | None) -> None:
    """Raise an error before any work is done if charts cannot be drawn or written to their folder."""
    if folder is not None:
        require_matplotlib()
        require_writable_folder(folder)


def _write_charts(kept: KeptRuns, folder: Path | None, average: Average, *, line: bool) -> None:
    """Write all charts to a folder, if there is one."""
    if folder is None:
        return
    heading = kept.heading
    names, limit = [board.name for board in heading.boards], heading.setting.limits.seconds
    summary = summarise(kept.measurements, boards=names, engines=heading.engines)
    cells = {board.name: board.rows * board.cols for board in heading.boards}
    charts: list[tuple[str, Figure]] = [
        ("scaling", scaling_chart(summary, cells, ChartLook(heading.title), limit=limit)),
        ("cactus", cactus_chart(summary, ChartLook(heading.title), limit=limit)),
    ]
    for board in summary.boards:
        look = ChartLook(board)
        board_times = board_chart(summary, board, look, average=average, line=line)
        charts.append((f"board-{board}", board_times))
        charts.append((f"counters-{board}", counters_chart(summary, board, look)))
    for one, other in combinations(summary.engines, 2):
        pair = engines_chart(summary, (one, other), ChartLook())
        charts.append((f"{one}-against-{other}", pair))
    make_folder(folder)
    file_names = chart_file_names(title for title, _ in charts)
    for name, (_, figure) in zip(file_names, charts, strict=True):
        write_atomically(folder / f"{name}.svg", svg_of(figure))
        write_atomically(folder / f"{name}.png", png_of(figure))
    note(f"{folder}: {counted(len(charts), 'chart')}")


@command("show", group=bench)
def show_bench(
    ledgers: tuple[Path, ...] = argument(
        nargs=-1,
        required=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="LEDGER...",
    ),
    *,
    every_run: bool = flag("--every-run", "Print a row per run of one or more ledgers instead of averages."),
    outputs: Outputs = output_option(**TABLE_FILES),
    charts: Path | None = CHARTS_OPTION,
    line: bool = LINE_OPTION,
    form: str = BENCH_FORM_OPTION,
    counters: str | None = COUNTERS_OPTION,
    average: Average = AVERAGE_OPTION,
    spread: bool = SPREAD_OPTION,
) -> int:
    """Print the table of a LEDGER again, draw it, or compare two of them.

    \b
    Examples:
      gemhunter bench show bench.jsonl --format tex
      gemhunter bench show before.jsonl after.jsonl
      gemhunter bench show bench.jsonl --counters conflicts,nodes --charts charts/
      gemhunter bench show bench.jsonl --every-run --format csv > runs.csv

    With two ledgers, each engine on each board is compared with itself: the second median as a multiple of
    the first, and per engine the geometric mean of these ratios with its 95 % interval.
    """
    if len(ledgers) > 2 and not every_run:
        raise click.UsageError("show one ledger, or compare two")
    if (len(ledgers) > 1 or every_run) and (charts is not None or outputs.ending("txt")):
        what = "--charts" if charts is not None else "-o FILE.txt"
        raise click.UsageError(f"{what} takes one ledger, without --every-run")
    _require_charts(charts)
    kept = [read_comparison(read_ledger(path)) for path in ledgers]
    if len(kept) == 1 and not every_run:
        code = _show_table(kept[0], outputs, form, average, counters, spread=spread)
        _write_charts(kept[0], charts, average, line=line)
        return code
    if every_run:
        runs = [run for path, each in zip(ledgers, kept, strict=True) for run in run_records(path.stem, each)]
        outputs.print_and_write(form, lambda form: _every_run_text(form, runs), "the table")
        return SOLVED
    before, after = kept
    if before.workers and after.workers and set(before.workers) != set(after.workers):
        names = (path.name for path in ledgers)
        made = [f"{name} was {workers_text(each.workers)}" for name, each in zip(names, kept, strict=True)]
        note(f"warning: {', '.join(made)}; {NOISE}")
    paired = compare(before.measurements, after.measurements, (ledgers[0].stem, ledgers[1].stem))
    outputs.print_and_write(form, lambda form: _pair_text(form, paired), "the table")
    return SOLVED


def _every_run_text(form: str, records: Sequence[JsonRecord]) -> str:
    """A row per run."""
    if form == "json":
        return write_json(records)

    def cell(value: object) -> str:
        return json_text(value) if isinstance(value, Mapping) else "" if value is None else str(value)

    return table_in(form, [RUN_COLUMNS, *([*map(cell, record.values())] for record in records)])


def _pair_text(form: str, paired: PairedSummary) -> str:
    """Tables that compare two ledgers: by board and engine, by engine, and what only one of them has."""
    if form == "json":
        return write_json(paired_records(paired))
    tables = [paired_table(paired, in_file=form != "text"), change_table(paired)]
    if paired.only_before or paired.only_after:
        tables.append(unpaired_table(paired))
    return "\n".join(_table(form, table) for table in tables)


def _table(form: str, table: TextTable) -> str:
    return table_in(form, [table.headings, *table.rows])


@command("suites", group=bench)
def list_suites(form: str = format_option(*TABLE_FORMS)) -> None:
    """List the built-in suites with their boards, engines and limits.

    \b
    Examples:
      gemhunter bench suites
      gemhunter bench suites --format json
    """
    suites = [load_suite(name) for name in suite_names()]
    rows = [["suite", "boards", "what it is", "engines"]]
    rows += [[suite.name, str(len(suite.boards)), suite.title, ", ".join(suite.engines)] for suite in suites]
    click.echo(table_in(form, rows, [*map(suite_record, suites)]), nl=False)
