"""What commands print and write: notes on standard error, files, and columns of tables."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemhunter.cli.declare import Command
from gemhunter.cli.exit_codes import is_quiet, note
from gemhunter.cli.main import gemhunter, run
from gemhunter.cli.output import fitting_widths, pieces, wrap, wrapped_rows
from gemhunter.cli.progress import continuing_command

Captured = pytest.CaptureFixture[str]

NINE = "_, 1, _\n_, _, 9\n"
INTERACTIVE = ("menu", "play")


@pytest.fixture
def desk(desk: Path) -> Path:
    """The current folder, with a board that a warning is about."""
    (desk / "nine.txt").write_text(NINE, encoding="utf-8")
    return desk


def leaves(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The command itself, or those of a group."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, (*path, name))


def all_commands() -> list[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(gemhunter)
    found = [(name, gemhunter.get_command(context, name)) for name in gemhunter.list_commands(context)]
    return [leaf for name, command in found if command for leaf in leaves(command, (name,))]


@pytest.mark.parametrize(("path", "command"), all_commands())
def test_a_command_that_writes_a_file_can_be_quiet(path: tuple[str, ...], command: click.Command) -> None:
    flags = {flag for option in command.params for flag in option.opts}
    assert "-o" not in flags or "--quiet" in flags or path[0] in INTERACTIVE


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["solve", "nine.txt"], "1 answer for 1 board"),
        (["solve", "nine.txt", "--all"], "0 solutions"),
        (["analyse", "nine.txt"], "the analysis"),
        (["analyse", "nine.txt", "--format", "json"], "the analysis"),
        (["explain", "nine.txt"], "the explanation"),
        (["hint", "nine.txt", "--rung", "1"], "the hint"),
        (["cnf", "nine.txt"], "4 variables, 8 clauses"),
        (["cnf", "nine.txt", "--sum"], "8 clauses, 8 without duplicates"),
        (["convert", "nine.txt", "--format", "compact"], "a grid with one character per cell"),
    ],
)
def test_an_output_file_is_all_that_a_command_gives(
    arguments: list[str], what: str, desk: Path, capsys: Captured
) -> None:
    run([*arguments, "-q"])
    printed = capsys.readouterr()
    assert printed.err == ""
    run([*arguments, "-o", "out"])
    out, err = capsys.readouterr()
    assert out == ""
    said = [line for line in err.splitlines() if not line.startswith("warning: nine.txt:")]
    assert said == [f"out: {what}"]
    written = (desk / "out").read_text(encoding="utf-8")
    assert written == printed.out or what.startswith("1 answer")  # running times differ
    assert written
    run([*arguments, "-o", "out", "--quiet"])
    assert capsys.readouterr() == ("", "")


def test_quiet_holds_for_one_command_alone(capsys: Captured) -> None:
    @click.command(cls=Command)
    def speak() -> None:
        note("a note")

    for arguments, expected in ((["-q"], ""), ([], "a note\n")):
        speak.main(arguments, standalone_mode=False)
        assert capsys.readouterr() == ("", expected)
    assert not is_quiet()


def test_quiet_does_not_hinder_continuing(tmp_path: Path) -> None:
    @click.command(cls=Command)
    def work() -> str:
        return continuing_command(click.get_current_context(), tmp_path / "runs.jsonl", ())

    command = work.main(["--quiet"], prog_name="work", standalone_mode=False)
    assert "--resume" in command
    assert "--quiet" not in command


BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
RIGHT = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"


@pytest.fixture
def files(desk: Path) -> Path:
    """The current folder, with a board, a right answer and a link to the board."""
    (desk / "b.txt").write_text(BOARD, encoding="utf-8")
    (desk / "ok.txt").write_text(RIGHT, encoding="utf-8")
    (desk / "l.txt").symlink_to(desk / "b.txt")
    return desk


@pytest.mark.parametrize(
    "line",
    [
        "solve b.txt -o b.txt",
        "solve b.txt -o l.txt",
        "solve b.txt --all -o ./b.txt",
        "solve b.txt -o b.txt -e cdcl",
        "analyse b.txt -o b.txt",
        "explain b.txt -o b.txt",
        "hint b.txt -o b.txt",
        "cnf b.txt -o b.txt",
        "cnf b.txt --model ok.txt -o ok.txt",
        "cnf b.txt --model=ok.txt -o ok.txt",
    ],
)
def test_a_file_that_is_read_is_not_written(line: str, files: Path, capsys: Captured) -> None:
    assert run(line.split()) == 2
    assert "is read by this command; name another file to write" in capsys.readouterr().err
    assert ((files / "b.txt").read_text("utf-8"), (files / "ok.txt").read_text("utf-8")) == (BOARD, RIGHT)


@pytest.mark.parametrize(
    "line", ["solve b.txt -o auto -e auto", "solve b.txt -o solve", "solve b.txt -ojson"]
)
def test_a_file_with_the_name_of_an_engine_or_a_command_can_be_written(line: str, files: Path) -> None:
    for name in ("auto", "solve", "json"):
        (files / name).touch()
    assert run([*line.split(), "--format", "json"]) == 0
    assert sum(bool((files / name).stat().st_size) for name in ("auto", "solve", "json")) == 1


@pytest.mark.parametrize(
    "line", ["analyse b.txt -o same -o same", "solve b.txt -e cdcl -o p.drat -o ./p.drat"]
)
def test_two_options_do_not_write_one_file(line: str, files: Path, capsys: Captured) -> None:
    assert run(line.split()) == 2
    assert "would be written twice; name two files" in capsys.readouterr().err
    assert not {"same", "p.drat"} & {path.name for path in files.iterdir()}


def test_a_board_is_converted_in_place_and_a_result_is_replaced(files: Path, capsys: Captured) -> None:
    assert run(["convert", "b.txt", "-o", "b.txt"]) == 0
    assert [run(["solve", "b.txt", "-o", "out.txt"]) for _ in range(2)] == [0, 0]
    assert run(["analyse", "b.txt", "-o", "/dev/null", "-o", "/dev/null"]) == 0


TEXTS = st.text("ab1 ,;:/=_-.µ", max_size=40)


@given(TEXTS)
def test_pieces_are_the_whole_text(text: str) -> None:
    assert "".join(pieces(text)) == text


@given(TEXTS, st.integers(1, 30))
def test_wrapping_loses_nothing_but_blanks(text: str, width: int) -> None:
    assert "".join(wrap(text, width)).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("backtracking:most-constrained", 20, ["backtracking:most-", "constrained"]),
        ("cases/case_1/input_1.txt", 14, ["cases/case_1/", "input_1.txt"]),
        ("7.61 s (exceeded max attempts)", 16, ["7.61 s (exceeded", "max attempts)"]),
        ("after 2,000,000 attempts", 6, ["after", "2,000,000", "attempts"]),
        ("genetic:population=50,elite=2", 12, ["genetic:", "population=", "50,elite=2"]),
        ("", 5, [""]),
    ],
)
def test_lines_end_after_signs_and_blanks_and_numbers_keep_their_units(
    text: str, width: int, lines: list[str]
) -> None:
    assert wrap(text, width) == lines


def test_columns_that_fit_stay_as_wide_as_they_are() -> None:
    assert fitting_widths([["engine", "what it is"], ["cdcl", "learns clauses"]], 20) == [6, 14]


def test_the_widest_columns_give_way_first() -> None:
    rows = [["cdcl", "it learns a clause from every conflict"]]
    assert fitting_widths(rows, 20) == [4, 16]


def test_a_word_that_does_not_fit_is_not_cut() -> None:
    rows = [["x" * 30, "two words"]]
    assert wrapped_rows(rows, 10) == [["x" * 30, "two\nwords"]]
