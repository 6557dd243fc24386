"""What the sections of a report say, and that the measurements say it."""

import re
import tomllib
from dataclasses import replace
from itertools import chain
from math import comb
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from gemhunter import encode, parse_grid, solve
from gemhunter.bench.runs import Measurement
from gemhunter.bench.suites import load_suite
from gemhunter.bench.summary import summarise
from gemhunter.bench.tables import ranking_table
from gemhunter.charts.fitness import fitness_curve
from gemhunter.experiments.game_tables import S5Line, lines_of_s5, measure_clues, measure_s5
from gemhunter.report.contents import setting_section
from gemhunter.report.document import GraphDrawing, Items, Listing, Paragraph, Section, Table
from gemhunter.report.findings import Findings
from gemhunter.report.ledger import BoardAnswer
from gemhunter.report.plan import FIRST_GAME, QUICK_EFFORT, ReportPlan, new_plan
from gemhunter.report.sections import algorithms
from gemhunter.report.sections.algorithms import algorithm_texts, engines_section, references_section
from gemhunter.report.sections.boards import (
    answer_text,
    boards_section,
    encoding_section,
    filled,
    region_clauses,
)
from gemhunter.report.sections.results import board_sentence, overall_sentences, results_section
from gemhunter.report.sections.sources import source_games, source_times, sources_section, zeros_text
from made_measurements import refuted, solved, stopped
from made_report import SAMPLE, SOLUTION, made_findings

REFERENCES = Path(algorithms.__file__).with_name("references.toml")
CONFLICT = "_, _, 2, _\n2, _, 2, _\n_, 3, _, _\n_, _, _, 1\n"


def numbered(runs: list[Measurement]) -> list[Measurement]:
    """The runs of an engine as first, second and so on."""
    return [structs.replace(run, run=number) for number, run in enumerate(runs, 1)]


def said(runs: list[Measurement], board: str = "a") -> str:
    return board_sentence(summarise(runs), runs, board)


def words_of(section: Section | None) -> str:
    """All sentences of a section."""
    blocks = section.blocks if section else ()
    sentences = [each.text for each in blocks if isinstance(each, Paragraph)]
    return " ".join(
        [*sentences, *(text for each in blocks if isinstance(each, Items) for text in each.texts)]
    )


def tables_of(section: Section | None) -> list[Table]:
    return [block for block in section.blocks if isinstance(block, Table)] if section else []


def test_the_fastest_two_engines_are_compared_by_medians_and_run_by_run() -> None:
    slow = numbered(solved("a", "y", 0.002, 0.0021, 0.0019, 0.002, 0.002))
    runs = numbered(solved("a", "x", *[0.001] * 5)) + slow
    # The logarithms of the ratios have the mean 0.693; 2.776 times their standard error is 0.0441.
    assert said(runs) == (
        "On `a`, `x` has a median of 1.00 ms over 5 runs; `y` has a median of 2.00 ms over 5 runs, 2.00 "
        "times as long. Run by run, `y` takes 2.00 times as long as `x` (95 % interval 1.91 to 2.09)."
    )
    few = [run for run in runs if run.task.run < 4]
    assert said(few).endswith("2.00 times as long (3 runs, too few for an interval).")


def test_the_ratio_beside_two_medians_is_theirs() -> None:
    runs = numbered(solved("a", "x", 0.513, 0.1, 0.6)) + numbered(solved("a", "y", 0.52, 0.5, 0.9))
    assert said(runs).startswith(
        "On `a`, `x` has a median of 513 ms over 3 runs; `y` has a median of 520 ms over 3 runs, 1.01 "
        "times as long "
    )


def test_runs_without_an_answer_are_counted_and_leave_no_interval() -> None:
    best = [*solved("a", "x", 0.001, 0.001), *stopped("a", "x", "time limit")]
    runs = numbered(best) + numbered(solved("a", "y", 0.002, 0.002, 0.002))
    assert said(runs) == (
        "On `a`, `x` has a median of 1.00 ms over 3 runs (1 without an answer); `y` has a median of 2.00 ms "
        "over 3 runs, 2.00 times as long. There is no interval, because some runs have no answer."
    )


def test_an_interval_that_says_nothing_is_not_printed() -> None:
    runs = numbered(solved("a", "x", 0.001, 0.003)) + numbered(solved("a", "y", 1.0, 60.0))
    runs += numbered(solved("b", "x", 0.001, 0.001)) + numbered(solved("b", "y", 0.002, 0.002))
    assert said(runs).endswith("(2 runs, too few for an interval).")
    (_, overall) = overall_sentences(summarise(runs))
    assert overall.endswith(" times as long as `x` on 2 boards, too few for an interval.")
    five = [solved(str(number), "y", 1000.0**number) + solved(str(number), "x", 1.0) for number in range(5)]
    assert ranking_table(summarise(chain(*five))).rows[1][4] == ""


