"""All solutions of a board, printed as they are found."""

import json
from pathlib import Path
from typing import Literal

import click

from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.screen import Progress, coloured, has_colours
from gemhunter.core.grid import Grid
from gemhunter.formats.files import write_atomically
from gemhunter.formats.json_boards import grid_rows
from gemhunter.queries.solutions import Solutions, solutions_in
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run

Form = Literal["text", "json", "jsonl"]


def print_all(
    board: str,
    grid: Grid,
    form: Form,
    output: Path | None,
    *,
    limits: Limits,
    traps: int | None,
    limit: int | None,
) -> int:
    """Print every solution, whatever ends the search; returns the exit code.

    What is printed also goes to the file `output`, at the end.
    """
    progress = Progress(1)
    progress.begin(board)
    run = Run(limits, cancel=is_pending, progress=progress.tick)
    walk = solutions_in(run, grid, traps=traps, limit=limit)
    printed = _Printed(form, keeps=output is not None)
    try:
        for filled in walk:
            progress.clear()
            printed.add(board, walk.found, filled)
        stop_if_pending()
    finally:
        progress.clear()
        printed.finish()
        if output is not None:
            write_atomically(output, printed.text())
    return _say_ending(walk, form)


class _Printed:
    """What has been printed so far, kept if it has to be written to a file as well."""

    def __init__(self, form: Form, *, keeps: bool) -> None:
        self._form, self._keeps = form, keeps
        self._kept: list[str] = []
        self._any = False

    def add(self, board: str, number: int, filled: Grid) -> None:
        """Print one solution."""
        if self._form == "text":
            heading = f"solution {number}\n"
            shown = coloured(filled) if has_colours() else str(filled)
            self._print(f"{heading}{shown}\n\n", f"{heading}{filled}\n\n")
        else:
            record = json.dumps(
                {"board": board, "solution": number, "grid": grid_rows(filled)}, ensure_ascii=False
            )
            between = "" if self._form == "jsonl" else ",\n" if self._any else "[\n"
            self._print(f"{between}{record}" + "\n" * (self._form == "jsonl"))
        self._any = True

    def finish(self) -> None:
        """End the document."""
        if self._form == "json":
            self._print("\n]\n" if self._any else "[]\n")

    def text(self) -> str:
        """Everything, without colours."""
        return "".join(self._kept)

    def _print(self, shown: str, plain: str | None = None) -> None:
        click.echo(shown, nl=False)
        if self._keeps:
            self._kept.append(shown if plain is None else plain)


def _say_ending(walk: Solutions, form: Form) -> int:
    """Say why there are no more; whoever reads solutions is not to read this between them."""
    amount = f"{walk.found:,} solution" + "s" * (walk.found != 1)
    match walk.ending:
        case Refuted(reason):
            click.echo(f"no solution: {reason}", err=form != "text")
            return NO_SOLUTION
        case GaveUp() as gave_up:
            click.echo(f"{amount}, then gave up: {gave_up.reason}", err=True)
            return GAVE_UP
        case ending:
            click.echo(f"{amount}: {ending}", err=True)
            return SOLVED
