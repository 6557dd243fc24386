"""Files of games: `.mine`, `.mbf`, ids of the puzzle collection, and which of them a file is."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.board.position import (
    Action,
    Move,
    Position,
    Replay,
    bare_position,
    cleared_position,
    whole_position,
)
from gemhunter.errors import BoardError, InputError
from gemhunter.files.boards import READABLE, parse_game_file, read_board, read_game_file, write_board
from gemhunter.files.json_boards import replay_text
from gemhunter.files.minesweeper import (
    SgtGame,
    begun,
    mine_map,
    parse_mbf,
    parse_mine,
    parse_mines,
    parse_sgt,
    write_mbf,
    write_mine,
    write_sgt,
)
from gemhunter.files.text import parse_grid
from strategies import boards

TWO = Board(parse_mines("*..\n..*"))
PICTURE = "9x9:0,0,me0691ca8a278f3c371688"
"""A masked id as the puzzle collection wrote it, for a game with 35 mines."""

REPLAY = replay_text(Replay(TWO, (Move(Action.FLAG, Cell(0, 0)),))).encode()


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions that a game can have, with flags anywhere among the hidden cells."""
    board = draw(boards())
    shape = board.traps.shape
    looks, flags = (
        np.array(draw(st.lists(st.booleans(), min_size=board.traps.size, max_size=board.traps.size)))
        for _ in range(2)
    )
    codes = np.where(looks.reshape(shape), board.codes(), HIDDEN)
    return Position(Grid(codes), flags.reshape(shape) & (codes == HIDDEN), board.total)


@given(boards())
def test_every_format_gives_back_the_board_that_was_written(board: Board) -> None:
    assert parse_mbf(write_mbf(board)) == board
    assert parse_mine(write_mine(whole_position(board))).truth() == board
    assert np.array_equal(parse_mines(mine_map(board.traps)), board.traps)
    for masked in (False, True):
        assert parse_sgt(write_sgt(SgtGame(board), masked=masked)) == SgtGame(board)
        assert parse_sgt(write_sgt(begun(board), masked=masked)) == begun(board)


@given(positions())
def test_a_mine_text_gives_back_the_position_that_was_written(position: Position) -> None:
    assert parse_mine(write_mine(position)) == position


@given(positions())
def test_the_truth_of_a_position_fits_it(position: Position) -> None:
    board = position.truth()
    traps, hidden = np.count_nonzero(position.grid.cells == TRAP), position.grid.cells == HIDDEN
    open_cells = np.count_nonzero(hidden)
    assert (board is None) == (0 < (position.total or 0) - traps < open_cells)
    if board is not None:
        assert board.total == position.total
        assert np.array_equal(np.where(hidden, HIDDEN, board.codes()), position.grid.cells)


@pytest.mark.parametrize(
    "text",
    [
        "..*\n*..",
        ". . *\n* . .",
        "0,0,1\n1,0,0",
        "_;_;M\nx;_;_",
        "--T\nt--",
        "gGX\nXgG",
        "0\t0\t1\n1\t0\t0\n\n",
    ],
)
def test_every_way_to_write_a_mine_reads_the_same(text: str) -> None:
    assert parse_mines(text).tolist() == [[False, False, True], [True, False, False]]


def test_all_faults_of_a_mine_map_are_listed_with_their_places() -> None:
    with pytest.raises(BoardError) as caught:
        parse_mines("..2\n*.\n..!", source="m")
    expected = "expected `*`, `T`, `M`, `X` or `1` for a mine, `.`, `_`, `-`, `G` or `0` for none"
    assert str(caught.value).split("\n") == [
        f"m:1:3: {expected}, found '2'",
        "m:2:3: row of 2 cells; expected 3 cells as in the first row",
        f"m:3:3: {expected}, found '!'",
    ]


def test_an_empty_map_is_refused() -> None:
    with pytest.raises(BoardError, match="row of 0 cells; expected cells"):
        parse_mines("\n")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("3x2x2\nM21\n12M\n", "T, 2, 1\n1, 2, T"),
        ("\ufeff\n 3X2X2 \r\nm21\r\n12m", "T, 2, 1\n1, 2, T"),
        ("3×2 x 2\nM, 2, 1\n1 2 M\n\n\n", "T, 2, 1\n1, 2, T"),
        ("3x2x2\nHf1\n1;2;h", "_, _, 1\n1, 2, _"),
    ],
)
def test_mine_texts_are_read_as_people_write_them(text: str, rows: str) -> None:
    assert str(parse_mine(text).grid) == rows


