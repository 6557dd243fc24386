"""`gemhunter explain`: why cells are traps or gems, in steps that a person can follow.

First the command; then an explanation as text, from top to bottom.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import click

from gemhunter.board.grid import HIDDEN, TRAP, Cell
from gemhunter.cli.declare import command, flag, number
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.options import (
    BOARD_ARGUMENT,
    TRAPS_OPTION,
    ZERO_OPTION,
    cell_option,
    read_board,
    seconds_option,
)
from gemhunter.cli.output import (
    SHOWN_CELLS,
    Outputs,
    board_heading,
    ending_of,
    format_option,
    json_document,
    output_option,
    write_output,
)
from gemhunter.cli.progress import ask_with_progress
from gemhunter.cli.step_lines import (
    NAMES_SHOWN,
    Part,
    difference_parts,
    map_of,
    step_lines,
    surroundings,
    wrapped,
)
from gemhunter.draw.text_maps import StyledLine
from gemhunter.errors import InputError
from gemhunter.explanation.explain import explain as explain_board
from gemhunter.explanation.explain import explain_cell, explain_opposite
from gemhunter.explanation.explanations import CellExplanation, ExplainedConflict, Explanation
from gemhunter.explanation.steps import Difficulty, ExplanationStep
from gemhunter.files.dialects import Zero
from gemhunter.records.boards import cell_explanation_record, explanation_record
from gemhunter.wording import counted, listed


@command()
def explain(
    board: str = BOARD_ARGUMENT,
    *,
    cell: Cell | None = cell_option(
        "--cell", "Explain only this cell, such as r3c4, with only the steps that it needs."
    ),
    opposite: bool = flag("--not", "With --cell: show what goes wrong if the cell has the other value."),
    total: int | None = TRAPS_OPTION,
    form: str = format_option("text", "json"),
    outputs: Outputs = output_option(
        "txt json",
        "the steps",
        html="a page that plays them in any browser",
        gif="an animation",
        svg="a picture of the hardest step",
    ),
    step: int | None = number("--step", "The step that -o FILE.svg draws.", rare=True),
    time_limit: float | None = seconds_option(
        "Give up after this many seconds; the steps so far are printed.", rare=True
    ),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Explain step by step why cells are traps or gems.

    \b
    Examples:
      gemhunter explain board.txt
      gemhunter explain board.txt -o steps.html
      gemhunter explain board.txt --cell r3c4
      gemhunter explain board.txt --cell r3c4 --not
      gemhunter explain position.txt --traps 99 -o steps.json -o steps.gif

    Each step uses the easiest rule that applies, and names the clues that it rests on. At the end, every cell
    that is the same in all solutions is decided; if others are left, two solutions show that they can be
    either. If the board has no solution, the steps lead from a smallest set of conflicting clues to one that
    cannot hold. A picture shows the hardest step or, with --cell, the last one.

    Returns 0 if everything is explained, 1 if the board has no solution, 2 for bad input, 3 if the time limit
    was reached first.
    """
    if opposite and cell is None:
        raise click.UsageError("--not is about one cell; name it with --cell, as in --cell r3c4 --not")
    if step is not None and not outputs.ending("svg"):
        raise click.UsageError("--step is the number of the step to draw; add -o FILE.svg")
    position = read_board(board, zero, total)
    grid, total = position.grid, position.total
    found: Explanation | CellExplanation
    if cell is None:
        found = ask_with_progress(board, time_limit, lambda run: explain_board(grid, total=total, run=run))
    else:
        if cell.row >= grid.rows or cell.col >= grid.cols:
            size = f"{counted(grid.rows, 'row')} and {counted(grid.cols, 'column')}"
            raise InputError(f"{cell} is not on the board, which has {size}")
        ask = partial(explain_opposite if opposite else explain_cell, grid, cell, total=total)
        found = ask_with_progress(f"{board} {cell}", time_limit, lambda run: ask(run=run))
    if step is not None and step > len(found.steps):
        raise InputError(f"there is no step {step}: the explanation has {counted(len(found.steps), 'step')}")

    def as_json() -> str:
        if isinstance(found, Explanation):
            return json_document(explanation_record(board, found))
        return json_document(cell_explanation_record(board, found))

    outputs.give_lines(form, as_json, partial(lines, board, found), "the explanation")
    if pictures := outputs.ending("html", "svg", "gif"):
        # This is slow to import, and few need it.
        from gemhunter.explanation.pictures import explanation_gif, explanation_html, explanation_svg

        for path in pictures:
            match ending_of(path):
                case "html":
                    write_output(path, explanation_html(found, board), "a page that plays the steps")
                case "gif":
                    write_output(path, explanation_gif(found), counted(len(found.steps), "step"))
                case _:
                    write_output(path, explanation_svg(found, board, step), "a step")
    return exit_code(found)


def exit_code(found: Explanation | CellExplanation) -> int:
    """The exit code: a board without a solution comes before a limit that was reached.

    A cell that is decided may come with a conflict: the one that its other value leads to.
    """
    is_decided = isinstance(found, CellExplanation) and found.value != HIDDEN
    if found.conflict is not None:
        if not is_decided:
            return NO_SOLUTION
        return SOLVED if found.gave_up is None and found.conflict.is_followed else GAVE_UP
    is_open = bool(found.open) if isinstance(found, Explanation) else not is_decided
    lacks_examples = is_open and len(found.examples) < 2
    return SOLVED if found.gave_up is None and not lacks_examples else GAVE_UP


