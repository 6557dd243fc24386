"""S1, S2 and S5 to the letter: times, folders of test cases, and the resolution agent."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from compiled import needs_compiler
from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.cli.exit_codes import LOOKALIKES
from gemhunter.cli.main import run
from gemhunter.cli.options import read_with_warnings
from gemhunter.cli.progress import Progress
from gemhunter.draw.pixels import PNG_SCALE, number_margins
from gemhunter.files.boards import write_board
from gemhunter.files.folders import BoardFile, looks_like_board
from gemhunter.jit.choice import Mode, compiling
from gemhunter.play.game import game_with_given, new_game
from gemhunter.play.game_ids import LEVELS, GameId, Level
from gemhunter.play.many_games import play_resolution_games
from gemhunter.questions import batch
from gemhunter.solving.registry import get_engine
from gemhunter.wording import seconds_in_file, seconds_text
from naive_agent import NaiveAgent
from places import HARD
from text_files import put

Captured = pytest.CaptureFixture[str]

SMALL = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
S1_SMALL = "_, 2, 2, 2, 1\n_, _, _, 2, _\n_, 3, _, _, 2\n_, _, 2, 3, _\n_, 2, _, _, _\n"
REFUTED = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1\n"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "<1 µs"),
        (1e-6, "1.00 µs"),
        (0.000289, "289 µs"),
        (0.00099949, "999 µs"),
        (0.0009996, "1.00 ms"),
        (0.046759, "46.8 ms"),
        (0.9996, "1.00 s"),
        (9.996, "10.0 s"),
        (12.34, "12.3 s"),
        (999.7, "1,000 s"),
        (12345.6, "12,346 s"),
    ],
)
def test_times_on_the_screen_have_three_significant_digits_and_microseconds(
    seconds: float, text: str
) -> None:
    assert seconds_text(seconds) == text


def test_times_in_files_are_seconds_with_six_decimals(desk: Path, capsys: Captured) -> None:
    assert seconds_in_file(0.000289) == "0.000289"
    put(desk / "testcase_0" / "input_0.txt", SMALL)
    run(["solve", ".", "-e", "backtracking", "-o", "all.txt"])
    for name in ("all.txt", "testcase_0/output_0.txt", "result_times.txt", "times.csv"):
        text = (desk / name).read_text(encoding="utf-8")
        assert len(re.findall(r"\b\d+\.\d{6}\b", text)) == 1
        assert not re.search(r"\d (µs|ms)", text)


def test_consoles_without_the_sign_show_us_for_microseconds() -> None:
    assert "289 µs, 3×4".encode("ascii", errors=LOOKALIKES) == b"289 us, 3x4"


def test_a_board_of_more_than_100_columns_is_solved_and_not_shown(desk: Path, capsys: Captured) -> None:
    put(desk / "wide.txt", "1" + "_" * 100 + "\n")
    assert run(["solve", "wide.txt"]) == 0
    shown = capsys.readouterr().out.split("\n\n")[0]
    assert shown == "wide.txt (1×101), not shown: more than 100 rows or columns"


def test_what_solve_prints_can_be_checked_whatever_the_board_is_called(desk: Path, capsys: Captured) -> None:
    board = put(desk / "time limit.txt", S1_SMALL)
    run(["solve", board.name, "-e", "pysat:glucose3"])
    put(desk / "printed.txt", capsys.readouterr().out)
    assert run(["check", board.name, "printed.txt"]) == 0
    assert capsys.readouterr().out == "printed.txt [pysat:glucose3]: right\n"


def test_the_json_of_solve_has_seconds_rounded_to_six_decimals(desk: Path, capsys: Captured) -> None:
    put(desk / "a.txt", SMALL)
    run(["solve", "a.txt", "--format", "json"])
    seconds = json.loads(capsys.readouterr().out)["seconds"]
    assert seconds == {stage: round(taken, 6) for stage, taken in seconds.items()}


S2_MAP = "G, 2, 2, 2, 1\nG, T, T, 2, T\nT, 3, G, G, 2\nG, G, 2, 3, T\nT, 2, T, T, G\n"


def test_files_in_a_folder_that_are_no_boards_are_skipped_with_one_line(desk: Path, capsys: Captured) -> None:
    put(desk / "a.txt", SMALL)
    put(desk / "README.txt", "Boards of the course\n\n- a.txt has a solution\n")
    put(desk / "result_times.txt", "Testcase  Size  PySAT (s)\n0         3x4   0.000161\n")
    put(desk / "times.csv", "board,engine,outcome,seconds\na.txt,cdcl,solved,0.000289\n")
    put(desk / "answers.txt", f"Brute force:\n{SMALL}\nPysat:\nNo solution\n")
    put(desk / "output_1.txt", "G, T\n")
    put(desk / "notes.json", '{"author": "somebody"}')
    (desk / "picture.txt").write_bytes(b"\x00\x01\x02")
    assert run(["solve", "."]) == 0
    assert capsys.readouterr().err == (
        "skipped 5 files that are not boards: README.txt, answers.txt, notes.json and 2 more\n"
    )


def test_a_folder_solved_twice_gives_the_same_boards_both_times(desk: Path, capsys: Captured) -> None:
    put(desk / "cases" / "testcase_1" / "input_1.txt", SMALL)
    put(desk / "cases" / "loose.txt", S1_SMALL)
    boards = []
    for _ in range(2):
        assert run(["solve", "cases", "-o", "cases/answers.txt"]) == 0
        answers = (desk / "cases" / "answers.txt").read_text(encoding="utf-8")
        boards.append(re.findall(r"^(\S+) \(\d+×\d+\)$", answers, re.M))
    assert boards[0] == boards[1] == ["cases/testcase_1/input_1.txt", "cases/loose.txt"]


def test_a_board_with_a_mistake_is_not_hidden_among_other_files(desk: Path, capsys: Captured) -> None:
    put(desk / "a.txt", SMALL)
    put(desk / "typo.txt", "x, _, 2\n_, 1, _\n")
    assert run(["solve", "."]) == 2
    assert "typo.txt:1:1: expected" in capsys.readouterr().err


def test_a_file_named_on_the_command_line_always_gives_its_error(desk: Path, capsys: Captured) -> None:
    put(desk / "README.txt", "Boards of the course\n")
    assert run(["solve", "README.txt"]) == 2
    assert capsys.readouterr().err.startswith("error: README.txt:1")


def test_a_folder_without_a_board_says_what_it_skipped(desk: Path, capsys: Captured) -> None:
    put(desk / "README.txt", "Boards of the course\n")
    assert run(["solve", "."]) == 2
    assert capsys.readouterr().err.endswith("(skipped 1 file that is not a board: README.txt)\n")


REPLAY = '{"format": "gemhunter-replay", "version": 1, "id": null, "mines": ["*."], "moves": []}'


@pytest.mark.parametrize(
    "text",
    [
        *("3, _, 2\n_, _, 1", "_, x, 2\n1, 1, 1", "x_\n11", "x, y\n1, 1", "_, xyz\n1, 2", "10 12\n1 2"),
        *("11 11\n_ _", "11x11\n___", "----\n1111", "....", "1", "TGTG\n1_1_", "_;2;_", "\n\n_1_\n"),
        *("[[1, null]]", '{"grid": ["1_"]}', '{"grid": [1_', '[["1"', "None 1\n1 None", "1,,2\n1,1,1", "9"),
        *("1, 10\n_, 12", "n, _\n1, 2", '["1 _"]', "12 13\n_ _ 1", "000\n010\n000", "1 2\n3 10"),
    ],
)
def test_a_row_of_cells_with_or_without_mistakes_makes_a_board(text: str) -> None:
    assert looks_like_board(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "Testcase  Size  PySAT (s)\n0  3x4  0.000272", "board,rows,cols\na,3,4", "README"),
        *("[auto] solved in 1 ms\n3, T, 2", "Brute force:\n3, T", "# Boards\n\n- one", "- one\n- two"),
        *("A folder of boards", "-----\nMy boards\n-----", '{"name": "x"}', '[{"outcome": "solved"}]'),
        *(
            "n,ms\n5,12\n10,30",
            "n,ms\n1,2\n3,4",
            "5,12\n10,30\n20,99",
            "1,12\n2,30",
            "1,2,2024-01-02\n3,4,2024-01-03",
        ),
        *(
            "size,seconds\n5,1\n9,2",
            "1,0.5\n2,0.7",
            "[]",
            "[[]]",
            "{}",
            '["hello", "world"]',
            '{"mines": 10}',
        ),
        *(REPLAY, REPLAY[:60]),
        *('{"outcome": "solved", "grid": ["1"]}', "0.001 0.002", "T = trap, G = gem", "1. Open it\n2. Solve"),
    ],
)
def test_prose_tables_and_answers_are_no_boards(text: str) -> None:
    assert not looks_like_board(text)


def test_test_cases_get_the_table_of_s2_as_result_times(desk: Path, capsys: Captured) -> None:
    put(desk / "testcase_0" / "input_0.txt", SMALL)
    put(desk / "testcase_1" / "input_1.txt", REFUTED)
    run(["solve", ".", "-e", "brute-force:attempts=200", "-e", "dpll", "-e", "pysat:g3"])
    table = (desk / "result_times.txt").read_text(encoding="utf-8")
    lines = re.sub(r"\b\d+\.\d{6}\b", "N", table).splitlines()
    assert [re.split(r" {2,}", line) for line in lines] == [
        ["Testcase", "Size", "brute-force:attempts=200 (s)", "dpll (s)", "pysat:glucose3 (s)"],
        ["0", "3x4", "N", "N", "N"],
        ["1", "5x5", "N (Exceeded max attempts)", "N (No solution)", "N (No solution)"],
        [""],
        ["the engines of Gem Hunter ran as plain Python"],
    ]


def test_an_engine_out_of_time_is_exceed_time_in_the_table(desk: Path, capsys: Captured) -> None:
    hard = HARD / "02_altsum_41x41_unsat.txt"
    put(desk / "testcase_0" / "input_0.txt", hard.read_text(encoding="utf-8"))
    assert run(["solve", ".", "-e", "dpll", "--time-limit", "0.01"]) == 3
    assert "(Exceed time)" in (desk / "result_times.txt").read_text(encoding="utf-8")


def test_a_folder_without_test_cases_gets_no_files(desk: Path, capsys: Captured) -> None:
    put(desk / "boards" / "a.txt", SMALL)
    assert run(["solve", "boards"]) == 0
    assert [path.name for path in (desk / "boards").iterdir()] == ["a.txt"]


def test_a_single_file_named_like_a_test_case_gets_no_file_beside_it(desk: Path, capsys: Captured) -> None:
    put(desk / "input_1.txt", SMALL)
    assert run(["solve", "input_1.txt"]) == 0
    assert [path.name for path in desk.iterdir()] == ["input_1.txt"]


@pytest.mark.parametrize("rows", [S2_MAP, S2_MAP.replace(",", ""), S2_MAP.replace(", ", "")])
def test_output_files_of_s2_are_graded_section_by_section(rows: str, desk: Path, capsys: Captured) -> None:
    put(desk / "input_1.txt", S1_SMALL)
    put(
        desk / "output_1.txt",
        f"Brute force:\nExceeded max attempts\n\nBacktracking:\n{rows}\nPysat:\nNo solution\n",
    )
    assert run(["check", "input_1.txt", "output_1.txt"]) == 1
    assert re.findall(r"\[(.*)\]: (.*)", capsys.readouterr().out) == [
        ("Brute force", "no answer"),
        ("Backtracking", "right"),
        ("Pysat", "wrong"),
    ]


def test_a_table_of_times_says_in_which_mode_engines_ran(desk: Path, capsys: Captured) -> None:
    put(desk / "testcase_0" / "input_0.txt", SMALL)
    put(desk / "testcase_1" / "input_1.txt", REFUTED)
    plain = "the engines of Gem Hunter ran as plain Python"
    for mode, engine, is_said in (
        (Mode.AUTO, "dpll", True),
        (Mode.NEVER, "dpll", True),
        (Mode.AUTO, "pysat", False),
    ):
        with compiling(mode):
            assert run(["solve", ".", "-e", engine]) == 1
        assert (plain in capsys.readouterr().out) == is_said
        assert (plain in (desk / "result_times.txt").read_text(encoding="utf-8")) == is_said
        rows = (desk / "times.csv").read_text(encoding="utf-8").splitlines()[1:]
        assert [row.endswith(",plain") for row in rows] == [is_said] * 2


def test_one_mode_is_chosen_for_all_boards_and_engines(
    desk: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "is_installed", lambda: True)
    boards = [BoardFile(str(put(desk / f"{name}.txt", SMALL))) for name in "ab"]
    engines = [get_engine("dpll"), get_engine("backtracking")]

    def chosen(number: int) -> Mode:
        return batch.choose_mode(
            boards[:number],
            engines[:number],
            batch.Question(("dpll",)),
            read=lambda path: read_with_warnings(path, "clue"),
            progress=Progress(1),
            cancel=lambda: False,
        )

    with compiling(Mode.AUTO):
        assert (chosen(1), chosen(2)) == (Mode.AUTO, Mode.NEVER)
        monkeypatch.setattr(batch, "IMPORT_SECONDS", 0.0)
        monkeypatch.setattr(batch, "seconds_to_have_used_kernels", lambda: 0.0)
        assert chosen(2) is Mode.ALWAYS
    with compiling(Mode.NEVER):
        assert chosen(2) is Mode.NEVER


def test_standard_input_is_read_once_for_several_engines(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SMALL.encode())))
    with compiling(Mode.AUTO):
        assert run(["solve", "-", "-e", "dpll", "-e", "backtracking"]) == 0
    assert capsys.readouterr().out.count("solved in") == 2


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


def test_the_table_takes_other_levels_and_numbers(capsys: Captured) -> None:
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
    arguments: list[str], message: str, capsys: Captured
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


def test_a_board_of_ones_own_gets_initial_safe_cells_by_the_seed(figure: str, capsys: Captured) -> None:
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
def test_the_game_that_the_source_prints_stays_stuck(seed: str, capsys: Captured) -> None:
    run(["watch", "sample:s5", "-a", "resolution", "--initial", "4", "--seed", seed])
    assert (
        capsys.readouterr().out.splitlines()[-1].startswith("stuck: 4 of 81 cells marked, 2 matching rounds")
    )


def test_steps_have_a_line_for_each_mark_and_each_matching_round(capsys: Captured) -> None:
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
    figure: str, tmp_path: Path, capsys: Captured
) -> None:
    name = str(tmp_path / "{level}_{initial}_{marked}_{rounds}")
    words = ["-a", "resolution", "--initial", "9", "--frames", name, "--truth", "--format", "json"]
    run(["watch", figure, *words])
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
