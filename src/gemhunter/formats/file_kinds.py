"""Whether a path in a folder made by others is a file that can be opened, found out without opening it."""

import stat
from pathlib import Path

NO_FILES = {
    stat.S_IFIFO: "a named pipe, not a file",
    stat.S_IFSOCK: "a socket, not a file",
    stat.S_IFCHR: "a device, not a file",
    stat.S_IFBLK: "a device, not a file",
}


def fault_of(path: Path) -> str:
    """Why a path leads to no file or folder that can be opened; an empty text if it does."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "a link that leads nowhere"
    except (OSError, RuntimeError) as error:
        return reason_of(error)
    return NO_FILES.get(stat.S_IFMT(mode), "")


def reason_of(error: Exception) -> str:
    """What the system says about a file, in lower case."""
    return (getattr(error, "strerror", None) or str(error)).lower()
