"""Slow work in threads, so that the screen never waits."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gemhunter.play.risks import PATIENCE
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class BackgroundTask:
    """Some work, what to do with its answer, and whether nobody waits for it any more."""

    kind: str
    work: Callable[[Run], Any]
    then: Callable[[Any], None]
    dropped: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of a question: an answer, or the error that it ended in."""

    question: BackgroundTask
    answer: Any = None
    error: Exception | None = None


class Thinker:
    """Works on one question of each kind at a time; a new one takes the place of the old.

    Threads are daemons: whoever quits does not wait for them. `deliver` is called in such a thread. `notice`
    says why it takes a while, if it does.
    """

    def __init__(self, deliver: Callable[[Thought], None]) -> None:
        self._deliver = deliver
        self._open: dict[str, BackgroundTask] = {}
        self.notice = ""

    def ask(self, question: BackgroundTask) -> None:
        """Begin to work on a question."""
        self.drop(question.kind)
        self._open[question.kind] = question
        name = f"thinking: {question.kind}"
        threading.Thread(target=self._think, args=(question,), name=name, daemon=True).start()

    def take(self, thought: Thought) -> bool:
        """Whether somebody still waits for this; nobody does afterwards."""
        is_wanted = not thought.question.dropped.is_set()
        if is_wanted:
            self.drop(thought.question.kind)
        return is_wanted

    def drop(self, *kinds: str) -> None:
        """Nobody wants these answers any more; without kinds, no answer at all."""
        for kind in kinds or tuple(self._open):
            if (question := self._open.pop(kind, None)) is not None:
                question.dropped.set()
        if not self._open:
            self.notice = ""

    def is_busy(self, *kinds: str) -> bool:
        """Whether an answer of one of these kinds is awaited; without kinds, any answer."""
        return any(kind in self._open for kind in kinds) if kinds else bool(self._open)

    def _think(self, question: BackgroundTask) -> None:
        run = Run(PATIENCE, cancel=question.dropped.is_set)
        try:
            thought = Thought(question, question.work(run))
        except Exception as error:  # noqa: BLE001 - raised again by whoever takes the thought
            thought = Thought(question, error=error)
        if not question.dropped.is_set():
            self._deliver(thought)

    def hear(self, line: str, *, lasting: bool) -> None:
        """Note what is said about compiling."""
        if not lasting:
            self.notice = line
