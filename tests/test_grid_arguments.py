"""Whoever gives a question something else than a grid is told what to call."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import gemhunter

ROWS = [[3, None, 2, None], [None, None, 2, None], [None, 3, 1, None]]


def asks_about_grids() -> list[str]:
    """The public functions whose first argument is a grid."""
    functions = {name: getattr(gemhunter, name) for name in gemhunter.__all__}
    signatures = {
        name: list(inspect.signature(function).parameters.values())
        for name, function in functions.items()
        if inspect.isfunction(function)
    }
    return [name for name, parameters in signatures.items() if parameters and parameters[0].name == "grid"]


def call(name: str, given: object) -> object:
    """Call a function with something in the place of the grid, and anything for what else it needs."""
    function: Any = getattr(gemhunter, name)
    needed = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
    return function(given, *([None] * (len(needed) - 1)))


def test_the_usual_questions_are_among_them() -> None:
    assert {"solve", "analyse", "count", "probabilities", "forced", "encode"} <= set(asks_about_grids())


@pytest.mark.parametrize("name", asks_about_grids())
@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ("board.txt", r"expected a Grid, not str; read the file with read_grid\('board.txt'\)"),
        (Path("board.txt"), r"read the file with read_grid\('board.txt'\)"),
        ("3, _\n_, 1", r"read a text with parse_grid\(text\)"),
        (ROWS, r"expected a Grid, not list; read rows of cells with parse_grid\(json.dumps\(rows\)\)"),
        (None, r"not NoneType; make one with read_grid\(path\), parse_grid\(text\) or Grid\(codes\)"),
    ],
    ids=["file name", "path", "text", "rows", "nothing"],
)
def test_what_is_no_grid_is_refused_with_advice(name: str, given: object, advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        call(name, given)


def test_the_advice_works() -> None:
    grid = gemhunter.parse_grid(json.dumps(ROWS))
    assert grid == gemhunter.read_grid("sample:3x4")


def test_many_grids_are_all_looked_at() -> None:
    grids: Any = [gemhunter.parse_grid("_, 1, _"), "board.txt"]
    with pytest.raises(TypeError, match="read_grid"):
        gemhunter.probabilities_of_many(grids)
