"""A search in another thread, which the thread that asked watches."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Generic, TypeVar

Answer = TypeVar("Answer")

SOLVER_POLL_SECONDS = 0.05
"""How often the thread that asked looks at its limits."""


class SolverThread(Generic[Answer]):
    """A call in another thread. It must be waited for to the end: the solver is in use until then."""

    def __init__(self, call: Callable[[], Answer | None]) -> None:
        self.answer: Answer | None = None
        self._error: Exception | None = None
        self._call = call
        # Not `Thread.is_alive`: a Ctrl-C that hits `Thread.join` makes it lie (CPython issue 90882).
        self._over = Event()
        Thread(target=self._run, daemon=True).start()

    def is_over(self, seconds: float) -> bool:
        """Whether the call has returned, or returns within this many seconds."""
        return self._over.wait(seconds)

    @property
    def has_failed(self) -> bool:
        """Whether the call has raised an exception, which `wait` raises again."""
        return self._error is not None

    def wait(self) -> None:
        """Wait for the call; then raise what it raised, or a Ctrl-C that came meanwhile."""
        interrupted: KeyboardInterrupt | None = None
        while not self._over.is_set():
            try:
                self._over.wait()
            except KeyboardInterrupt as error:
                interrupted = error
        if interrupted is not None:
            raise interrupted
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self.answer = self._call()
        except Exception as error:  # noqa: BLE001 - handed to the thread that waits
            self._error = error
        finally:
            self._over.set()
