"""`gemhunter bench`: boards × engines × runs, compared fairly.

`run` measures and prints the table, `show` prints and draws what was measured, `suites` lists what comes
with the package.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from gemhunter import __version__
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.main import CommandEntry, LazyGroup
from gemhunter.cli.notes import complain, note, quiet_option, stop_if_pending
from gemhunter.cli.options import (
    AT_LEAST_ONE,
    Command,
    LedgerFiles,
    OutputFile,
    WorkerOptions,
    compared_engines_option,
    complete_board,
    cores,
    dask_option,
    first_seed_option,
    memory_option,
    options_as,
    plain_option,
    seconds_option,
    workers_option,
    zero_option,
)
from gemhunter.cli.output import (
    DOCUMENT_FORMS,
    RecordTable,
    print_table_as,
    table_format_option,
    text_table_in,
)
from gemhunter.cli.progress import ProgressBar, showing_how_to_continue
from gemhunter.cli.solve import result_times_text
from gemhunter.compare.charts import (
    ChartLook,
    Theme,
    board_chart,
    cactus_chart,
    counters_chart,
    engines_chart,
    png_of,
    require_matplotlib,
    scaling_chart,
    svg_of,
)
from gemhunter.compare.ledger import (
    BenchHeading,
    BoardFacts,
    KeptRuns,
    comparison_of,
    facts_of,
    heading_of,
    heading_record,
    measurement_record,
    open_comparison,
    read_comparison,
    require_same,
    workers_record,
    workers_text,
)
from gemhunter.compare.records import (
    RUN_COLUMNS,
    JsonValue,
    paired_records,
    run_records,
    suite_record,
    summary_records,
    write_json,
)
from gemhunter.compare.result_times import mode_text
from gemhunter.compare.runs import EngineComparison, RunSetting, choose_mode, run_tasks, run_workers
from gemhunter.compare.suites import (
    BenchLimits,
    Measurement,
    RunTask,
    WorkersUsed,
    load_boards,
    load_suite,
    suite_names,
)
from gemhunter.compare.summary import Summary, compare, disagreements, summarise
from gemhunter.compare.tables import (
    S4_HEADING,
    Average,
    TableLook,
    board_columns,
    change_table,
    measured_cases,
    paired_table,
    ranking_table,
    summary_table,
    unpaired_table,
)
from gemhunter.files.access import make_folder, require_writable_folder, write_atomically
from gemhunter.files.dialects import Zero
from gemhunter.files.tables import TextTable
from gemhunter.printable import counted, json_text, program_name
from gemhunter.questions.warmup import has_kernels
from gemhunter.solving.registry import get_engine, require_installed
from gemhunter.work.ledger import Ledger, new_ledger, open_ledger, require_new
from gemhunter.work.workers import Workers

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The workers that make the runs of a comparison, and warnings if they change while a ledger grows.


NOISE = "more workers make noisier times"


@contextmanager
def opened_workers(options: WorkerOptions, before: Sequence[WorkersUsed] = ()) -> Iterator[Workers]:
    """The workers asked for; by default as many on this machine as made the runs `before`, or all cores."""
    known = before[-1].number if before and not before[-1].on_dask else cores()
    with run_workers(options.dask, options.workers or known) as workers:
        yield workers


def note_new_workers(ledger: Ledger, workers: Workers, before: Sequence[WorkersUsed]) -> list[WorkersUsed]:
    """All workers that a resumed ledger knows of; new ones are recorded in it, with a warning.

    They are not refused: the answers are the same, and a cluster may finish what one machine began.
    """
    used = WorkersUsed.of(workers)
    if not before or used == before[-1]:
        return list(before)
    was, now = before[-1].words, used.words
    note(f"warning: the runs in {ledger.path} were made by {was}, the others are made by {now}; {NOISE}")
    ledger.add(workers_record(used))
    return [*before, used]


def warn_of_different_workers(names: tuple[str, str], workers: tuple[Sequence[WorkersUsed], ...]) -> None:
    """Print a warning if two ledgers name different numbers of workers."""
    first, second = workers
    if first and second and set(first) != set(second):
        made = [f"{name} was {workers_text(used)}" for name, used in zip(names, workers, strict=True)]
        note(f"warning: {', '.join(made)}; {NOISE}")


# Tables of comparisons, printed in the form that was asked for.


@dataclass(frozen=True, slots=True)
class TableChoices:
    """The options about tables of times: form and average, what stands beside times, a file for times."""

    form: str
    average: str
    spread: bool
    counters: str | None
    times: Path | None

    @property
    def look(self) -> TableLook:
        """How a table of times looks."""
        names = tuple(name.strip() for name in self.counters.split(",")) if self.counters else ()
        return TableLook(Average(self.average), self.form != "text", self.spread, names)


def table_options(command: Command) -> Command:
    """How a table of times looks."""
    for option in (
        click.option(
            "--times",
            type=OutputFile(),
            metavar="FILE",
            help="Write the times to FILE as well, laid out like S2's result_times.txt.",
        ),
        click.option("--counters", metavar="LIST", help="Counters beside times, such as conflicts,nodes."),
        click.option("--spread", is_flag=True, help="Show how far the runs are apart."),
        click.option(
            "--average",
            type=click.Choice([average.value for average in Average]),
            default=Average.MEDIAN.value,
            show_default=True,
            help="The number that stands for all runs.",
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(DOCUMENT_FORMS),
            default="text",
            show_default=True,
            help="How to print the table.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class ShownRuns:
    """What the tables and charts of a comparison are made from.

    `workers` are those that made the runs, `version` is the program's, and `compiled` says whether engines
    written here ran compiled.
    """

    title: str
    boards: Sequence[BoardFacts]
    engines: Sequence[str]
    measurements: Sequence[Measurement]
    workers: Sequence[WorkersUsed]
    version: str
    setting: RunSetting
    compiled: bool


def print_summary(runs: ShownRuns, choices: TableChoices) -> bool:
    """Print a table of times and a ranking; True, with an error line each, if answers cannot all be right."""
    boards, form = runs.boards, choices.form
    columns = board_columns(boards, runs.engines, in_file=form != "text")
    summary = summarise(runs.measurements, boards=[board.name for board in boards], engines=runs.engines)
    if form == "json":
        click.echo(write_json(summary_records(summary, boards, runs.version, runs.setting.seed)), nl=False)
    else:
        print_text_table(summary_table(summary, replace(choices.look, columns=columns)), form)
    if form == "text":
        if len(summary.engines) > 1 and len(summary.boards) > 1:
            click.echo()
            print_text_table(ranking_table(summary), form)
        click.echo()
        s4 = "; S4: with --variables all --keep-duplicates" if S4_HEADING in columns else ""
        click.echo(f"clauses: as `cnf BOARD` writes them{s4}")
        if mode := _mode_of(runs):
            click.echo(mode)
        click.echo(workers_text(runs.workers))
    if choices.times is not None:
        _write_times(runs, choices.look.average, choices.times)
    wrong = disagreements(runs.measurements)
    for each in wrong:
        complain(each.text)
    return bool(wrong)


def print_text_table(table: TextTable, form: str) -> None:
    """Print a table for people, or in one of the forms that documents are made of."""
    click.echo(text_table_in(form, table), nl=False)


def _write_times(runs: ShownRuns, average: Average, path: Path) -> None:
    """Write the table of a course report, and a note about it."""
    cases = measured_cases(runs.boards, runs.measurements, average)
    write_atomically(path, result_times_text(runs.engines, cases, _mode_of(runs)))
    note(f"written: {path}")


def _mode_of(runs: ShownRuns) -> str | None:
    """How engines written here ran; None if there are none."""
    return mode_text(compiled=runs.compiled) if any(map(has_kernels, runs.engines)) else None


# Charts of comparisons: the options about them, and the files.


CHART_WRITERS: Mapping[str, Callable[..., str | bytes]] = MappingProxyType({"svg": svg_of, "png": png_of})
"""How charts are written."""


@dataclass(frozen=True, slots=True)
class ChartChoices:
    """The options about charts: their folder, kind of pictures, shape and colours."""

    charts: Path | None
    charts_format: str
    line: bool
    dark: bool

    def require(self) -> None:
        """Report before any work is done that charts cannot be drawn, or not be written to their folder."""
        if self.charts is not None:
            require_matplotlib()
            require_writable_folder(self.charts)


def chart_options(command: Command) -> Command:
    """Which charts are drawn."""
    for option in (
        click.option("--dark", is_flag=True, help="Charts for a dark page."),
        click.option("--line", is_flag=True, help="Charts of boards as a line with markers."),
        click.option(
            "--charts-format",
            type=click.Choice(list(CHART_WRITERS)),
            default=next(iter(CHART_WRITERS)),
            show_default=True,
            help="What kind of pictures.",
        ),
        click.option(
            "--charts",
            type=click.Path(file_okay=False, path_type=Path),
            metavar="FOLDER",
            help="Draw times and counters per board, times by size, a cactus plot and every two engines.",
        ),
    ):
        command = option(command)
    return command


def write_charts(runs: ShownRuns, choices: ChartChoices, average: Average) -> None:
    """Write all charts to the folder that was asked for, if there is one."""
    if choices.charts is None:
        return
    names = [board.name for board in runs.boards]
    summary = summarise(runs.measurements, boards=names, engines=runs.engines)
    make_folder(choices.charts)
    drawn = _charts(runs, summary, choices, average)
    for name, figure in drawn.items():
        picture = CHART_WRITERS[choices.charts_format](figure)
        write_atomically(choices.charts / f"{name}.{choices.charts_format}", picture)
    note(f"written: {counted(len(drawn), 'chart')} in {choices.charts}")


def _charts(
    runs: ShownRuns, summary: Summary, choices: ChartChoices, average: Average
) -> "dict[str, Figure]":
    """Charts by the names of their files."""
    theme, limit = Theme.DARK if choices.dark else Theme.LIGHT, runs.setting.limits.seconds
    charts = {
        f"board-{_file_name(board)}": board_chart(
            summary, board, ChartLook(board, theme), average=average, line=choices.line
        )
        for board in summary.boards
    }
    charts |= {
        f"counters-{_file_name(board)}": counters_chart(summary, board, ChartLook(board, theme))
        for board in summary.boards
    }
    cells = {board.name: board.rows * board.cols for board in runs.boards}
    charts["scaling"] = scaling_chart(summary, cells, ChartLook(runs.title, theme), limit=limit)
    charts["cactus"] = cactus_chart(summary, ChartLook(runs.title, theme), limit=limit)
    for one, other in combinations(summary.engines, 2):
        name = f"{_file_name(one)}-against-{_file_name(other)}"
        charts[name] = engines_chart(summary, (one, other), ChartLook("", theme))
    return charts


def _file_name(text: str) -> str:
    """A name without what file systems do not like."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in text)


