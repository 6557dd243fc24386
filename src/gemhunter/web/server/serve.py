"""Runs the server: finds a port, opens a browser, compiles in the background, and stops at Ctrl-C."""

import os
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf
from typing import Any

from gemhunter.errors import InputError
from gemhunter.jit.choice import is_installed, may_compile
from gemhunter.optional_packages import has_package, missing_text
from gemhunter.play.agents.registry import AGENTS
from gemhunter.play.warmup import RULES_PART, is_warm, warm_part
from gemhunter.questions.warmup import own_engines
from gemhunter.solving.run import never
from gemhunter.web.server.guards import Application
from gemhunter.work.timed_child import TaskReporter, TimedChild, serve_tasks


def require_server() -> None:
    """Raise `InputError` if the packages of the server are not installed."""
    for package in ("fastapi", "uvicorn"):
        if not has_package(package):
            raise InputError(missing_text("the page needs", package))


def listen_on(host: str, port: int | None) -> socket.socket:
    """A socket that listens on this port, or on the first free one of 20 if none is given."""
    ports = range(8421, 8441) if port is None else [port]
    error: OSError | None = None
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in ports:
        try:
            return socket.create_server((host, candidate), family=family, backlog=512)
        except OSError as refused:
            error = refused
    words = f"port {port}" if port is not None else f"ports {ports[0]} to {ports[-1]}"
    reason = os.strerror(error.errno) if error is not None and error.errno else error
    raise InputError(f"cannot listen on {host}, {words}: {reason}")


def serve(
    application: Application,
    listener: socket.socket,
    *,
    when_ready: Callable[[], None],
    when_leaving: Callable[[], None],
) -> None:
    """Serve until Ctrl-C or SIGTERM.

    `when_ready` is called once the server answers, `when_leaving` before it waits for unfinished answers.
    """
    # This module needs the packages of the server.
    from gemhunter.web.server.connections import NotifyingServer, server_config

    server = NotifyingServer(server_config(application), when_leaving)

    def wait_until_ready() -> None:
        deadline = time.monotonic() + 30
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.02)
        if server.started:
            when_ready()

    threading.Thread(target=wait_until_ready, daemon=True).start()
    server.run(sockets=[listener])


def open_browser(address: str) -> None:
    """Open a page in the user's browser, if there is one."""
    webbrowser.open(address)


BACKGROUND_MODULE = "gemhunter.web.server.serve"
"""The module that the background process runs: this one."""


@contextmanager
def compiling_in_background(say: Callable[[str], None]) -> Iterator[None]:
    """Compile what Compare and Play need in another process; `say` gets a line at its start and its end."""
    if is_warm() or not may_compile() or not is_installed():
        yield
        return
    with TimedChild("compiling", BACKGROUND_MODULE) as child:

        def wait() -> None:
            with suppress(OSError):  # its folder is gone if the server has stopped
                if isinstance(child.ask({}, inf, never), dict):
                    say("everything is compiled")
                child.end()

        threading.Thread(target=wait, daemon=True).start()
        say("compiling engines and agents in the background, once per machine; until then they are slower")
        yield


def compile_parts(_: Mapping[str, Any], reporter: TaskReporter) -> dict[str, Any]:
    """In the background process: compile engines, then games and agents, which take longest."""
    if hasattr(os, "nice"):
        os.nice(19)  # the lowest priority: requests come first
    reporter.start_clock()
    engines = [name for name in own_engines() if ":" not in name]
    for name in (*engines, RULES_PART, *(f"agent {agent}" for agent in AGENTS)):
        warm_part(name)
    return {}


if __name__ == "__main__":
    serve_tasks(compile_parts)
