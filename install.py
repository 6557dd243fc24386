"""Make this clone's environment in .venv: called by run, test and their batch files; needs only Python.

    python install.py run       what the program needs, with the extras in GEMHUNTER_EXTRAS (fast,plots,web)
    python install.py test      what the checks need as well; on Debian as root also SAT solvers and a browser
    python install.py EXTRA     one more extra of pyproject.toml, such as cp-sat

uv installs in seconds what takes pip most of a minute. Where the machine has no uv, it is fetched into .venv;
where that fails, pip does the work. While packages are being installed, .venv carries a mark. An environment
with that mark is replaced the next time, so it does no harm to be stopped at any point; until the new one is
complete, the old one is kept, and used if nothing can be installed.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
UNFINISHED = VENV / ".unfinished"  # with the names of the stamps from before
REPLACED = ROOT / ".venv-replaced"
CHOSEN_EXTRAS = VENV / ".extras"

# Measured on Linux with Python 3.11.
SIZES = {
    "run": "about 130 MB to download, 400 MB on disk",
    "test": "about 350 MB to download, 1 GB on disk",
}

# What uv and pip print when they reach no package index.
OFFLINE = (
    *("dns error", "tcp connect error", "operation timed out", "network is unreachable"),
    *("NewConnectionError", "ConnectTimeout", "Max retries exceeded", "Temporary failure in name resolution"),
)


class InstallError(Exception):
    """Packages could not be installed; the message is what the installer printed."""


class OfflineError(InstallError):
    """No package index could be reached."""


def main(goal: str) -> int:
    """Install for `run` or `test`, or one more extra; returns the exit code."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    if goal not in SIZES and goal not in known:
        say(f"expected run, test or an extra ({', '.join(known)}), not {goal!r}")
        return 2
    with one_at_a_time():
        if is_ready(goal):  # another process has just done it
            return 0
        try:
            install(goal)
        except OfflineError:
            what = "its packages" if goal in SIZES else f"the extra {goal}"
            say(f"gemhunter needs the network once, to install {what}, and reaches no package index")
            say("connect this machine, or set HTTPS_PROXY if there is a proxy, and try again")
        except InstallError as error:
            say(f"{error}\nthe installation failed, as the text above says".lstrip())
        except OSError as error:
            say(f"the installation failed: {error}")
        except KeyboardInterrupt:
            say("\nthe installation was stopped; the next call starts it again")
            return 130
        else:
            return 0
        if worked_before(goal):
            say("going on with what was installed before")
            return 0
    return 2


def is_ready(goal: str) -> bool:
    """Whether that was installed with the present pyproject.toml, a copy of which is kept as a stamp."""
    stamp = VENV / f".ready-for-{goal}"
    return PYTHON.exists() and stamp.exists() and stamp.read_bytes() == (ROOT / "pyproject.toml").read_bytes()


def worked_before(goal: str) -> bool:
    """Whether .venv was ready before an installation was stopped half-way, and the program still starts."""
    if not UNFINISHED.exists() or f".ready-for-{goal}" not in UNFINISHED.read_text(encoding="utf-8").split():
        return False
    start = [str(PYTHON), "-c", "import gemhunter.cli.main"]
    return PYTHON.exists() and subprocess.run(start, capture_output=True, check=False).returncode == 0


def install(goal: str) -> None:
    """Bring .venv to what `goal` needs."""
    stamps = {stamp.name for stamp in VENV.glob(".ready-for-*")}
    if UNFINISHED.exists() or (stamps and not PYTHON.exists()):  # stopped half-way, or its Python was removed
        if REPLACED.exists():  # replacing it was stopped too
            shutil.rmtree(VENV)
        else:
            VENV.rename(REPLACED)
        stamps = set()
    is_new = not PYTHON.exists()
    what = f"Gem Hunter into .venv, once: {SIZES[goal]}" if goal in SIZES else f"the extra {goal}, once"
    say(f"installing {what} ...")
    VENV.mkdir(exist_ok=True)
    UNFINISHED.write_text(" ".join(sorted(stamps)), encoding="utf-8")
    for name in stamps:
        (VENV / name).unlink()
    try:
        if is_new:
            call([sys.executable, "-m", "venv", "--without-pip", str(VENV)])
        extras = install_packages(goal)
    except BaseException as error:
        if is_new:
            shutil.rmtree(VENV, ignore_errors=True)
            if REPLACED.exists():
                REPLACED.rename(VENV)
        elif isinstance(error, Exception):
            # Installers download everything before they change anything, so what worked before still works.
            finish(stamps)
        raise
    CHOSEN_EXTRAS.write_text(",".join(sorted(extras)), encoding="utf-8")
    if goal == "test":
        install_solvers_and_browser()
    finish({*stamps, f".ready-for-{goal}"})
    shutil.rmtree(REPLACED, ignore_errors=True)


