"""The question "is this answer right?", for handed-in answers of all kinds."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from gemhunter.core.checker import check
from gemhunter.core.grid import Grid
from gemhunter.errors import BoardError, EngineError
from gemhunter.formats.answers.claims import Claim
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.solving.protocols import Engine

TIME_USED_UP = "the time for all claims is used up"


class Grade(StrEnum):
    """How an answer did."""

    RIGHT = "right"
    WRONG = "wrong"
    NO_ANSWER = "no answer"
    UNVERIFIED = "unverified"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """A mark, and every reason for it."""

    mark: Grade
    reasons: tuple[str, ...] = ()


@dataclass(slots=True)
class ClaimBudget:
    """Seconds that are left to verify the claims about all boards of a class; None means no limit."""

    left: float | None = None
    clock: Callable[[], float] = time.monotonic

    def limit(self, seconds: float | None) -> float | None:
        """The time for the next claim, which may take at most `seconds` on its own."""
        return min((each for each in (self.left, seconds) if each is not None), default=None)

    def spend(self, seconds: float) -> None:
        """Take away the time that a claim took."""
        if self.left is not None:
            self.left -= seconds


@dataclass(slots=True)
class Grader:
    """A board, and the engine that verifies claims about it, each claim only once."""

    grid: Grid
    total: int | None = None
    engine: str | Engine = "auto"
    time_limit: float | None = None
    budget: ClaimBudget = field(default_factory=ClaimBudget)
    _none: AnswerVerdict | None = field(default=None, init=False)

    def grade(self, answer: Grid | Claim | BoardError) -> AnswerVerdict:
        """Check a filled grid against the board, and a claim with the engine."""
        match answer:
            case BoardError():
                return AnswerVerdict(Grade.UNREADABLE, tuple(str(answer).splitlines()))
            case Claim.GAVE_UP:
                return AnswerVerdict(Grade.NO_ANSWER)
            case Claim.UNFILLED:
                return AnswerVerdict(
                    Grade.NO_ANSWER, ("the board stands here as it was given, not filled in",)
                )
            case Claim.EMPTY:
                return AnswerVerdict(Grade.NO_ANSWER, ("nothing is written here",))
            case Claim.NO_SOLUTION:
                if self._none is None:
                    self._none = self._grade_no_solution()
                return self._none
            case Grid():
                violations = check(self.grid, answer, self.total)
                return AnswerVerdict(Grade.WRONG if violations else Grade.RIGHT, tuple(map(str, violations)))

    def _grade_no_solution(self) -> AnswerVerdict:
        limit = self.budget.limit(self.time_limit)
        if limit is not None and limit <= 0:
            return AnswerVerdict(Grade.UNVERIFIED, (f"`no solution` could not be verified: {TIME_USED_UP}",))
        started = self.budget.clock()
        try:
            report = solve(self.grid, self.engine, total=self.total, time_limit=limit)
        except EngineError as error:
            return AnswerVerdict(Grade.UNVERIFIED, (f"`no solution` could not be verified: {error}",))
        finally:
            self.budget.spend(self.budget.clock() - started)
        match report.outcome:
            case Refuted():
                return AnswerVerdict(Grade.RIGHT)
            case Solved():
                return AnswerVerdict(Grade.WRONG, ("the board has a solution",))
            case GaveUp() as gave_up:
                return AnswerVerdict(
                    Grade.UNVERIFIED, (f"`no solution` could not be verified: {gave_up.reason}",)
                )
