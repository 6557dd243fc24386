"""Where compiled kernels are kept: each in a folder named after everything that went into it.

Numba looks only at the file that a kernel is defined in. When a kernel that it calls, in another file, is
edited, the cached caller still has the old code in it. So the name of a folder has a fingerprint of the
code of all kernels that are called, and of the values of all constants that they mention.
"""

import os
import shutil
import sys
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any
from uuid import uuid4

if TYPE_CHECKING:
    from gemhunter.compiling.kernel import Kernel

CACHE_PREFIX = "gemhunter-"
"""What the names of our folders begin with."""

NUMBA_INDEX_FILES = "*/*.nbi"
"""The files that Numba writes once a kernel is compiled, below the folder that it is given."""

CHECKSUMS = "checksums"
"""The file in a kernel's folder that lists the checksum of every other file there."""


@cache
def cache_folder(kernel: "Kernel[..., Any]") -> Path | None:
    """Where this kernel is kept; None if no folder can be written.

    That is inside NUMBA_CACHE_DIR if it is set, else beside the source, else in the user's folder.
    """
    base = _base(Path(kernel.code.co_filename).resolve().parent)
    if base is None:
        return None
    return base / f"{CACHE_PREFIX}{kernel.name.removeprefix('gemhunter.kernels.')}-{fingerprint(kernel)}"


def is_cached(kernel: "Kernel[..., Any]") -> bool:
    """Whether this kernel has been compiled and kept, for some types of arguments."""
    folder = cache_folder(kernel)
    return folder is not None and any(folder.glob(NUMBA_INDEX_FILES))


def drop_damaged(kernel: "Kernel[..., Any]") -> None:
    """Remove what was kept of this kernel unless every file is as it was written.

    Machine code with a flipped bit would be loaded without complaint, and might give any answer or crash.
    """
    folder = cache_folder(kernel)
    if folder is not None and folder.exists() and _listed(folder) != _checksums(folder):
        shutil.rmtree(folder, ignore_errors=True)


def note_checksums(kernel: "Kernel[..., Any]") -> None:
    """Write the checksum of every file of this kernel to its folder."""
    folder = cache_folder(kernel)
    if folder is None:
        return
    with suppress(OSError):  # then the kernel will be compiled again
        draft = folder / f"{CHECKSUMS}-{uuid4().hex}"
        draft.write_text(_checksums(folder), encoding="utf-8")
        draft.replace(folder / CHECKSUMS)


def _checksums(folder: Path) -> str:
    """A line for each file in the folders that Numba made."""
    files = sorted(folder.glob("*/*.nb?"))
    lines = (f"{_checksum(file)}  {file.relative_to(folder).as_posix()}\n" for file in files)
    return "".join(lines)


def _checksum(file: Path) -> str:
    """The checksum of a file, or `unreadable` if it cannot be read or has just been removed."""
    with suppress(OSError):
        return blake2b(file.read_bytes(), digest_size=16).hexdigest()
    return "unreadable"


def _listed(folder: Path) -> str:
    """The checksums that were written down; `missing`, which matches nothing, if they cannot be read."""
    with suppress(OSError, UnicodeDecodeError):
        return (folder / CHECKSUMS).read_text(encoding="utf-8")
    return "missing"


def remove_older(kernel: "Kernel[..., Any]") -> None:
    """Remove older versions of this kernel: its own code, or that of a kernel it calls, has changed."""
    folder = cache_folder(kernel)
    if folder is None:
        return
    name = folder.name.rpartition("-")[0]
    for older in folder.parent.glob(f"{name}-*"):
        if older != folder and older.name.rpartition("-")[0] == name:
            shutil.rmtree(older, ignore_errors=True)


def fingerprint(kernel: "Kernel[..., Any]") -> str:
    """A digest of the code of a kernel and of all it calls, their constants, and what compiles them.

    Numba compiles again when the file of a kernel has another time or size, so these count as well.
    """
    digest = blake2b(digest_size=8)
    digest.update(f"{sys.implementation.cache_tag} {_numba()} {_stamp(kernel.code.co_filename)}".encode())
    for each in sorted(kernel.closure, key=lambda callee: callee.name):
        digest.update(_description(each).encode())
    return digest.hexdigest()


def _description(kernel: "Kernel[..., Any]") -> str:
    from gemhunter.compiling.kernel import globals_used

    used = sorted((name, _described(value)) for name, value in globals_used(kernel).items())
    return f"{kernel.name} {kernel.options} {_code_text(kernel.code)} {used}\n"


def _code_text(code: CodeType) -> str:
    """The code of a function without its line numbers."""
    constants = [
        _code_text(value) if isinstance(value, CodeType) else repr(value) for value in code.co_consts
    ]
    return f"{code.co_code.hex()} {constants} {code.co_names} {code.co_varnames}"


def _described(value: Any) -> str:
    """A global value as a text that does not depend on the process."""
    from gemhunter.compiling.kernel import Kernel

    if isinstance(value, Kernel):
        return value.name
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, type):
        fields = getattr(value, "__annotations__", {}) if hasattr(value, "_fields") else {}
        return f"{value.__module__}.{value.__qualname__} {fields}"
    return repr(value)


def _stamp(file: str) -> tuple[int, int]:
    """The time and size of a file; zeros if there is none, as for code in an archive."""
    with suppress(OSError):
        status = Path(file).stat()
        return status.st_mtime_ns, status.st_size
    return 0, 0


@cache
def _numba() -> tuple[int, int]:
    """Which installation of Numba this is; asking for its version would take longer than all else here."""
    spec = find_spec("numba")
    return (0, 0) if spec is None or spec.origin is None else _stamp(spec.origin)


def _base(source: Path) -> Path | None:
    """The folder that all folders of these sources are in."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        candidates = [Path(chosen)]
    else:
        candidates = [source / "__pycache__", user_cache_folder() / "gemhunter"]
    return next((folder for folder in candidates if _can_write(folder)), None)


def user_cache_folder() -> Path:
    """Where this system keeps the caches of programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@cache
def _can_write(folder: Path) -> bool:
    existing = next((parent for parent in (folder, *folder.parents) if parent.exists()), folder)
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
