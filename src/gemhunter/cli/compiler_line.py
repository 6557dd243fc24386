"""What people see while kernels are compiled."""

import sys

import click

from gemhunter.cli.interrupts import stop_if_pending


def show_compiling(line: str, *, lasting: bool) -> None:
    """Show how far the compiler is, on a terminal; an empty line takes that away. A lasting line stays.

    This is called between two kernels, so it is also the place to stop after a Ctrl-C that LLVM swallowed.
    """
    stop_if_pending()
    if lasting:
        click.echo(f"note: {line}", err=True)
    elif sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
