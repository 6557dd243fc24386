"""`dpll`: unit propagation, decisions when it stops, and backtracking after conflicts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.proof import Proof
from gemhunter.errors import InputError
from gemhunter.kernels.codes import (
    CONFLICT_CLAUSE,
    CONFLICT_COUNT,
    DECISION_COUNT,
    DECISION_LEVEL,
    EXHAUSTED,
    FOUND,
    NEXT_STEP,
    NONE,
    PROPAGATION_COUNT,
    TRAIL_SIZE,
)
from gemhunter.kernels.dpll import state
from gemhunter.kernels.dpll.clauses import load
from gemhunter.kernels.dpll.pure_literals import load_occurrences
from gemhunter.kernels.dpll.search import search as run_search
from gemhunter.kernels.dpll.state import DpllState
from gemhunter.solving.events import (
    Clause,
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
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run
from gemhunter.solving.settings import FirstValue, defaults, name_with, read_settings

Order = Literal["shortest", "first", "jeroslow-wang"]

DPLL_ORDERS: dict[Order, str] = {
    "shortest": "a variable of the shortest unsatisfied clause",
    "first": "the first unassigned variable",
    "jeroslow-wang": "the literal that weighs most in unsatisfied clauses, short ones counting more",
}

DECISIONS_PER_SLICE = 1_000_000
"""More than a slice can hold: the kernel stops when its work limit is reached."""

FIRST_WORK = 20_000
"""Watches and literals to look at before the first look at the clock."""

LOG_ROOM = 1 << 18
"""Numbers of a proof that the kernel collects before it is emptied."""


def make_engine(argument: str) -> "Dpll":
    """The engine with the settings in `argument`, the others at their defaults."""
    return read_settings(Dpll, "dpll", argument)


@dataclass(frozen=True, slots=True)
class Dpll:
    """Decides one variable after another, propagates each, and flips the last decision after a conflict.

    `value` is what a variable is first; `jeroslow-wang` chooses it and leaves only ties to `value`. `depth`
    is the largest number of decisions on one path, flipped ones included; 0 means no limit.
    """

    order: Order = "shortest"
    value: FirstValue = "gem"
    pure_literals: bool = False
    depth: int = 0

    def __post_init__(self) -> None:
        if self.depth < 0:
            raise InputError(f"dpll: depth is a whole number of decisions, 0 for no limit, not {self.depth}")

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with("dpll", self),
            f"unit propagation and backtracking on clauses (DPLL), deciding {DPLL_ORDERS[self.order]}",
            complete=not self.depth,
            step="decision",
            memory_limit=True,
            proofs=True,
            settings=defaults(Dpll),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Search in slices; the search is a loop, so no formula is too deep for it."""
        held = bytes_needed(cnf, self, proof=run.wants_proof)
        if not run.fits(held):
            return GaveUp(StopReason.MEMORY, f"the search needs {held:,} bytes")
        search = beginning(cnf, self, proof=run.wants_proof)
        try:
            return self._searched(search, run, held)
        finally:
            run.count(**counters(search))

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """The events of the search, step by step."""
        return _events(cnf, self)

    def _searched(self, search: DpllState, run: Run, held: int) -> SatAnswer:
        work = run.slice_sizes(FIRST_WORK)
        proof: list[NDArray[np.int32]] = []
        while True:
            before = int(search.numbers[DECISION_COUNT])
            search.numbers[state.WORK_LIMIT] = next(work)
            code = run_search(search, run.slice(DECISIONS_PER_SLICE), False)
            limit = run.spend(int(search.numbers[DECISION_COUNT]) - before)
            if code == FOUND:
                return Satisfied(_model(search))
            if code == EXHAUSTED:
                proof.append(_take_log(search))
                return Unsatisfiable(_proof(proof) if run.wants_proof else None)
            if code == state.TOO_DEEP:
                return GaveUp(StopReason.DEPTH, f"depth={self.depth} is not enough")
            if limit is not None:
                return GaveUp(limit)
            if code == state.LOG_FULL:
                proof.append(_take_log(search))
                # Twice, because the pieces are joined in the end.
                if not run.fits(held + 2 * sum(piece.nbytes for piece in proof)):
                    return GaveUp(StopReason.MEMORY, "the proof does not fit")


def beginning(cnf: Cnf, settings: Dpll, *, proof: bool = False) -> DpllState:
    """A search before its first decision, with the literals of unit clauses on the trail."""
    search = _empty(cnf, settings, proof=proof)
    rules = {
        "first": state.FIRST_VARIABLE,
        "shortest": state.SHORTEST_CLAUSE,
        "jeroslow-wang": state.JEROSLOW_WANG,
    }
    search.numbers[state.DECISION_RULE] = rules[settings.order]
    search.numbers[state.DEPTH_LIMIT] = settings.depth
    search.numbers[state.FIRST_SIGN] = int(settings.value == "gem")
    search.numbers[state.WORK_LIMIT] = FIRST_WORK
    search.numbers[CONFLICT_CLAUSE] = NONE
    load(search, cnf.literals)
    if settings.pure_literals:
        load_occurrences(search)
    return search


