"""Records: plain data that survives a trip through JSON, with fields that do not depend on the outcome."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import gemhunter
from gemhunter import analyse, parse_grid, solve
from gemhunter.cnf.accounts import clause_sum
from gemhunter.cnf.encode import encode
from gemhunter.play.game import new_game
from gemhunter.play.game_ids import read_game_id
from gemhunter.questions.solve import solve_formula
from gemhunter.records.boards import analysis_record
from gemhunter.records.engines import (
    asked_record,
    failure_record,
    formula_report_record,
    report_record,
    settings_record,
)
from gemhunter.records.formulas import clause_sum_record
from gemhunter.records.games import game_record

SOLVABLE = parse_grid("1, _\n_, 1")
IMPOSSIBLE = parse_grid("0, _\n_, 3")
OPEN_ENDED = parse_grid("_, 3, _\n_, _, _")


@pytest.mark.parametrize(
    "record",
    [
        lambda: report_record(solve(SOLVABLE), 0.5),
        lambda: report_record(solve(IMPOSSIBLE), 0.5),
        lambda: report_record(solve(OPEN_ENDED, step_limit=1, engine="brute-force"), 0.5),
        lambda: formula_report_record(solve_formula(encode(SOLVABLE)), 0.5),
        lambda: failure_record("mine", "it broke", 0.5, "grid", "partial"),
        lambda: analysis_record("b", analyse(SOLVABLE)),
        lambda: analysis_record("b", analyse(IMPOSSIBLE)),
        lambda: clause_sum_record("b", clause_sum(SOLVABLE)),
        lambda: game_record(new_game(read_game_id("easy#1"))),
    ],
)
def test_a_record_is_plain_data(record: Callable[[], dict[str, Any]]) -> None:
    made = record()
    assert json.loads(json.dumps(made, allow_nan=False)) == made


def test_a_failure_has_the_fields_of_an_answer() -> None:
    answered = report_record(solve(SOLVABLE), 0.5)
    failed = failure_record("mine", "it broke", 0.5, "grid", "partial", "encoding")
    assert set(failed) == set(answered)
    assert failed["outcome"] == "failed"
    assert failed["reason"] == "it broke"


def test_a_report_says_what_was_found_and_why_not() -> None:
    solved, refuted = (report_record(solve(grid), 0.25) for grid in (SOLVABLE, IMPOSSIBLE))
    assert (solved["outcome"], solved["reason"]) == ("solved", None)
    assert sorted(solved["grid"]) == sorted(["1, T", "G, 1"]) or sorted(solved["grid"]) == sorted(
        ["1, G", "T, 1"]
    )
    assert (refuted["outcome"], refuted["grid"]) == ("refuted", None)
    assert refuted["reason"]
    assert solved["seconds"]["read"] == 0.25


def test_an_analysis_names_forced_cells_and_counts_in_full() -> None:
    record = analysis_record("b", analyse(OPEN_ENDED))
    assert record["count"] == "10"
    assert record["forced"] == {"traps": [], "gems": []}
    assert record["probability"][0][1] is None


def test_a_report_says_how_to_reproduce_it() -> None:
    record = report_record(solve(SOLVABLE, "cdcl:pick=first", seed=7), 0.0)
    assert (record["version"], record["seed"], record["encoding"]) == (gemhunter.__version__, 7, "binomial")
    assert (record["settings"]["pick"], record["settings"]["restarts"]) == ("first", "luby")


def test_an_engine_that_reads_the_board_has_no_encoding() -> None:
    record = report_record(solve(SOLVABLE, "backtracking"), 0.0)
    assert record["encoding"] is None
    assert record["settings"] == {"order": "most-constrained", "value": "gem"}


def test_a_formula_report_has_version_seed_and_settings() -> None:
    record = formula_report_record(solve_formula(encode(SOLVABLE), "dpll:value=trap", seed=3), 0.0)
    assert (record["version"], record["seed"]) == (gemhunter.__version__, 3)
    assert record["settings"]["value"] == "trap"


def test_the_arguments_of_a_program_are_not_settings() -> None:
    assert settings_record("cmd:solver --level=3,x=1", ()) == {}


def test_a_trace_describes_its_engine() -> None:
    asked = asked_record("cdcl:pick=random", 5)
    assert (asked["engine"], asked["seed"], asked["encoding"]) == ("cdcl:pick=random", 5, "binomial")
    assert asked["settings"]["pick"] == "random"
