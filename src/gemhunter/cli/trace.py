"""`gemhunter trace`: a search, step by step."""

from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.formula_arguments import refuse_options_about_boards
from gemhunter.cli.notes import note, quiet_option, write_output
from gemhunter.cli.option_types import AMOUNT, SEED, OutputFile
from gemhunter.cli.options import complete_board, engine_option, output_option, traps_option, zero_option
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.printable import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gemhunter.core.grid import Grid
    from gemhunter.queries.trace import Step
    from gemhunter.queries.trace_words import Names

FORMULA_TRACE_OPTIONS = ("engine", "seed", "max_events", "form", "conflict", "dot", "svg", "output", "quiet")
"""Options that do not speak of boards."""


@click.command()
@click.argument("board", shell_complete=complete_board)
@engine_option("Engine to watch: backtracking, dpll, cdcl or resolution.", default="cdcl")
@traps_option
@zero_option
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of engines that use chance.")
@click.option(
    "--max-events",
    type=AMOUNT,
    default=1000,
    show_default=True,
    metavar="N",
    help="Stop after N events.",
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
    type=AMOUNT,
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
@output_option("what would be printed")
@quiet_option
def trace(board: str, *, engine: str, seed: int, **how: Any) -> None:
    """Tell what an engine does about a board, step by step.

    `r2c3=T` says that the cell in row 2, column 3 is a trap, `r2c3=G` that it is a gem. The clue that says a
    clause stands behind it in brackets; a clause without one was derived. BOARD can be a formula in DIMACS;
    then `x7` says that variable 7 is true, `-x7` that it is false. With --dot or --svg the implication graph
    of a conflict of `cdcl` is drawn, with the cut that gives the learned clause: what lies beyond it follows
    from the turning point and what was there before.

    \b
    Examples:
      gemhunter trace board.txt --engine dpll
      gemhunter trace board.txt --engine resolution --max-events 50
      gemhunter trace board.txt --engine cdcl --conflict 2 --svg conflict.svg
      gemhunter trace formula.cnf --engine dpll -o steps.txt
    """
    from gemhunter.records.engines import asked_record

    if (how["dot"] or how["svg"]) and engine.partition(":")[0] != "cdcl":
        raise InputError(f"only conflicts of cdcl can be drawn, not of {engine}")
    traced = _begin(board, engine, seed, total=how["total"], zero=how["zero"])
    steps = traced.steps
    drawing = _Drawing(how["conflict"], how["dot"], how["svg"], traced.names)
    said = _Said(how["form"], how["output"], {**_what(board, traced.grid), **asked_record(engine, seed)})
    if traced.grid is not None:
        said.begin(board, traced.grid)
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


@dataclass(frozen=True, slots=True)
class _Traced:
    """What is traced, a board or a formula: the names it uses, the steps, and the grid of a board."""

    names: "Names"
    steps: "Iterator[Step]"
    grid: "Grid | None" = None


def _what(board: str, grid: "Grid | None") -> dict[str, Any]:
    """What a JSON document says is traced."""
    from gemhunter.formats.json_boards import grid_rows

    return {"formula": board} if grid is None else {"board": board, "grid": grid_rows(grid)}


def _begin(board: str, engine: str, seed: int, *, total: int | None, zero: Any) -> _Traced:
    """Read what is to be traced, and begin."""
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.cnf.formula_files import is_formula, read_formula
    from gemhunter.queries import trace as tracing
    from gemhunter.queries.trace_words import VariableNames
    from gemhunter.solving.run import Run

    if is_formula(board):
        refuse_options_about_boards(board, *FORMULA_TRACE_OPTIONS)
        steps = tracing.trace_formula(read_formula(board), engine, run=Run(seed=seed))
        return _Traced(VariableNames(), steps)
    position = read_and_warn(board, zero, total)
    steps = tracing.trace(position.grid, engine, total=position.total, run=Run(seed=seed))
    return _Traced(tracing.names_of(position.grid, position.total), steps, position.grid)


class _Said:
    """What has been said so far; a JSON document is printed at the end, and so is what goes to a file."""

    def __init__(self, form: str, output: Path | None, document: dict[str, Any]) -> None:
        """`document` is what a JSON document begins with."""
        self._form, self._output, self._document = form, output, document
        self._records: list[dict[str, Any]] = []
        self._kept: list[str] = []
        self._count = 0

    def begin(self, board: str, grid: "Grid") -> None:
        """Show the board above a text."""
        from gemhunter.cli.shown_board import shown_board

        if self._form == "text":
            self._say(f"{shown_board(board, grid, in_file=self._output is not None)}\n")

    def add(self, step: "Step") -> None:
        """Tell one step."""
        self._count += 1
        if self._form == "json":
            self._records.append(step.record)
        elif self._form == "jsonl":
            self._say(json_text(step.record))
        else:
            self._say(f"{self._count:5}  {step.sentence}")

    def finish(self, *, more: bool) -> None:
        """Write the file, and say whether there would have been more."""
        if self._form == "json":
            document = {**self._document, "complete": not more, "events": self._records}
            self._say(json_text(document, indent=2))
        if self._output is not None:
            write_output(
                self._output, "".join(f"{line}\n" for line in self._kept), counted(self._count, "event")
            )
        if more:
            note(f"stopped after {counted(self._count, 'event')}; --max-events shows more")

    def _say(self, line: str) -> None:
        if self._output is None:
            click.echo(line)
        else:
            self._kept.append(line)


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
                write_output(file, text(graph), f"conflict {self._number}")

    def finish(self) -> None:
        """Complain if the conflict to be drawn did not come by."""
        if not self.is_done:
            found = self._number - self._left
            raise InputError(f"there is no conflict {self._number} to draw: {found} clauses were learned")
