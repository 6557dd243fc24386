"""What a command writes replaces none of what it reads, and no two options write the same file."""

from pathlib import Path

import pytest

from gemhunter.cli.main import run

BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
RIGHT = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board, a right answer and a link to the board."""
    (desk / "b.txt").write_text(BOARD, encoding="utf-8")
    (desk / "ok.txt").write_text(RIGHT, encoding="utf-8")
    (desk / "l.txt").symlink_to(desk / "b.txt")
    return desk


@pytest.mark.parametrize(
    "line",
    [
        "solve b.txt -o b.txt",
        "solve b.txt --output=b.txt",
        "solve b.txt -o l.txt",
        "solve b.txt --all -o ./b.txt",
        "solve b.txt --proof b.txt -e cdcl",
        "analyse b.txt -o b.txt",
        "analyse b.txt --svg b.txt",
        "explain b.txt --html b.txt",
        "explain b.txt --svg b.txt",
        "explain b.txt --gif b.txt",
        "advise b.txt -o b.txt",
        "cnf b.txt -o b.txt",
        "check b.txt ok.txt --csv ok.txt",
        "check b.txt ok.txt --csv b.txt",
    ],
)
def test_a_file_that_is_read_is_not_written(line: str, desk: Path, capsys: Captured) -> None:
    assert run(line.split()) == 2
    assert "is read by this command; name another file to write" in capsys.readouterr().err
    assert ((desk / "b.txt").read_text("utf-8"), (desk / "ok.txt").read_text("utf-8")) == (BOARD, RIGHT)


@pytest.mark.parametrize(
    "line", ["analyse b.txt --svg same --png same", "solve b.txt -e cdcl --proof p.drat -o ./p.drat"]
)
def test_two_options_do_not_write_one_file(line: str, desk: Path, capsys: Captured) -> None:
    assert run(line.split()) == 2
    assert "would be written twice; name two files" in capsys.readouterr().err
    assert not {"same", "p.drat"} & {path.name for path in desk.iterdir()}


def test_a_board_is_converted_in_place_and_a_result_is_replaced(desk: Path, capsys: Captured) -> None:
    assert run(["convert", "b.txt", "-o", "b.txt"]) == 0
    assert [run(["solve", "b.txt", "-o", "out.txt"]) for _ in range(2)] == [0, 0]
    assert run(["analyse", "b.txt", "--svg", "/dev/null", "-o", "/dev/null"]) == 0
