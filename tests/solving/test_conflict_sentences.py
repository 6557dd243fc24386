"""Sentences that count and name what keeps clues from holding."""

import pytest

from gemhunter.board.grid import Cell
from gemhunter.board.puzzle import impossible_regions, read_puzzle
from gemhunter.files.text import parse_grid
from gemhunter.solving import conflict_sentences as sentences


def reasons(board: str, traps: int | None = None) -> list[str]:
    """The sentence about each clue of a board that cannot hold."""
    puzzle = read_puzzle(parse_grid(board), traps)
    return [sentences.impossible_clue(puzzle, region) for region in impossible_regions(puzzle)]


def test_conflicting_clues_and_the_total_are_named() -> None:
    assert sentences.conflict([Cell(0, 1), Cell(1, 1)], None) == "these clues conflict: r1c2, r2c2"
    assert sentences.conflict([Cell(0, 1)], 4) == "these clues conflict with the total of 4: r1c2"


def test_a_combination_that_cannot_add_up_is_described() -> None:
    sentence = sentences.linear_conflict(1200, 2, with_total=True)
    assert sentence.startswith("the total and 1,200 clues conflict: added up modulo 2,")


@pytest.mark.parametrize(
    ("board", "total", "reason"),
    [
        ("G, G, T\nG, 1, T", None, "the clue 1 at r2c2 cannot hold: 1 trap too many already next to it"),
        ("G, G\n3, _\n_, G", None, "needs 3 more traps, but only 2 unknown cells are next to it"),
        ("2, _", None, "the clue 2 at r1c1 cannot hold: it needs 2 more traps, but only 1 unknown cell is"),
        ("2, G", None, "needs 2 more traps, but no unknown cell is next to it"),
        ("T, T, _", 0, "the total cannot hold: 2 traps too many already on the board"),
        ("T, _, _", 4, "the total cannot hold: it needs 3 more traps, but only 2 unknown cells are on the"),
    ],
)
def test_what_keeps_a_clue_from_holding_is_counted_and_named(
    board: str, total: int | None, reason: str
) -> None:
    (sentence,) = reasons(board, total)
    assert reason in sentence


def test_every_impossible_clue_is_found() -> None:
    assert len(reasons("0, T, 0\n_, 1, 8")) == 3


@pytest.mark.parametrize(
    ("digits", "needed"),
    [(1, "9"), (13, "9" + ",999" * 4), (20, "99" + ",999" * 6), (9000, "more than 1" + "0" * 60)],
)
def test_a_huge_total_is_named_as_it_was_given(digits: int, needed: str) -> None:
    (reason,) = reasons("T, _", traps=10**digits)
    assert reason.startswith(f"the total cannot hold: it needs {needed} more traps, but only 1 unknown cell")
