"""Hints: the easiest useful deduction, rungs that say more and more, and where a large board is searched."""

import numpy as np
import pytest

from clue_judge import ClueJudge
from explanation_faults import step_faults
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.explanation.explain import explain
from gemhunter.explanation.hint import CLUES_RUNG, CONCLUSION_RUNG, RUNGS, HintLadder, NothingToDeduce, hint
from gemhunter.files.text import parse_grid
from random_grids import random_grids
from sentence_faults import NAME, text_faults

NEAR, FAR = Cell(10, 12), Cell(90, 70)


def large_grid(**clues: int) -> Grid:
    """A hidden board of 100 by 80 with clues at `NEAR` and `FAR`."""
    codes = np.full((100, 80), HIDDEN, np.int8)
    for name, clue in clues.items():
        codes[{"near": NEAR, "far": FAR}[name]] = clue
    return Grid(codes)


def clues_of(found: HintLadder | NothingToDeduce) -> tuple[Cell, ...]:
    assert isinstance(found, HintLadder)
    return found.step.clues


def test_on_a_large_board_the_surroundings_of_the_player_are_looked_at_first() -> None:
    grid = large_grid(near=0, far=8)
    assert clues_of(hint(grid, near=(5, 5))) == (NEAR,)
    assert clues_of(hint(grid, near=(95, 75))) == (FAR,)


def test_without_a_player_a_large_board_is_looked_at_from_its_first_cell() -> None:
    codes = large_grid(far=8).cells.copy()
    codes[:3, :4] = parse_grid("_, _, _, G\n1, 2, G, G\nG, G, G, G").cells
    assert clues_of(hint(Grid(codes))) == (Cell(1, 0), Cell(1, 1))


def test_a_deduction_far_away_is_found_if_there_is_none_nearby() -> None:
    found = hint(large_grid(near=1, far=8), near=(5, 5))
    assert clues_of(found) == (FAR,)
    assert isinstance(found, HintLadder)
    assert set(found.step.traps) == set(found.filled.around(FAR))


def test_the_total_counts_where_no_part_of_the_board_decides_a_cell() -> None:
    found = hint(large_grid(near=1, far=2), total=3, near=(5, 5))
    assert clues_of(found) == (NEAR, FAR)


def test_a_large_board_without_a_deduction_says_so() -> None:
    found = hint(large_grid(near=1, far=2), near=(5, 5))
    assert isinstance(found, NothingToDeduce)
    assert found.gave_up is None
    assert found.reason.startswith("no cell is certain")


def test_a_player_beyond_the_board_is_refused() -> None:
    with pytest.raises(IndexError, match="no row 100"):
        hint(large_grid(near=1), near=(100, 0))


BOARDS = [(grid, total) for grid, total in random_grids(6, 60, changed=0) if explain(grid, total=total).steps]


def ladders(grid: Grid, total: int | None) -> list[HintLadder]:
    """The hints of a player who follows all of them."""
    found = []
    while isinstance(ladder := hint(grid, total=total), HintLadder):
        found.append(ladder)
        grid = ladder.filled
    return found


def test_hints_lead_to_the_last_forced_cell_by_steps_that_follow_and_are_the_easiest() -> None:
    for grid, total in BOARDS:
        steps = [ladder.step for ladder in ladders(grid, total)]
        with ClueJudge(grid, total) as judge:
            assert list(step_faults(judge, steps)) == []
        decided = {cell for step in steps for cell in step.decides}
        assert decided == {cell for step in explain(grid, total=total).steps for cell in step.decides}


def test_each_rung_says_more() -> None:
    for grid, total in BOARDS:
        for ladder in ladders(grid, total):
            assert len(ladder.rungs) == RUNGS
            assert [fault for rung in ladder.rungs for fault in text_faults(rung)] == []
            named = [set(NAME.findall(rung)) for rung in ladder.rungs]
            clues = {str(clue) for clue in ladder.step.clues}
            assert (named[0], named[1], named[CLUES_RUNG - 1]) == (set(), set(), clues)
            assert {str(cell) for cell in ladder.step.decides} <= named[CONCLUSION_RUNG - 1]


def test_only_steps_that_say_nothing_new_are_passed_over() -> None:
    random = np.random.default_rng(7)
    for grid, total in BOARDS:
        steps = explain(grid, total=total).steps
        marked = {cell for step in steps for cell in step.traps if random.random() < 0.8}
        useful = [step for step in steps if step.gems or not set(step.traps) <= marked]
        found = hint(grid, total=total, marked=marked)
        first = found.step.decides if isinstance(found, HintLadder) else None
        assert first == (useful[0].decides if useful else None)


def test_what_was_passed_over_is_on_the_board_after_the_hint() -> None:
    grid = Grid(np.array([[-1, 1, -1]], np.int8))
    assert not isinstance(hint(grid), HintLadder)
    grid = Grid(np.array([[-1, 1, -3, 1, -1, -1]], np.int8))
    found = hint(grid, marked=[Cell(0, 0)])
    assert isinstance(found, HintLadder)
    assert str(found.filled) == "T, 1, G, 1, T, _"
