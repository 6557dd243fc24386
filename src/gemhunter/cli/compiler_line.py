"""What people see while kernels are compiled."""

import sys

import click


def show_compiling(line: str, *, lasting: bool) -> None:
    """Show how far the compiler is, on a terminal; an empty line takes that away. A lasting line stays."""
    if lasting:
        click.echo(f"note: {line}", err=True)
    elif sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
