"""`gemhunter replay`: a recorded game, played again and reviewed."""

from collections.abc import Callable, Iterator
from typing import Any

from gemhunter.cli.declare import argument, command, flag
from gemhunter.cli.exit_codes import NO_SOLUTION, SOLVED, is_pending, stop_if_pending
from gemhunter.cli.options import TRUTH_OPTION
from gemhunter.cli.output import (
    MAPPED_CELLS,
    Outputs,
    format_option,
    json_document,
    output_option,
    styled,
    terminal_columns,
    write_output,
)
from gemhunter.cli.progress import Progress
from gemhunter.draw.text_maps import map_lines, sign_pieces
from gemhunter.errors import InputError
from gemhunter.files.boards import read_replay
from gemhunter.play.game import Game, replayed
from gemhunter.play.player import animation, frames_of_moves
from gemhunter.play.review import ReviewedMove, look_again, review_moves
from gemhunter.play.risks import USUAL_LIMITS, percent
from gemhunter.records.games import (
    replay_record,
    review_summary,
    reviewed_record,
    second_look_record,
    wrong_replay_record,
)
from gemhunter.solving.run import Limits, Run
from gemhunter.wording import counted


@command()
def replay(
    file: str = argument(),
    *,
    review: bool = flag("--review", "Judge every move by what could be known before it."),
    moves: bool = flag("--moves", "List every move."),
    form: str = format_option("text", "json"),
    outputs: Outputs = output_option(
        "txt json", "how the game went", gif="an animation with a frame per move"
    ),
    truth: bool = TRUTH_OPTION,
) -> int:
    """Play a recorded game again, and show how it ended.

    \b
    Examples:
      gemhunter replay game.json
      gemhunter replay game.json --review
      gemhunter replay game.json -o game.gif
      gemhunter replay game.json --moves --format json

    FILE is a replay as JSON, - for standard input; `gemhunter convert FILE` has its board. Every move must
    change something, and the board must be the one that the id of the game deals.

    For every move that could lose, a review says whether the risk was needless, what was missed, what the
    chance of winning was before it, and how a guess compares with the choice of the agent `expert`.

    Returns 0 if the replay is valid, 1 if it is not, 2 if it cannot be read.
    """

    def show(record: dict[str, Any]) -> None:
        render = {"json": json_document, "text": _text}
        outputs.give(form, lambda form: render[form](record), "how the game went")

    recorded = read_replay(file)
    try:
        game = replayed(recorded)
    except InputError as error:
        show(wrong_replay_record(file, str(error)))
        return NO_SOLUTION
    record = replay_record(file, game, lists_moves=moves)
    if review:
        _review(game, lambda judged: show({**record, "review": judged}))
    else:
        show(record)
    for path in outputs.ending("gif"):
        frames = list(frames_of_moves(game, shows_truth=truth))
        write_output(path, animation(frames), counted(len(frames), "frame"))
    return SOLVED


def _review(game: Game, show: Callable[[dict[str, Any]], None]) -> None:
    """Judge a game move by move, compare its guesses, and show the review; after Ctrl-C, a part of it."""
    reviewed, looks = list[ReviewedMove](), dict[int, dict[str, Any]]()
    try:
        with Progress(len(game.moves)) as progress:
            progress.begin("judging moves")
            run = Run(USUAL_LIMITS, cancel=is_pending, progress=progress.tick)
            for move in review_moves(game, run):
                stop_if_pending()
                reviewed.append(move)
                progress.begin("judging moves")
        risky = [move for move in reviewed if move.risk > 0]
        with Progress(len(risky), unit="boards") as progress:
            for move in risky:
                progress.begin(f"comparing guesses, move {move.number}")
                # A player who reads a review will wait 30 seconds for each guess.
                run = Run(Limits(30.0), seed=move.number, cancel=is_pending, progress=progress.tick)
                look = look_again(move, run)
                stop_if_pending()
                looks[move.number] = second_look_record(move.number, look)
    finally:
        records = [reviewed_record(move) | looks.get(move.number, {}) for move in reviewed]
        show({**review_summary(game, reviewed), "moves": records})


def _text(record: dict[str, Any]) -> str:
    """How a game went, and its review, as text."""
    if not record["valid"]:
        return f"wrong: {record['reason']}\n"
    moves = counted(record["moves"], "move")
    where = f", at {record['exploded']}" if record["exploded"] else ""
    heading = f"{record['id'] or record['level']}: {record['status']} after {moves}{where}"
    judged = _review_lines(record["review"]) if "review" in record else ()
    board, columns = "\n".join(record["grid"]), terminal_columns()
    signs = [row.split(", ") for row in record["grid"]]
    if columns is not None and max(len(signs), len(signs[0])) <= MAPPED_CELLS:
        board = styled(map_lines(sign_pieces(signs), columns))
    return "\n".join([heading, *record.get("list", []), *judged, board, ""])


def _review_lines(review: dict[str, Any]) -> Iterator[str]:
    """A paragraph about each move that could lose, and a summary."""
    for record in review["moves"]:
        if record["verdict"] == "safe":
            continue
        yield f"move {record['number']}, {record['move']}: {record['sentence']}"
        second = []
        if (chance := record.get("win_chance")) is not None:
            between = f" ({percent(chance['low'])} to {percent(chance['high'])})" * (not chance["exact"])
            second.append(f"chance of winning before it: {percent(chance['value'])}{between}")
        if (compared := record.get("compared")) is not None:
            second.append(compared["sentence"])
        if second:
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
