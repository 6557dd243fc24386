"""`gemhunter advise`, as a user would run it."""

import json
from pathlib import Path
from typing import Any

import pytest

from gemhunter.cli.main import run

Captured = pytest.CaptureFixture[str]

POSITION = "_, 1, _, _\n_, 2, F, 1\n_, _, _, _\n_, _, 1, _\n"
FIELDS = [
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
def desk(desk: Path) -> Path:
    (desk / "position.txt").write_text(POSITION, encoding="utf-8")
    (desk / "lost.json").write_text(json.dumps(REPLAY), encoding="utf-8")
    return desk


def advised(capsys: Captured, *arguments: str, code: int = 0) -> dict[str, Any]:
    """What the command says as JSON."""
    assert run(["advise", *arguments, "--format", "json"]) == code
    record: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert sorted(record) == sorted(FIELDS)
    return record


def test_the_best_cell_comes_first_and_is_marked_on_the_map(desk: Path, capsys: Captured) -> None:
    assert run(["advise", "position.txt", "--traps", "3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "open r4c2: the best by exact search to the end, risk 16.7 %\nchance to win: 83.3 %\n"
        "forced gems: none\nforced traps: none\ntraps: 3\n"
    )
    assert "cell  risk    chance to win\nr4c2  16.7 %  83.3 %\nr1c4  16.7 %  75.0 %\n" in out
    assert out.endswith(
        "  1 2 3 4\n1 _ 1 _ _\n2 _ 2 F 1\n3 _ _ _ _\n4 _ @ 1 _\n"
        "@ is the cell to open, F a flag on another cell\n"
    )


def test_forced_cells_and_wrong_flags_are_named(desk: Path, capsys: Captured) -> None:
    (desk / "flags.txt").write_text("# traps: 1\nF, 1, 0\nF, 1, 0\n1, 1, 0\n", encoding="utf-8")
    assert run(["advise", "flags.txt"]) == 0
    assert capsys.readouterr().out == (
        "open r1c1: proven safe, risk 0 %\nchance to win: 100 %\nforced gems: r1c1\n"
        "forced traps: r2c1 (all of them have a flag)\nwrong flags, on gems: r1c1\ntraps: 1\n"
        "  1 2 3\n1 @ 1 0\n2 ! 1 0\n3 1 1 0\n@ is the cell to open, ! a certain trap\n"
    )


def test_without_a_total_it_says_what_it_assumes(desk: Path, capsys: Captured) -> None:
    assert run(["advise", "position.txt"]) == 0
    out = capsys.readouterr().out
    assert "traps: unknown; assume 20 % of all cells (see --traps, --density)\n" in out
    assert "at 12 % instead, the same cell is best\n" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--density", "0.2"], "traps: unknown; assume 20 % of all cells"),
        (["--density", "0.5"], "traps: unknown; all solutions count the same"),
        (["--traps", "3"], "traps: 3"),
    ],
)
def test_advise_and_analyse_assume_what_the_same_option_says_in_the_same_words(
    desk: Path, capsys: Captured, options: list[str], words: str
) -> None:
    for command in ("advise", "analyse"):
        assert run([command, "position.txt", *options]) == 0
        assert f"\n{words}\n" in capsys.readouterr().out
    advice = advised(capsys, "position.txt", *options)
    assert run(["analyse", "position.txt", *options, "--format", "json"]) == 0
    analysis = json.loads(capsys.readouterr().out)
    assert advice["assumption"] == analysis["assumption"] == words
    for each in [{"cell": advice["best"], "risk": advice["risk"]}, *advice["runners_up"]]:
        row, col = map(int, each["cell"][1:].split("c"))
        assert each["risk"] == pytest.approx(analysis["probability"][row - 1][col - 1])


def test_json_has_the_same_for_programs(desk: Path, capsys: Captured) -> None:
    record = advised(capsys, "position.txt", "--traps", "3")
    assert (record["verdict"], record["best"], record["traps"]) == ("advised", "r4c2", 3)
    assert record["win_chance"] == pytest.approx(5 / 6)
    assert record["runners_up"][0]["cell"] == "r1c4"
    assert record["forced"] == {"gems": [], "traps": [], "complete": True}
    assert advised(capsys, "position.txt", "--density", "0.3")["density"] == 0.3


def test_a_position_without_a_solution_is_one_line_and_code_1(desk: Path, capsys: Captured) -> None:
    assert run(["advise", "position.txt", "--traps", "1"]) == 1
    assert capsys.readouterr().out.count("\n") == 1
    assert advised(capsys, "position.txt", "--traps", "1", code=1)["verdict"] == "refuted"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["open.txt"], "error: nothing is hidden in this position"),
        (["absent.txt"], "error: absent.txt: no such file or directory"),
        (
            ["position.txt", "--traps", "3", "--density", "0.2"],
            "error: --traps and --density exclude each other",
        ),
        (["position.txt", "r1c1"], "error: position.txt: expected a board whose traps are all known"),
        (["2x3n2#5", "r1c1", "r1c1"], "error: move 2, reveal r1c1, changes nothing on this board"),
        (["2x3n2#5", "r9c9"], "error: row 9, column 9 is outside the 2×3 board"),
        (["2x3n2#5", "flag"], "error: `flag` needs a cell, such as flag r3c1"),
        (["2x3n2#5", "jump", "r1c1"], "error: 'jump' is not a cell"),
        (["1x2n1#1", "r1c1"], "error: 1x2n1#1: the game is won; there is nothing left to play"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    desk: Path, capsys: Captured, arguments: list[str], error: str
) -> None:
    (desk / "open.txt").write_text("T, 1\n1, 1\n", encoding="utf-8")
    assert run(["advise", *arguments]) == 2
    message = capsys.readouterr().err
    assert message.startswith(error)
    assert message.count("\n") == 1


def test_a_game_goes_on_with_the_moves_behind_its_id(desk: Path, capsys: Captured) -> None:
    record = advised(capsys, "2x3n2#5", "reveal", "r1c1", "flag", "r2c2")
    assert (record["traps"], record["verdict"]) == (2, "advised")
    assert advised(capsys, "expert#42")["why"] == "first move"


def test_a_lost_replay_is_advised_on_before_its_last_move(desk: Path, capsys: Captured) -> None:
    assert run(["advise", "lost.json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "lost.json: reveal r1c1 lost the game; this is the position before that move\n"
    assert "1 @ 2 _\n2 _ _ F\n" in printed.out


def test_a_mine_file_has_its_flags_and_its_total(desk: Path, capsys: Captured) -> None:
    (desk / "game.mine").write_text("3x2x2\nH2H\nHFH\n", encoding="utf-8")
    assert advised(capsys, "game.mine")["traps"] == 2


def test_the_option_wins_over_the_total_of_the_file(desk: Path, capsys: Captured) -> None:
    (desk / "position.txt").write_text(f"# traps: 4\n{POSITION}", encoding="utf-8")
    assert run(["advise", "position.txt", "--traps", "3"]) == 0
    warned = "warning: position.txt: the board gives 4 as its number of traps; --traps 3 is used instead\n"
    assert capsys.readouterr().err == warned


def test_the_advice_can_be_written_to_a_file(desk: Path, capsys: Captured) -> None:
    assert run(["advise", "position.txt", "--traps", "3", "-o", "advice.txt"]) == 0
    assert capsys.readouterr().out == ""
    assert (desk / "advice.txt").read_text(encoding="utf-8").startswith("open r4c2: ")
