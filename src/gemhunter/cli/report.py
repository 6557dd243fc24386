"""`gemhunter report`: a course report in one file, with measurements made on this machine."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from gemhunter.bench.ledger import require_engines, require_same
from gemhunter.bench.runs import WorkersUsed
from gemhunter.bench.summary import disagreements
from gemhunter.cli.declare import argument, command, flag, option
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED, complain, note, stop_if_pending
from gemhunter.cli.options import (
    FIRST_RUN_SEED_OPTION,
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
from gemhunter.cli.output import Outputs, ending_of, output_option
from gemhunter.cli.progress import Progress, new_ledger_path, showing_how_to_continue
from gemhunter.cli.workers import note_new_workers, opened_workers
from gemhunter.errors import InputError
from gemhunter.files.access import make_folder, read_bytes, source_name, write_atomically
from gemhunter.files.dialects import Zero
from gemhunter.optional_packages import has_package, missing_text
from gemhunter.printable import printable, printable_lines
from gemhunter.report.collect import collect, count_missing, most_seconds
from gemhunter.report.contents import write_document
from gemhunter.report.document import SECTION_TITLES, Document
from gemhunter.report.figures import figure_files
from gemhunter.report.findings import Findings, read_findings, require_section
from gemhunter.report.formats.html import write_page
from gemhunter.report.formats.markdown import write_markdown_page
from gemhunter.report.formats.typst import require_typst, write_pdf_page
from gemhunter.report.ledger import OwnGiven, OwnLine, heading_of_report
from gemhunter.report.plan import FULL_EFFORT, QUICK_EFFORT, begun_here, new_plan
from gemhunter.wording import listed
from gemhunter.work.ledger import Ledger, new_ledger, open_ledger, require_new
from gemhunter.work.workers import Workers


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


@command()
def report(
    boards: tuple[str, ...] = argument(nargs=-1, metavar="[BOARDS|SUITE]...", shell_complete=complete_board),
    *,
    engines: tuple[str, ...] = compared_engines_option("those of the suites"),
    outputs: Outputs = output_option(
        html="a page",
        pdf="a document",
        md="text with its figures in a folder beside it",
        jsonl="everything measured",
    ),
    title: str | None = option("--title TEXT", "The title of the report."),
    authors: tuple[str, ...] = option("--author NAME", "An author; can be repeated.", multiple=True),
    course: str | None = option("--course TEXT", "The course that the report is for."),
    texts: tuple[tuple[str, str], ...] = option(
        "--text SECTION=FILE",
        "Put the Markdown of FILE into a section; can be repeated. The sections are "
        f"{listed(list(SECTION_TITLES))}.",
        multiple=True,
        callback=_read_text_options,
    ),
    full: bool = flag(
        "--full",
        "Make all runs with the time limits of the suites, and play and deal more games. Without it, the "
        "report about the course programs takes a minute or two, one about a few small boards seconds.",
    ),
    resume: Path | None = resume_option(
        "Measure only what is missing from FILE, the ledger of a report, and write the report again."
    ),
    time_limit: float | None = seconds_option(
        "Time limit of each run [default: that of the suite, but 2 without --full]."
    ),
    seed: int = FIRST_RUN_SEED_OPTION,
    plain: bool = PLAIN_OPTION,
    workers: int | str | None = workers_option("Make the runs", TIMING_WORKERS),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Measure engines on boards, and write a report about it.

    \b
    Examples:
      gemhunter report
      gemhunter report my-boards/ -e cdcl -e pysat:glucose4 -o mine.html
      gemhunter report --title "Gem Hunter" --author "An Nguyen" --text intro=intro.md
      gemhunter report --resume report.jsonl --text discussion=discussion.md
      gemhunter report --full -o full.html
      gemhunter report --resume full.jsonl -o full.pdf

    BOARDS are files or folders; SUITE is one of `gemhunter bench suites`. Without any, the report is about
    the course programs S1 to S5: their boards, and their own figures beside the ones measured here. Without
    -o, a self-contained report.html is written. All measurements are kept in a ledger beside the report,
    .jsonl, from which the report can be written again without measuring. Notes in the report mark what you
    have to write yourself; --text inserts it.
    """
    new = new_ledger_path(outputs, resume)
    targets = [path for path in outputs.paths if path != new] or [Path("report.html")]
    if outputs.ending("pdf"):
        require_typst()
    own = _own_record(title, authors, course, texts, targets)
    with_charts = has_package("matplotlib")
    if not with_charts:
        note(f"the report has no charts: {missing_text('they need', 'matplotlib')}")
    with ExitStack() as stack:
        opened: Workers | None = None
        if resume is None:
            path = new or targets[0].with_suffix(".jsonl")
            require_new(path)
            effort = FULL_EFFORT if full else QUICK_EFFORT
            effort = replace(effort, most_seconds=time_limit or effort.most_seconds)
            plan = new_plan(boards, effort, engines=engines, zero=zero, seed=seed, notice=note)
            # Connect to the workers first: if a cluster does not answer, no file has been created.
            opened = stack.enter_context(opened_workers(workers))
            plan = plan.made_by(WorkersUsed.of(opened))
            ledger, findings = stack.enter_context(new_ledger(path)), Findings(plan)
            ledger.add(heading_of_report(plan))
        else:
            if boards or any(map(is_given, ("full", "time_limit", "seed", "zero"))):
                raise click.UsageError(
                    "--resume takes boards, limits, --full, the seed and --zero from its file"
                )
            lines, ledger = stack.enter_context(open_ledger(resume))
            findings = read_findings(lines)
            missing = count_missing(findings)
            require_engines(findings.plan.engines, engines, resume, starts=bool(missing))
            if missing:
                # What is missing must be measured by the same program on the same machine.
                for part in findings.plan.parts:
                    require_same(part.heading, begun_here(part), ledger.path)
                opened = stack.enter_context(opened_workers(workers, findings.workers))
                findings.workers = note_new_workers(ledger, opened, findings.workers)
        if findings.own.updated(own) != findings.own:
            ledger.add(OwnLine(own))
            findings.add(OwnLine(own))
        if opened is not None:
            # The command that continues need not repeat what the ledger keeps.
            measured = ("full", "engines", "time_limit", "seed", "plain", "zero", "resume")
            own_words = ("title", "authors", "course", "texts")
            with showing_how_to_continue(ledger.path, (*measured, *own_words)):
                _measure(findings, ledger, opened)
    document = write_document(findings, with_charts=with_charts, with_notes=True)
    for target in targets:
        _write(document, target)
        note(f"{target}: the report")
    note(f"{ledger.path}: the measurements it rests on")
    faults = [fault for runs in findings.measurements for fault in disagreements(runs.values())]
    for fault in faults:
        complain(fault.text)
    return ENGINE_FAILED if faults else SOLVED


