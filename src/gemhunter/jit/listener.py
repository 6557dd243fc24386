"""Listens to Numba: stops the clock while it compiles, counts kernels, and says how many are left."""

from time import perf_counter
from types import CodeType
from typing import Any

from numba.core.event import Event, Listener

from gemhunter.jit.choice import note_compiled, own_seconds, say_progress, start_clock, stop_clock
from gemhunter.jit.kernel import Kernel

KEPT, NOT_KEPT = "once per machine", "each time, as no folder to keep it in can be written"


class Queue:
    """The kernels that are going to be compiled, and how fast that goes."""

    def __init__(self) -> None:
        self._waiting: dict[CodeType, Kernel[..., Any]] = {}
        self._compiled: set[CodeType] = set()
        self._total = 0
        self._spent = self._foreseen = self._began = 0.0
        self._advice = KEPT
        self._has_spoken = False

    def add(self, kernel: Kernel[..., Any], *, is_kept: bool) -> None:
        """Expect a kernel and all it calls, but those that have been compiled already."""
        self._advice = KEPT if is_kept else NOT_KEPT
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
        """Expect no more: what has not come by now was in the cache."""
        self._waiting.clear()
        if self._has_spoken:
            self._spent += perf_counter() - self._began
            self._has_spoken = False
            say_progress("")

    def _say(self) -> None:
        number = len(self._compiled) + 1
        say_progress(f"compiling {number} of {self._total}, about {self._left():.0f} s, {self._advice}")
        self._has_spoken = True

    def _left(self) -> float:
        """Seconds that the rest will take, at the pace so far."""
        foreseen = sum(own_seconds(kernel) for kernel in self._waiting.values())
        spent = self._spent + perf_counter() - self._began
        pace = spent / self._foreseen if self._foreseen > 1.0 else 1.0
        return max(pace * foreseen, 1.0)


QUEUE = Queue()


class CompilerListener(Listener):
    """Passes on the beginning and the end of every compilation."""

    def on_start(self, event: Event) -> None:
        """A function is about to be compiled, perhaps within another one."""
        stop_clock()
        QUEUE.begin(event.data["dispatcher"].py_func.__code__)

    def on_end(self, event: Event) -> None:
        """A function has been compiled."""
        QUEUE.end(event.data["dispatcher"].py_func.__code__)
        start_clock()
