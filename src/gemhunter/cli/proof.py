"""`gemhunter proof`: proofs that a board has no solution, or a formula no model."""

from typing import Any

import click

from gemhunter.board.puzzle import read_puzzle
from gemhunter.cli.declare import Group, argument, command, number
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED, note
from gemhunter.cli.options import (
    BOARD_ARGUMENT,
    ENCODING_OPTION,
    TRAPS_OPTION,
    ZERO_OPTION,
    read_board,
    refuse_options_about_boards,
    require_one_stdin,
    seconds_option,
)
from gemhunter.cli.output import Outputs, format_option, json_document, output_option
from gemhunter.cli.progress import ask_with_progress
from gemhunter.cnf.dimacs import is_formula, read_formula
from gemhunter.cnf.drat import Proof, place_of_step, read_drat
from gemhunter.cnf.encode import encode
from gemhunter.cnf.encodings import require_encoding
from gemhunter.files.access import read_bytes, reading, source_name
from gemhunter.files.dialects import Zero
from gemhunter.questions.proof_checker import Accepted, Rejected, Verdict, check_formula_proof
from gemhunter.questions.trace import CellNames, Names, VariableNames
from gemhunter.records.formulas import Subject, proof_record, proof_steps_record
from gemhunter.solving.outcomes import GaveUp
from gemhunter.wording import counted


@click.group(cls=Group, kind="proof command", no_args_is_help=False)
def proof() -> None:
    """Check and show proofs that a board has no solution.

    Proofs are in DRAT, the format of SAT competitions. They can also show that a formula has no model.

    \b
    Examples:
      gemhunter solve board.txt -o board.drat
      gemhunter proof check board.txt board.drat
      gemhunter proof show board.txt board.drat
      gemhunter proof check formula.cnf formula.drat
    """


@command(group=proof)
def check(
    board: str = BOARD_ARGUMENT,
    file: str = argument(),
    *,
    encoding: str = ENCODING_OPTION,
    total: int | None = TRAPS_OPTION,
    form: str = format_option("text", "json"),
    time_limit: float | None = seconds_option("Give up after this many seconds."),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Check a proof, with code that no engine uses.

    \b
    Examples:
      gemhunter proof check board.txt board.drat
      gemhunter cnf board.txt -o board.cnf; cadical -q board.cnf board.drat
      gemhunter proof check formula.cnf formula.drat --time-limit 60

    FILE is DRAT as text or binary, - for standard input: a file that `gemhunter solve BOARD -o FILE.drat`
    writes, or any SAT solver for the formula of `gemhunter cnf BOARD`. Every clause that it adds must follow
    from those before it, until they conflict. BOARD can also be a formula in DIMACS.

    Returns 0 if the proof is accepted, 1 if it is rejected, 3 if a limit was reached first.
    """
    require_one_stdin(board, file)
    subject: Subject = "formula" if is_formula(board) else "board"
    if subject == "formula":
        refuse_options_about_boards(board, "form", "time_limit")
        formula = read_formula(board)
    else:
        position = read_board(board, zero, total)
        formula = encode(position.grid, encoding=encoding, total=position.total)
    with reading(file):
        content = _read(file)
        steps = read_drat(content, source_name(file))
    work = f"{file}, {counted(steps.size, 'step')} in all,"
    verdict = ask_with_progress(work, time_limit, lambda run: check_formula_proof(formula, steps, run=run))
    if form == "json":
        record = proof_record(subject, board, file, proof=steps, verdict=verdict, content=content)
        click.echo(json_document(record), nl=False)
    else:
        click.echo(f"{file}: {_verdict_text(verdict, steps, content)}")
    if isinstance(verdict, GaveUp):
        return GAVE_UP
    return SOLVED if isinstance(verdict, Accepted) else NO_SOLUTION


def _read(file: str) -> bytes:
    """The content of a proof, at most 2 GiB: reading it as clauses takes several times as much memory."""
    return read_bytes(file, 2**31, "a proof")


def _verdict_text(verdict: Verdict, steps: Proof, content: bytes) -> str:
    """The verdict. `steps.added` is what `proof show` counts; the check ends at the contradiction."""
    added = f"{counted(steps.added, 'clause')} added"
    match verdict:
        case Accepted(0):
            return f"accepted: {added}, none needed: unit propagation alone finds the contradiction"
        case Accepted(checked):
            shown = f"the first {checked} checked"
            return f"accepted: {added}, {shown}: unit propagation then finds the contradiction"
        case GaveUp() as gave_up:
            return f"gave up: {gave_up.reason}"
        case Rejected(step, reason):
            where = "" if step is None else f" at step {step} ({place_of_step(content, step)})"
            return f"rejected{where}: {reason}"


@command(group=proof)
def show(
    board: str = BOARD_ARGUMENT,
    file: str = argument(),
    *,
    encoding: str = ENCODING_OPTION,
    total: int | None = TRAPS_OPTION,
    max_steps: int = number("--limit", "Show no more than the first N steps.", default=50),
    form: str = format_option("text", "json"),
    outputs: Outputs = output_option("txt json", "the steps"),
    zero: Zero = ZERO_OPTION,
) -> None:
    """Show the steps of a proof in terms of cells.

    \b
    Examples:
      gemhunter proof show board.txt board.drat
      gemhunter proof show board.txt board.drat --limit 1000 -o steps.txt
      gemhunter proof show formula.cnf formula.drat --format json

    `r2c3=T` says that the cell in row 2, column 3 is a trap, `r2c3=G` that it is a gem. A clause that is
    added follows from the clues and the clauses before it; the empty clause is the contradiction. Nothing is
    checked here; `gemhunter proof check` does that. BOARD can be a formula in DIMACS; then `x7` says that
    variable 7 is true, `-x7` that it is false.
    """
    require_one_stdin(board, file)
    names: Names = VariableNames()
    subject: Subject = "formula" if is_formula(board) else "board"
    if subject == "formula":
        refuse_options_about_boards(board, "form", "max_steps", "outputs")
    else:
        require_encoding(encoding)
        position = read_board(board, zero, total)
        puzzle = read_puzzle(position.grid, position.total)
        names = CellNames(position.grid, puzzle, is_binomial=encoding == "binomial")
    with reading(file):
        steps = read_drat(_read(file), source_name(file))
    record = proof_steps_record(subject, board, file, proof=steps, names=names, most=max_steps)
    shown, size = len(record["steps"]), counted(steps.size, "step")
    outputs.give(
        form,
        lambda form: json_document(record) if form == "json" else _steps_text(record),
        f"{shown} of {size}",
    )
    if shown < steps.size:
        note(f"the first {shown} of {size}; --limit shows more")


def _steps_text(record: dict[str, Any]) -> str:
    lines = [f"{record['proof']}: {counted(record['added'], 'clause')} added, {record['deleted']} deleted"]
    for step in record["steps"]:
        clause = " or ".join(step["clause"]) or "the empty clause, a contradiction"
        lines.append(f"{step['step']:5}  {step['kind']} {clause}")
    return "".join(f"{line}\n" for line in lines)
