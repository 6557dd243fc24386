"""The plan and circuit of a board are made once, but each question is charged as if it were alone."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from boards import even_lattice, random_board
from gemhunter.board.grid import Grid
from gemhunter.counting import board_circuit as circuits
from gemhunter.counting.board_circuit import BoardCircuit, CompleteCircuit
from gemhunter.counting.plan import BoardPlan, NoSolution
from gemhunter.counting.weigh import cell_probabilities
from gemhunter.files.text import parse_grid
from gemhunter.questions.analyse import Analysis, analyse
from gemhunter.questions.forced import Forced
from gemhunter.questions.probability import Probabilities
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Limits, Run

WIDE = even_lattice(16).grid


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often `plan_board` and `make_circuit` are called."""
    counter: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        function = getattr(circuits, name)

        def call(*args: Any) -> Any:
            counter[name] += 1
            return function(*args)

        return call

    for name in ("plan_board", "make_circuit"):
        monkeypatch.setattr(circuits, name, counted(name))
    return counter


@pytest.mark.parametrize(
    ("grid", "total", "density"),
    [
        (parse_grid("_, 1, _, _\n_, _, 2, _"), None, None),
        (parse_grid("_, 1, _, _\n_, _, 2, _"), 3, None),
        (parse_grid("_, 1, _, _\n_, _, 2, _"), None, 0.2),
        (random_board(40).grid, None, None),
    ],
)
def test_one_analysis_makes_one_plan_and_one_circuit(
    calls: Counter[str], grid: Grid, total: int | None, density: float | None
) -> None:
    found = analyse(grid, total=total, density=density)
    assert isinstance(found.count, int)
    assert isinstance(found.probabilities, Probabilities)
    assert isinstance(found.forced, Forced)
    assert calls == {"plan_board": 1, "make_circuit": 1}


def test_a_run_is_charged_for_states_that_another_has_made() -> None:
    board, first, second = BoardCircuit(WIDE), Run(), Run()
    assert isinstance(board.complete(first), CompleteCircuit)
    assert board.complete(second) is board.complete(Run())
    assert first.steps == second.steps > 1000


@pytest.mark.parametrize("limit", [1, 2, 100, 1000, 5000, 10**9])
@pytest.mark.parametrize("earlier", [1, 1500, None])
def test_a_step_limit_stops_a_question_where_it_stops_alone(limit: int, earlier: int | None) -> None:
    alone, later = Run(Limits(steps=limit)), Run(Limits(steps=limit))
    expected = BoardCircuit(WIDE).complete(alone)
    board = BoardCircuit(WIDE)
    board.complete(Run(Limits(steps=earlier)))
    answer = board.complete(later)
    assert later.steps == alone.steps
    assert type(answer) is type(expected)
    if isinstance(expected, GaveUp):
        assert answer == expected


@pytest.mark.parametrize("limit", range(1, 14))
def test_a_conflict_that_was_found_is_found_again_within_the_same_steps(limit: int) -> None:
    grid = parse_grid("1, _, _, _, _\n1, 2, _, 3, 1\n_, _, _, _, _")
    expected = BoardCircuit(grid).complete(Run(Limits(steps=limit)))
    board = BoardCircuit(grid)
    assert isinstance(board.plan, BoardPlan)
    assert isinstance(board.complete(Run()), NoSolution)
    assert type(board.complete(Run(Limits(steps=limit)))) is type(expected)


def test_what_one_question_has_begun_the_next_one_finishes() -> None:
    board = BoardCircuit(WIDE)
    stopped = board.complete(Run(Limits(steps=1000)))
    assert isinstance(stopped, GaveUp)
    assert stopped.stop_reason is StopReason.STEPS
    found = cell_probabilities(board, Run(), total=None)
    alone = cell_probabilities(BoardCircuit(WIDE), Run(), total=None)
    assert not isinstance(found, NoSolution | GaveUp)
    assert not isinstance(alone, NoSolution | GaveUp)
    assert found.tobytes() == alone.tobytes()


def test_a_memory_limit_applies_to_a_circuit_that_is_there() -> None:
    board = BoardCircuit(WIDE)
    board.complete(Run())
    assert isinstance(board.complete(Run(Limits(memory=1000))), GaveUp)


def test_every_question_of_an_analysis_has_its_own_step_limit() -> None:
    found = analyse(WIDE, step_limit=1000)
    assert isinstance(found, Analysis)
    assert isinstance(found.count, GaveUp)
    assert found.count == found.probabilities
