"""Clues become regions of hidden cells, known traps taken off; those that cannot hold are found."""

import numpy as np
import pytest
from hypothesis import given

import oracles
from gemhunter.board.puzzle import (
    TOTAL_CLUE,
    Puzzle,
    Solution,
    impossible_regions,
    read_puzzle,
    untouched_cells,
)
from gemhunter.files.text import parse_grid
from strategies import Planted, small_boards


def regions(puzzle: Puzzle) -> list[tuple[list[int], int]]:
    """The cells and the trap count of every region."""
    return [(puzzle.region(index).tolist(), int(traps)) for index, traps in enumerate(puzzle.traps)]


def test_hidden_cells_are_numbered_in_reading_order() -> None:
    assert read_puzzle(parse_grid("1, _, 1\n_, 2, _")).hidden.tolist() == [1, 3, 5]


@pytest.mark.parametrize(
    ("text", "total", "expected"),
    [
        pytest.param("_, _, _\n_, 3, _", None, [([0, 1, 2, 3, 4], 3)], id="hidden cells around a clue"),
        pytest.param("_, G, 1, _\n_, G, G, _", None, [([1, 3], 1)], id="not around the edge"),
        pytest.param("T, 3, _\nT, _, _", None, [([0, 1, 2], 1)], id="known traps are subtracted"),
        pytest.param("G, 2, _\nG, _, _", None, [([0, 1, 2], 2)], id="known gems take their place"),
        pytest.param("1, T", None, [([], 0)], id="no hidden neighbours"),
        pytest.param("_, T\n_, G", None, [], id="no clues"),
        pytest.param("T, G", 1, [([], 0)], id="no hidden cells, but a total"),
    ],
)
def test_clues_and_total_become_regions(
    text: str, total: int | None, expected: list[tuple[list[int], int]]
) -> None:
    assert regions(read_puzzle(parse_grid(text), total)) == expected


def test_each_region_remembers_the_position_of_its_clue() -> None:
    assert read_puzzle(parse_grid("_, 1\n1, _\n_, 0")).clues.tolist() == [1, 2, 5]


def test_sizes_count_the_hidden_cells_of_each_region() -> None:
    assert read_puzzle(parse_grid("1, _, _, 1, G")).sizes.tolist() == [1, 1]


def test_the_total_is_the_last_region_and_covers_all_hidden_cells() -> None:
    puzzle = read_puzzle(parse_grid("1, _, _\nT, _, G"), total=3)
    assert (regions(puzzle)[-1], puzzle.clues.tolist()) == (([0, 1, 2], 2), [0, TOTAL_CLUE])


@given(small_boards())
def test_regions_are_what_plain_loops_over_neighbours_say(planted: Planted) -> None:
    marks = oracles.marks_of(planted.grid)
    number = {place: index for index, place in enumerate(oracles.hidden_places(marks))}
    expected = [
        (
            [number[place] for place in oracles.neighbours(marks, (r, c)) if place in number],
            int(marks[r][c]) - oracles.traps_around(marks, (r, c)),
        )
        for r, c in oracles.places(marks)
        if marks[r][c].isdigit()
    ]
    assert regions(read_puzzle(planted.grid)) == expected


def test_cells_that_neither_a_clue_nor_a_total_touches_are_marked() -> None:
    assert untouched_cells(read_puzzle(parse_grid("1, _, _, _"))).tolist() == [False, True, True]
    assert not untouched_cells(read_puzzle(parse_grid("1, _, _, _"), total=1)).any()


@pytest.mark.parametrize(
    ("board", "impossible"),
    [("0, _", []), ("1, _", []), ("2, _", [0]), ("0, T", [0]), ("1, T", []), ("1, G", [0]), ("_, 1, 3", [1])],
)
def test_a_region_holds_from_no_traps_to_all_of_its_cells(board: str, impossible: list[int]) -> None:
    assert impossible_regions(read_puzzle(parse_grid(board))).tolist() == impossible


def test_a_puzzle_and_a_solution_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        read_puzzle(parse_grid("_, 1, _")).traps[0] = 2
    with pytest.raises(ValueError, match="read-only"):
        Solution(np.array([True])).traps[0] = False


def test_a_solution_fills_hidden_cells_in_reading_order() -> None:
    filled = Solution(np.array([True, False, True])).fill(parse_grid("_, 1, _\n2, _, G"))
    assert str(filled) == "T, 1, G\n2, T, G"


def test_a_solution_of_another_size_does_not_fill_a_board() -> None:
    with pytest.raises(ValueError, match="2 values for 3 hidden cells"):
        Solution(np.array([True, False])).fill(parse_grid("_, _, _"))


@pytest.mark.parametrize(
    ("model", "traps"), [([-1, 2, 3, -4, 5], [False, True, True]), ([2], [False, True, False])]
)
def test_a_model_gives_the_hidden_cells_and_those_it_leaves_out_are_gems(
    model: list[int], traps: list[bool]
) -> None:
    assert Solution.of_model(np.array(model, np.int64), hidden=3) == Solution(np.array(traps))


def test_equal_traps_make_equal_solutions_with_equal_hashes() -> None:
    one, other = Solution(np.array([True, False])), Solution(np.array([1, 0], bool))
    assert (one, hash(one)) == (other, hash(other))
