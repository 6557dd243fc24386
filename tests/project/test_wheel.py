"""The wheel in an empty environment, away from the clone: without Numba, and with the oldest one."""

import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from venv import EnvBuilder

import pytest

from places import ROOT

pytestmark = pytest.mark.full

CLONE = ROOT
BOARD = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"
SOLVED = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"
HARD = "\n".join(["_" * 13, "_7" * 6 + "_", "_" * 13]) + "\n"
"""More than a million ways to fill it, which brute force goes through one by one."""

NOTICE = "note: this would be much faster compiled, but Numba is not installed"

OFFLINE = ("No matching distribution", "connection", "Temporary failure")


@dataclass(frozen=True)
class Installed:
    """An environment that has the wheel, and a folder to work in."""

    folder: Path

    @property
    def programs(self) -> Path:
        """Where the environment's commands are."""
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin")

    def gemhunter(self, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run the command in the folder; nothing of the clone is on its path."""
        hidden = ("PYTHONPATH", "GEMHUNTER_COMPILE", "NUMBA_DISABLE_JIT")
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        environment = kept | {"NUMBA_CACHE_DIR": str(self.folder / "cache"), **variables}
        command = [str(self.programs / "gemhunter"), *words]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )

    def pip(self, *words: str) -> None:
        """Install packages; where no index can be reached, the test is skipped."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.programs / "python")]
        command = [*pip, "install", "--quiet", "--no-compile", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode and any(sign in done.stderr for sign in OFFLINE):
            pytest.skip("no package index can be reached")
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel of this clone, built and installed with what it depends on by default."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(CLONE),
    ]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    environment = Installed(folder / "environment")
    EnvBuilder(with_pip=False).create(environment.folder)
    environment.pip(str(wheel))
    (environment.folder / "board.txt").write_text(BOARD, encoding="utf-8")
    (environment.folder / "hard.txt").write_text(HARD, encoding="utf-8")
    return environment


def other_messages(stderr: str) -> list[str]:
    """What it says apart from the notice, which on a busy machine also comes with a small board."""
    assert stderr.count(NOTICE) <= 1
    return [line for line in stderr.splitlines() if not line.startswith(NOTICE)]


def test_without_numba_everything_works_and_one_notice_names_what_is_missing(
    installed: Installed,
) -> None:
    for engine in ("auto", "cdcl", "tables", "genetic"):
        solved = installed.gemhunter("solve", "board.txt", "-e", engine)
        assert SOLVED in solved.stdout, engine
        assert not other_messages(solved.stderr)
    for words in (
        [],
        ["analyse", "board.txt"],
        ["trace", "board.txt", "-e", "cdcl"],
        ["watch", "easy#1", "-a", "expert"],
        ["experiment", "winrate", "--games", "2", "--level", "beginner"],
    ):
        done = installed.gemhunter(*words)
        assert (done.returncode, other_messages(done.stderr)) == (0, []), words
    slow = installed.gemhunter(
        "solve", "hard.txt", "hard.txt", "-e", "brute-force", "--step-limit", "3000000"
    )
    assert slow.stderr.count(NOTICE) == 1
    assert "pip install 'gemhunter[fast]'" in slow.stderr
    assert "Numba is not installed" in installed.gemhunter("warmup").stderr


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the oldest Numba is for older Pythons")
def test_the_oldest_numba_compiles_the_same_answers(installed: Installed, tmp_path: Path) -> None:
    extras = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = extras["optional-dependencies"]["fast"][0].partition(">=")[2].partition(",")[0]
    # Beside the environment, which stays without Numba.
    installed.pip("--target", str(tmp_path), f"numba=={oldest}.*")
    variables = {"GEMHUNTER_COMPILE": "always", "PYTHONPATH": str(tmp_path)}
    # DPLL has kernels of all kinds: called from Python, called from kernels, and tight ones.
    done = installed.gemhunter("solve", "board.txt", "-e", "dpll", "--format", "text", **variables)
    assert SOLVED in done.stdout, done.stderr
    assert any((installed.folder / "cache").rglob("*.nbi"))
