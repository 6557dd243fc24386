"""`gemhunter solve`: boards in, answers out."""

from pathlib import Path
from typing import Any

import click

from gemhunter.cli.board_files import find_boards, is_folder
from gemhunter.cli.formula_arguments import are_formulas
from gemhunter.cli.options import (
    OutputFile,
    engine_option,
    memory_option,
    output_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.formats.board_folders import skipped_text


@click.command()
@click.argument("boards", nargs=-1, required=True, metavar="BOARD...")
@engine_option("Engine to ask; may be given several times.", multiple=True)
@traps_option
@seconds_option("Give up after so many seconds, per board and engine.")
@click.option(
    "--step-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Give up after so many steps; `gemhunter engines` says what a step is.",
)
@memory_option
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of engines that use chance.")
@zero_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl", "sat"]),
    default="text",
    show_default=True,
    help="How to print results; `sat` prints `s` and `v` lines and returns 10, 20 or 0.",
)
@output_option("the answers")
@click.option("--all", "every", is_flag=True, help="One board: all its solutions, one after the other.")
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="With --all: no more than so many solutions."
)
@click.option(
    "--proof",
    "proof_file",
    type=OutputFile(),
    metavar="FILE",
    help="Write the proof that a board has no solution to FILE.",
)
def solve(boards: tuple[str, ...], *, every: bool, limit: int | None, **how: Any) -> int:
    """Fill in boards, or show that it cannot be done.

    BOARD is a file, a folder, or - for standard input. The board is shown, then the map and the running
    time of each engine. In a folder of test cases (testcase_1/input_1.txt) each gets its output_1.txt, and
    the times go to result_times.txt and times.csv. Files in a folder that are no boards are skipped.
    A formula in DIMACS, by its name (.cnf) or its first line, is answered with `s` and `v` lines.

    \b
    Examples:
      gemhunter solve board.txt
      gemhunter solve board.txt -e pysat:glucose4 -e pysat:minicard -o answers.txt
      gemhunter solve testcases/ --time-limit 10
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
    return _solve_all(boards, limit=limit, **how) if every else _solve_each(boards, **how)


def _solve_each(
    boards: tuple[str, ...], *, form: Any, output: Path | None, proof_file: Path | None, **question: Any
) -> int:
    """Ask every engine about every board."""
    from gemhunter.cli.asking import Question, answers
    from gemhunter.cli.printout import Printout
    from gemhunter.cli.proof import save_proof

    several = len(boards) > 1 or len(question["engine"]) > 1 or any(map(is_folder, boards))
    if form == "sat" and several:
        raise click.UsageError("--format sat takes one board and one engine")
    if proof_file is not None and several:
        raise click.UsageError("--proof takes one board and one engine")
    asked = Question(**question, proof=proof_file is not None)
    found, engines = find_boards(boards), asked.engines()
    printed = Printout(form, several=several)
    try:
        for answer in answers(found.boards, engines, asked):
            printed.add(answer)
    finally:
        printed.finish(output, [Path(board) for board in boards if is_folder(board)])
    if found.skipped:
        click.echo(skipped_text(found.skipped), err=True)
    if proof_file is not None:
        save_proof(printed.results, proof_file)
    return printed.exit_code


def _solve_all(
    boards: tuple[str, ...], *, form: Any, output: Path | None, limit: int | None, **question: Any
) -> int:
    """Print all solutions of one board; options that speak of engines make no sense here."""
    from gemhunter.cli.all_solutions import print_all
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.solving.run import Limits

    if len(boards) > 1 or is_folder(boards[0]):
        raise click.UsageError("--all takes one board")
    if form == "sat":
        raise click.UsageError("--all prints text, json or jsonl, not sat")
    for name, unset in (("engine", ("auto",)), ("memory_limit", None), ("seed", 0), ("proof_file", None)):
        if question[name] != unset:
            raise click.UsageError(f"--all takes no --{name.removesuffix('_file').replace('_', '-')}")
    grid = read_and_warn(boards[0], question["zero"])
    limits = Limits(question["time_limit"], question["step_limit"])
    return print_all(boards[0], grid, form, output, limits=limits, traps=question["traps"], limit=limit)
