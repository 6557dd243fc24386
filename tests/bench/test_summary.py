"""What runs come to: medians, spread, words where there is no time, disagreements and ranks."""

import statistics
from math import exp, inf, log, prod, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gemhunter.bench.runs import Measurement, Verdict
from gemhunter.bench.summary import (
    Disagreement,
    EngineOnBoard,
    disagreements,
    rank_on_board,
    rank_overall,
    ratios_between,
    summarise,
)
from made_measurements import refuted, solved, stopped, timed, untimed

seconds = st.floats(1e-6, 1e3)


def entry(runs: list[Measurement]) -> EngineOnBoard:
    """The one entry of runs of one engine on one board."""
    (only,) = summarise(runs).entries.values()
    return only


def test_times_leave_out_reading() -> None:
    assert entry(solved("b", "cdcl", 0.25)).median == 0.25


@given(st.lists(seconds, min_size=2, max_size=9))
def test_median_and_spread_are_those_of_the_statistics_module(times: list[float]) -> None:
    of_runs = entry(solved("b", "cdcl", *times))
    spread = of_runs.spread
    assert spread is not None
    assert of_runs.median == pytest.approx(statistics.median(times))
    assert spread.mean.value == pytest.approx(statistics.fmean(times))
    assert (spread.shortest, spread.longest) == pytest.approx((min(times), max(times)))
    assert spread.deviation == pytest.approx(statistics.stdev(times), abs=1e-9)


def test_the_interval_of_the_mean_of_three_runs_is_student_s() -> None:
    spread = entry(solved("b", "cdcl", 1.0, 2.0, 3.0)).spread
    assert spread is not None
    assert spread.mean.high == pytest.approx(2 + 4.302653 / sqrt(3), abs=1e-5)


def test_the_interval_of_a_single_run_is_endless() -> None:
    spread = entry(solved("b", "cdcl", 1.0)).spread
    assert spread is not None
    assert (spread.mean.low, spread.mean.high, spread.deviation) == (-inf, inf, 0.0)


def test_stages_are_summarised_apart_in_their_order() -> None:
    stages = entry(solved("b", "cdcl", 1.0, 2.0, 4.0)).stages
    assert list(stages.items()) == [("read", 1.0), ("encode", 0.5), ("solve", 0.5), ("check", 1.0)]


def test_counters_are_medians_over_the_runs_that_have_them() -> None:
    runs = [
        *solved("b", "ga", 1.0, generations=10),
        *solved("b", "ga", 1.0, generations=40, restarts=2),
        *stopped("b", "ga", "10,000 generations", generations=10_000),
    ]
    assert entry(runs).counters == {"generations": 40, "restarts": 2}


def test_the_most_memory_of_all_runs_is_kept() -> None:
    base = solved("b", "cdcl", 1.0)[0]
    runs = [structs.replace(base, memory=size) for size in (5, 9, None)]
    assert entry(runs).memory == 9


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        (solved("b", "e", 1, 2, 3), ""),
        (refuted("b", "e", 1, 2, 3), "no solution"),
        (stopped("b", "e", *["time limit"] * 3), "time limit"),
        (stopped("b", "e", "attempt limit"), "attempt limit"),
        (stopped("b", "e", "memory"), "memory"),
        (stopped("b", "e", "stuck"), "stuck"),
        (stopped("b", "e", ""), "gave up"),
        ([untimed("b", "e", Verdict.CRASHED, "ended by SIGSEGV")], "crashed"),
        ([untimed("b", "e", Verdict.WRONG, "breaks clue r1c1")], "wrong answer"),
        ([*solved("b", "e", 1, 2), *stopped("b", "e", "time limit")], "2 of 3, time limit"),
        ([*refuted("b", "e", 1), *stopped("b", "e", "memory")], "no solution, 1 of 2, memory"),
        (stopped("b", "e", "memory", "time limit", "time limit"), "2 × time limit, 1 × memory"),
        ([*solved("b", "e", 1), *refuted("b", "e", 1)], "contradicts itself: 1 solved, 1 no solution"),
    ],
)
def test_limits_show_as_what_they_are(runs: list[Measurement], words: str) -> None:
    assert entry(runs).words == words


@given(st.lists(st.sampled_from(Verdict), min_size=1, max_size=6))
def test_no_solution_is_never_said_without_a_refutation(verdicts: list[Verdict]) -> None:
    runs = [timed("b", "e", 1.0, verdict) for verdict in verdicts]
    assert ("no solution" in entry(runs).words) == (Verdict.REFUTED in verdicts)


