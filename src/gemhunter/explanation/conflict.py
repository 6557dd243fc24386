"""Why a board has no solution: a smallest set of conflicting clues, followed to the one that cannot hold."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from gemhunter.board.grid import GEM, Cell, Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.explanation.chain import Chain
from gemhunter.explanation.clue_sets import ClueSets, decided_by_set
from gemhunter.explanation.explanations import ExplainedConflict, Explanation
from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.explanation.rules import THE_TOTAL, Deduction, Supposition, what_if
from gemhunter.explanation.sentences import broken_text, explained_step
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.solving.conflict_sentences import conflict
from gemhunter.solving.conflict_sets import (
    CONFLICT_SET_BUDGET,
    ConflictSet,
    find_conflict_set,
    smallest_conflict_set,
)
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Run
from gemhunter.wording import capital


def explained_conflict(grid: Grid, total: int | None, run: Run, suspects: Collection[Cell]) -> Explanation:
    """The explanation of a board whose clues conflict, probably these `suspects`."""
    steps, conflict = explain_conflict(grid, total, run, suspects)
    reason = None if conflict.is_followed else run.spend()
    gave_up = None if reason is None else GaveUp(reason)
    return Explanation(grid, total, steps, conflict=conflict, gave_up=gave_up)


def explain_conflict(
    grid: Grid,
    total: int | None,
    run: Run,
    suspects: Collection[Cell] = (),
    *,
    origin: tuple[int, int] = (0, 0),
) -> tuple[tuple[ExplanationStep, ...], ExplainedConflict]:
    """The steps from a smallest set of conflicting clues to the one that cannot hold.

    `suspects` are clues that are likely to conflict; they are tried first. `origin` is where the grid begins
    on the board that people see.
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
        clues, found.with_total, found.is_minimal, found.is_smallest, broken, capital(sentence), is_followed
    )


def _conflict_set(grid: Grid, total: int | None, run: Run, suspects: Collection[Cell]) -> ConflictSet:
    """A smallest conflict set, if it is found quickly; with the total only if the clues alone can hold."""
    clues = tuple(Cell(row, col) for row, col in np.argwhere(grid.cells >= 0).tolist())

    def stop() -> bool:
        return run.spend(1) is not None

    # The suspects first, then all clues, then all clues and the total.
    attempts: list[tuple[Collection[Cell], int | None]] = [(clues, None), (clues, total)]
    if suspects:
        attempts.insert(0, (suspects, None))
    can_hold = False
    for some, needed in attempts:
        try:
            found = find_conflict_set(grid, some, needed, stop=stop)
        except ValueError:
            can_hold = True
            continue
        if found.is_proven:
            best = smallest_conflict_set(grid, found, needed, stop=stop)
            return replace(best, is_smallest=best.is_smallest and (needed is None or can_hold))
        can_hold = False
    return ConflictSet(clues, total is not None, is_minimal=False, is_proven=False)


def _known_of(grid: Grid, found: ConflictSet, total: int | None, origin: tuple[int, int]) -> Knowledge:
    """What the clues of a conflict set say, of the whole board or, without the total, of their neighbours."""
    codes = np.where(grid.cells >= 0, GEM, grid.cells).astype(np.int8)
    for clue in found.clues:
        codes[clue] = grid.cells[clue]
    if found.with_total:
        return Knowledge(read_puzzle(Grid(codes), total), origin)
    places = np.array(found.clues)
    (top, left), (bottom, right) = np.maximum(places.min(axis=0) - 1, 0).tolist(), places.max(axis=0) + 2
    return Knowledge(read_puzzle(Grid(codes[top:bottom, left:right])), (origin[0] + top, origin[1] + left))


def _refutable(known: Knowledge, run: Run) -> dict[int, int]:
    """A value for every cell whose opposite can be refuted.

    Where clues conflict, either value can be shown. If following single clues refutes that a cell is a gem,
    it is easier to show that it is a trap.
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
    """Decides cells by sets of clues that are known to conflict."""

    def __init__(self, known: Knowledge, run: Run) -> None:
        self._known, self._run = known, run
        self._sets: ClueSets | None = ClueSets(known, run)

    def __call__(self, left: dict[int, int]) -> Deduction | None:
        """A cell that a supposition decides, or else one that a set of clues decides."""
        for cell, value in left.items():
            deduction, _ = what_if(self._known, cell, 1 - value)
            if deduction is not None:
                return deduction
            if self._run.spend() is not None:
                return None
        # The cell with the most clues leads furthest.
        cell = max(left, key=lambda each: (len(self._known.regions_of[each]), -each))
        if self._sets is not None:
            deduction = self._sets.find({cell: left[cell]}, budget=CONFLICT_SET_BUDGET)
            if deduction is not None or self._run.spend() is not None:
                return deduction
            self._sets = None
        everything = self._known.unfinished_regions()
        among = everything if self._known.traps_left is None else [*everything, THE_TOTAL]
        return decided_by_set(self._known, cell, left[cell], among)
