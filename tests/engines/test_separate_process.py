"""Large formulas are searched in a process of their own, with the same answers and the same limits."""

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings

from campaigns import first_of
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.engines import pysat
from gemhunter.engines.pysat import ClauseConstraints, Constraints, RegionConstraints, read_constraints
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_grid
from gemhunter.questions.proof_checker import Accepted, check_proof
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, StopReason
from gemhunter.solving.run import Run
from places import HARD
from strategies import Planted, small_boards

HARD_BOARD = HARD / "02_altsum_41x41_unsat.txt"
ENGINES = first_of(["pysat:minicard", "pysat:cadical153", "pysat:glucose4"])


@pytest.fixture(autouse=True)
def every_formula_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pysat, "CONSTRAINTS_HERE", 0)


@pytest.mark.parametrize("name", ENGINES)
def test_a_board_is_solved_there(name: str) -> None:
    filled = solve(parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"), name, seed=1).filled
    assert str(filled) == "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"


@pytest.mark.parametrize("name", ENGINES)
def test_a_total_is_kept_there(name: str) -> None:
    filled = solve(parse_grid("1, _, _, _\nT, G, _, _"), name, total=4, seed=1).filled
    assert str(filled).count("T") == 4


@pytest.mark.parametrize("name", ENGINES)
def test_a_contradiction_is_found_there(name: str) -> None:
    assert isinstance(solve(parse_grid("1, _, _\n0, _, _"), name, seed=1).outcome, Refuted)


@pytest.mark.parametrize("name", ENGINES)
def test_a_step_limit_is_kept_there_and_conflicts_are_counted(name: str) -> None:
    report = solve(read_grid(HARD_BOARD), name, step_limit=100, seed=1)
    assert report.outcome == GaveUp(StopReason.STEPS)
    assert report.counters["conflicts"] >= 100


@pytest.mark.parametrize("name", ENGINES)
def test_a_time_limit_is_kept_there(name: str) -> None:
    assert solve(read_grid(HARD_BOARD), name, time_limit=0.5, seed=1).outcome == GaveUp(StopReason.TIME)


@pytest.mark.parametrize("name", ENGINES)
def test_cancelling_ends_the_process(name: str) -> None:
    asked = iter(range(10**9))
    run = Run(cancel=lambda: next(asked) >= 3, seed=1)
    assert solve(read_grid(HARD_BOARD), name, run=run).outcome == GaveUp(StopReason.CANCELLED)


@pytest.mark.parametrize("name", first_of(["pysat:cadical153", "pysat:glucose4"]))
def test_a_proof_comes_from_there(name: str) -> None:
    grid = parse_grid("1_2_1\n_____\n2_3_2\n_____\n1_2_1")
    outcome = solve(grid, name, proof=True, seed=1).outcome
    assert isinstance(outcome, Refuted)
    assert outcome.proof is not None
    assert isinstance(check_proof(grid, outcome.proof), Accepted)


@settings(max_examples=30)
@given(planted=small_boards())
def test_saved_regions_are_read_unchanged(planted: Planted, tmp_path_factory: pytest.TempPathFactory) -> None:
    regions = read_puzzle(planted.grid, planted.traps).listed
    load = RegionConstraints([region for region in regions if region[0]])
    assert fed(saved_and_read(load, tmp_path_factory)) == fed(load)


@given(planted=small_boards())
def test_saved_clauses_are_read_unchanged(planted: Planted, tmp_path_factory: pytest.TempPathFactory) -> None:
    load = ClauseConstraints(encode_puzzle(read_puzzle(planted.grid, planted.traps)))
    assert fed(saved_and_read(load, tmp_path_factory)) == fed(load)


class Notebook:
    """A solver that only writes down what it is given."""

    def __init__(self) -> None:
        self.lines: list[tuple[list[int], int | None]] = []

    def append_formula(self, clauses: Iterable[Sequence[int]]) -> None:
        self.lines += [(list(clause), None) for clause in clauses]

    def add_atmost(self, literals: list[int], bound: int) -> None:
        self.lines.append((literals, bound))


def fed(load: Constraints) -> list[tuple[list[int], int | None]]:
    """What a solver gets."""
    notebook = Notebook()
    load.feed(notebook)
    return notebook.lines


def saved_and_read(load: Constraints, factory: pytest.TempPathFactory) -> Constraints:
    path = factory.mktemp("load") / "load"
    load.save(path)
    return read_constraints(path)
