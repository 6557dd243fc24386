"""What players work out of a position: notes kept up to date, risks, and what a guess is worth."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.counting.propagate import index_with_margins
from gemhunter.counting.weigh import EXACT_TOTAL_CELLS, UNSOLVABLE, WEIGHED
from gemhunter.jit.search_state import new_random_state
from gemhunter.play.agents.compiled import decide
from gemhunter.play.guessing.choose import EXPERT, FAST, LOGIC, LOGIC_RANDOM
from gemhunter.play.guessing.end_game import NO_CELL
from gemhunter.play.notes import (
    PlayerNotes,
    blank_notes,
    copy_notes,
    follow_up,
    note_clue,
    read_clue,
    read_grid,
    suppose,
    work_out,
)
from gemhunter.play.risks import BY_TOTAL, WeighedPosition, log_factorials, risks_by_index, weigh_in_play
from gemhunter.questions.count import count
from gemhunter.questions.forced import Forced, forced
from gemhunter.questions.probability import Probabilities, probabilities
from random_positions import random_positions, true_codes
from strategies import grid_of

Floats = NDArray[np.float64]


def weighed(grid: Grid, total: int) -> tuple[PlayerNotes, WeighedPosition]:
    """A position as players have it before they choose."""
    notes = read_grid(grid.cells.copy())
    return notes, weigh_in_play(notes.board, total, BY_TOTAL, True, log_factorials(grid.cells.size))


def risks_of(grid: Grid, total: int) -> Floats:
    """What `weigh_in_play` says, cell by cell; not a number where nothing is hidden."""
    notes, w = weighed(grid, total)
    assert w.answer == WEIGHED
    risks = risks_by_index(notes.board, w).reshape(-1, grid.cols + 4)[2:-2, 2:-2]
    return np.where(grid.cells == HIDDEN, risks, np.nan)


def large_position(seed: int, size: tuple[int, int], density: float, shown: float) -> tuple[Grid, int]:
    """What a game on a large board looks like: clues in some places, and much that is untouched."""
    chance = np.random.default_rng(seed)
    traps = chance.random(size) < density
    hidden = traps | (chance.random(size) > shown)
    codes = np.where(hidden, HIDDEN, true_codes(traps)).astype(np.int8)
    codes[size[0] // 2 :] = HIDDEN
    return Grid(codes), int(np.count_nonzero(traps))


def probabilities_of(grid: Grid, *, traps: int | None = None, density: float | None = None) -> Floats:
    answer = probabilities(grid, total=traps, density=density)
    assert isinstance(answer, Probabilities)
    return answer.values


def test_risks_are_the_probabilities_and_the_amount_is_the_count() -> None:
    for grid, total in random_positions(2, 100, rows=6, cols=9, most_hidden=30):
        np.testing.assert_allclose(risks_of(grid, total), probabilities_of(grid, traps=total), rtol=1e-9)
        _, w = weighed(grid, total)
        solutions = count(grid, total=total)
        assert isinstance(solutions, int)
        assert w.log_count == pytest.approx(np.log(float(solutions)), abs=1e-9)


def test_on_a_large_board_the_total_counts_as_a_density() -> None:
    grid, total = large_position(5, (36, 50), 0.2, 0.3)
    notes, _ = weighed(grid, total)
    codes = notes.board.codes.reshape(-1, grid.cols + 4)[2:-2, 2:-2]
    open_cells = int(np.count_nonzero(codes == HIDDEN))
    assert open_cells > EXACT_TOTAL_CELLS
    density = (total - int(np.count_nonzero(codes == TRAP))) / open_cells
    np.testing.assert_allclose(risks_of(grid, total), probabilities_of(grid, density=density), rtol=1e-6)


@pytest.mark.parametrize("size", [(12, 20), (36, 50)])
def test_the_clues_that_a_cell_can_show_are_as_likely_as_the_cell_is_safe(size: tuple[int, int]) -> None:
    grid, total = large_position(3, size, 0.2, 0.3)
    notes, w = weighed(grid, total)
    risks, scratch = risks_of(grid, total), blank_notes(*size)
    logs = log_factorials(grid.cells.size)
    uncertain = np.flatnonzero((risks > 0.05) & (risks < 0.95))[::9][:5]
    assert len(uncertain) > 4
    for cell in uncertain.tolist():
        chance = 0.0
        for clue in range(9):
            copy_notes(notes, scratch)
            if suppose(scratch, index_with_margins(notes.board, cell), clue):
                after = weigh_in_play(scratch.board, total, w.trap_weight, False, logs)
                chance += np.exp(after.log_count - w.log_count) if after.answer == WEIGHED else 0.0
        assert chance == pytest.approx(1.0 - risks.flat[cell], rel=0.01)


def test_a_total_that_leaves_no_choice_is_seen_on_the_largest_boards() -> None:
    beyond = np.full((1, EXACT_TOTAL_CELLS + 10), HIDDEN, np.int8)
    beyond[0, 0] = 1
    assert risks_of(Grid(beyond), 1)[0, 2:].max() == 0.0
    assert risks_of(Grid(beyond), beyond.size - 1)[0, 1:].min() == 1.0
    # One more trap than needed: in one part or outside, but never both traps of the part to the right.
    twice = beyond.copy()
    twice[0, 0], twice[0, 4], twice[0, 8] = HIDDEN, 1, 2
    assert risks_of(Grid(twice), 3)[0, 10:].max() == 0.0


def test_a_total_that_cannot_be_is_a_contradiction() -> None:
    grid = grid_of([list("_1__"), list("____")])
    assert weighed(grid, 0)[1].answer == UNSOLVABLE
    assert weighed(grid, 7)[1].answer == UNSOLVABLE


def test_what_is_nearly_certain_is_not_certain() -> None:
    for grid, total in random_positions(8, 100, rows=7, cols=9, most_hidden=40):
        risks, answer = risks_of(grid, total), forced(grid, total=total)
        assert isinstance(answer, Forced)
        assert {tuple(cell) for cell in np.argwhere(risks == 1.0).tolist()} == set(answer.traps)
        assert {tuple(cell) for cell in np.argwhere(risks == 0.0).tolist()} == set(answer.gems)


def test_notes_taken_clue_by_clue_say_the_same_as_notes_on_the_whole() -> None:
    chance = np.random.default_rng(4)
    for grid, _ in random_positions(4, 150, rows=7, cols=9, most_hidden=40):
        notes = blank_notes(*grid.cells.shape)
        for cell in chance.permutation(np.flatnonzero(grid.cells >= 0)).tolist():
            index = index_with_margins(notes.board, cell)
            note_clue(notes.board, index, int(grid.cells.flat[cell]))
            assert follow_up(notes)
            assert read_clue(notes, index)
            if chance.random() < 0.3:
                assert work_out(notes)
        assert work_out(notes)
        whole = read_grid(grid.cells.copy())
        assert notes.board.codes.tolist() == whole.board.codes.tolist()


def decided(agent: int, grid: Grid, total: int) -> tuple[int, NDArray[np.int8]]:
    """The cell that an agent guesses, if it does, and what it knows for certain."""
    certain = np.empty_like(grid.cells)
    logs = log_factorials(grid.cells.size)
    cell, _, _ = decide(agent, grid.cells.copy(), total, logs, new_random_state(1), certain)
    return cell, certain


def test_nothing_that_follows_is_missed_where_nothing_is_revealed() -> None:
    stuck = 0
    for grid, total in random_positions(6, 300, rows=6, cols=8, most_hidden=30):
        _, certain = decided(LOGIC, grid, total)
        answer = forced(grid, total=total)
        assert isinstance(answer, Forced)
        known = np.where(grid.cells == HIDDEN, certain, HIDDEN)
        gems = {tuple(cell) for cell in np.argwhere(known == GEM).tolist()}
        traps = {tuple(cell) for cell in np.argwhere(known == TRAP).tolist()}
        assert gems <= set(answer.gems)
        assert traps <= set(answer.traps)
        assert bool(gems) == bool(answer.gems)
        if not gems:
            stuck += 1
            assert traps == set(answer.traps)
    assert stuck > 40


@pytest.mark.parametrize("agent", [LOGIC_RANDOM, FAST, EXPERT])
def test_positions_that_cannot_be_still_get_a_hidden_cell(agent: int) -> None:
    chance = np.random.default_rng(7)
    guesses = 0
    for _ in range(150):
        shape = (chance.integers(1, 6), chance.integers(1, 7))
        codes = np.where(chance.random(shape) < 0.7, HIDDEN, chance.integers(0, 9, shape)).astype(np.int8)
        cell, certain = decided(agent, Grid(codes), int(chance.integers(0, codes.size)))
        if cell != NO_CELL:
            guesses += 1
            assert codes.flat[cell] == HIDDEN
            assert certain.flat[cell] == HIDDEN
    assert guesses > 50