def _empty(cnf: Cnf, settings: Dpll, *, proof: bool) -> DpllState:
    """The arrays of a search, before anything is in them."""
    size, variables = cnf.literals.size, cnf.variables
    pure = int(settings.pure_literals)
    return DpllState(
        literals=np.empty(size, np.int32),
        starts=cnf.starts,
        watches=np.empty(2 * size, np.int32),
        at=np.zeros(2 * variables + 1, np.int64),
        watch_count=np.zeros(2 * variables, np.int32),
        value=np.zeros(2 * variables, np.int8),
        reason=np.empty(variables, np.int32),
        trail=np.empty(variables, np.int32),
        decided=np.empty(variables, np.int32),
        resume=np.empty(variables, np.int32),
        flipped=np.empty(variables, bool),
        score=np.empty(2 * variables * (settings.order == "jeroslow-wang")),
        occurrences=np.empty(pure * size, np.int32),
        satisfied_by=np.empty(pure * cnf.size, np.int32),
        unsatisfied_count=np.zeros(pure * 2 * variables, np.int32),
        queue=np.empty(pure * 2 * variables, np.int32),
        log=np.empty(proof * (LOG_ROOM + 2 * variables), np.int32),
        numbers=np.zeros(state.DPLL_NUMBERS, np.int64),
    )


def bytes_needed(cnf: Cnf, settings: Dpll, *, proof: bool = False) -> int:
    """How many bytes a search takes at most, with the formula but without the proof, which grows."""
    size, variables = cnf.literals.size, cnf.variables
    formula = cnf.literals.nbytes + cnf.starts.nbytes + cnf.cell_indexes.nbytes
    search = 12 * size + 100 * variables
    pure = 4 * size + 4 * cnf.size + 16 * variables if settings.pure_literals else 0
    log = 4 * (LOG_ROOM + 2 * variables) if proof else 0
    return formula + search + pure + log


def counters(search: DpllState) -> dict[str, int]:
    """What a search has counted so far."""
    places = {"decisions": DECISION_COUNT, "propagations": PROPAGATION_COUNT, "conflicts": CONFLICT_COUNT}
    if search.unsatisfied_count.size:
        places["pure_literals"] = state.PURE_COUNT
    return {name: int(search.numbers[place]) for name, place in places.items()}


def _model(search: DpllState) -> NDArray[np.int64]:
    """The true literals; variables that no clause mentions are false."""
    variables = np.arange(1, search.trail.size + 1)
    return np.where(search.value[::2] > 0, variables, -variables)


def _take_log(search: DpllState) -> NDArray[np.int32]:
    logged = search.log[: search.numbers[state.LOG_SIZE]].copy()
    search.numbers[state.LOG_SIZE] = 0
    return logged


def _proof(pieces: list[NDArray[np.int32]]) -> Proof:
    """The proof whose clauses, each ended by 0, are in `pieces`."""
    numbers = np.concatenate(pieces)
    ends = np.flatnonzero(numbers == 0)
    starts = np.concatenate([[0], ends - np.arange(ends.size)])
    return Proof(numbers[numbers != 0], starts, np.zeros(ends.size, bool))


def _events(cnf: Cnf, settings: Dpll) -> Iterator[Event]:
    """All events of a search, in order; the last is `ModelFound`, `Exhausted` or `TooDeep`."""
    endings: dict[int, Event] = {
        FOUND: ModelFound(),
        EXHAUSTED: Exhausted(),
        state.TOO_DEEP: TooDeep(settings.depth),
    }
    search = beginning(cnf, settings)
    numbers, reported = search.numbers, 0
    while True:
        for index in range(reported, numbers[TRAIL_SIZE]):
            yield _assignment(cnf, search, index)
        reported = int(numbers[TRAIL_SIZE])
        has_conflict = numbers[NEXT_STEP] == state.BACKTRACK
        if has_conflict:
            yield ClauseConflict(_clause(cnf, numbers[CONFLICT_CLAUSE]))
        code = run_search(search, 1, True)
        if code in endings:
            yield endings[code]
            return
        if has_conflict:
            # After backtracking the trail ends with the flipped decision.
            reported = int(numbers[TRAIL_SIZE]) - 1


def _assignment(cnf: Cnf, search: DpllState, index: int) -> Event:
    """How the literal at an index of the trail became true; no decision may have been made after it."""
    inner, level = int(search.trail[index]), int(search.numbers[DECISION_LEVEL])
    literal = -(inner >> 1) - 1 if inner & 1 else (inner >> 1) + 1
    reason = search.reason[inner >> 1]
    if reason == state.DECIDED:
        return Decided(literal, level)
    if reason == state.FLIPPED:
        return Flipped(literal, level)
    return Pure(literal) if reason == state.PURE_LITERAL else Implied(literal, _clause(cnf, reason))


def _clause(cnf: Cnf, index: int) -> Clause:
    return tuple(cnf.literals[cnf.starts[index] : cnf.starts[index + 1]].tolist())
