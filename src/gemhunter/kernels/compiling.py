"""The `kernel` decorators: compiled when first called, and kept on disk where that is possible."""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import serialize

try:
    from gemhunter.kernels.caching import KernelCache
except ImportError:  # a Numba with another kind of caches
    KernelCache = None  # type: ignore[assignment,misc]

if hasattr(serialize, "_numba_unpickle"):
    # For every array that a kernel returns, Numba calls this Python function, which keeps its answers. A
    # Ctrl-C that came during the kernel is raised there, and Numba goes on without the answer, to a crash
    # or a SystemError. Kept by C code, answers come without any Python in which it could be raised.
    serialize._numba_unpickle = lru_cache(maxsize=None)(serialize._numba_unpickle)  # noqa: SLF001

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a function of arrays and numbers; with NUMBA_DISABLE_JIT=1 it stays as it is written.

    Kernels release the interpreter lock. Where no folder can be written, nothing is cached and the
    function is compiled anew in each process.
    """
    return _compiled(function)


def tight_kernel(function: Function) -> Function:
    """A kernel that allocates nothing, nor does any that it calls, so that references need not be counted.

    A SAT search hands its arrays to small kernels all the time; counting would take a tenth of its time.
    """
    return _compiled(function, _nrt=False)


def _compiled(function: Function, **options: Any) -> Function:
    compiled: Any = numba.njit(nogil=True, **options)(function)
    with suppress(RuntimeError):  # no folder can be written
        if KernelCache is None:
            compiled = numba.njit(nogil=True, cache=True, **options)(function)
        elif compiled is not function:
            compiled._cache = KernelCache(function)  # noqa: SLF001 - as `cache=True` does, with our own cache
    return cast("Function", compiled)


def cache_folder() -> Path | None:
    """Where the compiled kernels of this room are kept; None if that is nowhere, or Numba's secret."""
    with suppress(RuntimeError):
        return None if KernelCache is None else Path(KernelCache(cache_folder).cache_path)
    return None
