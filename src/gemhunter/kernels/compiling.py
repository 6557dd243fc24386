"""The `kernel` decorators: compiled when first called, and kept on disk where that is possible."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

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
    try:
        return cast("Function", numba.njit(cache=True, nogil=True, **options)(function))
    except RuntimeError:
        return cast("Function", numba.njit(nogil=True, **options)(function))
