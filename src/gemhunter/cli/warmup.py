"""`gemhunter warmup`: compiles ahead of time what would be compiled at first use."""

import click

from gemhunter.cli.notes import note, quiet_option
from gemhunter.cli.options import AT_LEAST_ONE, cores
from gemhunter.draw.text_maps import seconds_text
from gemhunter.jit.cache import cache_folder, is_cached
from gemhunter.jit.choice import is_installed, may_compile, numba_missing
from gemhunter.play.warmup import Warmed, warm_up
from gemhunter.play.whole_games import play_seeds
from gemhunter.printable import counted


@click.command()
@click.option(
    "--workers", "jobs", type=AT_LEAST_ONE, metavar="N", help="Processes that compile; by default all cores."
)
@quiet_option
def warmup(jobs: int | None) -> None:
    """Compile all kernels now, not when first needed.

    Small boards need no compiler at all: kernels run as plain Python until compiling pays. This command
    compiles them ahead of time, for long experiments. It prints how many kernels each engine and agent has,
    and where the compiled code is kept.

    \b
    Examples:
      gemhunter warmup
      NUMBA_CACHE_DIR=~/scratch/gemhunter gemhunter warmup
    """
    if not may_compile():
        note("nothing is compiled: the environment asks for plain Python")
        return
    if not is_installed():
        note(f"nothing is compiled: {numba_missing()}")
        return
    warmed: list[Warmed] = []
    for each in warm_up(jobs or cores()):
        warmed.append(each)
        said = f"{each.compiled} compiled" if each.compiled else "nothing to compile"
        click.echo(f"{each.name}: {said}, {seconds_text(each.seconds)}")
    total = sum(each.compiled for each in warmed)
    seconds = sum(each.seconds for each in warmed)
    click.echo(f"{counted(total, 'kernel')} in {seconds_text(seconds)} of processor time")
    note(_where_kept())


def _where_kept() -> str:
    """Where compiled kernels are kept, or why they could not be."""
    folder = cache_folder(play_seeds)
    if folder is not None and is_cached(play_seeds):
        return f"kept in {folder.parent}"
    return (
        "could not be kept: no folder for it can be written, so each process compiles again; "
        "set NUMBA_CACHE_DIR to one that can"
    )
