"""Where compiled kernels are kept: each in a folder named after everything that went into it.

Numba checks only the file that a kernel is defined in. If a kernel in another file is edited, its cached
callers still contain the old code. So the name of a folder has a fingerprint of the code of all kernels that
are called, and of the values of all constants that they mention.

A user who can write to such a folder can make this process run any code. So what is loaded must belong to
this user, and no other user may be able to write it. Windows has no such owners and modes; there a folder is
as private as its parent, which belongs to the user or holds the sources.
"""

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from tempfile import gettempdir
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from gemhunter.jit.choice import say_once

if TYPE_CHECKING:
    from gemhunter.jit.kernel import Kernel


CHECKSUMS = "checksums"
"""The file in a kernel's folder that lists the checksum of every other file there."""

PRIVATE = 0o700
"""The mode of a folder that this user alone can use."""

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@cache
def cache_folder(kernel: "Kernel[..., Any]") -> Path | None:
    """The folder that keeps this kernel; None if none can be written, or none by this user alone."""
    name = f"gemhunter-{kernel.name.removeprefix('gemhunter.')}-{fingerprint(kernel)}"
    for base in _bases(Path(kernel.code.co_filename).resolve().parent):
        if _can_write(base):
            if (reason := _exposure(base) or _foreign(base / name, root=False)) is None:
                return base / name
            say_once(f"compiled code in {base} is not used: {reason}")
    return None


def is_cached(kernel: "Kernel[..., Any]") -> bool:
    """Whether this kernel has been compiled and kept, for arguments of some types."""
    folder = cache_folder(kernel)
    # Once a kernel is compiled, Numba writes an index to a folder in the one that it is given.
    return folder is not None and any(folder.glob("*/*.nbi"))


def clean_folder(kernel: "Kernel[..., Any]") -> Path | None:
    """The folder of this kernel, without anything that this user did not write; None if there is none.

    If a file has changed since it was written, the folder is emptied: machine code with a flipped bit would
    be loaded without complaint, and could crash or give any answer.
    """
    folder = cache_folder(kernel)
    if folder is None:
        return None
    if folder.exists():
        if _listed(folder) != _checksums(folder):
            shutil.rmtree(folder, ignore_errors=True)
        elif not _is_private(folder):
            say_once(f"some compiled code in {folder.parent} is not used: others could write it")
            shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        folder.mkdir(mode=PRIVATE, exist_ok=True)
        if _exposure(folder.parent) is None and _is_private(folder):
            return folder
    return None


def note_checksums(kernel: "Kernel[..., Any]") -> None:
    """Write the checksum of every file of this kernel to its folder, and keep others from writing there."""
    folder = cache_folder(kernel)
    if folder is None:
        return
    with suppress(OSError):  # then the kernel will be compiled again
        draft = folder / f"{CHECKSUMS}-{uuid4().hex}"
        draft.write_text(_checksums(folder), encoding="utf-8")
        for path in (folder, *folder.rglob("*")):
            path.chmod(path.stat().st_mode & ~OTHERS_WRITE)
        draft.replace(folder / CHECKSUMS)


def _checksums(folder: Path) -> str:
    """A line for each file in the folders that Numba made."""
    files = sorted(folder.glob("*/*.nb?"))
    return "".join(f"{_checksum(file)}  {file.relative_to(folder).as_posix()}\n" for file in files)


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

    Numba compiles again when the time or the size of a kernel's file changes, so these count as well.
    """
    from gemhunter.jit.kernel import globals_used

    digest = blake2b(digest_size=8)
    digest.update(f"{sys.implementation.cache_tag} {_numba()} {_stamp(kernel.code.co_filename)}".encode())
    for callee in sorted(kernel.closure, key=lambda callee: callee.name):
        used = sorted((name, _described(value)) for name, value in globals_used(callee).items())
        digest.update(f"{callee.name} {callee.options} {_code_text(callee.code)} {used}\n".encode())
    return digest.hexdigest()


def _code_text(code: CodeType) -> str:
    """The code of a function without its line numbers."""
    constants = [
        _code_text(value) if isinstance(value, CodeType) else repr(value) for value in code.co_consts
    ]
    return f"{code.co_code.hex()} {constants} {code.co_names} {code.co_varnames}"


def _described(value: Any) -> str:
    """A global value as a text that does not depend on the process."""
    from gemhunter.jit.kernel import Kernel

    if isinstance(value, Kernel):
        return value.name
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, type):
        fields = getattr(value, "__annotations__", {}) if hasattr(value, "_fields") else {}
        return f"{value.__module__}.{value.__qualname__} {fields}"
    return repr(value)


def _stamp(file: str) -> tuple[int, int]:
    """The modification time and size of a file; zeros if there is none, as for code in an archive."""
    with suppress(OSError):
        status = Path(file).stat()
        return status.st_mtime_ns, status.st_size
    return 0, 0


@cache
def _numba() -> tuple[int, int]:
    """The time and size of Numba's main file instead of its version, which takes far longer to find out."""
    spec = find_spec("numba")
    return (0, 0) if spec is None or spec.origin is None else _stamp(spec.origin)


def _bases(source: Path) -> Iterator[Path]:
    """The folders that compiled code of these sources can be in, the best one first."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    yield Path(chosen) if chosen else source / "__pycache__"
    with suppress(RuntimeError):  # in a container, the user may have no home
        yield user_cache_folder() / "gemhunter"
    if sys.platform != "win32":
        with suppress(OSError):  # there may be no folder for temporary files either
            yield Path(gettempdir()) / f"gemhunter-{os.geteuid()}"


def _exposure(base: Path) -> str | None:
    """Why others could put compiled code in this folder, or replace it; None if they cannot, or it is absent.

    Users of the same group are trusted with the folder, but not with the folders of kernels in it.
    """
    if sys.platform == "win32":
        return None
    base = base.resolve()
    if (reason := _foreign(base, root=True)) is not None:
        return reason
    for path in (base, *base.parents):
        with suppress(OSError):
            mode = path.stat().st_mode
            # In a folder with the sticky bit, such as /tmp, users can replace only what is theirs.
            if mode & stat.S_IWOTH and (path == base or not mode & stat.S_ISVTX):
                return f"anyone can write to {path}"
    return None


def _foreign(path: Path, *, root: bool) -> str | None:
    """Why a path does not belong to this user, or to root if `root`; None if it does, or if it is absent."""
    if sys.platform != "win32":
        with suppress(OSError):
            owner = path.lstat().st_uid
            if owner != os.geteuid() and not (root and owner == 0):
                return "it belongs to another user"
    return None


def _is_private(folder: Path) -> bool:
    """Whether a kernel's folder and everything in it belong to this user, and no other user can write it."""
    return sys.platform == "win32" or not any(
        _foreign(path, root=False) or path.lstat().st_mode & OTHERS_WRITE
        for path in (folder, *folder.rglob("*"))
    )


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
