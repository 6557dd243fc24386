"""Boards as JSON: rows of cells, a grid under its key, or a mine map and what is shown of it."""

import json

import pytest
from hypothesis import given

from gemhunter.board.grid import Grid
from gemhunter.errors import BoardError
from gemhunter.files.json_boards import grid_rows
from gemhunter.files.text import parse_grid
from strategies import any_grids

CANONICAL = "3, _, 2\nT, G, 0"
SHAPES = '[row, …], {"grid": [row, …]} or {"mines": [row, …], "shown": [row, …]}'


def faults(text: str) -> list[str]:
    """The message about a text, line by line."""
    with pytest.raises(BoardError) as caught:
        parse_grid(text, source="b")
    return str(caught.value).split("\n")


@pytest.mark.parametrize(
    "text",
    [
        '[[3, null, 2], ["T", "G", 0]]',
        '[[3, "_", "2"], ["t", "g", "0"]]',
        '["3, _, 2", "T, G, 0"]',
        '["3_2", "TG0"]',
        '{"grid": ["3, _, 2", "T, G, 0"]}',
        '{"name": "sample", "grid": [[3, "?", 2], ["T", "G", 0]]}',
        '\ufeff {"grid": ["3, _, 2", "T, G, 0"]}',
        '\r\n [[3, null, 2],\r\n ["T", "G", 0]]\r\n',
    ],
)
def test_every_shape_of_json_reads_the_same(text: str) -> None:
    assert str(parse_grid(text)) == CANONICAL


@given(any_grids())
def test_our_own_json_reads_back_unchanged(grid: Grid) -> None:
    assert parse_grid(json.dumps({"grid": grid_rows(grid)})) == grid


def test_zero_can_be_unknown_in_json_too() -> None:
    assert str(parse_grid("[[0, 1], [2, 0]]", zero="unknown")) == "_, 1\n2, _"


@pytest.mark.parametrize(
    "text",
    [
        '{"mines": ["..*.", "*..."], "shown": ["*...", ".*.*"]}',
        '{"mines": [[0, 0, 1, 0], [1, 0, 0, 0]], "shown": [[1, 0, 0, 0], [0, 1, 0, 1]]}',
        '{"mines": [[false, false, true, null], [true, false, null, 0]], "shown": ["x _ _ _", "_ x _ x"]}',
    ],
)
def test_a_mine_map_becomes_the_position_that_is_shown(text: str) -> None:
    assert str(parse_grid(text)) == "1, _, _, _\n_, 2, _, 1"


def test_a_mine_map_alone_shows_every_safe_cell() -> None:
    assert str(parse_grid('{"mines": ["..*", "*.."]}')) == "1, 2, _\n_, 2, 1"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[[1, 2],\n [3, }", "b:2:6: bad JSON: expecting value"),
        ("[" * 100_000, "b: bad JSON: nested too deeply"),
        ("{}", f"b: expected {SHAPES}"),
        ('{"grid": "1, 2"}', f"b: expected {SHAPES}"),
        ('[["1"], 5]', "b: row 2 is neither a line of text nor a list of cells"),
        ("[[1, 2.5]]", "b: row 1 is neither a line of text nor a list of cells"),
        ("[[1, NaN]]", "b: row 1 is neither a line of text nor a list of cells"),
        ("[[1, [2]]]", "b: row 1 is neither a line of text nor a list of cells"),
        ('["1, 2\\n3, 4"]', "b: row 1 is neither a line of text nor a list of cells"),
        ("[]", f"b: expected {SHAPES}"),
        ("[[]]", "b: row 1 has 0 cells; expected 1, as in most rows"),
        ("[[1, 2], [3, 10]]", "b: row 2, cell 2: a clue is at most 8, found '10'"),
        ('[[1, ""]]', "b: row 1, cell 2: empty cell; expected `_`, a clue 0-8, `T` or `G`"),
        ("[[1, 2, 3], [3]]", "b: row 2 has 1 cell; expected 3, as in most rows"),
        ('{"mines": 3}', "b: `mines` must be a list of rows"),
        ('{"mines": ["*."], "shown": {}}', "b: `shown` must be a list of rows"),
        ('{"mines": ["*."], "shown": ["*", "."]}', "b: `mines` has the shape (1, 2), but `shown` (2, 1)"),
    ],
)
def test_bad_json_is_refused_with_its_place(text: str, fault: str) -> None:
    assert faults(text) == [fault]


@pytest.mark.parametrize("text", ['[[1, "2\\n3", 4]]', f"[[{'1' * 5000}]]"], ids=["lines", "digits"])
def test_a_cell_of_several_lines_or_too_many_digits_is_refused(text: str) -> None:
    assert faults(text)


def test_faults_in_a_mine_map_name_the_map() -> None:
    (fault,) = faults('{"mines": ["*.", ".?"]}')
    assert fault.startswith("b:mines:2:2: expected `*`, `T`, `M`, `X` or `1` for a mine")


def test_each_row_may_be_written_in_its_own_way() -> None:
    grid = parse_grid('{"grid": ["3, _, 2, _", [null, null, 2, null], "_31_"]}')
    assert str(grid) == "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"


def test_a_row_of_two_numbers_is_not_a_size() -> None:
    assert str(parse_grid('["3, 4", "_, _"]')) == "3, 4\n_, _"
