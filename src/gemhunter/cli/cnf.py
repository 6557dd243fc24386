"""`gemhunter cnf`: a board as clauses, or the sum behind them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.options import (
    encoding_option,
    format_option,
    numbering_option,
    output_option,
    traps_option,
    zero_option,
)

if TYPE_CHECKING:
    from gemhunter.cnf.clause_sum import ClauseSum
    from gemhunter.core.grid import Grid


@click.command()
@click.argument("board")
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
@click.option("--sum", "as_sum", is_flag=True, help="Print how many clauses each clue has, not the clauses.")
@format_option
@output_option("what is printed")
def cnf(board: str, *, as_sum: bool, form: str, output: Path | None, zero: Any, **how: Any) -> None:
    """Write a board as a DIMACS formula for SAT solvers.

    Its models are the solutions of the board. Comment lines say which cell each variable is: `c 7 r2c3`
    means that variable 7 is true exactly if the cell in row 2, column 3 is a trap.

    With --sum, a table has C(n,k+1) + C(n,n-k+1) for each clue with n unknown cells next to it, of which k
    are traps, and the total of all clauses, with and without duplicates.

    \b
    Examples:
      gemhunter cnf board.txt -o board.cnf
      gemhunter cnf board.txt --encoding totalizer --traps 10
      gemhunter cnf board.txt --variables all --keep-duplicates --zero unknown
      gemhunter cnf board.txt --untouched units --sum
    """
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.formats.files import write_atomically

    if form == "json" and not as_sum:
        raise click.UsageError("--format json needs --sum; a formula is written as DIMACS")
    if as_sum and how["encoding"] != "binomial":
        raise click.UsageError(f"--sum counts binomial clauses, not those of {how['encoding']}")
    grid = read_and_warn(board, zero)
    text, size = _sum_text(board, grid, form, **how) if as_sum else _formula_text(grid, **how)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)
        click.echo(f"{output}: {size}", err=True)


def _formula_text(grid: "Grid", **how: Any) -> tuple[str, str]:
    """The formula in DIMACS format, and how large it is."""
    from gemhunter import __version__
    from gemhunter.cnf.dimacs import write_dimacs
    from gemhunter.cnf.encode import encode

    formula = encode(grid, **how)
    total = "" if how["traps"] is None else f", {how['traps']} traps in all"
    units = ", a unit clause for each untouched cell" if how["untouched"] == "units" else ""
    comments = (
        f"gemhunter {__version__}: a board of {grid.rows}x{grid.cols}{total}; true means trap",
        f"encoding {how['encoding']}, variables {how['variables']}{units}",
    )
    return write_dimacs(formula, comments), f"{formula.variables} variables, {formula.size} clauses"


def _sum_text(
    board: str, grid: "Grid", form: str, *, variables: Any, traps: int | None, untouched: Any, **_: Any
) -> tuple[str, str]:
    """The sum of clauses for people or for programs, and its total."""
    from gemhunter.cli.screen import aligned
    from gemhunter.cnf.clause_sum import clause_sum
    from gemhunter.records.formulas import clause_sum_record

    found = clause_sum(grid, variables, traps=traps, untouched=untouched)
    if form == "json":
        text = json.dumps({"board": board, **clause_sum_record(found)}, indent=2)
    else:
        text = "\n".join([*aligned(_clue_rows(found)), *_last_lines(found, traps)])
    return f"{text}\n", f"{found.total} clauses, {found.distinct} without duplicates"


def _clue_rows(found: "ClauseSum") -> list[list[str]]:
    """The headings, and a row per clue."""
    rows = [["cell", "clue", "n", "k", "C(n,k+1)", "C(n,n-k+1)", "clauses"]]
    for each in found.clues:
        numbers = (each.clue, each.hidden, each.traps, each.upper, each.lower, each.clauses)
        rows.append([str(each.cell), *map(str, numbers)])
    return rows


def _last_lines(found: "ClauseSum", traps: int | None) -> list[str]:
    """What is added to the clauses of the clues, and how many clauses that makes."""
    lines = [f"  {found.of_clues} for the clues"]
    if found.shown:
        lines.append(f"+ {found.shown} for the cells that are shown, a unit clause each")
    cells = f"{found.untouched} unknown cell" + "s" * (found.untouched != 1)
    if traps is None and found.untouched_units == found.untouched:
        lines.append(
            f"+ {found.untouched} for the unknown cells that no clue touches, a unit clause each (E)"
        )
    elif traps is None:
        lines.append(f"+ 0 for {cells} that no clue touches (--untouched units adds one clause for each)")
    if traps is not None:
        lines.append(f"+ {found.of_total} for the total of {traps}")
    return [*lines, f"= {found.total} clauses, {found.distinct} without duplicates"]
