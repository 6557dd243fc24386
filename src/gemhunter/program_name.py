"""What people type to start this program: `gemhunter`, or in a clone `./run`."""

import os
import shlex

PROGRAM_NAME = "gemhunter"

STARTED_AS = "GEMHUNTER_COMMAND"
"""An environment variable that `./run` and `run.cmd` set: how they were called."""


def program_name() -> str:
    """The first word of a command that a message suggests, quoted if the shell needs that."""
    started = os.environ.get(STARTED_AS, PROGRAM_NAME)
    if os.name == "nt":
        return f'"{started}"' if " " in started else started
    return shlex.quote(started)
