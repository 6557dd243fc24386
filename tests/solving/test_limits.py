"""On a board too hard for them, engines stop at their limits and say which one it was."""

from collections.abc import Callable
from importlib.util import find_spec
from itertools import count

import pytest

from campaigns import first_of
from gemhunter.board.grid import Grid
from gemhunter.engines.pysat import SOLVERS
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_grid
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Outcome, StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run
from places import HARD

HARD_BOARD = HARD / "02_altsum_41x41_unsat.txt"
ENGINES = [
    pytest.param(
        f"pysat:{name}",
        marks=pytest.mark.skipif(
            bool(solver.package) and find_spec(solver.package) is None,
            reason=f"{name} needs the package {solver.package}",
        ),
    )
    for name, solver in SOLVERS.items()
]


@pytest.fixture(scope="module")
def hard() -> Grid:
    return read_grid(HARD_BOARD)


def limit_of(outcome: Outcome) -> StopReason | None:
    """The limit that was hit; None for an answer."""
    return outcome.stop_reason if isinstance(outcome, GaveUp) else None


def after(calls: int) -> Callable[[], bool]:
    """A `cancel` that returns true from call number `calls` on."""
    numbers = count()
    return lambda: next(numbers) >= calls


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_gives_up_at_its_step_limit_or_refuses_to_have_one(name: str, hard: Grid) -> None:
    if get_engine(name).info.step:
        assert limit_of(solve(hard, name, step_limit=100, seed=1).outcome) is StopReason.STEPS
    else:
        with pytest.raises(InputError, match="has no steps to limit; use a time limit instead"):
            solve(hard, name, step_limit=100, seed=1)


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_gives_up_at_its_time_limit(name: str, hard: Grid) -> None:
    assert limit_of(solve(hard, name, time_limit=0.05, seed=1).outcome) is StopReason.TIME


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_stops_when_it_is_cancelled(name: str, hard: Grid) -> None:
    run = Run(cancel=after(calls=3), seed=1)
    assert limit_of(solve(hard, name, run=run).outcome) is StopReason.CANCELLED


@pytest.mark.parametrize("name", ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"])
def test_what_was_done_before_giving_up_is_counted(name: str, hard: Grid) -> None:
    assert solve(hard, name, step_limit=100, seed=1).counters["conflicts"] >= 100


@pytest.mark.parametrize("name", ["pysat:cadical153", "pysat:glucose4", "pysat:minicard"])
def test_a_limit_that_is_not_reached_changes_nothing(name: str) -> None:
    grid = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
    limited = solve(grid, name, step_limit=10**6, time_limit=600, seed=1)
    assert limited.outcome == solve(grid, name, seed=1).outcome


def test_a_total_too_large_for_clauses_is_given_up_by_engines_that_need_them() -> None:
    grid = parse_grid("\n".join(["_" * 151] * 150))
    assert limit_of(solve(grid, "pysat", total=5, seed=1).outcome) is StopReason.MEMORY
    assert str(solve(grid, "pysat:minicard", total=5, seed=1).filled).count("T") == 5


@pytest.mark.parametrize("limits", [{"time_limit": 0}, {"step_limit": 0}, {"step_limit": -5}])
def test_a_limit_of_nothing_is_refused(limits: dict[str, int]) -> None:
    with pytest.raises(InputError, match=r"above 0|≥ 1"):
        solve(parse_grid("1, _"), **limits)  # type: ignore[arg-type]


def test_the_steps_of_a_run_are_shared_by_all_it_does(hard: Grid) -> None:
    run = Run(Limits(steps=150), seed=1)
    solve(hard, "pysat:minisat22", run=run)
    assert limit_of(solve(hard, "pysat:minisat22", run=run).outcome) is StopReason.STEPS


@pytest.mark.parametrize("name", ["gluecard3", "gluecard4"])
def test_gluecard_runs_in_a_process_of_its_own_for_it_heeds_interrupts_late(name: str) -> None:
    assert SOLVERS[name].control == "process"


@pytest.mark.parametrize("name", first_of(["pysat:gluecard4", "pysat:gluecard3"]))
def test_a_total_is_kept_by_native_cardinality_in_another_process(name: str) -> None:
    filled = solve(parse_grid("1, _, _, _\nT, G, _, _"), name, total=4, seed=1).filled
    assert str(filled).count("T") == 4


def test_a_limit_of_our_own_is_no_reason_to_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def used_up(puzzle: object, run: Run) -> Outcome:
        times.append(2.0)
        return GaveUp(StopReason.STEPS)

    times = [0.0]
    monkeypatch.setattr("gemhunter.engines.auto.engine.solve_clue_by_clue", used_up)
    run = Run(Limits(seconds=1.0), clock=lambda: times[-1])
    assert limit_of(solve(parse_grid("_, 1, _"), run=run).outcome) is StopReason.TIME