def finish(stamps: set[str]) -> None:
    """Write the stamps and take the mark away."""
    for name in stamps:
        shutil.copyfile(ROOT / "pyproject.toml", VENV / name)
    UNFINISHED.unlink()


def install_packages(goal: str) -> set[str]:
    """Install the project with its extras, by uv or else by pip; returns the extras that it got."""
    if CHOSEN_EXTRAS.exists():
        chosen = CHOSEN_EXTRAS.read_text(encoding="utf-8")
    else:
        chosen = os.environ.get("GEMHUNTER_EXTRAS", "fast,plots,web")
    extras = set(filter(None, chosen.replace(" ", "").split(",")))
    if goal != "run":
        extras.add("dev" if goal == "test" else goal)
    installer = find_installer()
    try:
        call([*installer, *requirements(extras, goal)], shown=True)
    except OfflineError:
        raise
    except InstallError as error:
        # An extra may lack a package for a new Python or a rare machine; the program also works without it.
        if goal != "run" or not extras:
            raise
        say(
            f"{error}\ninstalling without {', '.join(sorted(extras))}: large boards will take longer".lstrip()
        )
        extras = set()
        call([*installer, *requirements(extras, goal)], shown=True)
    return extras


def find_installer() -> list[str]:
    """uv if it can be had and reaches an index, otherwise pip, which may trust other certificates."""
    try:
        uv = uv_install()
        call([*uv, "--dry-run", "hatchling"])
    except OfflineError:
        raise
    except InstallError:
        return [*pip(), "--python", str(PYTHON), "install"]
    return uv


def requirements(extras: set[str], goal: str) -> list[str]:
    """The project, and for the checks the examples that are packages, all editable."""
    projects = [f"{ROOT}[{','.join(sorted(extras))}]" if extras else str(ROOT)]
    if goal == "test":
        projects += [str(path.parent) for path in sorted((ROOT / "examples").glob("*/pyproject.toml"))]
    return [word for project in projects for word in ("--editable", project)]


def uv_install() -> list[str]:
    """`uv pip install` by the machine's uv, or by one in .venv, with the index that pip is set up for."""
    uv = shutil.which("uv")
    if uv is None:
        folder = VENV / "uv"
        if not folder.exists():
            quickly = ("--no-compile", "--no-deps", "--only-binary=:all:")
            call([*pip(), "install", *quickly, "--target", str(folder), "uv"])
        command = [*pip(), "config", "get", "global.index-url"]
        index = subprocess.run(command, capture_output=True, text=True, check=False)
        if index.returncode == 0:
            os.environ.setdefault("UV_DEFAULT_INDEX", index.stdout.strip())
        name = "uv.exe" if os.name == "nt" else "uv"
        uv = str(next(path for path in folder.rglob(name) if path.is_file()))
    return [uv, "pip", "install", "--python", str(PYTHON)]


def pip() -> list[str]:
    """The pip of this Python, or of .venv, which gets one if this Python has none."""
    os.environ.update(PIP_USER="0", PIP_REQUIRE_VIRTUALENV="0", PIP_DISABLE_PIP_VERSION_CHECK="1")
    os.environ.setdefault("PIP_RETRIES", "2")
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    call([str(PYTHON), "-m", "ensurepip"])
    return [str(PYTHON), "-m", "pip"]


def call(command: list[str], *, shown: bool = False) -> None:
    """Run a program; what it prints is `shown` on a terminal, and otherwise becomes the text of an error."""
    on_terminal = shown and sys.stderr.isatty()
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr if on_terminal else subprocess.PIPE,
        stderr=None if on_terminal else subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return
    text = (done.stdout or "").strip()
    if "certificate" not in text and any(sign in text for sign in OFFLINE):
        raise OfflineError
    raise InstallError(text)


def install_solvers_and_browser() -> None:
    """Programs that some tests need; where they cannot be installed, those tests are skipped and say so."""
    missing = [program for program in ("minisat", "cadical", "picosat") if shutil.which(program) is None]
    if not any(map(shutil.which, ("chromium", "google-chrome", "chrome"))):
        missing.append("chromium")
    if not missing:
        return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        say(f"installing {', '.join(missing)} for the tests ...")
        with suppress(InstallError):
            call(["apt-get", "update", "-qq"])
            call(["apt-get", "install", "-qq", "--yes", "--no-install-recommends", *missing])
            return
    say(f"not installed: {', '.join(missing)}; their tests will be skipped")


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait while another process installs. The lock is on this file; the system drops it with the process."""
    with Path(__file__).open("rb") as stream:
        if sys.platform == "win32":
            import msvcrt

            stream.seek(2**30)  # far behind the end: on Windows, what is locked cannot be read
            while True:
                with suppress(OSError):  # raised after ten seconds of waiting
                    msvcrt.locking(stream.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl

            with suppress(OSError):  # some network folders have no locks
                fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def say(text: str) -> None:
    """Print to standard error."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
