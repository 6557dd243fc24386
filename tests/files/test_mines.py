"""Mine maps as text."""

import pytest

from gemhunter.errors import BoardError
from gemhunter.files.minesweeper import MAP_CELL_EXPECTED, parse_mines


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


def test_all_faults_are_listed_with_their_places() -> None:
    with pytest.raises(BoardError) as caught:
        parse_mines("..2\n*.\n..!", source="m")
    assert str(caught.value).split("\n") == [
        f"m:1:3: expected {MAP_CELL_EXPECTED}, found '2'",
        "m:2:3: row of 2 cells; expected 3 cells as in the first row",
        f"m:3:3: expected {MAP_CELL_EXPECTED}, found '!'",
    ]


def test_an_empty_map_is_refused() -> None:
    with pytest.raises(BoardError, match="row of 0 cells; expected cells"):
        parse_mines("\n")
