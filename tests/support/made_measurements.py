"""Measurements written by hand, for tests of what is made of them."""

from msgspec import structs

from gemhunter.bench.runs import Measurement, Verdict


def solved(board: str, engine: str, *seconds: float, **counters: int) -> list[Measurement]:
    """A run for each of these times; reading takes a second more, which is not the engine's."""
    runs = enumerate(seconds, 1)
    return [
        structs.replace(timed(board, engine, taken, Verdict.SOLVED, **counters), run=number)
        for number, taken in runs
    ]


def refuted(board: str, engine: str, *seconds: float) -> list[Measurement]:
    return [timed(board, engine, taken, Verdict.REFUTED) for taken in seconds]


def timed(board: str, engine: str, seconds: float, verdict: Verdict, **counters: int) -> Measurement:
    stages = {"read": 1.0, "encode": seconds / 4, "solve": seconds / 4, "check": seconds / 2}
    return Measurement(board, engine, 1, verdict, "", stages, counters, None)


def stopped(board: str, engine: str, *reasons: str, **counters: int) -> list[Measurement]:
    """A run that gave up for each of these reasons."""
    return [untimed(board, engine, Verdict.GAVE_UP, reason, **counters) for reason in reasons]


def untimed(board: str, engine: str, verdict: Verdict, reason: str = "", **counters: int) -> Measurement:
    return Measurement(board, engine, 1, verdict, reason, {}, counters, None)
