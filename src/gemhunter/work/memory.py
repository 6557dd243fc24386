"""Memory limits for processes: `python memory.py BYTES PROGRAM ARGS...` becomes the program, held to them.

This file is run by its path, in an interpreter that knows nothing of this package.
"""

import os
import sys
from importlib.util import find_spec

OUT_OF_MEMORY_WORDS = (
    *(b"bad_alloc", b"MemoryError", b"OutOfMemory"),
    *(b"out of memory", b"out-of-memory", b"cannot allocate"),
)
"""What programs say when they get no more memory."""


def can_limit_memory() -> bool:
    """Whether this system can hold a process to a limit.

    Windows has no such limit. macOS has one that it does not keep, and does not say how much is in use.
    """
    return find_spec("resource") is not None and address_space() > 0


def limit_address_space(size: int) -> None:
    """Hold this process, and what it becomes, to `size` bytes of address space; more is refused to it."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    bounded = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bounded, hard))


def address_space() -> int:
    """Bytes of address space in use; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as stream:  # noqa: PTH123 - pathlib is not loaded here
            return int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def peak_memory() -> int | None:
    """The most memory that this process has held so far, in bytes; None where the system does not say."""
    try:
        # What `getrusage` says of a child includes what its parent held before the child was its own program.
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
    """Let `peak_memory` begin again with what this process holds now; False where the system cannot."""
    try:
        with open("/proc/self/clear_refs", "wb") as stream:  # noqa: PTH123 - pathlib is not loaded here
            stream.write(b"5")
    except OSError:
        return False
    return True


def ran_out(last_words: bytes) -> bool:
    """Whether a program that failed says that it got no more memory."""
    return any(word.lower() in last_words.lower() for word in OUT_OF_MEMORY_WORDS)


if __name__ == "__main__":
    limit_address_space(int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - it is the program that was asked for
