"""How to continue work that was stopped: the command, spelled out."""

import os
import shlex
import subprocess
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from click.core import ParameterSource

from gemhunter.cli.notes import note


@contextmanager
def saying_how_to_continue(ledger: Path | None, settled: Collection[str]) -> Iterator[None]:
    """If the block is stopped by Ctrl-C or SIGTERM, print the command that continues it, if there is one.

    `ledger` is the file to resume. `settled` are the parameters that it settles; other options are repeated.
    """
    try:
        yield
    except KeyboardInterrupt:
        if ledger is not None:
            command = continuing_command(click.get_current_context(), ledger, settled)
            note(f"to continue: {command}")
        raise


def continuing_command(ctx: click.Context, ledger: Path, settled: Collection[str]) -> str:
    """The command that was given, with `--resume` in place of what the ledger settles."""
    words = [*ctx.command_path.split(), "--resume", str(ledger)]
    for option in ctx.command.params:
        name = option.name or ""
        is_given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and isinstance(option, click.Option) and name in ctx.params and name not in settled:
            words += _words(option, ctx.params[name])
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def _words(option: click.Option, value: object) -> list[str]:
    flag = max(option.opts, key=len)
    if option.is_flag:
        return [flag] if value else list(option.secondary_opts)
    values = value if isinstance(value, tuple) else (value,)
    return [word for each in values for word in (flag, str(each))]
