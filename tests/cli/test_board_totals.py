"""Totals and flags in board files, and replays as the position they ended in, in all commands."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gemhunter import BoardError, InputError, parse_grid, read_position
from gemhunter.board.grid import Cell
from gemhunter.cli.main import run
from gemhunter.files.folders import looks_like_board
from gemhunter.files.text import parse_position

Captured = pytest.CaptureFixture[str]

ROWS = "_, 1, _, _\n_, 2, _, 1\n_, _, _, _\n_, _, 1, 0\n"
REPLAY = {
    "format": "gemhunter-replay",
    "version": 1,
    "id": None,
    "mines": ["*..", "..*"],
    "moves": ["reveal r1c2", "flag r2c3"],
    "gave_up": False,
}
LOST = {**REPLAY, "moves": ["reveal r1c2", "flag r2c3", "reveal r1c1"]}


@pytest.fixture
def desk(desk: Path) -> Path:
    (desk / "three.txt").write_text(f"# traps: 3\n{ROWS}", encoding="utf-8")
    (desk / "open.json").write_text(json.dumps(REPLAY), encoding="utf-8")
    (desk / "lost.json").write_text(json.dumps(LOST), encoding="utf-8")
    return desk


@pytest.mark.parametrize(
    "text",
    [
        f"# traps: 3\n{ROWS}",
        f"{ROWS}# traps: 3",
        f"\n#mines = 3\n\n{ROWS}",
        f"  # MINES:3  \n4 4\n{ROWS}",
        json.dumps({"grid": ROWS.split("\n")[:4], "traps": 3}),
    ],
)
def test_a_board_can_give_its_total(text: str) -> None:
    position = parse_position(text)
    assert position.total == 3
    assert position.grid == parse_grid(ROWS)


def test_a_grid_is_read_from_a_text_with_a_total() -> None:
    assert parse_grid(f"# traps: 3\n{ROWS}") == parse_grid(ROWS)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("# traps: many\n_, 1", "board:1:1: expected a number of traps, as in `# traps: 40`, found 'many'"),
        ("# traps:\n_, 1", "board:1:1: expected a number of traps, as in `# traps: 40`, found ''"),
        (
            "_, 1\n# traps: 1\n_, 1",
            "board:2:1: the number of traps is inside the board; expected it above or below",
        ),
        (
            "# traps: 1\n_, 1\n# mines: 2",
            "board:3:1: the number of traps is given twice; expected one such line",
        ),
        ("# traps: 1\n_, x", "board:2:4: expected `_`, a clue 0-8, `T` or `G`, found 'x'"),
        ('{"grid": ["_1"], "traps": "2"}', "board: `traps` is the number of all traps, such as 40"),
    ],
)
def test_a_bad_line_with_a_total_is_refused(text: str, fault: str) -> None:
    with pytest.raises(BoardError) as refused:
        parse_position(text)
    assert str(refused.value) == fault


def test_hidden_cells_written_as_hashes_are_no_total() -> None:
    assert parse_position("# # 1\n# 1 1").total is None


def test_a_file_that_begins_with_a_total_is_a_board_of_a_folder() -> None:
    assert looks_like_board(f"# traps: 3\n{ROWS}")


def test_a_flag_is_an_unknown_cell_with_an_opinion() -> None:
    position = parse_position("F, 1, _\nf, 1, T")
    assert str(position.grid) == "_, 1, _\n_, 1, T"
    assert position.flags.tolist() == [[True, False, False], [True, False, False]]


def count_of(capsys: Captured, *arguments: str) -> str:
    assert run(["analyse", *arguments, "--format", "json"]) == 0
    return str(json.loads(capsys.readouterr().out)["count"])


def test_analyse_uses_the_total_of_the_file(desk: Path, capsys: Captured) -> None:
    assert count_of(capsys, "three.txt") == "6"
    assert count_of(capsys, "three.txt", "--traps", "2") == "2"
    assert count_of(capsys, "three.txt", "--density", "0.5") == "16"


def test_the_option_wins_with_a_warning(desk: Path, capsys: Captured) -> None:
    assert run(["analyse", "three.txt", "--traps", "2"]) == 0
    warned = "warning: three.txt: the board gives 3 as its number of traps; --traps 2 is used instead\n"
    assert capsys.readouterr().err == warned
    assert run(["analyse", "three.txt", "--traps", "3"]) == 0
    assert capsys.readouterr().err == ""


def test_solve_uses_the_total_of_the_file(desk: Path, capsys: Captured) -> None:
    (desk / "three.txt").write_text(f"# traps: 9\n{ROWS}", encoding="utf-8")
    assert run(["solve", "three.txt"]) == 1
    assert "conflict with the total of 9" in capsys.readouterr().out
    assert run(["solve", "three.txt", "--all"]) == 1


def test_cnf_trace_decode_and_proofs_use_the_total_of_the_file(desk: Path, capsys: Captured) -> None:
    (desk / "one.txt").write_text("# traps: 2\n_, 1, _, _\n", encoding="utf-8")
    assert run(["cnf", "one.txt"]) == 0
    assert "2 traps in all" in capsys.readouterr().out
    (desk / "model").write_text("v 1 -2 -3 0\n", encoding="utf-8")
    assert run(["decode", "one.txt", "model"]) == 2
    (desk / "model").write_text("v 1 -2 3 0\n", encoding="utf-8")
    assert run(["decode", "one.txt", "model"]) == 0
    (desk / "none.txt").write_text("# traps: 3\n_, 1, _, _\n", encoding="utf-8")
    assert run(["solve", "none.txt", "-e", "pysat:glucose4", "--proof", "none.drat"]) == 1
    assert run(["proof", "check", "none.txt", "none.drat"]) == 0
    capsys.readouterr()
    assert run(["trace", "one.txt"]) == 0
    assert "r1c4=T" in capsys.readouterr().out


def test_check_grades_with_the_total_of_the_file(desk: Path, capsys: Captured) -> None:
    (desk / "one.txt").write_text("# traps: 2\n_, 1, _, _\n", encoding="utf-8")
    (desk / "answer.txt").write_text("T, 1, G, G\n", encoding="utf-8")
    assert run(["check", "one.txt", "answer.txt"]) == 1
    (desk / "answer.txt").write_text("T, 1, G, T\n", encoding="utf-8")
    assert run(["check", "one.txt", "answer.txt"]) == 0


def test_a_replay_is_the_position_it_ended_in(desk: Path) -> None:
    position = read_position("open.json")
    assert (str(position.grid), position.total) == ("_, 2, _\n_, _, _", 2)
    assert position.flags[Cell(1, 2)]
    assert str(read_position("lost.json").grid) == "T, 2, _\n_, _, _"


def shown_by_solve(capsys: Captured, name: str) -> str:
    assert run(["solve", name, "--format", "json"]) == 0
    return "\n".join(json.loads(capsys.readouterr().out)["grid"])


def test_commands_read_a_replay_as_the_position_it_ended_in(desk: Path, capsys: Captured) -> None:
    assert count_of(capsys, "open.json") == "10"
    assert shown_by_solve(capsys, "open.json").count("T") == 2


@pytest.mark.parametrize("read", [parse_grid, parse_position])
def test_a_replay_is_never_read_as_an_opened_board(read: Callable[[str], object]) -> None:
    with pytest.raises(BoardError, match="a replay; expected a board"):
        read(json.dumps(LOST))


def test_a_replay_that_does_not_hold_is_refused_with_its_name(desk: Path) -> None:
    (desk / "bad.json").write_text(json.dumps({**REPLAY, "moves": ["reveal r1c2"] * 2}), encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.json: move 2, reveal r1c2, changes nothing"):
        read_position("bad.json")


def test_other_files_of_games_carry_their_totals(desk: Path, capsys: Captured) -> None:
    (desk / "game.mine").write_text("3x2x2\nH2H\nHFH\n", encoding="utf-8")
    position = read_position("game.mine")
    assert (position.total, position.flags.tolist()) == (2, [[False] * 3, [False, True, False]])
    assert count_of(capsys, "game.mine") == "10"
    (desk / "map.json").write_text('{"mines": ["*..", "..*"], "shown": ["010", "000"]}', encoding="utf-8")
    assert count_of(capsys, "map.json") == "10"


def test_ids_are_games_before_their_first_move() -> None:
    position = read_position("3x4n2#7")
    assert (str(position.grid), position.total) == ("\n".join(["_, _, _, _"] * 3), 2)
    assert str(read_position("3x2:1,0,u84").grid) == "_, 2, _\n_, _, _"


def test_convert_keeps_the_total_of_the_file_and_lets_the_option_win(desk: Path, capsys: Captured) -> None:
    assert run(["convert", "three.txt", "--to", "mine"]) == 0
    assert capsys.readouterr().out.startswith("4x4x3\n")
    assert run(["convert", "three.txt", "--to", "mine", "--traps", "4"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("4x4x4\n")
    assert printed.err.startswith("warning: three.txt: the board gives 3 as its number of traps")
