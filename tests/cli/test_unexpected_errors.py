"""Unexpected errors: one line and exit code 4, never a traceback, never "no solution"."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from gemhunter.cli import main as demo
from gemhunter.cli.main import run

Captured = pytest.CaptureFixture[str]


def fails(*_: object) -> None:
    raise ZeroDivisionError("one\n\x1b[32mtwo")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A program with a fault, and the folder where it keeps the details."""
    monkeypatch.setattr(demo, "show_demo", fails)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("GEMHUNTER_DEBUG", raising=False)
    return tmp_path


def test_an_unforeseen_error_is_one_line_and_exit_code_4(broken: Path, capsys: Captured) -> None:
    assert run([]) == 4
    (kept,) = broken.iterdir()
    said = capsys.readouterr()
    assert said.err == (
        f"error: internal error: ZeroDivisionError: one \\x1b[32mtwo; please report it, details in {kept}\n"
    )
    assert said.out == ""
    assert "Traceback" in kept.read_text(encoding="utf-8")


def test_what_could_not_be_kept_is_not_said_to_be(
    broken: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(broken / "missing"))
    assert run([]) == 4
    assert capsys.readouterr().err.endswith("please report it\n")


@pytest.mark.usefixtures("broken")
def test_the_traceback_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMHUNTER_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run([])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_an_error_that_cannot_be_printed_still_has_its_exit_code(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "gemhunter", "solve", str(tmp_path / "missing.txt")]
        assert subprocess.run(command, stderr=full, check=False).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_while_the_program_is_imported_is_one_line(tmp_path: Path) -> None:
    """A module that everything needs interrupts us in place of a person with quick fingers."""
    (tmp_path / "click.py").write_text(f"import os; os.kill(os.getpid(), {signal.SIGINT})", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "gemhunter"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"stopped\n")


@pytest.mark.parametrize(
    "arguments", [["solve", ""], ["check", "sample:9x9", ""], ["analyse", "sample:9x9", "-o", ""]]
)
def test_an_empty_argument_is_refused(arguments: list[str], capsys: Captured) -> None:
    assert run(arguments) == 2
    assert "one of the arguments is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "sample:9x9", "-e", f"cdcl:unit={10**30}"], "takes a whole number from -"),
        (["solve", "sample:9x9", "-e", f"dpll:depth={10**30}"], "takes a whole number from -"),
        (["solve", "sample:9x9", "-e", "cdcl:decay=nan"], "decay is at least 0.5"),
        (["solve", "sample:9x9", "--seed", "-1"], "0<=x<=9223372036854775807"),
        (["solve", "sample:9x9", "--time-limit", "nan"], "is not a number"),
        (["solve", "sample:9x9", "--memory-limit", "9999999999T"], "more than any machine has"),
        (["analyse", "sample:9x9", "--density", "nan"], "is not a number"),
        (["trace", "sample:9x9", "--max-events", str(10**30)], "1<=x<=9223372036854775807"),
        (["experiment", "winrate", "--games", str(10**10)], "a whole number from 1 to 1000000000"),
    ],
)
def test_numbers_out_of_range_are_refused(arguments: list[str], said: str, capsys: Captured) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err
