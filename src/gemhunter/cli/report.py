"""`gemhunter report`: what a course report contains, measured here and now, as one file."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from gemhunter.cli.bench import note_new_workers, opened_workers
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.notes import complain, note, quiet_option, stop_if_pending
from gemhunter.cli.options import (
    OutputFile,
    WorkerOptions,
    compared_engines_option,
    complete_board,
    dask_option,
    first_seed_option,
    options_as,
    plain_option,
    seconds_option,
    workers_option,
    zero_option,
)
from gemhunter.cli.progress import ProgressBar, showing_how_to_continue
from gemhunter.compare.charts import require_matplotlib
from gemhunter.compare.ledger import require_same
from gemhunter.compare.report.contents import write_document
from gemhunter.compare.report.document import SECTION_TITLES, Document
from gemhunter.compare.report.findings import (
    Findings,
    collect,
    count_missing,
    heading_of_report,
    most_seconds,
    read_findings,
)
from gemhunter.compare.report.html import PDF, SVG, figure_files, write_page
from gemhunter.compare.report.latex import write_latex_page
from gemhunter.compare.report.markdown import write_markdown_page
from gemhunter.compare.report.own_words import require_section
from gemhunter.compare.report.plan import FULL_EFFORT, QUICK_EFFORT, ReportPlan, begun_here, new_plan
from gemhunter.compare.report.typst import require_typst, write_pdf_page
from gemhunter.compare.suites import WorkersUsed
from gemhunter.compare.summary import disagreements
from gemhunter.errors import InputError
from gemhunter.extras import has_package, missing_text
from gemhunter.files.access import make_folder, read_bytes, source_name, write_atomically
from gemhunter.files.dialects import Zero
from gemhunter.printable import listed, printable, printable_lines
from gemhunter.work.ledger import Ledger, new_ledger, open_ledger, require_new
from gemhunter.work.workers import Workers

LEDGER_SUFFIX, FIGURES_SUFFIX = ".jsonl", "-figures"

REPORT_KEPT = (
    *("quick", "engines", "time_limit", "seed", "zero", "ledger", "resume"),
    *("title", "authors", "course", "texts"),
)
"""Options whose values a ledger keeps; the command that continues it does not repeat them."""

LARGEST_TEXT = 2**20
"""Bytes of a text for a section."""

REPORT_FORMS = ("html", "pdf", "md", "tex")
"""The formats of a report, which are the endings of their files too."""


@dataclass(frozen=True, slots=True)
class AskedReport:
    """The options about what is measured; the suites decide what they leave out."""

    quick: bool
    engines: tuple[str, ...]
    time_limit: float | None
    seed: int
    zero: Zero


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The options about files: the report, a new ledger, or one to resume."""

    output: Path | None
    ledger: Path | None
    resume: Path | None


@dataclass(frozen=True, slots=True)
class OwnOptions:
    """What the author gives; `texts` are the sections and their files."""

    title: str | None
    authors: tuple[str, ...]
    course: str | None
    texts: tuple[tuple[str, str], ...]