# `gemhunter bench run`: measure, and print the table.


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


# `gemhunter bench show`: tables and charts of what has been measured, and two ledgers side by side.


@click.command("show")
@click.argument(
    "ledgers",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="LEDGER...",
)
@table_options
@chart_options
@click.option(
    "--every-run", is_flag=True, help="Print a row per run, of any number of ledgers, instead of averages."
)
@quiet_option
@options_as(TableChoices, "choices")
@options_as(ChartChoices, "pictures")
def show_bench(
    ledgers: tuple[Path, ...], *, choices: TableChoices, pictures: ChartChoices, every_run: bool
) -> int:
    """Print the table of a LEDGER again, draw it, or compare two of them.

    With two ledgers, each engine on each board is compared with itself: the second median as a multiple of
    the first, and per engine the geometric mean of these ratios with its 95 % interval.

    \b
    Examples:
      gemhunter bench show bench.jsonl --format tex
      gemhunter bench show bench.jsonl --counters conflicts,nodes --charts charts/
      gemhunter bench show before.jsonl after.jsonl
      gemhunter bench show bench.jsonl --every-run --format csv > runs.csv
    """
    if len(ledgers) > 2 and not every_run:
        raise click.UsageError("show one ledger, or compare two")
    if every_run and (pictures.charts is not None or choices.times is not None):
        raise click.UsageError("--every-run prints runs only; leave out --charts and --times")
    pictures.require()
    kept = [(path, open_comparison(path)) for path in ledgers]
    if every_run:
        _print_every_run(kept, choices.form)
        return SOLVED
    if len(kept) == 2:
        if pictures.charts is not None or choices.times is not None:
            raise click.UsageError(f"--{'times' if pictures.charts is None else 'charts'} takes one ledger")
        _print_pair(*kept, form=choices.form)
        return SOLVED
    ((_, found),) = kept
    shown = _shown(found)
    wrong = print_summary(shown, choices)
    write_charts(shown, pictures, choices.look.average)
    return ENGINE_FAILED if wrong else SOLVED


