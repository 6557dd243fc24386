"""`gemhunter cnf`: a board as clauses."""

from pathlib import Path
from typing import Any

import click

from gemhunter.cli.options import encoding_option, numbering_option, output_option, traps_option, zero_option


@click.command()
@click.argument("board")
@encoding_option
@numbering_option
@click.option("--keep-duplicates", is_flag=True, help="Keep clauses that occur more than once.")
@traps_option
@zero_option
@output_option("the formula")
def cnf(board: str, output: Path | None, zero: Any, **how: Any) -> None:
    """Write a board as a DIMACS formula for SAT solvers.

    Its models are the solutions of the board. Comment lines say which cell each variable is: `c 7 r2c3`
    means that variable 7 is true exactly if the cell in row 2, column 3 is a trap.

    \b
    Examples:
      gemhunter cnf board.txt -o board.cnf
      gemhunter cnf board.txt --encoding totalizer --traps 10
      gemhunter cnf board.txt --variables all --keep-duplicates --zero unknown
    """
    from gemhunter import __version__
    from gemhunter.cnf.dimacs import write_dimacs
    from gemhunter.cnf.encode import encode
    from gemhunter.formats.files import write_atomically
    from gemhunter.formats.text import read_grid

    grid = read_grid(board, zero)
    formula = encode(grid, **how)
    total = "" if how["traps"] is None else f", {how['traps']} traps in all"
    comments = (
        f"gemhunter {__version__}: a board of {grid.rows}x{grid.cols}{total}; true means trap",
        f"encoding {how['encoding']}, variables {how['variables']}",
    )
    text = write_dimacs(formula, comments)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)
        click.echo(f"{output}: {formula.variables} variables, {formula.size} clauses", err=True)