def test_verdicts_that_differ_are_listed() -> None:
    mixed = entry([*solved("b", "e", 1, 2), *stopped("b", "e", "time limit")])
    assert (mixed.verdict, mixed.verdicts) == (None, {Verdict.SOLVED: 2, Verdict.GAVE_UP: 1})
    assert entry(refuted("b", "e", 1, 2)).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("times", "stops", "median"),
    [([1.0, 3.0], 1, 3.0), ([1.0, 2.0, 4.0], 1, 3.0), ([1.0], 1, None), ([1.0], 2, None), ([], 3, None)],
)
def test_a_run_without_an_answer_counts_as_the_longest(
    times: list[float], stops: int, median: float | None
) -> None:
    runs = [*stopped("b", "e", *["time limit"] * stops), *solved("b", "e", *times)]
    assert entry(runs).median == median


def test_boards_and_engines_keep_the_order_that_is_asked_for() -> None:
    runs = [*solved("b2", "dpll", 1), *solved("b1", "cdcl", 1), *solved("b1", "auto", 1)]
    assert summarise(runs).boards == ("b2", "b1")
    ordered = summarise(runs, boards=["b0", "b1", "b2"], engines=["auto", "cdcl"])
    assert (ordered.boards, ordered.engines) == (("b0", "b1", "b2"), ("auto", "cdcl", "dpll"))
    assert ordered.of("b0", "auto") is None


def test_engines_that_disagree_are_named_with_their_board() -> None:
    runs = [*solved("b1", "cdcl", 1), *solved("b2", "cdcl", 1, 1), *refuted("b2", "dpll", 1)]
    assert disagreements(runs) == (Disagreement("b2", ("cdcl",), ("dpll",), ()),)
    assert disagreements(runs)[0].text == "b2: cdcl solved it; dpll says it has no solution"
    runs += refuted("b2", "tables", 1)
    assert disagreements(runs)[0].text == "b2: cdcl solved it; dpll, tables say it has no solution"


def test_wrong_answers_are_named_with_their_board() -> None:
    runs = [*solved("b1", "cdcl", 1), untimed("b1", "liar", Verdict.WRONG)]
    assert [each.text for each in disagreements(runs)] == ["b1: liar gave a wrong answer"]


def test_limits_and_crashes_disagree_with_no_engine() -> None:
    runs = [*refuted("b", "cdcl", 1), *stopped("b", "dpll", "stuck"), untimed("b", "x", Verdict.CRASHED)]
    assert disagreements(runs) == ()


def test_engines_on_a_board_are_ranked_by_ratio_to_the_fastest() -> None:
    runs = [*solved("b", "dpll", 4.0), *stopped("b", "ga", "time limit"), *refuted("b", "cdcl", 0.5)]
    ranks = [(rank.engine, rank.ratio) for rank in rank_on_board(summarise(runs), "b")]
    assert ranks == [("cdcl", 1.0), ("dpll", 8.0)]


def test_who_answers_more_boards_ranks_before_who_is_faster() -> None:
    runs = [
        *(solved("b1", "slow", 8.0) + solved("b2", "slow", 8.0)),
        *(solved("b1", "fast", 1.0) + stopped("b2", "fast", "time limit")),
    ]
    slow, fast = rank_overall(summarise(runs))
    assert (slow.engine, slow.answered, slow.fastest) == ("slow", 2, 1)
    assert (fast.answered, fast.fastest, fast.compared) == (1, 1, 1)
    assert fast.ratio is not None
    assert (fast.ratio.value, fast.ratio.low, fast.ratio.high) == pytest.approx((1 / 8, 0.0, inf))


def test_an_engine_without_any_time_has_no_ratio() -> None:
    runs = [*solved("b", "cdcl", 1.0), *stopped("b", "ga", "time limit")]
    last = rank_overall(summarise(runs))[-1]
    assert (last.engine, last.answered, last.ratio) == ("ga", 0, None)


@given(st.lists(st.tuples(seconds, seconds), min_size=2, max_size=8))
def test_overall_ratios_are_geometric_means_with_student_s_interval(times: list[tuple[float, float]]) -> None:
    runs = [
        run
        for board, (one, two) in enumerate(times)
        for run in (*solved(f"b{board}", "one", one), *solved(f"b{board}", "two", two))
    ]
    best, other = rank_overall(summarise(runs))
    ratios = list(ratios_between(summarise(runs), other.engine, best.engine).values())
    assert other.ratio is not None
    assert other.ratio.value == pytest.approx(prod(ratios) ** (1 / len(ratios)))
    assert other.ratio.value >= 1 - 1e-9
    logs = [log(ratio) for ratio in ratios]
    student = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624)[len(logs) - 2]
    margin = student * statistics.stdev(logs) / sqrt(len(logs))
    assert other.ratio.high == pytest.approx(exp(statistics.fmean(logs) + margin), rel=1e-4)


def test_a_clock_that_did_not_move_gives_no_endless_ratio() -> None:
    ranks = rank_on_board(summarise([*solved("b", "cdcl", 0.0), *solved("b", "dpll", 1e-6)]), "b")
    assert ranks[1].ratio == pytest.approx(1000)
