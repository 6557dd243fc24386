"""The memory of processes: limits, and how much is in use."""

import os
import sys
from importlib.util import find_spec


def can_limit_memory() -> bool:
    """Whether this system can limit the memory of a process.

    Windows has no such limit. macOS does not enforce it, and does not report how much is in use.
    """
    return find_spec("resource") is not None and address_space() > 0


def limit_address_space(size: int) -> None:
    """Limit this process, and the program that it becomes, to `size` bytes of address space."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    bounded = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bounded, hard))


def address_space() -> int:
    """Bytes of address space in use; 0 if the system does not report it."""
    try:
        with open("/proc/self/statm", "rb") as stream:  # noqa: PTH123 - pathlib is not loaded here
            return int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def peak_memory() -> int | None:
    """The most memory that this process has used so far, in bytes; None if the system does not report it."""
    try:
        # For a child, `getrusage` includes what its parent used before the child became a program.
        with open("/proc/self/status", encoding="ascii") as stream:  # noqa: PTH123 - pathlib is not loaded here
            peak = next(line.split()[1] for line in stream if line.startswith("VmHWM:"))
        return int(peak) * 1024
    except (OSError, StopIteration):
        pass
    if find_spec("resource") is None:
        return None
    import resource

    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size if sys.platform == "darwin" else size * 1024


def forget_peak_memory() -> bool:
    """Reset `peak_memory` to what this process uses now; False if the system cannot."""
    try:
        with open("/proc/self/clear_refs", "wb") as stream:  # noqa: PTH123 - pathlib is not loaded here
            stream.write(b"5")
    except OSError:
        return False
    return True


def ran_out(last_words: bytes) -> bool:
    """Whether the last words of a program that failed say that it got no more memory."""
    said = (
        b"bad_alloc",
        b"memoryerror",
        b"outofmemory",
        b"out of memory",
        b"out-of-memory",
        b"cannot allocate",
    )
    return any(words in last_words.lower() for words in said)
