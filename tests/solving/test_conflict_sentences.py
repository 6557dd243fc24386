"""Sentences: what keeps clues from holding is counted and named."""

import pytest

from gemhunter.board.grid import Cell
from gemhunter.board.puzzle import impossible_regions, read_puzzle
from gemhunter.files.text import parse_grid
from gemhunter.solving import conflicts as sentences


def reasons(board: str, traps: int | None = None) -> list[str]:
    """What is said about each clue of a board that cannot hold."""
    puzzle = read_puzzle(parse_grid(board), traps)
    return [sentences.impossible_clue(puzzle, region) for region in impossible_regions(puzzle)]


def test_conflicting_clues_are_named() -> None:
    assert sentences.conflict([Cell(0, 1), Cell(1, 1)], None) == "these clues conflict: r1c2, r2c2"


def test_a_total_that_clues_conflict_with_is_named() -> None:
    assert sentences.conflict([Cell(0, 1)], 4) == "these clues conflict with the total of 4: r1c2"


def test_a_combination_that_cannot_add_up_is_described() -> None:
    assert sentences.linear_conflict(1200, 2, with_total=True) == (
        "the total and 1,200 clues conflict: added up modulo 2, they say what no solution can make true"
    )


def test_too_many_known_traps_are_counted_and_named() -> None:
    assert reasons("G, G, T\nG, 1, T") == [
        "the clue 1 at r2c2 cannot hold: 1 trap too many already next to it"
    ]


def test_too_few_unknown_cells_are_counted_and_named() -> None:
    assert reasons("G, G\n3, _\n_, G") == [
        "the clue 3 at r2c1 cannot hold: it needs 3 more traps, but only 2 unknown cells are next to it"
    ]


def test_one_trap_and_one_cell_are_not_written_as_many() -> None:
    assert reasons("2, _") == [
        "the clue 2 at r1c1 cannot hold: it needs 2 more traps, but only 1 unknown cell is next to it"
    ]


def test_every_impossible_clue_is_found() -> None:
    assert len(reasons("0, T, 0\n_, 1, 8")) == 3


def test_a_total_below_the_known_traps_is_named() -> None:
    assert reasons("T, T, _", traps=0) == ["the total cannot hold: 2 traps too many already on the board"]


def test_a_total_beyond_the_hidden_cells_is_named() -> None:
    assert reasons("T, _, _", traps=4) == [
        "the total cannot hold: it needs 3 more traps, but only 2 unknown cells are on the board"
    ]


@pytest.mark.parametrize(
    ("digits", "needed"),
    [(1, "9"), (13, "9" + ",999" * 4), (20, "99" + ",999" * 6), (9000, "more than 1" + "0" * 60)],
)
def test_a_huge_total_is_named_as_it_was_given(digits: int, needed: str) -> None:
    (reason,) = reasons("T, _", traps=10**digits)
    assert reason.startswith(f"the total cannot hold: it needs {needed} more traps, but only 1 unknown cell")
