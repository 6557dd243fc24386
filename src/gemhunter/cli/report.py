"""`gemhunter report`: what a course report contains, measured here and now, as one file."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.options import OutputFile, complete_engine, cores, workers_option, zero_option

if TYPE_CHECKING:
    from gemhunter.report.findings import Findings
    from gemhunter.work.ledger import Ledger

LEDGER_SUFFIX, FIGURES_SUFFIX = ".jsonl", "-figures"


@click.command()
@click.argument("boards", nargs=-1, metavar="[BOARDS|SUITE]...")
@click.option(
    "-o",
    "--output",
    type=OutputFile(),
    metavar="FILE",
    help="Write the report to FILE [default: report.html, report.md or report.tex].",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "md", "tex"]),
    default="html",
    show_default=True,
    help="One file with everything in it, or text with its figures in a folder beside it.",
)
@click.option("--quick/--full", default=True, help="A few minutes (the default), or as long as it takes.")
@click.option(
    "-e",
    "--engine",
    "engines",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_engine,
    help="Engine to compare; may be given several times [default: those of the suites].",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of first runs; others follow it.")
@zero_option
@workers_option
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
def report(boards: tuple[str, ...], *, output: Path | None, workers: int | None, **asked: Any) -> int:
    """Measure engines on boards, and write a report about it.

    BOARDS are files or folders; SUITE is one of `gemhunter bench suites`. Without any, the report is about
    the course programs S1 to S5: their boards, and their own figures beside the ones measured here. The file
    needs nothing else to be read. Everything measured is kept in a ledger, from which the report can be
    written again without measuring.

    \b
    Examples:
      gemhunter report
      gemhunter report my-boards/ -e cdcl -e pysat:glucose4 -o mine.html
      gemhunter report --full --workers 1 -o full.html
      gemhunter report --resume full.jsonl --format tex -o full.tex
    """
    from gemhunter.report.chart_style import require_matplotlib

    require_matplotlib()
    form = asked.pop("form")
    target = output or Path(f"report.{form}")
    with ExitStack() as files:
        findings, ledger = _begin(files, boards, target, asked)
        _measure(findings, ledger, workers or cores())
    _write(findings, target, form)
    click.echo(f"{target}: the report; {ledger.path}: what it is made from", err=True)
    return ENGINE_FAILED if _report_faults(findings) else SOLVED


def _begin(
    files: ExitStack, boards: tuple[str, ...], target: Path, asked: dict[str, Any]
) -> "tuple[Findings, Ledger]":
    """What has been found before, and the file to add to."""
    from gemhunter.report.findings import Findings, heading_of_report, read_findings
    from gemhunter.report.plan import FULL, QUICK, new_plan
    from gemhunter.work.ledger import new_ledger, open_ledger, require_new

    if asked["resume"] is not None:
        if boards or asked["ledger"] or asked["engines"]:
            raise click.UsageError("--resume takes boards, engines and limits from its file")
        lines, ledger = files.enter_context(open_ledger(asked["resume"]))
        findings = read_findings(lines)
        return findings, ledger
    path = asked["ledger"] or target.with_suffix(LEDGER_SUFFIX)
    require_new(path)
    plan = new_plan(
        boards,
        QUICK if asked["quick"] else FULL,
        engines=asked["engines"],
        zero=asked["zero"],
        seed=asked["seed"],
        notice=lambda line: click.echo(line, err=True),
    )
    ledger = files.enter_context(new_ledger(path))
    ledger.add(heading_of_report(plan))
    return Findings(plan), ledger


def _measure(findings: "Findings", ledger: "Ledger", workers: int) -> None:
    """Find what is missing; each finding is in the file before the next is waited for."""
    from gemhunter.bench.ledger import require_same
    from gemhunter.bench.places import this_machine
    from gemhunter.cli.bench_progress import BenchProgress
    from gemhunter.cli.interrupts import stop_if_pending
    from gemhunter.report.collect import collect, count_missing
    from gemhunter.report.plan import begun_here

    missing = count_missing(findings)
    if not missing:
        return
    for part in findings.plan.parts:
        require_same(part.heading, begun_here(part), ledger.path)
    with BenchProgress(missing, sys.stderr.isatty()) as progress, this_machine(workers) as place:
        for found in collect(findings, place):
            ledger.add(found.record)
            findings.add(found.record)
            progress.advance(found.told)
            stop_if_pending()


def _write(findings: "Findings", target: Path, form: str) -> None:
    """Write the report; figures that the format cannot hold go to a folder named after it."""
    from gemhunter.formats.files import make_folder, write_atomically
    from gemhunter.report.contents import write_document
    from gemhunter.report.figure_files import PDF, SVG, figure_files
    from gemhunter.report.latex_page import write_latex_page
    from gemhunter.report.markdown_page import write_markdown_page
    from gemhunter.report.page import write_page

    document = write_document(findings)
    if form == "html":
        write_atomically(target, write_page(document))
        return
    folder = target.with_name(f"{target.stem}{FIGURES_SUFFIX}")
    make_folder(folder)
    for name, content in figure_files(document, SVG if form == "md" else PDF).items():
        write_atomically(folder / name, content)
    write = write_markdown_page if form == "md" else write_latex_page
    write_atomically(target, write(document, folder.name))


def _report_faults(findings: "Findings") -> bool:
    """Whether answers cannot all be right; an error line for each."""
    from gemhunter.bench.summary import disagreements

    faults = [fault for runs in findings.measurements for fault in disagreements(runs)]
    for fault in faults:
        click.echo(f"error: {fault.text}", err=True)
    return bool(faults)
