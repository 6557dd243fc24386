"""`gemhunter replay`: a recorded game, how it ended, its animation and its review."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.cli import replay as command
from gemhunter.cli.main import run
from gemhunter.draw.palette import CROSS_COLOUR, rgb
from gemhunter.files.json_boards import write_replay
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game import new_game

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def desk(desk: Path) -> Path:
    """A folder with the replay of a game that has begun."""
    write_replay("r.json", new_game("2x3n2#1").reveal(Cell(0, 1)).flag(Cell(0, 0)).replay)
    return desk


def test_a_replay_shows_how_the_game_stood(capsys: Captured) -> None:
    assert run(["replay", "r.json", "--moves"]) == 0
    game = new_game("2x3n2#1").reveal(Cell(0, 1))
    rows = str(game.view.grid).split("\n")
    expected = ["2x3n2#1: playing after 2 moves", "reveal r1c2", "flag r1c1", f"F{rows[0][1:]}", rows[1]]
    assert capsys.readouterr().out.splitlines() == expected


def test_a_replay_of_a_lost_game_shows_where(capsys: Captured) -> None:
    game = new_game("2x3n2#1").reveal(Cell(0, 1))
    assert game.board is not None
    trap = Cell(*game.board.traps.nonzero()[0][:1].tolist(), *game.board.traps.nonzero()[1][:1].tolist())
    write_replay("lost.json", game.reveal(trap).replay)
    assert run(["replay", "lost.json", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["valid"], record["status"], record["exploded"]) == (True, "lost", str(trap))
    assert record["grid"][trap.row].split(", ")[trap.col] == "X"


def test_a_replay_is_animated_with_a_frame_per_move_as_its_player_saw_it() -> None:
    for name, extra in (("seen.gif", []), ("true.gif", ["--truth"])):
        assert run(["replay", "r.json", "-o", name, *extra]) == 0
    frames = {}
    for name in ("seen.gif", "true.gif"):
        with Image.open(name) as image:
            frames[name] = [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]
    assert len(frames["seen.gif"]) == len(frames["true.gif"]) == 3
    red = [
        (np.array(rgb(CROSS_COLOUR)) == frames[name][0]).all(axis=2).any()
        for name in ("seen.gif", "true.gif")
    ]
    assert red == [False, True]


def test_a_terminal_shows_a_replay_with_numbers(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["replay", "r.json"]) == 0
    _, numbers, first, _ = capsys.readouterr().out.splitlines()
    assert numbers == "  1 2 3"
    assert first.startswith("1 F ")


def test_a_file_has_no_colours_though_the_terminal_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["replay", "r.json", "-o", "r.txt"]) == 0
    assert "\x1b" not in Path("r.txt").read_text(encoding="utf-8")


def lost_guess() -> str:
    """Write the replay of a game that is lost by a guess; the name of the trap."""
    game = new_game(Board(parse_mines("*....*.."))).reveal(Cell(0, 1)).reveal(Cell(0, 0))
    write_replay("guess.json", game.replay)
    return "r1c1"


def test_a_review_lists_moves_that_could_lose_with_a_second_look(capsys: Captured) -> None:
    trap = lost_guess()
    assert run(["replay", "guess.json", "--review"]) == 0
    heading, first, second, compared, judged, survived, _ = capsys.readouterr().out.splitlines()
    assert heading.endswith(f"lost after 2 moves, at {trap}")
    assert first == "move 1, reveal r1c2: a fair guess: r1c2 had a risk of 25.0 %, and no cell was safer"
    assert second.startswith(
        f"move 2, reveal {trap}: a guess, as nothing was certain: {trap} had a risk of 50.0 %"
    )
    assert f"points more often than {trap}, exactly" in compared
    assert judged == "2 moves judged: 0 safe, 2 guesses, 0 needless risks"
    assert survived == "chance of surviving every risk that was taken: 37.5 %"


def test_a_review_as_json_has_a_record_for_every_judged_move(capsys: Captured) -> None:
    trap = lost_guess()
    assert run(["replay", "guess.json", "--review", "--format", "json"]) == 0
    review = json.loads(capsys.readouterr().out)["review"]
    assert (review["reviewed"], review["guesses"], review["survived"]) == (2, 2, 0.375)
    last = review["moves"][-1]
    assert (last["number"], last["verdict"], last["cell"]) == (2, "guess", trap)
    assert last["win_chance"]["exact"]
    assert last["compared"]["other"] == trap
    assert last["compared"]["more"] > 0


def test_a_review_that_is_stopped_shows_what_it_has(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    lost_guess()
    monkeypatch.setattr(command, "look_again", stopped)
    assert run(["replay", "guess.json", "--review"]) == 130
    assert "2 moves judged: 0 safe, 2 guesses, 0 needless risks" in capsys.readouterr().out


def test_a_watched_game_is_saved_and_reviewed(capsys: Captured) -> None:
    assert run(["watch", "4x5n4#2", "--agent", "fast", "-o", "watched.json"]) == 0
    ending = capsys.readouterr().out.splitlines()[-1]
    assert run(["replay", "watched.json", "--review", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    at = f" at {record['exploded']}" if record["exploded"] else ""
    assert ending.startswith(f"{record['status']}{at}: ")


def test_a_game_without_a_judged_move_has_a_short_review(capsys: Captured) -> None:
    assert run(["replay", "r.json", "--review"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "0 moves judged: 0 safe, 0 guesses, 0 needless risks"


def test_a_replay_that_does_not_hold_is_wrong(capsys: Captured) -> None:
    text = Path("r.json").read_text(encoding="utf-8")
    Path("bad.json").write_text(text.replace("2x3n2#1", "2x3n2#2"), encoding="utf-8")
    assert run(["replay", "bad.json"]) == 1
    assert capsys.readouterr().out.startswith("wrong: the board is not the one that 2x3n2#2 deals")
    assert run(["replay", "bad.json", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["valid"] is False


def test_what_is_no_replay_is_bad_input(capsys: Captured) -> None:
    Path("b.txt").write_text("T, 2, 1\n", encoding="utf-8")
    assert run(["replay", "b.txt"]) == 2
    assert capsys.readouterr().err.startswith("error: b.txt: not a replay")
