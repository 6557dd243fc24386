"""The `watch` command: how a game went, in words, as JSON, and in pictures."""

import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from gemhunter.board.grid import Cell
from gemhunter.cli.main import run
from gemhunter.cli.play import find_game
from gemhunter.draw.palette import CROSS_COLOUR, rgb
from gemhunter.files.boards import write_board
from gemhunter.files.json_boards import write_replay
from gemhunter.play.game import new_game
from table import mines

Captured = pytest.CaptureFixture[str]

WON, STUCK = "6x9n8#2", "5x7n6#2"


@pytest.fixture(autouse=True)
def in_desk(desk: Path) -> None:
    """Files are named by their names alone."""


def test_a_game_is_told_with_its_numbers(capsys: Captured) -> None:
    assert run(["watch", "-a", "resolution", STUCK]) == 0
    first, *rows, last = capsys.readouterr().out.splitlines()
    assert first == "resolution plays 5x7n6#2:any with 6 initial safe cells"
    assert len(rows) == 5
    assert re.fullmatch(r"stuck: 24 of 35 cells marked, \d+ matching rounds, \d+ turns, no guess", last)
    assert sum(row.count("_") for row in rows) == 35 - 24


@pytest.fixture
def game_file() -> str:
    """A game that has been begun at an opening, as a replay."""
    write_replay("game.json", new_game("6x9n8#2:opening").reveal(Cell(2, 3)).replay)
    return "game.json"


