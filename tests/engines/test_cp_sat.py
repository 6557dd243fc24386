"""CP-SAT on regions: what only it can refute, its limits and settings, and its missing package."""

import importlib.util
import re
from typing import Any

import pytest

from gemhunter import EngineError, GaveUp, InputError, Refuted, StopReason, parse_grid, read_grid, solve
from gemhunter.engines import cp_sat
from gemhunter.optional_packages import install_command
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
from places import HARD

needs_ortools = pytest.mark.skipif(importlib.util.find_spec("ortools") is None, reason="needs ortools")


@needs_ortools
@pytest.mark.parametrize("file", ["02_altsum_41x41_unsat.txt", "05_mutilated20_39x39_unsat.txt"])
def test_boards_beyond_clause_learning_are_refuted_without_conflicts(file: str) -> None:
    report = solve(read_grid(HARD / file), "cp-sat", step_limit=1000, seed=1)
    assert isinstance(report.outcome, Refuted)


@needs_ortools
def test_it_gives_up_at_its_step_limit() -> None:
    board = read_grid(HARD / "02_altsum_41x41_unsat.txt")
    report = solve(board, "cp-sat:linearization=0", step_limit=100, seed=1)
    assert report.outcome == GaveUp(StopReason.STEPS)
    assert 100 <= report.counters["conflicts"] < 1000


@needs_ortools
def test_it_gives_up_at_its_time_limit() -> None:
    board = read_grid(HARD / "02_altsum_41x41_unsat.txt")
    assert solve(board, "cp-sat:linearization=0", time_limit=0.2, seed=1).outcome == GaveUp(StopReason.TIME)


@needs_ortools
@pytest.mark.parametrize("calls", [1, 2, 4])
def test_it_stops_when_it_is_cancelled(calls: int, capfd: pytest.CaptureFixture[str]) -> None:
    asked = iter(range(10**9))
    run = Run(cancel=lambda: next(asked) >= calls, seed=1)
    board = read_grid(HARD / "02_altsum_41x41_unsat.txt")
    assert solve(board, "cp-sat:linearization=0", run=run).outcome == GaveUp(StopReason.CANCELLED)
    assert next(asked) < calls + 10
    assert capfd.readouterr() == ("", "")


@needs_ortools
@pytest.mark.parametrize("seed", [0, 2**40, 2**63 - 1])
def test_seeds_beyond_those_of_cp_sat_are_seeds(seed: int) -> None:
    assert str(solve(parse_grid("_, 2, _"), "cp-sat", seed=seed).filled) == "T, 2, T"


def test_several_workers_keep_no_step_limit() -> None:
    with pytest.raises(InputError, match="has no steps to limit"):
        solve(parse_grid("_, 1, _"), "cp-sat:workers=2", step_limit=5)
    assert not get_engine("cp-sat:workers=2").info.deterministic


@pytest.mark.parametrize("argument", ["workers=0", "workers=257", "linearization=3", "linearization=-1"])
def test_settings_out_of_bounds_are_refused(argument: str) -> None:
    with pytest.raises(InputError, match=r"^cp-sat: "):
        get_engine(f"cp-sat:{argument}")


def test_without_its_package_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.optional_packages.find_spec", lambda name: None)
    with pytest.raises(EngineError, match=re.escape(install_command("cp-sat"))):
        solve(parse_grid("_, 1, _"), "cp-sat")


@needs_ortools
@pytest.mark.parametrize("board", ["_, 1, _\n2, _, _\n_, 2, _", "1, _, _\n0, _, _"])
def test_a_board_that_a_short_search_does_not_decide_gets_a_long_one(
    board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undecided(solver: Any, model: Any, _run: Run) -> tuple[None, None]:
        asked.append(board)
        solver.solve(model)
        return None, None

    asked: list[str] = []
    expected = solve(parse_grid(board), "cp-sat").outcome
    monkeypatch.setattr(cp_sat, "_search_at_once", undecided)
    outcome = solve(parse_grid(board), "cp-sat").outcome
    assert asked == [board]
    assert type(outcome) is type(expected)
