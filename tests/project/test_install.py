"""The environment of a clone: by uv or by pip, without a network, stopped half-way, extended later."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from places import ROOT
from text_files import put

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the uv of these tests is a shell script")

OFFLINE = "gemhunter needs the network once, to install its packages, and reaches no package index\n"


@dataclass
class Clone:
    """A folder with install.py and a uv that notes what it is asked for and does what the test says."""

    folder: Path
    index: str = "http://127.0.0.1:9/simple"

    def uv(self, *lines: str) -> None:
        """Put a uv on the path; `$*` are its arguments."""
        program = self.folder / "bin" / "uv"
        program.parent.mkdir(exist_ok=True)
        program.write_text("\n".join(["#!/bin/sh", f'echo "$*" >> {self.folder}/asked', *lines]))
        program.chmod(0o755)

    def install(self, goal: str = "run", **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run install.py; the only package index is a port where nothing listens."""
        path = os.pathsep.join([str(self.folder / "bin"), "/usr/bin", "/bin"])
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GEMHUNTER", "PIP", "UV"))
        }
        quick = {"PIP_INDEX_URL": self.index, "PIP_RETRIES": "1", "PIP_CONFIG_FILE": os.devnull}
        return subprocess.run(
            [sys.executable, str(self.folder / "install.py"), goal],
            env={**kept, **quick, "PATH": path, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def asked(self) -> list[str]:
        """What uv was asked to install, without the path of the clone; the dry runs are left out."""
        lines = (self.folder / "asked").read_text(encoding="utf-8").splitlines()
        return [
            line.partition("--editable ")[2].replace(str(self.folder), "CLONE")
            for line in lines
            if "--dry-run" not in line
        ]


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    for name in ("install.py", "pyproject.toml"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    return Clone(tmp_path)


def test_everything_is_installed_once(clone: Clone) -> None:
    clone.uv()
    first, second = clone.install(), clone.install()
    assert (first.returncode, second.returncode) == (0, 0)
    assert "once: about 130 MB to download" in first.stderr
    assert second.stderr == ""
    assert clone.asked == ["CLONE[fast,plots,web]"]


def test_the_choice_of_extras_lasts_and_grows_with_what_commands_need(clone: Clone) -> None:
    clone.uv()
    clone.install(GEMHUNTER_EXTRAS="")
    clone.install("cp-sat")
    with (clone.folder / "pyproject.toml").open("a", encoding="utf-8") as project:
        project.write("# changed\n")
    clone.install()
    assert clone.asked == ["CLONE", "CLONE[cp-sat]", "CLONE[cp-sat]"]


def test_without_a_network_it_says_so_and_leaves_nothing(clone: Clone) -> None:
    clone.uv("echo 'dns error: failed to look up' >&2; exit 2")
    done = clone.install()
    assert (done.returncode, OFFLINE in done.stderr) == (2, True)
    assert "dns error" not in done.stderr
    assert not (clone.folder / ".venv").exists()


def test_without_uv_and_network_it_says_so_and_leaves_nothing(clone: Clone) -> None:
    done = clone.install()
    assert (done.returncode, OFFLINE in done.stderr) == (2, True)
    assert not (clone.folder / ".venv").exists()


def test_where_uv_cannot_be_had_pip_installs(clone: Clone) -> None:
    """The index is a folder without uv; that pip then fails on it shows that pip was asked."""
    (clone.folder / "index").mkdir()
    clone.index = (clone.folder / "index").as_uri()
    done = clone.install(GEMHUNTER_EXTRAS="")
    assert done.returncode == 2
    assert "hatchling" in done.stderr
    assert not (clone.folder / ".venv").exists()


def test_extras_that_cannot_be_installed_are_left_out(clone: Clone) -> None:
    clone.uv('case "$*" in *fast*) echo "no solution found: numba" >&2; exit 1;; esac')
    done = clone.install()
    assert done.returncode == 0
    assert "no solution found: numba\ninstalling without fast, plots, web" in done.stderr
    assert clone.asked[-1] == "CLONE"


def test_what_was_stopped_half_way_is_made_again(clone: Clone) -> None:
    clone.uv('case "$*" in *--dry-run*) ;; *) kill -9 $PPID;; esac')
    assert clone.install().returncode == -9
    assert (clone.folder / ".venv" / "bin" / "python").exists()
    (clone.folder / ".venv" / "half-made").touch()
    clone.uv()
    assert clone.install().returncode == 0
    assert not (clone.folder / ".venv" / "half-made").exists()


def test_an_interrupt_leaves_nothing(clone: Clone) -> None:
    clone.uv("kill -INT $PPID; sleep 1")
    done = clone.install()
    assert (done.returncode, "the next call starts it again" in done.stderr) == (130, True)
    assert not (clone.folder / ".venv").exists()


def test_an_extra_that_fails_does_not_harm_what_works(clone: Clone) -> None:
    clone.uv()
    clone.install()
    clone.uv('case "$*" in *cp-sat*) echo "no space left on device" >&2; exit 1;; esac')
    done = clone.install("cp-sat")
    assert (done.returncode, "no space left on device" in done.stderr) == (2, True)
    assert (clone.folder / ".venv" / ".ready-for-run").exists()
    assert not (clone.folder / ".venv" / ".unfinished").exists()


@pytest.fixture
def interrupted(clone: Clone) -> Clone:
    """A clone that was ready when the installation of an extra was stopped."""
    clone.uv()
    clone.install()
    (packages,) = (clone.folder / ".venv").glob("lib/python*/site-packages")
    put(packages / "gemhunter" / "cli" / "main.py", "")
    clone.uv('case "$*" in *--dry-run*) ;; *) kill -INT $PPID; sleep 1;; esac')
    assert clone.install("cp-sat").returncode == 130
    return clone


NO_NETWORK = "echo 'dns error: failed to look up' >&2; exit 2"


def test_what_worked_before_an_extra_was_interrupted_works_without_a_network(interrupted: Clone) -> None:
    interrupted.uv(NO_NETWORK)
    for _ in range(2):
        done = interrupted.install()
        assert (done.returncode, "going on with what was installed before" in done.stderr) == (0, True)
    assert interrupted.install("cp-sat").returncode == 2
    assert not (interrupted.folder / ".venv-replaced").exists()


def test_what_an_interrupt_may_have_broken_is_not_used(interrupted: Clone) -> None:
    (module,) = (interrupted.folder / ".venv").glob("lib/python*/site-packages/gemhunter/cli/main.py")
    module.write_text("import half_of_a_package", encoding="utf-8")
    interrupted.uv(NO_NETWORK)
    done = interrupted.install()
    assert (done.returncode, OFFLINE in done.stderr) == (2, True)


def test_an_environment_is_replaced_when_another_is_complete(interrupted: Clone) -> None:
    (interrupted.folder / ".venv" / "half-made").touch()
    interrupted.uv('case "$*" in *--dry-run*) ;; *) kill -9 $PPID;; esac')
    assert interrupted.install().returncode == -9
    interrupted.uv(NO_NETWORK)
    assert interrupted.install().returncode == 0
    interrupted.uv()
    assert interrupted.install().returncode == 0
    assert not (interrupted.folder / ".venv" / "half-made").exists()
    assert not (interrupted.folder / ".venv-replaced").exists()
    assert (interrupted.folder / ".venv" / ".ready-for-run").exists()
