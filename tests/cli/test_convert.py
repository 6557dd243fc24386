"""`gemhunter convert`: boards, games and pictures in every form; other names of commands."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gemhunter import parse_grid
from gemhunter.board.grid import Cell
from gemhunter.cli.convert import FORM_BY_ENDING, convert
from gemhunter.cli.main import run
from gemhunter.draw.grids import draw_grid_png
from gemhunter.draw.pixels import PNG_SCALE
from gemhunter.files.boards import KIND_OF_SUFFIX, READABLE, WRITABLE
from gemhunter.files.json_boards import write_replay
from gemhunter.play.game import new_game

Captured = pytest.CaptureFixture[str]

BAD_INPUT = 2
pytestmark = pytest.mark.usefixtures("desk")


def test_a_png_picture_has_every_kind_of_cell_in_its_colour() -> None:
    picture = Image.open(io.BytesIO(draw_grid_png(parse_grid("_, T\nG, 3")))).convert("RGB")
    pixels = np.asarray(picture)
    colours = {tuple(map(int, colour)) for colour in pixels.reshape(-1, 3)}
    hidden, trap, gem, clue_3 = (0xCB, 0xD5, 0xE1), (0xFE, 0xCA, 0xCA), (0xBB, 0xF7, 0xD0), (0xB9, 0x1C, 0x1C)
    assert {hidden, trap, gem, clue_3} <= colours
    below, right = pixels.shape[0] - 12 * PNG_SCALE, pixels.shape[1] - 12 * PNG_SCALE
    assert tuple(pixels[below - 26 * PNG_SCALE, right]) != tuple(pixels[below, right])


def test_a_large_board_has_a_small_picture() -> None:
    picture = Image.open(io.BytesIO(draw_grid_png(parse_grid("\n".join(["_1" * 1000] * 200)))))
    assert picture.size == (8 * 2000 + 1, 8 * 200 + 1)


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("b.png", b"\x89PNG"),
        ("b.SVG", b"<svg "),
        ("b.txt", b"T, 2, 1"),
        ("x.mbf", b"\x03"),
        ("x.mine", b"3x2"),
    ],
)
def test_the_ending_decides_the_form(name: str, begin: bytes, games: Path) -> None:
    assert run(["convert", "b.sgt", "-o", name]) == 0
    assert (games / name).read_bytes().startswith(begin)


def test_an_unknown_ending_lists_the_known_ones(desk: Path, capsys: Captured) -> None:
    assert run(["convert", "sample:3x4", "-o", "b.jpg"]) == BAD_INPUT
    message = capsys.readouterr().err
    assert "b.jpg: cannot write .jpg here" in message
    assert ".txt, .csv, .json, .mine, .mbf, .abf, .sgt, .svg, .png" in message
    assert list(desk.iterdir()) == []


def test_a_level_and_a_seed_are_the_game_of_that_id(capsys: Captured) -> None:
    for name in (["easy#7"], ["easy", "--seed", "7"], ["9x9n10", "--seed", "7"]):
        assert run(["convert", *name, "--format", "mines"]) == 0
    whole = capsys.readouterr()
    assert whole.err == ""
    first, second, third = (whole.out[at : at + 90] for at in (0, 90, 180))
    assert first == second == third


def test_the_rule_for_the_first_click_can_be_given_with_a_level(capsys: Captured) -> None:
    for name in (["easy#7:opening"], ["easy", "--seed", "7", "--first-click", "opening"]):
        assert run(["convert", *name, "--format", "mines", "--first", "r5c5"]) == 0
    printed = capsys.readouterr().out
    assert printed[:90] == printed[90:]


def test_a_level_without_a_seed_prints_the_game_that_was_dealt(capsys: Captured) -> None:
    assert run(["convert", "easy", "--format", "sgt"]) == 0
    dealt = capsys.readouterr()
    game = dealt.err.removeprefix("game ").strip()
    assert run(["convert", game, "--format", "sgt"]) == 0
    assert capsys.readouterr().out == dealt.out


def test_a_seed_is_for_levels(capsys: Captured) -> None:
    assert run(["convert", "sample:3x4", "--seed", "1"]) == BAD_INPUT
    assert "--seed and --first-click are for levels" in capsys.readouterr().err


def test_a_file_with_the_name_of_a_level_is_a_file(desk: Path, capsys: Captured) -> None:
    (desk / "easy").write_text("_, 1, _\n")
    assert run(["convert", "easy"]) == 0
    assert capsys.readouterr().out == "_, 1, _\n"


def test_analyze_is_analyse(capsys: Captured) -> None:
    for name in ("analyse", "analyze"):
        assert run([name, "sample:two-ways"]) == 0
    printed = capsys.readouterr().out
    assert printed[: len(printed) // 2] == printed[len(printed) // 2 :]
    run(["--help"])
    assert "analyze" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [
        (["solve", "sample:3x4", "--zero", "unkown"], "did you mean 'unknown'?"),
        (["play", "--first-click", "openin"], "did you mean 'opening'?"),
        (["cnf", "sample:3x4", "--encoding", "ladr"], "did you mean 'ladder'? (known: binomial, seqcounter,"),
        (["watch", "exprt"], "did you mean 'expert'? (known: beginner, intermediate, expert, easy,"),
        (["watch", "easy#3:openin"], "did you mean 'opening'? (known: safe, opening, any, no-guess,"),
        (["watch", "--agent", "logik"], "did you mean 'logic'? (known: resolution, csp, logic,"),
        (
            ["solve", "sample:3x4", "-e", "cdcl:pik=first"],
            "did you mean 'pick'? (known: pick, value, restarts,",
        ),
        (
            ["experiment", "winrat"],
            "did you mean 'winrate'? (known: winrate, match, marked-cells, difficulty, clues;",
        ),
        (["solve", "sample:3x4", "-e", "cdlc"], "did you mean 'cdcl'? (see: gemhunter engines)"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_name_is_met_with_the_nearest_and_the_choices(
    arguments: list[str], nearest: str, capsys: Captured
) -> None:
    assert run(arguments) == BAD_INPUT
    assert nearest in capsys.readouterr().err


BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
ANSWER = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"


@pytest.fixture
def board(desk: Path) -> Path:
    """The current folder, with a board."""
    (desk / "board.txt").write_text(BOARD, encoding="utf-8")
    return desk


@pytest.mark.parametrize(
    ("form", "text"),
    [("text", BOARD), ("compact", "3_2_\n__2_\n_31_\n"), ("svg", "<svg"), ("json", '{\n  "grid"')],
)
def test_a_board_converts_to_every_form(board: Path, capsys: Captured, form: str, text: str) -> None:
    assert run(["convert", "board.txt", "--format", form]) == 0
    assert capsys.readouterr().out.startswith(text)


@pytest.mark.parametrize("form", ["text", "compact", "json"])
def test_what_was_converted_reads_back(board: Path, capsys: Captured, form: str) -> None:
    run(["convert", "board.txt", "--format", form, "-o", "other"])
    assert run(["convert", "other"]) == 0
    assert capsys.readouterr().out == BOARD


def test_a_mine_map_becomes_a_position(board: Path, capsys: Captured) -> None:
    (board / "mines.txt").write_text("*..\n..*\n", encoding="utf-8")
    assert run(["convert", "mines.txt", "--from", "mines"]) == 0
    assert capsys.readouterr().out == "_, 2, 1\n1, 2, _\n"


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
def games(desk: Path) -> Path:
    for form, suffix in [("text", "txt"), ("mine", "mine"), ("sgt", "sgt"), ("mines", "map")]:
        Path(f"b.{suffix}").write_text(WRITTEN[form], encoding="utf-8")
    Path("b.mbf").write_bytes(MBF)
    write_replay("r.json", new_game("2x3n2#1").reveal(Cell(0, 1)).flag(Cell(0, 0)).replay)
    return desk


@pytest.mark.parametrize("form", [*WRITTEN, "mbf"])
@pytest.mark.parametrize("board", ["b.txt", "b.mine", "b.sgt", "b.mbf", "3x2:1,0,u84"])
def test_the_truth_converts_from_every_form_to_every_other(
    games: Path, capfdbinary: pytest.CaptureFixture[bytes], board: str, form: str
) -> None:
    assert run(["convert", board, "--format", form]) == 0
    written = capfdbinary.readouterr().out
    if form == "sgt-masked":
        (games / "masked").write_bytes(written)
        assert run(["convert", "masked", "--format", "sgt"]) == 0
        written, form = capfdbinary.readouterr().out, "sgt"
    assert written == (MBF if form == "mbf" else WRITTEN[form].encode())


def test_a_mine_map_is_read_only_when_asked_for(games: Path, capsys: Captured) -> None:
    assert run(["convert", "b.map", "--from", "mines", "--format", "sgt"]) == 0
    assert capsys.readouterr().out == WRITTEN["sgt"]
    assert run(["convert", "b.map", "--format", "sgt"]) == 2


def test_standard_input_can_be_any_form(
    games: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content, flags in [(MBF, []), (MBF, ["--from", "mbf"]), (WRITTEN["sgt"].encode(), [])]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert run(["convert", "-", "--format", "mine", *flags]) == 0
        assert capsys.readouterr().out == WRITTEN["mine"]


def test_a_game_id_is_dealt_for_the_cell_where_the_player_begins(games: Path, capsys: Captured) -> None:
    for first in (Cell(0, 0), Cell(2, 3)):
        assert run(["convert", "4x5n6#3:opening", "--first", str(first)]) == 0
        assert capsys.readouterr().out == f"{board_of('4x5n6#3:opening', first)}\n"
        assert run(["convert", "4x5n6#3", "--first", str(first), "--format", "sgt"]) == 0
        assert capsys.readouterr().out.startswith(f"5x4:{first.col},{first.row},u")


def test_a_game_that_needs_no_guess_is_the_one_that_generate_makes(games: Path, capsys: Captured) -> None:
    assert run(["generate", "game", "beginner", "--seed", "3"]) == 0
    made, told = capsys.readouterr()
    assert run(["convert", "beginner#3:no-guess", "--format", "mines"]) == 0
    converted, begin = capsys.readouterr()
    assert converted == made
    assert ("first click at r5c5" in told, "the player begins at r5c5" in begin) == (True, True)


def board_of(game_id: str, first: Cell) -> object:
    board = new_game(game_id).reveal(first).board
    assert board is not None
    return board.grid()


def test_the_options_of_convert_have_every_format_that_can_be_read() -> None:
    choices = {option.name: option.type for option in convert.params}
    assert getattr(choices["source_form"], "choices", None) == READABLE
    assert set(WRITABLE) <= set(getattr(choices["form"], "choices", ()))
    assert {suffix.removeprefix(".") for suffix in KIND_OF_SUFFIX} <= FORM_BY_ENDING.keys()


def test_a_position_keeps_its_flags_and_its_total(games: Path, capsys: Captured) -> None:
    Path("p.mine").write_text("3x2x2\nHF1\n12M\n", encoding="utf-8")
    assert run(["convert", "p.mine", "--format", "mine"]) == 0
    assert capsys.readouterr().out == "3x2x2\nHF1\n12M\n"
    Path("p.txt").write_text("_, _, 1\n1, 2, T\n", encoding="utf-8")
    assert run(["convert", "p.txt", "--traps", "2", "--format", "mine"]) == 0
    assert capsys.readouterr().out == "3x2x2\nHH1\n12M\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["p.txt", "--format", "mbf"], "p.txt: expected a board whose traps are all known"),
        (["p.txt", "--format", "mine"], "add --traps N"),
        (["b.mbf", "--traps", "3"], "--traps says 3, but b.mbf has 2"),
        (["b.mbf", "--format", "sgt", "--first", "r1c1"], "the first click, r1c1, is a mine"),
        (["b.mbf", "--format", "sgt", "--first", "1,1"], "'1,1' is not a cell; expected a row and a column"),
        (["4x5n6#3", "--first", "r9c1"], "row 9, column 1 is outside the 4×5 board"),
        (["b.txt", "--from", "mbf"], "b.txt: 8,242 mines do not fit"),
        (["b.mbf", "--first", "r1c2"], "--first is for game ids and for --format sgt"),
        (["4x5n60#3"], "a 4×5 game can have from 0 to 19 traps, not 60"),
        (["junk"], "junk: a binary file; expected text"),
        (["0,0,u84"], "the size is missing"),
    ],
)
def test_what_cannot_be_converted_is_told_and_nothing_is_written(
    games: Path, capsys: Captured, arguments: list[str], words: str
) -> None:
    Path("p.txt").write_text("_, _, 1\n1, 2, T\n", encoding="utf-8")
    Path("junk").write_bytes(MBF[:-1])
    assert run(["convert", *arguments, "-o", "out"]) == 2
    assert words in capsys.readouterr().err
    assert not Path("out").exists()


def test_bytes_are_not_printed_on_a_terminal(
    games: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["convert", "b.txt", "--format", "mbf"]) == 2
    assert "write it with -o FILE" in capsys.readouterr().err
