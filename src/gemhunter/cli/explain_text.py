"""Explanations as text: the board, the steps, what is open or in conflict, and how hard the board is."""

from collections.abc import Iterator, Sequence

from gemhunter.cli.board_text import LARGEST_SHOWN, board_heading
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.explain_maps import differing_lines, map_of, surroundings
from gemhunter.cli.step_text import paragraph, step_lines
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.core.plurals import counted, listed
from gemhunter.deduce.difficulty import Difficulty
from gemhunter.queries.explain import Explanation
from gemhunter.queries.explain_cell import CellExplanation
from gemhunter.queries.explain_conflict import ExplainedConflict
from gemhunter.render.text_maps import StyledLine
from gemhunter.solving.outcomes import GaveUp

OPEN_CELLS_LISTED = 20
"""Open cells that are listed by name; programs get them all."""

VALUE_WORDS = {TRAP: "a trap", GEM: "a gem"}
OPPOSITES = {TRAP: GEM, GEM: TRAP}


def exit_code(found: Explanation | CellExplanation) -> int:
    """The exit code: a board without a solution comes before a limit that was reached.

    A cell that is decided may come with a conflict: the one that its other value leads to.
    """
    is_decided = isinstance(found, CellExplanation) and found.value != HIDDEN
    if found.conflict is not None and not is_decided:
        return NO_SOLUTION
    is_whole = found.gave_up is None and not _lacks_examples(found)
    is_followed = found.conflict is None or found.conflict.is_followed
    return SOLVED if is_whole and is_followed else GAVE_UP


def explanation_lines(board: str, found: Explanation, columns: int | None) -> Iterator[StyledLine]:
    """The explanation of a board, for lines of `columns` characters; None is any width."""
    yield from _heading(board, found.grid, columns)
    yield []
    if found.conflict is not None:
        yield from _conflict(found.conflict, found.total, columns)
        yield from step_lines(found.steps, columns)
        yield from paragraph(_end_of(found.conflict), columns)
        return
    yield from step_lines(found.steps, columns)
    if found.gave_up is not None:
        yield from _gave_up(found.gave_up, columns)
    if found.open:
        yield from _open_cells(found, columns)
    else:
        yield from _filled(found, columns)
    for text in _difficulty_words(found.difficulty):
        yield from paragraph(text, columns)


def cell_explanation_lines(board: str, found: CellExplanation, columns: int | None) -> Iterator[StyledLine]:
    """The explanation of one cell, with the part of the board that matters."""
    shown = {found.cell, *(cell for step in found.steps for cell in (*step.clues, *step.decides))}
    area = surroundings(found.grid, found.cell, shown, columns)
    yield from paragraph(board_heading(board, found.grid), columns)
    yield from map_of(found.grid, area, columns)
    yield []
    if found.value != HIDDEN:
        yield from _decided_cell(found, columns)
    elif found.conflict is not None:
        yield from _conflict(found.conflict, found.total, columns)
        yield from step_lines(found.steps, columns)
        yield from paragraph(_end_of(found.conflict), columns)
    elif found.gave_up is not None:
        yield from _gave_up(found.gave_up, columns)
    else:
        yield from paragraph(f"{found.cell} is not forced: it can be a trap or a gem.", columns)
        yield from _examples(found.examples, area, columns)


def _decided_cell(found: CellExplanation, columns: int | None) -> Iterator[StyledLine]:
    """The steps to a cell; or, if its other value was supposed, those to the clue that cannot hold."""
    verdict = f"{found.cell} is {VALUE_WORDS[found.value]}."
    if found.conflict is None:
        yield from step_lines(found.steps, columns)
        yield from paragraph(verdict, columns)
        return
    yield from paragraph(f"Suppose that {found.cell} is {VALUE_WORDS[OPPOSITES[found.value]]}.", columns)
    yield []
    yield from step_lines(found.steps, columns)
    yield from paragraph(_end_of(found.conflict), columns)
    yield from paragraph(f"So {verdict}" if found.conflict.is_followed else verdict, columns)


