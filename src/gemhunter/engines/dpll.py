"""`dpll`: unit propagation, a decision when nothing follows any more, and back when a clause breaks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.proof import Proof
from gemhunter.errors import InputError
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run
from gemhunter.solving.settings import FirstValue, defaults, name_with, read_settings

if TYPE_CHECKING:
    from gemhunter.kernels.dpll.state import DpllState

Order = Literal["shortest", "first", "jeroslow-wang"]

ORDERS: dict[Order, str] = {
    "shortest": "a variable of the shortest open clause",
    "first": "the first open variable",
    "jeroslow-wang": "the literal that weighs most in open clauses, short ones counting more",
}

DECISIONS_PER_SLICE = 1_000_000
"""More than a slice can hold: the kernel stops by itself when it has worked long enough."""

FIRST_WORK = 20_000
"""Watches and literals looked at before the clock is for the first time."""

LOG_ROOM = 1 << 18
"""Numbers of a proof that are collected before they are moved away."""


def make_engine(argument: str) -> "Dpll":
    """The engine with the settings that are spelled out, the others at their defaults."""
    return read_settings(Dpll, "dpll", argument)


@dataclass(frozen=True, slots=True)
class Dpll:
    """Decides one variable after the other, follows up each, and takes back the last that breaks a clause.

    A variable is what `value` says first; `jeroslow-wang` has a say of its own, and leaves only ties to it.
    `depth` is how many decisions may stand on one path, flipped ones included; 0 is as many as it takes.
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
            f"unit propagation and backtracking on clauses (DPLL), deciding {ORDERS[self.order]}",
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

    def tell_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """The events of the search, step by step."""
        from gemhunter.engines.dpll_events import dpll_events

        return dpll_events(cnf, self)

    def _searched(self, search: "DpllState", run: Run, held: int) -> SatAnswer:
        from gemhunter.kernels.dpll import search as kernels
        from gemhunter.kernels.dpll.state import DECISIONS, MOST_WORK

        work = run.slice_sizes(FIRST_WORK)
        proof: list[NDArray[np.int32]] = []
        while True:
            before = int(search.numbers[DECISIONS])
            search.numbers[MOST_WORK] = next(work)
            code = kernels.search(search, run.slice(DECISIONS_PER_SLICE), False)
            limit = run.spend(int(search.numbers[DECISIONS]) - before)
            if code == kernels.FOUND:
                return Satisfied(_model(search))
            if code == kernels.EXHAUSTED:
                proof.append(_take_log(search))
                return Unsatisfiable(_proof(proof) if run.wants_proof else None)
            if code == kernels.TOO_DEEP:
                return GaveUp(StopReason.DEPTH, f"depth={self.depth} is not enough")
            if limit is not None:
                return GaveUp(limit)
            if code == kernels.LOG_FULL:
                proof.append(_take_log(search))
                # Twice, because the pieces are put together in the end.
                if not run.fits(held + 2 * sum(piece.nbytes for piece in proof)):
                    return GaveUp(StopReason.MEMORY, "the proof does not fit")


def beginning(cnf: Cnf, settings: Dpll, *, proof: bool = False) -> "DpllState":
    """A search in which nothing is decided yet, but the clauses of one literal hold."""
    from gemhunter.kernels.dpll.clauses import load
    from gemhunter.kernels.dpll.pure_literals import load_occurrences
    from gemhunter.kernels.dpll.state import (
        CLASH,
        DEEPEST,
        FIRST,
        HEAVIEST,
        MOST_WORK,
        NONE,
        RULE,
        SHORTEST,
        SIGN,
    )

    search = _empty(cnf, settings, proof=proof)
    rules = {"first": FIRST, "shortest": SHORTEST, "jeroslow-wang": HEAVIEST}
    search.numbers[RULE] = rules[settings.order]
    search.numbers[DEEPEST] = settings.depth
    search.numbers[SIGN] = int(settings.value == "gem")
    search.numbers[MOST_WORK] = FIRST_WORK
    search.numbers[CLASH] = NONE
    load(search, cnf.literals)
    if settings.pure_literals:
        load_occurrences(search)
    return search


def _empty(cnf: Cnf, settings: Dpll, *, proof: bool) -> "DpllState":
    """Room for a search; `bytes_needed` says how much."""
    from gemhunter.kernels.dpll.state import NUMBERS, DpllState

    size, variables = cnf.literals.size, cnf.variables
    pure = int(settings.pure_literals)
    return DpllState(
        literals=np.empty(size, np.int32),
        starts=cnf.starts,
        pool=np.empty(2 * size, np.int32),
        at=np.zeros(2 * variables + 1, np.int64),
        watched=np.zeros(2 * variables, np.int32),
        value=np.zeros(2 * variables, np.int8),
        reason=np.empty(variables, np.int32),
        trail=np.empty(variables, np.int32),
        decided=np.empty(variables, np.int32),
        resume=np.empty(variables, np.int32),
        flipped=np.empty(variables, bool),
        score=np.empty(2 * variables * (settings.order == "jeroslow-wang")),
        occurs=np.empty(pure * size, np.int32),
        holder=np.empty(pure * cnf.size, np.int32),
        alive=np.zeros(pure * 2 * variables, np.int32),
        queue=np.empty(pure * 2 * variables, np.int32),
        log=np.empty(proof * (LOG_ROOM + 2 * variables), np.int32),
        numbers=np.zeros(NUMBERS, np.int64),
    )


def bytes_needed(cnf: Cnf, settings: Dpll, *, proof: bool = False) -> int:
    """What a search holds at most, the formula included and the proof, which grows, left out."""
    size, variables = cnf.literals.size, cnf.variables
    formula = cnf.literals.nbytes + cnf.starts.nbytes + cnf.cell_indexes.nbytes
    search = 12 * size + 100 * variables
    pure = 4 * size + 4 * cnf.size + 16 * variables if settings.pure_literals else 0
    log = 4 * (LOG_ROOM + 2 * variables) if proof else 0
    return formula + search + pure + log


def counters(search: "DpllState") -> dict[str, int]:
    """What a search has counted so far."""
    from gemhunter.kernels.dpll.state import CONFLICTS, DECISIONS, PROPAGATIONS, PURES

    places = {"decisions": DECISIONS, "propagations": PROPAGATIONS, "conflicts": CONFLICTS}
    if search.alive.size:
        places["pure_literals"] = PURES
    return {name: int(search.numbers[place]) for name, place in places.items()}


def _model(search: "DpllState") -> NDArray[np.int64]:
    """The literals that hold; variables that no clause mentions are false."""
    variables = np.arange(1, search.trail.size + 1)
    return np.where(search.value[::2] > 0, variables, -variables)


def _take_log(search: "DpllState") -> NDArray[np.int32]:
    from gemhunter.kernels.dpll.state import LOGGED

    logged = search.log[: search.numbers[LOGGED]].copy()
    search.numbers[LOGGED] = 0
    return logged


def _proof(pieces: list[NDArray[np.int32]]) -> Proof:
    """The proof that was logged, clauses ended by 0."""
    numbers = np.concatenate(pieces)
    ends = np.flatnonzero(numbers == 0)
    starts = np.concatenate([[0], ends - np.arange(ends.size)])
    return Proof(numbers[numbers != 0], starts, np.zeros(ends.size, bool))
