"""An analysis of a board as plain data."""

from collections.abc import Sequence
from decimal import Decimal
from math import isnan
from typing import Any

import numpy as np

from gemhunter import __version__
from gemhunter.core.grid import HIDDEN, Cell, Grid
from gemhunter.queries.analyse import Analysis
from gemhunter.queries.answers import Forced, Probabilities
from gemhunter.queries.bounds import Bounds
from gemhunter.queries.estimate import Estimate
from gemhunter.queries.probability import assumption_words
from gemhunter.solving.outcomes import GaveUp, Refuted


def analysis_record(
    board: str,
    found: Analysis,
    *,
    total: int | None = None,
    density: float | None = None,
    bounds: Bounds | GaveUp | None = None,
    estimate: Estimate | GaveUp | None = None,
) -> dict[str, Any]:
    """What is true of all solutions of a board; what gave up is null, and `gave_up` says why.

    `total` and `density` are what was assumed. Bounds and an estimate of the number of solutions have fields
    only if they were asked for.
    """
    refuted = found.verdict if isinstance(found.verdict, Refuted) else None
    probabilities = found.probabilities if isinstance(found.probabilities, Probabilities) else None
    return {
        "board": board,
        "traps": total,
        "density": density,
        "assumption": assumption_words(total, density),
        "verdict": _verdict_name(found),
        "reason": None if refuted is None else refuted.reason,
        "clues": [] if refuted is None else _names(refuted.clues),
        "count": None if isinstance(found.count, GaveUp) else decimal_text(found.count),
        **({} if bounds is None else {"bounds": _bounds_record(bounds)}),
        **({} if estimate is None else {"estimate": _estimate_record(estimate)}),
        "unique": None if isinstance(found.unique, GaveUp) else found.unique,
        **_forced_fields(found),
        "probability": None if probabilities is None else _rows(probabilities),
        "safest": None if probabilities is None else _names(probabilities.safest()),
        "gave_up": {name: answer.reason for name, answer in found.gave_up.items()},
        "version": __version__,
    }


def _bounds_record(answer: Bounds | GaveUp) -> dict[str, str] | None:
    """Proven bounds on a number of solutions, with all their digits."""
    if isinstance(answer, GaveUp):
        return None
    return {"low": decimal_text(answer.low), "high": decimal_text(answer.high)}


def _estimate_record(answer: Estimate | GaveUp) -> dict[str, str | float] | None:
    """An estimated number of solutions, with all its digits."""
    if isinstance(answer, GaveUp):
        return None
    return {"value": decimal_text(answer.value), "epsilon": answer.epsilon, "delta": answer.delta}


def decimal_text(number: int) -> str:
    """A number with all its digits; `str` refuses to write more than 4300."""
    return format(Decimal(number), "f")


def _verdict_name(found: Analysis) -> str:
    if isinstance(found.verdict, Refuted):
        return "refuted"
    return "gave-up" if found.solvable is None else "solved"


def _forced_fields(found: Analysis) -> dict[str, Any]:
    """All forced cells, or those that were found before giving up."""
    match found.forced:
        case Forced(_, traps, gems):
            return {"forced": {"traps": _names(traps), "gems": _names(gems)}, "decided": None}
        case GaveUp(decided=decided):
            return {"forced": None, "decided": _decided(found.grid, decided)}
        case _:
            return {"forced": None, "decided": None}


def _decided(grid: Grid, decided: Sequence[int]) -> dict[str, list[str]]:
    hidden = np.flatnonzero(grid.cells == HIDDEN)
    places = [(value > 0, grid.cell(hidden[abs(value) - 1])) for value in decided]
    traps, gems = ([str(cell) for trap, cell in places if trap is wanted] for wanted in (True, False))
    return {"traps": traps, "gems": gems}


def _names(cells: Sequence[Cell]) -> list[str]:
    return [str(cell) for cell in cells]


def _rows(probabilities: Probabilities) -> list[list[float | None]]:
    return [[None if isnan(value) else value for value in row] for row in probabilities.values.tolist()]
