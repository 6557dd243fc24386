"""The question "does this proof show that there is no solution?"."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encode import encode
from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.proof import Proof
from gemhunter.core.grid import Grid, require_grid
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from gemhunter.kernels.drat.state import Check

FIRST_SLICE = 50_000
"""Watches looked at before the run is asked for the first time."""

ROOM = 2**16
"""For watches and for hints, to begin with; it is doubled as often as necessary."""


class _NoVerdictTruth:
    """`if check_proof(…):` would take a rejected proof for a proof, so it raises."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict is neither true nor false; match it: Accepted, Rejected or GaveUp")


@dataclass(frozen=True, slots=True)
class Accepted(_NoVerdictTruth):
    """The proof shows that there is no solution.

    `checked` clauses were added before the contradiction and follow, it rests on `needed` of them, and
    `passed_over` deletions were not carried out.
    """

    checked: int
    needed: int
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class Rejected(_NoVerdictTruth):
    """The proof shows nothing; `step`, counted from 1, is the first that does not follow.

    It is None if all follow, but lead to no contradiction.
    """

    step: int | None
    reason: str


Verdict: TypeAlias = Accepted | Rejected | GaveUp


def check_proof(
    grid: Grid,
    proof: Proof,
    total: int | None = None,
    encoding: str = "binomial",
    *,
    run: Run | None = None,
) -> Verdict:
    """Whether `proof` shows that `grid`, with `total` traps in all if that is known, has no solution.

    It is checked against the clauses of `encode(grid, encoding, traps=traps)`, by code that no engine uses.
    """
    require_grid(grid)
    return check_formula_proof(encode(grid, encoding, total=total), proof, run=run)


def check_formula_proof(cnf: Cnf, proof: Proof, *, run: Run | None = None) -> Verdict:
    """Whether `proof` shows that `cnf` has no model.

    Every clause that is added has to follow, by RUP or RAT on its first literal, until unit propagation alone
    finds a contradiction. `run` can watch, limit and cancel the check; its steps are those of the proof.
    """
    run = run or Run()
    if not run.fits(_bytes_to_begin(cnf, proof)):
        return GaveUp(StopReason.MEMORY)
    from gemhunter.kernels.drat import check as kernels
    from gemhunter.kernels.drat.antecedents import count_needed
    from gemhunter.kernels.drat.state import ADDED, CURSOR, IGNORED

    state = _beginning(cnf, proof)
    sizes = run.slice_sizes(FIRST_SLICE)
    while True:
        before = max(int(state.numbers[CURSOR]) - cnf.size, 0)
        code = kernels.check(state, next(sizes))
        steps = max(int(state.numbers[CURSOR]) - cnf.size, 0)
        limit = run.spend(steps - before)
        if code == kernels.REJECTED:
            return Rejected(steps + 1, _why_rejected(proof, steps))
        if code == kernels.ENDED:
            return Rejected(None, "all steps follow, but they end without a contradiction")
        if code == kernels.ACCEPTED:
            places = state.kinds.size + state.known.size
            needed = count_needed(state, np.zeros(places, np.int8), np.empty(places, np.int32))
            checked = np.count_nonzero(state.kinds[cnf.size : cnf.size + steps] == ADDED)
            return Accepted(int(checked), int(needed), int(state.numbers[IGNORED]))
        if code == kernels.GROW:
            if not run.fits(_bytes_of(state) + state.pool.nbytes + state.hints.nbytes):
                return GaveUp(StopReason.MEMORY)
            state = _with_more_room(state)
        if limit is not None:
            return GaveUp(limit)


def _why_rejected(proof: Proof, index: int) -> str:
    literals = proof.literals[proof.starts[index] : proof.starts[index + 1]].tolist()
    if not literals:
        return "unit propagation finds no contradiction, so the empty clause does not follow"
    return (
        f"the clause does not follow by unit propagation, nor is it RAT on its first literal, {literals[0]}"
    )


def _bytes_to_begin(cnf: Cnf, proof: Proof) -> int:
    """What the arrays of a check take, if each literal of the proof had a variable of its own."""
    literals, steps = cnf.literals.size + proof.literals.size, cnf.size + proof.size
    variables = cnf.variables + proof.literals.size
    return 20 * literals + 50 * steps + 60 * variables + 8 * ROOM


def _bytes_of(state: "Check") -> int:
    return sum(array.nbytes for array in state)


def _beginning(cnf: Cnf, proof: Proof) -> "Check":
    """The steps, first the clauses of the formula and then those of the proof, none of them looked at yet."""
    from gemhunter.kernels.drat.state import ADDED, BROKEN, DELETION, GIVEN, LISTED, NONE, Check

    literals, variables = _numbered(np.concatenate([cnf.literals, proof.literals]), cnf.variables)
    starts = np.concatenate([cnf.starts, proof.starts[1:] + cnf.literals.size])
    kinds = np.where(proof.deletes, DELETION, ADDED)
    steps = cnf.size + proof.size
    numbers = np.zeros(LISTED + 1, np.int64)
    numbers[BROKEN] = NONE
    return Check(
        kinds=np.concatenate([np.full(cnf.size, GIVEN), kinds]).astype(np.int8),
        literals=literals,
        starts=starts,
        ends=starts[:-1].copy(),
        pool=np.zeros(ROOM, np.int32),
        at=np.zeros(2 * variables, np.int64),
        watched=np.zeros(2 * variables, np.int32),
        room=np.zeros(2 * variables, np.int32),
        value=np.zeros(2 * variables, np.int8),
        reason=np.zeros(variables, np.int32),
        trail=np.zeros(variables, np.int32),
        known=np.zeros(variables, np.int8),
        marked=np.zeros(2 * variables, np.int8),
        mixed=np.random.default_rng(0).integers(2**62, size=2 * variables),
        prints=np.zeros(steps, np.int64),
        buckets=np.full(1 << max(steps, 1).bit_length(), NONE, np.int32),
        following=np.full(steps, NONE, np.int32),
        hints=np.zeros(ROOM, np.int32),
        since=np.zeros(steps + 1, np.int64),
        occurs=np.full(2 * variables, NONE, np.int32),
        next_place=np.full(literals.size, NONE, np.int32),
        owner=np.repeat(np.arange(steps, dtype=np.int32), np.diff(starts)),
        numbers=numbers,
    )


def _numbered(literals: NDArray[np.int32], variables: int) -> tuple[NDArray[np.int32], int]:
    """Literal v as 2v-2 and -v as 2v-1, and how many variables there are.

    A proof may bring new variables with any numbers; they get the next ones.
    """
    numbers = np.abs(literals.astype(np.int64)) - 1
    new = numbers >= variables
    if new.any():
        names, places = np.unique(numbers[new], return_inverse=True)
        numbers[new] = variables + places
        variables += names.size
    return (2 * numbers + (literals < 0)).astype(np.int32), variables


def _with_more_room(state: "Check") -> "Check":
    """The same with twice the room for watches and hints, whichever it was that ran out."""
    pool, hints = (np.concatenate([array, np.zeros_like(array)]) for array in (state.pool, state.hints))
    return state._replace(pool=pool, hints=hints)