def lines(
    board: str, found: Explanation | CellExplanation, columns: int | None = None
) -> Iterator[StyledLine]:
    """An explanation in lines of `columns` characters; None is any width."""
    if isinstance(found, Explanation):
        return wrapped(_board_parts(board, found, columns), columns)
    return wrapped(_cell_parts(board, found, columns), columns)


def _board_parts(board: str, found: Explanation, columns: int | None) -> Iterator[Part]:
    heading = board_heading(board, found.grid)
    is_shown = max(found.grid.cells.shape) <= SHOWN_CELLS
    if is_shown:
        yield heading
        yield from map_of(found.grid, None, columns)
    else:
        yield f"{heading}, not shown: more than {SHOWN_CELLS} rows or columns"
    yield []
    if found.conflict is not None:
        yield from _conflict_parts(found.conflict, found.total, found.steps, columns)
        return
    yield from step_lines(found.steps, columns)
    if found.gave_up is not None:
        yield f"Gave up: {found.gave_up.reason}. More cells may be forced."
    if found.open:
        yield _open_words(found.open, is_certain=found.gave_up is None)
        if found.gave_up is None:
            yield from difference_parts(found.examples, None, columns)
        yield []
    elif not found.steps:
        yield "No cell is hidden, and every clue holds."
    else:
        yield f"Every cell is decided{':' if is_shown else '.'}"
        if is_shown:
            yield from map_of(found.filled, None, columns)
        yield []
    yield from _difficulty_words(found.difficulty)


def _cell_parts(board: str, found: CellExplanation, columns: int | None) -> Iterator[Part]:
    """The explanation of one cell, with the part of the board that it refers to."""
    shown = {found.cell, *(cell for step in found.steps for cell in (*step.clues, *step.decides))}
    area = surroundings(found.grid, found.cell, shown, columns)
    yield board_heading(board, found.grid)
    yield from map_of(found.grid, area, columns)
    yield []
    if found.value != HIDDEN:
        is_trap = found.value == TRAP
        verdict = f"{found.cell} is {'a trap' if is_trap else 'a gem'}."
        if found.conflict is None:
            yield from step_lines(found.steps, columns)
            yield verdict
            return
        # Its other value was supposed, and the steps lead to a clue that cannot hold.
        yield f"Suppose that {found.cell} is {'a gem' if is_trap else 'a trap'}."
        yield []
        yield from step_lines(found.steps, columns)
        yield _end_of(found.conflict)
        yield f"So {verdict}" if found.conflict.is_followed else verdict
    elif found.conflict is not None:
        yield from _conflict_parts(found.conflict, found.total, found.steps, columns)
    elif found.gave_up is not None:
        yield f"Gave up: {found.gave_up.reason}. More cells may be forced."
    else:
        yield f"{found.cell} is not forced: it can be a trap or a gem."
        yield from difference_parts(found.examples, area, columns)


def _conflict_parts(
    conflict: ExplainedConflict, total: int | None, steps: Sequence[ExplanationStep], columns: int | None
) -> Iterator[Part]:
    """The clues that conflict, and the steps to one that cannot hold."""
    names = [*map(str, conflict.clues), *([f"the total of {total}"] * conflict.with_total)]
    if len(names) == 1:
        what = f"the clue at {names[0]}" if conflict.clues else names[0]
        yield f"No solution: {what} cannot hold on its own."
    else:
        clues = "the clue at" if len(conflict.clues) == 1 else "the clues at"
        both = "both" if len(names) == 2 else "all"
        least = " If any one of them is left out, the rest can hold." if conflict.is_minimal else ""
        least += "" if conflict.is_smallest else " There may be a smaller set."
        yield f"No solution: {clues} {listed(names)} cannot {both} hold.{least}"
    yield []
    yield from step_lines(steps, columns)
    yield _end_of(conflict)


def _end_of(conflict: ExplainedConflict) -> str:
    """The conclusion of the steps of a conflict."""
    if conflict.is_followed:
        return conflict.sentence
    return "Gave up: the time limit was reached before the steps led to a clue that cannot hold."


def _open_words(cells: Sequence[Cell], *, is_certain: bool) -> str:
    count, are = counted(len(cells), "cell"), "is" if len(cells) == 1 else "are"
    more = f" … (--format json has all {len(cells):,})" if len(cells) > NAMES_SHOWN else ""
    either = "it can be either" if len(cells) == 1 else "each can be either"
    what = f"not forced; {either}" if is_certain else "not explained"
    return f"{count} {are} {what}: {' '.join(map(str, cells[:NAMES_SHOWN]))}{more}"


def _difficulty_words(difficulty: Difficulty) -> Iterator[str]:
    if difficulty.rule is None:
        yield f"Difficulty: {difficulty.word}."
        return
    hardest = f"hardest rule: {difficulty.rule} (level {difficulty.level})"
    yield f"Difficulty: {difficulty.word}; {hardest}; score: {difficulty.score:,}."
    choices = counted(difficulty.narrowest, "deduction")
    there = f"{choices} {'is' if difficulty.narrowest == 1 else 'are'} available"
    yield f"No step uses more than {counted(difficulty.most_clues, 'clue')}; at the narrowest point, {there}."
