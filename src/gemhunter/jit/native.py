"""Kernels compiled by Numba.

Numba is asked for a few things beyond its documented interface: `PRIVATE_OPTIONS`, `inner_pipeline`,
`keep_unpickled`, `listen_to_compiler` and `compile_for_wide_types`. Each makes compiling
cheaper or compiled code faster, none is needed, and where one fails the documented way is taken.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from inspect import signature
from threading import RLock
from typing import Any, ParamSpec, TypeVar

import numba

from gemhunter.jit.cache import cache_folder, clean_folder, is_cached, note_checksums, remove_older
from gemhunter.jit.choice import clock_stopped
from gemhunter.jit.kernel import Kernel, Namespaces, relinked

P = ParamSpec("P")
R = TypeVar("R")

PRIVATE_OPTIONS: dict[str, dict[str, bool]] = {
    "entry": {"no_cfunc_wrapper": True},
    "inner": {"no_cpython_wrapper": True, "no_cfunc_wrapper": True},
    "tight": {"_nrt": False},
}
"""Kernels that only kernels call need no wrapper: taking arrays out of Python objects is much of the code
otherwise. Tight kernels do without Numba's runtime, hence without counting references."""

_COMPILED: Namespaces = {}
"""For each module with kernels, its global names as compiled code is to see them."""

_ENTRIES: dict[Kernel[..., Any], Any] = {}
"""Kernels as Python calls them."""

_INNER: dict[Kernel[..., Any], Any] = {}
"""Kernels as other compiled kernels call them; they are never kept on disk by themselves."""

_LOCK = RLock()
"""One thread compiles at a time, as Numba would see to anyway."""


def compiled(kernel: Kernel[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[P, R]:
    """Compile a kernel for such arguments, or load it from the cache, so that it is ready to be called."""
    with _LOCK:
        if kernel not in _ENTRIES:  # otherwise another thread was faster
            bound = signature(kernel.__wrapped__).bind(*args, **kwargs)
            bound.apply_defaults()
            with _announced(kernel):
                keep_unpickled()
                types = tuple(numba.typeof(argument) for argument in bound.args)
                _ENTRIES[kernel] = _compiled_for(kernel, types)
        entry: Callable[P, R] = _ENTRIES[kernel]
        return entry


def _compiled_for(kernel: Kernel[..., Any], types: tuple[Any, ...]) -> Any:
    """Compile a kernel for these types of arguments, with less help after each failure."""
    for cached in (True, False):
        # Files of the cache may be damaged or not writable. Other trouble comes up again without them.
        with suppress(Exception):
            ready = _ready(_entry(kernel, cached=cached), types)
            if cached and ready.stats.cache_misses:
                note_checksums(kernel)
            return ready
    _give_up_private_options()
    return _ready(_entry(kernel, cached=False), types)


def _ready(dispatcher: Any, types: tuple[Any, ...]) -> Any:
    dispatcher.compile(types)
    return dispatcher


def _give_up_private_options() -> None:
    """Do without the private options, which this Numba may not have, from now on and for all kernels."""
    PRIVATE_OPTIONS.clear()
    _COMPILED.clear()
    _INNER.clear()


@contextmanager
def _announced(kernel: Kernel[..., Any]) -> Iterator[None]:
    """Inside, the clock stands still, and listeners learn how far the compiler is."""
    with clock_stopped():
        listen_to_compiler()
        try:
            from gemhunter.jit.listener import QUEUE
        except (ImportError, AttributeError):
            yield
            return
        QUEUE.add(kernel, is_kept=cache_folder(kernel) is not None)
        try:
            yield
        finally:
            QUEUE.close()


def _entry(kernel: Kernel[..., Any], *, cached: bool) -> Any:
    """The kernel for calls from Python, which needs a wrapper, and can be kept in its folder."""
    function = relinked(kernel, _COMPILED, _linked)
    folder = clean_folder(kernel) if cached else None
    options = _options("entry", kernel)
    if folder is None:
        return numba.njit(**options)(function)
    if not is_cached(kernel):
        remove_older(kernel)
    with _cache_in(str(folder)):
        return numba.njit(cache=True, **options)(function)


def _inner(kernel: Kernel[..., Any]) -> Any:
    """The kernel for calls from compiled kernels."""
    if kernel not in _INNER:
        options = (
            _options("inner", kernel)
            | inner_pipeline()
            | {"inline": "always" if kernel.options.inline else "never"}
        )
        _INNER[kernel] = numba.njit(**options)(relinked(kernel, _COMPILED, _linked))
        compile_for_wide_types(_INNER[kernel])
    return _INNER[kernel]


def inner_pipeline() -> dict[str, Any]:
    """The option to optimise kernels as parts of their callers only; none without private options."""
    with suppress(ImportError, AttributeError):
        from gemhunter.jit.inner import InnerCompiler

        return {"pipeline_class": InnerCompiler} if PRIVATE_OPTIONS else {}
    return {}


def _linked(value: Any) -> Any:
    """A global value as compiled code is to see it."""
    return _inner(value) if isinstance(value, Kernel) else value


def _options(role: str, kernel: Kernel[..., Any]) -> dict[str, Any]:
    roles = (role, "tight") if kernel.options.tight else (role,)
    private = {name: value for each in roles for name, value in PRIVATE_OPTIONS.get(each, {}).items()}
    return {"nogil": True, **private}


def compile_for_wide_types(dispatcher: Any) -> None:
    """Let compiled kernels call this one with 64-bit numbers only.

    Numba would compile it once for every constant that it is called with, and for every size of a number.
    """
    with suppress(AttributeError):
        resolve = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: resolve(
            tuple(_wide(each) for each in args), {name: _wide(each) for name, each in kws.items()}
        )


def _wide(argument: Any) -> Any:
    """The 64-bit type of a number that is shorter, or of a constant."""
    wide = numba.types.unliteral(argument)
    is_short = (
        isinstance(wide, numba.types.Integer) and wide.signed and wide.bitwidth < numba.types.int64.bitwidth
    )
    return numba.types.int64 if is_short else wide


@contextmanager
def _cache_in(folder: str) -> Iterator[None]:
    """Inside, Numba keeps what it compiles in this folder, if it has a setting for that."""
    before = getattr(numba.config, "CACHE_DIR", None)
    if before is None:
        yield
        return
    numba.config.CACHE_DIR = folder
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@cache
def keep_unpickled() -> None:
    """Keep the types of arrays that kernels return in a cache that is C code.

    For every array that a kernel returns, Numba calls a Python function, which keeps its answers. A Ctrl-C
    that came during the kernel is raised there, and Numba goes on without the answer, to a crash or a
    SystemError. C code gives the answer without any Python in which it could be raised.
    """
    with suppress(ImportError, AttributeError):
        from numba.core import serialize

        serialize._numba_unpickle = lru_cache(maxsize=None)(serialize._numba_unpickle)  # noqa: SLF001


@cache
def listen_to_compiler() -> None:
    """Stop the clock and show progress whenever a kernel is compiled."""
    with suppress(ImportError, AttributeError):
        from numba.core.event import register

        from gemhunter.jit.listener import CompilerListener

        register("numba:compile", CompilerListener())