def test_flags_are_hidden_cells_of_the_player() -> None:
    assert parse_mine("2x1x1\nHF").flags.tolist() == [[False, True]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "b:1:1: expected WIDTHxHEIGHTxMINES, such as 30x16x99, found ''"),
        ("\n3x2\nH", "b:2:1: expected WIDTHxHEIGHTxMINES, such as 30x16x99, found '3x2'"),
        ("2x1x1\nH9", "b:2:2: expected a clue 0-8, `H` hidden, `F` flag or `M` mine, found '9'"),
        ("2x1x1\nH", "b:2:2: row of 1 cell; expected 2, as the first line says"),
        ("1x2x1\nH", "b:1: the first line says 2 rows, but found 1"),
        ("2x1x3\nHH", "b:1:1: impossible: 3 mines in all; 0 are shown, and at most 2 cells can be mines"),
        ("2x1x0\nHM", "b:1:1: impossible: 0 mines in all; 1 is shown, and at most 2 cells can be mines"),
        ("0x1x0\n", "b:1:1: a board of 0 columns and 1 row; expected at least 1 of each"),
        ("999999999x999999999x1\nH", "b:1: the first line says 999,999,999 rows, but found 1"),
    ],
)
def test_a_bad_mine_text_is_refused_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_mine(text, source="b")
    assert str(caught.value).split("\n")[0] == complaint


def test_every_fault_of_a_mine_text_is_reported() -> None:
    with pytest.raises(BoardError) as caught:
        parse_mine("3x2x1\nHz1\nH\n")
    assert [fault.line for fault in caught.value.faults] == [2, 3]


def test_clues_that_the_shown_mines_contradict_are_refused() -> None:
    with pytest.raises(InputError, match="r1c2 says 2, but touches 1 trap"):
        parse_mine("2x1x1\nM2").truth()


def test_a_mine_text_has_clues_where_a_solved_board_has_gems() -> None:
    solved = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"
    assert write_mine(bare_position(parse_grid(solved))) == "4x3x4\n3M20\nMM20\nM310\n"


@pytest.mark.parametrize(
    ("grid", "total", "words"),
    [
        ("_, 1", None, "add --traps N"),
        ("_, G, _", 1, "no sign for r1c2"),
        ("T, T, _", 1, "impossible: 1 mine in all; 2 are shown"),
    ],
)
def test_what_a_mine_text_cannot_say_is_not_written(grid: str, total: int | None, words: str) -> None:
    with pytest.raises(InputError, match=words):
        write_mine(bare_position(parse_grid(grid), total))


def test_the_bytes_of_an_mbf_file_are_columns_before_rows() -> None:
    assert write_mbf(TWO) == bytes([3, 2, 0, 2, 0, 0, 2, 1])
    assert write_mbf(Board(np.ones((200, 255), bool)))[:4] == bytes([255, 200, 0xC7, 0x38])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x03\x02\x00", "3 bytes; an .mbf file has 4"),
        (b"\x00\x02\x00\x00", "a board of 0 columns and 2 rows"),
        (b"\x03\x02\x00\x07" + bytes(14), "7 mines do not fit on 3×2 cells"),
        (b"\x03\x02\x00\x01\x00", "5 bytes; expected 6 bytes, two for each of 1 mine"),
        (b"\x03\x02\x00\x01\x00\x00\x01\x00", "8 bytes; expected 6 bytes"),
        (b"\x03\x02\x00\x01\x03\x00", "mine 1 is at column 3, row 0, outside the board"),
        (b"\x03\x02\x00\x02\x01\x01\x01\x01", "mine 2, at column 1, row 1, is listed twice"),
    ],
)
def test_bad_bytes_are_refused(content: bytes, words: str) -> None:
    with pytest.raises(BoardError, match=words):
        parse_mbf(content)


def test_a_board_too_wide_for_a_byte_is_not_written() -> None:
    with pytest.raises(InputError, match="at most 255 rows and columns, this board is 1×256"):
        write_mbf(Board(np.zeros((1, 256), bool)))


def test_ids_have_cells_in_reading_order_and_the_most_significant_bit_first() -> None:
    assert write_sgt(SgtGame(TWO, Cell(1, 0))) == "3x2:0,1,u84"
    assert parse_sgt(" 3x2:0,1,U84\n") == SgtGame(TWO, Cell(1, 0))
    assert parse_sgt("3x2n2a:84") == SgtGame(TWO)
    assert parse_sgt("2:u8").board == Board(parse_mines("*.\n.."))


