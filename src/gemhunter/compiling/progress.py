"""While kernels are compiled: a clock that stands still, and a line that says how far the compiler is."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter, process_time
from typing import Protocol


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
    """Seconds that this process has used the processor for, without compiling and loading kernels."""
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
    """Inside, `listener` gets the lines about compiling, and no other listener does."""
    before = _Process.listeners
    _Process.listeners = (*before, listener)
    try:
        yield
    finally:
        _Process.listeners = before


def say_progress(line: str) -> None:
    """Show how far the compiler is, or with an empty line that it is done."""
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
