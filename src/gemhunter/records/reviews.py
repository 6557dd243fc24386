"""The review of a game as plain data."""

from typing import Any

from gemhunter.play.review import Guess, NeedlessRisk, ProvenSafe, ProvenTrap
from gemhunter.play.review_game import ReviewedMove
from gemhunter.play.win_chances import WinChance
from gemhunter.play.words import judgement_words
from gemhunter.records.explanations import step_record

VERDICT_NAMES = {
    ProvenSafe: "safe",
    ProvenTrap: "proven-trap",
    NeedlessRisk: "needless-risk",
    Guess: "guess",
}
"""What judgements are called; any other move was not judged."""


def reviewed_record(reviewed: ReviewedMove) -> dict[str, Any]:
    """What could be known about one move: the verdict, the risk, and what would have been better."""
    found = reviewed.judgement
    safest, least, missed = None, None, None
    if isinstance(found, NeedlessRisk):
        safest, least, missed = str(found.safe), 0.0, found.missed
    elif isinstance(found, Guess):
        safest, least = str(found.safest), found.least
    return {
        "number": reviewed.number,
        "move": str(reviewed.move),
        "verdict": VERDICT_NAMES.get(type(found), "not-judged"),
        "cell": str(found.cell),
        "risk": _risk(reviewed),
        "safest": safest,
        "least": least,
        "is_safest": found.is_safest if isinstance(found, Guess) else None,
        "sentence": judgement_words(found),
        "missed": None if missed is None else step_record(missed),
        "steps": [step_record(step) for step in found.steps] if isinstance(found, ProvenTrap) else [],
    }


def win_chance_record(number: int, found: WinChance | None) -> dict[str, Any]:
    """The chance to win before a move of a game, counted from 1."""
    chance = None
    if found is not None:
        interval = found.interval
        chance = {
            "value": interval.value,
            "low": interval.low,
            "high": interval.high,
            "exact": found.is_exact,
        }
    return {"number": number, "win_chance": chance}


def _risk(reviewed: ReviewedMove) -> float | None:
    match reviewed.judgement:
        case ProvenSafe() | ProvenTrap() | Guess():
            return reviewed.risk
        case NeedlessRisk(risk=risk):
            return risk
        case _:
            return None
