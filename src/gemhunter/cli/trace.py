"""`gemhunter trace`: a search, step by step."""

import json
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.formula_arguments import refuse_options_about_boards
from gemhunter.cli.options import OutputFile, engine_option, traps_option, zero_option
from gemhunter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gemhunter.queries.event_words import Names
    from gemhunter.queries.trace import Step

FORMULA_TRACE_OPTIONS = ("engine", "seed", "max_events", "form", "conflict", "dot", "svg")
"""Options that do not speak of boards."""


@click.command()
@click.argument("board")
@engine_option("Engine to watch: backtracking, dpll, cdcl or resolution.", default="cdcl")
@traps_option
@zero_option
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of engines that use chance.")
@click.option(
    "--max-events",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Stop after so many events.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl"]),
    default="text",
    show_default=True,
    help="Sentences for people, one JSON document, or a JSON object per line.",
)
@click.option(
    "--conflict",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Which conflict of cdcl to draw.",
)
@click.option(
    "--dot",
    type=OutputFile(),
    metavar="FILE",
    help="Write its graph for Graphviz.",
)
@click.option(
    "--svg",
    type=OutputFile(),
    metavar="FILE",
    help="Write its graph as a picture.",
)
def trace(board: str, *, engine: str, seed: int, **how: Any) -> None:
    """Tell what an engine does about a board, step by step.

    `r2c3=T` says that the cell in row 2, column 3 is a trap, `r2c3=G` that it is a gem. BOARD can be a
    formula in DIMACS; then `x7` says that variable 7 is true, `-x7` that it is false. With --dot or --svg
    the implication graph of a conflict of `cdcl` is drawn, with the cut that gives the learned clause: what
    lies beyond it follows from the turning point and what was there before.

    \b
    Examples:
      gemhunter trace board.txt --engine dpll
      gemhunter trace board.txt --engine resolution --max-events 50
      gemhunter trace board.txt --engine cdcl --conflict 2 --svg conflict.svg
      gemhunter trace formula.cnf --engine dpll
    """
    if (how["dot"] or how["svg"]) and engine.partition(":")[0] != "cdcl":
        raise InputError(f"only conflicts of cdcl can be drawn, not of {engine}")
    kind, names, steps = _begin(board, engine, seed, traps=how["traps"], zero=how["zero"])
    drawing = _Drawing(how["conflict"], how["dot"], how["svg"], names)
    said = _Said(how["form"], {kind: board, "engine": engine})
    for step in islice(steps, how["max_events"]):
        said.add(step)
        drawing.look_at(step)
    more = next(steps, None)
    said.finish(more=more is not None)
    for step in chain([more] if more else [], steps):
        if drawing.is_done:
            break
        drawing.look_at(step)
    drawing.finish()


def _begin(
    board: str, engine: str, seed: int, *, traps: int | None, zero: Any
) -> "tuple[str, Names, Iterator[Step]]":
    """What is traced, a board or a formula, the names it uses, and the steps."""
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.cnf.formula_files import is_formula, read_formula
    from gemhunter.queries import trace as tracing
    from gemhunter.queries.event_words import VariableNames
    from gemhunter.solving.run import Run

    if is_formula(board):
        refuse_options_about_boards(board, *FORMULA_TRACE_OPTIONS)
        steps = tracing.trace_formula(read_formula(board), engine, run=Run(seed=seed))
        return "formula", VariableNames(), steps
    grid = read_and_warn(board, zero)
    steps = tracing.trace(grid, engine, traps=traps, run=Run(seed=seed))
    return "board", tracing.names_of(grid, traps), steps


class _Said:
    """What has been told so far; a JSON document is printed in the end."""

    def __init__(self, form: str, document: dict[str, Any]) -> None:
        """`document` is what a JSON document begins with."""
        self._form, self._document = form, document
        self._records: list[dict[str, Any]] = []
        self._count = 0

    def add(self, step: "Step") -> None:
        """Tell one step."""
        self._count += 1
        if self._form == "json":
            self._records.append(step.record)
        elif self._form == "jsonl":
            click.echo(json.dumps(step.record, ensure_ascii=False))
        else:
            click.echo(f"{self._count:5}  {step.sentence}")

    def finish(self, *, more: bool) -> None:
        """Say whether there would have been more."""
        if self._form == "json":
            document = {**self._document, "complete": not more, "events": self._records}
            click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        if more:
            click.echo(f"stopped after {self._count} events; --max-events tells more", err=True)


class _Drawing:
    """The graph of one conflict, written when it comes by."""

    def __init__(self, number: int, dot: Path | None, svg: Path | None, names: "Names") -> None:
        self._left, self._number, self._dot, self._svg, self._names = number, number, dot, svg, names

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to draw."""
        return self._left <= 0 or not (self._dot or self._svg)

    def look_at(self, step: "Step") -> None:
        """Draw the conflict if this is the one."""
        from gemhunter.formats.files import write_atomically
        from gemhunter.render.graph import draw_graph, write_dot
        from gemhunter.solving.events import Learned

        if not isinstance(step.event, Learned):
            return
        self._left -= 1
        if self._left != 0:
            return
        graph = self._names.graph(step.event)
        for file, text in ((self._dot, write_dot), (self._svg, draw_graph)):
            if file is not None:
                write_atomically(file, text(graph))
                click.echo(f"{file}: conflict {self._number}", err=True)

    def finish(self) -> None:
        """Complain if the conflict to be drawn did not come by."""
        if not self.is_done:
            found = self._number - self._left
            raise InputError(f"there is no conflict {self._number} to draw: {found} clauses were learned")
