"""`gemhunter explain`, as a user would run it: text, JSON, and pages and pictures in files."""

import json
import re
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.cli.explain import exit_code, lines
from gemhunter.cli.main import run
from gemhunter.cli.step_lines import difference_parts, step_lines, surroundings, wrapped
from gemhunter.draw.text_maps import plain_text
from gemhunter.explanation.explain import explain
from gemhunter.explanation.explanations import CellExplanation, ExplainedConflict, Explanation
from gemhunter.files.text import parse_grid
from gemhunter.play.game_names import read_grid
from gemhunter.solving.outcomes import GaveUp, StopReason

Captured = pytest.CaptureFixture[str]

POSITION = "_, 1, _, _\n_, 2, _, 1\n_, _, _, _\n_, _, 1, 0\n"
FIELDS = ["board", "traps", "steps", "difficulty", "open", "examples", "conflict", "gave_up", "version"]
ONE_TWO_ONE = parse_grid("_, _, _\n1, 2, 1")
AT_ONCE = ["--time-limit", "1e-9"]


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
        "No step uses more than 3 clues; at the narrowest point, 2 deductions are available.\n"
    )


def test_open_cells_are_shown_with_two_solutions(desk: Path, capsys: Captured) -> None:
    assert run(["explain", "position.txt"]) == 0
    assert capsys.readouterr().out.partition("\n\n")[2] == (
        "1  one-clue  The 0 at r4c4 has no trap around it, so r3c3 and r3c4 are gems.\n\n"
        "9 cells are not forced; each can be either: r1c1 r1c3 r1c4 r2c1 r2c3 r3c1 r3c2 r4c1 r4c2\n"
        "Two solutions that differ:\n"
        "  1 2 3 4      1 2 3 4\n1 T 1 G T    1 G 1 T G\n2 G 2 G 1    2 G 2 G 1\n"
        "3 G T G G    3 G T G G\n4 G G 1 0    4 G G 1 0\n"
        "Only the first has traps at r1c1 and r1c4. Only the second has a trap at r1c3.\n\n"
        "Difficulty: needs a guess; hardest rule: one-clue (level 1); score: 1.\n"
        "No step uses more than 1 clue; at the narrowest point, 1 deduction is available.\n"
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
    shown = printed(capsys, "sample:9x9").splitlines()
    pattern = next(number for number, line in enumerate(shown) if line.startswith("22  1-1 "))
    assert (shown[pattern - 1], shown[pattern + 1]) == ("", "")
    assert shown[pattern - 3].startswith("20  one-clue")


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
        "No solution: the clue at r1c1 cannot hold on its own.\n\n"
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
    assert "No solution: the clue at r1c1 and the total of 2 cannot both hold." in shown
    assert shown.endswith("The total of 2 cannot hold: one trap too many on the board.\n")


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
    shown = plain_text(lines("board", cell))
    assert shown.endswith("before the steps led to a clue that cannot hold.\nr1c1 is a trap.")


@pytest.mark.parametrize(("smallest", "words"), [(True, ""), (False, " There may be a smaller set.")])
def test_a_conflict_says_if_a_smaller_set_is_possible(smallest: bool, words: str) -> None:
    pair = (Cell(0, 0), Cell(0, 2))
    conflict = ExplainedConflict(pair, False, True, smallest, None, "These clues conflict.")
    shown = plain_text(lines("board", Explanation(ONE_TWO_ONE, None, (), conflict=conflict)))
    assert f"If any one of them is left out, the rest can hold.{words}\n" in shown


def test_solutions_that_were_not_found_in_time_are_missed() -> None:
    found = CellExplanation(ONE_TWO_ONE, Cell(0, 0), None, HIDDEN)
    assert exit_code(found) == 3
    shown = plain_text(lines("board", found))
    assert shown.endswith("Two solutions that differ were not found within the time limit.")


def test_what_was_not_explained_is_not_called_open(capsys: Captured) -> None:
    shown = printed(capsys, "sample:9x9", *AT_ONCE)
    assert "46 cells are not explained: " in shown
    assert "Difficulty: not known." in shown
    assert explained(capsys, "sample:9x9", *AT_ONCE)["gave_up"] == "time limit reached"


def test_control_c_stops_with_its_own_code(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.cli.exit_codes._SWALLOWED", [KeyboardInterrupt()])
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
        (["--step", "2"], "--step is the number of the step to draw; add -o FILE.svg"),
        (["-o", "a.svg", "--step", "99"], "there is no step 99: the explanation has 1 step"),
    ],
)
def test_bad_cells_and_steps_are_one_line_errors(
    arguments: list[str], message: str, desk: Path, capsys: Captured
) -> None:
    assert run(["explain", "position.txt", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), (desk / "a.svg").exists()) == ("", 1, False)
    assert err.startswith(f"error: {message}")


