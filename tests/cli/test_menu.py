"""`gemhunter menu` and `gemhunter` alone."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gemhunter.cli.main import COMMAND_NAMES, gemhunter


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
    out = tmp_path / "answers.out"
    choose("1", "pysat:g4 pysat:glucose4", "pysat:glucose4", "q", arguments=(folder, "-o", str(out)))
    assert "[pysat:glucose4] solved" in out.read_text(encoding="utf-8")


def test_without_a_folder_the_boards_of_the_package_are_offered() -> None:
    assert "sample-3x4.txt" in choose("q").output


def test_without_a_command_a_sample_board_is_solved() -> None:
    output = CliRunner().invoke(gemhunter, []).output
    assert "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n" in output
    named = set(re.findall(r"gemhunter (\w+)", output))
    assert named >= {"web", "solve", "explain", "bench", "report", "generate", "check", "play"}
    assert named <= set(COMMAND_NAMES)
