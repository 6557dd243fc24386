"""`gemhunter proof show`: a proof in cells, step by step."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.formula_arguments import refuse_options_about_boards
from gemhunter.cli.notes import note, print_or_write, quiet_option
from gemhunter.cli.option_types import AMOUNT
from gemhunter.cli.options import (
    complete_board,
    encoding_option,
    format_option,
    output_option,
    traps_option,
    zero_option,
)
from gemhunter.core.plurals import counted

if TYPE_CHECKING:
    from gemhunter.queries.trace_words import Names

LARGEST_PROOF = 2**31
"""Bytes. Reading takes several times as much memory."""


@click.command()
@click.argument("board", shell_complete=complete_board)
@click.argument("file")
@encoding_option
@traps_option
@zero_option
@click.option(
    "--max-steps",
    type=AMOUNT,
    default=50,
    show_default=True,
    metavar="N",
    help="Show no more than the first N steps.",
)
@format_option
@output_option("what would be printed")
@quiet_option
def show(board: str, file: str, *, form: str, max_steps: int, output: Path | None, **how: Any) -> None:
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
    from gemhunter.cnf.drat import read_drat
    from gemhunter.formats.files import read_bytes, source_name
    from gemhunter.records.formulas import proof_steps_record

    kind, names = _names(board, **how)
    proof = read_drat(read_bytes(file, LARGEST_PROOF, "a proof"), source_name(file))
    record = {kind: board, "proof": file, **proof_steps_record(proof, names, max_steps)}
    shown = len(record["steps"])
    text = f"{json.dumps(record, indent=2)}\n" if form == "json" else _text(record)
    print_or_write(text, output, f"{shown} of {counted(proof.size, 'step')}")
    if shown < proof.size:
        note(f"the first {shown} of {counted(proof.size, 'step')}; --max-steps shows more")


def _names(board: str, *, encoding: str, total: int | None, zero: Any) -> "tuple[str, Names]":
    """What a proof is about, a board or a formula, and the names of its literals."""
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.cnf.encodings import require_encoding
    from gemhunter.cnf.formula_files import is_formula
    from gemhunter.core.puzzle import read_puzzle
    from gemhunter.queries.trace_words import CellNames, VariableNames

    if is_formula(board):
        refuse_options_about_boards(board, "form", "max_steps", "output", "quiet")
        return "formula", VariableNames()
    require_encoding(encoding)
    position = read_and_warn(board, zero, total)
    puzzle = read_puzzle(position.grid, position.total)
    return "board", CellNames(position.grid, puzzle, is_binomial=encoding == "binomial")


def _text(record: dict[str, Any]) -> str:
    lines = [f"{record['proof']}: {counted(record['added'], 'clause')} added, {record['deleted']} deleted"]
    for step in record["steps"]:
        clause = " or ".join(step["clause"]) or "nothing, which is the contradiction"
        lines.append(f"{step['step']:5}  {step['kind']} {clause}")
    return "".join(f"{line}\n" for line in lines)
