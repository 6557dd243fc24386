"""Coupled boards: our hard boards get their verdicts, races end as they should, limits are kept."""

import threading
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given

import oracles
from boards import alternating_sum, hard_board, hard_boards, mutilated_board, parity_circuit
from compiled import needs_compiler
from gemhunter.bench.suites import BenchBoard
from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN
from gemhunter.board.puzzle import Puzzle, read_puzzle
from gemhunter.engines.auto import portfolio
from gemhunter.engines.auto.portfolio import Member, race, solve_coupled
from gemhunter.errors import EngineError
from gemhunter.files.text import parse_grid
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run
from strategies import Planted, small_boards

DOUBLED = [alternating_sum(81), mutilated_board(40), parity_circuit(48)]
SLOW = ["11_diag3_300x300_sat"]
TINY = read_puzzle(parse_grid("_, 1, _"))


def is_right(board: BenchBoard, outcome: Outcome) -> bool:
    """Whether a solution is one."""
    return not isinstance(outcome, Solved) or not check(
        board.grid, outcome.solution.fill(board.grid), board.total
    )


def threads_end(before: int) -> bool:
    """Whether there are no more threads than before; one that has just answered may be on its way out."""
    for _ in range(1000):
        if threading.active_count() <= before:
            return True
        threading.Event().wait(0.001)
    return False


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(board, id=board.name, marks=[pytest.mark.full] * (board.name in SLOW))
        for board in hard_boards()
    ],
)
@needs_compiler
def test_every_hard_board_gets_its_verdict(board: BenchBoard) -> None:
    outcome = solve_coupled(read_puzzle(board.grid, board.total), Run())
    assert isinstance(outcome, Refuted if board.name.endswith("_unsat") else Solved)
    assert is_right(board, outcome)


@pytest.mark.parametrize("board", DOUBLED, ids=lambda board: str(board.name))
def test_the_impossible_families_are_refuted_at_twice_their_size_without_any_search(
    board: BenchBoard,
) -> None:
    run = Run()
    assert isinstance(solve_coupled(read_puzzle(board.grid), run), Refuted)
    assert run.counters == {"by_elimination": 1}
    assert run.steps == 0


@pytest.mark.parametrize(
    ("number", "made"), [(1, alternating_sum(21)), (5, mutilated_board(20)), (6, parity_circuit(14))]
)
def test_the_families_are_those_of_the_hard_boards(number: int, made: BenchBoard) -> None:
    codes, expected = made.grid.cells, hard_board(number).grid.cells
    kinds = [(codes == HIDDEN, expected == HIDDEN), (codes == GEM, expected == GEM)]
    assert all(np.array_equal(one, other) for one, other in kinds)


def test_a_linear_refutation_names_its_clues() -> None:
    outcome = solve_coupled(read_puzzle(hard_board(5).grid), Run())
    assert isinstance(outcome, Refuted)
    assert len(outcome.clues) == 398
    assert outcome.reason.startswith("398 clues conflict: added up modulo 2,147,483,647")


@given(board=small_boards())
def test_small_boards_are_decided_as_by_trying_all_fillings(board: Planted) -> None:
    outcome = solve_coupled(read_puzzle(board.grid, board.traps), Run())
    solutions = oracles.all_solutions(board.grid, board.traps)
    if isinstance(outcome, Solved):
        # Cells that nothing touches may be anything here; `solve` makes them gems.
        assert not check(board.grid, outcome.solution.fill(board.grid), board.traps)
    else:
        assert isinstance(outcome, Refuted)
        assert not solutions


def test_totals_at_the_least_are_found_by_tables() -> None:
    board, run = hard_board(14), Run()
    outcome = solve_coupled(read_puzzle(board.grid, board.total), run)
    assert isinstance(outcome, Solved)
    assert is_right(board, outcome)
    assert run.counters["by_tables"] == 1


