"""`gemhunter experiment match`: two agents or more on the same boards."""

from functools import partial

import click

from gemhunter.cli.option_types import LedgerFiles, WorkerOptions
from gemhunter.cli.options import compared_agents_option
from gemhunter.cli.winrate import AskedExperiment, experiment_options, play_and_show
from gemhunter.cli.winrate_tables import print_match


@click.command()
@compared_agents_option("Who plays: an agent, or cmd: and a program that plays.")
@experiment_options
def match(*, asked: AskedExperiment, files: LedgerFiles, workers: WorkerOptions, form: str) -> int:
    """Let agents or programs play the same games, and say which one is better.

    The difference between any two is measured game by game, and once more without the luck of their guesses,
    which takes far fewer games. A program reads a position per line and answers with a cell; docs/agents.md
    describes how.

    \b
    Examples:
      gemhunter experiment match --agent expert --agent fast --games 5000
      gemhunter experiment match -a expert -a "cmd:python my_player.py" --level intermediate
      gemhunter experiment match -a expert -a "cmd:./player" --games 20000 --output match.jsonl
    """
    return play_and_show(asked, files, workers, partial(print_match, form=form), least_agents=2)
