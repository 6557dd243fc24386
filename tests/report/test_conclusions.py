"""What the conclusions of a report say, and that they say less where there is less to say."""

from pathlib import Path

import pytest

from gemhunter.bench.ledger import BoardFacts
from gemhunter.bench.summary import Summary, summarise
from gemhunter.report.sections.results import (
    choice_sentence,
    ease_sentence,
    growth_sentences,
    limit_sentences,
    reference_of,
    reference_sentences,
    same_size_sentences,
    sizes_of,
    times_table,
)
from made_measurements import solved, stopped
from made_report import SAMPLE, made_findings


def facts(name: str, rows: int, cols: int, unknown: int, clauses: int) -> BoardFacts:
    return BoardFacts(name, rows, cols, unknown, rows * cols - unknown, None, "", "", clauses)


SIZES = [
    facts("small", 3, 4, 7, 27),
    facts("middle", 9, 9, 40, 300),
    facts("large", 20, 20, 220, 2700),
]


def times(**engines: tuple[float, float, float]) -> Summary:
    """Three runs of each engine on each board, around these medians."""
    return summarise(
        [
            run
            for engine, medians in engines.items()
            for size, seconds in zip(SIZES, medians, strict=True)
            for run in solved(size.name, engine, 0.9 * seconds, seconds, 1.1 * seconds)
        ]
    )


def test_sizes_are_those_of_the_boards_as_formulas(tmp_path: Path) -> None:
    boards = {"row": "_, 1, _", "sample": SAMPLE}
    (part,) = made_findings(tmp_path, boards=boards).plan.parts
    sizes = sizes_of(part)
    assert [(size.name, size.unknown, size.clauses) for size in sizes] == [("row", 2, 2), ("sample", 7, 27)]


def test_the_reference_is_a_solver_of_pysat_that_has_a_time() -> None:
    assert reference_of(times(cdcl=(1, 1, 1), pysat=(1, 1, 1))) == "pysat"
    assert reference_of(summarise([*solved("a", "dpll", 1), *stopped("a", "pysat", "time limit")])) is None


def test_every_engine_is_compared_with_the_sat_solver_and_slow_ones_have_a_reason() -> None:
    summary = times(pysat=(1, 1, 1), dpll=(2, 4, 8), cdcl=(0.5, 0.5, 0.5))
    slow, fast = reference_sentences(summary, "pysat")
    assert slow.startswith(
        "`dpll` takes 2.00 to 8.00 times as long as `pysat` on `small`, `middle` and `large`: it "
    )
    assert fast == "`cdcl` takes 0.500 times as long as `pysat` on `small`, `middle` and `large`."


def test_engines_whose_runs_overlap_are_not_told_apart() -> None:
    (sentence,) = reference_sentences(times(pysat=(1, 1, 1), dpll=(1.1, 1.05, 0.95)), "pysat")
    assert sentence == "The times of `dpll` and `pysat` overlap; the runs do not show which is faster."


def test_over_five_boards_the_ratio_has_an_interval() -> None:
    runs = [run for board in "abcde" for run in (*solved(board, "pysat", 1.0), *solved(board, "dpll", 3.0))]
    (sentence,) = reference_sentences(summarise(runs), "pysat")
    assert sentence.startswith(
        "`dpll` takes 3.00 times as long as `pysat` over 5 boards (95 % interval 3.00 to 3.00)"
    )


@pytest.mark.parametrize(
    ("medians", "how"),
    [
        ((1, 1.1, 1.2), "hardly grows"),
        ((1, 3, 10), "grows more slowly than the number of clauses"),
        ((1, 10, 100), "grows about as fast as the number of clauses"),
        ((1, 100, 10000), "grows faster than the number of clauses, with an exponent of about 2.0"),
    ],
)
def test_growth_is_held_against_that_of_the_clauses(medians: tuple[float, float, float], how: str) -> None:
    (sentence,) = growth_sentences(times(dpll=medians), SIZES)
    assert sentence.startswith(
        f"The time of `dpll` {how}: from 27 clauses (`small`) to 2,700 (`large`), 100 times"
    )


def test_two_boards_or_boards_of_like_size_show_no_growth() -> None:
    two = summarise([*solved("small", "dpll", 1.0), *solved("large", "dpll", 9.0)])
    assert list(growth_sentences(two, SIZES)) == []
    alike = [facts(size.name, 9, 9, 40, clauses) for size, clauses in zip(SIZES, (20, 30, 60), strict=True)]
    assert list(growth_sentences(times(dpll=(1, 2, 3)), alike)) == []


def test_limits_are_said_with_what_they_mean() -> None:
    runs = [
        *stopped("middle", "brute-force", "attempt limit"),
        *stopped("large", "brute-force", "attempt limit"),
        *stopped("large", "backtracking", "time limit"),
    ]
    attempts, time = limit_sentences(summarise(runs), SIZES)
    assert attempts == (
        "`brute-force` has no answer on `middle` and `large` (attempt limit); with 220 unknown cells there "
        "are up to 2^220 assignments."
    )
    assert time.startswith("`backtracking` has no answer on `large` (time limit); how long it would take")


def test_boards_of_one_size_differ_by_the_steps_they_take() -> None:
    sizes = [facts("a", 9, 9, 40, 300), facts("b", 9, 9, 41, 310)]
    summary = summarise([*solved("a", "dpll", 1.0, conflicts=3), *solved("b", "dpll", 30.0, conflicts=200)])
    assert list(same_size_sentences(summary, sizes)) == [
        (
            "`a` and `b` are both 9×9, but `dpll` takes 30.0 times as long on the second: "
            "200 conflicts instead of 3."
        )
    ]
    uncounted = summarise([*solved("a", "dpll", 1.0), *solved("b", "dpll", 30.0)])
    assert list(same_size_sentences(uncounted, sizes)) == []


def test_a_table_has_times_and_steps() -> None:
    counted = solved("small", "cdcl", 0.002, decisions=26, conflicts=1, propagations=9)
    summary = summarise([*counted, *stopped("large", "cdcl", "time limit")])
    assert times_table(summary, SIZES).rows == (
        ("small", "3×4", "2.00 ms; 26 decisions, 1 conflict"),
        ("middle", "9×9", ""),
        ("large", "20×20", "time limit"),
    )


def test_boards_without_conflicts_are_said_to_be_easy() -> None:
    easy = ease_sentence(summarise(solved("small", "pysat", 0.002, conflicts=0)), "pysat")
    assert easy is not None
    assert easy.startswith("On these boards `pysat` meets no conflicts")
    assert ease_sentence(summarise(solved("small", "pysat", 0.002, conflicts=900)), "pysat") is None
    assert ease_sentence(summarise(solved("small", "pysat", 0.002)), "pysat") is None


def test_the_choice_goes_by_size() -> None:
    summary = times(backtracking=(1, 5, 90), pysat=(2, 4, 8))
    assert choice_sentence(summary, SIZES) == (
        "The shortest medians, from the smallest board to the largest, are those of `backtracking` (3×4) "
        "and `pysat` (9×9 to 20×20)."
    )
    assert choice_sentence(summarise(stopped("small", "dpll", "time limit")), SIZES).startswith(
        "No engine has a time"
    )
