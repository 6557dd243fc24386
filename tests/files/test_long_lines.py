"""A file that is one long line is read in linear time: twice the line, about twice the calls."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import pytest

from gemhunter import parse_formula, parse_grid
from gemhunter.cnf.dimacs import parse_output
from gemhunter.errors import InputError
from gemhunter.grading.sections import read_sections

LENGTH = 4_000
TWO_CELLS = parse_grid("_, _")

Reader = Callable[[str], object]


def read_answer(text: str) -> object:
    """The answers in a text about a board of two cells."""
    return read_sections(text, TWO_CELLS)


def read_dimacs(text: str) -> object:
    """The formula in a text."""
    return parse_formula(text.encode())


CASES: dict[str, tuple[Reader, Callable[[int], str]]] = {
    "cells with commas": (parse_grid, lambda size: "1, _, " * (size // 6) + "1"),
    "cells without": (parse_grid, lambda size: "1_" * (size // 2)),
    "a fault at the end": (parse_grid, lambda size: "1, _, " * (size // 6) + "x"),
    "nothing but faults": (parse_grid, lambda size: "x, " * (size // 3)),
    "blanks": (parse_grid, lambda size: "1" + " " * size + "_"),
    "JSON": (parse_grid, lambda size: json.dumps([[1, None] * (size // 10)])),
    "a long clause": (read_dimacs, lambda size: "p cnf 2 1\n" + "1 -2 " * (size // 5) + "0"),
    "clauses on a line": (read_dimacs, lambda size: f"p cnf 2 {size // 7}\n" + "1 -2 0 " * (size // 7)),
    "a model": (parse_output, lambda size: "s SATISFIABLE\nv " + "1 -2 " * (size // 5) + "0"),
    "an answer": (read_answer, lambda size: "T, G, " * (size // 6) + "T"),
    "an answer as a list": (read_answer, lambda size: "['T', " + "'G', " * (size // 5) + "'T']"),
    "prose": (read_answer, lambda size: "hello world " * (size // 12)),
}


def calls_of(read: Reader, text: str) -> int:
    """How many functions are called while a text is read, those of C included."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        with suppress(InputError):
            read(text)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("name", CASES)
def test_twice_the_line_takes_about_twice_the_calls(name: str) -> None:
    read, line = CASES[name]
    calls_of(read, line(60))  # what is imported or kept at the first time
    short, long = (calls_of(read, line(size)) for size in (LENGTH, 2 * LENGTH))
    assert long <= 2.2 * short + 100
