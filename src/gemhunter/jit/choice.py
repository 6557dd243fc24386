"""When to compile: if the command ends sooner that way. Also the clock and the progress while compiling.

A kernel is compiled if plain Python needs longer for its work than compiling takes. Where the whole work is
known beforehand, such as the games that are left, `Kernel.prepare` and `bench.runs.choose_mode` compare
the two. Engines whose times are compared run in one mode: `bench.runs.choose_mode` and
`questions.batch.choose_mode`. Otherwise a kernel is compiled once the time it has run as plain Python,
together with the estimate for the next call, reaches the time that compiling takes: that is never more than
twice as long as the better choice. What is in the cache costs no more than loading it.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from functools import cache
from importlib.util import find_spec
from threading import Lock
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gemhunter.errors import InputError
from gemhunter.optional_packages import install_command

if TYPE_CHECKING:
    from gemhunter.jit.kernel import Kernel

MODE_VARIABLE = "GEMHUNTER_COMPILE"

IMPORT_SECONDS = 0.8
LOAD_SECONDS = 0.05
KERNEL_SECONDS = 0.12
CALLEE_SECONDS = 0.04
"""Processor seconds for importing Numba and starting its compiler; for loading a kernel from the cache; for
compiling one; and for each kernel that LLVM optimises along with it."""


class Mode(Enum):
    """What the environment variable says: decide by cost, compile everything, or nothing."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class _Current:
    """The mode of this process; None until it is first needed."""

    mode: Mode | None = None


@contextmanager
def compiling(mode: Mode) -> Iterator[None]:
    """Inside, kernels of the whole process follow this mode."""
    before, _Current.mode = current_mode(), mode
    try:
        yield
    finally:
        _Current.mode = before


@contextmanager
def compiling_everywhere(mode: Mode) -> Iterator[None]:
    """Inside, kernels of this process, and of processes that are started, follow this mode."""
    before = os.environ.get(MODE_VARIABLE)
    os.environ[MODE_VARIABLE] = mode.value
    try:
        with compiling(mode):
            yield
    finally:
        if before is None:
            del os.environ[MODE_VARIABLE]
        else:
            os.environ[MODE_VARIABLE] = before


def current_mode() -> Mode:
    """The mode of this process; raises `InputError` for an invalid value of the variable."""
    if _Current.mode is None:
        is_disabled = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
        value = Mode.NEVER.value if is_disabled else os.environ.get(MODE_VARIABLE) or Mode.AUTO.value
        known = [mode.value for mode in Mode]
        if value not in known:
            raise InputError(
                f"the environment variable {MODE_VARIABLE} is one of {', '.join(known)}, not {value!r}"
            )
        _Current.mode = Mode(value)
    return _Current.mode


def may_compile() -> bool:
    """Whether compiled kernels may be used."""
    return current_mode() is not Mode.NEVER


def pays(kernel: "Kernel[..., Any]", plain_seconds: float) -> bool:
    """Whether to compile a kernel that has needed, or will need, this long as plain Python."""
    mode = current_mode()
    if mode is not Mode.AUTO:
        return mode is Mode.ALWAYS and is_installed()
    if plain_seconds < LOAD_SECONDS or plain_seconds <= seconds_to_have(kernel):
        return False
    if not is_installed():
        say_once(numba_missing())
        return False
    return True


@cache
def numba_missing() -> str:
    """The message for people whose work would be faster with Numba."""
    return f"this would be much faster compiled, but Numba is not installed (see: {install_command('fast')})"


def do_without_numba(error: Exception) -> None:
    """Compile nothing from now on: Numba is installed but cannot be loaded."""
    say_once(f"everything runs as plain Python, as Numba cannot be loaded: {error}".partition("\n")[0])
    _Current.mode = Mode.NEVER


@cache
def is_installed() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None


def seconds_to_have(*kernels: "Kernel[..., Any]") -> float:
    """About how many seconds it takes to compile kernels, or to load those that are in the cache."""
    from gemhunter.jit.cache import is_cached

    missing = [kernel for kernel in kernels if not is_cached(kernel)]
    seconds = compile_seconds(*missing) + LOAD_SECONDS * (len(kernels) - len(missing))
    return seconds if "numba" in sys.modules else seconds + IMPORT_SECONDS


