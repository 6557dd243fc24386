"""Jobs for tests; worker processes import them from here."""

import os
import time

from gemhunter.errors import InputError
from gemhunter.work.jobs import Desk

FOREVER = 60.0
"""Seconds, as far as a test is concerned."""


def add(desk: Desk, first: int, second: int) -> int:
    desk.send(first)
    return first + second


def wait_for_cancel(desk: Desk) -> str:
    while not desk.is_cancelled():
        desk.tick(1.5, 7)
        time.sleep(0.01)
    return "stopped in time"


def hang(desk: Desk) -> None:
    time.sleep(FOREVER)


def die(desk: Desk) -> None:
    os._exit(3)


def refuse(desk: Desk) -> None:
    raise InputError("that is not a board")


def eat(desk: Desk, size: int) -> int:
    return len(bytearray(size))


def pause_twice(desk: Desk) -> str:
    for _ in range(2):
        time.sleep(0.4)
        desk.pause("compiling")
    time.sleep(0.4)
    return "done"


def send_slowly(desk: Desk) -> str:
    for number in range(3):
        time.sleep(0.4)
        desk.send(number)
    return "done"


def divide_by_zero(desk: Desk) -> float:
    return 1 / 0
