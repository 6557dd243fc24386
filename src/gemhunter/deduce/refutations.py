"""Refutations that name the clues to blame."""

import math
from collections.abc import Collection, Sequence

from gemhunter.core.grid import Cell
from gemhunter.core.puzzle import TOTAL, Puzzle
from gemhunter.deduce.conflicts import clashing_clues
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.run import Run

MOST_SUSPECTS = 2000
"""Of more clues, no smallest clashing set is looked for: that would take longer than most refutations."""

MOST_COUNTED = 2000
"""Nor with a total of more hidden cells: clauses that count them take tenths of a second to load."""

CONFLICTS = 5000
"""What a smallest set may cost."""

EXTRA_SECONDS = 0.5
"""A smallest set may take so much longer than the refutation has."""

MOST_NAMED = 12
"""So many clues are named in a sentence."""


def refuted_by_any(puzzle: Puzzle, run: Run) -> Refuted:
    """The refutation of a board of which nothing is known but that it has no solution."""
    clues = [puzzle.grid.cell(place) for place in puzzle.clues if place != TOTAL]
    return refuted(puzzle, clues, run, total=puzzle.total)


def refuted(puzzle: Puzzle, suspects: Collection[Cell], run: Run, *, total: int | None = None) -> Refuted:
    """The refutation by these clues, which cannot hold together, or by some of them where those are found.

    The total is a suspect too, if it is given. Looking for fewer ends with the run's limits, and without a
    step limit when it takes longer than the refutation did, by half a second.
    """
    if len(suspects) > MOST_SUSPECTS or (total is not None and puzzle.hidden.size > MOST_COUNTED):
        return Refuted(sentence(sorted(suspects), total), tuple(sorted(suspects)))
    # Whoever limits steps wants the same answer from any machine.
    end = 2 * run.elapsed + EXTRA_SECONDS if run.limits.steps is None else math.inf
    with run.stage("explain"):
        found = clashing_clues(
            puzzle.grid,
            suspects,
            total,
            conflicts=CONFLICTS,
            stop=lambda: run.spend() is not None or run.elapsed > end,
        )
    return Refuted(sentence(found.clues, total if found.with_total else None), found.clues)


def sentence(clues: Sequence[Cell], total: int | None) -> str:
    """What is wrong, with the names of the first clues."""
    names = ", ".join(map(str, clues[:MOST_NAMED]))
    if len(clues) > MOST_NAMED:
        names += f" and {len(clues) - MOST_NAMED} more"
    if total is None:
        return f"these clues clash: {names}"
    return f"these clues clash with the total of {total}: {names}"