def test_runs_that_overlap_name_no_winner() -> None:
    runs = numbered(solved("a", "x", 0.001, 0.003, 0.001, 0.001, 0.002))
    runs += numbered(solved("a", "y", 0.002, 0.001, 0.004, 0.002, 0.001))
    assert said(runs).endswith("These runs do not show which of the two is faster.")


def test_a_single_run_has_no_interval_and_names_no_winner() -> None:
    sentence = said([*solved("a", "x", 0.001), *solved("a", "y", 0.002)])
    assert sentence.endswith("2.00 times as long (1 run, too few for an interval).")


def test_a_board_without_any_answer_has_no_winner() -> None:
    assert said(stopped("a", "x", "time limit")) == "On `a` no engine has a time."


def test_engines_without_an_answer_are_named_with_the_reason(tmp_path: Path) -> None:
    findings = made_findings(tmp_path, stopped("sample", "brute-force", "attempt limit"))
    words = (
        "`brute-force` has no answer on `sample` (attempt limit); with 7 unknown cells there are up to 2^7 "
    )
    assert words in words_of(results_section(findings))


def test_a_report_about_one_board_has_no_empty_list(tmp_path: Path) -> None:
    section = results_section(made_findings(tmp_path, solved("sample", "cdcl", 0.1)))
    assert all(block.texts for block in section.blocks if isinstance(block, Items))


def test_answers_that_contradict_each_other_are_said_to(tmp_path: Path) -> None:
    runs = [*solved("sample", "cdcl", 0.1), *refuted("sample", "brute-force", 0.1)]
    words = words_of(results_section(made_findings(tmp_path, runs)))
    assert "sample: cdcl solved it; brute-force says it has no solution" in words


def test_the_clauses_of_the_example_are_counted_as_they_are_encoded(tmp_path: Path) -> None:
    table = tables_of(encoding_section(made_findings(tmp_path)))[1].table
    kept = encode(parse_grid(SAMPLE), keep_duplicates=True)
    assert table.rows[-1][-1] == str(kept.size)
    assert sum(int(row[-1]) for row in table.rows[:-1]) == kept.size


def test_clauses_are_counted_by_size_of_region_too(tmp_path: Path) -> None:
    table = tables_of(encoding_section(made_findings(tmp_path)))[2].table
    assert sum(int(row[-1]) for row in table.rows) == encode(parse_grid(SAMPLE), keep_duplicates=True).size


@pytest.mark.parametrize(("n", "k"), [(3, 0), (3, 3), (5, 2), (8, 4)])
def test_a_region_makes_as_many_clauses_as_the_formula_says(n: int, k: int) -> None:
    assert region_clauses(n, k) == comb(n, k + 1) + comb(n, n - k + 1)
    ring = ["_"] * n + ["G"] * (8 - n)
    grid = parse_grid(f"{','.join(ring[:3])}\n{ring[3]},{k},{ring[4]}\n{','.join(ring[5:])}\n")
    assert encode(grid, keep_duplicates=True).size == region_clauses(n, k)


def test_both_numberings_are_listed_for_every_unknown_cell(tmp_path: Path) -> None:
    rows = tables_of(encoding_section(made_findings(tmp_path)))[0].table.rows
    assert rows[0] == ("r1c2", "1", "2")
    assert rows[-1] == ("r3c4", "7", "12")


def test_the_example_lists_every_clause_without_duplicates(tmp_path: Path) -> None:
    section = encoding_section(made_findings(tmp_path))
    listing = [block for block in section.blocks if isinstance(block, Listing)][-1] if section else None
    assert listing is not None
    assert len(listing.lines) == encode(parse_grid(SAMPLE)).size


def test_cdcl_is_shown_with_a_trace_and_the_graph_of_a_conflict(tmp_path: Path) -> None:
    section = engines_section(made_findings(tmp_path, boards={"conflict": CONFLICT}))
    blocks = section.blocks if section else ()
    assert [block.name for block in blocks if isinstance(block, GraphDrawing)] == ["conflict-cdcl"]
    assert any("decide" in line for block in blocks if isinstance(block, Listing) for line in block.lines)