def _shown(found: KeptRuns) -> ShownRuns:
    heading = found.heading
    return ShownRuns(
        heading.title,
        heading.boards,
        heading.engines,
        found.measurements,
        found.workers,
        heading.versions.get("gemhunter", ""),
        heading.setting,
        heading.compiled,
    )


def _print_every_run(kept: list[tuple[Path, KeptRuns]], form: str) -> None:
    records = [record for path, found in kept for record in run_records(path.stem, found)]
    if form == "json":
        click.echo(write_json(records), nl=False)
    else:
        rows = tuple(tuple(map(_cell, record.values())) for record in records)
        print_text_table(TextTable(RUN_COLUMNS, rows), form)


def _cell(value: JsonValue) -> str:
    if isinstance(value, Mapping):
        return json_text(value)
    return "" if value is None else str(value)


def _print_pair(before: tuple[Path, KeptRuns], after: tuple[Path, KeptRuns], *, form: str) -> None:
    names = (before[0].stem, after[0].stem)
    warn_of_different_workers((before[0].name, after[0].name), (before[1].workers, after[1].workers))
    paired = compare(before[1].measurements, after[1].measurements, names)
    if form == "json":
        click.echo(write_json(paired_records(paired)), nl=False)
        return
    print_text_table(paired_table(paired, in_file=form != "text"), form)
    click.echo()
    print_text_table(change_table(paired), form)
    if paired.only_before or paired.only_after:
        click.echo()
        print_text_table(unpaired_table(paired), form)


