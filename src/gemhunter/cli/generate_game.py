"""`gemhunter generate game`: games that need no guess."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from gemhunter.cli.exit_codes import GAVE_UP, SOLVED
from gemhunter.cli.generate_workers import (
    asked_workers,
    generator_workers_options,
    watched_by,
    with_progress,
)
from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.cli.notes import complain, note, quiet_option, write_output
from gemhunter.cli.option_types import AT_LEAST_ONE, WorkerOptions, options_as
from gemhunter.cli.options import (
    complete_level,
    lines_format_option,
    output_option,
    read_cell_name,
    seed_option,
)
from gemhunter.cli.progress import Progress
from gemhunter.core.grid import Cell
from gemhunter.errors import InputError
from gemhunter.formats.mine_map import mine_map
from gemhunter.generate.games import NoGuessGame, Using, generate_games
from gemhunter.generate.parallel import WorkersAsked
from gemhunter.printable import json_text
from gemhunter.records.games import generated_game_record


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options of `gemhunter generate game`."""

    using: str
    first: Cell | None
    count: int
    seed: int
    form: str
    output: Path | None


@click.command()
@click.argument("level", shell_complete=complete_level)
@click.option(
    "--using",
    type=click.Choice([using.value for using in Using]),
    default=Using.CLUES_AND_TOTAL.value,
    show_default=True,
    help="What the player needs: the clues alone, or the number of traps too.",
)
@click.option(
    "--first",
    callback=read_cell_name,
    metavar="CELL",
    help="Where the player begins, such as r1c1 [default: in the middle].",
)
@click.option("--count", type=AT_LEAST_ONE, default=1, show_default=True, metavar="N", help="How many games.")
@seed_option
@generator_workers_options
@lines_format_option("Mine maps, or one JSON object per line.")
@output_option("the game, or all games as JSON lines,")
@quiet_option
@options_as(GameOptions)
@options_as(WorkerOptions, "worker_options")
def game(level: str, options: GameOptions, worker_options: WorkerOptions) -> int:
    """Make games that need no guess.

    LEVEL is a level such as expert, or its rows, columns and traps as in 16x30n99. From the first click on,
    every step follows by logic. Boards are dealt at random and repaired where a player would get stuck; an
    agent that never guesses has won each of them. Game i has the seed N + i; its id gives it again.

    \b
    Examples:
      gemhunter generate game expert
      gemhunter generate game 16x30n150 --using clues --seed 7
      gemhunter generate game beginner --first r1c1 --count 100 --format jsonl -o games.jsonl
    """
    if options.output is not None and options.form == "text" and options.count > 1:
        raise click.UsageError("several games as text do not fit in one file; use --format jsonl")
    made, code = list[str](), SOLVED
    try:
        with asked_workers(worker_options) as workers:
            games = _games(level, options, workers)
            try:
                for each in games:
                    made.append(_text(each, options.form))
                    _show(each, options)
            except InputError as error:
                complain(error)
                code = GAVE_UP
    finally:
        if options.output is not None and made:
            write_output(options.output, "".join(made), "the games")
    stop_if_pending()
    return code


def _games(level: str, options: GameOptions, workers: WorkersAsked) -> Iterator[NoGuessGame]:
    """The games, with progress."""
    seed, number, progress = options.seed, options.count, Progress(options.count)
    made = generate_games(
        level,
        using=options.using,
        seed=seed,
        number=number,
        first=options.first,
        workers=workers,
        watch=watched_by(progress),
    )
    return with_progress(made, (f"game {each}" for each in range(seed, seed + number)), progress)


def _show(made: NoGuessGame, options: GameOptions) -> None:
    """Print a game as soon as it is there, unless it goes to a file."""
    if options.output is None:
        click.echo(_text(made, options.form), nl=options.form == "text" and options.count > 1)
    if options.form == "text":
        note(f"{made.game_id}, first click at {made.first}")


def _text(made: NoGuessGame, form: str) -> str:
    if form == "jsonl":
        return f"{json_text(generated_game_record(made))}\n"
    return f"{mine_map(made.board.traps)}\n"
