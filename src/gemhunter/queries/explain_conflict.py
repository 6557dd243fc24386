"""Why a board has no solution: a smallest set of conflicting clues, followed to the one that cannot hold."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from gemhunter.core.grid import GEM, Cell, Grid
from gemhunter.core.puzzle import read_puzzle
from gemhunter.deduce.chain import Chain
from gemhunter.deduce.clue_sets import MOST_LINES, decided_by_set
from gemhunter.deduce.conflicts import MOST_SUSPECTS, ConflictSet, find_conflict_set, smallest_conflict_set
from gemhunter.deduce.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.deduce.lines import THE_TOTAL, Supposition, refute
from gemhunter.deduce.rules import Deduction
from gemhunter.deduce.sentences import conflict
from gemhunter.deduce.step_sentences import explained_step
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.deduce.thoughts import broken_text
from gemhunter.deduce.wording import capital
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class ExplainedConflict:
    """Clues that cannot all hold, and the one that breaks when the others are followed.

    If `is_minimal`, the rest could hold with any one of them left out. `broken` is None if it is the total
    that cannot hold.
    """

    clues: tuple[Cell, ...]
    with_total: bool
    is_minimal: bool
    broken: Cell | None
    sentence: str


def explain_conflict(
    grid: Grid,
    total: int | None,
    run: Run,
    suspects: Collection[Cell] = (),
    *,
    origin: tuple[int, int] = (0, 0),
) -> tuple[tuple[ExplanationStep, ...], ExplainedConflict]:
    """The steps from a smallest set of conflicting clues to the one that cannot hold.

    `suspects` are clues that are known to conflict; without them, all clues and the total may be at fault.
    `origin` is where the grid's first cell is on the board that people see.
    """
    found = _conflict_set(grid, total, run, suspects)
    codes = np.where(grid.cells >= 0, GEM, grid.cells).astype(np.int8)
    for clue in found.clues:
        codes[clue] = grid.cells[clue]
    known = Knowledge(read_puzzle(Grid(codes), total if found.with_total else None), origin)
    chain = Chain(known, lambda: _refutable(known), _by_the_whole_set)
    steps = tuple(explained_step(known, deduction, choices) for deduction, choices in chain)
    if chain.broken is None:
        broken, sentence = None, conflict(found.clues, total if found.with_total else None) + "."
    else:
        broken = None if chain.broken == THE_TOTAL else known.clue(chain.broken)
        sentence = broken_text(known, chain.broken, {})
    sentence = capital(sentence)
    clues = tuple(Cell(row + origin[0], col + origin[1]) for row, col in found.clues)
    return steps, ExplainedConflict(clues, found.with_total, found.is_minimal, broken, sentence)


def _conflict_set(grid: Grid, total: int | None, run: Run, suspects: Collection[Cell]) -> ConflictSet:
    """A smallest conflict set, where it is found quickly."""

    def stop() -> bool:
        return run.spend() is not None

    clues = suspects or [grid.cell(index) for index in np.flatnonzero(grid.cells >= 0).tolist()]
    try:
        # Clues alone, because few conflicts need the total.
        found = find_conflict_set(grid, clues, stop=stop)
        total = None
    except ValueError:
        found = find_conflict_set(grid, clues, total, stop=stop)
    near = clues if len(clues) <= MOST_SUSPECTS else found.clues
    return smallest_conflict_set(grid, near, found, total, stop=stop)


def _refutable(known: Knowledge) -> dict[int, int]:
    """A value for every cell whose opposite can be refuted; where clues conflict, any value can.

    The one whose opposite is refuted by following single clues is the easier one to show.
    """

    def value(cell: int) -> int:
        return IS_TRAP if Supposition(known, {cell: IS_GEM}).broken is not None else IS_GEM

    return {cell: value(cell) for cell in known.undecided_cells() if known.regions_of[cell]}


def _by_the_whole_set(known: Knowledge, left: dict[int, int]) -> Deduction | None:
    """The first cell, decided by the whole set of clues."""
    regions = tuple(region for region in range(len(known.cells)) if known.cells[region])
    with_total = known.traps_left is not None
    among = (*regions, THE_TOTAL) if with_total else regions
    # A cell of many clues leads furthest.
    cell = max(left, key=lambda each: (len(known.regions_of[each]), -each))
    line = refute(known, {cell: 1 - left[cell]}, among, MOST_LINES)
    return decided_by_set(cell, left[cell], regions, line, with_total=with_total)
