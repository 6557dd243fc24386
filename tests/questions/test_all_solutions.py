"""Questions about all solutions, held against listing them: forced cells, uniqueness, and the list itself."""

import numpy as np
import pytest
from hypothesis import given

import oracles
from gemhunter.board.board import grid_from_traps
from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.questions.answers import Forced
from gemhunter.questions.forced import forced, is_unique
from gemhunter.questions.solutions import Ending, solutions
from gemhunter.solving.outcomes import Refuted
from strategies import Planted, small_boards

BOARDS_PER_SEED = 80


def require_agreement(grid: Grid, traps: int | None, listed: list[oracles.Assignment]) -> None:
    """All three questions have the answers that the list of solutions gives, which is sorted."""
    walk = solutions(grid, total=traps)
    assert [assignment_of(grid, filled) for filled in walk] == listed
    assert is_unique(grid, total=traps) is (len(listed) == 1)
    answer = forced(grid, total=traps)
    if not listed:
        assert isinstance(walk.ending, Refuted)
        assert isinstance(answer, Refuted)
        return
    assert walk.ending is Ending.ALL
    assert isinstance(answer, Forced)
    places = oracles.hidden_places(oracles.marks_of(grid))
    assert list(answer.traps) == [place for at, place in enumerate(places) if all(one[at] for one in listed)]
    assert list(answer.gems) == [
        place for at, place in enumerate(places) if not any(one[at] for one in listed)
    ]


def assignment_of(grid: Grid, filled: Grid) -> oracles.Assignment:
    return tuple((filled.cells[grid.cells == HIDDEN] == TRAP).tolist())


@given(small_boards(most_hidden=7))
def test_boards_of_all_kinds_against_trying_everything(board: Planted) -> None:
    require_agreement(board.grid, board.traps, sorted(oracles.all_solutions(board.grid, board.traps)))


@pytest.mark.parametrize("seed", range(6))
def test_random_rectangles_against_a_plain_list_of_models(seed: int) -> None:
    chance = np.random.default_rng(seed)
    for _ in range(BOARDS_PER_SEED):
        truth = chance.random((chance.integers(1, 6), chance.integers(1, 9))) < chance.choice([0.2, 0.5])
        grid = grid_from_traps(truth, chance.random(truth.shape) < chance.choice([0.5, 0.7]))
        if np.count_nonzero(grid.cells == HIDDEN) > 12:
            continue
        total = int(np.count_nonzero(truth)) + int(chance.integers(-1, 2))
        traps = None if chance.random() < 0.5 else max(total, 0)
        require_agreement(grid, traps, sorted(oracles.solutions_by_clauses(grid, traps)))
