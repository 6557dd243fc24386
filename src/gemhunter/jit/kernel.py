"""The `kernel` decorator: a function of arrays and numbers that runs as plain Python or compiled.

Both ways run the one function in the source. What differs is what the names of other kernels stand for
while it runs: plain functions, or functions that Numba has compiled.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from time import thread_time
from types import CodeType, FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from gemhunter.jit import choice
from gemhunter.jit.choice import clock_stopped

# Arrays by the size of their numbers, as signatures name them.
Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Codes = NDArray[np.int8]
Signs = NDArray[np.int8]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

P = ParamSpec("P")
R = TypeVar("R")

Namespaces = dict[str, dict[str, Any]]
_PLAIN_NAMESPACES: Namespaces = {}
"""For each module with kernels, its global names with plain functions in place of kernels."""

_KERNELS: "list[Kernel[..., Any]]" = []
"""All kernels that Python calls, of the modules imported so far."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a kernel is compiled.

    `tight`: it allocates nothing, nor does any kernel it calls, so references need not be counted. A SAT
    search passes its arrays to small kernels all the time; counting would take a tenth of its time.
    `inline`: it becomes part of its callers instead of being compiled separately. That saves seconds for a
    large kernel with one or two callers, because LLVM optimises everything below it only once.
    """

    tight: bool = False
    inline: bool = False


class Kernel(Generic[P, R]):
    """A function of arrays and numbers, called like any other.

    `plain_seconds` counts the processor seconds of calls from Python that ran as plain Python. It is not the
    elapsed time, because on a busy machine compiling takes longer as well.
    """

    __wrapped__: Callable[P, R]

    def __init__(
        self, function: Callable[P, R], options: Options, estimate: Callable[..., float] | None
    ) -> None:
        update_wrapper(self, function)
        self.options = options
        self.plain_seconds = 0.0
        self._estimate = estimate
        self._compiled: Callable[P, R] | None = None
        if estimate is not None:
            _KERNELS.append(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function, plain or compiled, whichever is likely to be faster."""
        if self._compiled is not None and choice.may_compile():
            return self._compiled(*args, **kwargs)
        if self._estimate and choice.pays(self, self.plain_seconds + self._estimate(*args, **kwargs)):
            return self._compile(*args, **kwargs)(*args, **kwargs)
        began = thread_time()
        try:
            # Compiled code overflows silently, and so must plain Python.
            with np.errstate(all="ignore"):
                return cast("R", _as_compiled(self.plain(*args, **kwargs)))
        finally:
            # Never 0, which would mean that the kernel was not used: the clock of Windows ticks slowly.
            self.plain_seconds += max(thread_time() - began, 1e-9)

    def prepare(self, plain_seconds: float, *args: P.args, **kwargs: P.kwargs) -> None:
        """Compile it if that pays for calls like this one, which take plain Python `plain_seconds` in all."""
        if self._compiled is None and choice.pays(self, plain_seconds):
            self._compile(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    @property
    def name(self) -> str:
        """Module and name."""
        return f"{self.__wrapped__.__module__}.{self.__wrapped__.__name__}"

    @property
    def code(self) -> CodeType:
        """The code of the function."""
        function: Any = self.__wrapped__
        code: CodeType = function.__code__
        return code

    @property
    def is_compiled(self) -> bool:
        """Whether this process has compiled or loaded it."""
        return self._compiled is not None

    @cached_property
    def plain(self) -> Callable[P, R]:
        """The function, calling plain functions."""
        return relinked(
            self, _PLAIN_NAMESPACES, lambda value: value.plain if isinstance(value, Kernel) else value
        )

    @cached_property
    def closure(self) -> frozenset["Kernel[..., Any]"]:
        """This kernel and all it calls, directly or not."""
        closure: set[Kernel[..., Any]] = {self}
        waiting: list[Kernel[..., Any]] = [self]
        while waiting:
            callees = {value for value in globals_used(waiting.pop()).values() if isinstance(value, Kernel)}
            waiting += callees - closure
            closure |= callees
        return frozenset(closure)

    def _compile(self, *args: P.args, **kwargs: P.kwargs) -> Callable[P, R]:
        try:
            with clock_stopped():
                from gemhunter.jit.compiler import compiled
        except (ImportError, OSError) as error:  # such as a Numba that this NumPy is too new for
            choice.do_without_numba(error)
            return self
        self._compiled = compiled(self, *args, **kwargs)
        return self._compiled


@overload
def kernel(function: Callable[P, R], /) -> Kernel[P, R]: ...


@overload
def kernel(
    *, estimate: Callable[..., float] | None = None, inline: bool = False
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...


def kernel(
    function: Callable[P, R] | None = None,
    /,
    *,
    estimate: Callable[..., float] | None = None,
    inline: bool = False,
) -> Kernel[P, R] | Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make a kernel of a function in Numba's subset of Python; compiled, it releases the interpreter lock.

    `estimate` takes the same arguments and returns about how many seconds plain Python needs for them. A
    kernel without one is compiled as part of its callers only. For `inline`, see `Options`.
    """
    if function is not None:
        return Kernel(function, Options(), None)
    return lambda decorated: Kernel(decorated, Options(inline=inline), estimate)


def tight_kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Make a kernel that allocates nothing; see `Options`."""
    return Kernel(function, Options(tight=True), None)


def relinked(kernel: Kernel[P, R], namespaces: Namespaces, link: Callable[[Any], Any]) -> Callable[P, R]:
    """Copy a kernel's function, with `link(value)` in place of every value of a global name.

    The copies of one module share one namespace, which is made for the first of them.
    """
    function: Any = kernel.__wrapped__
    names = namespaces.get(function.__module__)
    if names is None:
        names = namespaces[function.__module__] = {}
        names |= {name: link(value) for name, value in function.__globals__.items()}
    copy = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def kernels_used() -> "list[Kernel[..., Any]]":
    """The kernels that Python has called in this process and that ran as plain Python."""
    return [each for each in _KERNELS if each.plain_seconds > 0]


def globals_used(kernel: Kernel[..., Any]) -> Mapping[str, Any]:
    """The global names that a kernel's function mentions, and their values."""
    function: Any = kernel.__wrapped__
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def _as_compiled(result: object) -> object:
    """A result with Python's own numbers in place of NumPy's, as compiled code returns them."""
    if isinstance(result, np.generic):
        return result.item()
    if type(result) is tuple:
        return tuple(_as_compiled(value) for value in result)
    return result


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those written inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