def test_masks_are_those_of_the_puzzle_collection() -> None:
    """The collection's own two examples: 28 bits, and 50 bytes of zeros, which take more than one digest."""
    assert write_sgt(parse_sgt("7x4:u1234567"), masked=True) == "7x4:m07fa650"
    first = "b202c07b990c01f6ff2d544707f60e506019b671fcb1d8b5a2"
    second = "10b0af913db85d37ca27f52a9f78bba3a80030db3d01d8df78"
    assert write_sgt(parse_sgt("20x20:u" + "0" * 100), masked=True) == f"20x20:m{first}{second}"


def test_a_masked_id_from_elsewhere_is_read() -> None:
    game = parse_sgt(PICTURE)
    assert (game.board.total, game.first) == (35, Cell(0, 0))
    assert write_sgt(game, masked=True) == PICTURE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0,0,u84", "the size is missing; write it before the rest, as in 9x9:0,0,u84"),
        ("9x9:r10,u,abcdef", "not dealt before its first click"),
        ("3x2:0,0,u8", "1 hexadecimal digits; expected 2 for 3×2 cells"),
        ("3x2:0,1,u85", "bits beyond the last cell"),
        ("3x2:0,2,u84", "r3c1, is outside the 2×3 board"),
        ("3x2:0,0,u84", "r1c1, is a mine"),
        ("3x2n3:u84", "the size says 3 mines, but the digits have 2"),
        ("0x2:u", "not a game id of the puzzle collection"),
        ("0x2:u0", "a board of 0 columns and 2 rows"),
        ("3x2:0,0,ux4", "expected WIDTHxHEIGHT"),
        ("999999999x999999999:u84", "2 hexadecimal digits; expected 249999999500000001"),
    ],
)
def test_bad_ids_are_refused(text: str, words: str) -> None:
    with pytest.raises(BoardError, match=words):
        parse_sgt(text)


def test_a_game_begins_at_an_opening_if_there_is_one() -> None:
    assert begun(Board(parse_mines("*....\n....."))).first == Cell(0, 2)
    assert begun(Board(parse_mines("*.*"))).first == Cell(0, 1)
    assert begun(Board(parse_mines("**"))).first is None


@pytest.mark.parametrize("name", ["b.mine", "b.mbf", "b.ABF", "b.sgt", "b.txt", "b"])
def test_a_board_is_read_from_the_file_it_was_written_to(tmp_path: Path, name: str) -> None:
    write_board(tmp_path / name, TWO)
    assert read_board(tmp_path / name) == TWO


def test_a_board_with_undecided_cells_is_refused_as_the_truth(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("_, 1, _", encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.txt: expected a board whose traps are all known"):
        read_board(tmp_path / "b.txt")


def test_a_json_mine_map_has_the_truth_whatever_it_shows(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text('{"mines": ["*..", "..*"], "shown": ["010", "000"]}', encoding="utf-8")
    file = read_game_file(tmp_path / "b.json")
    assert (file.board(), str(file.position.grid), file.position.total) == (TWO, "_, 2, _\n_, _, _", 2)


def test_clues_that_conflict_with_the_truth_are_reported_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("T, 2", encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.txt: these traps do not fit the clues: r1c2 says 2"):
        read_board(tmp_path / "b.txt")


def test_a_cleared_board_hides_its_traps_but_determines_them() -> None:
    assert str(cleared_position(TWO).grid) == "_, 2, 1\n1, 2, _"
    assert cleared_position(TWO).truth() == TWO


@pytest.mark.parametrize(
    ("flags", "words"), [([[True]], "the flags are"), ([[True, False]], "flags stand on hidden cells only")]
)
def test_flags_must_be_on_hidden_cells(flags: list[list[bool]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Position(parse_grid("1, _"), np.array(flags))


def test_the_total_must_fit_the_traps_that_are_shown() -> None:
    with pytest.raises(InputError, match="the grid shows more traps than the total of 1"):
        bare_position(parse_grid("T, T"), total=1).truth()
    with pytest.raises(InputError, match="the number of traps must be 2, the answer has 1"):
        bare_position(parse_grid("T, 1"), total=2).truth()


@given(
    st.sampled_from([None, *READABLE]),
    st.sampled_from([b"3x2x2\nM21\n12M", b"3x2:0,1,u84", b"3x2:m84", bytes([3, 2, 0, 1, 2, 1]), REPLAY]),
    st.lists(st.tuples(st.integers(0, 200), st.binary(max_size=2)), max_size=4),
)
def test_whatever_is_in_a_file_it_is_read_or_refused(
    form: str | None, content: bytes, edits: list[tuple[int, bytes]]
) -> None:
    for place, other in edits:
        content = content[: place % len(content) if content else 0] + other + content[place + 1 :]
    try:
        file = parse_game_file(content, form, "clue", source="file")
    except InputError as error:
        assert str(error).startswith("file")
    else:
        assert file.position.grid.cells.size > 0
