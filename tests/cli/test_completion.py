"""`completion`: a line for the shell's own file, and the script that it runs."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gemhunter.cli.main import run

SHELLS = ["bash", "zsh", "fish", "powershell"]
BAD_INPUT = 2


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The `run` of a clone whose path has a blank; it runs this program."""
    folder = tmp_path / "my clone"
    folder.mkdir()
    program = folder / "run"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gemhunter "$@"\n')
    program.chmod(0o755)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GEMHUNTER_COMMAND", "./run")
    return program


@pytest.mark.parametrize("shell", SHELLS)
def test_the_line_runs_the_command(
    shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GEMHUNTER_COMMAND", raising=False)
    assert run(["completion", shell]) == 0
    printed = capsys.readouterr()
    assert f"gemhunter completion {shell} --script" in printed.out
    assert printed.out.count("\n") == 1
    assert printed.err.startswith("put this line into ")


@pytest.mark.skipif(sys.platform == "win32", reason="clones have run.cmd there")
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_in_a_clone_everything_calls_its_own_program(
    shell: str, clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["completion", shell]) == 0
    assert f"'{clone}' completion {shell} --script" in capsys.readouterr().out
    assert run(["completion", shell, "--script"]) == 0
    script = capsys.readouterr().out
    assert script.count(f"'{clone}'") == 2
    assert "$1)" not in script
    assert "$+commands[" not in script


@pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="needs bash")
def test_bash_completes_a_sample_board_in_a_clone(clone: Path) -> None:
    session = f"""
eval "$('{clone}' completion bash --script)" 2>&1
cd /
COMP_WORDS=(gemhunter solve sample:9); COMP_CWORD=2
_gemhunter_completion gemhunter
echo "${{COMPREPLY[@]}}"
gemhunter --version
"""
    done = subprocess.run(["bash", "--norc", "-c", session], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "sample:9x9"
    assert done.stdout.splitlines()[1].startswith("gemhunter, version ")


def test_a_click_that_does_not_know_the_shell_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemhunter.cli.completion.get_completion_class", lambda shell: None)
    assert run(["completion", "powershell"]) == BAD_INPUT
    assert "this version of Click cannot complete in powershell" in capsys.readouterr().err
