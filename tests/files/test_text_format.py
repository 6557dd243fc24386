"""Boards as text: every way people write them reads the same, and we write them one way."""

import codecs
from pathlib import Path

import pytest
from hypothesis import assume, given

from gemhunter.board.grid import Grid
from gemhunter.errors import BoardError
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_grid
from strategies import any_grids

CANONICAL = "3, _, 2, T\n_, G, 2, _"


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("3,_,2,T\n_,G,2,_", id="commas"),
        pytest.param("3 , _ ,2,  T\n_,G , 2,_", id="commas with uneven blanks"),
        pytest.param("3;_;2;T\n_;G;2;_", id="semicolons"),
        pytest.param("3; _, 2; T\n_, G; 2, _", id="commas and semicolons"),
        pytest.param("3 _ 2 T\n_ G 2 _", id="blanks"),
        pytest.param("3  _ 2   T\n _ G  2 _", id="uneven blanks"),
        pytest.param("3\t_\t2\tT\n_\tG\t2\t_", id="tabs"),
        pytest.param("3,\t_,\t2,\tT\n_,\tG,\t2,\t_", id="commas and tabs"),
        pytest.param("3_2T\n_G2_", id="compact"),
        pytest.param("  3_2T\n  _G2_  ", id="compact, indented"),
        pytest.param("3, _, 2, t\n_, g, 2, _", id="lower case"),
        pytest.param("3, _, 2, *\n_, g, 2, _", id="star for a trap"),
        pytest.param("3, ?, 2, T\n?, G, 2, ?", id="question marks"),
        pytest.param("3, ., 2, T\n., G, 2, .", id="dots"),
        pytest.param("3, -, 2, T\n-, G, 2, -", id="dashes"),
        pytest.param("3, #, 2, T\n#, G, 2, #", id="hashes"),
        pytest.param("3, None, 2, T\nNone, G, 2, None", id="None"),
        pytest.param("3, none, 2, T\nNONE, G, 2, nOnE", id="none in any case"),
        pytest.param("3 None 2 T\nNone G 2 None", id="None between blanks"),
        pytest.param("3None2T\nnoneG2None", id="None in a compact row"),
        pytest.param("3, ?, 2, *\n#, g, 2, -", id="all at once"),
        pytest.param("3, _, 2, T,\n_, G, 2, _,", id="trailing commas"),
        pytest.param("3, _, 2, T, \n_, G, 2, _ ,\t", id="trailing commas and blanks"),
        pytest.param("3, _, 2, T,\n_, G, 2, _", id="a trailing comma in one row"),
        pytest.param("3, _, 2, T   \n_, G, 2, _\t", id="trailing blanks"),
        pytest.param("3, _, 2, T\n_, G, 2, _\n", id="line end at the end"),
        pytest.param("3, _, 2, T\n_, G, 2, _\n\n  \n\t\n", id="blank lines at the end"),
        pytest.param("\n \n3, _, 2, T\n_, G, 2, _", id="blank lines at the beginning"),
        pytest.param("3, _, 2, T\r\n_, G, 2, _\r\n", id="CRLF"),
        pytest.param("3_2T\r\n_G2_\r\n", id="CRLF, compact"),
        pytest.param("3, _, 2, T,\r\n_, G, 2, _,\r\n\r\n", id="CRLF, trailing commas and lines"),
        pytest.param("3, _, 2, T\r_, G, 2, _\r", id="CR alone"),
        pytest.param("\ufeff3, _, 2, T\n_, G, 2, _", id="BOM"),
        pytest.param("\ufeff3_2T\r\n_G2_\r\n", id="BOM, compact, CRLF"),
    ],
)
@pytest.mark.parametrize("encoded", [False, True], ids=["text", "bytes"])
def test_every_usual_dialect_reads_the_same(written: str, encoded: bool) -> None:
    assert str(parse_grid(written.encode() if encoded else written)) == CANONICAL


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF16_LE + CANONICAL.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + CANONICAL.replace("\n", "\r\n").encode("utf-16-be"),
        CANONICAL.encode("utf-16-le"),
        CANONICAL.replace("\n", "\r\n").encode("utf-16-be"),
    ],
    ids=["little endian", "big endian, CRLF", "little endian, no BOM", "big endian, CRLF, no BOM"],
)
def test_utf_16_is_understood_with_or_without_a_bom(content: bytes) -> None:
    assert str(parse_grid(content)) == CANONICAL


