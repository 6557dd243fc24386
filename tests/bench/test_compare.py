"""Two sets of measurements: paired ratios, their means with intervals, and what only one set has."""

from math import exp, inf, log, sqrt
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter.bench.summary import compare
from made_measurements import refuted, solved, stopped

positive = st.floats(1e-5, 1e3)


def test_each_engine_on_each_board_is_paired_with_itself() -> None:
    before = [*solved("b1", "cdcl", 1.0, 2.0, 9.0), *refuted("b1", "dpll", 4.0)]
    after = [*refuted("b1", "dpll", 2.0), *solved("b1", "cdcl", 3.0)]
    ratios = [(pair.board, pair.engine, pair.ratio) for pair in compare(before, after).pairs]
    assert ratios == [("b1", "cdcl", 1.5), ("b1", "dpll", 0.5)]


def test_a_pair_without_a_time_on_one_side_has_no_ratio_but_is_kept() -> None:
    found = compare(solved("b", "cdcl", 1.0), stopped("b", "cdcl", "time limit"))
    (pair,) = found.pairs
    assert (pair.ratio, pair.after.words) == (None, "time limit")
    assert [(each.boards, each.ratio) for each in found.engines] == [(0, None)]


def test_what_only_one_set_has_is_listed() -> None:
    before = [*solved("b1", "cdcl", 1), *solved("b1", "ga", 1), *solved("b2", "cdcl", 1)]
    found = compare(before, [*solved("b1", "cdcl", 1), *solved("b3", "cdcl", 1)])
    assert found.only_before == (("b1", "ga"), ("b2", "cdcl"))
    assert found.only_after == (("b3", "cdcl"),)
    assert len(found.pairs) == 1


def test_one_board_says_nothing_of_the_interval() -> None:
    (change,) = compare(solved("b", "cdcl", 1.0), solved("b", "cdcl", 2.0)).engines
    assert change.ratio is not None
    assert (change.ratio.value, change.ratio.low, change.ratio.high) == pytest.approx((2.0, 0.0, inf))


@given(st.tuples(*[st.tuples(positive, positive)] * 4))
def test_an_engine_s_change_is_the_geometric_mean_with_student_s_interval(
    times: tuple[tuple[float, float], ...],
) -> None:
    before = [run for board, (time, _) in enumerate(times) for run in solved(f"b{board}", "cdcl", time)]
    after = [run for board, (_, time) in enumerate(times) for run in solved(f"b{board}", "cdcl", time)]
    (change,) = compare(before, after).engines
    logs = [log(second / first) for first, second in times]
    margin = 3.182446 * stdev(logs) / sqrt(4)
    ratio = change.ratio
    assert ratio is not None
    assert change.boards == 4
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx(
        (exp(fmean(logs)), exp(fmean(logs) - margin), exp(fmean(logs) + margin)), rel=1e-5
    )


def test_swapping_the_sets_inverts_every_ratio() -> None:
    one = [*solved("b1", "cdcl", 1.0), *solved("b2", "cdcl", 3.0)]
    two = [*solved("b1", "cdcl", 2.0), *solved("b2", "cdcl", 4.0)]
    there, back = compare(one, two).engines[0].ratio, compare(two, one).engines[0].ratio
    assert there is not None
    assert back is not None
    assert there.value * back.value == pytest.approx(1.0)
    assert there.low * back.high == pytest.approx(1.0)
