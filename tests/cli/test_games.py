"""`gemhunter convert` with games, and `gemhunter replay`."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.cli import replay as review_text
from gemhunter.cli.convert import FORM_BY_SUFFIX, convert
from gemhunter.cli.main import run
from gemhunter.draw.palette import CROSS_COLOUR, rgb
from gemhunter.files.boards import KIND_OF_SUFFIX, READABLE, WRITABLE
from gemhunter.files.json_boards import write_replay
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game import new_game

Captured = pytest.CaptureFixture[str]
WRITTEN = {
    "text": "T, 2, 1\n1, 2, T\n",
    "compact": "T21\n12T\n",
    "mine": "3x2x2\nM21\n12M\n",
    "mines": "*..\n..*\n",
    "sgt": "3x2:1,0,u84\n",
    "sgt-masked": "3x2:1,0,m84\n",
}
MBF = bytes([3, 2, 0, 2, 0, 0, 2, 1])


@pytest.fixture
def desk(desk: Path) -> Path:
    for form, suffix in [("text", "txt"), ("mine", "mine"), ("sgt", "sgt"), ("mines", "map")]:
        Path(f"b.{suffix}").write_text(WRITTEN[form], encoding="utf-8")
    Path("b.mbf").write_bytes(MBF)
    write_replay("r.json", new_game("2x3n2#1").reveal(Cell(0, 1)).flag(Cell(0, 0)).replay)
    return desk


@pytest.mark.parametrize("form", [*WRITTEN, "mbf"])
@pytest.mark.parametrize("board", ["b.txt", "b.mine", "b.sgt", "b.mbf", "3x2:1,0,u84"])
def test_the_truth_converts_from_every_form_to_every_other(
    desk: Path, capfdbinary: pytest.CaptureFixture[bytes], board: str, form: str
) -> None:
    assert run(["convert", board, "--to", form]) == 0
    written = capfdbinary.readouterr().out
    if form == "sgt-masked":
        (desk / "masked").write_bytes(written)
        assert run(["convert", "masked", "--to", "sgt"]) == 0
        written, form = capfdbinary.readouterr().out, "sgt"
    assert written == (MBF if form == "mbf" else WRITTEN[form].encode())


def test_a_mine_map_is_read_only_when_asked_for(desk: Path, capsys: Captured) -> None:
    for flags in (["--mines"], ["--from", "mines"], ["--mines", "--from", "mines"]):
        assert run(["convert", "b.map", *flags, "--to", "sgt"]) == 0
        assert capsys.readouterr().out == WRITTEN["sgt"]
    assert run(["convert", "b.map", "--mines", "--from", "mine"]) == 2
    assert "exclude each other" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "start"), [("x.mbf", b"\x03"), ("x.mine", b"3x2"), ("x.svg", b"<svg")])
def test_the_name_of_the_output_says_the_form(desk: Path, name: str, start: bytes) -> None:
    assert run(["convert", "b.txt", "-o", name]) == 0
    assert Path(name).read_bytes().startswith(start)


def test_standard_input_can_be_any_form(
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content, flags in [(MBF, []), (MBF, ["--from", "mbf"]), (WRITTEN["sgt"].encode(), [])]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert run(["convert", "-", "--to", "mine", *flags]) == 0
        assert capsys.readouterr().out == WRITTEN["mine"]


def test_a_game_id_is_dealt_for_the_cell_where_the_player_begins(desk: Path, capsys: Captured) -> None:
    for first in (Cell(0, 0), Cell(2, 3)):
        assert run(["convert", "4x5n6#3:opening", "--first", str(first)]) == 0
        assert capsys.readouterr().out == f"{board_of('4x5n6#3:opening', first)}\n"
        assert run(["convert", "4x5n6#3", "--first", str(first), "--to", "sgt"]) == 0
        assert capsys.readouterr().out.startswith(f"5x4:{first.col},{first.row},u")


def board_of(game_id: str, first: Cell) -> object:
    board = new_game(game_id).reveal(first).board
    assert board is not None
    return board.grid()


def test_the_options_of_convert_have_every_format_that_can_be_read() -> None:
    choices = {option.name: option.type for option in convert.params}
    assert getattr(choices["source_form"], "choices", None) == READABLE
    assert set(WRITABLE) <= set(getattr(choices["form"], "choices", ()))
    assert KIND_OF_SUFFIX.items() <= FORM_BY_SUFFIX.items()


def test_a_position_keeps_its_flags_and_its_total(desk: Path, capsys: Captured) -> None:
    Path("p.mine").write_text("3x2x2\nHF1\n12M\n", encoding="utf-8")
    assert run(["convert", "p.mine", "--to", "mine"]) == 0
    assert capsys.readouterr().out == "3x2x2\nHF1\n12M\n"
    Path("p.txt").write_text("_, _, 1\n1, 2, T\n", encoding="utf-8")
    assert run(["convert", "p.txt", "--traps", "2", "--to", "mine"]) == 0
    assert capsys.readouterr().out == "3x2x2\nHH1\n12M\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["p.txt", "--to", "mbf"], "p.txt: expected a board whose traps are all known"),
        (["p.txt", "--to", "mine"], "add --traps N"),
        (["b.mbf", "--traps", "3"], "--traps says 3, but b.mbf 2"),
        (["b.mbf", "--to", "sgt", "--first", "r1c1"], "the first click, r1c1, is a mine"),
        (["b.mbf", "--to", "sgt", "--first", "1,1"], "'1,1' is not a cell; expected a row and a column"),
        (["4x5n6#3", "--first", "r9c1"], "row 9, column 1 is outside the 4×5 board"),
        (["b.txt", "--from", "mbf"], "b.txt: 8,242 mines do not fit"),
        (["b.mbf", "--first", "r1c2"], "--first is for game ids and for --to sgt"),
        (["4x5n60#3"], "a 4×5 game has from 0 to 19 traps, not 60"),
        (["junk"], "junk: a binary file; expected text"),
        (["0,0,u84"], "the size is missing"),
    ],
)
def test_what_cannot_be_converted_is_told_and_nothing_is_written(
    desk: Path, capsys: Captured, arguments: list[str], words: str
) -> None:
    Path("p.txt").write_text("_, _, 1\n1, 2, T\n", encoding="utf-8")
    Path("junk").write_bytes(MBF[:-1])
    assert run(["convert", *arguments, "-o", "out"]) == 2
    assert words in capsys.readouterr().err
    assert not Path("out").exists()


def test_bytes_are_not_printed_on_a_terminal(
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["convert", "b.txt", "--to", "mbf"]) == 2
    assert "write it with -o FILE" in capsys.readouterr().err


def test_a_replay_shows_how_the_game_stood(desk: Path, capsys: Captured) -> None:
    assert run(["replay", "r.json", "--moves"]) == 0
    game = new_game("2x3n2#1").reveal(Cell(0, 1))
    rows = str(game.view.grid).split("\n")
    expected = ["2x3n2#1: playing after 2 moves", "reveal r1c2", "flag r1c1", f"F{rows[0][1:]}", rows[1]]
    assert capsys.readouterr().out.splitlines() == expected


def test_a_replay_of_a_lost_game_shows_where(desk: Path, capsys: Captured) -> None:
    game = new_game("2x3n2#1").reveal(Cell(0, 1))
    assert game.board is not None
    trap = Cell(*game.board.traps.nonzero()[0][:1].tolist(), *game.board.traps.nonzero()[1][:1].tolist())
    write_replay("lost.json", game.reveal(trap).replay)
    assert run(["replay", "lost.json", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["valid"], record["status"], record["exploded"]) == (True, "lost", str(trap))
    assert record["grid"][trap.row].split(", ")[trap.col] == "X"


def test_a_replay_is_animated_with_a_frame_per_move_as_its_player_saw_it(desk: Path) -> None:
    for name, extra in (("seen.gif", []), ("true.gif", ["--truth"])):
        assert run(["replay", "r.json", "--animate", name, *extra]) == 0
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


def test_a_terminal_shows_a_replay_with_numbers(
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["replay", "r.json"]) == 0
    _, numbers, first, _ = capsys.readouterr().out.splitlines()
    assert numbers == "  1 2 3"
    assert first.startswith("1 F ")


def lost_guess() -> str:
    """Write the replay of a game that is lost by a guess; the name of the trap."""
    game = new_game(Board(parse_mines("*....*.."))).reveal(Cell(0, 1)).reveal(Cell(0, 0))
    write_replay("guess.json", game.replay)
    return "r1c1"


def test_a_review_lists_moves_that_could_lose_with_a_second_look(desk: Path, capsys: Captured) -> None:
    trap = lost_guess()
    assert run(["replay", "guess.json", "--review"]) == 0
    heading, first, second, compared, judged, survived, _ = capsys.readouterr().out.splitlines()
    assert heading.endswith(f"lost after 2 moves, at {trap}")
    assert first == "move 1, reveal r1c2: a fair guess: r1c2 had a 25.0 % risk, and no cell was safer"
    assert second.startswith(
        f"move 2, reveal {trap}: a guess, as nothing was certain: {trap} had a 50.0 % risk"
    )
    assert f"points more often than {trap}, exactly" in compared
    assert judged == "2 moves judged: 0 safe, 2 guesses, 0 needless risks"
    assert survived == "chance of surviving every risk that was taken: 37.5 %"


def test_a_review_as_json_has_a_record_for_every_judged_move(desk: Path, capsys: Captured) -> None:
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
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    lost_guess()
    monkeypatch.setattr(review_text, "look_again", stopped)
    assert run(["replay", "guess.json", "--review"]) == 130
    assert "2 moves judged: 0 safe, 2 guesses, 0 needless risks" in capsys.readouterr().out


def test_a_watched_game_is_saved_and_reviewed(desk: Path, capsys: Captured) -> None:
    assert run(["watch", "4x5n4#2", "--agent", "fast", "--save", "watched.json"]) == 0
    ending = capsys.readouterr().out.splitlines()[-1]
    assert run(["replay", "watched.json", "--review", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    at = f" at {record['exploded']}" if record["exploded"] else ""
    assert ending.startswith(f"{record['status']}{at}: ")


def test_a_game_without_a_judged_move_has_a_short_review(desk: Path, capsys: Captured) -> None:
    assert run(["replay", "r.json", "--review"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "0 moves judged: 0 safe, 0 guesses, 0 needless risks"


def test_a_replay_that_does_not_hold_is_wrong(desk: Path, capsys: Captured) -> None:
    text = Path("r.json").read_text(encoding="utf-8")
    Path("bad.json").write_text(text.replace("2x3n2#1", "2x3n2#2"), encoding="utf-8")
    assert run(["replay", "bad.json"]) == 1
    assert capsys.readouterr().out.startswith("wrong: the board is not the one that 2x3n2#2 deals")
    assert run(["replay", "bad.json", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["valid"] is False


def test_what_is_no_replay_is_bad_input(desk: Path, capsys: Captured) -> None:
    assert run(["replay", "b.txt"]) == 2
    assert capsys.readouterr().err.startswith("error: b.txt:1:1: bad JSON")
    assert run(["convert", "r.json", "--to", "mines"]) == 0
