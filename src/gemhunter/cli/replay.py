"""`gemhunter replay`: a game that was played, looked at again."""

from pathlib import Path
from typing import Any

import click

from gemhunter.cli.board_text import rows_text
from gemhunter.cli.exit_codes import NO_SOLUTION, SOLVED
from gemhunter.cli.game_pictures import animate_moves
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import OutputFile
from gemhunter.cli.options import format_option, truth_option
from gemhunter.cli.review_text import review_game, review_lines
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.formats.game_files import read_replay
from gemhunter.play.game import replayed
from gemhunter.printable import json_text
from gemhunter.records.games import replay_record, wrong_replay_record


@click.command()
@click.argument("file")
@click.option("--moves", is_flag=True, help="List every move.")
@click.option("--review", is_flag=True, help="Judge every move by what could be known before it.")
@click.option(
    "--animate",
    type=OutputFile(),
    metavar="FILE",
    help="Write the game as an animated GIF, a frame per move.",
)
@truth_option
@format_option
@quiet_option
def replay(file: str, *, moves: bool, review: bool, animate: Path | None, truth: bool, form: str) -> int:
    """Play a recorded game again, and show how it ended.

    Every move has to change something, and the board has to be the one that the id of the game deals.
    FILE is a replay as JSON, - for standard input; `gemhunter convert FILE` has its board.

    A review says of every move that could lose whether the risk was needless, what was missed, the chance of
    winning before it, and how a guess compares with what the agent `expert` would have opened.

    Returns 0 if the replay holds, 1 if it does not, 2 if it cannot be read.

    \b
    Examples:
      gemhunter replay game.json
      gemhunter replay game.json --moves --format json
      gemhunter replay game.json --review
      gemhunter replay game.json --animate game.gif
    """
    recorded = read_replay(file)
    try:
        game = replayed(recorded)
    except InputError as error:
        wrong = json_text(wrong_replay_record(file, str(error)), indent=2)
        click.echo(wrong if form == "json" else f"wrong: {error}")
        return NO_SOLUTION
    record = replay_record(file, game, lists_moves=moves)

    def show(found: dict[str, Any]) -> None:
        click.echo(json_text(found, indent=2) if form == "json" else _text(found))

    if review:
        review_game(game, lambda judged: show({**record, "review": judged}))
    else:
        show(record)
    if animate is not None:
        animate_moves(game, animate, truth=truth)
    return SOLVED


def _text(record: dict[str, Any]) -> str:
    moves = counted(record["moves"], "move")
    where = f", at {record['exploded']}" if record["exploded"] else ""
    heading = f"{record['id'] or record['level']}: {record['status']} after {moves}{where}"
    judged = review_lines(record["review"]) if "review" in record else ()
    return "\n".join([heading, *record.get("list", []), *judged, rows_text(record["grid"])])
