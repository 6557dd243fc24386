"""Confidence intervals, compared with published values and with all outcomes."""

from itertools import product
from math import comb, inf, sqrt

import numpy as np
import pytest

from gemhunter.work.confidence_intervals import (
    Interval,
    mean_of,
    paired_difference,
    share_of,
    student_quantile,
)


def ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def test_the_ends_of_a_share_are_where_the_score_is_just_not_rejected() -> None:
    share = share_of(8, 20)
    for end in ends(share):
        score = (share.value - end) / sqrt(end * (1 - end) / 20)
        assert abs(score) == pytest.approx(1.959964, abs=1e-6)


def test_nothing_won_says_something_about_the_upper_end_only() -> None:
    assert share_of(0, 10).low == 0.0
    assert share_of(0, 10).high == pytest.approx(1.959964**2 / (10 + 1.959964**2), abs=1e-6)
    assert share_of(10, 10).high == 1.0


def coverage_of_share(trials: int, truth: float) -> float:
    """How likely the interval holds the truth, summed over every number of successes."""
    return sum(
        comb(trials, successes) * truth**successes * (1 - truth) ** (trials - successes)
        for successes in range(trials + 1)
        if share_of(successes, trials).low <= truth <= share_of(successes, trials).high
    )


@pytest.mark.parametrize("trials", [10, 37, 100])
def test_intervals_of_shares_hold_the_truth_about_95_times_of_100(trials: int) -> None:
    coverage = [coverage_of_share(trials, truth) for truth in np.linspace(0.005, 0.995, 100)]
    assert np.mean(coverage) == pytest.approx(0.95, abs=0.01)
    assert min(coverage) > 0.82


def test_student_s_quantiles_are_those_of_the_printed_tables() -> None:
    printed = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 10: 2.228, 29: 2.045, 60: 2.000, 120: 1.980}
    assert {freedom: round(student_quantile(freedom), 3) for freedom in printed} == printed


def test_student_s_quantiles_fall_smoothly_where_the_way_to_find_them_changes() -> None:
    values = [student_quantile(freedom) for freedom in range(90, 112)]
    steps = -np.diff(values)
    assert (steps > 0).all()
    assert (np.diff(steps) < 0).all()


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(3.0, 0.9, 5.1).text(1), "3.0 ±2.1"),
        (Interval(5.0, -inf, inf).text(2), "5.00"),
        (Interval(0.5, 0.25, 0.75).text(0, percent=True), "50% ±25%"),
    ],
)
def test_people_read_a_value_and_its_margin(interval: str, text: str) -> None:
    assert interval == text


def test_a_mean_of_three_values_by_hand() -> None:
    """1, 2 and 6: mean 3, squares of deviations 14, standard error √(14 / 2 / 3)."""
    mean = mean_of(np.array([1, 2, 6]))
    assert mean.value == 3
    assert mean.margin == pytest.approx(4.302653 * sqrt(7 / 3), abs=1e-5)


def test_one_value_has_no_end() -> None:
    assert mean_of(np.array([4])) == Interval(4.0, -inf, inf)


def test_impossible_values_are_cut_off_but_no_end_stays_none() -> None:
    assert Interval(0.98, 0.9, 1.06).clipped(0, 1) == Interval(0.98, 0.9, 1)
    assert Interval(-0.01, -0.05, 0.03).clipped(0, 1) == Interval(0, 0, 0.03)
    assert Interval(0.5, -inf, inf).clipped(0, 1) == Interval(0.5, -inf, inf)


def test_a_paired_difference_by_hand() -> None:
    """12 and 4 of 98 become 13 % and 5 % of 100."""
    difference = paired_difference(12, 4, 98)
    margin = 1.959964 * sqrt((0.13 + 0.05 - 0.08**2) / 100)
    assert difference.value == 8 / 98
    assert ends(difference) == pytest.approx((0.08 - margin, 0.08 + margin), abs=1e-6)


def coverage_of_difference(pairs: int, first: float, second: float) -> float:
    """The probability that the interval contains the truth, summed over every outcome of `pairs` pairs."""
    truth, neither = first - second, 1 - first - second
    return sum(
        comb(pairs, a) * comb(pairs - a, b) * first**a * second**b * neither ** (pairs - a - b)
        for a, b in product(range(pairs + 1), repeat=2)
        if a + b <= pairs
        and paired_difference(a, b, pairs).low <= truth <= paired_difference(a, b, pairs).high
    )


@pytest.mark.parametrize(
    ("first", "second"), [(0.1, 0.1), (0.3, 0.2), (0.05, 0.25), (0.5, 0.1), (0.02, 0.01)]
)
def test_intervals_of_differences_hold_the_truth_about_95_times_of_100(first: float, second: float) -> None:
    assert coverage_of_difference(40, first, second) > 0.93


def test_a_difference_never_leaves_what_is_possible() -> None:
    assert ends(paired_difference(1, 0, 1))[1] <= 1
    assert ends(paired_difference(0, 1, 1))[0] >= -1


@pytest.mark.parametrize("wrong", [(3, 2), (-1, 2), (0, 0)])
def test_what_is_no_share_is_refused(wrong: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not a share"):
        share_of(*wrong)


def test_what_is_no_mean_and_no_pairs_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        mean_of(np.array([], np.int64))
    with pytest.raises(ValueError, match="not pairs"):
        paired_difference(2, 2, 3)
