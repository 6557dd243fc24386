"""Clues become regions of hidden cells, known traps taken off; those that cannot hold are found."""

import pytest
from hypothesis import given

import oracles
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, impossible_regions, read_puzzle, untouched_cells
from gemhunter.files.text import parse_grid
from strategies import Planted, small_boards


def regions(puzzle: Puzzle) -> list[tuple[list[int], int]]:
    """The cells and the trap count of every region."""
    return [(puzzle.region(index).tolist(), int(traps)) for index, traps in enumerate(puzzle.traps)]


def test_hidden_cells_are_numbered_in_reading_order() -> None:
    assert read_puzzle(parse_grid("1, _, 1\n_, 2, _")).hidden.tolist() == [1, 3, 5]


def test_a_clue_is_about_the_hidden_cells_around_it() -> None:
    assert regions(read_puzzle(parse_grid("_, _, _\n_, 3, _"))) == [([0, 1, 2, 3, 4], 3)]


def test_a_clue_does_not_reach_around_the_edge() -> None:
    assert regions(read_puzzle(parse_grid("_, G, 1, _\n_, G, G, _"))) == [([1, 3], 1)]


def test_known_traps_are_subtracted_from_a_clue() -> None:
    assert regions(read_puzzle(parse_grid("T, 3, _\nT, _, _"))) == [([0, 1, 2], 1)]


def test_known_gems_only_take_their_place() -> None:
    assert regions(read_puzzle(parse_grid("G, 2, _\nG, _, _"))) == [([0, 1, 2], 2)]


def test_a_clue_without_hidden_neighbours_is_an_empty_region() -> None:
    assert regions(read_puzzle(parse_grid("1, T"))) == [([], 0)]


def test_each_region_remembers_the_position_of_its_clue() -> None:
    assert read_puzzle(parse_grid("_, 1\n1, _\n_, 0")).clues.tolist() == [1, 2, 5]


def test_sizes_count_the_hidden_cells_of_each_region() -> None:
    assert read_puzzle(parse_grid("1, _, _, 1, G")).sizes.tolist() == [1, 1]


def test_the_total_is_the_last_region_and_covers_all_hidden_cells() -> None:
    puzzle = read_puzzle(parse_grid("1, _, _\nT, _, G"), total=3)
    assert (regions(puzzle)[-1], puzzle.clues.tolist()) == (([0, 1, 2], 2), [0, TOTAL_CLUE])


def test_a_board_without_clues_has_no_regions() -> None:
    assert regions(read_puzzle(parse_grid("_, T\n_, G"))) == []


def test_a_board_without_hidden_cells_still_has_its_total() -> None:
    assert regions(read_puzzle(parse_grid("T, G"), total=1)) == [([], 0)]


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


def test_cells_that_no_clue_touches_are_marked() -> None:
    assert untouched_cells(read_puzzle(parse_grid("1, _, _, _"))).tolist() == [False, True, True]


def test_a_total_touches_every_cell() -> None:
    assert not untouched_cells(read_puzzle(parse_grid("1, _, _, _"), total=1)).any()


@pytest.mark.parametrize(
    ("board", "impossible"),
    [("0, _", []), ("1, _", []), ("2, _", [0]), ("0, T", [0]), ("1, T", []), ("1, G", [0]), ("_, 1, 3", [1])],
)
def test_a_region_holds_from_no_traps_to_all_of_its_cells(board: str, impossible: list[int]) -> None:
    assert impossible_regions(read_puzzle(parse_grid(board))).tolist() == impossible


def test_a_puzzle_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        read_puzzle(parse_grid("_, 1, _")).traps[0] = 2