def _read_text_options(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """The section and the file of each `SECTION=FILE`."""
    files: dict[str, str] = {}
    for value in values:
        section, _, file = value.partition("=")
        if not file:
            raise click.BadParameter(f"expected SECTION=FILE, as in intro=intro.md, not {value!r}")
        require_section(section)
        if section in files:
            raise click.BadParameter(f"two texts for the section {section}; put them into one file")
        files[section] = file
    return tuple(files.items())


@click.command()
@click.argument("boards", nargs=-1, metavar="[BOARDS|SUITE]...", shell_complete=complete_board)
@click.option(
    "-o",
    "--output",
    type=OutputFile(),
    metavar="FILE",
    help="Write the report to FILE [default: report.html, or report with the ending of the format].",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(REPORT_FORMS),
    help="html and pdf: one file with everything in it; md and tex: text with its figures in a folder beside "
    "it [default: by the ending of FILE, else html].",
)
@click.option("--quick/--full", default=True, help="A minute or two (the default), or as long as it takes.")
@compared_engines_option("those of the suites")
@seconds_option("Most that a run may take [default: that of the suite, but 2 with --quick].")
@first_seed_option
@plain_option
@zero_option
@workers_option
@dask_option("Make the runs")
@click.option(
    "--ledger",
    type=OutputFile(),
    metavar="FILE",
    help="Keep everything measured in a new FILE [default: the report's name with .jsonl].",
)
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="LEDGER",
    help="Measure only what LEDGER lacks, and write its report.",
)
@click.option("--title", metavar="TEXT", help="The title of the report.")
@click.option("--author", "authors", multiple=True, metavar="NAME", help="An author; can be repeated.")
@click.option("--course", metavar="TEXT", help="The course that the report is for.")
@click.option(
    "--text",
    "texts",
    multiple=True,
    callback=_read_text_options,
    metavar="SECTION=FILE",
    help="Put the Markdown of FILE into a section; can be repeated. The sections are "
    f"{listed(list(SECTION_TITLES))}.",
)
@quiet_option
@options_as(AskedReport, "asked")
@options_as(WorkerOptions, "worker_options")
@options_as(ReportFiles, "files")
@options_as(OwnOptions, "own_options")
def report(
    boards: tuple[str, ...],
    *,
    asked: AskedReport,
    worker_options: WorkerOptions,
    files: ReportFiles,
    own_options: OwnOptions,
    form: str | None,
) -> int:
    """Measure engines on boards, and write a report about it.

    BOARDS are files or folders; SUITE is one of `gemhunter bench suites`. Without any, the report is about
    the course programs S1 to S5: their boards, and their own figures beside the ones measured here. The file
    needs nothing else to be read. Everything measured is kept in a ledger, from which the report can be
    written again without measuring. Notes in the report say what is yours to write; --text puts it there.

    \b
    Examples:
      gemhunter report
      gemhunter report my-boards/ -e cdcl -e pysat:glucose4 -o mine.html
      gemhunter report --title "Gem Hunter" --author "An Nguyen" --text intro=intro.md
      gemhunter report --resume report.jsonl --text discussion=discussion.md
      gemhunter report --full --workers 1 -o full.html
      gemhunter report --resume full.jsonl -o full.pdf
    """
    form = form or _form_of(files.output)
    if form == "tex":
        require_matplotlib("reports as LaTeX need")
    if form == "pdf":
        require_typst()
    target = files.output or Path(f"report.{form}")
    own = _own_record(own_options, target)
    with_charts = has_package("matplotlib")
    if not with_charts:
        note(f"the report has no charts: {missing_text('they need', 'matplotlib')}")
    with ExitStack() as stack:
        if files.resume is None:
            ledger_path = files.ledger or target.with_suffix(LEDGER_SUFFIX)
            findings, ledger, workers = _begin(
                stack, boards, ledger_path, asked=asked, worker_options=worker_options
            )
        else:
            if boards or files.ledger or asked.engines or asked.time_limit:
                raise click.UsageError("--resume takes boards, engines and limits from its file")
            findings, ledger, workers = _resume(stack, files.resume, worker_options)
        if findings.own.updated(own) != findings.own:
            ledger.add({"own": own})
            findings.add({"own": own})
        with showing_how_to_continue(ledger.path, REPORT_KEPT):
            if workers is not None:
                _measure(findings, ledger, workers)
    _write(write_document(findings, with_charts=with_charts, with_notes=True), target, form)
    note(f"{target}: the report; {ledger.path}: what it is made from")
    return ENGINE_FAILED if _report_faults(findings) else SOLVED


def _form_of(output: Path | None) -> str:
    """The format that the ending of a file stands for; `html` for all other files."""
    ending = "" if output is None else output.suffix.lower().removeprefix(".")
    return ending if ending in REPORT_FORMS else "html"


