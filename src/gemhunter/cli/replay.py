"""`gemhunter replay`: a game that was played, looked at again, and its review."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from gemhunter.cli.board_arguments import rows_text
from gemhunter.cli.exit_codes import NO_SOLUTION, SOLVED
from gemhunter.cli.notes import is_pending, quiet_option, stop_if_pending
from gemhunter.cli.options import OutputFile, format_option, truth_option
from gemhunter.cli.progress import Progress
from gemhunter.cli.watch import animate_moves
from gemhunter.errors import InputError
from gemhunter.files.boards import read_replay
from gemhunter.play.game import Game, replayed
from gemhunter.play.review import ReviewedMove, look_again, review_moves
from gemhunter.play.risks import USUAL_LIMITS
from gemhunter.play.words import percent
from gemhunter.printable import counted, json_text
from gemhunter.records.games import (
    replay_record,
    review_summary,
    reviewed_record,
    second_look_record,
    wrong_replay_record,
)
from gemhunter.solving.run import Limits, Run

# The review of a game on the command line: every move judged, the risky ones listed.


SECOND_LOOK_SECONDS = 30.0
"""How long a risky move may be looked at again."""


def review_game(game: Game, show: Callable[[dict[str, Any]], None]) -> None:
    """Judge a game move by move, and look again at every move that could lose.

    The review as plain data is shown at the end; after Ctrl-C, as far as it has come.
    """
    reviewed, looks = list[ReviewedMove](), dict[int, dict[str, Any]]()
    try:
        _judge(game, reviewed)
        _look_again([move for move in reviewed if move.risk > 0], looks)
    finally:
        records = [reviewed_record(move) | looks.get(move.number, {}) for move in reviewed]
        show({**review_summary(game, reviewed), "moves": records})


def _judge(game: Game, reviewed: list[ReviewedMove]) -> None:
    """Add every judged move, with a line of progress."""
    progress = Progress(len(game.moves))
    try:
        progress.begin("judging moves")
        run = Run(USUAL_LIMITS, cancel=is_pending, progress=progress.tick)
        for move in review_moves(game, run):
            stop_if_pending()
            reviewed.append(move)
            progress.begin("judging moves")
    finally:
        progress.clear()


def _look_again(risky: Sequence[ReviewedMove], looks: dict[int, dict[str, Any]]) -> None:
    """Add a record of each second look by the number of the move, with a line of progress."""
    progress = Progress(len(risky), unit="boards")
    try:
        for move in risky:
            progress.begin(f"comparing guesses, move {move.number}")
            limits = Limits(SECOND_LOOK_SECONDS)
            run = Run(limits, seed=move.number, cancel=is_pending, progress=progress.tick)
            look = look_again(move, run)
            stop_if_pending()
            looks[move.number] = second_look_record(move.number, look)
    finally:
        progress.clear()


def review_lines(review: dict[str, Any]) -> Iterator[str]:
    """What there is to say about the moves that could lose, and a summary."""
    for record in review["moves"]:
        if record["verdict"] == "safe":
            continue
        yield f"move {record['number']}, {record['move']}: {record['sentence']}"
        if second := [*_second_look(record)]:
            yield f"    {'; '.join(second)}"
    verdicts = [record["verdict"] for record in review["moves"]]
    kinds = [
        f"{verdicts.count('safe'):,} safe",
        counted(review["guesses"], "guess", "guesses"),
        counted(review["needless"], "needless risk"),
        *([f"{unknown:,} not known"] if (unknown := verdicts.count("not-judged")) else []),
    ]
    yield f"{counted(review['reviewed'], 'move')} judged: {', '.join(kinds)}"
    if review["reviewed"]:
        yield f"chance of surviving every risk that was taken: {percent(review['survived'])}"


def _second_look(record: dict[str, Any]) -> Iterator[str]:
    if (chance := record.get("win_chance")) is not None:
        range_ = f" ({percent(chance['low'])} to {percent(chance['high'])})" * (not chance["exact"])
        yield f"chance of winning before it: {percent(chance['value'])}{range_}"
    if (compared := record.get("compared")) is not None:
        yield compared["sentence"]


# `gemhunter replay`: a game that was played, looked at again.


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