# `gemhunter bench suites`: the comparisons that come with the package.


@click.command("suites")
@table_format_option
def list_suites(form: str) -> None:
    """List the built-in suites with their boards, engines and limits.

    \b
    Examples:
      gemhunter bench suites
      gemhunter bench suites --format json
    """
    suites = [load_suite(name) for name in suite_names()]
    records = [suite_record(suite) for suite in suites]
    rows = [[suite.name, str(len(suite.boards)), suite.title, ", ".join(suite.engines)] for suite in suites]
    print_table_as(form, RecordTable(["suite", "boards", "what it is", "engines"], rows, records))


# `gemhunter bench`: boards × engines × runs, compared fairly.


PARTS = {
    "run": CommandEntry("gemhunter.cli.bench:run_bench", "Measure engines on boards, and print a table."),
    "show": CommandEntry(
        "gemhunter.cli.bench:show_bench",
        "Print the table of a LEDGER again, draw it, or compare two of them.",
    ),
    "suites": CommandEntry(
        "gemhunter.cli.bench:list_suites",
        "List the built-in suites with their boards, engines and limits.",
    ),
}

DEFAULT_PART = "run"
"""The part that may be left out."""


class BenchGroup(LazyGroup):
    """A group in which `bench s1` means `bench run s1`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `run` first unless a part, or help, is asked for."""
        if args and args[0] not in (*PARTS, *ctx.help_option_names):
            args = [DEFAULT_PART, *args]
        return super().parse_args(ctx, args)


@click.group(cls=BenchGroup, sections={"Parts": PARTS}, kind="part of bench", no_args_is_help=True)
def bench() -> None:
    """Compare engines on boards: which is fastest, and where.

    `bench s1` is short for `bench run s1`. Every engine runs in a process of its own, under limits that hold
    whatever the engine does. Every answer is checked. With -o, nothing measured is lost.

    \b
    Examples:
      gemhunter bench s1
      gemhunter bench my-boards/ -e cdcl -e pysat:glucose4 --runs 5 -o bench.jsonl
      gemhunter bench --resume bench.jsonl
      gemhunter bench show bench.jsonl --format md
      gemhunter bench show before.jsonl after.jsonl
      gemhunter bench suites
    """
