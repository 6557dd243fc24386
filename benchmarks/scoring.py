"""PAR2: a family of boards as one number, where a board not decided counts as twice the limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from boards import Board
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp


@dataclass(frozen=True, slots=True)
class Score:
    """How many boards of a family were decided, and the seconds it took, twice the limit for all others."""

    decided: int
    boards: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.decided}/{self.boards} {self.seconds:7.3f}"


def score(
    engine: str,
    boards: Sequence[Board],
    verdicts: dict[Board, str],
    *,
    limit: float,
    stages: Sequence[str] = ("encode", "solve"),
) -> Score:
    """The score of an engine, counting the seconds of some stages.

    `verdicts` collects what was said about each board; raises if an answer contradicts an earlier one.
    """
    decided, seconds = 0, 0.0
    for board in boards:
        report = solve(board.grid, engine, traps=board.traps, time_limit=limit)
        if isinstance(report.outcome, GaveUp):
            seconds += 2 * limit
            continue
        verdict = type(report.outcome).__name__
        if verdicts.setdefault(board, verdict) != verdict:
            raise AssertionError(f"{board.name}: {engine} says {verdict}, others {verdicts[board]}")
        decided += 1
        seconds += sum(report.seconds[stage] for stage in stages)
    return Score(decided, len(boards), seconds)


def ratios_to_best(families: Sequence[Sequence[Score]]) -> list[float]:
    """The geometric mean of each competitor's ratios to the best; one row per family, one column per name."""
    best = [min(score.seconds for score in family) for family in families]
    return [
        geometric_mean(score.seconds / least for score, least in zip(column, best, strict=True))
        for column in zip(*families, strict=True)
    ]
