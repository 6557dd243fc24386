"""The output of `gemhunter` without a command: a solved sample board, and what to try next."""

import click

from gemhunter.wording import program_name

NEXT_STEPS = """Try next, in the browser: {command} web

With boards of your own, or samples (sample:9x9; {command} samples lists them):
  {command} solve BOARD -e cdcl -e pysat:g4    solve it by one engine or several; a folder works too
  {command} explain BOARD                      why each cell is a trap or a gem, step by step
  {command} cnf BOARD                          the clauses, for a solver of your own
  {command} engines --new mine.py              start a solver of your own; -e ./mine.py runs it
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
    """Solve the sample board, and suggest what to try next."""
    # Imported here, so that `--help` is fast.
    from gemhunter.cli.output import board_text
    from gemhunter.files.boards import read_game_file
    from gemhunter.files.samples import FIRST_SAMPLE
    from gemhunter.questions.solve import solve
    from gemhunter.wording import seconds_text

    report = solve(read_game_file(FIRST_SAMPLE).position.grid)
    filled = report.filled
    assert filled is not None  # noqa: S101 - the sample board is ours and has a solution
    click.echo(f"A sample board ({FIRST_SAMPLE}); `_` is unknown, a number counts the traps around it:\n")
    click.echo(board_text(report.grid))
    click.echo(f"\nSolved by {report.engine} in {seconds_text(sum(report.seconds.values()))}:\n")
    click.echo(f"{board_text(filled)}\n\n{NEXT_STEPS.format(command=program_name())}")
