"""Optional packages: what to type to get one that is missing."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

EXTRA_OF = MappingProxyType(
    {
        "distributed": "dask",
        "duckdb": "sql",
        "fastapi": "web",
        "matplotlib": "plots",
        "numba": "fast",
        "ortools": "cp-sat",
        "pyapproxmc": "approx",
        "pycryptosat": "cryptominisat",
        "uvicorn": "web",
    }
)
"""The extra of this package that brings a package in."""


def missing_text(what: str, package: str) -> str:
    """A sentence such as `charts need the package …`, with the command that installs it."""
    return f"{what} the package {package}; install it: {install_command(EXTRA_OF[package])}"


def install_command(extra: str) -> str:
    """A command that installs an extra into the environment that this program runs in.

    The program itself is installed already, so nothing but the packages of the extra is fetched.
    """
    wanted = f"gemhunter[{extra}]"
    quoted = f'"{wanted}"' if sys.platform == "win32" else f"'{wanted}'"
    if find_spec("pip") is None and shutil.which("uv"):
        return f"uv pip install --python {_python()} {quoted}"
    return f"{_python()} -m pip install {quoted}"


def _python() -> str:
    """This interpreter as people would type it: by name if that finds it, else by the shortest path."""
    here = Path(sys.executable)
    found = shutil.which("python")
    if found is not None and Path(found).absolute() == here:
        return "python"
    path = str(here.relative_to(Path.cwd())) if here.is_relative_to(Path.cwd()) else str(here)
    if path == here.name:
        path = os.path.join(os.curdir, path)  # noqa: PTH118 - `Path` would take the dot away
    return f'"{path}"' if " " in path else path
