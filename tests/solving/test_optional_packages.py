"""The command that installs an optional package, in every kind of installation."""

import shutil
import sys
import tomllib
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from gemhunter.cli.main import run
from gemhunter.optional_packages import EXTRA_OF, has_package, install_command, missing_text
from places import ROOT

BAD_INPUT, ENGINE_FAILED = 2, 4
PROJECT = ROOT / "pyproject.toml"


@pytest.fixture
def posix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with an environment in `.venv`, which has pip and is not on the path."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_package_has_an_extra_of_the_project() -> None:
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(EXTRA_OF.values()) <= extras.keys()
    for package, extra in EXTRA_OF.items():
        name = "pillow" if package == "PIL" else package
        assert any(each.startswith(name) for each in extras[extra])


def test_in_the_folder_of_an_environment_the_path_is_short(posix: Path) -> None:
    assert install_command("plots") == f"{Path('.venv/bin/python')} -m pip install 'gemhunter[plots]'"


def test_in_the_environment_of_a_clone_the_clone_installs(
    posix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(ROOT / ".venv"))
    monkeypatch.setattr(sys, "executable", str(ROOT / ".venv" / "bin" / "python"))
    monkeypatch.chdir(ROOT)
    assert install_command("cp-sat") == f"{Path('.venv/bin/python')} install.py cp-sat"


def test_under_run_a_missing_package_is_installed_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installer = tmp_path / "install.py"
    installer.write_text(
        "import pathlib, sys; pathlib.Path(__file__).with_name('dask_like.py').write_text(sys.argv[1])",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("gemhunter.optional_packages.EXTRA_OF", {"dask_like": "'dask'"})
    assert not has_package("dask_like")
    monkeypatch.setenv("GEMHUNTER_INSTALLER", str(installer))
    assert has_package("dask_like")


def test_elsewhere_the_command_has_the_whole_path(posix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (posix / "elsewhere").mkdir()
    monkeypatch.chdir(posix / "elsewhere")
    assert install_command("dask") == f"{posix / '.venv/bin/python'} -m pip install 'gemhunter[dask]'"


def test_an_environment_that_is_active_needs_no_path(posix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: sys.executable if name == "python" else None)
    assert install_command("dask") == "python -m pip install 'gemhunter[dask]'"


def test_an_environment_without_pip_is_filled_by_uv(posix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemhunter.optional_packages.find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/uv" if name == "uv" else None)
    python = Path(".venv/bin/python")
    assert install_command("dask") == f"uv pip install --python {python} 'gemhunter[dask]'"


def test_windows_wants_double_quotes(posix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert install_command("plots").endswith('-m pip install "gemhunter[plots]"')


def test_a_path_with_blanks_is_quoted(posix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(posix / "my tools" / "python"))
    assert install_command("plots").startswith(f'"{Path("my tools/python")}" -m pip')


@pytest.mark.parametrize(
    "command",
    [
        "solve sample:9x9 sample:5x5 -e backtracking -e cp-sat",
        "bench sample:5x5 -e cp-sat",
        "report sample:5x5 -e cp-sat -o report.html",
    ],
)
def test_an_engine_that_is_not_installed_is_reported_once_before_any_work(
    command: str, posix: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_ortools(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "ortools" else util.find_spec(name, package)

    monkeypatch.setattr("gemhunter.optional_packages.find_spec", without_ortools)
    monkeypatch.delenv("GEMHUNTER_INSTALLER", raising=False)
    assert run(command.split()) == ENGINE_FAILED
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"error: {missing_text('cp-sat needs', 'ortools')}\n"
    assert list(posix.iterdir()) == []


@pytest.mark.parametrize(
    "command", ["convert sample:9x9 -o board.png", "trace sample:9x9 -o search.gif", "watch easy#3 -o a.gif"]
)
def test_pictures_in_pixels_need_pillow(
    command: str, posix: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "gemhunter.optional_packages.find_spec", lambda name: None if name == "PIL" else util.find_spec(name)
    )
    monkeypatch.delenv("GEMHUNTER_INSTALLER", raising=False)
    assert run(command.split()) == BAD_INPUT
    expected = f"need the package Pillow; install it: {install_command('plots')}"
    assert expected in capsys.readouterr().err.splitlines()[-1]
    assert list(posix.iterdir()) == []


def test_the_text_says_what_is_missing_and_what_to_type(posix: Path) -> None:
    expected = f"charts need the package matplotlib; install it: {install_command('plots')}"
    assert missing_text("charts need", "matplotlib") == expected
