"""Explanations of single cells, judged by a SAT solver that knows only the rules of the puzzle."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from campaigns import first_of
from clue_judge import ClueJudge
from explanation_faults import cell_faults, opposite_faults
from gemhunter.board.board import random_grid, random_traps
from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.errors import InputError
from gemhunter.explanation.explain import explain, explain_cell, explain_opposite
from gemhunter.explanation.explanations import CellExplanation
from gemhunter.explanation.steps import ExplanationStep, needed_steps, rate
from gemhunter.files.text import parse_grid
from random_grids import random_grids

SMALL_BOARDS = list(random_grids(3, 60, rows=4, cols=6))


@pytest.mark.parametrize("first", first_of(range(4), 2))
def test_every_cell_of_small_boards_is_explained_with_steps_that_follow_alone(first: int) -> None:
    for grid, total in SMALL_BOARDS[first::4]:
        for cell in grid.where(HIDDEN):
            found = explain_cell(grid, cell, total=total)
            assert cell_faults(found) == [], f"{cell}, total {total}\n{grid}"


@pytest.mark.parametrize("first", first_of(range(4), 2))
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


def test_a_cell_takes_no_more_effort_alone_than_within_the_whole_explanation() -> None:
    for grid, total in SMALL_BOARDS:
        whole = explain(grid, total=total)
        for step in whole.steps if whole.conflict is None else ():
            needed = rate(needed_steps(whole.steps, step.decides[:1]))
            alone = rate(explain_cell(grid, step.decides[0], total=total).steps)
            assert (alone.score, alone.level) <= (needed.score, needed.level), f"{step.decides[0]}\n{grid}"


def test_clues_that_only_seem_to_matter_are_left_out() -> None:
    # The chain begins at the clue 3 below, and its next step only touches what r1c4 rests on.
    grid = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
    found = explain_cell(grid, (0, 3))
    assert [step.clues for step in found.steps] == [((0, 0),), ((0, 2),)]


def follows(judge: ClueJudge, steps: Sequence[ExplanationStep]) -> bool:
    """Whether each of these steps follows from its clues once those before it are known."""
    known: dict[tuple[int, int], bool] = {}
    for step in steps:
        new: dict[tuple[int, int], bool] = {
            cell: cell in step.traps for cell in step.decides if cell not in known
        }
        if new and not judge.force(step.clues, known, new, with_total=step.with_total):
            return False
        known |= new
    return True


def test_no_step_to_a_cell_can_be_left_out_unless_another_one_supposes_something() -> None:
    several = 0
    for grid, total in SMALL_BOARDS:
        with ClueJudge(grid, total) as judge:
            for cell in grid.where(HIDDEN):
                found = explain_cell(grid, cell, total=total)
                if found.conflict is not None or any(step.thoughts for step in found.steps):
                    continue
                several += len(found.steps) > 1
                for place in range(len(found.steps) - 1):
                    others = (*found.steps[:place], *found.steps[place + 1 :])
                    assert not follows(judge, others), f"{cell}, total {total}\n{grid}"
    assert several > 20


def test_the_total_alone_can_be_enough() -> None:
    (step,) = explain_cell(parse_grid("_, 2, _, _"), (0, 3), total=3).steps
    assert (step.clues, step.with_total) == ((), True)


def large_board(size: int, *, shown: float) -> tuple[Grid, int]:
    """A square board and its total."""
    traps = int(np.count_nonzero(random_traps(size, size, 0.2, 5)))
    return random_grid(size, size, density=0.2, shown=shown, seed=5), traps


def near_faults(found: CellExplanation, *, reach: int = 20) -> list[str]:
    """What is wrong with steps on a large board, judged by the part of it that they are in."""
    top, left = (max(place - reach, 0) for place in found.cell)
    part = Grid(found.grid.cells[top : top + 2 * reach, left : left + 2 * reach])

    def moved(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(Cell(row - top, col - left) for row, col in cells)

    steps = tuple(
        replace(step, clues=moved(step.clues), traps=moved(step.traps), gems=moved(step.gems))
        for step in found.steps
    )
    (cell,) = moved((found.cell,))
    return cell_faults(replace(found, grid=part, cell=cell, steps=steps, total=None))


@pytest.mark.parametrize(
    ("size", "with_total"), [(120, False), (120, True), pytest.param(1000, False, marks=pytest.mark.full)]
)
def test_forced_and_open_cells_of_large_boards_are_explained(size: int, with_total: bool) -> None:
    grid, traps = large_board(size, shown=0.5)
    total = traps if with_total else None
    values = set()
    for cell in islice(grid.where(HIDDEN), 0, None, size * size // 6):
        found = explain_cell(grid, cell, total=total)
        values.add(found.value)
        if found.value == HIDDEN:
            assert [example[cell] for example in found.examples] == [TRAP, GEM]
            assert [check(grid, example, total) for example in found.examples] == [[], []]
        else:
            assert near_faults(found) == []
    assert HIDDEN in values
    assert len(values) > 1


def test_a_large_board_without_a_solution_names_the_clue() -> None:
    codes = large_board(1000, shown=0.6)[0].cells.copy()
    row, col = (int(place) for place in np.argwhere((codes > 0) & (codes < 7))[100_000])
    codes[row, col] = 8
    grid = Grid(codes)
    cell = next(near for near in grid.around((row, col)) if grid[near] == HIDDEN)
    found = explain_cell(grid, cell)
    assert found.conflict is not None
    assert found.conflict.clues == (Cell(row, col),)


def test_a_cell_that_is_not_hidden_is_refused() -> None:
    with pytest.raises(InputError, match="r1c2 is not hidden: the board shows 1 there"):
        explain_cell(parse_grid("_, 1, _"), (0, 1))