def _own_record(
    title: str | None,
    authors: Sequence[str],
    course: str | None,
    texts: Sequence[tuple[str, str]],
    targets: Sequence[Path],
) -> OwnGiven:
    """What the author adds, as a ledger keeps it; none of its files may be one that will be written."""
    record: OwnGiven = {}
    if title is not None:
        record["title"] = printable(title.strip())
    if authors:
        record["authors"] = [printable(name.strip()) for name in authors if name.strip()]
    if course is not None:
        record["course"] = printable(course.strip())
    for section, file in texts:
        for target in targets:
            if target.exists() and Path(file).exists() and target.samefile(file):
                raise InputError(f"{source_name(file)} is read by this command; name another file to write")
        try:
            text = read_bytes(file, 2**20, "a text").decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"{source_name(file)}: not UTF-8 text") from None
        record.setdefault("texts", {})[section] = printable_lines(text.replace("\r\n", "\n"))
    return record


def _measure(findings: Findings, ledger: Ledger, workers: Workers) -> None:
    """Measure what is missing; each finding is in the file before the next one is awaited."""
    longest = duration_text(most_seconds(findings, workers.at_once))
    note(f"all runs take at most {longest} with {WorkersUsed.of(workers).words}")
    with Progress(count_missing(findings)) as progress:
        for found in collect(findings, workers):
            ledger.add(found.record)
            findings.add(found.record)
            progress.advance(found.words)
            stop_if_pending()


def duration_text(seconds: float) -> str:
    """A long time in two units, as in `2 h 5 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _write(document: Document, target: Path) -> None:
    """Write the report; figures that the format cannot contain go to a folder named after it."""
    form = ending_of(target)
    if form == "pdf":
        write_atomically(target, write_pdf_page(document))
    elif form == "md":
        folder = target.with_name(f"{target.stem}-figures")
        make_folder(folder)
        for name, content in figure_files(document).items():
            write_atomically(folder / name, content)
        write_atomically(target, printable_lines(write_markdown_page(document, folder.name)))
    else:
        write_atomically(target, printable_lines(write_page(document)))
