"""What a comparison depends on besides boards and engines: the machine, and the versions of programs."""

import os
import platform
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from gemhunter import __version__

PACKAGES = ("numpy", "numba", "python-sat", "ortools", "pycryptosat")
CPU_FILE = Path("/proc/cpuinfo")


def versions() -> dict[str, str]:
    """Versions of this program, of Python and of the packages that engines are made of."""
    found = {"gemhunter": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, str | int]:
    """What kind of machine this is; nothing that tells whose it is."""
    return {"processor": _processor(), "cores": os.cpu_count() or 1, "system": platform.system()}


@cache
def sources_digest() -> str:
    """A word that is another one as soon as a source file of this package is."""
    package = Path(__file__).parents[1]
    digest = blake2b(digest_size=8)
    for file in sorted(package.rglob("*.py")):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(package).as_posix()} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _processor() -> str:
    """The processor by name, as far as the system says."""
    if CPU_FILE.is_file():
        for line in CPU_FILE.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
