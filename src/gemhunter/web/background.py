"""Compiles what Compare and Play need, in a process at low priority, while the server runs."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf
from typing import Any

from gemhunter.compiling.choice import is_installed, may_compile
from gemhunter.play.agents.registry import AGENTS
from gemhunter.play.warmup import RULES_PART, is_warm, warm_part
from gemhunter.queries.warmup import own_engines
from gemhunter.solving.run import never
from gemhunter.work.timed_child import TaskReporter, TimedChild, serve_tasks

BACKGROUND_MODULE = "gemhunter.web.background"
LOWEST_PRIORITY = 19


@contextmanager
def compiling_in_background(say: Callable[[str], None]) -> Iterator[None]:
    """Inside, a process compiles if there is something to compile; `say` gets a line at its start and end."""
    if is_warm() or not may_compile() or not is_installed():
        yield
        return
    with TimedChild("compiling", BACKGROUND_MODULE) as child:

        def wait() -> None:
            with suppress(OSError):  # its folder has gone: the server was stopped
                if isinstance(child.ask({}, inf, never), dict):
                    say("everything is compiled")
                child.end()

        threading.Thread(target=wait, daemon=True).start()
        say("compiling engines and agents in the background, once per machine; until then they are slower")
        yield


def compile_parts(_: Mapping[str, Any], reporter: TaskReporter) -> dict[str, Any]:
    """In the process: compile engines, then games and agents, which take longest."""
    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    reporter.start_clock()
    engines = [name for name in own_engines() if ":" not in name]
    for name in (*engines, RULES_PART, *(f"agent {agent}" for agent in AGENTS)):
        warm_part(name)
    return {}


if __name__ == "__main__":
    serve_tasks(compile_parts)
