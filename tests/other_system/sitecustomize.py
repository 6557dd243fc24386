"""Takes away what only some systems have: processes that fork, POSIX signals and limits, `/proc`.

Every Python that has this folder on its path imports this module by its name as it starts, so what our
programs start has to do without these things, too.
"""

import os
import signal
import subprocess
import sys
from typing import Any

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")

OF_OS = (
    *("fork", "forkpty", "register_at_fork", "posix_spawn", "posix_spawnp", "wait3", "wait4"),
    *("getpgid", "getpgrp", "getsid", "killpg", "setpgid", "setsid", "nice", "getloadavg"),
    *("sched_getaffinity", "sched_setaffinity", "sysconf"),
)

OF_SIGNAL = ("pthread_kill", "pthread_sigmask", "setitimer", "alarm", "pause", "siginterrupt", "sigwait")

WINDOWS_SIGNALS = ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN")


def become_another_system() -> None:
    """Remove it all; `subprocess` keeps the signal by which it ends processes on this system."""
    killing = signal.SIGKILL
    setattr(subprocess.Popen, "kill", lambda process: process.send_signal(killing))  # noqa: B010
    for module in MODULES:
        sys.modules[module] = None  # type: ignore[assignment]
    for name in OF_OS:
        vars(os).pop(name, None)
    signals = [name for name in vars(signal) if name.startswith("SIG") and name not in WINDOWS_SIGNALS]
    for name in [*signals, *OF_SIGNAL]:
        vars(signal).pop(name, None)
    sys.addaudithook(_hide_proc)


def _hide_proc(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("open", "os.listdir", "os.scandir") and str(arguments[0]).startswith("/proc"):
        raise FileNotFoundError(2, "No such file or directory", arguments[0])


if hasattr(signal, "SIGKILL"):
    become_another_system()
