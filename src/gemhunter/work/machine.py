"""What measurements depend on besides the task: the machine, and the versions and sources of programs."""

import os
import platform
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

CPU_FILE = Path("/proc/cpuinfo")


def package_versions(packages: Iterable[str]) -> dict[str, str]:
    """Versions of Python and of those of the packages that are installed."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, str | int]:
    """What kind of machine this is; nothing that identifies its owner."""
    return {"processor": _processor(), "cores": os.cpu_count() or 1, "system": platform.system()}


@cache
def sources_digest(*patterns: str) -> str:
    """A word that changes as soon as a source file of this package does; `patterns` choose the files."""
    package = Path(__file__).parents[1]
    digest = blake2b(digest_size=8)
    for file in (file for pattern in patterns or ("**/*.py",) for file in sorted(package.glob(pattern))):
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
