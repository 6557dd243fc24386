"""Where compiled kernels are kept: in a folder that belongs to the sources they were compiled from.

Numba looks only at the file that a kernel is defined in. When a kernel that it calls, in another file, is
edited, the cached caller still has the old code in it; so here all files of the package's kernels count
together, with the file of the codes that they compare cells to.
"""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from inspect import getfile
from pathlib import Path
from pickle import PickleError

from numba.core.caching import FunctionCache, IndexDataCacheFile

PREFIX = "gemhunter-"
"""What the names of our folders begin with; the digest of the sources follows."""


KERNELS = Path(__file__).resolve().parent
CODES = KERNELS.parent / "core" / "grid.py"


class KernelCache(FunctionCache):
    """Numba's cache of one kernel, in our folder; trouble with its files only means compiling anew.

    The folder is inside the one that Numba would take: NUMBA_CACHE_DIR, else beside the sources, else the
    user's. `RuntimeError` if none of them can be written.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        folder = Path(getfile(function)).resolve().parent
        digest = sources_digest(str(KERNELS if folder.is_relative_to(KERNELS) else folder))
        self._cache_path = os.path.join(self._cache_path, PREFIX + digest)  # noqa: PTH118 - Numba takes texts
        self._cache_file = IndexDataCacheFile(self._cache_path, self._impl.filename_base, source_stamp=digest)

    def load_overload(self, sig: object, target_context: object) -> object:
        """What is kept for these types, or None."""
        with suppress(OSError, EOFError, PickleError):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: object, data: object) -> None:
        """Keep what was compiled, if that is possible."""
        with suppress(OSError, EOFError, PickleError):
            _make_folder(Path(self._cache_path))
            super().save_overload(sig, data)


@lru_cache
def sources_digest(folder: str) -> str:
    """A word that is another one as soon as a Python file in the folder, or below, or `core/grid.py` is."""
    digest = blake2b(digest_size=8)
    for file in [*sorted(Path(folder).rglob("*.py")), CODES]:
        content = file.read_bytes()
        name = os.path.relpath(file, folder)
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _make_folder(folder: Path) -> None:
    """Make the folder of these sources, and remove those of sources that are no more."""
    if folder.is_dir():
        return
    for stale in folder.parent.glob(PREFIX + "*"):
        shutil.rmtree(stale, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
