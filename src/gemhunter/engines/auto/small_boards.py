"""Small boards in plain Python: single clues decide what they can, and CaDiCaL solves the rest."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from gemhunter.cnf.encodings import binomial_clauses
from gemhunter.cnf.formula import ListedCnf
from gemhunter.core.puzzle import ListedRegion, Puzzle
from gemhunter.core.solution import Solution
from gemhunter.deduce.sentences import SINGLE_CLUES_CONFLICT
from gemhunter.engines.pysat.engine import ClausalPySat
from gemhunter.engines.pysat.solvers import DEFAULT, SOLVERS
from gemhunter.solving.cnf_engine import outcome_of
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved
from gemhunter.solving.protocols import Satisfied
from gemhunter.solving.run import Run

MOST_SWEEPS = 20
"""Boards that people make need five. A long chain of clues can need as many as it has clues; CaDiCaL follows
the rest of it faster."""

IS_GEM, IS_TRAP, IS_UNDECIDED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class SingleClueRest:
    """What single clues decide, and what clues say about the undecided cells.

    Hidden cell i, counted from 1, has `values[i]`.
    """

    values: list[int]
    regions: list[ListedRegion]

    def fill(self, model: Collection[int], total: int | None) -> list[bool] | None:
        """Whether each hidden cell is a trap; those of regions are traps if they are in `model`.

        All others are gems, or traps as far as `total` asks for them; None if the total cannot be met.
        """
        values = self.values.copy()
        for cell in {cell for cells, _ in self.regions for cell in cells}:
            values[cell] = IS_TRAP if cell in model else IS_GEM
        if total is not None:
            untouched = [cell for cell, value in enumerate(values) if value == IS_UNDECIDED]
            missing = total - values.count(IS_TRAP)
            if not 0 <= missing <= len(untouched):
                return None
            for cell in untouched[:missing]:
                values[cell] = IS_TRAP
        return [value == IS_TRAP for value in values[1:]]


def solve_clue_by_clue(puzzle: Puzzle, run: Run) -> Outcome | None:
    """Solve or refute a board, or give up at a limit of the run.

    Clauses for all clues would take longer to write and to load than single clues take to decide most cells.
    A total is looked at last: None if the untouched cells cannot make up the difference.
    """
    with run.stage("encode"):
        regions, total = puzzle.listed, None
        if puzzle.total is not None:
            *regions, (_, total) = regions
        rest = decided_by_single_clues(regions, puzzle.hidden.size)
        if rest is None:
            return Refuted(SINGLE_CLUES_CONFLICT)
        clauses = [clause for cells, traps in rest.regions for clause in binomial_clauses(cells, traps)]
        cnf = ListedCnf(list(dict.fromkeys(clauses)), puzzle.hidden, puzzle.cols)
    undecided = rest.values.count(IS_UNDECIDED)
    run.count(single_clues=puzzle.hidden.size - undecided, variables=undecided, clauses=cnf.size)
    if reason := run.spend():
        return GaveUp(reason)
    model: set[int] = set()
    if cnf.size:
        solver = ClausalPySat(SOLVERS[DEFAULT])
        answer = solver.solve_cnf(cnf, run)
        if not isinstance(answer, Satisfied):
            return outcome_of(answer, puzzle, solver.info)
        model.update(answer.model.tolist())
    traps = rest.fill(model, total)
    return None if traps is None else Solved(Solution(np.array(traps, bool)))


def decided_by_single_clues(regions: Sequence[ListedRegion], hidden: int) -> SingleClueRest | None:
    """What single clues decide about `hidden` cells, sweep by sweep; None if they conflict."""
    values, left = [IS_GEM] + [IS_UNDECIDED] * hidden, list(regions)
    for _ in range(MOST_SWEEPS):
        before, left = left, []
        for cells, needed in before:
            undecided = [cell for cell in cells if values[cell] == IS_UNDECIDED]
            traps = needed - sum([values[cell] for cell in cells]) + IS_UNDECIDED * len(undecided)
            if not 0 <= traps <= len(undecided):
                return None
            if 0 < traps < len(undecided):
                left.append((undecided, traps))
                continue
            for cell in undecided:
                values[cell] = IS_TRAP if traps else IS_GEM
        if len(left) == len(before):
            break
    return SingleClueRest(values, left)