def _own_record(options: OwnOptions, target: Path) -> dict[str, Any]:
    """What the author gives, as a ledger keeps it; no file may be the one that is to be written."""
    record: dict[str, Any] = {}
    if options.title is not None:
        record["title"] = printable(options.title.strip())
    if options.authors:
        record["authors"] = [printable(name.strip()) for name in options.authors if name.strip()]
    if options.course is not None:
        record["course"] = printable(options.course.strip())
    if options.texts:
        record["texts"] = {section: _read_own_text(file, target) for section, file in options.texts}
    return record


def _read_own_text(file: str, target: Path) -> str:
    if target.exists() and Path(file).exists() and target.samefile(file):
        raise InputError(f"{source_name(file)} is read by this command; name another file to write")
    try:
        text = read_bytes(file, LARGEST_TEXT, "a text").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{source_name(file)}: not UTF-8 text") from None
    return printable_lines(text.replace("\r\n", "\n"))


def _begin(
    stack: ExitStack, boards: Sequence[str], path: Path, *, asked: AskedReport, worker_options: WorkerOptions
) -> tuple[Findings, Ledger, Workers | None]:
    """A report without findings, its new ledger, and the workers that make the runs."""
    require_new(path)
    plan = _new_plan(boards, asked)
    # Workers come first: a cluster that does not answer leaves no file behind.
    workers = stack.enter_context(opened_workers(worker_options))
    plan = plan.made_by(WorkersUsed.of(workers))
    ledger = stack.enter_context(new_ledger(path))
    ledger.add(heading_of_report(plan))
    return Findings(plan), ledger, workers


def _new_plan(boards: Sequence[str], asked: AskedReport) -> ReportPlan:
    effort = QUICK_EFFORT if asked.quick else FULL_EFFORT
    return new_plan(
        boards,
        replace(effort, most_seconds=asked.time_limit or effort.most_seconds),
        engines=asked.engines,
        zero=asked.zero,
        seed=asked.seed,
        notice=note,
    )


def _resume(
    stack: ExitStack, path: Path, worker_options: WorkerOptions
) -> tuple[Findings, Ledger, Workers | None]:
    """What a ledger has, the ledger, and the workers that find what it lacks: None if it lacks nothing.

    Missing findings must be found by the program and on the machine that found the others.
    """
    lines, ledger = stack.enter_context(open_ledger(path))
    findings = read_findings(lines)
    if not count_missing(findings):
        return findings, ledger, None
    for part in findings.plan.parts:
        require_same(part.heading, begun_here(part), ledger.path)
    workers = stack.enter_context(opened_workers(worker_options, findings.workers))
    findings.workers = note_new_workers(ledger, workers, findings.workers)
    return findings, ledger, workers


def _measure(findings: Findings, ledger: Ledger, workers: Workers) -> None:
    """Find what is missing; each finding is in the file before the next is waited for."""
    longest = duration_text(most_seconds(findings, workers.at_once))
    note(f"the time limits of all runs add up to {longest} for {WorkersUsed.of(workers).words}")
    with ProgressBar(count_missing(findings)) as progress:
        for found in collect(findings, workers):
            ledger.add(found.record)
            findings.add(found.record)
            progress.advance(found.words)
            stop_if_pending()


def duration_text(seconds: float) -> str:
    """A long time in the two units that suit it, as in `2 h 5 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _write(document: Document, target: Path, form: str) -> None:
    """Write the report; figures that the format cannot hold go to a folder named after it."""
    if form == "html":
        write_atomically(target, printable_lines(write_page(document)))
        return
    if form == "pdf":
        write_atomically(target, write_pdf_page(document))
        return
    folder = target.with_name(f"{target.stem}{FIGURES_SUFFIX}")
    make_folder(folder)
    for name, content in figure_files(document, SVG if form == "md" else PDF).items():
        write_atomically(folder / name, content)
    write = write_markdown_page if form == "md" else write_latex_page
    write_atomically(target, printable_lines(write(document, folder.name)))


def _report_faults(findings: Findings) -> bool:
    """Whether answers cannot all be right; an error line for each."""
    faults = [fault for runs in findings.measurements for fault in disagreements(runs)]
    for fault in faults:
        complain(fault.text)
    return bool(faults)
