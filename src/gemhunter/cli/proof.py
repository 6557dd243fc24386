"""`gemhunter proof`: proofs that a board has no solution, or a formula no model."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.exit_codes import NO_SOLUTION, SOLVED
from gemhunter.cli.formula_arguments import refuse_options_about_boards
from gemhunter.cli.options import encoding_option, format_option, traps_option, zero_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gemhunter.cli.results import Result
    from gemhunter.cnf.formula import Cnf
    from gemhunter.cnf.proof import Proof
    from gemhunter.queries.proof import Accepted, Rejected

LARGEST_PROOF = 2**31
"""Bytes. Reading takes several times as much memory."""


@click.group(no_args_is_help=False)
def proof() -> None:
    """Check proofs that a board has no solution.

    They are in DRAT, the format of SAT competitions. A proof that a formula has no model is checked as well.

    \b
    Examples:
      gemhunter solve board.txt --proof board.drat
      gemhunter proof check board.txt board.drat
      gemhunter proof check formula.cnf formula.drat
    """


@proof.command()
@click.argument("board")
@click.argument("file")
@encoding_option
@traps_option
@zero_option
@format_option
def check(board: str, file: str, *, form: str, zero: Any, **how: Any) -> int:
    """Check a proof, with code that no engine uses.

    FILE is DRAT as text or binary, - for standard input: what `gemhunter solve BOARD --proof FILE` writes,
    or any SAT solver about the formula of `gemhunter cnf BOARD`. Every clause that it adds has to follow
    from those before it, until they contradict each other. BOARD can be a formula as well, in DIMACS.

    Returns 0 if the proof is accepted, 1 if it is rejected.

    \b
    Examples:
      gemhunter proof check board.txt board.drat
      gemhunter cnf board.txt -o board.cnf; cadical -q board.cnf board.drat
      gemhunter proof check board.txt board.drat --format json
      gemhunter proof check formula.cnf formula.drat
    """
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.cnf.drat import read_drat
    from gemhunter.cnf.encode import encode
    from gemhunter.cnf.formula_files import is_formula, read_formula
    from gemhunter.formats.files import read_bytes, source_name
    from gemhunter.queries.proof import Accepted
    from gemhunter.records.formulas import proof_record

    kind = "formula" if is_formula(board) else "board"
    if kind == "formula":
        refuse_options_about_boards(board, "form")
    formula = read_formula(board) if kind == "formula" else encode(read_and_warn(board, zero), **how)
    content = read_bytes(file, LARGEST_PROOF, "a proof")
    verdict = _check(file, formula, read_drat(content, source_name(file)))
    record = {kind: board, "proof": file, **proof_record(verdict, content)}
    click.echo(json.dumps(record, indent=2) if form == "json" else _sentence(record))
    return SOLVED if isinstance(verdict, Accepted) else NO_SOLUTION


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
            click.echo(f"{file}: not written, {why}", err=True)


def write_proof(file: Path, proof: "Proof | None", engine: str) -> None:
    """Write the proof of an engine, or say that it gave none."""
    from gemhunter.cnf.drat import write_drat
    from gemhunter.formats.files import write_atomically

    if proof is None:
        click.echo(f"{file}: not written, {engine} gave no proof", err=True)
        return
    write_atomically(file, write_drat(proof))
    click.echo(f"{file}: {proof.size} steps", err=True)


def _check(file: str, formula: "Cnf", steps: "Proof") -> "Accepted | Rejected":
    """The verdict, with a line of progress while it is awaited."""
    from gemhunter.cli.screen import Progress
    from gemhunter.queries.proof import check_formula_proof
    from gemhunter.solving.outcomes import GaveUp
    from gemhunter.solving.run import Run

    progress = Progress(1)
    progress.begin(f"{file}, {steps.size:,} steps in all,")
    try:
        verdict = check_formula_proof(formula, steps, run=Run(progress=progress.tick))
    finally:
        progress.clear()
    if isinstance(verdict, GaveUp):  # a run without limits gives up only when it is cancelled
        raise KeyboardInterrupt
    return verdict


def _sentence(record: dict[str, Any]) -> str:
    name = record["proof"]
    if record["verdict"] == "accepted":
        checked, needed = record["checked"], record["needed"]
        return f"{name}: accepted, {checked} added clauses follow, the contradiction needs {needed} of them"
    if record["step"] is None:
        return f"{name}: rejected: {record['reason']}"
    return f"{name}: rejected at step {record['step']} ({record['place']}): {record['reason']}"
