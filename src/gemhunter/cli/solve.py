"""`gemhunter solve`: boards in, answers out."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gemhunter.cli.board_files import find_boards, is_folder
from gemhunter.cli.exit_codes import BAD_INPUT
from gemhunter.cli.formula_arguments import are_formulas
from gemhunter.cli.notes import complain, note, quiet_option
from gemhunter.cli.option_types import AMOUNT, SEED, OutputFile
from gemhunter.cli.options import (
    complete_board,
    engine_option,
    memory_option,
    output_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.formats.board_folders import skipped_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gemhunter.cli.asking import Opened, Question, Unreadable
    from gemhunter.cli.board_files import BoardFile
    from gemhunter.cli.results import Result


@click.command()
@click.argument("boards", nargs=-1, required=True, metavar="BOARD...", shell_complete=complete_board)
@engine_option("Engine to ask; may be given several times.", multiple=True)
@traps_option
@seconds_option("Give up after this many seconds, per board and engine.")
@click.option(
    "--step-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Give up after this many steps; `gemhunter engines NAME` says what a step is.",
)
@memory_option
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of engines that use chance.")
@zero_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl", "csv", "md", "sat"]),
    default="text",
    show_default=True,
    help="How to print results; `csv` and `md` print a table of times, `sat` prints `s` and `v` lines and "
    "returns 10, 20 or 0.",
)
@output_option("the answers")
@quiet_option
@click.option(
    "--encoding",
    metavar="NAME",
    help="How clues become clauses, for engines that read clauses; the names are those of `gemhunter cnf`.",
)
@click.option(
    "-j",
    "--workers",
    type=AMOUNT,
    default=1,
    show_default=True,
    metavar="N",
    help="Worker processes that solve boards at the same time.",
)
@click.option("--all", "every", is_flag=True, help="One board: all its solutions, one after the other.")
@click.option("--limit", type=AMOUNT, metavar="N", help="With --all: no more than N solutions.")
@click.option(
    "--proof",
    "proof_file",
    type=OutputFile(),
    metavar="FILE",
    help="Write the proof that a board has no solution to FILE.",
)
@click.option(
    "--force",
    is_flag=True,
    help="A folder of test cases: overwrite output files and tables that gemhunter did not write.",
)
def solve(
    boards: tuple[str, ...], *, every: bool, limit: int | None, force: bool, workers: int, **how: Any
) -> int:
    """Fill in boards, or show that it cannot be done.

    BOARD is a file, a folder, or - for standard input. The board is shown, then the map and the running
    time of each engine. In a folder of test cases (testcase_1/input_1.txt) each gets its output_1.txt, and
    the times go to result_times.txt and times.csv; files of these names that gemhunter did not write, or that
    were changed since, are kept unless --force is given. Files in a folder that are not boards are skipped.
    A formula in DIMACS, by its name (.cnf) or its first line, is answered with `s` and `v` lines.

    \b
    Examples:
      gemhunter solve board.txt
      gemhunter solve board.txt -e pysat:glucose4 -e pysat:minicard -o answers.txt
      gemhunter solve testcases/ --time-limit 10 --workers 4
      gemhunter solve board.txt -e cdcl --encoding totalizer
      gemhunter solve *.txt -e cdcl -e dpll --format md
      gemhunter solve position.txt --traps 10 --format json
      gemhunter solve board.txt --proof board.drat
      gemhunter solve board.txt --all --limit 10
      gemhunter solve formula.cnf -e cdcl -e pysat:glucose4
    """
    if are_formulas(boards):
        from gemhunter.cli.solve_formula import solve_formulas

        return solve_formulas(boards, **how)
    if limit is not None and not every:
        raise click.UsageError("--limit needs --all")
    if every and workers > 1:
        raise click.UsageError("--all takes no --workers")
    if every:
        return _solve_all(boards, limit=limit, **how)
    return _solve_each(boards, force, workers, **how)


def _solve_each(
    boards: tuple[str, ...],
    force: bool,
    workers: int,
    *,
    form: Any,
    output: Path | None,
    proof_file: Path | None,
    **question: Any,
) -> int:
    """Ask every engine about every board."""
    from gemhunter.cli.asking import Question
    from gemhunter.cli.printout import Printout
    from gemhunter.cli.proof import save_proof

    several = len(boards) > 1 or len(question["engine"]) > 1 or any(map(is_folder, boards))
    if form == "sat" and several:
        raise click.UsageError("--format sat takes one board and one engine")
    if proof_file is not None and several:
        raise click.UsageError("--proof takes one board and one engine")
    asked = Question(**_with_default_engine(question), proof=proof_file is not None)
    found = find_boards(boards)
    folders = [Path(board) for board in boards if is_folder(board)]
    printed = Printout(form, several=several, force=force, shown=output is None)
    printed.require_own_files(found.boards, folders)
    said = _ask(found.boards, asked, workers)
    try:
        for answer in said:
            printed.add(answer)
    finally:
        printed.finish(output, folders)
    if found.skipped:
        note(skipped_text(found.skipped))
    for fault in found.faults:
        complain(fault)
    if proof_file is not None:
        save_proof(printed.results, proof_file)
    return max(printed.exit_code, BAD_INPUT) if found.faults else printed.exit_code


def _ask(
    boards: "Sequence[BoardFile]", asked: "Question", workers: int
) -> "Iterator[Opened | Result | Unreadable]":
    """What there is to say about each board in turn, found by this process or by several workers."""
    from gemhunter.cli.asking import answers

    engines = asked.engines()
    if min(workers, len(boards) * len(engines)) <= 1:
        return answers(boards, engines, asked)
    # Imported here, because importing what starts processes takes a while.
    from gemhunter.cli.asking_in_parallel import parallel_answers

    return parallel_answers(boards, asked, workers)


def _with_default_engine(question: dict[str, Any]) -> dict[str, Any]:
    """The same question; clauses in a certain encoding go to an engine that reads clauses."""
    from gemhunter.solving.registry import FORMULA_ENGINE

    is_default = click.get_current_context().get_parameter_source("engine") is ParameterSource.DEFAULT
    if question["encoding"] is None or not is_default:
        return question
    return {**question, "engine": (FORMULA_ENGINE,)}


def _solve_all(
    boards: tuple[str, ...], *, form: Any, output: Path | None, limit: int | None, **question: Any
) -> int:
    """Print all solutions of one board; options that speak of engines make no sense here."""
    from gemhunter.cli.all_solutions import print_all
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.solving.run import Limits

    if len(boards) > 1 or is_folder(boards[0]):
        raise click.UsageError("--all takes one board")
    if form not in ("text", "json", "jsonl"):
        raise click.UsageError(f"--all prints text, json or jsonl, not {form}")
    unset = {"engine": ("auto",), "memory_limit": None, "seed": 0, "proof_file": None, "encoding": None}
    for name, value in unset.items():
        if question[name] != value:
            raise click.UsageError(f"--all takes no --{name.removesuffix('_file').replace('_', '-')}")
    position = read_and_warn(boards[0], question["zero"], question["total"])
    limits = Limits(question["time_limit"], question["step_limit"])
    return print_all(boards[0], position.grid, form, output, limits=limits, total=position.total, limit=limit)
