"""Runs the server: finds a port, opens a browser, compiles in the background, and ends with Ctrl-C."""

import os
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf
from typing import TYPE_CHECKING, Any

from gemhunter.errors import InputError
from gemhunter.extras import has_package, missing_text
from gemhunter.jit.choice import is_installed, may_compile
from gemhunter.play.agents.registry import AGENTS
from gemhunter.play.warmup import RULES_PART, is_warm, warm_part
from gemhunter.questions.warmup import own_engines
from gemhunter.solving.run import never
from gemhunter.web.guards import Application
from gemhunter.work.timed_child import TaskReporter, TimedChild, serve_tasks

if TYPE_CHECKING:
    from gemhunter.web.connections import LeavingServer


# Compiles what Compare and Play need, in a process at low priority, while the server runs.


BACKGROUND_MODULE = "gemhunter.web.serve"
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


# Runs the server: finds a port, says where it is, opens a browser, and ends with Ctrl-C.


FIRST_PORT, PORTS_TRIED = 8421, 20
START_SECONDS = 30.0


def require_server() -> None:
    """Raise `InputError` if the packages of the server are not installed."""
    for package in ("fastapi", "uvicorn"):
        if not has_package(package):
            raise InputError(missing_text("the page needs", package))


def listen_on(host: str, port: int | None) -> socket.socket:
    """A socket that listens at a port, or at the first free one if none is given."""
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    error: OSError | None = None
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for each in ports:
        try:
            return socket.create_server((host, each), family=family, backlog=512)
        except OSError as refused:
            error = refused
    raise InputError(f"cannot listen on {host}, port {port or FIRST_PORT}: {error}")


def serve(
    application: Application,
    listener: socket.socket,
    *,
    when_ready: Callable[[], None],
    when_leaving: Callable[[], None],
) -> None:
    """Serve until Ctrl-C or SIGTERM.

    `when_ready` is called once the server answers, `when_leaving` before it waits for answers that are due.
    """
    from gemhunter.web.connections import LeavingServer, server_config  # they need the packages of the server

    server = LeavingServer(server_config(application), when_leaving)
    threading.Thread(target=_wait_until_ready, args=(server, when_ready), daemon=True).start()
    server.run(sockets=[listener])


def open_browser(address: str) -> None:
    """Show a page in the user's browser, if there is one."""
    webbrowser.open(address)


def _wait_until_ready(server: "LeavingServer", when_ready: Callable[[], None]) -> None:
    began = time.monotonic()
    while not server.started:
        if time.monotonic() - began > START_SECONDS:
            return
        time.sleep(0.02)
    when_ready()
