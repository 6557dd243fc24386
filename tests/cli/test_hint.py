"""`gemhunter hint`: deductions, the best guess where nothing can be deduced, and `--think`."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemhunter.board.grid import Cell
from gemhunter.cli.main import run
from gemhunter.play.advice import BY_ROLLOUTS
from gemhunter.play.guessing import rollouts

Captured = pytest.CaptureFixture[str]

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
FIELDS = [
    "board",
    "rung",
    "rungs",
    "rule",
    "clues",
    "step",
    "filled",
    "reason",
    "code",
    "version",
    "wrong_flags",
    "guess",
]


def hinted(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """What the command says as JSON."""
    run(["hint", *arguments, "--format", "json"])
    record: dict[str, Any] = json.loads(capsys.readouterr().out)
    return record


def test_every_call_begins_at_the_first_rung(capsys: Captured) -> None:
    for _ in range(2):
        assert run(["hint", "sample:3x4"]) == 0
        assert capsys.readouterr() == (LADDER[0], "`--rung 2` says more, `--rung 5` everything\n")


@pytest.mark.parametrize("rung", range(1, 6))
def test_each_rung_names_the_next_one(rung: int, capsys: Captured) -> None:
    assert run(["hint", "sample:3x4", "--rung", str(rung)]) == 0
    more = {4: "`--rung 5` says everything\n", 5: ""}
    assert capsys.readouterr() == (
        LADDER[rung - 1],
        more.get(rung, f"`--rung {rung + 1}` says more, `--rung 5` everything\n"),
    )


def test_a_flag_is_not_deduced_again(desk: Path, capsys: Captured) -> None:
    (desk / "flagged.txt").write_text("3, F, 2, _\nF, F, 2, _\n_, 3, 1, _\n", encoding="utf-8")
    step = hinted(capsys, "flagged.txt", "--rung", "4")["step"]
    assert step["decides"] == {"traps": [], "gems": ["r1c4", "r2c4"]}


def test_a_flag_on_a_gem_is_named_beside_the_deduction(desk: Path, capsys: Captured) -> None:
    (desk / "wrong.txt").write_text("0, 1, F\n0, 1, _\n0, 1, 1\n", encoding="utf-8")
    assert run(["hint", "wrong.txt"]) == 0
    assert "\nWrong flags, on gems: r1c3.\n" in capsys.readouterr().out
    assert hinted(capsys, "wrong.txt", "--rung", "1")["wrong_flags"] == ["r1c3"]


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
    ("arguments", "reason", "word", "code"),
    [
        (["sample:two-ways"], "no cell is certain: every hidden cell can be a trap or a gem", "uncertain", 0),
        (["done.txt"], "everything is decided", "decided", 0),
        (["sample:3x4", "--traps", "1"], "these clues conflict with the total of 1: r1c1", "conflict", 1),
        (["sample:9x9", "--time-limit", "1e-9"], "gave up: time limit reached", "gave-up", 3),
    ],
)
def test_if_nothing_can_be_deduced_the_reason_is_given(
    arguments: list[str], reason: str, word: str, code: int, desk: Path, capsys: Captured
) -> None:
    (desk / "done.txt").write_text("T, 1\n1, 1\n", encoding="utf-8")
    assert run(["hint", *arguments]) == code
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == f"{reason[0].upper()}{reason[1:]}."
    assert "says more" not in err
    record = hinted(capsys, *arguments)
    assert list(record) == FIELDS
    assert (record["rung"], record["reason"], record["code"]) == (None, reason, word)


POSITION = "_, 1, _, _\n_, 2, F, 1\n_, _, _, _\n_, _, 1, _\n"

GUESS_FIELDS = [
    *("position", "traps", "density", "assumption", "verdict", "reason", "best", "risk", "why"),
    *(
        "win_chance",
        "runners_up",
        "safe_twice",
        "worth",
        "forced",
        "wrong_flags",
        "at_other_densities",
        "version",
        "rollouts",
    ),
]

REPLAY = {
    "format": "gemhunter-replay",
    "version": 1,
    "id": None,
    "mines": ["*..", "..*"],
    "moves": ["reveal r1c2", "flag r2c3", "reveal r1c1"],
    "gave_up": False,
}


@pytest.fixture
def positions(desk: Path) -> Path:
    (desk / "position.txt").write_text(POSITION, encoding="utf-8")
    (desk / "lost.json").write_text(json.dumps(REPLAY), encoding="utf-8")
    return desk


def advised(capsys: Captured, *arguments: str, code: int = 0) -> dict[str, Any]:
    """What the command says as JSON."""
    assert run(["hint", *arguments, "--format", "json"]) == code
    record: dict[str, Any] = json.loads(capsys.readouterr().out)["guess"]
    assert sorted(record) == sorted(GUESS_FIELDS)
    return record


def test_the_best_cell_comes_first_and_is_marked_on_the_map(positions: Path, capsys: Captured) -> None:
    assert run(["hint", "position.txt", "--traps", "3"]) == 0
    out = capsys.readouterr().out
    assert (
        "open r4c2: the best cell by exact search to the end of the game, risk 16.7 %\n"
        "chance of winning: 83.3 %\n"
        "forced gems: none\nforced traps: none\ntraps: 3\n"
    ) in out
    assert "cell  risk    chance of winning\nr4c2  16.7 %  83.3 %\nr1c4  16.7 %  75.0 %\n" in out
    assert out.endswith(
        "  1 2 3 4\n1 _ 1 _ _\n2 _ 2 F 1\n3 _ _ _ _\n4 _ @ 1 _\n"
        "@ is the cell to open, F a flag on another cell\n"
    )


def test_without_a_total_it_says_what_it_assumes(positions: Path, capsys: Captured) -> None:
    assert run(["hint", "position.txt"]) == 0
    out = capsys.readouterr().out
    assert "traps: unknown; assuming 20 % of all cells (see --traps, --density)\n" in out
    assert "at a density of 12 %, the same cell is best\n" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--density", "0.2"], "traps: unknown; assuming 20 % of all cells"),
        (["--density", "0.5"], "traps: unknown; all solutions count the same"),
        (["--traps", "3"], "traps: 3"),
    ],
)
def test_hint_and_analyse_assume_what_the_same_option_says_in_the_same_words(
    positions: Path, capsys: Captured, options: list[str], words: str
) -> None:
    for command in ("hint", "analyse"):
        assert run([command, "position.txt", *options]) == 0
        assert f"\n{words}\n" in capsys.readouterr().out
    advice = advised(capsys, "position.txt", *options)
    assert run(["analyse", "position.txt", *options, "--format", "json"]) == 0
    analysis = json.loads(capsys.readouterr().out)
    assert advice["assumption"] == analysis["assumption"] == words
    for each in [{"cell": advice["best"], "risk": advice["risk"]}, *advice["runners_up"]]:
        row, col = map(int, each["cell"][1:].split("c"))
        assert each["risk"] == pytest.approx(analysis["probability"][row - 1][col - 1])


def test_json_has_the_same_for_programs(positions: Path, capsys: Captured) -> None:
    record = advised(capsys, "position.txt", "--traps", "3")
    assert (record["verdict"], record["best"], record["traps"]) == ("advised", "r4c2", 3)
    assert record["win_chance"] == pytest.approx(5 / 6)
    assert record["runners_up"][0]["cell"] == "r1c4"
    assert record["forced"] == {"gems": [], "traps": [], "complete": True}
    assert advised(capsys, "position.txt", "--density", "0.3")["density"] == 0.3


def test_a_position_without_a_solution_is_one_line_and_code_1(positions: Path, capsys: Captured) -> None:
    assert run(["hint", "position.txt", "--traps", "1"]) == 1
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["absent.txt"], "error: absent.txt: no such file or directory"),
        (
            ["position.txt", "--traps", "3", "--density", "0.2"],
            "error: give either --traps or --density, not both",
        ),
        (["position.txt", "r1c1"], "error: position.txt: expected a board whose traps are all known"),
        (["2x3n2#5", "r1c1", "r1c1"], "error: move 2, reveal r1c1, changes nothing on this board"),
        (["2x3n2#5", "r9c9"], "error: row 9, column 9 is outside the 2×3 board"),
        (["2x3n2#5", "flag"], "error: `flag` needs a cell, such as flag r3c1"),
        (["2x3n2#5", "jump", "r1c1"], "error: 'jump' is not a cell"),
        (["1x2n1#1", "r1c1"], "error: 1x2n1#1: the game is won; there is nothing left to play"),
        (["sample:3x4", "--rung", "0"], "error: invalid value for '--rung': 0 is not in the range 1<=x<=5"),
        (["sample:3x4", "--rung", "6"], "error: invalid value for '--rung': 6 is not in the range 1<=x<=5"),
        (["sample:3x4", "--traps", "-1"], "error: invalid value for '--traps': -1 is too small"),
        *(
            (["position.txt", "--think", time], "error: invalid value for '--think'")
            for time in ("0", "-1", "soon", "1e9")
        ),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    positions: Path, capsys: Captured, arguments: list[str], error: str
) -> None:
    assert run(["hint", *arguments]) == 2
    out, message = capsys.readouterr()
    assert message.startswith(error)
    assert (out, message.count("\n")) == ("", 1)


def test_a_game_goes_on_with_the_moves_behind_its_id(positions: Path, capsys: Captured) -> None:
    assert run(["hint", "2x3n2#5", "reveal", "r1c1", "flag", "r2c2"]) == 0
    capsys.readouterr()
    assert advised(capsys, "expert#42")["why"] == "first move"


def test_a_lost_replay_is_advised_on_before_its_last_move(positions: Path, capsys: Captured) -> None:
    assert run(["hint", "lost.json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "lost.json: reveal r1c1 lost the game; this is the position before that move\n"
    assert "1 @ 2 _\n2 _ _ F\n" in printed.out


def test_a_mine_file_has_its_flags_and_its_total(positions: Path, capsys: Captured) -> None:
    (positions / "game.mine").write_text("3x2x2\nH2H\nHFH\n", encoding="utf-8")
    assert advised(capsys, "game.mine")["traps"] == 2


OPEN_POSITION = "\n".join(["# traps: 12", "1, _, _, _, _, _, _, _", *["_, _, _, _, _, _, _, _"] * 6])


@pytest.fixture(autouse=True)
def thinking(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(rollouts, "MAX_ROLLOUT_BOARDS", 2 * rollouts.ROLLOUT_BATCH)
    (desk / "open.txt").write_text(OPEN_POSITION, encoding="utf-8")
    (desk / "sure.txt").write_text("# traps: 1\n1, 1, _\n_, 1, _", encoding="utf-8")
    (desk / "end.txt").write_text("# traps: 2\n1, _, _\n_, _, _", encoding="utf-8")
    return desk


def test_two_lines_say_how_often_the_best_guesses_win(capsys: Captured) -> None:
    assert run(["hint", "open.txt", "--think", "600"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rates = next(line for line in lines if line.startswith("win rates on "))
    rate = r"r\dc\d \d+\.\d% ±\d+\.\d%"
    assert re.fullmatch(rf"win rates on 100 boards drawn at random, without luck: ({rate}(, )?){{4}}", rates)
    verdict = lines[lines.index(rates) + 1]
    points = r"r\dc\d wins \d+\.\d ±\d+\.\d points more often than r\dc\d in games on the same 100 boards"
    assert re.fullmatch(rf"{points}(: too close to call)?", verdict)


def test_json_has_win_rates_too(capsys: Captured) -> None:
    assert run(["hint", "open.txt", "--think", "600", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["guess"]["rollouts"]
    assert found["games"] == 100
    assert found["cells"][0]["behind"] == 0
    assert {"cell", "win_rate", "win_rate_low", "behind_high"} <= found["cells"][1].keys()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["sure.txt"], "nothing has to be guessed"),
        (["open.txt", "--density", "0.2"], "the number of traps is not known"),
        (["end.txt"], "the best guess is known exactly"),
        (["9x9n10#1"], "there are no guesses to compare"),
    ],
)
def test_a_note_says_why_nothing_is_thought_over(words: list[str], why: str, capsys: Captured) -> None:
    assert run(["hint", *words, "--think", "600"]) == 0
    assert f"note: {why}, so --think has no effect\n" in capsys.readouterr().err


@pytest.mark.parametrize(("margins", "is_switched"), [(1.2, False), (2.0, True)])
def test_a_guess_has_to_win_more_often_by_more_than_its_margin_to_become_the_advice(
    margins: float, is_switched: bool, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def rigged(grid: object, total: int, cell: Cell, boards: list[object]) -> "np.typing.NDArray[np.float64]":
        # Of 100 results that are 1 above and below their mean in turn, the margin of the mean is 0.199.
        return 0.01 * cell.row * (0.199 * margins + np.resize([-1.0, 1.0], len(boards)))

    monkeypatch.setattr(rollouts, "_results", rigged)
    assert run(["hint", "open.txt", "--think", "600", "--format", "json"]) == 0
    assert (json.loads(capsys.readouterr().out)["guess"]["why"] == BY_ROLLOUTS) == is_switched
