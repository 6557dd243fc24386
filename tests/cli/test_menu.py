"""`gemhunter menu` and `gemhunter` alone."""

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gemhunter.cli.commands import COMMAND_NAMES
from gemhunter.cli.main import gemhunter, run
from gemhunter.cli.menu import USUAL, engine_groups
from gemhunter.solving.registry import engine_names
from text_files import put


def choose(*lines: str, arguments: tuple[str, ...] = ()) -> Result:
    result = CliRunner().invoke(gemhunter, ["menu", *arguments], input="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A folder with two boards, the second of which is the answer to `1`."""
    (tmp_path / "a.txt").write_text("_, 1, _\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("2, _\n_, _\n", encoding="utf-8")
    return str(tmp_path)


def test_a_board_and_engines_are_chosen_by_number_or_name(folder: str) -> None:
    output = choose("1", "pysat:glucose4, pysat:minicard", "q", arguments=(folder,)).output
    assert "[pysat:glucose4] solved" in output
    assert "[pysat:minicard] solved" in output


@pytest.mark.parametrize("typed", ["0", "3", "x", "-1", "٣", "1 2"])
def test_an_invalid_choice_is_asked_for_again(folder: str, typed: str) -> None:
    output = choose(typed, "2", "pysat", "q", arguments=(folder,)).output
    assert f"{typed!r} is not a choice" in output
    assert "b.txt (2×2)\n2, _\n_, _\n\n[" in output


@pytest.mark.parametrize("typed", [("q",), ("1", "q"), ("Q",), ()])
def test_q_or_the_end_of_input_leaves(folder: str, typed: tuple[str, ...]) -> None:
    assert "solved" not in choose(*typed, arguments=(folder,)).output


def test_answers_are_written_labelled_by_engine(folder: str, tmp_path: Path) -> None:
    out = tmp_path / "answers.txt"
    choose("1", "pysat:g4 pysat:glucose4", "pysat:glucose4", "q", arguments=(folder, "-o", str(out)))
    assert "[pysat:glucose4] solved" in out.read_text(encoding="utf-8")


def test_the_answer_to_a_test_case_is_that_of_the_last_choice_and_ours(desk: Path) -> None:
    put(desk / "cases" / "testcase_1" / "input_1.txt", SMALL)
    result = choose("1", "cdcl", "1", "dpll", "q", arguments=("cases",))
    assert "is kept" not in result.output
    assert "[dpll]" in (desk / "cases" / "testcase_1" / "output_1.txt").read_text(encoding="utf-8")
    assert run(["solve", "cases"]) == 0


def test_the_menu_keeps_the_files_of_others_and_says_so(desk: Path) -> None:
    put(desk / "cases" / "testcase_1" / "input_1.txt", SMALL)
    own = put(desk / "cases" / "testcase_1" / "output_1.txt", "my own work\n")
    result = CliRunner().invoke(gemhunter, ["menu", "cases"], input="1\ncdcl\nq\n", standalone_mode=False)
    assert result.return_value == 2
    assert "is kept" in result.output
    assert "--force" not in result.output
    assert own.read_text(encoding="utf-8") == "my own work\n"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_the_menu_writes_through_no_link(desk: Path) -> None:
    put(desk / "cases" / "testcase_1" / "input_1.txt", SMALL)
    (desk / "cases" / "testcase_1" / "output_1.txt").symlink_to(desk / "elsewhere.txt")
    assert "is a link" in choose("1", "cdcl", "q", arguments=("cases",)).output
    assert not (desk / "elsewhere.txt").exists()


def test_without_a_folder_the_boards_of_the_package_are_offered() -> None:
    assert "sample-3x4.txt" in choose("q").output


def test_without_a_command_a_sample_board_is_solved() -> None:
    output = CliRunner().invoke(gemhunter, []).output
    assert "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n" in output
    named = set(re.findall(r"gemhunter (\w+)", output))
    assert named >= {"web", "solve", "explain", "bench", "report", "generate", "check", "play"}
    assert named <= set(COMMAND_NAMES)


SMALL = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
S1_SMALL = "_, 2, 2, 2, 1\n_, _, _, 2, _\n_, 3, _, _, 2\n_, _, 2, 3, _\n_, 2, _, _, _\n"


def test_in_the_menu_enter_means_pysat_backtracking_and_brute_force(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    output = choose("1", "", "q", arguments=(str(desk),)).output
    assert re.findall(r"^\[([a-z-]+).*\] solved", output, re.M) == ["pysat", "backtracking", "brute-force"]


def test_in_the_menu_enter_takes_the_first_board(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    put(desk / "b.txt", S1_SMALL)
    assert f"a.txt (3×4)\n{SMALL}\n[" in choose("", "cdcl", "q", arguments=(str(desk),)).output


def test_the_menu_groups_engines_common_ones_first_and_numbers_run_through(desk: Path) -> None:
    put(desk / "a.txt", SMALL)
    listed = choose("1", "q", arguments=(str(desk),)).output.partition("the usual three:")[2]
    assert re.findall(r"^ *(\d+)  (\S+)$", listed, re.M)[:3] == [
        (str(number), name) for number, name in enumerate(USUAL, 1)
    ]
    numbers = [int(number) for number in re.findall(r"^ *(\d+)  \S", listed, re.M)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_menu_has_every_engine_once_except_those_that_need_a_program() -> None:
    groups = engine_groups(engine_names())
    listed = [name for members in groups.values() for name in members]
    assert sorted(listed) == sorted(name for name in engine_names() if "PROGRAM" not in name)
    assert list(groups)[:3] == ["the usual three", "written here", "PySAT's solvers"]
