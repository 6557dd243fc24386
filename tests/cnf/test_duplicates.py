"""Duplicate clauses are removed, each stays where it came first, whatever the fingerprints."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter.cnf import formula

Clause = tuple[int, ...]


def once(clauses: list[Clause]) -> list[Clause]:
    """The clauses that `without_duplicates` leaves."""
    literals = np.array([literal for clause in clauses for literal in clause], np.int32)
    left, starts = formula.without_duplicates(literals, np.cumsum([0, *map(len, clauses)]))
    return [tuple(left[start:end].tolist()) for start, end in pairwise(starts)]


def test_equal_clauses_apart_from_each_other_are_found() -> None:
    assert once([(1, 2), (3,), (-1, 2), (1, 2), (3,)]) == [(1, 2), (3,), (-1, 2)]


def test_of_several_empty_clauses_one_is_left() -> None:
    assert once([(), (1,), ()]) == [(), (1,)]


def test_no_clauses_stay_no_clauses() -> None:
    assert once([]) == []


def test_even_if_all_fingerprints_were_one_the_result_would_be_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        formula, "fingerprints", lambda literals, starts: np.zeros(starts.size - 1, np.uint64)
    )
    clauses = [*product((1, -1), (2, -2), (3, -3)), (1, 2), (2,), ()]
    assert once([*clauses, *reversed(clauses), *clauses]) == clauses


def test_no_number_that_repeats_is_overlooked() -> None:
    prints = np.array([7, 5, 7, 2**63, 9, 2**63], np.uint64)
    assert formula.may_repeat(prints).tolist() == [True, False, True, True, False, True]


def test_different_clauses_have_different_fingerprints() -> None:
    clauses = list(product(range(-9, 10), repeat=3))
    literals = np.array(sorted({tuple(sorted(clause)) for clause in clauses}), np.int32)
    prints = formula.fingerprints(literals.ravel(), np.arange(0, literals.size + 1, 3))
    assert np.unique(prints).size == len(literals)


literal = st.integers(-4, 4).filter(bool)


@given(st.lists(st.lists(literal, max_size=3).map(lambda some: tuple(sorted(some, key=abs)))))
def test_what_is_left_is_what_a_dictionary_of_clauses_keeps(clauses: list[Clause]) -> None:
    assert once(clauses) == list(dict.fromkeys(clauses))
