"""Starting programs so that they end whatever happens: to them, to what they start, or to this process.

    this process ── supervisor ── guard ── program ── what the program starts

The first program starts a supervisor, a process of this file, which forks a guard for each program. The guard
starts the program and waits until it ends, or until this process closes its end of a socket. The system
closes it even if this process is killed. Then the guard kills everything below it, and reports the exit code.

On Linux a guard is a "child subreaper": it becomes the parent of each process below it that loses its own, so
neither `setsid` nor a second fork leads out of its reach. Other systems have no such thing; there it kills
the process group of the program. Windows has no guards: there only `end` kills what a program has started.

A new interpreter for each program would take 15 milliseconds, which would spoil measured times. So the
supervisor forks, and keeps a guard ready for the next program, which then starts about as fast as without.
"""

import atexit
import ctypes
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from gemhunter.work.memory import limit_address_space


class ChildProcess(Protocol):
    """A running program."""

    @property
    def pid(self) -> int:
        """Its number in the system."""

    def wait(self, seconds: float | None = None) -> int | None:
        """Its exit code, or minus the number of the signal that ended it; None if it still runs then."""

    def end(self) -> int:
        """End it and all it has started, and return its exit code."""


def start_process(
    words: Sequence[str],
    streams: tuple[int, int, int],
    environment: Mapping[str, str],
    *,
    folder: Path | None = None,
    memory: int | None = None,
) -> ChildProcess:
    """Start a program in a session of its own, which Ctrl-C in the terminal does not reach.

    `streams` are the file descriptors of its input, its output and its errors. `memory` limits its address
    space, in bytes. Raises `OSError` or `ValueError` if it cannot be started.
    """
    if hasattr(os, "fork"):
        cores = [*os.sched_getaffinity(0)] if hasattr(os, "sched_getaffinity") else None
        variables = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
        place = os.fsencode(folder or Path.cwd())
        return _GuardedProcess(([*map(os.fsencode, words)], variables, place, memory, cores), streams)
    return _UnguardedProcess(words, streams, environment, folder)


