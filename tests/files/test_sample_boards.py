"""The boards that come with the package: where they come from, and what is true of them."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from gemhunter import GaveUp, Refuted, Solved, count, grid_from_traps, read_grid, solve
from gemhunter.cli.main import run
from gemhunter.errors import UnknownNameError
from gemhunter.files.samples import FIRST_SAMPLE, SAMPLE_PREFIX, SAMPLES, boards_folder, file_of

BOARDS = sorted(boards_folder().glob("*.txt"))


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.name)
def test_sample_boards_are_written_canonically(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == f"{read_grid(path)}\n"


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.name)
def test_sample_boards_have_a_solution_unless_their_name_says_otherwise(path: Path) -> None:
    expected = Refuted if path.name.startswith("no-solution") else Solved
    assert isinstance(solve(read_grid(path)).outcome, expected)


@pytest.mark.parametrize("path", sorted(boards_folder().glob("board-*.txt")), ids=lambda path: path.name)
def test_random_sample_boards_come_from_their_size_as_seed(path: Path) -> None:
    rows, cols = (int(side) for side in path.stem.split("-")[1].split("x"))
    random = np.random.default_rng([rows, cols])
    traps = random.random((rows, cols)) < 0.25
    shown = 0.65 if path.name == "board-66x66.txt" else 0.6
    assert read_grid(path) == grid_from_traps(traps, random.random((rows, cols)) < shown)


def test_every_board_of_the_package_has_a_name() -> None:
    named = {file_of(f"{SAMPLE_PREFIX}{name}") for name in SAMPLES}
    copies = {boards_folder() / "sources" / "s3-3x4.txt"}
    assert {path for path in boards_folder().rglob("*.*") if path.is_file()} - copies == named
    assert (boards_folder() / "sources" / "s3-3x4.txt").read_text() == file_of(FIRST_SAMPLE).read_text()


STATED = re.compile(r"([\d,]+|four|six|seven|one|no) solution")
WORDS = {"no": 0, "one": 1, "four": 4, "six": 6, "seven": 7}


def test_no_description_names_an_option_of_the_command_line() -> None:
    # The page shows descriptions too.
    assert [name for name, sample in SAMPLES.items() if "--" in sample.about] == []


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if STATED.search(sample.about)])
def test_the_number_of_solutions_is_as_the_list_says(name: str) -> None:
    about = SAMPLES[name].about
    (stated,) = STATED.findall(about)
    expected = WORDS[stated] if stated in WORDS else int(stated.replace(",", ""))
    traps = re.search(r"with (\d+) traps", about)
    assert count(read_grid(f"{SAMPLE_PREFIX}{name}"), total=int(traps[1]) if traps else None) == expected


def test_of_the_engines_in_the_first_comparison_only_backtracking_gets_lost_on_the_hard_board() -> None:
    hard = read_grid("sample:66x66-hard")
    assert isinstance(solve(hard, "backtracking", step_limit=100_000).outcome, GaveUp)
    for engine in ("pysat:glucose4", "cdcl", "dpll"):
        assert isinstance(solve(hard, engine, step_limit=1_000).outcome, Solved)


def test_a_wrong_name_of_a_sample_board_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"no sample board named '9y9'; did you mean '9x9'") as caught:
        read_grid("sample:9y9")
    assert "gemhunter samples" in str(caught.value)


def test_a_file_can_be_called_like_a_sample_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32":
        pytest.skip("no colons in file names")
    monkeypatch.chdir(tmp_path)
    Path("sample:9x9").write_text("_, 1, _\n")
    assert read_grid("./sample:9x9").rows == 1
    assert read_grid("sample:9x9").rows == 9


@pytest.mark.parametrize(
    "command",
    [
        "solve sample:two-ways",
        "solve sample:two-ways --all",
        "analyse sample:two-ways",
        "trace sample:two-ways",
        "convert sample:two-ways",
        "cnf sample:two-ways",
        "check sample:two-ways answer.txt",
        "cnf sample:two-ways --model model.txt",
        pytest.param("bench sample:two-ways -e backtracking --runs 1", marks=pytest.mark.full),
    ],
)
def test_every_command_that_takes_a_board_takes_a_sample_board(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model.txt").write_text("s SATISFIABLE\nv 1 -2 0\n")
    Path("answer.txt").write_text("T, 1, G\n")
    assert run(command.split()) == 0


@pytest.mark.parametrize("form", ["text", "json", "csv", "md"])
def test_samples_are_listed_in_every_form(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["samples", "--format", form]) == 0
    printed = capsys.readouterr().out
    assert all(f"{SAMPLE_PREFIX}{name}" in printed for name in SAMPLES)


def test_the_list_has_the_size_of_each_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["samples", "--format", "json"]) == 0
    listed = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    expected = {"rows": 6, "cols": 6, "unknown": 27}
    assert expected.items() <= listed["sample:s4-5"].items()