def test_a_file_is_played_on_as_it_stands(game_file: str, capsys: Captured) -> None:
    assert run(["watch", "-a", "resolution", game_file, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["game"], record["initial"]) == ("6x9n8#2:opening", 0)
    assert record["marked"] > 10
    assert record["turns"][0]["risk"] == 0


def test_a_board_without_an_id_is_called_like_its_file(capsys: Captured) -> None:
    write_board("board.mine", mines("...*"))
    run(["watch", "-a", "resolution", "board.mine"])
    assert capsys.readouterr().out.startswith("resolution plays board.mine with 2 initial safe cells\n")


def test_a_game_that_has_begun_gets_no_initial_cells(game_file: str, capsys: Captured) -> None:
    assert run(["watch", "-a", "resolution", game_file, "--initial", "one"]) == 2
    assert "--initial is for a game that has not begun" in capsys.readouterr().err


def test_one_turn_is_no_turns(capsys: Captured) -> None:
    run(["watch", "-a", "resolution", STUCK, "--initial", "half"])
    assert capsys.readouterr().out.splitlines()[-1].endswith(", 2 matching rounds, 1 turn, no guess")


def test_without_initial_cells_the_first_one_is_a_guess(capsys: Captured) -> None:
    run(["watch", "-a", "resolution", "9x9n10#2:any", "--initial", "0", "--seed", "4", "--steps"])
    out = capsys.readouterr().out
    assert re.search(r"^\d+\. r\d+c\d+ safe \(a guess, risk 12.3 %\)$", out, re.MULTILINE)
    assert "1 guess at a risk of 12.3 %" in out
    assert "initial" not in out


@pytest.mark.parametrize("rule", ["", ":opening"])
def test_a_first_cell_that_the_rule_keeps_safe_is_no_guess(rule: str, capsys: Captured) -> None:
    run(["watch", "-a", "resolution", f"9x9n10#2{rule}", "--initial", "0", "--steps"])
    out = capsys.readouterr().out
    assert "a guess" not in out
    assert out.endswith("no guess\n")


def test_without_initial_cells_the_rule_for_the_first_click_holds(capsys: Captured) -> None:
    run(["watch", "-a", "resolution", "9x9n10#2:opening", "--initial", "0", "--format", "json"])
    record = json.loads(capsys.readouterr().out)
    assert record["game"] == "9x9n10#2:opening"
    assert len(record["turns"]) > 2


def test_json_has_every_turn(capsys: Captured) -> None:
    run(["watch", "-a", "resolution", WON, "--format", "json", "--initial", "7", "--steps"])
    record = json.loads(capsys.readouterr().out)
    assert (record["outcome"], record["marked"], record["initial"]) == ("won", 54, 7)
    assert record["counters"]["marked cells"] == 54
    assert record["guesses"] == []
    assert all(turn["risk"] == 0 and turn["why"] for turn in record["turns"])
    assert len(record["grid"]) == 6


def test_a_game_that_begins_won_has_no_turns(capsys: Captured) -> None:
    assert run(["watch", "-a", "resolution", "3x4n2#1", "--initial", "10", "-o", "one.gif"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("won: 12 of 12 cells marked, ")
    with Image.open("one.gif") as image:
        assert getattr(image, "n_frames", 1) == 13


def test_frames_take_the_place_of_those_of_an_earlier_game() -> None:
    folder = Path("new/frames")
    run(["watch", "-a", "resolution", WON, "--frames", str(folder)])
    assert {path.name for path in folder.iterdir()} == {f"{number}.png" for number in range(55)}
    (folder / "2026.png").write_text("kept", encoding="utf-8")
    run(["watch", "-a", "resolution", "3x4n2#1", "--frames", str(folder)])
    few = {f"{number}.png" for number in range(len(list(folder.iterdir())) - 1)}
    assert {path.name for path in folder.iterdir()} == few | {"2026.png"}
    assert len(few) <= 13


def test_frames_differ_and_are_as_many_as_in_the_animation() -> None:
    run(["watch", "-a", "resolution", WON, "--frames", "frames", "-o", "game.gif"])
    frames = [Path(f"frames/{number}.png").read_bytes() for number in range(55)]
    assert all(before != after for before, after in pairwise(frames))
    with Image.open("game.gif") as image:
        assert getattr(image, "n_frames", 1) == len(frames)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["esay"], "no level named 'esay'; did you mean 'easy'?"),
        (["easy#x"], "'easy#x' is not a game id; expected LEVEL#SEED"),
        (["easy#1", "--first-click", "any"], "--first-click is for levels; an id or a file has its own"),
        (
            ["easy", "--first-click", "any", "--initial", "4"],
            "--initial and --first-click exclude each other",
        ),
        (["easy#1", "--agent", "resoluton"], "no agent named 'resoluton'; did you mean 'resolution'?"),
        (["easy#1", "--initial", "many"], "initial safe cells are half, one, two or a number from 0 to 71"),
        (["easy#1", "-o", "nowhere/game.gif"], "cannot write nowhere/game.gif"),
        (["easy#1", "--frames", "file.txt/frames"], "cannot write file.txt/frames: not a directory"),
        (["easy#1", "--frames", "file.txt"], "is a file"),
        (["easy#1", "--frames", "a/{lvl}"], "are {level}, {initial}, {marked}, {rounds}, not a/{lvl}"),
        (["easy#1", "--frames", "{level"], "are {level}, {initial}, {marked}, {rounds}, not {level"),
        (["easy#1", "--frames", "file.txt/{level}"], "cannot write file.txt: not a directory"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(
    arguments: list[str], message: str, capsys: Captured
) -> None:
    Path("file.txt").touch()
    assert run(["watch", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not printed.out
    assert [path.name for path in Path().iterdir()] == ["file.txt"]


def test_what_goes_wrong_late_is_said_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def no_folder(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", no_folder)
    assert run(["watch", "-a", "resolution", "3x4n2#1", "--frames", "frames"]) == 2
    assert capsys.readouterr().err == "error: cannot write frames: no space left on device\n"


def seen(capsys: Captured, *arguments: str) -> dict[str, object]:
    """What the command says as JSON."""
    assert run(["watch", *arguments, "--format", "json"]) == 0
    record: dict[str, object] = json.loads(capsys.readouterr().out)
    return record


def test_a_level_means_what_it_means_to_play(capsys: Captured) -> None:
    first = seen(capsys, "easy", "--seed", "7")
    assert (first["game"], first["agent"]) == ("9x9n10#7", "expert")
    assert first["game"] == str(find_game("easy", 7, None).game_id)
    assert seen(capsys, "easy", "--seed", "7", "--first-click", "opening")["game"] == "9x9n10#7:opening"
    assert len({str(seen(capsys, "3x4n2")["game"]) for _ in range(3)}) == 3


def pretend_terminal(monkeypatch: pytest.MonkeyPatch, *, lines: int = 24, no_colour: str = "1") -> None:
    """Let standard output be a terminal of 80 columns."""
    settings = {"TERM": "xterm", "COLUMNS": "80", "LINES": str(lines), "NO_COLOR": no_colour}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)


def test_a_game_is_shown_move_by_move_and_its_end_stays(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_terminal(monkeypatch)
    assert run(["watch", WON, "--pace", "0", "-o", "game.json"]) == 0
    moves = json.loads(Path("game.json").read_text(encoding="utf-8"))["moves"]
    _, *screens, end = capsys.readouterr().out.split("expert plays 6x9n8#2\n")
    assert len({screen.count("_") for screen in screens}) == 1 + len(moves)
    assert end.startswith("  1 2 3 4 5 6 7 8 9\n")
    assert end.splitlines()[-1].startswith("won: 54 of 54 cells marked")


def test_what_a_move_changed_stands_out(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_terminal(monkeypatch, no_colour="")
    assert run(["watch", "3x4n2#1", "--pace", "0"]) == 0
    _, _, first, *_, end = capsys.readouterr().out.split("expert plays 3x4n2#1")
    assert re.search(r"1\. r\d+c\d+ safe", first)
    assert first.count("\x1b[30;43m") > 0
    assert "\x1b[30;43m" not in end


def test_a_board_that_is_too_tall_for_the_terminal_is_shown_at_its_end_only(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_terminal(monkeypatch, lines=9)
    assert run(["watch", WON]) == 0
    out, err = capsys.readouterr()
    assert out.count("expert plays 6x9n8#2") == 1
    assert err == "note: this game needs 10 lines, but the terminal has 9; only its end is shown\n"


def test_ctrl_c_clears_the_game_and_shows_the_cursor_again(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press_ctrl_c(seconds: float) -> None:
        raise KeyboardInterrupt

    pretend_terminal(monkeypatch)
    monkeypatch.setattr("gemhunter.cli.watch.time.sleep", press_ctrl_c)
    assert run(["watch", WON]) == 130
    out, err = capsys.readouterr()
    assert out.endswith("\x1b[1A\x1b[2K" * 8)
    assert out.index("\x1b[?25l") < out.index("\x1b[?25h")
    assert err.strip() == "stopped"


def test_a_terminal_that_cannot_move_its_cursor_gets_the_end_only(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["watch", WON]) == 0
    out = capsys.readouterr().out
    assert out.count("expert plays 6x9n8#2") == 1
    assert "\x1b" not in out


def test_the_truth_is_in_pictures_only_if_asked_for() -> None:
    colours = {}
    for name, extra in (("seen", []), ("true", ["--truth"])):
        run(["watch", STUCK, "--frames", name, *extra])
        with Image.open(f"{name}/0.png") as image:
            colours[name] = {colour for _, colour in image.convert("RGB").getcolors() or ()}
    assert rgb(CROSS_COLOUR) not in colours["seen"]
    assert rgb(CROSS_COLOUR) in colours["true"]
