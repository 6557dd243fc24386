"""For authors of engines: `check_engine` tests that an engine keeps the promises of all engines.

check_engine("my-engine")
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from gemhunter.board.board import grid_from_traps
from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.board.puzzle import Solution, impossible_regions, read_puzzle
from gemhunter.errors import WrongAnswerError
from gemhunter.questions.proof_checker import Accepted, check_proof
from gemhunter.questions.solve import solve
from gemhunter.solving.engine import Engine
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run

CHECKED_BOARDS = 60
CHECKED_SHAPES = [(1, 1), (1, 6), (3, 4), (4, 3), (2, 5)]


@dataclass(frozen=True, slots=True)
class _Case:
    grid: Grid
    total: int | None
    solvable: bool


def check_engine(engine: str | Engine, boards: int = CHECKED_BOARDS) -> None:
    """Raise `AssertionError` unless the engine's answers are right and its `info` is true.

    It solves `boards` small boards, rectangular ones, solvable or not, with and without a total. Their
    answers are known from trying every assignment of traps.
    """
    chosen = get_engine(engine) if isinstance(engine, str) else engine
    info = chosen.info
    assert info.name, "an engine must have a name"
    assert info.about, "an engine must have a description"
    for case in _cases()[:boards]:
        outcome = _ask(chosen, case)
        _check_outcome(chosen, case, outcome)
        if info.proofs and isinstance(outcome, Refuted):
            _check_proof(chosen, case)
        if info.deterministic:
            assert _ask(chosen, case) == outcome, f"{info.name} gave two different answers to\n{case.grid}"
    _check_limits(chosen)


def _ask(engine: Engine, case: _Case) -> Outcome:
    try:
        return solve(case.grid, engine, total=case.total).outcome
    except WrongAnswerError as error:
        raise AssertionError(f"{engine.info.name} is wrong: {error}") from error


def _check_outcome(engine: Engine, case: _Case, outcome: Outcome) -> None:
    name, board = engine.info.name, f"total {case.total} on\n{case.grid}"
    match outcome:
        case Solved(solution):
            assert not check(case.grid, solution.fill(case.grid), case.total), f"{name} is wrong: {board}"
        case Refuted():
            assert not case.solvable, f"{name} refuted a board that has a solution: {board}"
        case GaveUp():
            assert not engine.info.complete, f"{name} calls itself complete but gave up: {board}"


def _check_proof(engine: Engine, case: _Case) -> None:
    """Check that a refutation comes with a proof on request, and that the checker accepts it."""
    outcome = solve(case.grid, engine, total=case.total, proof=True).outcome
    proof = outcome.proof if isinstance(outcome, Refuted) else None
    accepted = proof is not None and isinstance(check_proof(case.grid, proof, case.total), Accepted)
    assert accepted, f"{engine.info.name} gave no valid proof: total {case.total} on\n{case.grid}"


def _check_limits(engine: Engine) -> None:
    """Check that a cancelled run, and one whose time is over, ends at once and says why."""
    grid = grid_from_traps(np.zeros((6, 7), bool), np.indices((6, 7)).sum(axis=0) % 2 == 0)
    cancelled = solve(grid, engine, run=Run(cancel=lambda: True)).outcome
    stopped = not isinstance(cancelled, GaveUp) or cancelled.stop_reason is StopReason.CANCELLED
    assert stopped, f"{engine.info.name} was cancelled but says: {cancelled}"
    if engine.info.time_limit:
        ticks = iter(range(10**9))
        late = Run(Limits(seconds=0.5), clock=lambda: float(next(ticks)))
        outcome = solve(grid, engine, run=late).outcome
        in_time = not isinstance(outcome, GaveUp) or outcome.stop_reason is StopReason.TIME
        assert in_time, f"{engine.info.name} ran out of time but says: {outcome}"


@cache
def _cases() -> tuple[_Case, ...]:
    """All boards that engines are checked on."""
    return tuple(_make_cases())


def _make_cases() -> Iterator[_Case]:
    """Boards with planted traps, about every third with one clue changed."""
    random = np.random.default_rng(2024)
    for number in range(CHECKED_BOARDS):
        shape = CHECKED_SHAPES[number % len(CHECKED_SHAPES)]
        traps = random.random(shape) < 0.35
        grid = grid_from_traps(traps, random.random(shape) < 0.5)
        if number % 3 == 2:
            grid = _with_one_clue_changed(grid, random)
        total = int(traps.sum()) + number % 4 // 3 if number % 2 else None
        yield _Case(grid, total, _has_solution(grid, total))


def _with_one_clue_changed(grid: Grid, random: np.random.Generator) -> Grid:
    codes = grid.cells.copy()
    clues = np.argwhere(codes != HIDDEN)
    if clues.size:
        row, col = clues[random.integers(len(clues))]
        codes[row, col] = (codes[row, col] + random.integers(1, 4)) % 9
    return Grid(codes)


def _has_solution(grid: Grid, total: int | None) -> bool:
    puzzle = read_puzzle(grid, total)
    if impossible_regions(puzzle).size:
        return False
    assignments = (Solution(np.array(f, bool)) for f in product((False, True), repeat=puzzle.hidden.size))
    return any(not check(grid, assignment.fill(grid), total) for assignment in assignments)
