"""`gemhunter explain`, as a user would run it."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.cli.explain import (
    cell_explanation_lines,
    differing_lines,
    exit_code,
    explanation_lines,
    step_lines,
    surroundings,
)
from gemhunter.cli.main import run
from gemhunter.draw.text_maps import plain_text
from gemhunter.explanation.explain import CellExplanation, ExplainedConflict, Explanation, explain
from gemhunter.files.text import parse_grid
from gemhunter.solving.outcomes import GaveUp, StopReason

POSITION = "_, 1, _, _\n_, 2, _, 1\n_, _, _, _\n_, _, 1, 0\n"
FIELDS = ["board", "traps", "steps", "difficulty", "open", "examples", "conflict", "gave_up", "version"]
ONE_TWO_ONE = parse_grid("_, _, _\n1, 2, 1")
AT_ONCE = ["--time-limit", "1e-9"]

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a position, a board without solution, and one that gives its total."""
    (desk / "position.txt").write_text(POSITION, encoding="utf-8")
    (desk / "four.txt").write_text("4, _\n_, _\n", encoding="utf-8")
    (desk / "one.txt").write_text("# traps: 1\n_, 1, _\n_, _, _\n_, 1, _\n", encoding="utf-8")
    return desk


def explained(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """What the command says as JSON."""
    run(["explain", *arguments, "--format", "json"])
    record: dict[str, Any] = json.loads(capsys.readouterr().out)
    return record


def printed(capsys: Captured, *arguments: str) -> str:
    """What the command says as text."""
    run(["explain", *arguments])
    return capsys.readouterr().out


def test_every_step_is_printed_below_the_board(capsys: Captured) -> None:
    assert run(["explain", "sample:one-two-one"]) == 0
    assert capsys.readouterr().out == (
        "sample:one-two-one (2×3)\n  1 2 3\n1 _ _ _\n2 1 2 1\n\n"
        "1  1-2-1  The clues at r2c1, r2c2 and r2c3 stand side by side and need 1, 2 and 1 traps: the "
        "pattern 1-2-1. So r1c1 and r1c3 are traps, and r1c2 is a gem.\n\n"
        "Every cell is decided:\n  1 2 3\n1 T G T\n2 1 2 1\n\n"
        "Difficulty: medium; hardest rule: 1-2-1 (level 2); score: 3.\n"
        "A step uses at most 3 clues; at the narrowest point there are 2 deductions to find.\n"
    )


def test_open_cells_are_shown_with_two_solutions(desk: Path, capsys: Captured) -> None:
    assert run(["explain", "position.txt"]) == 0
    assert capsys.readouterr().out.partition("\n\n")[2] == (
        "1  one-clue  The 0 at r4c4 has no trap around it, so r3c3 and r3c4 are gems.\n\n"
        "9 cells are not forced, both values are possible: r1c1 r1c3 r1c4 r2c1 r2c3 r3c1 r3c2 r4c1 r4c2\n"
        "Two solutions that differ:\n"
        "  1 2 3 4      1 2 3 4\n1 T 1 G T    1 G 1 T G\n2 G 2 G 1    2 G 2 G 1\n"
        "3 G T G G    3 G T G G\n4 G G 1 0    4 G G 1 0\n"
        "Only the first has traps at r1c1 and r1c4. Only the second has a trap at r1c3.\n\n"
        "Difficulty: needs a guess; hardest rule: one-clue (level 1); score: 1.\n"
        "A step uses at most 1 clue; at the narrowest point there is 1 deduction to find.\n"
    )


def test_a_board_without_hidden_cells_has_nothing_to_explain(desk: Path, capsys: Captured) -> None:
    (desk / "done.txt").write_text("T, 1\n1, 1\n", encoding="utf-8")
    assert run(["explain", "done.txt"]) == 0
    assert "No cell is hidden, and every clue holds.\nDifficulty: easy.\n" in capsys.readouterr().out


def test_json_has_all_fields_in_order(desk: Path, capsys: Captured) -> None:
    record = explained(capsys, "position.txt")
    assert list(record) == FIELDS
    assert record["steps"] == [
        {
            "rule": "one-clue",
            "level": 1,
            "clues": ["r4c4"],
            "total": False,
            "decides": {"traps": [], "gems": ["r3c3", "r3c4"]},
            "sentence": "The 0 at r4c4 has no trap around it, so r3c3 and r3c4 are gems.",
            "thoughts": [],
            "choices": 1,
        }
    ]
    assert record["difficulty"]["word"] == "needs a guess"
    assert record["open"] == ["r1c1", "r1c3", "r1c4", "r2c1", "r2c3", "r3c1", "r3c2", "r4c1", "r4c2"]
    assert len(record["examples"]) == 2
    assert (record["traps"], record["conflict"], record["gave_up"]) == (None, None, None)


def test_thoughts_are_indented_below_their_step(capsys: Captured) -> None:
    shown = printed(capsys, "sample:no-solution")
    assert "\n    Suppose that r2c4 is a trap.\n      By the 1 at r1c5, r1c4 and r2c5 are gems.\n" in shown


def test_steps_fit_the_terminal(desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    shown = printed(capsys, "sample:no-solution").splitlines()
    assert max(map(len, shown)) <= 60
    sentence = shown.index(next(line for line in shown if line.startswith(" 1  clue-set")))
    assert shown[sentence + 1].startswith(" " * 16 + "r1c3,")


def test_a_very_narrow_terminal_keeps_room_for_sentences() -> None:
    steps = explain(parse_grid(POSITION)).steps
    assert max(map(len, plain_text(step_lines(steps, 5)).splitlines())) > 30


def test_levels_are_set_apart_by_blank_lines(capsys: Captured) -> None:
    lines = printed(capsys, "sample:9x9").splitlines()
    pattern = next(number for number, line in enumerate(lines) if line.startswith("22  1-1 "))
    assert (lines[pattern - 1], lines[pattern + 1]) == ("", "")
    assert lines[pattern - 3].startswith("20  one-clue")


def test_one_cell_is_explained_with_only_the_steps_it_needs(capsys: Captured) -> None:
    record = explained(capsys, "sample:3x4", "--cell", "R3C1")
    assert (record["cell"], record["value"], record["supposed"]) == ("r3c1", "trap", None)
    assert [step["clues"] for step in record["steps"]] == [["r3c2"]]
    assert printed(capsys, "sample:3x4", "--cell", "r3c1").endswith("\nr3c1 is a trap.\n")


def test_the_other_value_leads_to_a_clue_that_cannot_hold(capsys: Captured) -> None:
    assert run(["explain", "sample:3x4", "--cell", "r3c1", "--not"]) == 0
    shown = capsys.readouterr().out
    assert "\nSuppose that r3c1 is a gem.\n" in shown
    assert shown.endswith("\nSo r3c1 is a trap.\n")
    record = explained(capsys, "sample:3x4", "--cell", "r3c1", "--not")
    assert (record["value"], record["supposed"]) == ("trap", "gem")
    assert record["conflict"]["broken"] is not None


@pytest.mark.parametrize("more", [[], ["--not"]])
def test_a_cell_that_can_be_both_is_shown_both_ways(more: list[str], desk: Path, capsys: Captured) -> None:
    assert run(["explain", "position.txt", "--cell", "r1c1", *more]) == 0
    shown = capsys.readouterr().out
    assert "r1c1 is not forced: it can be a trap or a gem.\nTwo solutions that differ:\n" in shown
    assert "Only the first has traps at r1c1" in shown


def test_a_contradictory_board_ends_in_the_clue_that_cannot_hold(desk: Path, capsys: Captured) -> None:
    assert run(["explain", "four.txt"]) == 1
    assert capsys.readouterr().out.endswith(
        "No solution: the clue at r1c1 cannot hold, whatever the others are.\n\n"
        "The 4 at r1c1 cannot hold: it still needs four traps, and only three hidden cells are left around "
        "it.\n"
    )
    conflict = explained(capsys, "four.txt")["conflict"]
    assert (conflict["clues"], conflict["broken"]) == (["r1c1"], "r1c1")
    assert (conflict["minimal"], conflict["smallest"]) == (True, True)


def test_a_cell_of_a_contradictory_board_has_no_explanation_but_the_conflict(capsys: Captured) -> None:
    assert run(["explain", "sample:no-solution", "--cell", "r2c2"]) == 1
    shown = capsys.readouterr().out
    assert (
        "No solution: the clues at r1c1, r1c3, r1c5, r3c1, r3c3, r3c5, r5c1, r5c3 and r5c5 cannot all"
        in shown
    )


def test_the_total_can_be_what_conflicts(capsys: Captured) -> None:
    assert run(["explain", "sample:3x4", "--traps", "2"]) == 1
    shown = capsys.readouterr().out
    assert "No solution: the clue at r1c1 and the total of 2 cannot both hold. Leave out any one" in shown
    assert shown.endswith("The total of 2 cannot hold: one trap too many on the board.\n")


def test_the_total_of_the_file_is_used_unless_another_is_given(desk: Path, capsys: Captured) -> None:
    assert explained(capsys, "one.txt")["traps"] == 1
    assert explained(capsys, "one.txt")["open"] == ["r2c1", "r2c2", "r2c3"]
    assert run(["explain", "one.txt", "--traps", "2", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["traps"] == 2
    assert "--traps 2 is used instead" in err


@pytest.mark.parametrize("arguments", [[], ["--cell", "r1c3"], ["--cell", "r1c3", "--not"]])
def test_giving_up_is_not_having_no_solution(arguments: list[str], capsys: Captured) -> None:
    assert run(["explain", "sample:9x9", *arguments, *AT_ONCE]) == 3
    assert "Gave up: time limit reached." in capsys.readouterr().out


def test_a_conflict_that_was_not_followed_to_its_end_says_so() -> None:
    conflict = ExplainedConflict(
        (Cell(0, 0),), False, True, True, None, "These clues conflict.", is_followed=False
    )
    late = GaveUp(StopReason.TIME)
    board = Explanation(ONE_TWO_ONE, None, (), conflict=conflict, gave_up=late)
    cell = CellExplanation(ONE_TWO_ONE, Cell(0, 0), None, TRAP, conflict=conflict)
    assert (exit_code(board), exit_code(cell)) == (1, 3)
    shown = plain_text(cell_explanation_lines("board", cell, None))
    assert shown.endswith("before the steps led to a clue that cannot hold.\nr1c1 is a trap.")


@pytest.mark.parametrize(("smallest", "words"), [(True, ""), (False, " There may be a smaller set.")])
def test_a_conflict_says_if_a_smaller_set_is_possible(smallest: bool, words: str) -> None:
    pair = (Cell(0, 0), Cell(0, 2))
    conflict = ExplainedConflict(pair, False, True, smallest, None, "These clues conflict.")
    shown = plain_text(
        explanation_lines("board", Explanation(ONE_TWO_ONE, None, (), conflict=conflict), None)
    )
    assert f"Leave out any one of them, and the others named here can.{words}\n" in shown


def test_solutions_that_were_not_found_in_time_are_missed() -> None:
    found = CellExplanation(ONE_TWO_ONE, Cell(0, 0), None, HIDDEN)
    assert exit_code(found) == 3
    shown = plain_text(cell_explanation_lines("board", found, None))
    assert shown.endswith("Two solutions that differ were not found within the time limit.")


def test_what_was_not_explained_is_not_called_open(capsys: Captured) -> None:
    shown = printed(capsys, "sample:9x9", *AT_ONCE)
    assert "46 cells are not explained: " in shown
    assert "Difficulty: not known." in shown
    assert explained(capsys, "sample:9x9", *AT_ONCE)["gave_up"] == "time limit reached"


def test_control_c_stops_with_its_own_code(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.cli.notes._SWALLOWED", [KeyboardInterrupt()])
    assert run(["explain", "sample:9x9"]) == 130
    assert capsys.readouterr() == ("", "\nstopped\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cell", "c3r4"], "'c3r4' is not a cell; expected a row and a column from 1, such as r3c1"),
        (["--cell", "r0c1"], "'r0c1' is not a cell; expected a row and a column from 1, such as r3c1"),
        (["--cell", "r5c1"], "r5c1 is not on the board, which has 4 rows and 4 columns"),
        (["--cell", "r1c5"], "r1c5 is not on the board, which has 4 rows and 4 columns"),
        (["--cell", "r1c2"], "r1c2 is not hidden: the board shows 1 there"),
        (["--not"], "--not is about one cell; name it with --cell, as in --cell r3c4 --not"),
    ],
)
def test_bad_cells_are_one_line_errors(
    arguments: list[str], message: str, desk: Path, capsys: Captured
) -> None:
    assert run(["explain", "position.txt", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"error: {message}")


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_output_file_has_what_would_be_printed(form: str, desk: Path, capsys: Captured) -> None:
    shown = printed(capsys, "position.txt", "--format", form)
    assert run(["explain", "position.txt", "--format", form, "-o", "found.txt"]) == 0
    assert capsys.readouterr() == ("", "found.txt: the explanation\n")
    assert (desk / "found.txt").read_text(encoding="utf-8") == shown


def test_solutions_that_do_not_fit_side_by_side_are_one_below_the_other() -> None:
    one, other = (Grid(np.full((1, 30), code, np.int8)) for code in (-2, -3))
    lines = plain_text(differing_lines(one, other, None, 80)).splitlines()
    assert [line for line in lines if "T" in line and "G" in line] == []
    assert [line[:5] for line in lines if line.startswith("1 ")] == ["1 T T", "1 G G"]


def test_of_large_boards_only_the_differences_are_named() -> None:
    codes = np.full((1, 101), -3, np.int8)
    other = codes.copy()
    other[0, :25] = -2
    text = plain_text(differing_lines(Grid(codes), Grid(other), None, None))
    assert text.splitlines()[0] == "There are two solutions that differ."
    assert text.endswith("r1c20 and 5 other cells.")


def test_a_large_board_is_cropped_to_what_matters_around_a_cell() -> None:
    grid = Grid(np.full((50, 60), -1, np.int8))
    cell = Cell(10, 59)
    assert surroundings(grid, cell, [cell, Cell(5, 59), Cell(49, 0)], None) == (slice(4, 14), slice(56, 60))
    assert surroundings(parse_grid(POSITION), Cell(0, 0), [], 80) is None


def test_a_crop_has_the_numbers_of_the_board(capsys: Captured) -> None:
    shown = printed(capsys, "sample:66x66", "--cell", "r50c18").splitlines()
    assert [line.split()[0] for line in shown[1:4]] == ["1", "5", "43"]
