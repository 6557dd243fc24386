"""Every command that takes a board takes every kind of board file, and uses the total that the file has."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.cli.main import COMMAND_NAMES, run
from gemhunter.files.json_boards import write_replay
from gemhunter.files.minesweeper import write_mbf
from gemhunter.files.sgt import SgtGame, write_sgt
from gemhunter.play.game import new_game

Captured = pytest.CaptureFixture[str]

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
    "advise": ["advise", "FILE", "--format", "json"],
    "check": ["check", "FILE", "ANSWER"],
    "trace": ["trace", "FILE", "-e", "backtracking"],
    "convert": ["convert", "FILE", "--to", "json"],
    "cnf": ["cnf", "FILE"],
    "decode": ["decode", "FILE", "model.txt"],
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
def desk(desk: Path) -> Path:
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


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("file", KINDS)
@pytest.mark.parametrize("name", ON_BOARDS)
def test_every_command_takes_every_kind_of_board_file(name: str, file: str, capsys: Captured) -> None:
    code, errors = run_on(name, file), capsys.readouterr().err
    if name == "advise" and file in TRUTHS:
        assert (code, errors) == (2, "error: nothing is hidden in this position\n")
        return
    assert "error" not in errors
    assert code == (1 if name == "proof check" else 0)


@pytest.mark.usefixtures("desk")
def test_engines_are_compared_on_files_of_other_programs(capsys: Captured) -> None:
    files = ["position.mine", "game.sgt", "game.mbf"]
    assert run(["bench", "run", *files, "-e", "pysat", "--runs", "1", "-q"]) == 0
    assert "failed" not in capsys.readouterr().out


def test_every_command_is_tried_with_boards_or_is_about_something_else() -> None:
    assert {*ABOUT_NO_BOARD, *(words[0] for words in ON_BOARDS.values())} == set(COMMAND_NAMES)


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("file", KINDS)
def test_the_total_of_a_file_is_used(file: str, capsys: Captured) -> None:
    assert document("analyse", file, capsys)["traps"] == TOTAL
    assert document("explain", file, capsys)["traps"] == TOTAL
    if file not in TRUTHS:
        assert document("advise", file, capsys)["traps"] == TOTAL
    found = [solution["grid"] for solution in document("solve --all", file, capsys)]
    assert {"".join(rows).count("T") for rows in found} == {TOTAL}
    run_on("cnf", file)
    assert f"{TOTAL} traps in all" in capsys.readouterr().out


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("file", [file for file in KINDS if file not in TRUTHS])
def test_an_answer_with_another_total_is_wrong(file: str, capsys: Captured) -> None:
    Path("answer.txt").write_text("0, 1, T, G\n0, 1, G, G\n0, 1, G, G\n", encoding="utf-8")
    assert run_on("check", file) == 1
    Path("model.txt").write_text("s SATISFIABLE\nv -1 2 3 4 -5 -6 0\n", encoding="utf-8")
    assert run_on("decode", file) == 2
    assert "not a model of this board" in capsys.readouterr().err
