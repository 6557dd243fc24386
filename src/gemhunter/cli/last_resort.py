"""What happens to an unexpected error: one line, a file with the details, and exit code 4."""

import os
import platform
import shlex
import traceback
from collections.abc import Sequence

from gemhunter import __version__
from gemhunter.cli.notes import complain
from gemhunter.formats.files import keep_privately

DEBUG = "GEMHUNTER_DEBUG"
"""An environment variable: if it is set, such an error is shown with its traceback instead."""

MOST_CHARACTERS = 200
"""Of the error's own message."""


def report_unforeseen(error: Exception, arguments: Sequence[str]) -> None:
    """Say that the program itself is wrong, and keep what is needed to find out where."""
    if os.environ.get(DEBUG):
        raise error
    system = f"gemhunter {__version__}, Python {platform.python_version()}, {platform.platform()}"
    command = shlex.join(["gemhunter", *arguments])
    story = "".join(traceback.format_exception(error))
    path = keep_privately(f"{system}\n{command}\n\n{story}", "error", ".txt")
    words = " ".join(f"{type(error).__name__}: {error}".split())[:MOST_CHARACTERS]
    details = "" if path is None else f", details in {path}"
    complain(f"internal error: {words}; please report it{details}")
