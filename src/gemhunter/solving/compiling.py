"""Hears when Numba compiles a kernel, so that somebody who waits for it can be told."""

from collections.abc import Callable

from numba.core.event import Event, Listener

NOTICE = "compiling, once per machine ..."


class CompilingListener(Listener):
    """Passes on the first compilation; kernels that are found in the cache make no event."""

    def __init__(self, notice: Callable[[str], None]) -> None:
        self._notice = notice
        self._heard = False

    def on_start(self, event: Event) -> None:  # noqa: ARG002
        """A kernel is about to be compiled."""
        if not self._heard:
            self._heard = True
            self._notice(NOTICE)

    def on_end(self, event: Event) -> None:
        """It has been."""


class KernelListener(Listener):
    """Lists the kernels of ours that are compiled, `module.name` each, once per set of types."""

    def __init__(self) -> None:
        self.kernels: list[str] = []

    def on_start(self, event: Event) -> None:
        """A kernel is about to be compiled."""
        function = event.data["dispatcher"].py_func
        if function.__module__.startswith("gemhunter."):
            self.kernels.append(f"{function.__module__}.{function.__name__}")

    def on_end(self, event: Event) -> None:
        """It has been."""
