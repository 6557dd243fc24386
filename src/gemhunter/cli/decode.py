"""`gemhunter decode`: a solver's model back to a filled board."""

import click

from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN
from gemhunter.cli.board_arguments import BoardReading
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.options import complete_board, numbering_option, traps_option, zero_option
from gemhunter.cnf.dimacs import decode_model, parse_output
from gemhunter.cnf.encode import Numbering
from gemhunter.errors import ModelError
from gemhunter.files.access import read_text
from gemhunter.files.dialects import Zero


@click.command()
@click.argument("board", shell_complete=complete_board)
@click.argument("model")
@numbering_option
@traps_option
@zero_option
@quiet_option
def decode(board: str, model: str, *, variables: Numbering, total: int | None, zero: Zero) -> int:
    """Fill in a board from what a SAT solver printed.

    MODEL is the file with the solver's output for `gemhunter cnf BOARD` (`s` and `v` lines, MiniSat's result
    file, or bare literals), or - for standard input. The filled board is checked before it is printed.

    \b
    Examples:
      gemhunter cnf board.txt -o board.cnf
      cadical -q board.cnf | gemhunter decode board.txt -
    """
    position = BoardReading(zero, total).read_and_warn(board)
    grid = position.grid
    output = parse_output(read_text(model))
    if output.status == "unsatisfiable":
        click.echo("no solution, says the solver", err=True)
        return NO_SOLUTION
    if output.status == "unknown":
        click.echo("the solver gave up", err=True)
        return GAVE_UP
    if not output.model.size and HIDDEN in grid.cells:
        raise ModelError(f"{model}: no model found; expected `v` lines or literals")
    filled = decode_model(grid, output.model, variables).fill(grid)
    violations = check(grid, filled, position.total)
    if violations:
        raise ModelError(f"{model}: not a model of this board: {violations[0]}")
    click.echo(filled)
    return SOLVED
