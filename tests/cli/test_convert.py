"""`convert`: pictures, endings, and games by level and seed; other names of commands."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gemhunter import parse_grid
from gemhunter.cli.main import run
from gemhunter.draw.grids import draw_grid_png

BAD_INPUT = 2

pytestmark = pytest.mark.usefixtures("desk")


def test_a_png_picture_has_every_kind_of_cell_in_its_colour() -> None:
    picture = Image.open(io.BytesIO(draw_grid_png(parse_grid("_, T\nG, 3")))).convert("RGB")
    pixels = np.asarray(picture)
    colours = {tuple(map(int, colour)) for colour in pixels.reshape(-1, 3)}
    hidden, trap, gem, clue_3 = (0xCB, 0xD5, 0xE1), (0xFE, 0xCA, 0xCA), (0xBB, 0xF7, 0xD0), (0xB9, 0x1C, 0x1C)
    assert {hidden, trap, gem, clue_3} <= colours
    below, right = pixels.shape[0] - 12, pixels.shape[1] - 12
    assert tuple(pixels[below - 26, right]) != tuple(pixels[below, right])


def test_a_large_board_has_a_small_picture() -> None:
    picture = Image.open(io.BytesIO(draw_grid_png(parse_grid("\n".join(["_1" * 1000] * 200)))))
    assert picture.size == (8 * 2000 + 1, 8 * 200 + 1)


@pytest.mark.parametrize(
    ("name", "begin"), [("b.png", b"\x89PNG"), ("b.SVG", b"<svg "), ("b.txt", b"3, _, 2")]
)
def test_the_ending_decides_the_form(name: str, begin: bytes, desk: Path) -> None:
    assert run(["convert", "sample:3x4", "-o", name]) == 0
    assert (desk / name).read_bytes().startswith(begin)


def test_an_unknown_ending_lists_the_known_ones(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "sample:3x4", "-o", "b.jpg"]) == BAD_INPUT
    assert (
        "b.jpg: unknown ending; expected .txt, .csv, .json, .mine, .mbf, .abf, .sgt, .svg, .png"
        in capsys.readouterr().err
    )
    assert list(desk.iterdir()) == []
    assert run(["convert", "sample:3x4", "--to", "svg", "-o", "b.jpg"]) == 0


def test_a_level_and_a_seed_are_the_game_of_that_id(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (["easy#7"], ["easy", "--seed", "7"], ["9x9n10", "--seed", "7"]):
        assert run(["convert", *name, "--to", "mines"]) == 0
    whole = capsys.readouterr()
    assert whole.err == ""
    first, second, third = (whole.out[at : at + 90] for at in (0, 90, 180))
    assert first == second == third


def test_the_rule_for_the_first_click_can_be_given_with_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (["easy#7:opening"], ["easy", "--seed", "7", "--first-click", "opening"]):
        assert run(["convert", *name, "--to", "mines", "--first", "r5c5"]) == 0
    printed = capsys.readouterr().out
    assert printed[:90] == printed[90:]


def test_a_level_without_a_seed_prints_the_game_that_was_dealt(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "easy", "--to", "sgt"]) == 0
    dealt = capsys.readouterr()
    game = dealt.err.removeprefix("game ").strip()
    assert run(["convert", game, "--to", "sgt"]) == 0
    assert capsys.readouterr().out == dealt.out


def test_a_seed_is_for_levels(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "sample:3x4", "--seed", "1"]) == BAD_INPUT
    assert "--seed and --first-click are for levels" in capsys.readouterr().err


def test_a_file_with_the_name_of_a_level_is_a_file(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "easy").write_text("_, 1, _\n")
    assert run(["convert", "easy"]) == 0
    assert capsys.readouterr().out == "_, 1, _\n"


def test_analyze_is_analyse(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("analyse", "analyze"):
        assert run([name, "sample:two-ways"]) == 0
    printed = capsys.readouterr().out
    assert printed[: len(printed) // 2] == printed[len(printed) // 2 :]
    run(["--help"])
    assert "analyze" not in capsys.readouterr().out


def test_the_old_name_of_an_experiment_still_works(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("marked-cells", "s5-table"):
        assert run(["experiment", name, "--games", "1", "--level", "4x4n2", "--initial", "2"]) == 0
    printed = capsys.readouterr().out
    assert printed[: len(printed) // 2] == printed[len(printed) // 2 :]
    run(["experiment", "--help"])
    assert "s5-table" not in capsys.readouterr().out


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
            "did you mean 'winrate'? (known: marked-cells, clues, difficulty, match, winrate;",
        ),
        (["solve", "sample:3x4", "-e", "cdlc"], "did you mean 'cdcl'? (see: gemhunter engines)"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_name_is_met_with_the_nearest_and_the_choices(
    arguments: list[str], nearest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == BAD_INPUT
    assert nearest in capsys.readouterr().err
