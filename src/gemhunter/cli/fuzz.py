"""`gemhunter fuzz`: random boards and formulas for all engines, looking for wrong answers."""

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gemhunter.cli.exit_codes import NO_SOLUTION, SOLVED
from gemhunter.cli.options import complete_engine
from gemhunter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gemhunter.fuzzing.campaign import Tally
    from gemhunter.fuzzing.cases import Case
    from gemhunter.solving.protocols import Engine

DEFAULT_CASES = 1000
AT_HAND = "at-hand"
"""The file of the case that engines are being asked about: it is left if one takes the program down."""


@click.command()
@click.option(
    "-e",
    "--engine",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_engine,
    help="Engine to ask; may be given several times. Without it, all that are quick to start.",
)
@click.option("--boards", type=click.IntRange(min=1), metavar="N", help="Stop after N cases [default: 1000].")
@click.option("--seconds", type=click.FloatRange(min=0), metavar="S", help="Stop after S seconds instead.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the cases.")
@click.option("--formulas", is_flag=True, help="Random clauses, for engines that read them.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep findings.",
)
@click.option(
    "--replay", multiple=True, metavar="FILE", help="Ask about the case in FILE, or a folder of them."
)
def fuzz(
    engine: tuple[str, ...],
    *,
    boards: int | None,
    seconds: float | None,
    seed: int,
    formulas: bool,
    output: Path | None,
    replay: tuple[str, ...],
) -> int:
    """Ask all engines about random boards: is anybody wrong?

    Answers are held against each other, against trying everything where that is possible, solutions against
    the checker, and refutations against the proof checker. What fails is made as small as possible, printed,
    and kept in FOLDER. The same seed gives the same cases.

    Returns 0 if nothing was found and 1 if something was.

    \b
    Examples:
      gemhunter fuzz
      gemhunter fuzz --engine backtracking --engine pysat:minicard --seconds 60 --seed 7
      gemhunter fuzz --formulas --boards 5000 -o findings/
      gemhunter fuzz --replay findings/
    """
    from gemhunter.fuzzing.campaign import Tally

    engines = _engines(engine, formulas=formulas)
    if replay:
        return _replay(replay, engines)
    if boards is None and seconds is None:
        boards = DEFAULT_CASES
    tally = Tally()
    try:
        _search(engines, tally, boards=boards, seconds=seconds, seed=seed, formulas=formulas, output=output)
    finally:
        what = "formulas" if formulas else "boards"
        click.echo(f"{tally.cases} {what}, {len(engines)} engines, seed {seed}: {len(tally.findings)} found")
    return NO_SOLUTION if tally.findings else SOLVED


def _engines(names: tuple[str, ...], *, formulas: bool) -> "Sequence[Engine]":
    """The engines to ask, all of them readers of clauses if there are formulas to read."""
    from gemhunter.fuzzing.campaign import default_engines, readers_of_clauses
    from gemhunter.solving.registry import get_engine

    engines = [get_engine(name) for name in names or default_engines()]
    if formulas:
        engines = readers_of_clauses(engines)
    if not engines:
        raise InputError("none of these engines reads clauses; leave out --formulas, or name others")
    return engines


def _search(
    engines: "Sequence[Engine]",
    tally: "Tally",
    *,
    boards: int | None,
    seconds: float | None,
    seed: int,
    formulas: bool,
    output: Path | None,
) -> None:
    """Go on until it is enough; findings are printed, and written, as they come."""
    from gemhunter.cli.screen import Progress
    from gemhunter.formats.files import write_atomically
    from gemhunter.fuzzing.campaign import fuzz as campaign

    progress = Progress(1, unit="cases")
    progress.begin(f"fuzzing {len(engines)} engines,")
    began, shown = time.monotonic(), 0
    for now in campaign(engines, tally, seed=seed, formulas=formulas, before=partial(_put_at_hand, output)):
        progress.tick(time.monotonic() - began, now.cases)
        for finding in now.findings[shown:]:
            progress.clear()
            click.echo(finding.text())
            if output is not None:
                kind = "formula" if formulas else "board"
                name = f"{kind}-{seed}-{finding.number}-{shown}{finding.case.suffix}"
                write_atomically(output / name, finding.text())
            shown += 1
        if now.cases == boards or (seconds is not None and time.monotonic() - began >= seconds):
            break
    progress.clear()
    if output is not None:
        (output / AT_HAND).unlink(missing_ok=True)


def _put_at_hand(folder: Path | None, case: "Case") -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / AT_HAND).write_text(case.text(), encoding="utf-8", newline="\n")


def _replay(sources: "Sequence[str]", engines: "Sequence[Engine]") -> int:
    from gemhunter.formats.files import read_text
    from gemhunter.fuzzing.cases import read_case
    from gemhunter.fuzzing.judging import judge

    files = [file for source in sources for file in _files(Path(source))]
    wrong = 0
    for file in files:
        complaints = judge(read_case(read_text(str(file)), str(file)), engines)
        wrong += bool(complaints)
        for complaint in complaints:
            click.echo(f"{file}: {complaint}")
    click.echo(f"{len(files)} cases, {len(engines)} engines: {wrong} found")
    return NO_SOLUTION if wrong else SOLVED


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    return sorted(path for path in source.iterdir() if path.suffix in (".txt", ".cnf"))
