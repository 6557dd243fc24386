"""A DPLL search told step by step, from the same kernel that runs at full speed when nobody listens."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gemhunter.cnf.formula import Cnf
from gemhunter.engines.dpll import Dpll, beginning
from gemhunter.solving.events import (
    ClauseConflict,
    Decided,
    Event,
    Exhausted,
    Flipped,
    Implied,
    ModelFound,
    Pure,
    TooDeep,
)

if TYPE_CHECKING:
    from gemhunter.kernels.dpll.state import DpllState


def dpll_events(cnf: Cnf, settings: Dpll | None = None) -> Iterator[Event]:
    """Everything that happens, in order; the last event is Found, Exhausted or TooDeep."""
    from gemhunter.kernels.dpll import search as kernels
    from gemhunter.kernels.dpll.state import BACKTRACK, CLASH, NEXT, TRAIL

    chosen = settings or Dpll()
    endings: dict[int, Event] = {
        kernels.FOUND: ModelFound(),
        kernels.EXHAUSTED: Exhausted(),
        kernels.TOO_DEEP: TooDeep(chosen.depth),
    }
    search = beginning(cnf, chosen)
    numbers, told = search.numbers, 0
    while True:
        for place in range(told, numbers[TRAIL]):
            yield _event(cnf, search, place)
        told = int(numbers[TRAIL])
        breaks = numbers[NEXT] == BACKTRACK
        if breaks:
            yield ClauseConflict(_clause(cnf, numbers[CLASH]))
        code = kernels.search(search, 1, True)
        if code in endings:
            yield endings[code]
            return
        if breaks:
            told = int(numbers[TRAIL]) - 1  # what is left after backtracking ends with the flipped decision


def _event(cnf: Cnf, search: "DpllState", place: int) -> Event:
    """How the literal at a place of the trail came to hold, told while nothing is decided after it."""
    from gemhunter.kernels.dpll.state import DECIDED, FLIPPED, LEVEL, LONELY

    literal, level = int(search.trail[place]), int(search.numbers[LEVEL])
    number = -(literal >> 1) - 1 if literal & 1 else (literal >> 1) + 1
    reason = search.reason[literal >> 1]
    told: dict[int, Event] = {
        DECIDED: Decided(number, level),
        FLIPPED: Flipped(number, level),
        LONELY: Pure(number),
    }
    return told[reason] if reason in told else Implied(number, _clause(cnf, reason))


def _clause(cnf: Cnf, index: int) -> tuple[int, ...]:
    return tuple(cnf.literals[cnf.starts[index] : cnf.starts[index + 1]].tolist())
