"""Requests as jobs: each task is done in a worker process, and ends when its client leaves."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gemhunter.web.tasks.asked_boards import WebLimits, Worker
from gemhunter.work.desk import Desk, News
from gemhunter.work.jobs import Job, JobPool, Message

Task = Callable[[Worker, Mapping[str, Any]], Any]

SILENCE_SECONDS = 5.0
"""How long a job is silent at most: a beat in between shows that the server is still there."""

HARD_FACTOR, HARD_SECONDS = 2.0, 5.0
"""A task may ask several questions, each with the time limit; one that takes longer than this is ended."""


def do_task(desk: Desk, task: Task, asked: Mapping[str, Any], limits: WebLimits) -> Any:
    """In a worker: the answer to a request."""
    worker = Worker(desk, limits)
    with worker.at_work():
        return task(worker, asked)


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A job that was handed in, and where its messages arrive."""

    job: Job
    inbox: "asyncio.Queue[Message]"

    async def messages(self) -> AsyncIterator[Message | None]:
        """All that the job sends, and None now and then while it sends nothing."""
        while True:
            try:
                message = await asyncio.wait_for(self.inbox.get(), SILENCE_SECONDS)
            except TimeoutError:
                yield None
                continue
            yield message
            if message.is_last:
                return

    async def answer(self) -> tuple[Any, list[Any]]:
        """The result of the job, and the items that it sent before; raises the error that ended it."""
        items = []
        async for message in self.messages():
            if message is None or message.kind is News.PROGRESS:
                continue
            if message.kind is News.ITEM:
                items.append(message.value)
            elif message.kind is News.FAILURE:
                raise message.value
            else:
                return message.value, items
        raise AssertionError("the last message is a result or a failure")


class Office:
    """Hands tasks to the workers on behalf of clients."""

    def __init__(self, pool: JobPool, limits: WebLimits) -> None:
        self.pool, self.limits = pool, limits

    def hand_in(
        self,
        task: Task,
        asked: Mapping[str, Any],
        *,
        client: str,
        seconds: float | None = None,
        is_long: bool = False,
    ) -> Ticket:
        """A job for a task; `BusyError` if too many wait. It is to be cancelled if its client leaves."""
        loop = asyncio.get_running_loop()
        inbox: asyncio.Queue[Message] = asyncio.Queue()

        def tell(message: Message) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(inbox.put_nowait, message)

        hard = HARD_FACTOR * self.limits.seconds + HARD_SECONDS if seconds is None else seconds
        job = self.pool.submit(
            do_task, task, asked, self.limits, tell=tell, owner=client, seconds=hard, is_long=is_long
        )
        return Ticket(job, inbox)
