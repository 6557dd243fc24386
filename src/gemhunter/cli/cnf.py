"""`gemhunter cnf`: a board as clauses, how their number adds up, and a solver's model as a board."""

from typing import get_args

import click
import numpy as np

from gemhunter import __version__
from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN
from gemhunter.board.position import Position
from gemhunter.cli.declare import command, flag, option
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.options import (
    BOARD_ARGUMENT,
    ENCODING_OPTION,
    TRAPS_OPTION,
    ZERO_OPTION,
    read_board,
    require_one_stdin,
)
from gemhunter.cli.output import (
    TABLE_FORMS,
    Outputs,
    form_of,
    format_option,
    json_document,
    output_option,
    table_in,
)
from gemhunter.cnf.accounts import ClauseSum, clause_comments, clause_sum, with_comments
from gemhunter.cnf.dimacs import decode_model, parse_output, write_dimacs
from gemhunter.cnf.encode import Numbering, Untouched, encode
from gemhunter.errors import ModelError
from gemhunter.files.access import read_text, source_name
from gemhunter.files.dialects import Zero
from gemhunter.records.formulas import clause_sum_record, clue_records
from gemhunter.wording import counted


@command()
def cnf(
    board: str = BOARD_ARGUMENT,
    *,
    encoding: str = ENCODING_OPTION,
    as_sum: bool = flag("--sum", "Count the clauses of each clue instead of listing them."),
    with_clues: bool = flag("--comments", "Name the clue before its clauses in a comment line."),
    model: str | None = option(
        "--model FILE",
        "Fill in the board from what a SAT solver printed about its formula; - is standard input.",
        type=click.Path(allow_dash=True),
    ),
    total: int | None = TRAPS_OPTION,
    form: str = format_option(*TABLE_FORMS, what="How to print; all but text need --sum."),
    outputs: Outputs = output_option("cnf txt json csv md", "what would be printed"),
    variables: Numbering = option(
        "--variables",
        "Number unknown cells 1..n, or by place, r·C + c + 1: `all` with units for clues, or `places`.",
        rare=True,
        choices=get_args(Numbering),
        default="hidden",
    ),
    untouched: Untouched = option(
        "--untouched",
        "units: add a unit clause that makes each unknown cell without a neighbouring clue a gem.",
        rare=True,
        choices=["none", "units"],
        default="none",
    ),
    keep_duplicates: bool = flag("--keep-duplicates", "Keep clauses that occur more than once.", rare=True),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Write a board as a DIMACS formula for SAT solvers.

    \b
    Examples:
      gemhunter cnf board.txt -o board.cnf
      gemhunter cnf board.txt --sum
      cadical -q board.cnf | gemhunter cnf board.txt --model -
      gemhunter cnf board.txt --encoding totalizer --traps 10
      gemhunter cnf board.txt --variables all --keep-duplicates --zero unknown

    The models of the formula are the solutions of the board. Comment lines say which cell each variable is:
    `c 7 r2c3` means that variable 7 is true if and only if the cell in row 2, column 3 is a trap. With
    --comments, a line such as `c clue 3 at r1c1: …` precedes the clauses of each clue. The last example
    writes the clauses of course program S4; --variables places writes those of S1.

    With --sum, a table has C(n,k+1) + C(n,n-k+1) for each clue with n unknown cells next to it, of which k
    are traps, and the total of all clauses, with and without duplicates.

    With --model, FILE is what a solver printed for the formula that the same options write: `s` and `v`
    lines, MiniSat's result file, or bare literals. The filled board is checked before it is printed.
    """
    if as_sum and with_clues:
        raise click.UsageError("--comments is for clauses, which --sum does not print")
    if as_sum and encoding != "binomial":
        raise click.UsageError(f"--sum counts binomial clauses, not those of {encoding}")
    forms = {form, *(form_of(path, form) for path in outputs.paths)}
    if not as_sum and (tables := forms - {"text"}):
        raise click.UsageError(f"{min(tables)} needs --sum; a formula is written as DIMACS")
    require_one_stdin(board, model or "")
    position = read_board(board, zero, total)
    if model is not None:
        if as_sum or with_clues:
            raise click.UsageError("--model fills in the board; leave out --sum and --comments")
        return _decode(position, model, variables, outputs)
    grid, total = position.grid, position.total
    if as_sum:
        found = clause_sum(grid, variables, total=total, untouched=untouched)
        size = f"{counted(found.total, 'clause')}, {found.distinct:,} without duplicates"
        outputs.give(form, lambda form: _sum_text(board, found, total, form), size)
        return SOLVED
    formula = encode(
        grid, encoding, variables, total=total, keep_duplicates=keep_duplicates, untouched=untouched
    )
    total_words = "" if total is None else f", {counted(total, 'trap')} in all"
    units = ", a unit clause for each untouched cell" if untouched == "units" else ""
    comments = (
        f"gemhunter {__version__}: a board of {grid.rows}x{grid.cols}{total_words}; true means trap",
        f"encoding {encoding}, variables {variables}{units}",
    )
    text = write_dimacs(formula, comments)
    if with_clues:
        by_clause = clause_comments(
            grid, encoding, variables, total=total, keep_duplicates=keep_duplicates, untouched=untouched
        )
        text = with_comments(text, by_clause)
    size = f"{counted(formula.variables, 'variable')}, {counted(formula.size, 'clause')}"
    outputs.give(form, lambda _: text, size)
    return SOLVED


def _decode(position: Position, model: str, variables: Numbering, outputs: Outputs) -> int:
    """Fill in the board from a solver's output, and check it."""
    grid, text = position.grid, read_text(model)
    if text.lstrip().startswith(("{", "[")):
        raise ModelError(f"{source_name(model)}: JSON; expected `s` and `v` lines, or literals")
    output = parse_output(text)
    if output.status == "unsatisfiable":
        click.echo("the solver found that there is no solution", err=True)
        return NO_SOLUTION
    if output.status == "unknown":
        click.echo("the solver gave up", err=True)
        return GAVE_UP
    if not output.model.size and HIDDEN in grid.cells:
        raise ModelError(f"{model}: no model found; expected `v` lines or literals")
    filled = decode_model(grid, output.model, variables).fill(grid)
    if violations := check(grid, filled, position.total):
        named = int(np.abs(output.model).max(initial=0))
        cells = int(np.count_nonzero(grid.cells == HIDDEN)) if variables == "hidden" else grid.cells.size
        other = ""
        if named > cells:
            other = f"; it names {named} variables, but with these options {cells} stand for cells"
            other += " (give the --variables and --encoding of the formula)"
        raise ModelError(f"{model}: not a model of this board: {violations[0]}{other}")
    outputs.give("text", lambda _: f"{filled}\n", "the filled board")
    return SOLVED


def _sum_text(board: str, found: ClauseSum, total: int | None, form: str) -> str:
    """A row per clue; for people, also the other sources of clauses."""
    if form == "json":
        return json_document(clause_sum_record(board, found))
    rows = [["cell", "clue", "n", "k", "C(n,k+1)", "C(n,n-k+1)", "clauses"]]
    for each in found.clues:
        numbers = (each.clue, each.hidden, each.traps, each.upper, each.lower, each.clauses)
        rows.append([str(each.cell), *map(str, numbers)])
    table = table_in(form, rows, clue_records(found))
    if form != "text":
        return table
    lines = [f"  {found.of_clues} for the clues"]
    if found.shown:
        lines.append(f"+ {found.shown} for the cells that are shown, a unit clause each")
    if total is not None:
        lines.append(f"+ {found.of_total} for the total of {total}")
    elif found.untouched_units == found.untouched:
        lines.append(f"+ {found.untouched} for the unknown cells that no clue touches, a unit clause each")
    else:
        cells = counted(found.untouched, "unknown cell")
        lines.append(f"+ 0 for {cells} that no clue touches (--untouched units adds one clause for each)")
    lines.append(f"= {counted(found.total, 'clause')}, {found.distinct:,} without duplicates")
    return table + "".join(f"{line}\n" for line in lines)