@needs_compiler
def test_without_cp_sat_totals_at_the_least_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "find_spec", lambda _: None)
    monkeypatch.setattr(portfolio, "SHORT_TRY_STATES", 1000)
    board, run, before = hard_board(14), Run(), threading.active_count()
    outcome = solve_coupled(read_puzzle(board.grid, board.total), run)
    assert isinstance(outcome, Solved)
    assert is_right(board, outcome)
    assert "cadical_clauses" in run.counters
    assert threads_end(before)


@needs_compiler
def test_a_step_limit_is_kept_without_threads_and_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "SHORT_TRY_STATES", 1000)
    board = hard_board(14)
    counted = []
    for _ in range(2):
        run = Run(Limits(steps=300))
        outcome = solve_coupled(read_puzzle(board.grid, board.total), run)
        assert isinstance(outcome, GaveUp)
        assert outcome.stop_reason is StopReason.STEPS
        assert outcome.decided
        counted.append((run.steps, run.counters))
    assert counted[0] == counted[1]
    assert counted[0][0] <= 310  # CaDiCaL finishes the conflict it is at


def test_a_cancelled_run_ends_at_once() -> None:
    run = Run(cancel=lambda: True)
    outcome = solve_coupled(read_puzzle(hard_board(9).grid), run)
    assert isinstance(outcome, GaveUp)
    assert outcome.stop_reason is StopReason.CANCELLED


@dataclass(frozen=True)
class Waiting:
    """Searches until it is told to stop."""

    heard: list[StopReason]

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("waiting", "waits", complete=False)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        while (limit := run.spend(1)) is None:
            threading.Event().wait(0.001)
        self.heard.append(limit)
        return GaveUp(limit)


@dataclass(frozen=True)
class Answering:
    """Answers at once, or raises."""

    outcome: Outcome | EngineError
    complete: bool = True

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("answering", "answers", complete=self.complete)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        run.count(looks=1)
        if isinstance(self.outcome, EngineError):
            raise self.outcome
        return self.outcome


def test_the_first_answer_ends_the_race_and_says_who_gave_it() -> None:
    heard: list[StopReason] = []
    run, before = Run(), threading.active_count()
    members = [Member("slow", Waiting(heard)), Member("quick", Answering(Refuted("so it is")))]
    assert race(members, TINY, run) == Refuted("so it is")
    assert heard == [StopReason.CANCELLED]
    assert run.counters == {"quick_looks": 1, "by_quick": 1}
    assert threads_end(before)


def test_a_limit_of_the_run_ends_all_members() -> None:
    heard: list[StopReason] = []
    looks = iter([False, False, *[True] * 100])
    run = Run(cancel=lambda: next(looks))
    members = [Member("one", Waiting(heard)), Member("other", Waiting(heard))]
    assert race(members, TINY, run) == GaveUp(StopReason.CANCELLED)
    assert heard == [StopReason.CANCELLED] * 2
    assert run.steps > 0


@pytest.mark.parametrize("fault", [KeyboardInterrupt, EngineError])
def test_all_members_end_after_a_fault(fault: type[BaseException]) -> None:
    heard: list[StopReason] = []

    def progress(seconds: float, steps: int) -> None:
        if fault is KeyboardInterrupt:
            raise KeyboardInterrupt

    members = [Member("slow", Waiting(heard)), Member("bad", Answering(EngineError("no solver")))]
    with pytest.raises(fault):
        race(members[: 1 if fault is KeyboardInterrupt else 2], TINY, Run(progress=progress))
    assert heard == [StopReason.CANCELLED]


def test_when_all_give_up_the_one_that_could_have_decided_says_why() -> None:
    unfit = GaveUp(StopReason.MEMORY, "the clauses would not fit")
    members = [
        Member("incomplete", Answering(GaveUp(StopReason.STEPS), complete=False)),
        Member("complete", Answering(unfit)),
    ]
    assert race(members, TINY, Run()) == unfit
