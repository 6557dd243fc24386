"""Boards copied from a screen, with blanks for opened cells: read where there is no doubt, else refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter import BoardError, new_game, parse_grid
from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.position import Status
from gemhunter.files.text import parse_position

CORNER = "  1##\n  1F#\n112##\n#####\n"
CORNER_GRID = "0, 0, 1, _, _\n0, 0, 1, _, _\n1, 1, 2, _, _\n_, _, _, _, _"
TWO_WIDE = "    1 # #\n    1 F #\n1 1 2 # #\n# # # # #\n"


@pytest.mark.parametrize("text", [CORNER, TWO_WIDE, CORNER.replace("#", "."), CORNER.replace("\n", "\r\n")])
def test_blanks_are_opened_cells_where_every_cell_takes_the_same_space(text: str) -> None:
    position = parse_position(text)
    assert str(position.grid) == CORNER_GRID
    assert [*zip(*position.flags.nonzero(), strict=True)] == [(1, 3)]


def test_a_total_and_a_size_can_stand_above_the_board() -> None:
    position = parse_position(f"# mines: 4\n4x5\n{CORNER}")
    assert (str(position.grid), position.total) == (CORNER_GRID, 4)


def test_blanks_at_the_ends_of_lines_of_one_length_are_cells() -> None:
    assert str(parse_grid("##1  \n##1  \n2211 \n##1  \n")).split("\n")[0] == "_, _, 1, 0, 0"


def test_a_row_of_blanks_is_a_row_of_the_board() -> None:
    assert str(parse_grid("###\n222\n   \n222\n###\n")) == "_, _, _\n2, 2, 2\n0, 0, 0\n2, 2, 2\n_, _, _"


def test_an_indented_board_has_no_opened_cells_at_the_left() -> None:
    assert str(parse_grid("    #1 1#\n    #1 1#\n")) == "_, 1, 0, 1, _\n_, 1, 0, 1, _"


@pytest.mark.parametrize(
    "text",
    [
        "  11 1#\n  11 1#\n  11 1#\n",  # indented, or two opened columns
        "#1 1\n#1\n#1 1\n",  # an opened column may have been cut off
        "\n1 111\n1 1##\n1 1##\n",  # so may a row above
        "1   1 #\n1   1 #\n",  # uneven space, or an opened column
    ],
)
def test_where_blanks_leave_a_doubt_the_error_says_how_to_write_it(text: str) -> None:
    with pytest.raises(BoardError, match="write 0 for an opened cell, or the size in a line above the board"):
        parse_grid(text)


def test_the_size_settles_what_was_in_doubt() -> None:
    assert str(parse_grid("2x7\n  11 1#\n  11 1#\n")).split("\n")[0] == "0, 0, 1, 1, 0, 1, _"
    assert str(parse_grid("3x5\n#1 1\n#1\n#1 1\n")) == "\n".join(
        ["_, 1, 0, 1, 0", "_, 1, 0, 0, 0", "_, 1, 0, 1, 0"]
    )


@pytest.mark.parametrize(
    "text",
    [
        CORNER.replace(" ", "."),
        "4x5\n. . 1 # #\n. . 1 F #\n1 1 2 # #\n# # # # #\n",
        '["..1##", "..1f#", "112##", "#####"]',
    ],
)
def test_dots_beside_number_signs_are_opened_cells(text: str) -> None:
    assert str(parse_grid(text)) == CORNER_GRID


@pytest.mark.parametrize("text", ["#.1\n##1\n", "#, ., 1\n#, #, 1\n", '{"grid": ["#.1", "##1"]}'])
def test_a_dot_that_touches_a_hidden_cell_is_refused(text: str) -> None:
    with pytest.raises(BoardError, match=r"write 0 for an opened cell, `_` for a hidden one") as refused:
        parse_grid(text)
    assert len(refused.value.faults) == 1


@pytest.mark.parametrize("text", ["..1\n..1", "._1\n..1", "##1\n##1"])
def test_without_number_signs_a_dot_is_a_hidden_cell(text: str) -> None:
    assert str(parse_grid(text)) == "_, _, 1\n_, _, 1"


def test_where_0_is_a_hidden_cell_so_is_every_dot() -> None:
    assert str(parse_grid("#.1\n0.1", "unknown")) == "_, _, 1\n_, _, 1"


def test_a_star_that_can_be_hidden_or_a_trap_is_refused() -> None:
    with pytest.raises(
        BoardError, match="`\\*` here can be a hidden cell or a trap; write `_` for a hidden cell"
    ):
        parse_grid("**1  1\n**1  1\n221  1\n")


@pytest.mark.parametrize(
    "text",
    [
        "1_1\n1_\n1_1",  # a cell is missing
        "_ 1 0\n_ 1",
        "# #\n 1#",  # a blank beside a hidden cell
        "1 2 1\n12",
        "1  1\n_x _",
    ],
)
def test_mistakes_stay_mistakes(text: str) -> None:
    with pytest.raises(BoardError, match="expected"):
        parse_grid(text)


@given(st.integers(0, 200), st.integers(0, 8), st.integers(0, 8), st.sampled_from([1, 2]))
def test_a_dump_of_a_game_is_read_as_its_position_or_refused(
    seed: int, row: int, col: int, pitch: int
) -> None:
    game = new_game(f"9x9n10#{seed}").reveal(Cell(row, col))
    if game.status is not Status.PLAYING:
        return
    signs = {HIDDEN: "#", 0: " "}
    lines = [
        (" " * (pitch - 1)).join(signs.get(code, str(code)) for code in codes)
        for codes in game.shown.tolist()
    ]
    text = "".join(f"{line}\n" for line in lines)
    assert str(parse_grid(f"9x9\n{text}")) == str(game.view.grid)
    try:
        assert str(parse_grid(text)) == str(game.view.grid)
    except BoardError as refused:
        assert "write 0 for an opened cell" in str(refused)
