"""`gemhunter warmup`: compile all kernels now."""

import click

from gemhunter.cli.declare import command, number
from gemhunter.cli.exit_codes import note
from gemhunter.wording import counted


@command()
def warmup(workers: int | None = number("--workers", "Processes that compile [default: all cores].")) -> None:
    """Compile all kernels now, not when first needed.

    \b
    Examples:
      gemhunter warmup
      NUMBA_CACHE_DIR=~/scratch/gemhunter gemhunter warmup

    Small boards need no compiler: kernels run as plain Python until compiling pays off. This command compiles
    them ahead of time, for long experiments. It prints the number of kernels of each engine and agent, and
    where the compiled code is kept.
    """
    # Imported here, so that `--help` is fast.
    from gemhunter.cli.options import cores
    from gemhunter.jit.cache import cache_folder, is_cached
    from gemhunter.jit.choice import is_installed, may_compile, numba_missing
    from gemhunter.play.agents.compiled import play_seeds
    from gemhunter.play.warmup import warm_up
    from gemhunter.wording import seconds_text

    if not may_compile():
        note("nothing is compiled: the environment asks for plain Python")
        return
    if not is_installed():
        note(f"nothing is compiled: {numba_missing()}")
        return
    total, seconds = 0, 0.0
    for each in warm_up(workers or cores()):
        total += each.compiled
        seconds += each.seconds
        said = f"{each.compiled} compiled" if each.compiled else "nothing to compile"
        click.echo(f"{each.name}: {said}, {seconds_text(each.seconds)}")
    click.echo(f"{counted(total, 'kernel')} in {seconds_text(seconds)} of processor time")
    folder = cache_folder(play_seeds)
    if folder is not None and is_cached(play_seeds):
        note(f"kept in {folder.parent}")
    else:
        why = "no folder for compiled code is writable, so every process compiles again"
        note(f"not kept: {why}; set NUMBA_CACHE_DIR to a writable folder")
