"""`gemhunter trace`: a search, step by step."""

from itertools import chain, islice

import click

from gemhunter.cli.declare import command, number
from gemhunter.cli.exit_codes import note
from gemhunter.cli.options import (
    BOARD_ARGUMENT,
    ENGINE_SEED_OPTION,
    TRAPS_OPTION,
    ZERO_OPTION,
    engine_option,
    read_board,
    refuse_options_about_boards,
)
from gemhunter.cli.output import (
    Outputs,
    ending_of,
    format_option,
    json_document,
    output_option,
    shown_board,
    write_output,
)
from gemhunter.cnf.dimacs import is_formula, read_formula
from gemhunter.draw.graphs import draw_graph, write_dot
from gemhunter.errors import InputError
from gemhunter.files.dialects import Zero
from gemhunter.printable import json_text
from gemhunter.questions import trace as tracing
from gemhunter.questions.trace import CellNames, Names, Step, VariableNames
from gemhunter.records.boards import trace_record
from gemhunter.solving.events import Learned
from gemhunter.solving.run import Run
from gemhunter.wording import counted


@command()
def trace(
    board: str = BOARD_ARGUMENT,
    *,
    engines: tuple[str, ...] = engine_option(
        f"Engine to watch: {', '.join(tracing.TRACEABLE[:-1])} or {tracing.TRACEABLE[-1]}; or a file "
        "such as ./mine.py whose solver yields its steps.",
        default="cdcl",
        multiple=True,
    ),
    max_events: int = number("--limit", "Stop after N events.", default=1000),
    form: str = format_option(
        *("text", "json", "jsonl"), what="Sentences for people, one JSON document, or a JSON object per line."
    ),
    outputs: Outputs = output_option(
        "txt json jsonl",
        "the events",
        html="a page that plays them in any browser",
        gif="an animation",
        svg="the graph of a conflict of cdcl",
        dot="that graph for Graphviz",
    ),
    conflict: int = number("--conflict", "Which conflict of cdcl to draw.", rare=True, default=1),
    total: int | None = TRAPS_OPTION,
    seed: int = ENGINE_SEED_OPTION,
    zero: Zero = ZERO_OPTION,
) -> None:
    """Show what an engine does on a board, step by step.

    \b
    Examples:
      gemhunter trace board.txt --engine dpll
      gemhunter trace board.txt --engine dpll -o search.html -o search.gif
      gemhunter trace board.txt --engine cdcl --conflict 2 -o conflict.svg
      gemhunter trace board.txt --engine cdcl:learn=last-uip -o conflict.svg
      gemhunter trace board.txt --engine resolution --limit 50
      gemhunter trace formula.cnf --engine dpll -o steps.txt

    `r2c3=T` means that the cell in row 2, column 3 is a trap, `r2c3=G` that it is a gem. The clue that a
    clause comes from follows it in brackets; a clause without one was derived. BOARD can be a formula in
    DIMACS; then `x7` means that variable 7 is true, `-x7` that it is false.

    A page and an animation play the events on the board: dark cells were decided, pale ones were implied, and
    the small number is the decision level. The graph of a conflict shows its implications with the cut that
    gives the learned clause: the literals beyond it follow from the first UIP and earlier levels.
    `cdcl:learn=last-uip` and `cdcl:learn=decisions` cut earlier.
    """
    if len(engines) > 1:
        raise click.UsageError(f"one engine is watched at a time; leave out {engines[1]}")
    (engine,) = engines
    graphs, films = outputs.ending("svg", "dot"), outputs.ending("html", "gif")
    if graphs and engine.partition(":")[0] != "cdcl":
        raise InputError(f"only conflicts of cdcl can be drawn, not of {engine}")
    names: Names
    grid = None
    run = Run(seed=seed)
    if is_formula(board):
        refuse_options_about_boards(board, "engines", "seed", "max_events", "form", "conflict", "outputs")
        if films:
            raise click.UsageError(f"{films[0].name} would play a board, but {board} is a formula")
        names, events = VariableNames(), tracing.trace_formula(read_formula(board), engine, run=run)
    else:
        position = read_board(board, zero, total)
        grid, total = position.grid, position.total
        events = tracing.trace(grid, engine, total=total, run=run)
        names = tracing.names_of(grid, total, engine)

    # Sentences and lines of JSON are printed during the search.
    is_live = outputs.is_printed and form != "json"
    steps: list[Step] = []
    if is_live and form == "text" and grid is not None:
        click.echo(f"{shown_board(board, grid)}\n")
    for step in islice(events, max_events):
        steps.append(step)
        if is_live:
            click.echo(_line(form, len(steps), step))
    more = next(events, None)

    def document(form: str) -> str:
        if form == "json":
            record = trace_record(board, grid, steps, engine=engine, seed=seed, complete=more is None)
            return json_document(record)
        above = f"{shown_board(board, grid, in_file=True)}\n\n" if form == "text" and grid is not None else ""
        return above + "".join(f"{_line(form, number, step)}\n" for number, step in enumerate(steps, 1))

    size = counted(len(steps), "event")
    outputs.give(form, lambda form: "" if is_live else document(form), size, document)
    if more is not None:
        note(f"stopped after {size}; --limit shows more")
    if films and isinstance(names, CellNames):
        # This is slow to import, and few need it.
        from gemhunter.questions.trace_pictures import TracedSearch, search_gif, search_html

        search = TracedSearch(f"{engine} on {board}", names, steps, is_complete=more is None)
        for path in films:
            picture, shown = (search_html if ending_of(path) == "html" else search_gif)(search)
            rest = "" if shown == len(steps) else f"the first {shown:,} of "
            write_output(path, picture, f"{rest}{size}")
    if graphs:
        # The conflict to draw may be later than the events that were printed.
        every = chain(steps, [more] if more else [], events)
        learned = list(islice((each.event for each in every if isinstance(each.event, Learned)), conflict))
        if len(learned) < conflict:
            raise InputError(f"no conflict {conflict} to draw: {counted(len(learned), 'clause')} learned")
        graph = names.graph(learned[-1])
        for path in graphs:
            text = write_dot(graph) if ending_of(path) == "dot" else draw_graph(graph)
            write_output(path, text, f"conflict {conflict}")


def _line(form: str, number: int, step: Step) -> str:
    return json_text(step.record) if form == "jsonl" else f"{number:5}  {step.sentence}"
