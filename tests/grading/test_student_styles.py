"""A right answer is never marked wrong, and a wrong one never right, however a program prints it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from gemhunter.board.grid import Grid
from gemhunter.errors import BoardError
from gemhunter.grading.sections import read_sections
from gemhunter.grading.verdicts import Grade, Grader
from strategies import boards, grid_of
from student_styles import COLOURED, CUT_STYLES, PROSE, STYLES, Marks


def marks_for(text: str, board: Grid) -> list[Grade]:
    """How the answers in a text are graded."""
    grader = Grader(board)
    try:
        return [grader.grade(section.answer).mark for section in read_sections(text, board)]
    except BoardError:
        return [Grade.UNREADABLE]


@st.composite
def solved_boards(draw: st.DrawFn, rows: int = 6, cols: int = 12) -> tuple[Marks, Marks]:
    """A board and an answer to it: some gems show their clues, all other cells are to be filled in."""
    truth = draw(boards(rows, cols)).traps.tolist()
    full = [["T" if trap else "G" for trap in row] for row in truth]
    looks = [draw(st.sampled_from([0, 1, 2, 3])) for _ in range(len(full) * len(full[0]))]
    board, answer = ([list(row) for row in full] for _ in range(2))
    for look, (row, col) in zip(looks, oracles.places(full), strict=True):
        is_clue = look > 0 and full[row][col] == "G"
        board[row][col] = str(oracles.traps_around(full, (row, col))) if is_clue else "_"
        answer[row][col] = board[row][col] if is_clue else full[row][col]
    return board, answer


def is_right(board: Marks, answer: Marks) -> bool:
    assignment = tuple(answer[row][col] == "T" for row, col in oracles.hidden_places(board))
    return oracles.is_solution(board, assignment)


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=5)
@given(solved=solved_boards(), prose=st.sampled_from(sorted(PROSE)))
def test_a_right_answer_is_never_marked_wrong(style: str, solved: tuple[Marks, Marks], prose: str) -> None:
    board, answer = solved
    found = marks_for(PROSE[prose].format(STYLES[style](answer)), grid_of(board))
    assert Grade.WRONG not in found, found


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=5)
@given(solved=solved_boards(), prose=st.sampled_from(sorted(PROSE)), data=st.data())
def test_a_wrong_answer_is_never_marked_right(
    style: str, solved: tuple[Marks, Marks], prose: str, data: st.DataObject
) -> None:
    board, answer = solved
    hidden = oracles.hidden_places(board)
    if not hidden:
        return
    row, col = data.draw(st.sampled_from(hidden))
    answer[row][col] = "G" if answer[row][col] == "T" else "T"
    found = marks_for(PROSE[prose].format(STYLES[style](answer)), grid_of(board))
    assert (Grade.RIGHT in found) <= is_right(board, answer), found


@given(solved=solved_boards(cols=7), data=st.data())
def test_a_stray_line_or_sign_makes_no_right_answer_wrong(
    solved: tuple[Marks, Marks], data: st.DataObject
) -> None:
    board, answer = solved
    if len(board[0]) == 1:
        return
    style = data.draw(st.sampled_from(sorted(STYLES.keys() - COLOURED)))
    lines = PROSE["heading"].format(STYLES[style](answer)).split("\n")
    place = data.draw(st.integers(0, len(lines) - 1))
    if data.draw(st.booleans()):
        lines.insert(place, data.draw(st.sampled_from(["Note", "----", "5 nodes", "3 4", "T G", ""])))
    else:
        column = data.draw(st.integers(0, len(lines[place])))
        sign = data.draw(st.sampled_from(list(",;[]|+ '\"\n:x")))
        lines[place] = lines[place][:column] + sign + lines[place][column:]
    found = marks_for("\n".join(lines), grid_of(board))
    assert Grade.WRONG not in found, found


@given(solved=solved_boards(cols=7), data=st.data())
def test_each_of_several_algorithms_gets_its_own_mark(
    solved: tuple[Marks, Marks], data: st.DataObject
) -> None:
    board, answer = solved
    hidden = oracles.hidden_places(board)
    parts, right = [], 0
    for solver in ("Algorithm: pysat", "DPLL:", "=== Brute force ==="):
        own = [list(row) for row in answer]
        is_flipped = data.draw(st.booleans())
        if hidden and is_flipped:
            row, col = data.draw(st.sampled_from(hidden))
            own[row][col] = "G" if own[row][col] == "T" else "T"
        right += is_right(board, own)
        parts.append(f"{solver}\n{STYLES[data.draw(st.sampled_from(sorted(STYLES)))](own)}\n")
    found = marks_for("\n".join(parts), grid_of(board))
    copies = 2  # one style writes its grid twice
    assert found.count(Grade.RIGHT) <= copies * right
    assert found.count(Grade.WRONG) <= copies * (3 - right)


BOARD = "_ 2 _ 1 0 1 _\n2 _ 2 1 0 1 1\n_ 2 1 0 1 1 1\n1 1 0 0 1 _ _\n0 0 0 0 1 _ _"
ANSWER = "G 2 T 1 0 1 T\n2 T 2 1 0 1 1\nT 2 1 0 1 1 1\n1 1 0 0 1 T G\n0 0 0 0 1 G G"


def rows_of(text: str) -> Marks:
    return [line.split() for line in text.split("\n")]


@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_of_an_ordinary_board_is_marked_right(style: str) -> None:
    board, answer = grid_of(rows_of(BOARD)), STYLES[style](rows_of(ANSWER))
    found = {prose: set(marks_for(text.format(answer), board)) for prose, text in PROSE.items()}
    assert found == {prose: {Grade.RIGHT} for prose in PROSE}


@pytest.mark.parametrize("style", STYLES)
def test_a_wrong_answer_of_an_ordinary_board_is_marked_wrong(style: str) -> None:
    text = STYLES[style](rows_of("T" + ANSWER[1:]))
    assert set(marks_for(text, grid_of(rows_of(BOARD)))) == {Grade.WRONG}


@pytest.mark.parametrize("style", STYLES)
def test_a_wide_answer_is_marked_right(style: str) -> None:
    """NumPy goes on in the next line after 18 cells, pandas starts a second table."""
    board, answer = ([row * 5 for row in rows_of(text)] for text in ("_ 1 _ _ _ _", "T 1 G G G G"))
    assert set(marks_for(STYLES[style](answer), grid_of(board))) == {Grade.RIGHT}


@pytest.mark.parametrize("prose", PROSE)
@pytest.mark.parametrize("style", CUT_STYLES)
@settings(max_examples=5)
@given(solved=solved_boards())
def test_an_answer_that_is_cut_short_is_unreadable(
    style: str, prose: str, solved: tuple[Marks, Marks]
) -> None:
    board, answer = solved
    if len(board) < 4 or len(board[0]) < 4:
        return
    found = marks_for(PROSE[prose].format(CUT_STYLES[style](answer)), grid_of(board))
    assert set(found) == {Grade.UNREADABLE}


def test_tables_of_pandas_are_read() -> None:
    pandas = pytest.importorskip("pandas")
    board, answer = ([row * 5 for row in rows_of(text)] for text in ("_ 1 _ _ _ _", "T 1 G G G G"))
    with pandas.option_context("display.max_columns", None, "display.width", 80):
        assert marks_for(str(pandas.DataFrame(answer)), grid_of(board)) == [Grade.RIGHT]
    with pandas.option_context("display.max_columns", 6, "display.width", 80):
        assert marks_for(str(pandas.DataFrame(answer)), grid_of(board)) == [Grade.UNREADABLE]
