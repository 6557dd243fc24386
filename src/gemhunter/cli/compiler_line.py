"""What people see while kernels are compiled."""

import sys

from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.cli.notes import is_quiet, note


def show_compiling(line: str, *, lasting: bool) -> None:
    """Show how far the compiler is, on a terminal; an empty line takes that away. A lasting line stays.

    This is called between two kernels, so it is also the place to stop after a Ctrl-C that LLVM swallowed.
    """
    stop_if_pending()
    if lasting:
        note(f"note: {line}")
    elif sys.stderr.isatty() and not is_quiet():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
