"""The review of a game on the command line: every move judged, the risky ones listed."""

from collections.abc import Iterator
from typing import Any

from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.progress import Progress
from gemhunter.core.plurals import counted
from gemhunter.play.game import Game
from gemhunter.play.review_game import look_again, review_moves
from gemhunter.play.risks import USUAL_LIMITS
from gemhunter.play.words import percent
from gemhunter.records.reviews import review_summary, reviewed_record, second_look_record
from gemhunter.solving.run import Limits, Run

SECOND_LOOK_SECONDS = 30.0
"""How long a risky move may be looked at again."""


def review_record(game: Game) -> dict[str, Any]:
    """A game judged move by move, with a second look at every move that could lose; Ctrl-C stops it."""
    progress = Progress(2 * len(game.moves))
    reviewed, records = [], []

    def new_run(limits: Limits, seed: int = 0) -> Run:
        return Run(limits, seed=seed, cancel=is_pending, progress=progress.tick)

    try:
        for move in review_moves(game, new_run(USUAL_LIMITS)):
            stop_if_pending()
            progress.begin(f"move {move.number}")
            reviewed.append(move)
        for move in reviewed:
            record = reviewed_record(move)
            if move.risk > 0:
                progress.begin(f"move {move.number} played on")
                look = look_again(move, new_run(Limits(SECOND_LOOK_SECONDS), move.number))
                stop_if_pending()
                record |= second_look_record(move.number, look)
            records.append(record)
    finally:
        progress.clear()
    return {**review_summary(game, reviewed), "moves": records}


def review_lines(review: dict[str, Any]) -> Iterator[str]:
    """What there is to say about the moves that could lose, and a summary."""
    for record in review["moves"]:
        if record["verdict"] == "safe":
            continue
        yield f"move {record['number']}, {record['move']}: {record['sentence']}"
        if second := [*_second_look(record)]:
            yield f"    {'; '.join(second)}"
    safe = sum(record["verdict"] == "safe" for record in review["moves"])
    kinds = [
        f"{safe} safe",
        counted(review["guesses"], "guess", "guesses"),
        counted(review["needless"], "needless risk"),
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