class _UnguardedProcess:
    """A program on Windows."""

    def __init__(
        self,
        words: Sequence[str],
        streams: tuple[int, int, int],
        environment: Mapping[str, str],
        folder: Path | None,
    ) -> None:
        given, output, errors = streams
        self._process = subprocess.Popen(
            words,
            stdin=given,
            stdout=output,
            stderr=errors,
            env=dict(environment),
            cwd=folder,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.pid = self._process.pid

    def wait(self, seconds: float | None = None) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def end(self) -> int:
        if self._process.poll() is None:
            kill_tree = ["taskkill", "/T", "/F", "/PID", str(self.pid)]
            with suppress(OSError):
                subprocess.run(kill_tree, capture_output=True, check=False)
            self._process.kill()
        return self._process.wait()


_Request: TypeAlias = tuple[list[bytes], dict[bytes, bytes], bytes, int | None, list[int] | None]
"""What a guard is sent: words, environment variables, folder, memory limit and cores."""


class _GuardedProcess:
    """A program below a guard, which lives until `_control` is closed here or the program has ended."""

    def __init__(self, request: _Request, streams: tuple[int, int, int]) -> None:
        self._lock = threading.Lock()
        self._code: int | None = None
        self._received, line = b"", ""
        for restart in (False, True):  # the supervisor may have been killed
            self._control, theirs = socket.socketpair()
            try:
                with theirs, suppress(ConnectionError):
                    _SUPERVISOR.hand_over([theirs.fileno(), *streams], restart=restart)
                with suppress(ConnectionError):
                    self._control.sendall(marshal.dumps(request))
                if line := self._next_line():
                    break
            finally:
                if not line.isdigit():
                    self._control.close()
        if not line.isdigit():
            raise ChildProcessError(line or "the process that starts programs has ended")
        self.pid = int(line)

    def wait(self, seconds: float | None = None) -> int | None:
        with self._lock:
            if self._code is None:
                self._control.settimeout(None if seconds is None else max(seconds, 0.0))
                try:
                    line = self._next_line()
                except (TimeoutError, BlockingIOError):
                    return None
                if not line:  # the guard itself was killed
                    _kill_group(self.pid)
                self._code = int(line or -signal.SIGKILL)
                self._control.close()
            return self._code

    def end(self) -> int:
        with suppress(OSError):  # it has ended
            self._control.shutdown(socket.SHUT_WR)
        return cast("int", self.wait())

    def _next_line(self) -> str:
        """The next line of the guard; empty if the guard has ended."""
        with suppress(ConnectionError):
            while b"\n" not in self._received and (received := self._control.recv(1000)):
                self._received += received
        line, _, self._received = self._received.partition(b"\n")
        return line.decode("utf-8", "replace")


# The supervisor, as this process sees it.


def start_supervisor() -> None:
    """Start the supervisor unless it runs, which takes a moment; `start_process` does so too."""
    if hasattr(os, "fork"):
        _SUPERVISOR.start()


class _Supervisor:
    """The supervisor of this process; a forked process gets another."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._owner = 0
        self._channel: socket.socket
        self._process: subprocess.Popen[bytes]

    def start(self, *, restart: bool = False) -> socket.socket:
        """The channel to the supervisor, which is started if there is none, or anyway."""
        with self._lock:
            if self._owner != os.getpid() or restart:
                self.end()
                self._begin()
            return self._channel

    def _begin(self) -> None:
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                (sys.executable, "-S", "-P", "-m", __name__, str(theirs.fileno())),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._owner = os.getpid()
        self._channel.recv(1)  # until it is ready; a run that starts now is not charged for it

    def hand_over(self, files: list[int], *, restart: bool) -> None:
        """Let it give these files to a guard."""
        with self._lock:
            socket.send_fds(self.start(restart=restart), [b"."], files)

    def end(self) -> None:
        """End it, without ending its guards."""
        if self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            self._channel.close()
            self._owner = 0


_SUPERVISOR = _Supervisor()
atexit.register(_SUPERVISOR.end)


# In the supervisor.


def supervise(channel: socket.socket) -> None:
    """Keep a guard ready for the next program, until the other end of the channel is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets guards that have ended
    channel.sendall(b".")
    is_busy = b"."
    while is_busy:
        # A guard sends a byte when it has a program, and closes the pipe without one at the end.
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.close(reader)
            try:
                _guard(channel, writer)
            finally:
                os._exit(0)
        os.close(writer)
        is_busy = os.read(reader, 1)
        os.close(reader)


# In a guard.


def _guard(channel: socket.socket, busy: int) -> None:
    """Start the next program; when it ends or its control is closed, kill all that is left of it."""
    woken, waker = socket.socketpair()
    waker.setblocking(False)
    signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    is_subreaper = _become_subreaper()
    mark, files, _, _ = socket.recv_fds(channel, 1, 4)
    if not mark:
        return
    channel.close()
    control, streams = socket.socket(fileno=files[0]), files[1:]
    with control.makefile("rb") as stream:
        words, environment, folder, memory, cores = marshal.load(stream)  # noqa: S302 - from our parent
    try:
        if cores is not None:
            os.sched_setaffinity(0, cores)
        program = subprocess.Popen(
            words,
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            env=environment,
            cwd=folder,
            start_new_session=True,
            # A guard has one thread, so this is safe.
            preexec_fn=None if memory is None else partial(limit_address_space, memory),  # noqa: PLW1509
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        why = getattr(error, "strerror", None) or error
        control.sendall(f"{why}\n".encode("utf-8", "replace"))
        return
    finally:
        for file in streams:
            os.close(file)
        os.write(busy, b".")
        os.close(busy)
    control.sendall(f"{program.pid}\n".encode())
    codes: dict[int, int] = {}
    is_closed, until = False, inf
    while _reap(codes):
        if is_closed or program.pid in codes:
            # A process of another user cannot be killed, and one may be stuck in the system.
            until = min(until, time.monotonic() + 5.0)
            if time.monotonic() > until:
                break
            _kill_all(program.pid, is_running=program.pid not in codes)
        watched = [woken] if is_closed else [woken, control]
        ready, _, _ = select.select(watched, [], [], None if until == inf else 0.01)
        is_closed |= control in ready
        if woken in ready:
            woken.recv(1000)
    if not is_subreaper:
        _kill_group(program.pid)  # at once, before its number is used again
    with suppress(OSError):
        control.sendall(f"{codes.get(program.pid, -signal.SIGKILL)}\n".encode())


def _become_subreaper() -> bool:
    if sys.platform != "linux":
        return False
    set_child_subreaper = 36
    return bool(ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0) == 0)


def _reap(codes: dict[int, int]) -> bool:
    """Note the exit codes of children that have ended; whether there are others."""
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return True
            codes[pid] = os.waitstatus_to_exitcode(status)
    return False


def _kill_all(program: int, *, is_running: bool) -> None:
    """Kill every process below this one, and the program's group."""
    if is_running:  # later, its number can belong to another group
        _kill_group(program)
    for pid in _processes_below(os.getpid()):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _kill_group(group: int) -> None:
    # On macOS it is a PermissionError if all processes have ended but some have not been waited for.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _processes_below(root: int) -> list[int]:
    """All processes that a process has started, directly or not; none without `/proc`."""
    children: dict[int, list[int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            # The name of the program, in brackets, may contain anything; after it come state and parent.
            parent = int(file.read_bytes().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(file.parent.name))
    below = [root]
    for pid in below:
        below += children.get(pid, [])
    return below[1:]


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as inherited:
        supervise(inherited)
    os._exit(0)
