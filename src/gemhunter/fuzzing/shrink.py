"""Makes a failing case as small as it can be while it still fails."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.fuzzing.cases import BoardCase, Case, FormulaCase

MOST_TRIES = 3000

Shrinkable = TypeVar("Shrinkable")


def shrink(
    case: Shrinkable,
    fails: Callable[[Shrinkable], bool],
    smaller_than: Callable[[Shrinkable], Iterator[Shrinkable]],
    *,
    most_tries: int = MOST_TRIES,
) -> Shrinkable:
    """A smaller case that `fails` too; no single step makes it smaller still, unless tries ran out."""
    tries = 0
    smaller = True
    while smaller and tries < most_tries:
        smaller = False
        for candidate in smaller_than(case):
            tries += 1
            if fails(candidate):
                case, smaller = candidate, True
                break
            if tries == most_tries:
                break
    return case


def smaller_cases(case: Case) -> Iterator[Case]:
    """Boards and formulas with one thing less in them."""
    return _smaller_boards(case) if isinstance(case, BoardCase) else _smaller_formulas(case)


def _smaller_boards(case: BoardCase) -> Iterator[BoardCase]:
    """Without a row, a column or the total; with a shown cell unknown, a clue or the total one lower."""
    codes = case.grid.cells
    for axis in (0, 1):
        for index in range(codes.shape[axis] if codes.shape[axis] > 1 else 0):
            yield BoardCase(Grid(np.delete(codes, index, axis)), case.total)
    if case.total is not None:
        yield BoardCase(case.grid)
    if case.total:
        yield BoardCase(case.grid, case.total - 1)
    for row, col in np.argwhere(codes != HIDDEN).tolist():
        hidden = codes.copy()
        hidden[row, col] = HIDDEN
        yield BoardCase(Grid(hidden), case.total)
    for row, col in np.argwhere(codes > 0).tolist():
        lower = codes.copy()
        lower[row, col] -= 1
        yield BoardCase(Grid(lower), case.total)


def _smaller_formulas(case: FormulaCase) -> Iterator[FormulaCase]:
    """Without a clause or a literal, or with the variables that are used numbered anew."""
    clauses = case.clauses
    for index in range(len(clauses)):
        yield FormulaCase(case.variables, (*clauses[:index], *clauses[index + 1 :]))
    for index, clause in enumerate(clauses):
        for place in range(len(clause)):
            shorter = (*clause[:place], *clause[place + 1 :])
            yield FormulaCase(case.variables, (*clauses[:index], shorter, *clauses[index + 1 :]))
    used = sorted({abs(literal) for clause in clauses for literal in clause})
    if len(used) < case.variables:
        name = {old: new for new, old in enumerate(used, 1)}
        named = (tuple(name[abs(x)] * (1 if x > 0 else -1) for x in clause) for clause in clauses)
        yield FormulaCase(len(used), tuple(named))
