"""Whoever gives a question something else than a grid is told what to call."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gemhunter
from gemhunter import InputError, advise, parse_grid, solve

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
def test_other_values_than_grids_are_refused_with_advice(name: str, given: object, advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        call(name, given)


def test_the_advice_works() -> None:
    grid = gemhunter.parse_grid(json.dumps(ROWS))
    assert grid == gemhunter.read_grid("sample:3x4")


def test_many_grids_are_all_looked_at() -> None:
    grids: Any = [gemhunter.parse_grid("_, 1, _"), "board.txt"]
    with pytest.raises(TypeError, match="read_grid"):
        gemhunter.probabilities_of_many(grids)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: parse_grid([[3, None]]), "json.dumps"),  # type: ignore[arg-type]
        (lambda: advise([[3, None]]), "expected a Grid, not list"),  # type: ignore[arg-type]
        (lambda: solve(parse_grid("_"), ["cdcl"]), "name of an engine"),  # type: ignore[arg-type]
    ],
)
def test_other_things_say_what_was_expected(ask: Callable[[], object], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        ask()


@pytest.mark.parametrize("name", ["pos.txt", "expert#42", "16x30n99#7:opening", "games/my.mine"])
def test_advice_about_a_name_says_how_to_read_it(name: str) -> None:
    with pytest.raises(InputError, match="is a name, not the text of a board"):
        advise(name)


def test_several_engines_in_one_name_are_separated() -> None:
    with pytest.raises(InputError, match="names several engines"):
        solve(parse_grid("_"), "cdcl,dpll")
