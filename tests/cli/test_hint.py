"""`gemhunter hint`, as a user would run it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemhunter.cli import hint_memory
from gemhunter.cli.hint_memory import MOST_POSITIONS, position_key, remember_rung, remembered_rung
from gemhunter.cli.main import run
from gemhunter.core.positions import Position
from gemhunter.formats.text import parse_grid

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


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which rungs are remembered, in a folder that does not exist yet."""
    file = tmp_path / "cache" / "gemhunter" / "hints.json"
    monkeypatch.setattr(hint_memory, "user_cache_folder", lambda: tmp_path / "cache")
    return file


def hinted(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """What the command says as JSON."""
    run(["hint", *arguments, "--format", "json"])
    record: dict[str, Any] = json.loads(capsys.readouterr().out)
    return record


def test_each_call_shows_the_next_rung_and_the_last_one_again(capsys: Captured) -> None:
    for shown in (*LADDER, LADDER[-1]):
        assert run(["hint", "sample:3x4"]) == 0
        assert capsys.readouterr().out == shown


def test_a_note_says_how_to_go_on_until_the_last_rung(capsys: Captured) -> None:
    notes = []
    for _ in LADDER:
        run(["hint", "sample:3x4"])
        notes.append(capsys.readouterr().err)
    assert notes == ["the same command shows the next rung\n"] * 4 + [""]


@pytest.mark.parametrize("rung", range(1, 6))
def test_any_rung_can_be_asked_for_and_is_not_remembered(rung: int, memory: Path, capsys: Captured) -> None:
    assert run(["hint", "sample:3x4", "--rung", str(rung)]) == 0
    assert capsys.readouterr() == (LADDER[rung - 1], "")
    assert not memory.exists()


def test_boards_and_totals_and_flags_have_their_own_ladders(desk: Path, capsys: Captured) -> None:
    (desk / "flagged.txt").write_text("3, F, 2, _\n_, _, 2, _\n_, 3, 1, _\n", encoding="utf-8")
    for arguments in (["sample:3x4"], ["sample:3x4", "--traps", "4"], ["flagged.txt"], ["sample:5x5"]):
        assert hinted(capsys, *arguments)["rung"] == 1
    assert hinted(capsys, "sample:3x4")["rung"] == 2


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
    arguments: list[str], reason: str, code: int, desk: Path, memory: Path, capsys: Captured
) -> None:
    (desk / "done.txt").write_text("T, 1\n1, 1\n", encoding="utf-8")
    assert run(["hint", *arguments]) == code
    assert capsys.readouterr().out == f"{reason[0].upper()}{reason[1:]}.\n"
    record = hinted(capsys, *arguments)
    assert list(record) == FIELDS
    assert (record["rung"], record["reason"]) == (None, reason)
    assert not memory.exists()


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


def test_control_c_stops_and_nothing_is_remembered(
    memory: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemhunter.cli.interrupts._SWALLOWED", [KeyboardInterrupt()])
    assert run(["hint", "sample:3x4"]) == 130
    assert not memory.exists()


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"[1]", b"{", b"[" * 10**5, b'{"a": "b", "c": true}', b"1" * 2**17]
)
def test_a_damaged_memory_is_an_empty_one(content: bytes, memory: Path, capsys: Captured) -> None:
    memory.parent.mkdir(parents=True)
    memory.write_bytes(content)
    for shown in LADDER[:2]:
        assert run(["hint", "sample:3x4"]) == 0
        assert capsys.readouterr().out == shown


def test_a_memory_that_cannot_be_written_is_a_note(memory: Path, capsys: Captured) -> None:
    memory.parent.parent.write_text("a file where the folder should be", encoding="utf-8")
    for _ in range(2):
        assert run(["hint", "sample:3x4"]) == 0
        out, err = capsys.readouterr()
        assert out == LADDER[0]
        assert err == "note: this rung could not be remembered; --rung shows the others\n"


def test_a_user_without_a_home_folder_gets_hints(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(hint_memory, "user_cache_folder", no_home)
    assert run(["hint", "sample:3x4"]) == 0
    assert capsys.readouterr().out == LADDER[0]


def test_the_positions_of_the_latest_hints_are_remembered(memory: Path) -> None:
    for number in range(MOST_POSITIONS):
        assert remember_rung(str(number), 2)
    remember_rung("0", 3)
    remember_rung("new", 1)
    assert [remembered_rung(key) for key in ("0", "1", "2", "new")] == [3, 0, 2, 1]
    assert len(json.loads(memory.read_bytes())) == MOST_POSITIONS
    assert [file.name for file in memory.parent.iterdir()] == ["hints.json"]


def test_positions_of_another_shape_have_another_key() -> None:
    positions = [
        Position(grid, np.zeros(grid.cells.shape, bool)) for grid in map(parse_grid, ("_, 1, _", "_\n1\n_"))
    ]
    assert position_key(positions[0]) != position_key(positions[1])
