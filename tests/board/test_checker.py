"""The checker names every rule that an answer breaks, and the cell where it does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from gemhunter.board.checker import check
from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import Solution
from gemhunter.files.text import parse_grid
from strategies import Planted, any_grids, small_boards

BOARD = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
ANSWER = parse_grid("3, T, 2, G\nT, T, 2, G\nT, 3, 1, G")


def found(board: str, answer: str, traps: int | None = None) -> list[tuple[str, str, str]]:
    """Rule, cell and message of each violation."""
    violations = check(parse_grid(board), parse_grid(answer), traps)
    return [(violation.rule, str(violation.cell), str(violation)) for violation in violations]


@pytest.mark.parametrize(
    ("board", "answer", "traps"),
    [(str(BOARD), str(ANSWER), None), (str(ANSWER), str(ANSWER), None), ("_, T, G", "T, T, G", 2)],
)
def test_a_right_answer_breaks_nothing(board: str, answer: str, traps: int | None) -> None:
    assert found(board, answer, traps) == []


@pytest.mark.parametrize(
    ("board", "answer", "violation"),
    [
        ("1, _, _", "2\n3\n4", ("size", "None", "the board is 1×3, the answer 3×1")),
        ("1, _, G", "2, T, G", ("given", "r1c1", "r1c1 shows 1 on the board, but 2 in the answer")),
        ("G, _\nT, _", "G, G\nG, G", ("given", "r2c1", "r2c1 shows T on the board, but G in the answer")),
        ("0, _, _", "0, G, _", ("unfilled", "r1c3", "r1c3 must be T or G in the answer, not _")),
        ("0, _, _", "0, G, 0", ("unfilled", "r1c3", "r1c3 must be T or G in the answer, not 0")),
        ("_, 0, G", "T, 0, G", ("clue", "r1c2", "r1c2 says 0, but touches 1 trap")),
        ("1, _\n_, _", "1, G\nG, G", ("clue", "r1c1", "r1c1 says 1, but touches 0 traps")),
        # A clue counts the traps of the board too, and not the trap that overwrites it.
        ("T, 1, _", "T, 1, T", ("clue", "r1c2", "r1c2 says 1, but touches 2 traps")),
        ("0, _", "T, G", ("given", "r1c1", "r1c1 shows 0 on the board, but T in the answer")),
    ],
)
def test_a_violation_is_named(board: str, answer: str, violation: tuple[str, str, str]) -> None:
    assert found(board, answer) == [violation]


def test_a_wrong_total_is_named() -> None:
    message = "the number of traps must be 3, the answer has 2"
    assert found("_, _, G", "T, T, G", traps=3) == [("total", "None", message)]


def test_every_violation_is_listed() -> None:
    rules = [rule for rule, _, _ in found("1, _, G\n0, _, _", "2, T, T\n0, G, _", traps=9)]
    assert rules == ["given", "given", "unfilled", "clue", "total"]


@given(small_boards(), st.data())
def test_a_filling_passes_exactly_if_plain_loops_find_it_right(planted: Planted, data: st.DataObject) -> None:
    marks = oracles.marks_of(planted.grid)
    size = len(oracles.hidden_places(marks))
    assignment = tuple(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    answer = Solution(np.array(assignment, bool)).fill(planted.grid)
    assert (not check(planted.grid, answer, planted.traps)) == oracles.is_solution(
        marks, assignment, planted.traps
    )


@given(small_boards())
def test_every_solution_found_by_trying_all_passes(planted: Planted) -> None:
    for assignment in oracles.all_solutions(planted.grid, planted.traps):
        assert (
            check(planted.grid, Solution(np.array(assignment, bool)).fill(planted.grid), planted.traps) == []
        )


@given(any_grids(rows=3, cols=4), st.data())
def test_violations_by_cell_are_those_plain_loops_find(grid: Grid, data: st.DataObject) -> None:
    codes = st.sampled_from([*range(9), -1, -2, -3])
    answer = Grid(np.array([[data.draw(codes) for _ in range(grid.cols)] for _ in range(grid.rows)], np.int8))
    board, filled = oracles.marks_of(grid), oracles.marks_of(answer)
    expected = set()
    for row, col in oracles.places(board):
        shown, got = board[row][col], filled[row][col]
        if shown not in ("_", got):
            expected.add(("given", (row, col)))
        if shown == "_" and got not in ("T", "G"):
            expected.add(("unfilled", (row, col)))
        if shown.isdigit() and int(shown) != oracles.traps_around(filled, (row, col)):
            expected.add(("clue", (row, col)))
    assert {(violation.rule, violation.cell) for violation in check(grid, answer)} == expected
