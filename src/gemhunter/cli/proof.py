"""`gemhunter proof`: proofs that a board has no solution, or a formula no model."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.formula_arguments import refuse_options_about_boards
from gemhunter.cli.notes import note, quiet_option, write_output
from gemhunter.cli.options import (
    complete_board,
    encoding_option,
    format_option,
    memory_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.proof_steps import LARGEST_PROOF, show
from gemhunter.core.plurals import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gemhunter.cli.results import Result
    from gemhunter.cnf.formula import Cnf
    from gemhunter.cnf.proof import Proof
    from gemhunter.queries.proof import Verdict
    from gemhunter.solving.run import Limits


@click.group(no_args_is_help=False)
def proof() -> None:
    """Check and show proofs that a board has no solution.

    They are in DRAT, the format of SAT competitions. Proofs that a formula has no model are taken as well.

    \b
    Examples:
      gemhunter solve board.txt --proof board.drat
      gemhunter proof check board.txt board.drat
      gemhunter proof show board.txt board.drat
      gemhunter proof check formula.cnf formula.drat
    """


proof.add_command(show)


@proof.command()
@click.argument("board", shell_complete=complete_board)
@click.argument("file")
@encoding_option
@traps_option
@zero_option
@seconds_option("Give up after this many seconds.")
@memory_option
@format_option
@quiet_option
def check(board: str, file: str, *, form: str, zero: Any, **how: Any) -> int:
    """Check a proof, with code that no engine uses.

    FILE is DRAT as text or binary, - for standard input: what `gemhunter solve BOARD --proof FILE` writes,
    or any SAT solver about the formula of `gemhunter cnf BOARD`. Every clause that it adds has to follow
    from those before it, until they contradict each other. BOARD can be a formula as well, in DIMACS.

    Returns 0 if the proof is accepted, 1 if it is rejected, 3 if a limit was reached before that was known.

    \b
    Examples:
      gemhunter proof check board.txt board.drat
      gemhunter cnf board.txt -o board.cnf; cadical -q board.cnf board.drat
      gemhunter proof check board.txt board.drat --format json
      gemhunter proof check formula.cnf formula.drat --time-limit 60
    """
    from gemhunter.cnf.drat import read_drat
    from gemhunter.formats.files import read_bytes, source_name
    from gemhunter.queries.proof import Accepted
    from gemhunter.records.formulas import proof_record
    from gemhunter.solving.outcomes import GaveUp
    from gemhunter.solving.run import Limits

    kind, formula = _formula(board, zero, how["total"], how["encoding"])
    content = read_bytes(file, LARGEST_PROOF, "a proof")
    limits = Limits(how["time_limit"], memory=how["memory_limit"])
    verdict = _check(file, formula, read_drat(content, source_name(file)), limits)
    record = {kind: board, "proof": file, **proof_record(verdict, content)}
    click.echo(json.dumps(record, indent=2) if form == "json" else _sentence(record))
    if isinstance(verdict, GaveUp):
        return GAVE_UP
    return SOLVED if isinstance(verdict, Accepted) else NO_SOLUTION


def _formula(board: str, zero: Any, total: int | None, encoding: str) -> "tuple[str, Cnf]":
    """What a proof is about, `board` or `formula`, and its clauses."""
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.cnf.encode import encode
    from gemhunter.cnf.formula_files import is_formula, read_formula

    if is_formula(board):
        refuse_options_about_boards(board, "form", "quiet", "time_limit", "memory_limit")
        return "formula", read_formula(board)
    position = read_and_warn(board, zero, total)
    return "board", encode(position.grid, encoding=encoding, total=position.total)


def save_proof(results: "Sequence[Result]", file: Path) -> None:
    """Write the proof of a refuted board, or say why there is none."""
    from gemhunter.cli.results import Failure
    from gemhunter.solving.outcomes import Refuted, Solved

    for result in results:
        if isinstance(result.answer, Failure):
            continue
        outcome = result.answer.outcome
        if isinstance(outcome, Refuted):
            write_proof(file, outcome.proof, result.engine)
        else:
            why = "the board has a solution" if isinstance(outcome, Solved) else "the engine gave up"
            note(f"{file}: not written, {why}")


def write_proof(file: Path, proof: "Proof | None", engine: str) -> None:
    """Write the proof of an engine, or say that it gave none."""
    from gemhunter.cnf.drat import write_drat

    if proof is None:
        note(f"{file}: not written, {engine} gave no proof")
        return
    write_output(file, write_drat(proof), counted(proof.size, "step"))


def _check(file: str, formula: "Cnf", steps: "Proof", limits: "Limits") -> "Verdict":
    """The verdict, with a line of progress while it is awaited."""
    from gemhunter.cli.progress import Progress
    from gemhunter.queries.proof import check_formula_proof
    from gemhunter.solving.run import Run

    progress = Progress(1)
    progress.begin(f"{file}, {counted(steps.size, 'step')} in all,")
    try:
        return check_formula_proof(formula, steps, run=Run(limits, progress=progress.tick))
    finally:
        progress.clear()


def _sentence(record: dict[str, Any]) -> str:
    name = record["proof"]
    if record["verdict"] == "accepted":
        checked, needed = record["checked"], record["needed"]
        return f"{name}: accepted, {checked} added clauses follow, the contradiction needs {needed} of them"
    if record["verdict"] == "gave-up":
        return f"{name}: gave up: {record['reason']}"
    if record["step"] is None:
        return f"{name}: rejected: {record['reason']}"
    return f"{name}: rejected at step {record['step']} ({record['place']}): {record['reason']}"
