"""`gemhunter proof`: proofs that a board has no solution, or a formula no model."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from gemhunter.board.puzzle import read_puzzle
from gemhunter.cli.board_arguments import BoardReading, refuse_options_about_boards
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import note, print_or_write, quiet_option, write_output
from gemhunter.cli.options import (
    AT_LEAST_ONE,
    complete_board,
    encoding_option,
    format_option,
    memory_option,
    options_as,
    output_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.progress import Progress
from gemhunter.cnf.dimacs import is_formula, read_formula
from gemhunter.cnf.drat import Proof, place_of_step, read_drat, write_drat
from gemhunter.cnf.encode import encode
from gemhunter.cnf.encodings import require_encoding
from gemhunter.cnf.formula import Cnf
from gemhunter.files.access import read_bytes, source_name
from gemhunter.files.dialects import Zero
from gemhunter.printable import counted
from gemhunter.questions.batch import Failure, Result
from gemhunter.questions.proof import Accepted, Rejected, Verdict, check_formula_proof
from gemhunter.questions.trace import CellNames, Names, VariableNames
from gemhunter.records.answers import Subject, proof_record, proof_steps_record
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.solving.run import Limits, Run

LARGEST_DRAT_FILE = 2**31
"""Bytes. Reading takes several times as much memory."""


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


@dataclass(frozen=True, slots=True)
class ProofCheckOptions:
    """The options of `gemhunter proof check`."""

    encoding: str
    total: int | None
    zero: Zero
    time_limit: float | None
    memory_limit: int | None
    form: str


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
@options_as(ProofCheckOptions)
def check(board: str, file: str, options: ProofCheckOptions) -> int:
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
    subject, formula = _formula(board, BoardReading(options.zero, options.total), options.encoding)
    content = read_bytes(file, LARGEST_DRAT_FILE, "a proof")
    limits = Limits(options.time_limit, memory=options.memory_limit)
    steps = read_drat(content, source_name(file))
    verdict = _check(file, formula, steps, limits)
    if options.form == "json":
        record = proof_record(subject, board, file, proof=steps, verdict=verdict, content=content)
        click.echo(json.dumps(record, indent=2))
    else:
        click.echo(f"{file}: {_verdict_text(verdict, steps, content)}")
    if isinstance(verdict, GaveUp):
        return GAVE_UP
    return SOLVED if isinstance(verdict, Accepted) else NO_SOLUTION


def _formula(board: str, reading: BoardReading, encoding: str) -> tuple[Subject, Cnf]:
    """What a proof is about, a board or a formula, and the clauses it refutes."""
    if is_formula(board):
        refuse_options_about_boards(board, "form", "quiet", "time_limit", "memory_limit")
        return "formula", read_formula(board)
    position = reading.read_and_warn(board)
    return "board", encode(position.grid, encoding=encoding, total=position.total)


def _check(file: str, formula: Cnf, steps: Proof, limits: Limits) -> Verdict:
    """The verdict, with a line of progress while it is awaited."""
    progress = Progress(1)
    progress.begin(f"{file}, {counted(steps.size, 'step')} in all,")
    try:
        return check_formula_proof(formula, steps, run=Run(limits, progress=progress.tick))
    finally:
        progress.clear()


def _verdict_text(verdict: Verdict, steps: Proof, content: bytes) -> str:
    """The verdict, with as many clauses added as `proof show` counts: the check ends at the contradiction."""
    added = f"{counted(steps.added, 'clause')} added"
    match verdict:
        case Accepted(0, _):
            return f"accepted: {added}, none needed: unit propagation alone finds the contradiction"
        case Accepted(checked, needed):
            return (
                f"accepted: {added}, the first {checked} checked: unit propagation then finds the "
                f"contradiction, which needs {needed} of them"
            )
        case GaveUp() as gave_up:
            return f"gave up: {gave_up.reason}"
        case Rejected(step, reason):
            where = "" if step is None else f" at step {step} ({place_of_step(content, step)})"
            return f"rejected{where}: {reason}"


@dataclass(frozen=True, slots=True)
class ProofShowOptions:
    """The options of `gemhunter proof show`."""

    encoding: str
    total: int | None
    zero: Zero
    max_steps: int
    form: str
    output: Path | None


@proof.command()
@click.argument("board", shell_complete=complete_board)
@click.argument("file")
@encoding_option
@traps_option
@zero_option
@click.option(
    "--max-steps",
    type=AT_LEAST_ONE,
    default=50,
    show_default=True,
    metavar="N",
    help="Show no more than the first N steps.",
)
@format_option
@output_option("what would be printed")
@quiet_option
@options_as(ProofShowOptions)
def show(board: str, file: str, options: ProofShowOptions) -> None:
    """Show the steps of a proof in terms of cells.

    `r2c3=T` says that the cell in row 2, column 3 is a trap, `r2c3=G` that it is a gem. A clause that is
    added follows from the clues and the clauses before it; the empty one is the contradiction. Nothing is
    checked here: that is what `gemhunter proof check` is for. BOARD can be a formula in DIMACS; then `x7`
    says that variable 7 is true, `-x7` that it is false.

    \b
    Examples:
      gemhunter proof show board.txt board.drat
      gemhunter proof show board.txt board.drat --max-steps 1000 -o steps.txt
      gemhunter proof show formula.cnf formula.drat --format json
    """
    subject, names = _names(board, BoardReading(options.zero, options.total), options.encoding)
    steps = read_drat(read_bytes(file, LARGEST_DRAT_FILE, "a proof"), source_name(file))
    record = proof_steps_record(subject, board, file, proof=steps, names=names, most=options.max_steps)
    shown, size = len(record["steps"]), counted(steps.size, "step")
    text = f"{json.dumps(record, indent=2)}\n" if options.form == "json" else _steps_text(record)
    print_or_write(text, options.output, f"{shown} of {size}")
    if shown < steps.size:
        note(f"the first {shown} of {size}; --max-steps shows more")


def _names(board: str, reading: BoardReading, encoding: str) -> tuple[Subject, Names]:
    """What a proof is about, a board or a formula, and the names of its literals."""
    if is_formula(board):
        refuse_options_about_boards(board, "form", "max_steps", "output", "quiet")
        return "formula", VariableNames()
    require_encoding(encoding)
    position = reading.read_and_warn(board)
    puzzle = read_puzzle(position.grid, position.total)
    return "board", CellNames(position.grid, puzzle, is_binomial=encoding == "binomial")


def _steps_text(record: dict[str, Any]) -> str:
    lines = [f"{record['proof']}: {counted(record['added'], 'clause')} added, {record['deleted']} deleted"]
    for step in record["steps"]:
        clause = " or ".join(step["clause"]) or "nothing, which is the contradiction"
        lines.append(f"{step['step']:5}  {step['kind']} {clause}")
    return "".join(f"{line}\n" for line in lines)


def save_proof(results: Sequence[Result], file: Path) -> None:
    """Write the proof of a refuted board, or say why there is none."""
    for result in results:
        if isinstance(result.answer, Failure):
            continue
        outcome = result.answer.outcome
        if isinstance(outcome, Refuted):
            write_proof(file, outcome.proof, result.engine)
        else:
            why = "the board has a solution" if isinstance(outcome, Solved) else "the engine gave up"
            note(f"{file}: not written, {why}")


def write_proof(file: Path, steps: Proof | None, engine: str) -> None:
    """Write the proof of an engine, or say that it gave none."""
    if steps is None:
        note(f"{file}: not written, {engine} gave no proof")
    else:
        write_output(file, write_drat(steps), counted(steps.size, "step"))
