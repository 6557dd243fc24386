"""Clauses of a board: as many as SPEC.md says, those of the plain encoder, and exactly the right models."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.cnf.encode import Numbering, encode
from gemhunter.cnf.encodings import ENCODINGS
from gemhunter.errors import TooLargeError, UnknownNameError
from gemhunter.files.text import parse_grid
from strategies import Planted, small_boards

NUMBERINGS: list[Numbering] = ["hidden", "all"]
SAMPLE = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"


@pytest.mark.parametrize(
    ("board", "clauses"),
    [
        ("010/201/020", 20),
        ("0020/2020/0300/0001", 81),
        ("00000/20302/03030/20302/00000", 114),
        ("01000/01060/00000/11100/00000", 144),
        ("102000/000000/103000/000220/020000/021000", 197),
    ],
)
def test_the_five_boards_of_s4_have_as_many_clauses_as_there(board: str, clauses: int) -> None:
    grid = parse_grid(board.replace("/", "\n"), zero="unknown")
    assert encode(grid, variables="all", keep_duplicates=True).size == clauses


def test_a_clue_becomes_u_and_l_over_hidden_cells_in_reading_order() -> None:
    assert encode(parse_grid("_, 1, _\nG, _, T")).clauses() == [[-1], [-2], [-3]]
    assert encode(parse_grid("_, 1, _\nG, _, G")).clauses() == [[-1, -2], [-1, -3], [-2, -3], [1, 2, 3]]


def test_with_all_cells_numbered_what_is_shown_comes_first_as_units() -> None:
    cnf = encode(parse_grid("_, 2\nT, G\n_, _"), variables="all")
    assert cnf.clauses() == [[-2], [3], [-4], [1]]


@pytest.mark.parametrize("variables", NUMBERINGS)
@given(planted=small_boards())
def test_the_clauses_are_those_of_the_plain_encoder(variables: Numbering, planted: Planted) -> None:
    kept = encode(planted.grid, variables=variables, keep_duplicates=True).clauses()
    plain = oracles.binomial_clauses(planted.grid, variables)
    assert Counter(map(frozenset, kept)) == Counter(map(frozenset, plain))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("variables", NUMBERINGS)
@settings(max_examples=10)
@given(planted=small_boards())
def test_the_models_are_the_solutions(encoding: str, variables: Numbering, planted: Planted) -> None:
    """Totals, known traps and gems, impossible clues and boards without clues are among the examples."""
    marks = oracles.marks_of(planted.grid)
    numbered = oracles.places(marks) if variables == "all" else oracles.hidden_places(marks)
    cells = [numbered.index(place) + 1 for place in oracles.hidden_places(marks)]
    cnf = encode(planted.grid, encoding, variables, total=planted.traps)
    models = oracles.projected_models(cnf.clauses(), cells)
    assert models == oracles.all_solutions(planted.grid, planted.traps)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_total_over_more_cells_than_can_be_combined_is_still_exact(encoding: str) -> None:
    """Thirteen cells: here encodings that list combinations hand over to a totalizer."""
    cnf = encode(parse_grid("_" * 13), encoding, total=3)
    triples = combinations(range(13), 3)
    expected = {tuple(cell in triple for cell in range(13)) for triple in triples}
    assert oracles.projected_models(cnf.clauses(), range(1, 14)) == expected


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_total_over_many_cells_lists_no_combinations(encoding: str) -> None:
    assert encode(parse_grid("_" * 20), encoding, total=10).size < 10_000


@given(encoding=st.sampled_from(sorted(ENCODINGS)), planted=small_boards())
def test_without_duplicates_every_clause_stands_where_it_came_first(encoding: str, planted: Planted) -> None:
    kept = encode(planted.grid, encoding, total=planted.traps, keep_duplicates=True).clauses()
    once = encode(planted.grid, encoding, total=planted.traps).clauses()
    assert list(map(tuple, once)) == list(dict.fromkeys(map(tuple, kept)))


def test_duplicates_are_kept_only_on_request() -> None:
    grid = parse_grid("1, _, 1")
    assert (encode(grid).clauses(), encode(grid, keep_duplicates=True).clauses()) == ([[1]], [[1], [1]])


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("board", ["2, _", "0, T", "1, G", "8, _, _\n_, _, _"])
def test_an_impossible_clue_gives_the_empty_clause(encoding: str, board: str) -> None:
    assert [] in encode(parse_grid(board), encoding).clauses()


def test_an_impossible_total_gives_the_empty_clause() -> None:
    assert encode(parse_grid("_, _"), total=3).clauses() == [[]]


def test_a_board_without_clues_has_no_clauses() -> None:
    cnf = encode(parse_grid("_, _, T\nG, _, _"))
    assert (cnf.size, cnf.variables) == (0, 4)


def test_a_board_without_hidden_cells_has_no_variables() -> None:
    cnf = encode(parse_grid("1, T\nG, 1"))
    assert (cnf.size, cnf.variables) == (0, 0)


@pytest.mark.parametrize(
    ("variables", "cells"),
    [("hidden", [Cell(0, 1), Cell(0, 3), Cell(1, 0)]), ("all", [Cell(0, 0), Cell(0, 1), Cell(0, 2)])],
)
def test_each_variable_knows_its_cell(variables: Numbering, cells: list[Cell]) -> None:
    cnf = encode(parse_grid(SAMPLE), variables=variables)
    assert [cnf.cell(variable) for variable in (1, 2, 3)] == cells


def test_auxiliary_variables_come_last_and_have_no_cell() -> None:
    cnf = encode(parse_grid(SAMPLE), "seqcounter")
    cells = [cnf.cell(variable) for variable in range(1, cnf.variables + 1)]
    assert cells[:7] == list(parse_grid(SAMPLE).where(HIDDEN))
    assert set(cells[7:]) == {None}


@given(encoding=st.sampled_from(sorted(ENCODINGS)), planted=small_boards())
def test_no_literal_is_beyond_the_variables(encoding: str, planted: Planted) -> None:
    cnf = encode(planted.grid, encoding, total=planted.traps)
    assert int(np.abs(cnf.literals).max(initial=0)) <= cnf.variables


@pytest.mark.parametrize(
    ("encoding", "shape", "traps"),
    [("binomial", (150, 151), 5), ("seqcounter", (100, 110), 1000), ("totalizer", (100, 110), 1000)],
)
def test_a_total_that_would_not_fit_into_memory_is_refused(
    encoding: str, shape: tuple[int, int], traps: int
) -> None:
    with pytest.raises(TooLargeError, match=rf"{traps:,} traps among {shape[0] * shape[1]:,} cells"):
        encode(Grid(np.full(shape, HIDDEN)), encoding, total=traps)


def test_a_total_of_all_or_nothing_fits_whatever_the_size() -> None:
    assert encode(Grid(np.full((150, 151), HIDDEN)), total=0).size == 150 * 151


def test_an_unknown_encoding_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"no encoding named 'totaliser'; did you mean 'totalizer'"):
        encode(parse_grid(SAMPLE), "totaliser")


def test_an_unknown_encoding_is_refused_even_without_clues() -> None:
    with pytest.raises(UnknownNameError):
        encode(parse_grid("_, _"), "totaliser")


def test_an_unknown_numbering_is_refused() -> None:
    with pytest.raises(ValueError, match="'hidden', 'all' or 'places', not 'some'"):
        encode(parse_grid(SAMPLE), variables="some")  # type: ignore[arg-type]


@given(st.integers(0, 8), st.integers(0, 8))
def test_a_single_clue_has_as_many_clauses_as_binomial_coefficients_say(cells: int, clue: int) -> None:
    around = ["_"] * cells + ["G"] * (8 - cells)
    board = ", ".join(around[:3]) + f"\n{around[3]}, {clue}, {around[4]}\n" + ", ".join(around[5:])
    clauses = encode(parse_grid(board)).clauses()
    assert oracles.as_set(clauses) == oracles.as_set(oracles.exactly(range(1, cells + 1), clue))


def test_a_formula_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        encode(parse_grid("_, 1, _")).literals[0] = 7
