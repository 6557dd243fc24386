"""S2's folders to the letter: which files are boards, and what test cases get."""

import io
import re
from pathlib import Path

import pytest

from gemhunter.cli.board_arguments import BoardReading
from gemhunter.cli.main import run
from gemhunter.cli.progress import Progress
from gemhunter.files.folders import BoardFile, looks_like_board
from gemhunter.jit.choice import Mode, compiling
from gemhunter.questions import batch
from gemhunter.solving.registry import get_engine
from places import HARD
from text_files import put

SMALL = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
S1_SMALL = "_, 2, 2, 2, 1\n_, _, _, 2, _\n_, 3, _, _, 2\n_, _, 2, 3, _\n_, 2, _, _, _\n"
REFUTED = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1\n"
S2_MAP = "G, 2, 2, 2, 1\nG, T, T, 2, T\nT, 3, G, G, 2\nG, G, 2, 3, T\nT, 2, T, T, G\n"

Captured = pytest.CaptureFixture[str]


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
        "skipped 7 files that are not boards: README.txt, answers.txt, notes.json and 4 more\n"
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
        ["engines written here ran as plain Python"],
    ]


def test_an_engine_out_of_time_is_exceed_time_in_the_table(desk: Path, capsys: Captured) -> None:
    hard = HARD / "02_altsum_41x41_unsat.txt"
    put(desk / "testcase_0" / "input_0.txt", hard.read_text(encoding="utf-8"))
    assert run(["solve", ".", "-e", "dpll", "--time-limit", "0.01"]) == 3
    assert "(Exceed time)" in (desk / "result_times.txt").read_text(encoding="utf-8")


def test_times_csv_has_rows_columns_and_sizes(desk: Path, capsys: Captured) -> None:
    put(desk / "testcase_0" / "input_0.txt", SMALL)
    put(desk / "testcase_1" / "input_1.txt", "x\n")
    run(["solve", ".", "-e", "pysat:g3"])
    headings, small, bad = (desk / "times.csv").read_text(encoding="utf-8").splitlines()
    assert headings == "board,rows,cols,unknown,clues,engine,outcome,seconds,reason,mode"
    assert re.fullmatch(r"testcase_0.input_0\.txt,3,4,7,5,pysat:glucose3,solved,\d\.\d{6},,", small)
    assert re.fullmatch(r"testcase_1.input_1\.txt,,,,,,unreadable,,,", bad)


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
    plain = "engines written here ran as plain Python"
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
    engines, reading = [get_engine("dpll"), get_engine("backtracking")], BoardReading()

    def chosen(number: int) -> Mode:
        return batch.choose_mode(
            boards[:number],
            engines[:number],
            batch.Question(("dpll",)),
            read=reading.read,
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
