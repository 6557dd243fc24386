"""`grid:`: programs that are given a board and print it filled in."""

import re
import sys
from pathlib import Path

import pytest

from gemhunter import EngineError, GaveUp, InputError, Refuted, Solved, parse_grid, solve
from gemhunter.cli.main import run as main
from gemhunter.errors import WrongAnswerError
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Run
from gemhunter.work.child_process import ChildCommand, Exit

GRID = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
FILLED = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"
PYTHON = f'"{sys.executable}"'


def program(folder: Path, code: str) -> str:
    """The path of a program, as it is typed."""
    file = folder / "program.py"
    file.write_text(f"ANSWER = {FILLED!r}\n{code}", encoding="utf-8")
    return f'{PYTHON} "{file}"'


def test_a_program_gets_the_board_as_a_file_or_as_its_input(tmp_path: Path) -> None:
    for code, words in [
        (
            "import sys\nassert open(sys.argv[1]).read().startswith('3, _')\nprint('Solution:', ANSWER)",
            " {board}",
        ),
        ("assert input() == '3, _, 2, _'\nprint(ANSWER.replace(', ', ' '))", ""),
    ]:
        report = solve(GRID, f"grid:{program(tmp_path, code)}{words}")
        assert str(report.filled) == FILLED
        assert set(report.seconds) == {"encode", "solve", "check", "start"}


def test_a_program_with_fixed_paths_and_questions_works_in_a_copy_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "output_1.txt").write_text("an older answer", encoding="utf-8")
    code = (
        "n = input('which? ') + input()\nassert n == '12', n\n"
        "assert open('cases/input_1.txt').readline() == '3, _, 2, _\\n'\n"
        "open('cases/output_1.txt', 'w').write(ANSWER)"
    )
    typed = program(tmp_path, code).replace(str(tmp_path / "program.py"), "program.py")
    options = r"--stdin '1\n2' --place cases/input_1.txt --answer cases/output_1.txt"
    assert isinstance(solve(GRID, f"grid:{options} {typed}").outcome, Solved)
    assert (tmp_path / "cases" / "output_1.txt").read_text(encoding="utf-8") == "an older answer"
    assert not (tmp_path / "cases" / "input_1.txt").exists()


@pytest.mark.parametrize("one_cell", [0.02, 0.5, 1.5])
def test_a_program_is_charged_for_all_its_time_however_long_a_board_of_one_cell_takes(
    one_cell: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def run_child(command: ChildCommand, **_: object) -> Exit:
        nonlocal now
        now += one_cell if command.text == "_\n" else 0.5
        return Exit(0, FILLED.encode(), b"")

    monkeypatch.setattr("gemhunter.grading.programs.run_child", run_child)
    report = solve(GRID, f"grid:{PYTHON} {one_cell}", run=Run(clock=lambda: now))
    assert report.seconds["solve"] == 0.5


def test_the_time_for_a_board_of_one_cell_is_shown_beside_the_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.txt"
    board.write_text(f"{GRID}\n", encoding="utf-8")
    assert main(["solve", str(board), "-e", f"grid:{program(tmp_path, 'print(ANSWER)')}"]) == 0
    assert re.search(r"solved in \S+ m?s \(\S+ m?s for a board of one cell\)\n", capsys.readouterr().out)


def test_no_solution_is_believed_only_if_it_is_true(tmp_path: Path) -> None:
    typed = program(tmp_path, "print('No solution')")
    engine = f"grid:{typed}"
    assert isinstance(solve(parse_grid("_, 1\n_, 2"), engine).outcome, Refuted)
    with pytest.raises(WrongAnswerError, match="no solution, but there is one"):
        solve(GRID, engine)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("print('hello')", "no answer found in 'hello'"),
        ("1 / 0", "failed with exit code 1: ZeroDivisionError"),
        ("print('what? '); input(); input(); input(); input()", "EOFError"),
        ("print(ANSWER.replace('3, T', '2, T'))", "not this board, filled in"),
        ("", "gave no answer"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(code: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError) as raised:
        solve(GRID, f"grid:{program(tmp_path, code)}")
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_wrong_grid_is_a_wrong_answer(tmp_path: Path) -> None:
    with pytest.raises(WrongAnswerError, match="gave a wrong answer: r"):
        solve(GRID, f"grid:{program(tmp_path, 'print(ANSWER.replace(chr(84), chr(71)))')}")


def test_an_endless_program_ends_at_the_time_limit(tmp_path: Path) -> None:
    code = "text = open(0).read()\nwhile len(text) > 9: pass"
    outcome = solve(GRID, f"grid:{program(tmp_path, code)}", time_limit=0.3).outcome
    assert isinstance(outcome, GaveUp)
    assert outcome.stop_reason is StopReason.TIME


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("grid:", "grid: needs the program to run"),
        ("grid:--place x.txt", "--place needs a value"),
        ("grid:--place ../x.txt python3 x.py", "inside the folder of the program"),
        ("grid:no-such-program-here", "no program named"),
    ],
)
def test_bad_commands_are_refused(name: str, words: str) -> None:
    with pytest.raises((InputError, EngineError)) as raised:
        solve(GRID, get_engine(name))
    assert words in str(raised.value)
