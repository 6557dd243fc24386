"""A bad board is refused with all its faults: the line, the column, and what was expected."""

import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter.board.grid import Grid
from gemhunter.errors import BoardError, InputError
from gemhunter.files import boards as game_files
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_grid

EXPECTED = "expected `_`, a clue 0-8, `T` or `G`"


def faults(board: str | bytes) -> list[str]:
    """The message about a board, line by line."""
    with pytest.raises(BoardError) as caught:
        parse_grid(board, source="b")
    return str(caught.value).split("\n")


@pytest.mark.parametrize(
    ("board", "found"),
    [
        ("1, _, 2\n1, _\n_, 1, _", ["b:2:5: row of 2 cells; expected 3, as in most rows"]),
        ("1, _\n1, _, 2", ["b:2:8: row of 3 cells; expected 2, as in the first row"]),
        ("1, 2\n3, 4, 5", ["b:2:8: row of 3 cells; expected 2, as in the first row"]),
        ("1_2\n1_", ["b:2:3: row of 2 cells; expected 3, as in the first row"]),
        ("1 _ 2\n1 _ 2 3\n1 1 1", ["b:2:8: row of 4 cells; expected 3, as in most rows"]),
    ],
)
def test_a_ragged_row_is_named_with_the_width_it_should_have(board: str, found: list[str]) -> None:
    assert faults(board) == found


@pytest.mark.parametrize(
    ("board", "place", "token"),
    [
        ("1, _\n_, x", "2:4", "'x'"),
        ("1;_\n _ ;bomb", "2:5", "'bomb'"),
        ("1 _\n_ ??", "2:3", "'??'"),
        ("1_\n_!", "2:2", "'!'"),
        ("1, _\n-1, _", "2:1", "'-1'"),
        ("1.5, _", "1:1", "'1.5'"),
        ("_, T G", "1:4", "'T G'"),
        ("1, ²", "1:4", "'²'"),
    ],
)
def test_an_unknown_token_is_quoted_at_its_place(board: str, place: str, token: str) -> None:
    assert faults(board) == [f"b:{place}: {EXPECTED}, found {token}"]


@pytest.mark.parametrize(("board", "clue"), [("7, 10\n_, _", "10"), ("_ 12\n1 _", "12")])
def test_a_clue_above_nine_is_refused(board: str, clue: str) -> None:
    column = board.index(clue) + 1
    assert faults(board) == [f"b:1:{column}: a clue is at most 8, found '{clue}'"]


def test_a_long_token_is_cut_short() -> None:
    assert faults("1, " + "x" * 500) == [f"b:1:4: {EXPECTED}, found '{'x' * 20}…'"]


@pytest.mark.parametrize("board", ["", " ", "\n\n", " \t\r\n  \n", "\ufeff", b"", b"\xef\xbb\xbf"])
def test_an_empty_board_is_said_to_be_empty(board: str | bytes) -> None:
    assert faults(board) == ["b: empty; expected rows of cells such as `_, 2, T`"]


@pytest.mark.parametrize(
    "content",
    [
        *(b"\x7fELF\0\0\1", b"1, _\n_, \0", b"1, _, _\n_, _, _\n\0", bytes(range(256))),
        "\ufffdPNG\r\n\x1a\n\0\0\0\rIHDR",
    ],
)
def test_a_binary_file_is_said_to_be_one(content: bytes | str) -> None:
    assert faults(content) == ["b: a binary file; expected text with one row of cells per line"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [(b"1, _\n_, \xff", "b:2:4: not utf-8 text"), (b"\xff\xfe1\0,\0_", "b:1:7: not utf-16 text")],
)
def test_bytes_that_are_not_text_are_reported_with_their_place(content: bytes, fault: str) -> None:
    assert faults(content) == [fault]


@pytest.mark.parametrize(
    ("board", "fault"),
    [
        ("1, ３", "b:1:4: '３' (U+FF13) is not an ASCII digit; write 3"),
        ("1_\n_٢", "b:2:2: '٢' (U+0662) is not an ASCII digit; write 2"),
    ],
    ids=["full-width", "Arabic"],
)
def test_a_digit_of_another_script_is_named_with_the_one_to_write(board: str, fault: str) -> None:
    assert faults(board) == [fault]


def test_a_blank_line_inside_is_named() -> None:
    assert faults("1, _\n\n_, 1\n \t\n_, _") == [
        "b:2: blank line inside the board; expected a row of `_`, a clue 0-8, `T` or `G`",
        "b:4: blank line inside the board; expected a row of `_`, a clue 0-8, `T` or `G`",
    ]


