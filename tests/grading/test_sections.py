"""Answer files: several labelled sections, each a filled grid, a claim, or a reason why it cannot be read."""

import json
from collections.abc import Callable, Sequence

import pytest

from answer_texts import BOARD, FILLED, GRID, LIMIT, NO, answers, labels, read
from gemhunter.board.grid import Grid
from gemhunter.cli.printout import write_section
from gemhunter.errors import BoardError
from gemhunter.files.text import parse_grid
from gemhunter.grading.lines import Claim, codes_of
from gemhunter.grading.sections import AnswerSection, read_sections


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("PySAT", "PySAT"),
        ("PySAT:", "PySAT"),
        ("=== PySAT ===", "PySAT"),
        ("--- PySAT ---", "PySAT"),
        ("# PySAT", "PySAT"),
        ("*** PySAT ***", "PySAT"),
        ("[PySAT]", "PySAT"),
        ("<PySAT>", "PySAT"),
        ("Brute Force (0.012 s)", "Brute Force (0.012 s)"),
        ("=== DPLL: 3 ms", "DPLL"),
        ("DPLL : solved", "DPLL"),
        ("[pysat:g4] solved in 0.1 s", "pysat:g4"),
        ("[cmd:kissat -q] solved in 0.1 s", "cmd:kissat -q"),
        ("Backtracking, most constrained cell first", "Backtracking, most constrained cell first"),
    ],
)
def test_the_line_above_a_grid_is_its_label(heading: str, label: str) -> None:
    assert read(f"{heading}\n{GRID}\n") == [AnswerSection(label, FILLED)]


def test_an_output_file_of_several_solvers_is_read_in_order() -> None:
    text = f"PySAT:\n{GRID}\n\nBrute force:\nNo solution\n\n=== DPLL ===\n{GRID}\n\nCDCL\nlimit reached\n"
    assert read(text) == [
        AnswerSection("PySAT", FILLED),
        AnswerSection("Brute force", NO),
        AnswerSection("DPLL", FILLED),
        AnswerSection("CDCL", LIMIT),
    ]


def test_blank_lines_between_heading_and_grid_do_not_part_them() -> None:
    assert read(f"PySAT\n\n\n{GRID}\n") == [AnswerSection("PySAT", FILLED)]


@pytest.mark.parametrize(
    "rule", ["-----", "=====", "--", ".....", "####", "=-=-=", "~~~~", "<><>", "*****", "_____"]
)
def test_a_rule_is_not_a_row(rule: str) -> None:
    assert read(f"{rule}\nPySAT\n{rule}\n{GRID}\n{rule}\n") == [AnswerSection("PySAT", FILLED)]


@pytest.mark.parametrize("separator", [", ", ",", ";", " ", "\t", ""])
def test_a_grid_is_found_in_any_separator(separator: str) -> None:
    assert answers(f"PySAT\n{GRID.replace(', ', separator)}\n") == [FILLED]


def test_a_bom_is_not_part_of_the_first_label() -> None:
    assert labels(f"\ufeffPySAT\n{GRID}\n") == ["PySAT"]


@pytest.mark.parametrize(
    "claim",
    [
        "No solution",
        "no solutions found!",
        "NO VALID SOLUTION",
        "UNSAT",
        "unsatisfiable",
        "The board is unsolvable",
    ],
)
def test_the_words_for_no_solution_are_a_claim(claim: str) -> None:
    assert read(f"Brute force\n{claim}\n") == [AnswerSection("Brute force", NO)]


@pytest.mark.parametrize(
    "claim",
    ["limit reached", "Limit reached!", "Timeout", "timed out", "gave up", "time exceeded", "skipped"],
)
def test_the_words_for_giving_up_are_a_claim(claim: str) -> None:
    assert read(f"Brute force\n{claim}\n") == [AnswerSection("Brute force", LIMIT)]


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("Brute force: No solution", AnswerSection("Brute force", NO)),
        ("=== Brute force: limit reached ===", AnswerSection("Brute force", LIMIT)),
        ("[pysat:g4] no solution in 0.1 s", AnswerSection("pysat:g4", NO)),
        ("[pysat:g4] gave up: time limit reached", AnswerSection("pysat:g4", LIMIT)),
    ],
)
def test_a_claim_with_its_label_on_the_same_line_needs_no_heading(line: str, section: AnswerSection) -> None:
    assert read(f"{line}\n") == [section]


def test_a_claim_with_its_time_still_belongs_to_the_heading_above() -> None:
    assert labels("=== Brute force ===\nNo solution found. Time: 0.1 s\n") == ["Brute force"]


def test_a_line_with_the_time_does_not_hide_the_heading_above_it() -> None:
    assert labels(f"=== PySAT ===\nTime: 0.1 s\n{GRID}\n") == ["PySAT"]


def test_our_own_sections_read_back() -> None:
    text = write_section("pysat:g4", "solved in 0.1 s", FILLED) + write_section("cmd:x", "no solution")
    assert read(text) == [AnswerSection("pysat:g4", FILLED), AnswerSection("cmd:x", NO)]


def test_a_typing_error_inside_a_grid_makes_its_section_unreadable() -> None:
    text = f"DPLL\n{GRID}\nPySAT\n3, T, 2, G\nT, X, 2, G\nT, 3, 1, G\n"
    good, bad = answers(text)
    assert good == FILLED
    assert isinstance(bad, BoardError)
    assert str(bad) == "answer:7:4: expected `_`, a clue 0-8, `T` or `G`, found 'X'"


