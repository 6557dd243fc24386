"""`gemhunter trace`: a search, step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import click

from gemhunter.board.grid import Grid
from gemhunter.cli.board_arguments import BoardReading, refuse_options_about_boards, shown_board
from gemhunter.cli.notes import note, quiet_option, write_output
from gemhunter.cli.options import (
    AT_LEAST_ONE,
    SEED,
    OutputFile,
    complete_board,
    engine_option,
    options_as,
    output_option,
    traps_option,
    zero_option,
)
from gemhunter.cnf.dimacs import is_formula, read_formula
from gemhunter.draw.graphs import draw_graph, write_dot
from gemhunter.errors import InputError
from gemhunter.files.dialects import Zero
from gemhunter.printable import counted, json_text
from gemhunter.questions import trace as tracing
from gemhunter.questions.trace import CellNames, Names, Step, VariableNames
from gemhunter.records.boards import trace_record
from gemhunter.solving.events import Learned
from gemhunter.solving.run import Run

FORMULA_TRACE_OPTIONS = ("engine", "seed", "max_events", "form", "conflict", "dot", "svg", "output", "quiet")
"""Options that are not about boards."""


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """The options of `gemhunter trace`."""

    engine: str
    total: int | None
    zero: Zero
    seed: int
    max_events: int
    form: str
    conflict: int
    dot: Path | None
    svg: Path | None
    html: Path | None
    gif: Path | None
    output: Path | None


@click.command()
@click.argument("board", shell_complete=complete_board)
@engine_option(
    f"Engine to watch: {', '.join(tracing.TRACEABLE[:-1])} or {tracing.TRACEABLE[-1]}; or a file such as "
    "./mine.py whose solver yields its steps.",
    default="cdcl",
)
@traps_option
@zero_option
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of randomised engines.")
@click.option(
    "--max-events",
    type=AT_LEAST_ONE,
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
    type=AT_LEAST_ONE,
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
@click.option(
    "--html",
    type=OutputFile(),
    metavar="FILE",
    help="Write a page that plays the search on the board, for any browser; it needs no network.",
)
@click.option("--gif", type=OutputFile(), metavar="FILE", help="Write the search as an animation.")
@output_option("what would be printed")
@quiet_option
@options_as(TraceOptions)
def trace(board: str, options: TraceOptions) -> None:
    """Show what an engine does about a board, step by step.

    `r2c3=T` means that the cell in row 2, column 3 is a trap, `r2c3=G` that it is a gem. The clue a clause
    comes from follows it in brackets; a clause without one was derived. BOARD can be a formula in DIMACS;
    then `x7` means that variable 7 is true, `-x7` that it is false. --dot and --svg draw the implication
    graph of a conflict of `cdcl` with the cut that gives the learned clause: the literals beyond it follow
    from the first UIP and earlier levels. `cdcl:learn=last-uip` and `cdcl:learn=decisions` cut earlier.
    --html and --gif play the events on the board: dark cells were decided, pale ones follow, and the small
    number is the decision level.

    \b
    Examples:
      gemhunter trace board.txt --engine dpll
      gemhunter trace board.txt --engine resolution --max-events 50
      gemhunter trace board.txt --engine dpll --html search.html --gif search.gif
      gemhunter trace board.txt --engine cdcl --conflict 2 --svg conflict.svg
      gemhunter trace board.txt --engine cdcl:learn=last-uip --svg conflict.svg
      gemhunter trace formula.cnf --engine dpll -o steps.txt
    """
    if (options.dot or options.svg) and options.engine.partition(":")[0] != "cdcl":
        raise InputError(f"only conflicts of cdcl can be drawn, not of {options.engine}")
    traced = _begin(board, options)
    steps = traced.steps
    drawing = _Drawing(options, traced.names)
    printed = _TracePrintout(board, traced.grid, options)
    for step in islice(steps, options.max_events):
        printed.add(step)
        drawing.look_at(step)
    more = next(steps, None)
    printed.finish(more=more is not None)
    if isinstance(traced.names, CellNames) and (options.html or options.gif):
        _write_pictures(board, traced.names, printed.steps, options, more=more is not None)
    for step in chain([more] if more else [], steps):
        if drawing.is_done:
            break
        drawing.look_at(step)
    drawing.finish()


@dataclass(frozen=True, slots=True)
class _Traced:
    """What is traced, a board or a formula: the names it uses, the steps, and the grid of a board."""

    names: Names
    steps: Iterator[Step]
    grid: Grid | None = None


def _begin(board: str, options: TraceOptions) -> _Traced:
    """Read what is to be traced, and begin."""
    run = Run(seed=options.seed)
    if is_formula(board):
        refuse_options_about_boards(board, *FORMULA_TRACE_OPTIONS)
        return _Traced(VariableNames(), tracing.trace_formula(read_formula(board), options.engine, run=run))
    position = BoardReading(options.zero, options.total).read_and_warn(board)
    steps = tracing.trace(position.grid, options.engine, total=position.total, run=run)
    return _Traced(tracing.names_of(position.grid, position.total, options.engine), steps, position.grid)


def _write_pictures(
    board: str, names: CellNames, steps: Sequence[Step], options: TraceOptions, *, more: bool
) -> None:
    # What draws is loaded only for those who want pictures.
    from gemhunter.questions.trace_pictures import TracedSearch, search_gif, search_html

    search = TracedSearch(f"{options.engine} on {board}", names, steps, is_complete=not more)
    for file, draw in ((options.html, search_html), (options.gif, search_gif)):
        if file is not None:
            picture, shown = draw(search)
            rest = "" if shown == len(steps) else f"the first {shown:,} of "
            write_output(file, picture, f"{rest}{counted(len(steps), 'event')}")


class _TracePrintout:
    """The steps on standard output, or kept for a file; a JSON document is made at the end."""

    def __init__(self, board: str, grid: Grid | None, options: TraceOptions) -> None:
        """Show the board above a text; a formula has no grid."""
        self._board, self._grid, self._options = board, grid, options
        self.steps: list[Step] = []
        self._kept: list[str] = []
        if options.form == "text" and grid is not None:
            self._print(f"{shown_board(board, grid, in_file=options.output is not None)}\n")

    def add(self, step: Step) -> None:
        """Print one step."""
        self.steps.append(step)
        if self._options.form == "jsonl":
            self._print(json_text(step.record))
        elif self._options.form == "text":
            self._print(f"{len(self.steps):5}  {step.sentence}")

    def finish(self, *, more: bool) -> None:
        """Print a JSON document, write the file, and say whether the search went on."""
        size, options = counted(len(self.steps), "event"), self._options
        if options.form == "json":
            engine, seed = options.engine, options.seed
            record = trace_record(
                self._board, self._grid, self.steps, engine=engine, seed=seed, complete=not more
            )
            self._print(json_text(record, indent=2))
        if options.output is not None:
            write_output(options.output, "".join(f"{line}\n" for line in self._kept), size)
        if more:
            note(f"stopped after {size}; --max-events shows more")

    def _print(self, line: str) -> None:
        if self._options.output is None:
            click.echo(line)
        else:
            self._kept.append(line)


class _Drawing:
    """The graph of one conflict, written when the search reaches it."""

    def __init__(self, options: TraceOptions, names: Names) -> None:
        self._left = self._number = options.conflict
        self._dot, self._svg, self._names = options.dot, options.svg, names

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to draw."""
        return self._left <= 0 or not (self._dot or self._svg)

    def look_at(self, step: Step) -> None:
        """Draw the conflict if this is the one."""
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
        """Raise `InputError` if the search never reached the conflict to draw."""
        if not self.is_done:
            found = self._number - self._left
            raise InputError(f"there is no conflict {self._number} to draw: {found} clauses were learned")
