"""What `gemhunter` shows without a command: a solved sample board, and what to try next."""

import click

from gemhunter.cli.board_text import board_text
from gemhunter.formats.samples import FIRST_SAMPLE
from gemhunter.play.game_names import read_grid
from gemhunter.program_name import program_name
from gemhunter.queries.solve import solve
from gemhunter.render.times import seconds_text

NEXT_STEPS = """Try next, in the browser: {command} web

With boards of your own, or samples (sample:9x9; {command} samples lists them):
  {command} solve BOARD -e cdcl -e pysat:g4    solve it by one engine or several; a folder works too
  {command} explain BOARD                      why each cell is a trap or a gem, step by step
  {command} cnf BOARD                          the clauses, for a solver of your own
  {command} engines --new mine.py              begin a solver of your own, to be used by -e ./mine.py
  {command} bench BOARD -e dpll -e cdcl        compare engines fairly
  {command} report BOARD -o report.html        clauses, traces, tables and charts, ready to hand in
With a class:
  {command} generate puzzle 9x9 --count 4      puzzles with one solution, at a chosen difficulty
  {command} check BOARD ANSWER                 grade an answer, or a folder of a whole class
To play:
  {command} play                               the game in the terminal, with hints and agents
  {command} watch                              an agent plays

{command} --help has everything else"""


def show_demo() -> None:
    """Solve the sample board and say what to try next."""
    report = solve(read_grid(FIRST_SAMPLE))
    filled = report.filled
    assert filled is not None  # noqa: S101 - the sample board is ours and has a solution
    click.echo(f"A sample board ({FIRST_SAMPLE}); `_` is unknown, a number counts the traps around it:\n")
    click.echo(board_text(report.grid))
    click.echo(f"\nSolved by {report.engine} in {seconds_text(sum(report.seconds.values()))}:\n")
    click.echo(f"{board_text(filled)}\n\n{NEXT_STEPS.format(command=program_name())}")
