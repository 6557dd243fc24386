"""Columns of a table: wrapped where lines may end, and never cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter.cli.output import fitting_widths, pieces, wrap, wrapped_rows

TEXTS = st.text("ab1 ,;:/=_-.µ", max_size=40)


@given(TEXTS)
def test_pieces_are_the_whole_text(text: str) -> None:
    assert "".join(pieces(text)) == text


@given(TEXTS, st.integers(1, 30))
def test_wrapping_loses_nothing_but_blanks(text: str, width: int) -> None:
    assert "".join(wrap(text, width)).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("backtracking:most-constrained", 20, ["backtracking:most-", "constrained"]),
        ("cases/case_1/input_1.txt", 14, ["cases/case_1/", "input_1.txt"]),
        ("7.61 s (exceeded max attempts)", 16, ["7.61 s (exceeded", "max attempts)"]),
        ("after 2,000,000 attempts", 6, ["after", "2,000,000", "attempts"]),
        ("genetic:population=50,elite=2", 12, ["genetic:", "population=", "50,elite=2"]),
        ("", 5, [""]),
    ],
)
def test_lines_end_after_signs_and_blanks_and_numbers_keep_their_units(
    text: str, width: int, lines: list[str]
) -> None:
    assert wrap(text, width) == lines


def test_columns_that_fit_stay_as_wide_as_they_are() -> None:
    assert fitting_widths([["engine", "what it is"], ["cdcl", "learns clauses"]], 20) == [6, 14]


def test_the_widest_columns_give_way_first() -> None:
    rows = [["cdcl", "it learns a clause from every conflict"]]
    assert fitting_widths(rows, 20) == [4, 16]


def test_a_word_that_does_not_fit_is_not_cut() -> None:
    rows = [["x" * 30, "two words"]]
    assert wrapped_rows(rows, 10) == [["x" * 30, "two\nwords"]]