def _heading(board: str, grid: Grid, columns: int | None) -> Iterator[StyledLine]:
    heading = board_heading(board, grid)
    if max(grid.cells.shape) > LARGEST_SHOWN:
        yield from paragraph(f"{heading}, not shown: more than {LARGEST_SHOWN} rows or columns", columns)
        return
    yield from paragraph(heading, columns)
    yield from map_of(grid, None, columns)


def _conflict(conflict: ExplainedConflict, total: int | None, columns: int | None) -> Iterator[StyledLine]:
    """Which clues conflict, and whether none of them can be left out."""
    names = [*map(str, conflict.clues), *([f"the total of {total}"] * conflict.with_total)]
    if len(names) == 1:
        what = f"the clue at {names[0]}" if conflict.clues else names[0]
        text = f"No solution: {what} cannot hold, whatever the others are."
    else:
        clues = "the clue at" if len(conflict.clues) == 1 else "the clues at"
        both = "both" if len(names) == 2 else "all"
        least = " Leave out any one of them, and the others named here can." if conflict.is_minimal else ""
        least += "" if conflict.is_smallest else " There may be a smaller set."
        text = f"No solution: {clues} {listed(names)} cannot {both} hold.{least}"
    yield from paragraph(text, columns)
    yield []


def _end_of(conflict: ExplainedConflict) -> str:
    """Where the steps of a conflict lead."""
    if conflict.is_followed:
        return conflict.sentence
    return "Gave up: the time limit was reached before the steps led to a clue that cannot hold."


def _gave_up(gave_up: GaveUp, columns: int | None) -> Iterator[StyledLine]:
    yield from paragraph(f"Gave up: {gave_up.reason}. More cells may be forced.", columns)


def _filled(found: Explanation, columns: int | None) -> Iterator[StyledLine]:
    if not found.steps:
        yield from paragraph("No cell is hidden, and every clue holds.", columns)
        return
    if max(found.grid.cells.shape) > LARGEST_SHOWN:
        yield from paragraph("Every cell is decided.", columns)
    else:
        yield from paragraph("Every cell is decided:", columns)
        yield from map_of(found.filled, None, columns)
    yield []


def _open_cells(found: Explanation, columns: int | None) -> Iterator[StyledLine]:
    """The cells that are left, and two solutions that differ there."""
    yield from paragraph(_open_words(found.open, is_certain=found.gave_up is None), columns)
    if found.gave_up is None:
        yield from _examples(found.examples, None, columns)
    yield []


def _open_words(cells: Sequence[Cell], *, is_certain: bool) -> str:
    count = counted(len(cells), "cell")
    more = f" … (--format json has all {len(cells):,})" if len(cells) > OPEN_CELLS_LISTED else ""
    names = f"{' '.join(map(str, cells[:OPEN_CELLS_LISTED]))}{more}"
    if not is_certain:
        return f"{count} {'is' if len(cells) == 1 else 'are'} not explained: {names}"
    is_not = "is not forced" if len(cells) == 1 else "are not forced"
    return f"{count} {is_not}, both values are possible: {names}"


def _examples(
    examples: Sequence[Grid], area: tuple[slice, slice] | None, columns: int | None
) -> Iterator[StyledLine]:
    if len(examples) < 2:
        yield from paragraph("Two solutions that differ were not found within the time limit.", columns)
        return
    yield from differing_lines(examples[0], examples[1], area, columns)


def _lacks_examples(found: Explanation | CellExplanation) -> bool:
    """Whether two solutions should have been shown, but were not found in time."""
    is_open = bool(found.open) if isinstance(found, Explanation) else found.value == HIDDEN
    return is_open and found.conflict is None and len(found.examples) < 2


def _difficulty_words(difficulty: Difficulty) -> Iterator[str]:
    if difficulty.rule is None:
        yield f"Difficulty: {difficulty.word}."
        return
    hardest = f"hardest rule: {difficulty.rule} (level {difficulty.level})"
    yield f"Difficulty: {difficulty.word}; {hardest}; score: {difficulty.score:,}."
    choices = counted(difficulty.narrowest, "deduction")
    there = f"there {'is' if difficulty.narrowest == 1 else 'are'} {choices} to find"
    yield f"A step uses at most {counted(difficulty.most_clues, 'clue')}; at the narrowest point {there}."
