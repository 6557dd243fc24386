"""`check_engine` catches engines that break their promises, and lets a good one pass."""

import tempfile
from itertools import count
from pathlib import Path

import numpy as np
import pytest

import oracles
from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run
from gemhunter.testing import check_engine


def assignments(puzzle: Puzzle) -> list[oracles.Assignment]:
    """Every solution, found by trying all assignments; the puzzle's regions are the rules."""
    size = puzzle.hidden.size
    every = (tuple(bool(number >> cell & 1) for cell in range(size)) for number in range(2**size))
    regions = [(puzzle.region(index).tolist(), int(traps)) for index, traps in enumerate(puzzle.traps)]
    return [assignment for assignment in every if all(sum(assignment[c] for c in r) == k for r, k in regions)]


class Honest:
    """Tries every assignment; others below change one thing about it."""

    info = EngineInfo("honest", "tries every assignment")

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        if limit := run.spend():
            return GaveUp(limit)
        found = assignments(puzzle)
        return self.pick(found) if found else Refuted("no assignment fits")

    def pick(self, found: list[oracles.Assignment]) -> Outcome:
        return Solved(Solution(np.array(found[0], bool)))


class Liar(Honest):
    """Answers with the opposite of a solution."""

    def pick(self, found: list[oracles.Assignment]) -> Outcome:
        return Solved(Solution(~np.array(found[0], bool)))


class Pessimist(Honest):
    """Refutes everything."""

    def pick(self, found: list[oracles.Assignment]) -> Outcome:
        return Refuted("there is no hope")


class Quitter(Honest):
    """Gives up on every board that has a solution."""

    def pick(self, found: list[oracles.Assignment]) -> Outcome:
        return GaveUp(StopReason.UNDECIDED)


class Fickle(Honest):
    """Answers with another solution each time."""

    def __init__(self) -> None:
        self.turns = count()

    def pick(self, found: list[oracles.Assignment]) -> Outcome:
        return Solved(Solution(np.array(found[next(self.turns) % len(found)], bool)))


class Confused(Honest):
    """Says that its time is over when it was cancelled."""

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        return GaveUp(StopReason.TIME) if run.spend() else super().solve(puzzle, run)


class Nameless(Honest):
    """Has no name."""

    info = EngineInfo("", "tries every assignment")


class Wordless(Honest):
    """Does not say what it is."""

    info = EngineInfo("wordless", "")


@pytest.fixture(autouse=True)
def keep_reproducers_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_an_honest_engine_passes() -> None:
    check_engine(Honest())


def test_an_engine_may_be_given_by_name() -> None:
    check_engine("pysat:minisat22")


@pytest.mark.parametrize(
    ("engine", "complaint"),
    [
        (Liar, "is wrong"),
        (Pessimist, "refuted a board that has a solution"),
        (Quitter, "calls itself complete but gave up"),
        (Fickle, "gave two different answers to"),
        (Confused, None),
        (Nameless, "must have a name"),
        (Wordless, "must have a description"),
    ],
)
def test_a_broken_promise_is_an_assertion_error(engine: type[Honest], complaint: str | None) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_engine(engine())


class Guesser(Fickle):
    """Admits that it is neither complete nor the same each time."""

    info = EngineInfo("guesser", "as it likes", complete=False, deterministic=False)


class Modest(Quitter):
    """Admits that it may give up."""

    info = EngineInfo("modest", "gives up easily", complete=False)


@pytest.mark.parametrize("engine", [Guesser, Modest])
def test_what_an_engine_admits_is_not_held_against_it(engine: type[Honest]) -> None:
    check_engine(engine())
