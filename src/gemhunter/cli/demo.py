"""What `gemhunter` shows when it is asked for nothing in particular."""

import os

import click

from gemhunter.cli.sample_boards import SAMPLE, boards_folder
from gemhunter.cli.screen import coloured, has_colours
from gemhunter.formats.text import read_grid
from gemhunter.queries.solve import solve
from gemhunter.render.times import seconds_text

NEXT = """Try next:
  {command} solve BOARD             a board of your own, a folder of them, or - for standard input
  {command} solve BOARD -e pysat:g4 -e pysat:minicard
  {pad}                         the same with two engines side by side
  {command} analyse BOARD           how many solutions, forced cells, how risky each cell is
  {command} engines                 all engines
  {command} trace BOARD -e dpll     a search step by step
  {command} cnf BOARD               the board as DIMACS clauses
  {command} check BOARD ANSWER      grade a filled-in answer
  {command} play                    the game in the terminal, with hints and agents
  {command} menu                    choose boards and engines from a menu
  {command} --help                  everything else"""


def show_demo() -> None:
    """Solve the sample board and say what to try next."""
    path = boards_folder() / SAMPLE
    report = solve(read_grid(path))
    filled = report.filled
    assert filled is not None  # noqa: S101 - the sample board is ours and has a solution
    click.echo(f"A sample board ({path.name}); `_` is unknown, a number counts the traps around it:\n")
    show = coloured if has_colours() else str
    click.echo(show(report.grid))
    click.echo(f"\nSolved by {report.engine} in {seconds_text(sum(report.seconds.values()))}:\n")
    command = os.environ.get("GEMHUNTER_COMMAND", "gemhunter")
    click.echo(f"{show(filled)}\n\n{NEXT.format(command=command, pad=' ' * len(command))}")
