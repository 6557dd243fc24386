"""The `kernel` decorator: compiled when first called, and kept on disk where that is possible."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a function of arrays and numbers; with NUMBA_DISABLE_JIT=1 it stays as it is written.

    Kernels release the interpreter lock. Where no folder can be written, nothing is cached and the
    function is compiled anew in each process.
    """
    try:
        return cast("Function", numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:
        return cast("Function", numba.njit(nogil=True)(function))
