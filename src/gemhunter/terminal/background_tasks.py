"""Slow work in threads, so that the screen never waits."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gemhunter.play.risks import USUAL_LIMITS
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class BackgroundTask:
    """Work for a thread, what to do with its answer, and whether the answer is no longer wanted."""

    kind: str
    work: Callable[[Run], Any]
    then: Callable[[Any], None]
    dropped: threading.Event = field(default_factory=threading.Event)


class BackgroundTasks:
    """Works on one task of each kind at a time; a new one replaces the old one.

    Threads are daemons, so quitting does not wait for them. A thread calls `deliver` with its task and an
    answer or an error. `notice` says what takes so long, such as compiling.
    """

    def __init__(self, deliver: Callable[[BackgroundTask, Any, Exception | None], None]) -> None:
        self._deliver = deliver
        self._running: dict[str, BackgroundTask] = {}
        self.notice = ""

    def begin(self, task: BackgroundTask) -> None:
        """Start a thread for a task."""
        self.drop(task.kind)
        self._running[task.kind] = task
        threading.Thread(target=self._work, args=(task,), name=f"task: {task.kind}", daemon=True).start()

    def end(self, task: BackgroundTask) -> bool:
        """End a task; False if its answer is no longer wanted."""
        is_wanted = not task.dropped.is_set()
        if is_wanted:
            self.drop(task.kind)
        return is_wanted

    def drop(self, *kinds: str) -> None:
        """Give up the tasks of these kinds; without kinds, all tasks."""
        for kind in kinds or tuple(self._running):
            if (task := self._running.pop(kind, None)) is not None:
                task.dropped.set()
        if not self._running:
            self.notice = ""

    def is_busy(self, *kinds: str) -> bool:
        """Whether a task of one of these kinds is running; without kinds, any task."""
        return any(kind in self._running for kind in kinds) if kinds else bool(self._running)

    def note_compiling(self, line: str, *, lasting: bool) -> None:
        """Keep the compiler's progress as the notice."""
        if not lasting:
            self.notice = line

    def _work(self, task: BackgroundTask) -> None:
        answer, error = None, None
        try:
            answer = task.work(Run(USUAL_LIMITS, cancel=task.dropped.is_set))
        except Exception as caught:  # noqa: BLE001 - raised again by the app
            error = caught
        if not task.dropped.is_set():
            self._deliver(task, answer, error)