def test_only_works_about_the_engines_of_the_report_are_cited_and_listed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(SAMPLE, encoding="utf-8")
    engines = ["dpll", "pysat:glucose4", "pysat:m22"]
    findings = Findings(new_plan([str(tmp_path / "a.txt")], QUICK_EFFORT, engines=engines))
    works = words_of(references_section(findings))
    assert re.findall(r"\[\d+\] [^:]+?(\w+):", works) == [
        *("Kaye", "Putnam", "Loveland", "Silva", "Malik", "Simon", "Sörensson")
    ]
    assert "NP-complete question [1]" in words_of(encoding_section(findings))
    described = words_of(engines_section(findings))
    assert "is flipped [2, 3]." in described
    assert "clause deletion [4, 5, 6, 7]." in described


def test_every_cited_work_is_known_and_every_known_work_can_be_cited() -> None:
    known = tomllib.loads(REFERENCES.read_text(encoding="utf-8"))
    cited = {work for text in algorithm_texts().values() for work in text.get("works", ())}
    assert cited | {"kaye2000", *known["solvers"].values()} == set(known["works"])


def test_a_board_without_conflicts_is_said_to_have_none(tmp_path: Path) -> None:
    assert "`cdcl` meets no conflict" in words_of(engines_section(made_findings(tmp_path)))


def test_the_fitness_curve_ends_with_all_clauses_when_a_solution_is_found() -> None:
    grid = load_suite("s2").boards[3].grid
    curve = fitness_curve(grid, seed=0)
    assert curve is not None
    assert curve.fitness[-1] == curve.clauses
    assert len(curve.fitness) - 1 == solve(grid, "genetic", seed=0).counters["generations"]
    assert all(0 <= fitness <= curve.clauses for fitness in curve.fitness)


def test_engines_that_found_one_map_share_it(tmp_path: Path) -> None:
    findings = made_findings(tmp_path, solved("sample", "cdcl", 0.1))
    findings.maps |= {(0, "sample", "cdcl"): SOLUTION, (0, "sample", "brute-force"): SOLUTION}
    boards = [block for block in boards_section(findings).blocks if hasattr(block, "grids")]
    assert [label for label, _ in boards[0].grids] == ["the board", "`cdcl`, `brute-force`"]
    assert boards[0].grids[1][1] == filled(parse_grid(SAMPLE), SOLUTION)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (BoardAnswer("1", True), "Its solution is unique."),
        (BoardAnswer("0", False), "It has no solution."),
        (BoardAnswer("144", False), "It has 144 solutions."),
        (BoardAnswer("1" * 31, False), "It has about 10^30 solutions."),
        (BoardAnswer(None, None, "too many states"), "Its solutions were not counted: too many states."),
    ],
)
def test_the_number_of_solutions_is_said_or_why_it_is_not_known(
    answer: BoardAnswer, text: str, tmp_path: Path
) -> None:
    findings = made_findings(tmp_path)
    findings.answers[0, "sample"] = answer
    assert answer_text(findings, 0, "sample") == text


@pytest.mark.parametrize("suite", ["s1", "s2", "s3", "s4"])
def test_figures_of_a_source_are_about_boards_and_engines_of_its_suite(suite: str) -> None:
    source, own = source_times()[suite], load_suite(suite)
    assert set(source.seconds) <= {board.name for board in own.boards}
    assert set(source.methods.values()) <= set(own.engines)
    assert all(len(row) == len(source.methods) for row in source.seconds.values())


def test_the_table_of_s5_has_the_lines_that_are_measured() -> None:
    assert list(source_games()) == [(line.level, line.given) for line in lines_of_s5()]


def played(rounds: dict[str, list[int]]) -> list[S5Line]:
    """Games of `resolution` with these matching rounds."""
    return [
        S5Line(level, 4, 81, np.full(len(counts), 81), np.array(counts)) for level, counts in rounds.items()
    ]


def test_the_sentence_about_clues_of_0_says_no_more_than_the_games_show() -> None:
    *_, clues = measure_clues(20, 1)
    few, some, many = [0, 0, 1, 0, 0, 0], [1, 2, 1, 2, 1, 2], [5, 6, 5, 6, 5, 6]
    assert "the fewer rounds" in zeros_text(clues, played({"medium": few, "easy": some, "hard": many}))
    partly = zeros_text(clues, played({"medium": few, "easy": few, "hard": many}))
    assert "medium needs fewer rounds than hard and easy needs fewer rounds than hard" in partly
    assert "do not show whether medium and easy differ" in partly
    for medium, easy, hard in ((few, few, few), (some, few, many)):
        text = zeros_text(clues, played({"medium": medium, "easy": easy, "hard": hard}))
        assert "do not show that more clues of 0 mean fewer rounds" in text


