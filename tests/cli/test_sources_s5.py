"""S5, the resolution agent, to the letter: its matching rounds and initial cells, what it says and draws."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from compiled import needs_compiler
from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.cli.main import run
from gemhunter.compare.game_tables import lines_of_s5
from gemhunter.draw.frames import PNG_SCALE
from gemhunter.draw.grids import number_margins
from gemhunter.files.boards import write_board
from gemhunter.play.game import new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.game_names import game_with_given
from gemhunter.play.levels import LEVELS, Level
from gemhunter.play.many_games import play_resolution_games
from naive_agent import NaiveAgent

FIGURE = "9x9n10#5:any"


@pytest.mark.parametrize(
    ("level", "given", "seeds"),
    [
        (Level(5, 8, 9), 6, range(10)),
        (LEVELS["easy"], 4, range(20)),
        (LEVELS["medium"], 8, range(6, 12)),
        (Level(9, 20, 36), 12, range(3)),
        pytest.param(Level(5, 8, 9), 6, range(10, 60), marks=pytest.mark.full),
        pytest.param(LEVELS["easy"], 4, range(20, 60), marks=pytest.mark.full),
        pytest.param(Level(9, 20, 36), 12, range(3, 10), marks=pytest.mark.full),
    ],
    ids=str,
)
def test_matching_rounds_and_marks_are_those_of_the_source_in_every_game(
    level: Level, given: int, seeds: range
) -> None:
    played = play_resolution_games(level, given, seeds)
    for seed, marked, rounds in zip(seeds, played.marked, played.rounds, strict=True):
        game = game_with_given(GameId(level, seed), given)
        assert game.board is not None
        plain = NaiveAgent(game.board, [Cell(int(r), int(c)) for r, c in np.argwhere(game.shown != HIDDEN)])
        assert (marked, rounds) == (len(plain.marks), plain.rounds), seed
    assert played.rounds.any()


@needs_compiler
def test_rounds_on_hard_boards_are_as_many_as_the_document_has() -> None:
    rounds = play_resolution_games(LEVELS["hard"], 11, range(1, 101)).rounds
    assert 4 <= rounds.mean() <= 5


def test_initial_safe_cells_are_those_of_the_source() -> None:
    assert [(line.level, line.given) for line in lines_of_s5()] == [
        *(("easy", 4), ("easy", 9), ("easy", 18)),
        *(("medium", 8), ("medium", 16), ("medium", 32)),
        *(("hard", 11), ("hard", 22), ("hard", 44)),
    ]


def test_the_table_takes_other_levels_and_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--level", "easy", "--level", "5x7n6", "--initial", "3,two", "--games", "2"]
    assert run(["experiment", "marked-cells", *arguments, "--format", "json"]) == 0
    lines = json.loads(capsys.readouterr().out)
    assert [(line["level"], line["initial"], line["games"]) for line in lines] == [
        *(("easy", 3, 2), ("easy", 18, 2), ("5x7n6", 3, 2), ("5x7n6", 12, 2))
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--initial", "4,,9"], "initial safe cells are half, one, two or a number from 0 to 71, not ''"),
        (["--level", "eazy"], "no level named 'eazy'; did you mean 'easy'?"),
    ],
)
def test_a_table_that_cannot_be_made_is_an_error_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["experiment", "marked-cells", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert not printed.out


@pytest.fixture
def figure(tmp_path: Path) -> str:
    """A board of one's own: a map of mines."""
    board = new_game(FIGURE).reveal(Cell(0, 0)).board
    assert board is not None
    write_board(tmp_path / "fig.mine", board)
    return str(tmp_path / "fig.mine")


def test_a_board_of_ones_own_gets_initial_safe_cells_by_the_seed(
    figure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first_marks = []
    for seed in ("3", "3", "4"):
        assert (
            run(["watch", "-a", "resolution", figure, "--initial", "4", "--seed", seed, "--format", "json"])
            == 0
        )
        record = json.loads(capsys.readouterr().out)
        assert record["initial"] == 4
        first_marks.append([mark["cell"] for mark in record["marks"][:4]])
    assert first_marks[0] == first_marks[1] != first_marks[2]


@pytest.mark.parametrize("seed", ["8", "11"])
def test_the_game_that_the_source_prints_stays_stuck(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["watch", "sample:s5", "-a", "resolution", "--initial", "4", "--seed", seed])
    assert (
        capsys.readouterr().out.splitlines()[-1].startswith("stuck: 4 of 81 cells marked, 2 matching rounds")
    )


def test_steps_have_a_line_for_each_mark_and_each_matching_round(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["watch", "-a", "resolution", "9x12n20#2", "--initial", "9", "--steps"])
    lines = capsys.readouterr().out.splitlines()
    *_, last = lines
    told = re.match(r"stuck: (\d+) of 108 cells marked, (\d+) matching rounds", last)
    assert told is not None
    marks = [line for line in lines if re.fullmatch(r"\d+\. r\d+c\d+ (safe|trap)", line)]
    rounds = [line for line in lines if line.startswith("matching round ")]
    assert [line.split(".")[0] for line in marks] == [str(number + 1) for number in range(int(told[1]))]
    assert rounds == [f"matching round {number + 1}" for number in range(int(told[2]))]
    places = [lines.index(line) for line in rounds]
    assert len(rounds) > 1
    assert lines.index(marks[0]) < places[0] < lines.index(marks[-1]) < places[-1]


def test_frames_are_one_picture_per_mark_from_0_and_the_folder_carries_the_numbers(
    figure: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = str(tmp_path / "{level}_{initial}_{marked}_{rounds}")
    run(
        [
            "watch",
            "-a",
            "resolution",
            figure,
            "--initial",
            "9",
            "--frames",
            name,
            "--truth",
            "--format",
            "json",
        ]
    )
    record = json.loads(capsys.readouterr().out)
    folder = tmp_path / f"easy_9_{record['marked']}_{record['counters']['matching rounds']}"
    pictures = {path.name for path in folder.iterdir()}
    assert pictures == {f"{number}.png" for number in range(record["marked"] + 1)}
    with Image.open(folder / "0.png") as image:
        top, left = number_margins(9)
        assert image.convert("RGB").getpixel((PNG_SCALE * (left + 2), PNG_SCALE * (top + 2))) == (
            203,
            213,
            225,
        )
