"""Jobs for tests; worker processes import them from here."""

import os
import time

from gemhunter.errors import EngineError, GemHunterError, InputError
from gemhunter.work.jobs import JobContext

FOREVER = 60.0
"""Seconds, as far as a test is concerned."""


def add(job: JobContext, first: int, second: int) -> int:
    job.send(first)
    return first + second


def wait_for_cancel(job: JobContext) -> str:
    while not job.is_cancelled():
        job.tick(1.5, 7)
        time.sleep(0.01)
    return "stopped in time"


def hang(job: JobContext) -> None:
    time.sleep(FOREVER)


def die(job: JobContext) -> None:
    os._exit(3)


def refuse(job: JobContext) -> None:
    raise InputError("that is not a board")


class ExitCodeError(EngineError):
    """An error like one of a plug-in: its text is made of two arguments."""

    def __init__(self, program: str, code: int) -> None:
        self.code = code
        super().__init__(f"{program} ended with exit code {code}")


def fail_like_a_plug_in(job: JobContext) -> None:
    raise ExitCodeError("solver", 3)


class UnreadableError(GemHunterError):
    """An error that can be pickled, but not unpickled."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("not a number",)


def fail_unreadably(job: JobContext) -> None:
    raise UnreadableError


def eat(job: JobContext, size: int) -> int:
    return len(bytearray(size))


def pause_twice(job: JobContext) -> str:
    for _ in range(2):
        time.sleep(0.4)
        job.pause("compiling")
    time.sleep(0.4)
    return "done"


def send_slowly(job: JobContext) -> str:
    for number in range(3):
        time.sleep(0.4)
        job.send(number)
    return "done"


def divide_by_zero(job: JobContext) -> float:
    return 1 / 0
