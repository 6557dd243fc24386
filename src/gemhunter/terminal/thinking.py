"""Slow work in threads, so that the screen never waits."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gemhunter.play.knowing import PATIENCE
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of a piece of work: an answer for `then`, or the error that it ended in."""

    answer: Any
    error: Exception | None
    then: Callable[[Any], None]


class Thinker:
    """Does one piece of work of each kind at a time; a new one takes the place of the old.

    Threads are daemons: whoever quits does not wait for them. `deliver` is called in such a thread. `notice`
    says why it takes a while, if it does.
    """

    def __init__(self, deliver: Callable[[Thought], None]) -> None:
        self._deliver = deliver
        self._latest: dict[str, threading.Event] = {}
        self.notice = ""

    def ask(self, kind: str, work: Callable[[Run], Any], then: Callable[[Any], None]) -> None:
        """Do `work` elsewhere, then hand its answer to `then`, unless it was dropped meanwhile."""
        self.drop(kind)
        dropped = self._latest[kind] = threading.Event()
        run = Run(PATIENCE, cancel=dropped.is_set, notice=self._note)

        def think() -> None:
            answer, error = None, None
            try:
                answer = work(run)
            except Exception as problem:  # noqa: BLE001 - raised again by whoever reads the thought
                error = problem
            if not dropped.is_set():
                self._deliver(Thought(answer, error, finish))

        def finish(answer: Any) -> None:
            if not dropped.is_set():
                self.drop(kind)
                then(answer)

        threading.Thread(target=think, name=f"thinking: {kind}", daemon=True).start()

    def drop(self, *kinds: str) -> None:
        """Nobody wants these answers any more; without kinds, no answer at all."""
        for kind in kinds or tuple(self._latest):
            if (pending := self._latest.pop(kind, None)) is not None:
                pending.set()
        if not self._latest:
            self.notice = ""

    def is_busy(self, *kinds: str) -> bool:
        """Whether an answer of one of these kinds is awaited; without kinds, any answer."""
        return any(kind in self._latest for kind in kinds) if kinds else bool(self._latest)

    def _note(self, notice: str) -> None:
        self.notice = notice
