"""What `gemhunter` shows when it is asked for nothing in particular."""

import click

from gemhunter.cli.sample_boards import SAMPLE, boards_folder
from gemhunter.cli.screen import coloured, seconds_text
from gemhunter.formats.text import read_grid
from gemhunter.queries.solve import solve

NEXT = """Try next:
  gemhunter solve BOARD                    solve a board of your own (or a folder, or - for standard input)
  gemhunter solve BOARD -e pysat:g4 -e pysat:minicard   compare engines; `gemhunter engines` lists them
  gemhunter cnf BOARD                      the same board as DIMACS clauses
  gemhunter check BOARD ANSWER             grade a filled-in answer
  gemhunter menu                           choose boards and engines from a menu
  gemhunter --help                         everything else"""


def show_demo() -> None:
    """Solve the sample board and say what to try next."""
    path = boards_folder() / SAMPLE
    report = solve(read_grid(path))
    filled = report.filled
    assert filled is not None  # noqa: S101 - the sample board is ours and has a solution
    click.echo(f"A sample board ({path.name}); `_` is unknown, a number counts the traps around it:\n")
    click.echo(coloured(report.grid))
    click.echo(f"\nSolved by {report.engine} in {seconds_text(sum(report.seconds.values()))}:\n")
    click.echo(f"{coloured(filled)}\n\n{NEXT}")
