"""`gemhunter cnf`: a board as clauses, or the sum behind them."""

import json
from dataclasses import dataclass
from pathlib import Path

import click

from gemhunter import __version__
from gemhunter.board.position import Position
from gemhunter.cli.board_arguments import BoardReading
from gemhunter.cli.notes import print_or_write, quiet_option
from gemhunter.cli.options import (
    complete_board,
    encoding_option,
    numbering_option,
    options_as,
    output_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.output import RecordTable, table_format_option, table_text
from gemhunter.cnf.dimacs import write_dimacs
from gemhunter.cnf.encode import (
    ClauseSum,
    Numbering,
    Untouched,
    clause_comments,
    clause_sum,
    encode,
    with_comments,
)
from gemhunter.files.dialects import Zero
from gemhunter.printable import counted
from gemhunter.records.answers import clause_sum_record, clue_records


@dataclass(frozen=True, slots=True)
class CnfOptions:
    """The options of `gemhunter cnf`."""

    encoding: str
    variables: Numbering
    keep_duplicates: bool
    untouched: Untouched
    total: int | None
    zero: Zero
    with_clues: bool
    as_sum: bool
    form: str
    output: Path | None


@click.command()
@click.argument("board", shell_complete=complete_board)
@encoding_option
@numbering_option
@click.option("--keep-duplicates", is_flag=True, help="Keep clauses that occur more than once.")
@click.option(
    "--untouched",
    type=click.Choice(["none", "units"]),
    default="none",
    show_default=True,
    help="units: a unit clause makes a gem of each unknown cell that no clue touches.",
)
@traps_option
@zero_option
@click.option(
    "--comments", "with_clues", is_flag=True, help="Name the clue before its clauses in a comment line."
)
@click.option("--sum", "as_sum", is_flag=True, help="Print how many clauses each clue has, not the clauses.")
@table_format_option
@output_option("what would be printed")
@quiet_option
@options_as(CnfOptions)
def cnf(board: str, options: CnfOptions) -> None:
    """Write a board as a DIMACS formula for SAT solvers.

    Its models are the solutions of the board. Comment lines say which cell each variable is: `c 7 r2c3`
    means that variable 7 is true exactly if the cell in row 2, column 3 is a trap. With --comments, a line
    such as `c clue 3 at r1c1: …` stands before the clauses of each clue.

    With --sum, a table has C(n,k+1) + C(n,n-k+1) for each clue with n unknown cells next to it, of which k
    are traps, and the total of all clauses, with and without duplicates.

    \b
    Examples:
      gemhunter cnf board.txt -o board.cnf
      gemhunter cnf board.txt --comments
      gemhunter cnf board.txt --encoding totalizer --traps 10
      gemhunter cnf board.txt --variables all --keep-duplicates --zero unknown
      gemhunter cnf board.txt --untouched units --sum
    """
    if options.form != "text" and not options.as_sum:
        raise click.UsageError(f"--format {options.form} needs --sum; a formula is written as DIMACS")
    if options.as_sum and options.with_clues:
        raise click.UsageError("--comments is for clauses, which --sum does not print")
    if options.as_sum and options.encoding != "binomial":
        raise click.UsageError(f"--sum counts binomial clauses, not those of {options.encoding}")
    position = BoardReading(options.zero, options.total).read_and_warn(board)
    if options.as_sum:
        text, size = _sum_text(board, position, options)
    else:
        text, size = _formula_text(position, options)
    print_or_write(text, options.output, size)


def _formula_text(position: Position, options: CnfOptions) -> tuple[str, str]:
    """The formula in DIMACS format, and how large it is."""
    grid = position.grid
    formula = encode(
        grid,
        options.encoding,
        options.variables,
        total=position.total,
        keep_duplicates=options.keep_duplicates,
        untouched=options.untouched,
    )
    total = "" if position.total is None else f", {counted(position.total, 'trap')} in all"
    units = ", a unit clause for each untouched cell" if options.untouched == "units" else ""
    comments = (
        f"gemhunter {__version__}: a board of {grid.rows}x{grid.cols}{total}; true means trap",
        f"encoding {options.encoding}, variables {options.variables}{units}",
    )
    text = write_dimacs(formula, comments)
    if options.with_clues:
        text = with_comments(text, _clue_comments(position, options))
    return text, f"{counted(formula.variables, 'variable')}, {counted(formula.size, 'clause')}"


def _clue_comments(position: Position, options: CnfOptions) -> dict[int, list[str]]:
    """The comments that name clues, by the clause that they stand before."""
    return clause_comments(
        position.grid,
        options.encoding,
        options.variables,
        total=position.total,
        keep_duplicates=options.keep_duplicates,
        untouched=options.untouched,
    )


def _sum_text(board: str, position: Position, options: CnfOptions) -> tuple[str, str]:
    """The sum of clauses for people or for programs, and its total."""
    total, form = position.total, options.form
    found = clause_sum(position.grid, options.variables, total=total, untouched=options.untouched)
    if form == "json":
        text = json.dumps(clause_sum_record(board, found), indent=2) + "\n"
    else:
        headings, *rows = _clue_rows(found)
        text = table_text(form, RecordTable(headings, rows, clue_records(found)))
        text += "".join(f"{line}\n" for line in _last_lines(found, total) if form == "text")
    return text, f"{counted(found.total, 'clause')}, {found.distinct:,} without duplicates"


def _clue_rows(found: ClauseSum) -> list[list[str]]:
    """The headings, and a row per clue."""
    rows = [["cell", "clue", "n", "k", "C(n,k+1)", "C(n,n-k+1)", "clauses"]]
    for each in found.clues:
        numbers = (each.clue, each.hidden, each.traps, each.upper, each.lower, each.clauses)
        rows.append([str(each.cell), *map(str, numbers)])
    return rows


def _last_lines(found: ClauseSum, total: int | None) -> list[str]:
    """What is added to the clauses of the clues, and how many clauses that makes."""
    lines = [f"  {found.of_clues} for the clues"]
    if found.shown:
        lines.append(f"+ {found.shown} for the cells that are shown, a unit clause each")
    cells = counted(found.untouched, "unknown cell")
    if total is None and found.untouched_units == found.untouched:
        lines.append(
            f"+ {found.untouched} for the unknown cells that no clue touches, a unit clause each (E)"
        )
    elif total is None:
        lines.append(f"+ 0 for {cells} that no clue touches (--untouched units adds one clause for each)")
    if total is not None:
        lines.append(f"+ {found.of_total} for the total of {total}")
    return [*lines, f"= {counted(found.total, 'clause')}, {found.distinct:,} without duplicates"]
