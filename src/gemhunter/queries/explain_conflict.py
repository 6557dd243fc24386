"""Why a board has no solution: a smallest set of conflicting clues, followed to the one that cannot hold."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from gemhunter.core.grid import GEM, Cell, Grid
from gemhunter.core.puzzle import read_puzzle
from gemhunter.deduce.chain import Chain
from gemhunter.deduce.clue_sets import MOST_LINES, ClueSets, decided_by_set
from gemhunter.deduce.conflicts import (
    CONFLICT_SET_BUDGET,
    ConflictSet,
    find_conflict_set,
    smallest_conflict_set,
)
from gemhunter.deduce.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.deduce.lines import THE_TOTAL, Supposition, refute
from gemhunter.deduce.rules import Deduction
from gemhunter.deduce.sentences import conflict
from gemhunter.deduce.step_sentences import explained_step
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.deduce.suppose import what_if
from gemhunter.deduce.thoughts import broken_text
from gemhunter.deduce.wording import capital
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class ExplainedConflict:
    """Clues that cannot all hold, and the one that breaks when the others are followed.

    The total is one of them, `with_total`, only if the clues alone could all hold. If `is_minimal`, the rest
    could hold with any one of them left out; if `is_smallest`, no set of fewer clues conflicts. `broken` is
    None if it is the total that cannot hold. If `is_followed`, the steps lead to it; otherwise the run ended
    before.
    """

    clues: tuple[Cell, ...]
    with_total: bool
    is_minimal: bool
    is_smallest: bool
    broken: Cell | None
    sentence: str
    is_followed: bool = True


def explain_conflict(
    grid: Grid,
    total: int | None,
    run: Run,
    suspects: Collection[Cell] = (),
    *,
    origin: tuple[int, int] = (0, 0),
) -> tuple[tuple[ExplanationStep, ...], ExplainedConflict]:
    """The steps from a smallest set of conflicting clues to the one that cannot hold.

    `suspects` are clues that are likely to conflict; they are looked at first. `origin` is where the grid's
    first cell is on the board that people see.
    """
    found = _conflict_set(grid, total, run, suspects)
    known = _known_of(grid, found, total, origin)
    chain = Chain(known, lambda: _refutable(known, run), _LastResort(known, run), run=run)
    steps = tuple(explained_step(known, deduction, choices) for deduction, choices in chain)
    clues = tuple(Cell(row + origin[0], col + origin[1]) for row, col in found.clues)
    is_followed = chain.broken is not None
    if chain.broken is None:
        broken, sentence = None, conflict(clues, total if found.with_total else None) + "."
    else:
        broken = None if chain.broken == THE_TOTAL else known.clue(chain.broken)
        sentence = broken_text(known, chain.broken, {})
    return steps, ExplainedConflict(
        clues,
        found.with_total,
        found.is_minimal,
        found.is_smallest,
        broken,
        capital(sentence),
        is_followed,
    )


def _known_of(grid: Grid, found: ConflictSet, total: int | None, origin: tuple[int, int]) -> Knowledge:
    """What the clues of a conflict set say, without the others; without the total, of their surroundings."""
    codes = np.where(grid.cells >= 0, GEM, grid.cells).astype(np.int8)
    for clue in found.clues:
        codes[clue] = grid.cells[clue]
    if found.with_total:
        return Knowledge(read_puzzle(Grid(codes), total), origin)
    places = np.array(found.clues)
    (top, left), (bottom, right) = np.maximum(places.min(axis=0) - 1, 0).tolist(), places.max(axis=0) + 2
    return Knowledge(read_puzzle(Grid(codes[top:bottom, left:right])), (origin[0] + top, origin[1] + left))


def _conflict_set(grid: Grid, total: int | None, run: Run, suspects: Collection[Cell]) -> ConflictSet:
    """A smallest conflict set, where it is found quickly; with the total only if clues alone can hold."""

    def stop() -> bool:
        return run.spend(1) is not None

    attempts: list[tuple[Collection[Cell] | None, int | None]] = [(suspects, None)] if suspects else []
    can_hold = False
    for some, needed in [*attempts, (None, None), (None, total)]:
        try:
            found = find_conflict_set(grid, some or _all_clues(grid), needed, stop=stop)
        except ValueError:
            can_hold = True
            continue
        if found.is_proven:
            best = smallest_conflict_set(grid, found, needed, stop=stop)
            return replace(best, is_smallest=best.is_smallest and (needed is None or can_hold))
        can_hold = False
    return ConflictSet(_all_clues(grid), total is not None, is_minimal=False, is_proven=False)


def _all_clues(grid: Grid) -> tuple[Cell, ...]:
    return tuple(Cell(row, col) for row, col in np.argwhere(grid.cells >= 0).tolist())


def _refutable(known: Knowledge, run: Run) -> dict[int, int]:
    """A value for every cell whose opposite can be refuted; where clues conflict, any value can.

    The one whose opposite is refuted by following single clues is the easier one to show.
    """
    found = {}
    for cell in known.undecided_cells():
        if known.regions_of[cell]:
            is_trap = Supposition(known, {cell: IS_GEM}).broken is not None
            found[cell] = IS_TRAP if is_trap else IS_GEM
        if run.spend() is not None:
            break
    return found


class _LastResort:
    """Decides cells by sets of clues of which it is known that they conflict."""

    def __init__(self, known: Knowledge, run: Run) -> None:
        self._known, self._run = known, run
        self._sets: ClueSets | None = ClueSets(known, run)

    def __call__(self, left: dict[int, int]) -> Deduction | None:
        """A cell with what can be shown of it, or else one that the whole set of clues decides."""
        for cell, value in left.items():
            deduction, _ = what_if(self._known, cell, 1 - value)
            if deduction is not None:
                return deduction
            if self._run.spend() is not None:
                return None
        # A cell of many clues leads furthest.
        cell = max(left, key=lambda each: (len(self._known.regions_of[each]), -each))
        if self._sets is not None:
            deduction = self._sets.find({cell: left[cell]}, budget=CONFLICT_SET_BUDGET)
            if deduction is not None or self._run.spend() is not None:
                return deduction
            self._sets = None
        return _by_the_whole_set(self._known, cell, left[cell])


def _by_the_whole_set(known: Knowledge, cell: int, value: int) -> Deduction:
    regions = tuple(known.unfinished_regions())
    with_total = known.traps_left is not None
    among = (*regions, THE_TOTAL) if with_total else regions
    line = refute(known, {cell: 1 - value}, among, MOST_LINES)
    return decided_by_set(cell, value, regions, line, with_total=with_total)