def test_csp_has_its_row_below_that_of_resolution_on_the_same_games() -> None:
    findings = Findings(ReportPlan("quick", (), games=1, dealt=1))
    *_, findings.lines = measure_s5(findings.lines, 1, FIRST_GAME)
    *_, clues = measure_clues(2, 1)
    findings.counts = {each.level: each.counts.tolist() for each in clues}
    section = sources_section(findings)
    rows = tables_of(section)[0].table.rows
    assert [row[2] for row in rows] == ["`resolution`", "`csp`"] * 9
    assert rows[0][:2] == rows[1][:2]
    assert "than `resolution` in 0 of 9 games, and fewer in none" in words_of(section)


def test_figures_of_a_source_stand_beside_ours_and_are_marked_as_its_own() -> None:
    findings = Findings(new_plan(["s1"], QUICK_EFFORT))
    findings.measurements[0] |= {each.task: each for each in solved("5x5", "backtracking", 0.25, 0.75)}
    table = tables_of(sources_section(findings))[0].table
    row = dict(zip(table.headings, table.rows[0], strict=True))
    assert row["backtracking (source)"] == "0.015620"
    assert row["`backtracking` (here)"] == "0.500000"
    assert table.rows[1][3] == "no result"


def words_about_s3(*, compiled: bool, conflicts: int) -> str:
    """What the report says about S3's conclusion if raw CDCL takes eight times as long as PySAT."""
    plan = new_plan(["s3"], QUICK_EFFORT)
    part = plan.parts[0]
    heading = structs.replace(part.heading, compiled=compiled)
    findings = Findings(replace(plan, parts=(replace(part, heading=heading),)))
    findings.measurements[0] |= {
        each.task: each
        for each in solved("66x66", "cdcl:pick=random", 0.8, conflicts=conflicts, decisions=300)
    }
    findings.measurements[0] |= {
        each.task: each for each in solved("66x66", "pysat:glucose4", 0.1, conflicts=1, decisions=200)
    }
    return words_of(sources_section(findings))


def test_the_ratio_of_raw_cdcl_to_pysat_is_explained_by_language_clock_and_conflicts() -> None:
    words = words_about_s3(compiled=False, conflicts=46)
    assert "a ratio of 6.43, and the means here have a ratio of 8.00" in words
    assert "the CDCL here runs as plain Python, while Glucose is compiled C++" in words
    assert "`solve` takes 200 ms of 800 ms (medians) for CDCL and 25.0 ms of 100 ms for PySAT" in words
    assert "CDCL meets 46 conflicts, and Glucose 1. Most of the 300 decisions lead to no conflict" in words


def test_the_explanation_of_that_ratio_follows_what_was_measured() -> None:
    words = words_about_s3(compiled=True, conflicts=250)
    assert "here, both searches run compiled." in words
    assert "meets 250 conflicts, and Glucose 1. A better choice of variables saves time" in words


def test_boards_of_the_user_have_no_figures_of_sources(tmp_path: Path) -> None:
    assert sources_section(made_findings(tmp_path)) is None


def test_without_boards_the_report_is_about_all_sources() -> None:
    plan = new_plan([], QUICK_EFFORT)
    assert [part.heading.suite for part in plan.parts] == ["s1", "s2", "s3", "s4"]
    assert plan.games > 0


def test_every_table_and_figure_with_measurements_has_its_command(tmp_path: Path) -> None:
    findings = made_findings(tmp_path, solved("sample", "cdcl", 0.1))
    boards = boards_section(findings)
    words = words_of(setting_section(findings, [boards]))
    assert f"Table 1; Figure 1: `{findings.plan.parts[0].commands[0]}`" in words


def test_a_program_s_time_for_a_board_of_one_cell_is_in_the_setting(tmp_path: Path) -> None:
    (run,) = solved("sample", "cdcl", 0.1)
    started = structs.replace(run, seconds={**run.seconds, "start": 0.02})
    words = words_of(setting_section(made_findings(tmp_path, [started]), []))
    assert "`cdcl`: times include its start; 20.0 ms for a board of one cell" in words


def test_commands_give_every_engine_its_own_number_of_runs() -> None:
    commands = new_plan(["s4"], QUICK_EFFORT).parts[0].commands
    assert [command.split("--runs ")[1].split()[0] for command in commands] == ["3", "1"]
    assert "-e genetic " in commands[0]
