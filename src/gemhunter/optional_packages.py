"""Optional packages: whether one is there, and how a missing one is installed.

In a clone, `./run` sets GEMHUNTER_INSTALLER to install.py, which installs a package when a command needs it.
Elsewhere, a message says what to type.
"""

import os
import shutil
import subprocess
import sys
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

EXTRA_OF = MappingProxyType(
    {
        "PIL": "plots",
        "distributed": "dask",
        "fastapi": "web",
        "matplotlib": "plots",
        "numba": "fast",
        "ortools": "cp-sat",
        "pycryptosat": "cryptominisat",
        "typst": "pdf",
        "uvicorn": "web",
    }
)
"""The extra that installs each package."""

FOR_CLIENTS = "GEMHUNTER_FOR_CLIENTS"
"""Set in processes whose messages go to other machines, which need not know a path on this one."""


def has_package(package: str) -> bool:
    """Whether a package can be imported, perhaps after installing it."""
    if find_spec(package) is None and (installer := os.environ.get("GEMHUNTER_INSTALLER")):
        subprocess.run([sys.executable, installer, EXTRA_OF[package]], check=False)
        invalidate_caches()
    return find_spec(package) is not None


def missing_text(what: str, package: str) -> str:
    """A sentence such as `charts need the package …`, with the command that installs it."""
    name = "Pillow" if package == "PIL" else package
    return f"{what} the package {name}; install it: {install_command(EXTRA_OF[package])}"


def install_command(extra: str) -> str:
    """A command that installs the packages of an extra into the environment of this program."""
    if FOR_CLIENTS in os.environ:
        return f"pip install 'gemhunter[{extra}]'"
    clone = Path(__file__).parents[2]
    if (clone / "install.py").exists() and Path(sys.prefix) == clone / ".venv":
        return f"{_typed(Path(sys.executable))} {_typed(clone / 'install.py')} {extra}"
    wanted = f"gemhunter[{extra}]"
    quoted = f'"{wanted}"' if sys.platform == "win32" else f"'{wanted}'"
    if find_spec("pip") is None and shutil.which("uv"):
        return f"uv pip install --python {_typed(Path(sys.executable))} {quoted}"
    return f"{_typed(Path(sys.executable))} -m pip install {quoted}"


def _typed(file: Path) -> str:
    """A file as people would type it: `python` if that finds it, otherwise the shortest path."""
    found = shutil.which("python")
    if found is not None and Path(found).absolute() == file:
        return "python"
    path = str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)
    if path == Path(sys.executable).name:
        path = os.path.join(os.curdir, path)  # noqa: PTH118 - `Path` would take the dot away
    return f'"{path}"' if " " in path else path
