"""Slow work in threads, so that the screen never waits."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gemhunter.play.risks import USUAL_LIMITS
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class BackgroundTask:
    """Some work, what to do with its answer, and whether the answer is still wanted."""

    kind: str
    work: Callable[[Run], Any]
    then: Callable[[Any], None]
    dropped: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What came of a task: an answer, or the error that it ended in."""

    task: BackgroundTask
    answer: Any = None
    error: Exception | None = None


class BackgroundTasks:
    """Works on one task of each kind at a time; a new one replaces the old one.

    Threads are daemons, so quitting does not wait for them. `deliver` is called in such a thread. `notice`
    says why it takes a while, if it does.
    """

    def __init__(self, deliver: Callable[[TaskResult], None]) -> None:
        self._deliver = deliver
        self._running: dict[str, BackgroundTask] = {}
        self.notice = ""

    def begin(self, task: BackgroundTask) -> None:
        """Start a thread for a task."""
        self.drop(task.kind)
        self._running[task.kind] = task
        threading.Thread(target=self._work, args=(task,), name=f"task: {task.kind}", daemon=True).start()

    def take(self, result: TaskResult) -> bool:
        """End the task of this result; False if the result is not wanted any more."""
        is_wanted = not result.task.dropped.is_set()
        if is_wanted:
            self.drop(result.task.kind)
        return is_wanted

    def drop(self, *kinds: str) -> None:
        """Give up the tasks of these kinds; without kinds, all tasks."""
        for kind in kinds or tuple(self._running):
            if (task := self._running.pop(kind, None)) is not None:
                task.dropped.set()
        if not self._running:
            self.notice = ""

    def is_busy(self, *kinds: str) -> bool:
        """Whether there is a task of one of these kinds; without kinds, any task."""
        return any(kind in self._running for kind in kinds) if kinds else bool(self._running)

    def note_compiling(self, line: str, *, lasting: bool) -> None:
        """Keep the compiler's progress as the notice."""
        if not lasting:
            self.notice = line

    def _work(self, task: BackgroundTask) -> None:
        run = Run(USUAL_LIMITS, cancel=task.dropped.is_set)
        try:
            result = TaskResult(task, task.work(run))
        except Exception as error:  # noqa: BLE001 - raised again where the result is taken
            result = TaskResult(task, error=error)
        if not task.dropped.is_set():
            self._deliver(result)
