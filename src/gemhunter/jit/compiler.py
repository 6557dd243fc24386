"""Kernels compiled by Numba.

A few things go beyond Numba's documented interface: `PRIVATE_OPTIONS`, `_inner_pipeline`, `keep_unpickled`,
`listen_to_compiler` and `compile_for_wide_types`. Each makes compiling cheaper or compiled code faster, none
is required, and where one fails, the documented way is taken.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from inspect import signature
from threading import RLock
from time import perf_counter
from types import CodeType
from typing import Any, ParamSpec, TypeVar

import numba

from gemhunter.jit.cache import cache_folder, clean_folder, is_cached, note_checksums, remove_older
from gemhunter.jit.choice import (
    clock_stopped,
    note_compiled,
    own_seconds,
    say_progress,
    start_clock,
    stop_clock,
)
from gemhunter.jit.kernel import Kernel, Namespaces, relinked

P = ParamSpec("P")
R = TypeVar("R")

PRIVATE_OPTIONS: dict[str, dict[str, bool]] = {
    "entry": {"no_cfunc_wrapper": True},
    "inner": {"no_cpython_wrapper": True, "no_cfunc_wrapper": True},
    "tight": {"_nrt": False},
}
"""Kernels that only kernels call need no wrapper; taking arrays out of Python objects would be much of their
code. Tight kernels do without Numba's runtime, and so without counting references."""

_COMPILED: Namespaces = {}
"""For each module with kernels, its global names as compiled code sees them."""

_ENTRIES: dict[Kernel[..., Any], Any] = {}
"""Kernels as Python calls them."""

_INNER: dict[Kernel[..., Any], Any] = {}
"""Kernels as other compiled kernels call them; on disk they are kept only as parts of their callers."""

_LOCK = RLock()
"""One thread compiles at a time, which Numba would enforce anyway."""


