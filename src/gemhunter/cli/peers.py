"""`gemhunter peers`: our engines beside plain uses of other people's libraries."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.bench_tables import FORMATS
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.notes import complain, note, print_or_write, quiet_option
from gemhunter.cli.option_types import AMOUNT, OutputFile
from gemhunter.cli.options import complete_board, cores, seconds_option, workers_option, zero_option
from gemhunter.cli.progress import ProgressBar
from gemhunter.errors import InputError

if TYPE_CHECKING:
    from gemhunter.bench.peers.contestants import Pair
    from gemhunter.bench.peers.ratios import PairOnBoard
    from gemhunter.bench.peers.runs import ContestantOnBoard, PeerSetting, PeerTask
    from gemhunter.bench.values import BenchBoard

QUESTIONS = ("solution", "count", "probabilities", "certain")
PEER_NAMES = ("glucose3", "cadical153", "cp-sat", "pyganak", "ms_toollib", "multi-puzzle-solver")
"""Choices of the options; a test holds them against what there is."""


@click.command("peers")
@click.argument("boards", nargs=-1, metavar="[BOARDS|SUITE]...", shell_complete=complete_board)
@click.option(
    "--question",
    "questions",
    type=click.Choice(QUESTIONS),
    multiple=True,
    help="Ask this question only; may be given several times.",
)
@click.option(
    "--peer",
    "peers_asked",
    type=click.Choice(PEER_NAMES),
    multiple=True,
    help="Compare with this peer only; may be given several times.",
)
@click.option(
    "--runs",
    type=AMOUNT,
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
@quiet_option
def peers(
    boards: tuple[str, ...], *, runs: int, time_limit: float, workers: int | None, zero: Any, **asked: Any
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
    from gemhunter.bench.peers.ratios import pairs_on_boards
    from gemhunter.bench.peers.runs import PeerSetting, peer_tasks

    pairs = _pairs(asked["questions"], asked["peers_asked"])
    on_boards = _boards(boards, zero)
    tasks = peer_tasks(pairs, on_boards)
    if not tasks:
        raise InputError(
            "none of these boards can be asked about; ms_toollib wants a total and nothing shown but clues"
        )
    setting = PeerSetting(runs, time_limit)
    results = _measure(tasks, setting, workers or cores())
    print_or_write(
        _text(asked["form"], on_boards, pairs_on_boards(pairs, results), setting),
        asked["output"],
        "the tables",
    )
    return ENGINE_FAILED if _report_wrong(results) else SOLVED


def _pairs(questions: Sequence[str], peers_asked: Sequence[str]) -> "list[Pair]":
    """Who is compared with whom, with a line about all packages that are not installed."""
    from gemhunter.bench.peers.contestants import (
        PeerQuestion,
        chosen_pairs,
        installed_pairs,
        missing_packages,
    )
    from gemhunter.extras import install_command

    pairs = chosen_pairs([PeerQuestion[name.upper()] for name in questions], peers_asked)
    if not pairs:
        raise click.UsageError(f"{', '.join(peers_asked)}: not asked for {' or '.join(questions)}")
    missing = ", ".join(missing_packages(pairs))
    how = f"{missing}; install: {install_command('peers')}"
    installed = installed_pairs(pairs)
    if not installed:
        raise InputError(f"nothing to compare with; not installed: {how}")
    if missing:
        note(f"left out, not installed: {how}")
    return installed


def _boards(names: Sequence[str], zero: Any) -> "Sequence[BenchBoard]":
    from gemhunter.bench.peers.contestants import default_boards
    from gemhunter.bench.suites import load_boards

    if not names:
        return default_boards()
    return load_boards(names, zero, note).boards


def _measure(tasks: "Sequence[PeerTask]", setting: "PeerSetting", workers: int) -> "list[ContestantOnBoard]":
    """Make all runs, and return their results in the order of the tasks."""
    from gemhunter.bench.peers.runs import run_peers
    from gemhunter.cli.interrupts import stop_if_pending

    found: dict[tuple[str, str], ContestantOnBoard] = {}
    with ProgressBar(len(tasks) * len(setting.shares)) as progress:
        for result in run_peers(tasks, setting, workers):
            found[result.contestant, result.board] = result
            progress.advance(f"{result.board}, {result.contestant}")
            stop_if_pending()
    return [found[contestant.name, board.name] for contestant, board in tasks]


def _text(
    form: str,
    boards: "Sequence[BenchBoard]",
    on_boards: "Sequence[PairOnBoard]",
    setting: "PeerSetting",
) -> str:
    """What is written: two tables and how they were made; only the one by board as CSV."""
    from gemhunter.bench.ledger import versions
    from gemhunter.bench.peers.contestants import PAIRS, peer_versions
    from gemhunter.bench.peers.ratios import pairs_overall
    from gemhunter.cli.peers_tables import board_table, how_made, overall_table, peers_json, table_text
    from gemhunter.work.machine import machine

    overall = pairs_overall(PAIRS, on_boards)
    facts = {
        "runs": setting.runs,
        "processes": len(setting.shares),
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


def _report_wrong(results: "Sequence[ContestantOnBoard]") -> bool:
    """Whether a peer's answer is wrong, with an error line for each."""
    from gemhunter.bench.values import Verdict

    wrong = [each for each in results if each.verdict is Verdict.WRONG]
    for each in wrong:
        complain(f"{each.board}: {each.contestant} gave a wrong answer: {each.reason}")
    return bool(wrong)
