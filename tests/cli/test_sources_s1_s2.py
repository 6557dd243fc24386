"""S1 and S2 to the letter: times, the board above its answers, the menu, folders and test cases."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gemhunter.cli.main import gemhunter, run
from gemhunter.cli.menu import USUAL, engine_groups
from gemhunter.cli.terminals import LOOKALIKES
from gemhunter.draw.text_maps import seconds_in_file, seconds_text
from gemhunter.solving.registry import engine_names
from text_files import put

SMALL = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
S1_SMALL = "_, 2, 2, 2, 1\n_, _, _, 2, _\n_, 3, _, _, 2\n_, _, 2, 3, _\n_, 2, _, _, _\n"
REFUTED = "1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1\n"

Captured = pytest.CaptureFixture[str]


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


def test_solve_shows_the_board_once_and_then_each_engines_map(desk: Path, capsys: Captured) -> None:
    put(desk / "input.txt", S1_SMALL)
    assert run(["solve", "input.txt", "-e", "pysat:glucose3", "-e", "backtracking", "-e", "brute-force"]) == 0
    shown, *answers = capsys.readouterr().out.strip().split("\n\n")
    assert shown == f"input.txt (5×5)\n{S1_SMALL}".strip()
    labels = [re.findall(r"^\[([a-z-]+)", answer)[0] for answer in answers]
    assert labels == ["pysat", "backtracking", "brute-force"]
    assert all(answer.count("\n") == 5 for answer in answers)


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


def choose(folder: Path, *lines: str) -> str:
    """What the menu shows to somebody who types these lines."""
    result = CliRunner().invoke(
        gemhunter, ["menu", str(folder)], input="".join(f"{line}\n" for line in lines)
    )
    assert result.exit_code == 0, result.output
    return result.output


def test_in_the_menu_enter_means_pysat_backtracking_and_brute_force(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    output = choose(desk, "1", "", "q")
    assert re.findall(r"^\[([a-z-]+).*\] solved", output, re.M) == ["pysat", "backtracking", "brute-force"]


def test_in_the_menu_enter_takes_the_first_board(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    put(desk / "b.txt", S1_SMALL)
    assert f"a.txt (3×4)\n{SMALL}\n[" in choose(desk, "", "cdcl", "q")


def test_the_menu_groups_engines_common_ones_first_and_numbers_run_through(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    listed = choose(desk, "1", "q").partition("the usual three:")[2]
    assert re.findall(r"^ *(\d+)  (\S+)$", listed, re.M)[:3] == [
        (str(number), name) for number, name in enumerate(USUAL, 1)
    ]
    numbers = [int(number) for number in re.findall(r"^ *(\d+)  \S", listed, re.M)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_menu_has_every_engine_once_but_those_that_need_a_program() -> None:
    groups = engine_groups(engine_names())
    listed = [name for members in groups.values() for name in members]
    assert sorted(listed) == sorted(name for name in engine_names() if not name.startswith("cmd:"))
    assert list(groups)[:3] == ["the usual three", "written here", "PySAT's solvers"]


def test_the_json_of_solve_has_seconds_rounded_to_six_decimals(desk: Path, capsys: Captured) -> None:
    put(desk / "a.txt", SMALL)
    run(["solve", "a.txt", "--format", "json"])
    seconds = json.loads(capsys.readouterr().out)["seconds"]
    assert seconds == {stage: round(taken, 6) for stage, taken in seconds.items()}
