"""What goes to standard error beside errors: a line for each file that is written; nothing with `--quiet`."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gemhunter.cli.main import COMMAND_NAMES, gemhunter, run
from gemhunter.cli.notes import is_quiet, note, quiet_option
from gemhunter.cli.progress import continuing_command

NINE = "_, 1, _\n_, _, 9\n"

INTERACTIVE = ("menu", "play")

Captured = pytest.CaptureFixture[str]


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
    found = [(name, gemhunter.get_command(context, name)) for name in COMMAND_NAMES]
    return [leaf for name, command in found if command for leaf in leaves(command, (name,))]


@pytest.mark.parametrize(("path", "command"), all_commands())
def test_a_command_that_writes_a_file_can_be_quiet(path: tuple[str, ...], command: click.Command) -> None:
    flags = {flag for option in command.params for flag in option.opts}
    assert "-o" not in flags or "--quiet" in flags or path[0] in INTERACTIVE


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["solve", "nine.txt"], "1 answer about 1 board"),
        (["solve", "nine.txt", "--all"], "0 solutions"),
        (["analyse", "nine.txt"], "the analysis"),
        (["explain", "nine.txt"], "the explanation"),
        (["hint", "nine.txt", "--rung", "1"], "the hint"),
        (["cnf", "nine.txt"], "4 variables, 8 clauses"),
        (["cnf", "nine.txt", "--sum"], "8 clauses, 8 without duplicates"),
        (["convert", "nine.txt", "--to", "compact"], "compact"),
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
    assert (desk / "out").read_bytes()
    run([*arguments, "-o", "out", "--quiet"])
    assert capsys.readouterr() == ("", "")


def test_quiet_holds_for_one_command_alone(capsys: Captured) -> None:
    @click.command()
    @quiet_option
    def speak() -> None:
        note("a note")

    for arguments, expected in ((["-q"], ""), ([], "a note\n")):
        speak.main(arguments, standalone_mode=False)
        assert capsys.readouterr() == ("", expected)
    assert not is_quiet()


def test_quiet_does_not_hinder_continuing(tmp_path: Path) -> None:
    @click.command()
    @quiet_option
    def work() -> str:
        return continuing_command(click.get_current_context(), tmp_path / "runs.jsonl", ())

    command = work.main(["--quiet"], prog_name="work", standalone_mode=False)
    assert "--resume" in command
    assert "--quiet" not in command
