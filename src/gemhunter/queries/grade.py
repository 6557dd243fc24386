"""The question "is this answer right?", for handed-in answers of all kinds."""

from dataclasses import dataclass
from enum import StrEnum

from gemhunter.core.checker import check
from gemhunter.core.grid import Grid
from gemhunter.errors import BoardError, EngineError
from gemhunter.formats.sections import Claim
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.solving.protocols import Engine


class Mark(StrEnum):
    """How an answer did."""

    RIGHT = "right"
    WRONG = "wrong"
    NO_ANSWER = "no answer"
    UNVERIFIED = "unverified"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A mark, and every reason for it."""

    mark: Mark
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grader:
    """A board, and the engine that verifies claims about it."""

    grid: Grid
    traps: int | None = None
    engine: str | Engine = "auto"
    time_limit: float | None = None

    def grade(self, answer: Grid | Claim | BoardError) -> Verdict:
        """Check a filled grid against the board, and a claim with the engine."""
        match answer:
            case BoardError():
                return Verdict(Mark.UNREADABLE, tuple(str(answer).splitlines()))
            case Claim.GAVE_UP:
                return Verdict(Mark.NO_ANSWER)
            case Claim.NO_SOLUTION:
                return self._grade_no_solution()
            case Grid():
                violations = check(self.grid, answer, self.traps)
                return Verdict(Mark.WRONG if violations else Mark.RIGHT, tuple(map(str, violations)))

    def _grade_no_solution(self) -> Verdict:
        try:
            report = solve(self.grid, self.engine, traps=self.traps, time_limit=self.time_limit)
        except EngineError as error:
            return Verdict(Mark.UNVERIFIED, (f"`no solution` could not be verified: {error}",))
        match report.outcome:
            case Refuted():
                return Verdict(Mark.RIGHT)
            case Solved():
                return Verdict(Mark.WRONG, ("the board has a solution",))
            case GaveUp() as gave_up:
                return Verdict(Mark.UNVERIFIED, (f"`no solution` could not be verified: {gave_up.reason}",))