def test_solutions_that_do_not_fit_side_by_side_are_one_below_the_other() -> None:
    one, other = (Grid(np.full((1, 30), code, np.int8)) for code in (-2, -3))
    shown = plain_text(wrapped(difference_parts((one, other), None, 80), 80)).splitlines()
    assert [line for line in shown if "T" in line and "G" in line] == []
    assert [line[:5] for line in shown if line.startswith("1 ")] == ["1 T T", "1 G G"]


def test_of_large_boards_only_the_differences_are_named() -> None:
    codes = np.full((1, 101), -3, np.int8)
    other = codes.copy()
    other[0, :25] = -2
    text = plain_text(wrapped(difference_parts((Grid(codes), Grid(other)), None, None), None))
    assert text.splitlines()[0] == "There are two solutions that differ."
    assert text.endswith("r1c20 and 5 other cells.")


def test_a_large_board_is_cropped_to_what_matters_around_a_cell() -> None:
    grid = Grid(np.full((50, 60), -1, np.int8))
    cell = Cell(10, 59)
    assert surroundings(grid, cell, [cell, Cell(5, 59), Cell(49, 0)], None) == (slice(4, 14), slice(56, 60))
    assert surroundings(parse_grid(POSITION), Cell(0, 0), [], 80) is None


def test_a_crop_has_the_numbers_of_the_board(capsys: Captured) -> None:
    shown = printed(capsys, "sample:66x66", "--cell", "r50c18").splitlines()
    assert [line.split()[0] for line in shown[1:4]] == ["1", "5", "45"]


def title_of(path: Path) -> str | None:
    """What a picture says to a screen reader."""
    return ElementTree.fromstring(path.read_text(encoding="utf-8"))[0].text


def test_the_page_has_every_step(desk: Path) -> None:
    assert run(["explain", "sample:9x9", "-o", "steps.html"]) == 0
    page = (desk / "steps.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'type="application/json">(.*?)</script>', page)
    sentences = [scene["sentence"] for scene in json.loads(data)["scenes"]]
    assert sentences[1:-1] == [step.sentence for step in explain(read_grid("sample:9x9")).steps]


def test_the_picture_shows_the_hardest_step_or_the_one_that_is_named(desk: Path) -> None:
    steps = explain(read_grid("sample:9x9")).steps
    levels = [step.rule.level for step in steps]
    hardest = levels.index(max(levels))
    assert run(["explain", "sample:9x9", "-o", "hard.svg"]) == 0
    name = steps[hardest].rule.name
    assert title_of(desk / "hard.svg") == f"sample:9x9: Step {hardest + 1} of {len(steps)} · {name}"
    assert run(["explain", "sample:9x9", "-o", "second.svg", "--step", "2"]) == 0
    assert title_of(desk / "second.svg") == f"sample:9x9: Step 2 of {len(steps)} · one-clue"


@pytest.mark.parametrize(("more", "heading"), [([], "Step 1 of 1"), (["--not"], "Conflict")])
def test_the_picture_of_a_cell_shows_how_it_ends(more: list[str], heading: str, desk: Path) -> None:
    (desk / "b.txt").write_text("1, _\n1, 1\n", encoding="utf-8")
    assert run(["explain", "b.txt", "--cell", "r1c2", "-o", "cell.svg", *more]) == 0
    assert heading in (title_of(desk / "cell.svg") or "")


def test_the_animation_has_a_frame_for_each_step_and_two_more(desk: Path) -> None:
    assert run(["explain", "sample:3x4", "-o", "steps.gif"]) == 0
    with Image.open(BytesIO((desk / "steps.gif").read_bytes())) as image:
        assert getattr(image, "n_frames", 1) == len(explain(read_grid("sample:3x4")).steps) + 2


def test_a_board_without_solution_has_pictures_too(desk: Path) -> None:
    (desk / "four.txt").write_text("4, _\n_, _\n", encoding="utf-8")
    assert run(["explain", "four.txt", "-o", "a.html", "-o", "a.svg", "-o", "a.gif"]) == 1
    assert title_of(desk / "a.svg") == "four.txt: Conflict"
    assert {"a.html", "a.gif"} <= {path.name for path in desk.iterdir()}
