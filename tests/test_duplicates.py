"""Duplicate clauses are removed, each stays where it came first, whatever the fingerprints."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter.cnf import formula

Clause = tuple[int, ...]

ALIKE: list[Clause] = [(1487, 1861, 4001), (3548, 3578, 201677587)]
"""Two different clauses with one fingerprint, found by trying eight million pairs of first literals."""


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


def test_the_two_clauses_below_really_share_a_fingerprint() -> None:
    one, other = formula._fingerprints(np.array(ALIKE, np.int32))
    assert one == other


def test_clauses_with_one_fingerprint_are_told_apart() -> None:
    one, other = ALIKE
    assert once([one, other, one, other, one]) == [one, other]


def test_among_many_clauses_the_first_of_two_with_one_fingerprint_stays_in_its_place() -> None:
    one, other = ALIKE
    rest = [(number, number + 1, number + 2) for number in range(1, 50)]
    assert once([other, *rest, one, *rest, other, one]) == [other, *rest, one]


def test_even_if_all_fingerprints_were_one_the_result_would_be_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formula, "_fingerprints", lambda rows: np.zeros(len(rows), np.uint64))
    clauses = [*product((1, -1), (2, -2), (3, -3)), (1, 2), (2,), ()]
    assert once([*clauses, *reversed(clauses), *clauses]) == clauses


literal = st.integers(-4, 4).filter(bool)


@given(st.lists(st.lists(literal, max_size=3).map(lambda some: tuple(sorted(some, key=abs)))))
def test_what_is_left_is_what_a_dictionary_of_clauses_keeps(clauses: list[Clause]) -> None:
    assert once(clauses) == list(dict.fromkeys(clauses))
