"""Ways in which this package starts a program.

`python -m program_starters WAY MARK` starts one that never ends, and that leaves processes in other sessions,
without parents and without environment variables. `MARK` is in the command line of each.
"""

import sys
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from gemhunter.cli.exit_codes import listen
from gemhunter.work.child_process import ChildCommand, run_child
from gemhunter.work.jobs import JobContext, JobPool
from gemhunter.work.line_program import LineProgram
from gemhunter.work.timed_child import TaskReporter, TimedChild, serve_tasks
from gemhunter.work.workers import process_workers

PROCESSES = 5
"""How many processes of the program have the mark in their command line."""


def escaping(mark: str, last: str = "") -> tuple[str, ...]:
    """A program that starts processes in every way that might escape, and then sleeps or does `last`."""
    sleep = f"sleep {mark}"
    others = f"setsid {sleep} & (setsid {sleep} &); env -i setsid sh -c '{sleep} & {sleep}' &"
    return ("/bin/sh", "-c", f"{others} {last or f'exec {sleep}'}")


def running(mark: str) -> list[int]:
    """The processes that run with this mark."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().split(b"\0")
        except OSError:  # it has just ended
            continue
        if words[:2] == [b"sleep", mark.encode()]:
            found.append(int(file.parent.name))
    return found


def directly(mark: str, memory: int | None = None) -> None:
    command = ChildCommand("program", escaping(mark), memory=memory)
    run_child(command, seconds_left=lambda: None, stop=lambda: None)


def under_a_memory_limit(mark: str) -> None:
    directly(mark, memory=2**30)


def line_by_line(mark: str) -> None:
    LineProgram("program", escaping(mark)).receive(1000.0)


def from_a_child(mark: str) -> None:
    with TimedChild("child", "program_starters") as child:
        child.ask({"mark": mark}, 1000.0, lambda: False)


def from_a_worker(mark: str) -> None:
    with process_workers(1) as workers:
        workers.submit(directly, mark).result()


def from_a_job(mark: str) -> None:
    messages: SimpleQueue[Any] = SimpleQueue()
    with JobPool(1) as pool:
        pool.submit(start_in_a_job, mark, on_message=messages.put)
        messages.get()


def start_in_a_job(_: JobContext, mark: str) -> None:
    from_a_child(mark)


WAYS = {
    way.__name__: way
    for way in (directly, under_a_memory_limit, line_by_line, from_a_child, from_a_worker, from_a_job)
}


def do(task: dict[str, Any], _: TaskReporter) -> dict[str, Any]:
    """In the child of `from_a_child`."""
    directly(task["mark"])
    return {}


if __name__ == "__main__":
    if len(sys.argv) == 1:
        serve_tasks(do)
    else:
        listen()
        WAYS[sys.argv[1]](sys.argv[2])
