"""`gemhunter hint`, as a user would run it."""

import json
from pathlib import Path
from typing import Any

import pytest

from gemhunter.cli.main import run

SENTENCE = (
    "The 3 at r1c1 needs three traps, and r1c2, r2c1 and r2c2 are its only hidden neighbours, so all three "
    "are traps."
)
LADDER = (
    "1 of 5: The next step decides 3 cells, by a single clue.\n",
    "2 of 5: Look at row 1 and column 1.\n",
    "3 of 5: Look at the 3 at r1c1.\n",
    f"4 of 5: {SENTENCE}\n",
    f"5 of 5: {SENTENCE}\n  1 2 3 4\n1 3 T 2 _\n2 T T 2 _\n3 _ 3 1 _\n",
)
FIELDS = ["board", "rung", "rungs", "rule", "clues", "step", "filled", "reason", "version"]

Captured = pytest.CaptureFixture[str]


def hinted(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """What the command says as JSON."""
    run(["hint", *arguments, "--format", "json"])
    record: dict[str, Any] = json.loads(capsys.readouterr().out)
    return record


def test_every_call_begins_at_the_first_rung(capsys: Captured) -> None:
    for _ in range(2):
        assert run(["hint", "sample:3x4"]) == 0
        assert capsys.readouterr() == (LADDER[0], "`--rung 2` says more\n")


@pytest.mark.parametrize("rung", range(1, 6))
def test_each_rung_names_the_next_one(rung: int, capsys: Captured) -> None:
    assert run(["hint", "sample:3x4", "--rung", str(rung)]) == 0
    more = f"`--rung {rung + 1}` says more\n" if rung < 5 else ""
    assert capsys.readouterr() == (LADDER[rung - 1], more)


def test_a_flag_is_not_deduced_again(desk: Path, capsys: Captured) -> None:
    (desk / "flagged.txt").write_text("3, F, 2, _\nF, F, 2, _\n_, 3, 1, _\n", encoding="utf-8")
    step = hinted(capsys, "flagged.txt", "--rung", "4")["step"]
    assert step["decides"] == {"traps": [], "gems": ["r1c4", "r2c4"]}


def test_the_total_of_a_file_counts(desk: Path, capsys: Captured) -> None:
    (desk / "none.txt").write_text("# traps: 0\n_, _\n", encoding="utf-8")
    assert hinted(capsys, "none.txt", "--rung", "1")["rule"] == "total-reached"


def test_json_tells_no_more_than_the_rung(capsys: Captured) -> None:
    third = hinted(capsys, "sample:3x4", "--rung", "3")
    assert list(third) == FIELDS
    assert (len(third["rungs"]), third["rule"], third["step"], third["filled"]) == (3, "one-clue", None, None)
    fourth, last = (hinted(capsys, "sample:3x4", "--rung", str(rung)) for rung in (4, 5))
    assert (fourth["step"]["clues"], fourth["filled"]) == (["r1c1"], None)
    second = hinted(capsys, "sample:3x4", "--rung", "2")
    assert (second["clues"], third["clues"]) == ([], ["r1c1"])
    assert last["filled"] == ["3, T, 2, _", "T, T, 2, _", "_, 3, 1, _"]


def test_the_line_of_thought_comes_with_the_conclusion(desk: Path, capsys: Captured) -> None:
    (desk / "suppose.txt").write_text("_, 3, _\n_, _, 2\n_, 3, _\n", encoding="utf-8")
    run(["hint", "suppose.txt", "--rung", "3"])
    assert "Suppose that" not in capsys.readouterr().out
    run(["hint", "suppose.txt", "--rung", "4"])
    assert "\n  Suppose that r2c1 is a gem.\n    By the 3 at " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason", "code"),
    [
        (["sample:two-ways"], "no cell is certain: every hidden cell can be a trap or a gem", 0),
        (["done.txt"], "everything is decided", 0),
        (["sample:nine"], "the clues conflict", 1),
        (["sample:9x9", "--time-limit", "1e-9"], "gave up: time limit reached", 3),
    ],
)
def test_if_nothing_can_be_deduced_the_reason_is_given(
    arguments: list[str], reason: str, code: int, desk: Path, capsys: Captured
) -> None:
    (desk / "done.txt").write_text("T, 1\n1, 1\n", encoding="utf-8")
    assert run(["hint", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == f"{reason[0].upper()}{reason[1:]}.\n"
    assert "says more" not in err
    record = hinted(capsys, *arguments)
    assert list(record) == FIELDS
    assert (record["rung"], record["reason"]) == (None, reason)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rung", "0"], "0 is not in the range 1<=x<=5"),
        (["--rung", "6"], "6 is not in the range 1<=x<=5"),
        (["--traps", "-1"], "-1 is not in the range x>=0"),
    ],
)
def test_bad_options_are_one_line_errors(arguments: list[str], message: str, capsys: Captured) -> None:
    assert run(["hint", "sample:3x4", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_the_output_file_has_what_would_be_printed(desk: Path, capsys: Captured) -> None:
    assert run(["hint", "sample:3x4", "--rung", "5", "-o", "hint.txt"]) == 0
    assert capsys.readouterr() == ("", "hint.txt: the hint\n")
    assert (desk / "hint.txt").read_text(encoding="utf-8") == LADDER[-1]