@pytest.mark.parametrize("separator", [", ", ";", " ", "\t", ""])
@pytest.mark.parametrize(
    "header", ["2 4", "2,4", "2, 4", "2;4", "2x4", "2 x 4", "2X4", "2×4", " 2\t4 ", "2 4,"]
)
def test_a_first_line_with_the_size_is_not_a_row(header: str, separator: str) -> None:
    body = CANONICAL.replace(", ", separator)
    assert str(parse_grid(f"{header}\n{body}\n")) == CANONICAL


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("3 2\n1,_\n_,1\n_,_", id="blank above comma"),
        pytest.param("3, 2\n1 _\n_ 1\n_ _", id="comma above blank"),
        pytest.param("3 2\n1_\n_1\n__", id="blank above compact"),
    ],
)
def test_a_size_with_other_separators_than_two_columns_below_is_not_a_row(written: str) -> None:
    assert str(parse_grid(written)) == "1, _\n_, 1\n_, _"


@pytest.mark.parametrize(("size", "rows"), [("12, 2", ["_, 1"] * 12), ("2 1", ["_", "1"])])
def test_a_size_that_can_be_no_row_is_a_size(size: str, rows: list[str]) -> None:
    assert str(parse_grid("\n".join([size, *rows]))) == "\n".join(rows)


@pytest.mark.parametrize(
    "board", ["3, 2\n_, 1\n_, _", "3, 2\n1, 1\n0, 0\n1, 1", "2, 2\n_, _\n_, _", "1, 2\n_, _", "8, 8\n8, 8"]
)
@pytest.mark.parametrize("separator", [", ", ";", ""])
def test_two_clues_above_rows_of_two_are_a_row(board: str, separator: str) -> None:
    assert str(parse_grid(board.replace(", ", separator))) == board


@pytest.mark.parametrize("separator", [" ", "\t"])
def test_where_two_numbers_with_a_blank_could_be_either_the_board_is_refused(separator: str) -> None:
    with pytest.raises(BoardError, match="could be the size or a row; write 2x2 or 2, 2"):
        parse_grid("2, 2\n_, _\n_, _".replace(", ", separator))


@pytest.mark.parametrize("row", ["1*3", "2*3"])
def test_a_trap_between_two_clues_is_not_a_size(row: str) -> None:
    assert str(parse_grid(f"{row}\n1_1")) == f"{row[0]}, T, 3\n1, _, 1"


@pytest.mark.parametrize("text", ["1, 2", "1\n_\nT"])
def test_a_single_row_or_column_is_a_board(text: str) -> None:
    assert str(parse_grid(text.replace(",", ""))) == text


@pytest.mark.parametrize("style", ["{}", "{}\n", "\n{}\n\n"])
@given(grid=any_grids(rows=4, cols=4))
def test_what_is_written_reads_back_unchanged(style: str, grid: Grid) -> None:
    assert parse_grid(style.format(grid)) == grid


@pytest.mark.parametrize("separator", [",", ";", " ", "\t", ""])
@given(grid=any_grids(rows=4, cols=3))
def test_any_separator_reads_back_unchanged(separator: str, grid: Grid) -> None:
    could_be_size = grid.cells[0].tolist() == [grid.rows - 1, 2]
    assume(not (separator.isspace() and could_be_size))
    assert parse_grid(str(grid).replace(", ", separator)) == grid


@pytest.mark.parametrize("text", ["0,1,0", "0 1 0", "010", "0, 1, 0\r"])
def test_zero_is_a_clue_unless_it_is_read_as_unknown(text: str) -> None:
    assert str(parse_grid(text)) == "0, 1, 0"
    assert str(parse_grid(text, zero="unknown")) == "_, 1, _"


def test_zero_is_unknown_for_the_careful_reader_too() -> None:
    assert str(parse_grid("0, NONE, 2\n_, 1, 0", zero="unknown")) == "_, _, 2\n_, 1, _"


def test_zero_has_two_meanings_only() -> None:
    with pytest.raises(ValueError, match="'clue' or 'unknown', not 'gem'"):
        parse_grid("0", zero="gem")  # type: ignore[arg-type]


def test_a_file_reads_like_its_text(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_bytes(b"\xef\xbb\xbf3 0\r\n_ 1\r\n")
    assert str(read_grid(board, zero="unknown")) == "3, _\n_, 1"


def test_a_board_is_read_whole_whatever_its_length() -> None:
    assert parse_grid("\n".join(["1,_,T"] * 5000)).cells.shape == (5000, 3)
