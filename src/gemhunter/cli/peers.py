"""`gemhunter peers`: our engines beside plain uses of other people's libraries."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.bench_tables import FORMATS
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.options import OutputFile, cores, seconds_option, workers_option, zero_option

if TYPE_CHECKING:
    from gemhunter.bench.peer_runs import ContestantOnBoard, PeerSetting, PeerTask
    from gemhunter.bench.values import BenchBoard


@click.command("peers")
@click.argument("boards", nargs=-1, metavar="[BOARDS|SUITE]...")
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="Runs per board and contestant.",
)
@seconds_option("Time limit of each run.", default=3.0)
@workers_option
@zero_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to write the tables.",
)
@click.option("-o", "--output", type=OutputFile(), metavar="FILE", help="Write the tables to FILE.")
def peers(
    boards: tuple[str, ...],
    *,
    runs: int,
    time_limit: float,
    workers: int | None,
    zero: Any,
    form: str,
    output: Path | None,
) -> int:
    """Compare us with plain uses of other libraries.

    Peers are PySAT, CP-SAT, pyganak, ms_toollib and multi-puzzle-solver, as far as they are installed (pip
    install 'gemhunter[peers]'). Both sides answer the same questions about the same boards in the same run:
    BOARDS are files or folders, SUITE is one of `gemhunter bench suites`; by default the boards of s1 to s3,
    random ones and positions of Expert games. Ratios are medians, a peer's to ours: above 1, ours is faster.
    Every answer of a peer is checked.

    \b
    Examples:
      gemhunter peers
      gemhunter peers my-boards/ --runs 9 --workers 1
      gemhunter peers counting --time-limit 20 --format md -o peers.md
    """
    from gemhunter.bench.peer_runs import PeerSetting, peer_tasks
    from gemhunter.bench.peers import installed_pairs

    asked = _boards(boards, zero)
    _report_missing()
    setting = PeerSetting(runs, time_limit)
    tasks = peer_tasks(installed_pairs(), asked)
    results = _measure(tasks, setting, workers or cores())
    _write(_text(form, asked, results, setting), output)
    return ENGINE_FAILED if _report_wrong(results) else SOLVED


def _boards(names: Sequence[str], zero: Any) -> "Sequence[BenchBoard]":
    from gemhunter.bench.peer_boards import default_boards
    from gemhunter.bench.suites import load_boards

    if not names:
        return default_boards()
    return load_boards(names, zero, lambda line: click.echo(line, err=True)).boards


def _report_missing() -> None:
    """One line about all packages that are not installed."""
    from gemhunter.bench.peers import missing_packages

    if missing := missing_packages():
        names = ", ".join(missing)
        click.echo(f"left out, not installed: {names}; install: pip install 'gemhunter[peers]'", err=True)


def _measure(tasks: "Sequence[PeerTask]", setting: "PeerSetting", workers: int) -> "list[ContestantOnBoard]":
    """Make all runs, and return their results in the order of the tasks."""
    from gemhunter.bench.peer_runs import run_peers
    from gemhunter.cli.bench_progress import BenchProgress
    from gemhunter.cli.interrupts import stop_if_pending

    order = {(contestant.name, board.name): place for place, (contestant, board) in enumerate(tasks)}
    found = []
    with BenchProgress(len(tasks), sys.stderr.isatty()) as progress:
        for result in run_peers(tasks, setting, workers):
            found.append(result)
            progress.advance(f"{result.board}, {result.contestant}")
            stop_if_pending()
    return sorted(found, key=lambda each: order[each.contestant, each.board])


def _text(
    form: str,
    boards: "Sequence[BenchBoard]",
    results: "Sequence[ContestantOnBoard]",
    setting: "PeerSetting",
) -> str:
    """What is written: two tables and how they were made; only the one by board as CSV."""
    from gemhunter.bench.machine import machine, versions
    from gemhunter.bench.peer_ratios import pairs_on_boards, pairs_overall
    from gemhunter.bench.peers import installed_pairs, peer_versions
    from gemhunter.cli.peers_tables import board_table, how_made, overall_table, peers_json, table_text

    pairs = installed_pairs()
    on_boards = pairs_on_boards(pairs, results)
    overall = pairs_overall(pairs, on_boards)
    facts = {
        "runs": setting.runs,
        "seconds": setting.seconds,
        "machine": machine(),
        "versions": {**versions(), **peer_versions()},
    }
    if form == "json":
        return peers_json(overall, on_boards, facts)
    sizes = {board.name: f"{board.grid.rows}×{board.grid.cols}" for board in boards}
    by_board = table_text(board_table(on_boards, sizes, in_file=form != "text"), form)
    if form == "csv":
        return by_board
    end = "" if form == "tex" else f"\n{how_made(facts)}\n"
    return f"{table_text(overall_table(overall), form)}\n{by_board}{end}"


def _write(text: str, output: Path | None) -> None:
    from gemhunter.formats.files import write_atomically

    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)


def _report_wrong(results: "Sequence[ContestantOnBoard]") -> bool:
    """Whether a peer's answer is wrong, with an error line for each."""
    from gemhunter.bench.values import Verdict

    wrong = [each for each in results if each.verdict is Verdict.WRONG]
    for each in wrong:
        click.echo(f"error: {each.board}: {each.contestant} gave a wrong answer: {each.reason}", err=True)
    return bool(wrong)