@pytest.mark.parametrize(
    ("board", "column"), [(", 1, _\n_, 1, _", 1), ("1,, _\n_, 1, _", 3), ("1, ,_\n_, 1, _", 3)]
)
def test_an_empty_cell_is_named(board: str, column: int) -> None:
    assert faults(board) == [f"b:1:{column}: empty cell; {EXPECTED}"]


def test_a_header_with_another_size_is_contradicted() -> None:
    assert faults("3 4\n1, _, _, 1\n_, _, _, _") == ["b:1: the first line says 3 rows, but found 2"]
    assert faults("2 4\n1, _, _\n_, _, _") == [
        "b:2:8: row of 3 cells; expected 4, as the first line says",
        "b:3:8: row of 3 cells; expected 4, as the first line says",
    ]


def test_lines_count_from_the_header_and_the_blank_lines_above_it() -> None:
    assert faults("\n\n2 4\n1, _, _, _\n_, _, x, _") == [f"b:5:7: {EXPECTED}, found 'x'"]


def test_all_faults_are_listed_at_once_in_reading_order() -> None:
    assert faults("1, x, 99\n\n_, ７\n_, , _") == [
        f"b:1:4: {EXPECTED}, found 'x'",
        "b:1:7: a clue is at most 8, found '99'",
        "b:2: blank line inside the board; expected a row of `_`, a clue 0-8, `T` or `G`",
        "b:3:4: '７' (U+FF17) is not an ASCII digit; write 7",
        "b:3:5: row of 2 cells; expected 3, as in most rows",
        f"b:4:3: empty cell; {EXPECTED}",
    ]


def test_beyond_twenty_faults_the_rest_is_counted_and_kept_for_programs() -> None:
    with pytest.raises(BoardError) as caught:
        parse_grid("\n".join(["x, 1"] * 25), source="b")
    lines = str(caught.value).split("\n")
    assert (len(caught.value.faults), len(lines), lines[-1]) == (25, 21, "b: faults not shown: 5")


@pytest.mark.parametrize(
    "board",
    [
        pytest.param("x, 1\n" * 5000, id="many lines"),
        pytest.param("x, 1, " * 5000, id="one long line"),
        pytest.param("1, 2\n1, 2, 3\n" * 5000, id="ragged rows"),
    ],
)
def test_reading_stops_after_a_thousand_faults(board: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_grid(board)
    assert len(caught.value.faults) <= 1001


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "board.txt"
    with pytest.raises(InputError, match="no such file or directory") as caught:
        read_grid(missing)
    assert str(caught.value).startswith(f"{missing}: ")


def test_a_folder_is_not_a_board(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder; expected a file"):
        read_grid(tmp_path)


def test_faults_in_a_file_begin_with_its_name(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("1, _\n_, z\n", encoding="utf-8")
    with pytest.raises(BoardError) as caught:
        read_grid(board)
    assert str(caught.value) == f"{board}:2:4: {EXPECTED}, found 'z'"


def test_a_file_of_two_gigabytes_is_refused_by_its_size(tmp_path: Path) -> None:
    huge = tmp_path / "huge.txt"
    huge.touch()
    os.truncate(huge, 2 * 2**30)
    with pytest.raises(BoardError, match="too large to be a board; at most 256 MiB are read"):
        read_grid(huge)


def test_a_pipe_is_read_only_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_files, "FILE_BYTE_LIMIT", 2**20)
    endless = io.BytesIO(b"1" * (3 * 2**20))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(endless))
    with pytest.raises(BoardError, match="standard input: too large to be a board; at most 1 MiB are read"):
        read_grid("-")
    assert endless.tell() == 2**20 + 1


def test_a_board_comes_from_standard_input_for_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1,_\r\n")))
    assert str(read_grid("-")) == "1, _"


TEXTS = st.text(alphabet='0189_TG,; \t\n\r[]{}"nul\ufeff８x')
BYTES = st.binary()


@given(st.one_of(st.text(), TEXTS, BYTES, BYTES.map(lambda tail: b"\xff\xfe" + tail)))
def test_any_text_and_any_bytes_are_a_grid_or_a_board_error(content: str | bytes) -> None:
    try:
        assert isinstance(parse_grid(content), Grid)
    except BoardError as error:
        assert error.faults


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0\x10JFIF",
        b"GIF89a\x10\x10",
        b"RIFF\x10\x20\x30\x40WEBPVP8 ",
        b"\0\0\0\x18ftypheic",
        b'<?xml version="1.0"?>\n<!-- a board -->\n<svg viewBox="0 0 9 9">\n</svg>\n',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n</svg>\n',
    ],
)
def test_a_picture_is_refused_in_one_sentence(content: bytes | str) -> None:
    assert faults(content) == ["b: a picture; expected a board as text, such as `_, 2, T`"]
