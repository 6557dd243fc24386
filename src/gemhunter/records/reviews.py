"""The review of a game as plain data."""

from collections.abc import Sequence
from typing import Any

from gemhunter.play.compared_guesses import Comparison, SameGuess
from gemhunter.play.game import Game
from gemhunter.play.review import Guess, NeedlessRisk, ProvenSafe, ProvenTrap
from gemhunter.play.review_game import ReviewedMove, SecondLook, chance_to_survive
from gemhunter.play.win_chances import WinChance
from gemhunter.play.words import compared_words, judgement_words
from gemhunter.records.estimates import interval_fields
from gemhunter.records.explanations import step_record
from gemhunter.work.estimates import Interval

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
        "verdict": _verdict(reviewed),
        "cell": str(found.cell),
        "risk": _risk(reviewed),
        "safest": safest,
        "least": least,
        "is_safest": found.is_safest if isinstance(found, Guess) else None,
        "sentence": judgement_words(found),
        "missed": None if missed is None else step_record(missed),
        "steps": [step_record(step) for step in found.steps] if isinstance(found, ProvenTrap) else [],
    }


def second_look_record(number: int, look: SecondLook) -> dict[str, Any]:
    """What games played on say about a move, counted from 1: the chance before it, and a comparison."""
    return {
        "number": number,
        "win_chance": None if look.win_chance is None else _win_chance_record(look.win_chance),
        "compared": None if look.comparison is None else compared_record(look.comparison),
    }


def compared_record(comparison: Comparison) -> dict[str, Any]:
    """Two guesses beside each other; a guess that `expert` would have made wins as often as itself."""
    sentence = compared_words(comparison)
    if isinstance(comparison, SameGuess):
        cell, nothing = str(comparison.cell), interval_fields("more", Interval(0.0, 0.0, 0.0))
        return {"better": cell, "other": cell, **nothing, "boards": 0, "sentence": sentence}
    return {
        "better": str(comparison.better),
        "other": str(comparison.other),
        **interval_fields("more", comparison.more),
        "boards": comparison.boards,
        "sentence": sentence,
    }


def review_summary(game: Game, reviewed: Sequence[ReviewedMove]) -> dict[str, Any]:
    """How many moves of a game were judged, how they were judged, and whether they could be survived."""
    verdicts = [_verdict(move) for move in reviewed]
    return {
        "reviewed": len(reviewed),
        "guesses": verdicts.count("guess"),
        "needless": verdicts.count("needless-risk") + verdicts.count("proven-trap"),
        "survived": chance_to_survive(reviewed),
        "status": game.status.value,
    }


def _win_chance_record(found: WinChance) -> dict[str, Any]:
    interval = found.interval
    return {"value": interval.value, "low": interval.low, "high": interval.high, "exact": found.is_exact}


def _verdict(reviewed: ReviewedMove) -> str:
    return VERDICT_NAMES.get(type(reviewed.judgement), "not-judged")


def _risk(reviewed: ReviewedMove) -> float | None:
    match reviewed.judgement:
        case ProvenSafe() | ProvenTrap() | NeedlessRisk() | Guess():
            return reviewed.risk
        case _:
            return None
