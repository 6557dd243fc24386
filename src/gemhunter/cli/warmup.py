"""`gemhunter warmup`: compiles ahead of time what would be compiled at first use."""

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gemhunter.queries.warmup import Warmed


@click.command()
def warmup() -> None:
    """Compile all kernels now, instead of at their first use.

    Says how long each engine and agent took and where the compiled code is kept. Where it cannot be kept,
    that is said too, and nothing else is wrong: it is compiled anew whenever it is needed.

    \b
    Examples:
      gemhunter warmup
      NUMBA_CACHE_DIR=/var/cache/gemhunter gemhunter warmup
    """
    from gemhunter.cli.screen import seconds_text
    from gemhunter.play.warmup import game_parts
    from gemhunter.queries.warmup import solving_parts, warm_up

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        click.echo("nothing is compiled: NUMBA_DISABLE_JIT is set", err=True)
        return
    warmed: list[Warmed] = []
    for each in warm_up([*solving_parts(), *game_parts()], lambda name: click.echo(f"{name}: ", nl=False)):
        warmed.append(each)
        said = f"{each.compiled} compiled" if each.compiled else "nothing to compile"
        click.echo(f"{said}, {seconds_text(each.seconds)}")
    total = sum(each.compiled for each in warmed)
    click.echo(f"{total} kernels in {seconds_text(sum(each.seconds for each in warmed))}")
    click.echo(_place(), err=True)


def _place() -> str:
    """Where compiled kernels are now, or why they are nowhere."""
    from gemhunter.kernels.compiling import cache_folder

    folder = cache_folder()
    if folder is not None and folder.is_dir() and any(folder.glob("*.nbi")):
        return f"kept in {folder}"
    return (
        "could not be kept: no folder for it can be written, so each process compiles anew; "
        "set NUMBA_CACHE_DIR to one that can"
    )