def compiled(kernel: Kernel[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[P, R]:
    """Compile a kernel for arguments of these types, or load it from the cache."""
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
    """Compile a kernel for these types; if that fails, without the cache, then without private options."""
    for cached in (True, False):
        # Files of the cache may be damaged or not writable. Any other failure recurs without the cache.
        with suppress(Exception):
            entry = _entry(kernel, cached=cached)
            entry.compile(types)
            if cached and entry.stats.cache_misses:
                note_checksums(kernel)
            return entry
    # This Numba may not have the private options: do without them from now on, for all kernels.
    PRIVATE_OPTIONS.clear()
    _COMPILED.clear()
    _INNER.clear()
    entry = _entry(kernel, cached=False)
    entry.compile(types)
    return entry


@contextmanager
def _announced(kernel: Kernel[..., Any]) -> Iterator[None]:
    """Inside, the clock stands still, and a line says how many kernels are left to compile."""
    with clock_stopped():
        listen_to_compiler()
        _QUEUE.add(kernel, is_kept=cache_folder(kernel) is not None)
        try:
            yield
        finally:
            _QUEUE.close()


def _entry(kernel: Kernel[..., Any], *, cached: bool) -> Any:
    """The kernel for calls from Python, which needs a wrapper and can be kept in its folder."""
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
            | _inner_pipeline()
            | {"inline": "always" if kernel.options.inline else "never"}
        )
        _INNER[kernel] = numba.njit(**options)(relinked(kernel, _COMPILED, _linked))
        compile_for_wide_types(_INNER[kernel])
    return _INNER[kernel]


def _linked(value: Any) -> Any:
    """A global value as compiled code sees it."""
    return _inner(value) if isinstance(value, Kernel) else value


def _options(role: str, kernel: Kernel[..., Any]) -> dict[str, Any]:
    roles = (role, "tight") if kernel.options.tight else (role,)
    private = {name: value for key in roles for name, value in PRIVATE_OPTIONS.get(key, {}).items()}
    return {"nogil": True, **private}


def compile_for_wide_types(dispatcher: Any) -> None:
    """Let compiled kernels call this one with 64-bit numbers only.

    Numba would compile it once for every constant that it is called with, and for every size of a number.
    """
    with suppress(AttributeError):
        resolve = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: resolve(
            tuple(_wide(argument) for argument in args),
            {name: _wide(argument) for name, argument in kws.items()},
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

    For every array that a kernel returns, Numba calls a Python function, which caches its answers. A Ctrl-C
    during the kernel is raised in that function, and Numba continues without the answer: it crashes or raises
    SystemError. In C code there is no Python function in which Ctrl-C could be raised.
    """
    with suppress(ImportError, AttributeError):
        from numba.core import serialize

        serialize._numba_unpickle = lru_cache(maxsize=None)(serialize._numba_unpickle)  # noqa: SLF001


@cache
def _inner_compiler() -> type[Any]:
    """A compiler for kernels that only kernels call: they are optimised within the kernel that Python calls.

    Numba would optimise each of them with all it calls and turn it into machine code, only to do so again in
    each of its callers, and in their callers.
    """
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

    class InnerLibrary(JITCodeLibrary):
        """Code to be linked into that of callers; there is no machine code of it."""

        @property
        def codegen(self) -> "InnerLibrary":
            """The object that learns where a function's environment is: see `set_env`."""
            return self

        def set_env(self, name: str, environment: object) -> None:
            """Ignore the environment, which code that no Python function calls does not need."""

        def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - Numba's signature
            """Return the address of no function."""
            return 0

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalized = True

    class InnerCompiler(Compiler):
        """Compiles a function into an `InnerLibrary`."""

        def __init__(self, typing_context: Any, target_context: Any, library: Any, *rest: Any) -> None:
            library = library or InnerLibrary(target_context.codegen(), "inner")
            super().__init__(typing_context, target_context, library, *rest)

    return InnerCompiler


def _inner_pipeline() -> dict[str, Any]:
    """The option to optimise kernels as parts of their callers only; none without private options."""
    with suppress(ImportError, AttributeError):
        return {"pipeline_class": _inner_compiler()} if PRIVATE_OPTIONS else {}
    return {}


@cache
def listen_to_compiler() -> None:
    """Stop the clock and show progress whenever a kernel is compiled."""
    with suppress(ImportError, AttributeError):
        from numba.core.event import Event, Listener, register

        class CompilerListener(Listener):
            """Passes on the beginning and the end of every compilation."""

            def on_start(self, event: Event) -> None:
                """A function is about to be compiled, perhaps within another one."""
                stop_clock()
                _QUEUE.begin(event.data["dispatcher"].py_func.__code__)

            def on_end(self, event: Event) -> None:
                """A function has been compiled."""
                _QUEUE.end(event.data["dispatcher"].py_func.__code__)
                start_clock()

        register("numba:compile", CompilerListener())


class Queue:
    """The kernels that are waiting to be compiled, and the pace so far."""

    def __init__(self) -> None:
        self._waiting: dict[CodeType, Kernel[..., Any]] = {}
        self._compiled: set[CodeType] = set()
        self._total = 0
        self._spent = self._foreseen = self._began = 0.0
        self._advice = ""
        self._has_spoken = False

    def add(self, kernel: Kernel[..., Any], *, is_kept: bool) -> None:
        """Expect a kernel and all it calls, except those that have been compiled already."""
        self._advice = "once per machine" if is_kept else "every time, because no cache folder is writable"
        self._began = perf_counter()
        for callee in kernel.closure - {kernel}:
            if callee.code not in self._compiled and not callee.options.inline:
                self._waiting[callee.code] = callee
        self._waiting[kernel.code] = kernel
        self._total = len(self._compiled) + len(self._waiting)

    def begin(self, code: CodeType) -> None:
        """A function is being compiled; those that it calls are compiled meanwhile."""
        if code in self._waiting and not self._has_spoken:
            self._say()

    def end(self, code: CodeType) -> None:
        """A function has been compiled."""
        kernel = self._waiting.pop(code, None)
        if kernel is not None:
            self._compiled.add(code)
            self._foreseen += own_seconds(kernel)
            note_compiled(kernel.name)
            if self._waiting:
                self._say()

    def close(self) -> None:
        """Expect no more: what has not been compiled by now was in the cache."""
        self._waiting.clear()
        if self._has_spoken:
            self._spent += perf_counter() - self._began
            self._has_spoken = False
            say_progress("")

    def _say(self) -> None:
        """Show how many kernels are compiled, and how long the rest will take at the pace so far."""
        foreseen = sum(own_seconds(kernel) for kernel in self._waiting.values())
        spent = self._spent + perf_counter() - self._began
        left = max(foreseen * (spent / self._foreseen if self._foreseen > 1.0 else 1.0), 1.0)
        number = len(self._compiled) + 1
        say_progress(f"compiling {number} of {self._total}, about {left:.0f} s, {self._advice}")
        self._has_spoken = True


_QUEUE = Queue()
