"""Explanations of single cells, judged by a SAT solver that knows only the rules of the puzzle."""

import pytest

from explanation_faults import cell_faults, opposite_faults
from gemhunter.core.grid import GEM, HIDDEN, TRAP
from gemhunter.errors import InputError
from gemhunter.formats.text import parse_grid
from gemhunter.queries.explain import explain
from gemhunter.queries.explain_cell import explain_cell, explain_opposite
from random_grids import random_grids

SMALL_BOARDS = list(random_grids(3, 60, rows=4, cols=6))


@pytest.mark.parametrize("first", range(4))
def test_every_cell_of_small_boards_is_explained_with_steps_that_follow_alone(first: int) -> None:
    for grid, total in SMALL_BOARDS[first::4]:
        for cell in grid.where(HIDDEN):
            found = explain_cell(grid, cell, total=total)
            assert cell_faults(found) == [], f"{cell}, total {total}\n{grid}"


@pytest.mark.parametrize("first", range(4))
def test_the_other_value_of_every_forced_cell_leads_to_a_conflict(first: int) -> None:
    for grid, total in SMALL_BOARDS[first::4]:
        whole = explain(grid, total=total)
        for step in whole.steps if whole.conflict is None else ():
            for cell in step.decides:
                found = explain_opposite(grid, cell, total=total)
                assert found.value == (TRAP if cell in step.traps else GEM)
                assert opposite_faults(found) == [], f"{cell}, total {total}\n{grid}"


def test_an_open_cell_has_no_opposite() -> None:
    grid = parse_grid("_, 1, _")
    assert cell_faults(explain_opposite(grid, (0, 0))) == []


def test_steps_that_do_not_matter_are_left_out() -> None:
    grid = parse_grid("_, 1, G, G, G, G, _, 1, G\nG, G, G, G, G, G, G, G, G")
    assert [len(explain(grid).steps), len(explain_cell(grid, (0, 0)).steps)] == [2, 1]


def test_a_cell_that_is_not_hidden_is_refused() -> None:
    with pytest.raises(InputError, match="r1c2 is not hidden: the board shows 1 there"):
        explain_cell(parse_grid("_, 1, _"), (0, 1))
