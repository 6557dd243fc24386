"""The reader for whole boards and the one that goes cell by cell mean the same."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gemhunter.errors import BoardError
from gemhunter.files.dialects import Zero
from gemhunter.files.text import _read_at_once, _read_with_care, parse_grid

MARKS = ["0", "1", "7", "8", "9", "_", "?", ".", "-", "#", "T", "t", "G", "g", "*", "None", "none"]
SEPARATORS = [",", ", ", ";", " ", "  ", "\t", ""]
STRAY = "0189_-T*gN,,,; \t\nx\r８"


@st.composite
def board_texts(draw: st.DrawFn) -> str:
    """Texts of small boards, mostly in one dialect, with a few characters lost or added."""
    width = draw(st.integers(1, 4))
    usual = draw(st.sampled_from(SEPARATORS))
    ends = draw(st.sampled_from(["", "", ",", " ", ", "]))
    rows = []
    for _ in range(draw(st.integers(1, 4))):
        separator = draw(st.sampled_from([usual, usual, usual, *SEPARATORS]))
        cells = draw(st.lists(st.sampled_from(MARKS), min_size=width, max_size=width))
        rows.append(separator.join(cells) + ends)
    text = "\n".join(rows)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(text)))
        lost = draw(st.integers(0, 2))
        text = text[:place] + draw(st.sampled_from(["", *STRAY])) + text[place + lost :]
    return text


def with_care(body: str, zero: Zero) -> object:
    """The cells as nested lists, or the faults."""
    try:
        return _read_with_care(body, zero, first_line=1, size=None, source="board").tolist()
    except BoardError as error:
        return error.faults


@settings(max_examples=200)
@example(body="1,\n2", zero="clue")
@example(body="1 2\n3", zero="clue")
@example(body="1None\n2None", zero="clue")
@example(body="1,2,\n3,4", zero="clue")
@example(body="1,2,3\n4\n5,6", zero="clue")
@example(body=",1,2\n3,4", zero="clue")
@example(body="1,2\n,3,4", zero="clue")
@example(body="1,,2\n3,4", zero="clue")
@given(body=board_texts().map(str.rstrip).filter(bool), zero=st.sampled_from(["clue", "unknown"]))
def test_whenever_the_fast_reader_answers_the_careful_one_agrees(body: str, zero: Zero) -> None:
    codes = _read_at_once(body, zero)
    if codes is not None:
        assert codes.tolist() == with_care(body, zero)


@pytest.mark.parametrize(
    "body",
    ["3, _, 2\n_, T, G", "3;_;2\n_;T;G", "3 _ 2\n_ T G", "3\t_\t2\n_\tT\tG", "3_2\n_TG", "3,None,2,\n?,*,g,"],
)
def test_ordinary_boards_take_the_fast_road(body: str) -> None:
    codes = _read_at_once(body, "clue")
    assert codes is not None
    assert codes.tolist() == [[3, -1, 2], [-1, -2, -3]]


@pytest.mark.parametrize(
    "body",
    [
        "1,2\n3",
        "1,2,3\n4\n5,6",
        "123\n4\n56",
        "1 2\n34",
        "12 3\n1 23",
        ",1\n2,3",
        "1,,2\n3,4,5",
        "1,2\n,3,4",
        "1\n\n2",
        "1,x",
        "1,９",
        "1,10",
    ],
)
def test_the_fast_reader_leaves_whatever_is_unusual_to_the_other(body: str) -> None:
    assert _read_at_once(body, "clue") is None


@settings(max_examples=200)
@given(board_texts())
def test_reading_never_depends_on_which_reader_it_was(text: str) -> None:
    """A carriage return makes every board unusual, so the careful reader sees the same text again."""
    try:
        grid = parse_grid(text)
    except BoardError:
        return
    again = parse_grid(text.replace("None", "NONE").replace("\n", " \r\n"))
    assert np.array_equal(again.cells, grid.cells)