def test_a_ragged_grid_is_an_unreadable_section_named_by_its_line() -> None:
    (answer,) = answers("PySAT\n\n3, T, 2\nT, T\n1, 1, 1\n")
    assert isinstance(answer, BoardError)
    assert [fault.line for fault in answer.faults] == [4]


def test_a_text_without_any_answer_is_refused() -> None:
    with pytest.raises(
        BoardError, match="a: no answer found; expected a filled grid or the words `no solution`"
    ):
        read("hello\nworld\n", source="a")


def result(outcome: str, grid: str | None, engine: str = "pysat:g4") -> dict[str, object]:
    """One of our own JSON results."""
    rows = grid.split("\n") if grid is not None else None
    return {"board": "b.txt", "engine": engine, "outcome": outcome, "grid": rows, "reason": None}


@pytest.mark.parametrize(
    ("outcome", "grid", "answer"), [("solved", GRID, FILLED), ("refuted", None, NO), ("gave-up", None, LIMIT)]
)
def test_a_json_result_is_a_section(outcome: str, grid: str | None, answer: Grid | Claim) -> None:
    assert read(json.dumps(result(outcome, grid))) == [AnswerSection("pysat:g4", answer)]


@pytest.mark.parametrize("join", [json.dumps, lambda results: "\n".join(map(json.dumps, results))])
def test_json_results_in_a_list_or_in_lines_are_one_section_each(join: Callable[[object], str]) -> None:
    results = [result("solved", GRID, "pysat:g4"), result("refuted", None, "pysat:mc")]
    assert read(join(results)) == [AnswerSection("pysat:g4", FILLED), AnswerSection("pysat:mc", NO)]


def test_a_json_board_is_a_plain_answer() -> None:
    assert read(json.dumps({"grid": GRID.split("\n")})) == [AnswerSection("", FILLED)]


def test_a_json_result_without_its_grid_is_unreadable() -> None:
    (answer,) = answers(json.dumps(result("solved", None)))
    assert isinstance(answer, BoardError)


def test_broken_json_is_not_an_answer() -> None:
    with pytest.raises(BoardError, match="no answer found"):
        read('{"outcome": "solved", ')


@pytest.mark.parametrize(
    "written",
    [
        "['3', 'T', '2', 'G']\n['T', 'T', '2', 'G']\n['T', '3', '1', 'G']",
        "[['3', 'T', '2', 'G'],\n ['T', 'T', '2', 'G'],\n ['T', '3', '1', 'G']]",
        "[['3' 'T' '2' 'G']\n ['T' 'T' '2' 'G']\n ['T' '3' '1' 'G']]",
        '"3","T","2","G"\n"T","T","2","G"\n"T","3","1","G"',
        "| 3 | T | 2 | G |\n| T | T | 2 | G |\n| T | 3 | 1 | G |",
        "3, T, 2, G\n\nT, T, 2, G\n\nT, 3, 1, G",
        "0.01\n3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n12\n",
    ],
)
def test_rows_are_found_in_whatever_people_wrap_them(written: str) -> None:
    assert answers(f"{written}\n") == [FILLED]


def test_the_board_printed_before_its_answer_is_not_an_answer() -> None:
    assert read(f"Input:\n{BOARD}\nOutput:\n{GRID}\n") == [AnswerSection("Output", FILLED)]


def test_a_claim_above_the_printed_board_is_still_a_claim() -> None:
    assert read(f"DPLL\nNo solution\n{BOARD}\n") == [AnswerSection("DPLL", NO)]


def test_two_grids_with_nothing_between_are_two_answers() -> None:
    assert answers(f"{GRID}\n{GRID}\n") == [FILLED, FILLED]


def test_an_answer_two_columns_wide_has_no_line_with_the_size() -> None:
    board, filled = parse_grid("2, 2\n_, _\n_, _"), parse_grid("2, 2\nT, T\nG, G")
    assert read_sections("2 2\nT T\nG G\n", board) == [AnswerSection("", filled)]


def test_an_unfinished_grid_of_a_program_that_gave_up_is_not_an_answer() -> None:
    gave_up = write_section("resolution", "gave up after 0.1 s: stuck", parse_grid(GRID.replace("G", "_")))
    text = gave_up + write_section("next", "x", FILLED)
    assert read(text) == [AnswerSection("resolution", LIMIT), AnswerSection("next", FILLED)]


def test_a_filled_grid_under_words_about_a_limit_is_an_answer() -> None:
    assert read(f"Backtracking (limit 60 s)\n{GRID}") == [AnswerSection("Backtracking (limit 60 s)", FILLED)]


def test_a_grid_of_another_size_is_one_answer_also_if_it_is_three_times_as_high() -> None:
    text = "\n".join(["T, G, G, T, T, G"] * (3 * BOARD.rows))
    (section,) = read(text)
    assert isinstance(section.answer, BoardError)
    assert f"the answer {3 * BOARD.rows}×6" in str(section.answer)


def test_rows_without_clues_are_compared_with_a_long_board_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[Sequence[str]] = []

    def counted(cells: Sequence[str]) -> list[int]:
        compared.append(cells)
        return codes_of(cells)

    monkeypatch.setattr("gemhunter.grading.sections.codes_of", counted)
    rows = 300
    (section,) = read_sections("T, G, T\n" * rows, parse_grid("_, _, _\n" * rows))
    assert isinstance(section.answer, Grid)
    assert len(compared) < 10 * rows
