"""The review of a game on the command line: every move judged, the risky ones listed."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.progress import Progress
from gemhunter.core.plurals import counted
from gemhunter.play.game import Game
from gemhunter.play.review_game import ReviewedMove, look_again, review_moves
from gemhunter.play.risks import USUAL_LIMITS
from gemhunter.play.words import percent
from gemhunter.records.reviews import review_summary, reviewed_record, second_look_record
from gemhunter.solving.run import Limits, Run

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
