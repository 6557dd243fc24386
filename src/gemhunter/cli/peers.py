"""`gemhunter peers`: our engines beside plain uses of other people's libraries."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import click

from gemhunter.bench.ledger import versions
from gemhunter.bench.peers.contestants import (
    PEERS_BY_KEY,
    Pair,
    PeerQuestion,
    chosen_pairs,
    default_boards,
    installed_pairs,
    missing_packages,
    peer_versions,
)
from gemhunter.bench.peers.ratios import PairOnBoard, PairOverall, pairs_on_boards, pairs_overall
from gemhunter.bench.peers.runs import ContestantOnBoard, PeerSetting, PeerTask, peer_tasks, run_peers
from gemhunter.bench.suites import load_boards
from gemhunter.bench.values import BenchBoard, Verdict
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.cli.notes import complain, note, print_or_write, quiet_option
from gemhunter.cli.option_types import AT_LEAST_ONE, OutputFile, options_as
from gemhunter.cli.options import complete_board, cores, seconds_option, workers_option, zero_option
from gemhunter.cli.progress import ProgressBar
from gemhunter.cli.table_formats import DOCUMENT_FORMS, text_table_in
from gemhunter.errors import InputError
from gemhunter.extras import install_command
from gemhunter.formats.dialects import Zero
from gemhunter.printable import json_text
from gemhunter.report.bench_records import peers_record
from gemhunter.report.tables.peers import PeerConditions, board_table, overall_table
from gemhunter.work.machine import machine

PEER_QUESTIONS = MappingProxyType({question.name.lower(): question for question in PeerQuestion})
"""Questions by the names that the option takes."""


@dataclass(frozen=True, slots=True)
class ChosenPeers:
    """The questions and peers that are asked for; none stands for all."""

    questions: tuple[str, ...]
    peers_asked: tuple[str, ...]


@click.command("peers")
@click.argument("boards", nargs=-1, metavar="[BOARDS|SUITE]...", shell_complete=complete_board)
@click.option(
    "--question",
    "questions",
    type=click.Choice(list(PEER_QUESTIONS)),
    multiple=True,
    help="Ask this question only; may be given several times.",
)
@click.option(
    "--peer",
    "peers_asked",
    type=click.Choice(list(PEERS_BY_KEY)),
    multiple=True,
    help="Compare with this peer only; may be given several times.",
)
@click.option(
    "--runs",
    type=AT_LEAST_ONE,
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
    type=click.Choice(DOCUMENT_FORMS),
    default="text",
    show_default=True,
    help="How to write the tables.",
)
@click.option("-o", "--output", type=OutputFile(), metavar="FILE", help="Write the tables to FILE.")
@quiet_option
@options_as(ChosenPeers, "chosen")
def peers(
    boards: tuple[str, ...],
    *,
    chosen: ChosenPeers,
    runs: int,
    time_limit: float,
    workers: int | None,
    zero: Zero,
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
      gemhunter peers counting --question count --time-limit 20 --format md -o peers.md
      gemhunter peers large --question solution --peer cadical153 --time-limit 120
    """
    pairs = _pairs(chosen)
    on_boards = _boards(boards, zero)
    tasks = peer_tasks(pairs, on_boards)
    if not tasks:
        raise InputError(
            "none of these boards can be asked about; ms_toollib wants a total and nothing shown but clues"
        )
    setting = PeerSetting(runs, time_limit)
    results = _measure(tasks, setting, workers or cores())
    on_pairs = pairs_on_boards(pairs, results)
    conditions = PeerConditions(setting, machine(), {**versions(), **peer_versions()})
    text = _text(form, on_boards, on_pairs, overall=pairs_overall(pairs, on_pairs), conditions=conditions)
    print_or_write(text, output, "the tables")
    return ENGINE_FAILED if _report_wrong(results) else SOLVED


def _pairs(chosen: ChosenPeers) -> list[Pair]:
    """Who is compared with whom, with a line about all packages that are not installed."""
    pairs = chosen_pairs([PEER_QUESTIONS[name] for name in chosen.questions], chosen.peers_asked)
    if not pairs:
        names, questions = ", ".join(chosen.peers_asked), " or ".join(chosen.questions)
        raise click.UsageError(f"{names}: not asked for {questions}")
    missing = ", ".join(missing_packages(pairs))
    how = f"{missing}; install: {install_command('peers')}"
    installed = installed_pairs(pairs)
    if not installed:
        raise InputError(f"nothing to compare with; not installed: {how}")
    if missing:
        note(f"left out, not installed: {how}")
    return installed


def _boards(names: Sequence[str], zero: Zero) -> Sequence[BenchBoard]:
    if not names:
        return default_boards()
    return load_boards(names, zero, note).boards


def _measure(tasks: Sequence[PeerTask], setting: PeerSetting, workers: int) -> list[ContestantOnBoard]:
    """Make all runs, and return their results in the order of the tasks."""
    found: dict[tuple[str, str], ContestantOnBoard] = {}
    with ProgressBar(len(tasks) * len(setting.shares)) as progress:
        for result in run_peers(tasks, setting, workers):
            found[result.contestant, result.board] = result
            progress.advance(f"{result.board}, {result.contestant}")
            stop_if_pending()
    return [found[contestant.name, board.name] for contestant, board in tasks]


def _text(
    form: str,
    boards: Sequence[BenchBoard],
    on_boards: Sequence[PairOnBoard],
    *,
    overall: Sequence[PairOverall],
    conditions: PeerConditions,
) -> str:
    """What is written: two tables and how they were made; only the one by board as CSV."""
    if form == "json":
        return json_text(peers_record(overall, on_boards, conditions), indent=2) + "\n"
    sizes = {board.name: f"{board.grid.rows}×{board.grid.cols}" for board in boards}
    by_board = text_table_in(form, board_table(on_boards, sizes, in_file=form != "text"))
    if form == "csv":
        return by_board
    end = "" if form == "tex" else f"\n{conditions.sentence}\n"
    return f"{text_table_in(form, overall_table(overall))}\n{by_board}{end}"


def _report_wrong(results: Sequence[ContestantOnBoard]) -> bool:
    """Whether a peer's answer is wrong, with an error line for each."""
    wrong = [each for each in results if each.verdict is Verdict.WRONG]
    for each in wrong:
        complain(f"{each.board}: {each.contestant} gave a wrong answer: {each.reason}")
    return bool(wrong)
