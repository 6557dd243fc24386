"""Whether an answer is right: the verdict on a grid, a claim or a text."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from gemhunter.board.checker import check
from gemhunter.board.grid import Grid
from gemhunter.errors import BoardError, EngineError
from gemhunter.grading.lines import Claim
from gemhunter.questions.solve import solve
from gemhunter.solving.engine import Engine
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved


class Grade(StrEnum):
    """The mark of an answer."""

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
    """The seconds left to verify the claims about all boards of a class; None means no limit."""

    left: float | None = None
    clock: Callable[[], float] = time.monotonic

    def limit(self, seconds: float | None) -> float | None:
        """The time limit of the next claim, which may take at most `seconds`."""
        return min((limit for limit in (self.left, seconds) if limit is not None), default=None)

    def spend(self, seconds: float) -> None:
        """Subtract the time that a claim took."""
        if self.left is not None:
            self.left -= seconds


@dataclass(slots=True)
class Grader:
    """A board, and the engine that verifies claims about it, each of them only once."""

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
                reason = "the board stands here as it was given, not filled in"
                return AnswerVerdict(Grade.NO_ANSWER, (reason,))
            case Claim.EMPTY:
                return AnswerVerdict(Grade.NO_ANSWER, ("the answer is empty",))
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
            return _unverified("the time for all claims is used up")
        started = self.budget.clock()
        try:
            report = solve(self.grid, self.engine, total=self.total, time_limit=limit)
        except EngineError as error:
            return _unverified(error)
        finally:
            self.budget.spend(self.budget.clock() - started)
        match report.outcome:
            case Refuted():
                return AnswerVerdict(Grade.RIGHT)
            case Solved():
                return AnswerVerdict(Grade.WRONG, ("the board has a solution",))
            case GaveUp() as gave_up:
                return _unverified(gave_up.reason)


def _unverified(why: object) -> AnswerVerdict:
    return AnswerVerdict(Grade.UNVERIFIED, (f"`no solution` could not be verified: {why}",))