def compile_seconds(*kernels: "Kernel[..., Any]") -> float:
    """About how long it takes to compile kernels and all they call."""
    return sum(own_seconds(callee) for callee in {callee for each in kernels for callee in each.closure})


def seconds_to_have_used_kernels() -> float:
    """About how long it takes to compile or load all that has run as plain Python in this process."""
    from gemhunter.jit.kernel import kernels_used

    return seconds_to_have(*kernels_used())


class CompileCost(NamedTuple):
    """About how long it takes to compile what some work needs: what the cache lacks, and all of it."""

    missing: float
    everything: float


def cost_of_used_kernels() -> CompileCost:
    """What it costs to compile all that has run as plain Python in this process."""
    from gemhunter.jit.cache import is_cached
    from gemhunter.jit.kernel import kernels_used

    used = kernels_used()
    missing = [kernel for kernel in used if not is_cached(kernel)]
    costs = (compile_seconds(*kernels) + IMPORT_SECONDS * bool(kernels) for kernels in (missing, used))
    return CompileCost(*costs)


def is_mostly_cached(cost: CompileCost) -> bool:
    """Whether at least three quarters of some work are compiled: then the rest is worth compiling too."""
    return cost.missing <= cost.everything / 4


def own_seconds(kernel: "Kernel[..., Any]") -> float:
    """About how long it takes to compile a kernel when all it calls have been."""
    return KERNEL_SECONDS + CALLEE_SECONDS * len(kernel.closure)


# While kernels are compiled: a clock that stands still, and a line that shows the compiler's progress.


class Listener(Protocol):
    """Shows lines about compiling to a person, from any thread."""

    def __call__(self, line: str, *, lasting: bool) -> None:
        """Show a line: for good, or until the next one, which is empty at the end."""


class _Process:
    """What this process has spent on compiling, how many compilations are nested now, and who listens."""

    lock = Lock()
    seconds = cpu_seconds = 0.0
    depth = 0
    began = cpu_began = 0.0
    listeners: tuple[Listener, ...] = ()
    said: set[str] = set()  # noqa: RUF012 - there is one process
    compiled: list[str] = []  # noqa: RUF012 - there is one process


def working_clock() -> float:
    """A clock in seconds that stands still while any thread compiles or loads kernels."""
    with _Process.lock:
        now = _Process.began if _Process.depth else perf_counter()
        return now - _Process.seconds


def working_cpu_clock() -> float:
    """The processor seconds of this process, without those for compiling and loading kernels."""
    with _Process.lock:
        now = _Process.cpu_began if _Process.depth else process_time()
        return now - _Process.cpu_seconds


def stop_clock() -> None:
    """Let both clocks stand still, until `start_clock` has been called as often."""
    with _Process.lock:
        if _Process.depth == 0:
            _Process.began, _Process.cpu_began = perf_counter(), process_time()
        _Process.depth += 1


def start_clock() -> None:
    """Undo one `stop_clock`."""
    with _Process.lock:
        _Process.depth -= 1
        if _Process.depth == 0:
            _Process.seconds += perf_counter() - _Process.began
            _Process.cpu_seconds += process_time() - _Process.cpu_began


@contextmanager
def clock_stopped() -> Iterator[None]:
    """Inside, both clocks stand still."""
    stop_clock()
    try:
        yield
    finally:
        start_clock()


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Inside, only `listener` gets the lines about compiling."""
    before = _Process.listeners
    _Process.listeners = (*before, listener)
    try:
        yield
    finally:
        _Process.listeners = before


def say_progress(line: str) -> None:
    """Show the compiler's progress, or with an empty line that it is done."""
    if _Process.listeners:
        _Process.listeners[-1](line, lasting=False)


def say_once(line: str) -> None:
    """Show a line that stays, unless this process has shown it before."""
    if _Process.listeners and line not in _Process.said:
        _Process.said.add(line)
        _Process.listeners[-1](line, lasting=True)


def note_compiled(name: str) -> None:
    """Keep the name of a kernel that was compiled."""
    _Process.compiled.append(name)


def compiled_kernels() -> tuple[str, ...]:
    """The names of the kernels that this process has compiled rather than loaded, in that order."""
    return tuple(_Process.compiled)
