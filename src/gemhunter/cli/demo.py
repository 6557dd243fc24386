"""What `gemhunter` shows without a command: a solved sample board, and what to try next."""

import os

import click

from gemhunter.cli.board_text import board_text
from gemhunter.formats.samples import FIRST_SAMPLE
from gemhunter.play.game_names import read_grid
from gemhunter.queries.solve import solve
from gemhunter.render.times import seconds_text

NEXT_STEPS = """Try next:
  {command} web                     a page in the browser: analyse, understand, play, compare, make
  {command} solve BOARD             a board of your own, a folder of them, or - for standard input
  {command} samples                 boards to try, such as sample:9x9
  {command} solve sample:9x9 -e pysat:g4 -e pysat:minicard
  {pad}                         two engines side by side
  {command} analyse sample:9x9      how many solutions, forced cells, how risky each cell is
  {command} explain sample:9x9      why each cell is a trap or a gem, step by step
  {command} engines                 all engines
  {command} trace sample:9x9 -e dpll
  {pad}                         a search step by step
  {command} cnf sample:3x4          the board as DIMACS clauses
  {command} check BOARD ANSWER      grade a filled-in answer
  {command} play                    the game in the terminal, with hints and agents
  {command} menu                    choose boards and engines from a menu
  {command} --help                  everything else"""


def show_demo() -> None:
    """Solve the sample board and say what to try next."""
    report = solve(read_grid(FIRST_SAMPLE))
    filled = report.filled
    assert filled is not None  # noqa: S101 - the sample board is ours and has a solution
    click.echo(f"A sample board ({FIRST_SAMPLE}); `_` is unknown, a number counts the traps around it:\n")
    click.echo(board_text(report.grid))
    click.echo(f"\nSolved by {report.engine} in {seconds_text(sum(report.seconds.values()))}:\n")
    command = os.environ.get("GEMHUNTER_COMMAND", "gemhunter")
    click.echo(f"{board_text(filled)}\n\n{NEXT_STEPS.format(command=command, pad=' ' * len(command))}")
