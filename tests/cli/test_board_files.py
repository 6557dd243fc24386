"""Every command takes every kind of board file, with its total, its flags and its moves."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemhunter import BoardError, InputError, parse_grid, read_position
from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.cli.commands import COMMAND_NAMES
from gemhunter.cli.main import run
from gemhunter.files.folders import looks_like_board
from gemhunter.files.json_boards import write_replay
from gemhunter.files.minesweeper import SgtGame, write_mbf, write_sgt
from gemhunter.files.text import parse_position
from gemhunter.play.game import new_game

Captured = pytest.CaptureFixture[str]

ROWS = "_, 1, _, _\n_, 2, _, 1\n_, _, _, _\n_, _, 1, 0\n"

OPEN_REPLAY = {
    "format": "gemhunter-replay",
    "version": 1,
    "id": None,
    "mines": ["*..", "..*"],
    "moves": ["reveal r1c2", "flag r2c3"],
    "gave_up": False,
}
LOST = {**OPEN_REPLAY, "moves": ["reveal r1c2", "flag r2c3", "reveal r1c1"]}


@pytest.fixture
def desk(desk: Path) -> Path:
    (desk / "three.txt").write_text(f"# traps: 3\n{ROWS}", encoding="utf-8")
    (desk / "open.json").write_text(json.dumps(OPEN_REPLAY), encoding="utf-8")
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
        ('{"grid": ["_1"], "traps": "2"}', "board: `traps` must be the number of all traps, such as 40"),
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
    assert run(["cnf", "one.txt", "--model", "model"]) == 2
    (desk / "model").write_text("v 1 -2 3 0\n", encoding="utf-8")
    assert run(["cnf", "one.txt", "--model", "model"]) == 0
    (desk / "none.txt").write_text("# traps: 3\n_, 1, _, _\n", encoding="utf-8")
    assert run(["solve", "none.txt", "-e", "pysat:glucose4", "-o", "none.drat"]) == 1
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


def test_answers_of_solve_are_not_mistaken_for_a_damaged_board(desk: Path, capsys: Captured) -> None:
    assert run(["solve", "sample:3x4", "-o", "answers.txt", "-o", "answers.json"]) == 0
    capsys.readouterr()
    assert run(["convert", "answers.txt"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "answers that `solve` wrote" in line
    assert run(["convert", "answers.json", "--format", "compact"]) == 0
    assert capsys.readouterr().out == "3T2G\nTT2G\nT31G\n"


def test_a_replay_that_does_not_hold_is_refused_with_its_name(desk: Path) -> None:
    (desk / "bad.json").write_text(
        json.dumps({**OPEN_REPLAY, "moves": ["reveal r1c2"] * 2}), encoding="utf-8"
    )
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


def test_the_total_and_the_flags_are_kept_or_it_is_noted_that_they_are_not(
    desk: Path, capsys: Captured
) -> None:
    (desk / "first.mine").write_text("4x1x2\nHFHH\n", encoding="utf-8")
    for file in ("board.json", "board.mine"):
        assert run(["convert", "first.mine", "-o", file]) == 0
        assert read_position(file) == read_position("first.mine")
        assert "cannot be written" not in capsys.readouterr().err
    assert run(["convert", "first.mine", "-o", "board.txt"]) == 0
    assert "the number of traps and flags cannot be written as text" in capsys.readouterr().err


def test_convert_keeps_the_total_of_the_file_and_lets_the_option_win(desk: Path, capsys: Captured) -> None:
    assert run(["convert", "three.txt", "--format", "mine"]) == 0
    assert capsys.readouterr().out.startswith("4x4x3\n")
    assert run(["convert", "three.txt", "--format", "mine", "--traps", "4"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("4x4x4\n")
    assert printed.err.startswith("warning: three.txt: the board gives 3 as its number of traps")


TRAPS = np.array([[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]], bool)
BOARD, TOTAL, FIRST = Board(TRAPS), 2, Cell(0, 0)

SHOWN = ["0, 1, _, _", "0, 1, _, _", "0, 1, _, _"]
"""What a player sees after the first click. Without the total, the board has more solutions."""

KINDS = {
    "rows.txt": f"# traps: {TOTAL}\n" + "\n".join(SHOWN),
    "position.mine": f"4x3x{TOTAL}\n01HH\n01HH\n01HH\n",
    "rows.json": json.dumps({"grid": SHOWN, "traps": TOTAL}),
    "map.json": json.dumps({"mines": ["...*", "..*.", "...."], "shown": ["11..", "11..", "11.."]}),
    "game.sgt": write_sgt(SgtGame(BOARD, FIRST)),
    "game.mbf": write_mbf(BOARD),
    "game.abf": write_mbf(BOARD),
    "replay.json": None,
}
"""The files by name; a replay is written from a game."""

TRUTHS = ("game.mbf", "game.abf")
"""Files that leave no cell hidden: there is nothing to advise, and their clues belong to an answer."""

ON_BOARDS = {
    "solve": ["solve", "FILE"],
    "solve --all": ["solve", "FILE", "--all", "--format", "json"],
    "analyse": ["analyse", "FILE", "--format", "json"],
    "hint": ["hint", "FILE", "--rung", "5", "--format", "json"],
    "explain": ["explain", "FILE", "--format", "json"],
    "check": ["check", "FILE", "ANSWER"],
    "trace": ["trace", "FILE", "-e", "backtracking"],
    "convert": ["convert", "FILE", "--format", "json"],
    "cnf": ["cnf", "FILE"],
    "cnf --model": ["cnf", "FILE", "--model", "model.txt"],
    "proof check": ["proof", "check", "FILE", "steps.drat"],
    "proof show": ["proof", "show", "FILE", "steps.drat"],
}
"""Command lines; another one is needed for each new command that takes boards."""

ABOUT_NO_BOARD = {
    *("bench", "play", "watch", "replay", "experiment", "report"),
    *("samples", "engines", "menu", "web", "warmup", "completion", "generate"),
}
"""Commands about games, suites and the program itself; another test is about `bench`."""


@pytest.fixture
def kinds(desk: Path) -> Path:
    """The current folder, with the board in files of all kinds, an answer, a model and a proof."""
    for name, content in KINDS.items():
        if content is None:
            write_replay(name, new_game(BOARD).reveal(FIRST).replay)
        else:
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    Path("answer.txt").write_text("0, 1, G, T\n0, 1, T, G\n0, 1, G, G\n", encoding="utf-8")
    Path("truth.txt").write_text(f"{BOARD.grid()}\n", encoding="utf-8")
    Path("model.txt").write_text("s SATISFIABLE\nv -1 2 3 -4 -5 -6 0\n", encoding="utf-8")
    Path("steps.drat").write_text("0\n", encoding="utf-8")
    return desk


def run_on(name: str, file: str) -> int:
    words = {"FILE": file, "ANSWER": "truth.txt" if file in TRUTHS else "answer.txt"}
    return run([words.get(word, word) for word in ON_BOARDS[name]])


def document(name: str, file: str, capsys: Captured) -> Any:
    assert run_on(name, file) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("kinds")
@pytest.mark.parametrize("file", KINDS)
@pytest.mark.parametrize("name", ON_BOARDS)
def test_every_command_takes_every_kind_of_board_file(name: str, file: str, capsys: Captured) -> None:
    code, errors = run_on(name, file), capsys.readouterr().err
    assert "error" not in errors
    assert code == (1 if name == "proof check" else 0)


@pytest.mark.usefixtures("kinds")
def test_engines_are_compared_on_files_of_other_programs(capsys: Captured) -> None:
    files = ["position.mine", "game.sgt", "game.mbf"]
    assert run(["bench", "run", *files, "-e", "pysat", "--runs", "1", "-q"]) == 0
    assert "failed" not in capsys.readouterr().out


def test_every_command_is_tried_with_boards_or_is_about_something_else() -> None:
    assert {*ABOUT_NO_BOARD, *(words[0] for words in ON_BOARDS.values())} == set(COMMAND_NAMES)


@pytest.mark.usefixtures("kinds")
@pytest.mark.parametrize("file", KINDS)
def test_the_total_of_a_file_is_used(file: str, capsys: Captured) -> None:
    assert document("analyse", file, capsys)["traps"] == TOTAL
    assert document("explain", file, capsys)["traps"] == TOTAL
    found = [solution["grid"] for solution in document("solve --all", file, capsys)]
    assert {"".join(rows).count("T") for rows in found} == {TOTAL}
    run_on("cnf", file)
    assert f"{TOTAL} traps in all" in capsys.readouterr().out


@pytest.mark.usefixtures("kinds")
@pytest.mark.parametrize("file", [file for file in KINDS if file not in TRUTHS])
def test_an_answer_with_another_total_is_wrong(file: str, capsys: Captured) -> None:
    Path("answer.txt").write_text("0, 1, T, G\n0, 1, G, G\n0, 1, G, G\n", encoding="utf-8")
    assert run_on("check", file) == 1
    Path("model.txt").write_text("s SATISFIABLE\nv -1 2 3 4 -5 -6 0\n", encoding="utf-8")
    assert run_on("cnf --model", file) == 2
    assert "not a model of this board" in capsys.readouterr().err
