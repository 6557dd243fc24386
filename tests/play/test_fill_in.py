"""Boards that a person fills in: marks, checks against every assignment, hints, and files."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell
from gemhunter.cli.main import run
from gemhunter.errors import InputError
from gemhunter.explanation.hint import HintLadder, NothingToDeduce
from gemhunter.files.boards import write_board
from gemhunter.files.text import parse_grid
from gemhunter.play.fill_in import (
    ConflictsWithMarks,
    Consistent,
    DeadEnd,
    FillIn,
    WrongMarks,
    check_marks,
    fill_in_hint,
    new_fill_in,
    open_fill_in,
    save_fill_in,
)
from gemhunter.solving.run import Run
from strategies import Planted, small_boards
from table import mines

CORNER = Cell(0, 0)
BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"
ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"


def marked(board: FillIn, *marks: tuple[int, int, int]) -> FillIn:
    for row, col, mark in marks:
        board = board.put(Cell(row, col), mark)
    return board


def answered(board: FillIn, answer: str) -> FillIn:
    codes = parse_grid(answer).cells
    return marked(board, *((cell.row, cell.col, int(codes[cell])) for cell in board.grid.where(HIDDEN)))


def test_marks_are_put_changed_and_taken_away() -> None:
    board = new_fill_in(parse_grid("1, _, T"))
    trap = board.put(Cell(0, 1), TRAP)
    assert (str(trap.filled), trap.left, trap.traps) == ("1, T, T", 0, 2)
    assert str(trap.put(Cell(0, 1), GEM).filled) == "1, G, T"
    assert str(trap.put(Cell(0, 1), HIDDEN).filled) == "1, _, T"
    assert board.put(Cell(0, 2), GEM) is board, "what is given stays"
    assert trap.put(Cell(0, 1), TRAP) is trap


def test_a_filled_board_is_right_if_every_clue_holds() -> None:
    board = new_fill_in(parse_grid(BOARD))
    right = answered(board, ANSWER)
    assert right.is_right
    assert not right.put(Cell(0, 3), TRAP).is_right
    assert not right.put(Cell(0, 3), HIDDEN).is_right
    assert not FillIn(right.grid, right.marks, total=5).is_right


def solutions_with(board: FillIn) -> list[dict[Cell, bool]]:
    """All solutions that have the marks, by trying every assignment of the board."""
    cells = list(board.grid.where(HIDDEN))
    found = [
        dict(zip(cells, assignment, strict=True))
        for assignment in oracles.all_solutions(board.grid, board.total)
    ]
    return [each for each in found if all(each[c] == (board.marks[c] == TRAP) for c in board.marked)]


def some_marks(planted: Planted, signs: list[int]) -> FillIn:
    board = new_fill_in(planted.grid, planted.traps)
    hidden = list(planted.grid.where(HIDDEN))
    return marked(board, *((*cell, sign) for cell, sign in zip(hidden, signs, strict=False)))


SIGNS = st.lists(st.sampled_from([HIDDEN, HIDDEN, GEM, GEM, TRAP]), min_size=12, max_size=12)


@given(small_boards(), SIGNS)
def test_a_check_says_whether_some_solution_has_the_marks(planted: Planted, signs: list[int]) -> None:
    board = some_marks(planted, signs)
    found, possible = check_marks(Run(), board), solutions_with(board)
    assert isinstance(found, Consistent) == bool(possible)
    if isinstance(found, WrongMarks):
        unmarked = solutions_with(new_fill_in(board.grid, board.total))
        assert found.cells
        assert all(each[cell] != (board.marks[cell] == TRAP) for cell in found.cells for each in unmarked)
    if isinstance(found, DeadEnd):
        assert found.is_unsolvable == (not oracles.all_solutions(board.grid, board.total))


@given(small_boards(), SIGNS, st.integers(0, 3), st.integers(0, 4))
def test_a_hint_is_a_cell_that_all_solutions_with_the_marks_agree_on(
    planted: Planted, signs: list[int], row: int, col: int
) -> None:
    board = some_marks(planted, signs)
    possible = solutions_with(board)
    hint = fill_in_hint(Run(), board, Cell(row, col))
    agreed = {
        cell
        for cell in board.filled.where(HIDDEN)
        if possible and len({each[cell] for each in possible}) == 1
    }
    if not possible:
        assert isinstance(hint, DeadEnd)
    elif not agreed:
        assert isinstance(hint, NothingToDeduce)
    else:
        assert isinstance(hint, HintLadder)
        assert agreed >= set(hint.step.decides)
        assert {cell for cell in hint.step.decides if possible[0][cell]} == set(hint.step.traps)


def test_a_broken_clue_is_found_with_the_marks_next_to_it() -> None:
    board = marked(new_fill_in(parse_grid(BOARD)), (0, 1, GEM), (2, 3, TRAP))
    assert check_marks(Run(), board) == ConflictsWithMarks((CORNER,), (Cell(0, 1),), total=False)


def test_too_many_traps_break_the_total() -> None:
    board = marked(new_fill_in(parse_grid("_, _, _"), 1), (0, 0, TRAP), (0, 2, TRAP))
    assert check_marks(Run(), board) == ConflictsWithMarks((), (), total=True)


def test_a_hint_rests_on_the_marks_as_well() -> None:
    board = marked(new_fill_in(parse_grid("_, 1, _, _")), (0, 0, TRAP))
    found = fill_in_hint(Run(), board, Cell(0, 3))
    assert isinstance(found, HintLadder)
    assert found.rungs[3] == "The 1 at r1c2 already has its trap, so r1c3 is a gem."


def test_a_saved_board_is_opened_with_marks_that_can_be_changed(tmp_path: Path) -> None:
    board = marked(new_fill_in(parse_grid("1, _, _, T"), 2), (0, 1, TRAP), (0, 2, GEM))
    save_fill_in(tmp_path / "saved.json", board)
    again = open_fill_in(tmp_path / "saved.json")
    assert again is not None
    assert (again.grid, again.total) == (board.grid, 2)
    assert np.array_equal(again.marks, board.marks)


def test_a_saved_answer_can_be_graded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "board.txt").write_text(BOARD, encoding="utf-8")
    save_fill_in(tmp_path / "answer.json", answered(new_fill_in(parse_grid(BOARD)), ANSWER))
    assert run(["check", str(tmp_path / "board.txt"), str(tmp_path / "answer.json")]) == 0
    capsys.readouterr()


def test_files_with_the_truth_are_games_and_others_are_filled_in(tmp_path: Path) -> None:
    write_board(tmp_path / "game.mine", mines("..*"))
    (tmp_path / "full.txt").write_text("1, T\n", encoding="utf-8")
    (tmp_path / "open.txt").write_text("1, _\n", encoding="utf-8")
    assert open_fill_in("easy#1") is None
    assert open_fill_in("4x3:0,0,u048") is None
    assert open_fill_in(tmp_path / "game.mine") is None
    assert open_fill_in(tmp_path / "full.txt") is None
    opened = open_fill_in(tmp_path / "open.txt")
    assert opened is not None
    assert str(opened.grid) == "1, _"


@pytest.mark.parametrize("marks", ["r1c1", [1], ["r1c1"], ["r9c9"], ["x"]])
def test_marks_that_are_none_are_refused(marks: object, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(json.dumps({"grid": ["1, T"], "marks": marks}), encoding="utf-8")
    with pytest.raises(InputError):
        open_fill_in(tmp_path / "bad.json")
