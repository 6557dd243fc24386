"""Tables of measurements: what stands in their cells, and in which formats they can be read again."""

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gemhunter.bench.ledger import BoardFacts
from gemhunter.bench.summary import compare, summarise
from gemhunter.bench.tables import (
    Average,
    TableLook,
    change_table,
    count_text,
    paired_records,
    paired_table,
    ranking_table,
    ratio_text,
    summary_records,
    summary_table,
    unpaired_table,
    write_json,
)
from gemhunter.files.text_tables import TextTable, write_csv, write_latex, write_markdown
from made_measurements import refuted, solved, stopped

RUNS = [
    *solved("3×4", "cdcl", 0.001, 0.002, 0.006, conflicts=4),
    *solved("3×4", "brute", 0.5, 0.25, attempts=1200),
    *stopped("3×4", "brute", "time limit", attempts=2_000_000),
    *refuted("5×5", "cdcl", 0.125),
    *stopped("5×5", "brute", "attempt limit", attempts=2_000_000),
    *solved("66×66", "cdcl", 12.0),
]
SUMMARY = summarise(RUNS)

tables = st.lists(
    st.tuples(*[st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]) | st.just(" "))] * 3),
    min_size=2,
    max_size=4,
).map(lambda rows: TextTable(rows[0], tuple(rows[1:])))


def test_boards_are_rows_and_engines_columns_with_times_or_reasons() -> None:
    assert summary_table(SUMMARY) == TextTable(
        ("board", "cdcl", "brute"),
        (
            ("3×4", "2.00 ms", "500 ms (2 of 3, time limit)"),
            ("5×5", "125 ms (no solution)", "attempt limit"),
            ("66×66", "12.0 s", ""),
        ),
    )


def test_files_have_seconds_with_six_decimals() -> None:
    table = summary_table(SUMMARY, TableLook(in_file=True))
    assert table.headings == ("board", "cdcl (s)", "brute (s)")
    assert table.rows[0][1:] == ("0.002000", "0.500000 (2 of 3, time limit)")


def test_means_are_shown_on_request() -> None:
    table = summary_table(SUMMARY, TableLook(Average.MEAN, in_file=True))
    assert table.rows[0][1:] == ("0.003000", "0.375000 (2 of 3, time limit)")


def test_the_spread_of_a_median_is_the_shortest_and_the_longest_run() -> None:
    cells = [row[1] for row in summary_table(SUMMARY, TableLook(spread=True)).rows]
    assert cells == ["2.00 ms [1.00 ms to 6.00 ms]", "125 ms (no solution)", "12.0 s"]


def test_the_spread_of_a_mean_is_its_interval() -> None:
    runs = solved("b", "cdcl", 1.0, 2.0, 3.0)
    (row,) = summary_table(summarise(runs), TableLook(Average.MEAN, spread=True)).rows
    assert row[1] == "2.00 s ±2.48 s"


def test_counters_stand_beside_seconds_for_the_engines_that_have_them() -> None:
    table = summary_table(SUMMARY, TableLook(counters=("conflicts", "attempts")))
    assert table.headings[3:] == ("cdcl conflicts", "brute attempts")
    assert [row[3:] for row in table.rows] == [("4", "1,200"), ("", "2,000,000"), ("", "")]


def test_further_columns_say_more_about_boards() -> None:
    table = summary_table(SUMMARY, TableLook(columns={"from": {"3×4": "S3", "5×5": "our own"}}))
    assert table.headings[:2] == ("board", "from")
    assert [row[1] for row in table.rows] == ["S3", "our own", ""]


def test_long_names_and_reasons_are_never_cut() -> None:
    name, reason = "board " + "x" * 300, "reason " + "y" * 300
    table = summary_table(summarise(stopped(name, "e" * 200, reason)))
    for text in (write_csv(table), write_markdown(table), write_latex(table)):
        assert all(part in text for part in (name, reason, "e" * 200))


def test_the_ranking_names_the_best_engine_and_how_many_times_its_time_others_take() -> None:
    runs = [
        run
        for board, slow in (("b1", 4.0), ("b2", 4.0), ("b3", 1.0), ("b4", 4.0), ("b5", 4.0))
        for run in (*solved(board, "cdcl", 0.5), *solved(board, "dpll", slow))
    ]
    # The mean of four times ln 8 and ln 2 is 1.802; 2.776 times their standard error is 0.770.
    table = ranking_table(summarise([*runs, *stopped("b1", "ga", "stuck")]))
    assert table.headings == ("engine", "answered", "fastest", "ratio to cdcl", "95 % interval", "compared")
    assert table.rows == (
        ("cdcl", "5 of 5", "5", "1.00", "", "5"),
        ("dpll", "5 of 5", "0", "6.06", "2.81 to 13.1", "5"),
        ("ga", "0 of 5", "0", "", "", "0"),
    )
    few = ranking_table(summarise([run for run in runs if run.task.board < "b4"]))
    assert few.rows[1] == ("dpll", "3 of 3", "0", "5.04", "needs 5 boards", "3")


def test_if_no_engine_has_an_answer_none_has_a_ratio() -> None:
    table = ranking_table(summarise([*stopped("b1", "one", "crashed"), *stopped("b1", "two", "crashed")]))
    assert table.headings[3] == "ratio"
    assert table.rows == (("one", "0 of 1", "0", "", "", "0"), ("two", "0 of 1", "0", "", "", "0"))


def test_an_interval_with_too_few_boards_says_how_many_it_needs() -> None:
    runs = [*solved("b1", "cdcl", 0.5), *solved("b1", "dpll", 4.0)]
    assert [row[4] for row in ranking_table(summarise(runs)).rows] == ["", "needs 5 boards"]
    halved = compare(runs, [*solved("b1", "cdcl", 0.25), *solved("b1", "dpll", 2.0)])
    assert [row[3] for row in change_table(halved).rows] == ["needs 5 boards"] * 2


def test_a_comparison_shows_both_times_and_their_ratio() -> None:
    before = [*solved("b1", "cdcl", 1.0), *solved("b2", "cdcl", 2.0), *solved("b3", "cdcl", 1.0)]
    after = [*solved("b1", "cdcl", 0.5), *stopped("b2", "cdcl", "memory"), *solved("b4", "cdcl", 1.0)]
    paired = compare(before, after, ("old", "new"))
    assert paired_table(paired).headings == ("board", "engine", "old", "new", "ratio")
    assert paired_table(paired).rows[0] == ("b1", "cdcl", "1.00 s", "500 ms", "0.500")
    assert paired_table(paired, in_file=True).rows[1] == ("b2", "cdcl", "2.000000", "memory", "")
    assert change_table(paired).rows == (("cdcl", "1", "0.500", "needs 5 boards"),)
    assert unpaired_table(paired).rows == (("b3", "cdcl", "old"), ("b4", "cdcl", "new"))


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        *((1.0, "1.00"), (7.954, "7.95"), (0.5, "0.500"), (0.01234, "0.0123"), (9.999, "10.0")),
        *((0.9999, "1.00"), (99.96, "100"), (12345.0, "12,300"), (2e-8, "0.0000000200")),
        *((1e12, "over 1,000,000,000"), (0.0, "under 0.000000001")),
    ],
)
def test_ratios_have_three_significant_digits(ratio: float, text: str) -> None:
    assert ratio_text(ratio) == text


def test_counters_have_commas_and_no_decimals_unless_the_median_has() -> None:
    assert [count_text(number) for number in (0, 1234567, 1000.5)] == ["0", "1,234,567", "1,000.5"]


@given(tables)
def test_csv_is_read_back_as_it_was_but_for_the_apostrophe_before_a_formula(table: TextTable) -> None:
    read = list(csv.reader(io.StringIO(write_csv(table))))
    assert len(read) == 1 + len(table.rows)
    for found, row in zip(read, (table.headings, *table.rows), strict=True):
        assert all(cell in (own, f"'{own}") for cell, own in zip(found, row, strict=True))


@given(tables)
def test_markdown_is_read_back_by_a_markdown_parser(table: TextTable) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(write_markdown(table))
    cells = [
        "".join(part.content for part in token.children or ()) for token in tokens if token.type == "inline"
    ]
    expected = [cell.strip() for row in (table.headings, *table.rows) for cell in row]
    assert cells == expected


@given(tables)
def test_latex_leaves_no_character_that_means_something_else(table: TextTable) -> None:
    lines = write_latex(table).splitlines()
    rows = [line for line in lines[2:-2] if line != r"\hline"]
    assert len(rows) == 1 + len(table.rows)
    for line in rows:
        assert line.endswith(r" \\")
        bare = re.sub(r"\\(text[a-z]+\{\}|[&%$#_{}])", "", line.removesuffix(r" \\"))
        assert bare.count("&") == 2
        assert not set(bare) & set("%$#_{}~^\\<>|")


def test_latex_is_a_tabular_with_numbers_on_the_right() -> None:
    text = write_latex(summary_table(SUMMARY, TableLook(in_file=True)))
    assert text.splitlines()[:3] == [r"\begin{tabular}{lrl}", r"\hline", r"board & cdcl (s) & brute (s) \\"]
    assert r"3$\times$4 & 0.002000 & 0.500000 (2 of 3, time limit) \\" in text
    assert "toprule" not in text


def test_json_has_a_record_per_board_and_engine_with_numbers_as_numbers() -> None:
    facts = [BoardFacts(board, 3, 4, 7, 5, None, "", "", 27, 38) for board in SUMMARY.boards]
    records = json.loads(write_json(summary_records(SUMMARY, facts, "1.0", 7)))
    assert [(each["board"], each["engine"]) for each in records] == [
        *(("3×4", "cdcl"), ("3×4", "brute"), ("5×5", "cdcl"), ("5×5", "brute"), ("66×66", "cdcl"))
    ]
    brute = records[1]
    assert (brute["median"], brute["mean"], brute["runs"], brute["answered"]) == (0.5, 0.375, 3, 2)
    assert brute["verdicts"] == {"solved": 2, "gave-up": 1}
    assert brute["reasons"] == {"time limit": 1}
    assert (brute["version"], brute["seed"]) == ("1.0", 7)
    assert records[0]["stages"]["check"] == 0.001
    assert (records[0]["unknown"], records[0]["clauses"], records[0]["s4_clauses"]) == (7, 27, 38)
    assert (records[4]["mean"], records[4]["mean_low"], records[4]["mean_high"]) == (12.0, None, None)


def test_json_of_a_comparison_has_ratios_and_what_one_side_lacks() -> None:
    paired = compare([*solved("b1", "cdcl", 1.0), *solved("b2", "cdcl", 1.0)], solved("b1", "cdcl", 3.0))
    both, single = json.loads(write_json(paired_records(paired)))
    assert (both["ratio"], both["before"]["median"], both["after"]["median"]) == (3.0, 1.0, 3.0)
    assert single == {"board": "b2", "engine": "cdcl", "only_in": "before"}


def test_no_records_are_an_empty_list() -> None:
    assert json.loads(write_json([])) == []
