"""The question "does this proof show that there is no solution?"."""

from dataclasses import dataclass
from typing import NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encode import encode
from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.proof import Proof
from gemhunter.core.grid import Grid, require_grid
from gemhunter.kernels.codes import GROW, NONE
from gemhunter.kernels.drat.antecedents import count_needed
from gemhunter.kernels.drat.check import ACCEPTED, ENDED, REJECTED, check
from gemhunter.kernels.drat.state import (
    ADDED,
    CHECK_NUMBERS,
    CURRENT_STEP,
    DELETION,
    FINAL_CONFLICT,
    IGNORED_DELETIONS,
    ORIGINAL,
    ProofCheck,
)
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

FIRST_SLICE_WATCHES = 50_000
"""Watches to look at before the first look at the clock."""

FIRST_SPACE = 2**16
"""How many numbers there is space for at first, in watches and in antecedents; it doubles when needed."""


class _NoVerdictTruth:
    """A verdict is not a truth value: `if check_proof(…):` would accept a rejected proof."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict is neither true nor false; match it: Accepted, Rejected or GaveUp")


@dataclass(frozen=True, slots=True)
class Accepted(_NoVerdictTruth):
    """The proof shows that there is no solution.

    `checked` clauses follow and were added before the conflict, which rests on `needed` of them;
    `passed_over` deletions were not carried out.
    """

    checked: int
    needed: int
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class Rejected(_NoVerdictTruth):
    """The proof shows nothing: `step`, counted from 1, is the first step that does not follow.

    It is None if all steps follow but do not lead to a conflict.
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

    It is checked against the clauses of `encode(grid, encoding, total=total)`, by code that no engine uses.
    """
    require_grid(grid)
    return check_formula_proof(encode(grid, encoding, total=total), proof, run=run)


def check_formula_proof(cnf: Cnf, proof: Proof, *, run: Run | None = None) -> Verdict:
    """Whether `proof` shows that `cnf` has no model.

    Every clause that is added has to follow, by RUP or by RAT on its first literal, until unit propagation
    alone finds a conflict. `run` can watch, limit and cancel the check; its steps are those of the proof.
    """
    run = run or Run()
    if not run.fits(_bytes_to_begin(cnf, proof)):
        return GaveUp(StopReason.MEMORY)
    state = _beginning(cnf, proof)
    sizes = run.slice_sizes(FIRST_SLICE_WATCHES)
    while True:
        before = max(int(state.numbers[CURRENT_STEP]) - cnf.size, 0)
        code = check(state, next(sizes))
        steps = max(int(state.numbers[CURRENT_STEP]) - cnf.size, 0)
        limit = run.spend(steps - before)
        if code == REJECTED:
            return Rejected(steps + 1, _why_rejected(proof, steps))
        if code == ENDED:
            return Rejected(None, "all steps follow, but they end without a contradiction")
        if code == ACCEPTED:
            places = state.kinds.size + state.is_permanent.size
            needed = count_needed(state, np.zeros(places, np.int8), np.empty(places, np.int32))
            checked = np.count_nonzero(state.kinds[cnf.size : cnf.size + steps] == ADDED)
            return Accepted(int(checked), int(needed), int(state.numbers[IGNORED_DELETIONS]))
        if code == GROW:
            if not run.fits(_bytes_of(state) + _bytes_to_grow(state)):
                return GaveUp(StopReason.MEMORY)
            state = _with_more_space(state)
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
    """How many bytes a check takes at first, if each literal of the proof had a variable of its own."""
    literals, steps = cnf.literals.size + proof.literals.size, cnf.size + proof.size
    variables = cnf.variables + proof.literals.size
    return 20 * literals + 50 * steps + 60 * variables + 8 * FIRST_SPACE


def _bytes_of(state: ProofCheck) -> int:
    return sum(array.nbytes for array in state)


def _beginning(cnf: Cnf, proof: Proof) -> ProofCheck:
    """A check of no step yet: the clauses of the formula are the first steps, those of the proof follow."""
    literals, variables = _numbered(np.concatenate([cnf.literals, proof.literals]), cnf.variables)
    starts = np.concatenate([cnf.starts, proof.starts[1:] + cnf.literals.size])
    kinds = np.where(proof.deletes, DELETION, ADDED)
    steps = cnf.size + proof.size
    numbers = np.zeros(CHECK_NUMBERS, np.int64)
    numbers[FINAL_CONFLICT] = NONE
    return ProofCheck(
        kinds=np.concatenate([np.full(cnf.size, ORIGINAL), kinds]).astype(np.int8),
        literals=literals,
        starts=starts,
        ends=starts[:-1].copy(),
        owner=np.repeat(np.arange(steps, dtype=np.int32), np.diff(starts)),
        is_false=np.zeros(2 * variables, np.int8),
        falsified=np.zeros(variables, np.int32),
        reason=np.zeros(variables, np.int32),
        is_permanent=np.zeros(variables, np.int8),
        marked=np.zeros(2 * variables, np.int8),
        watch_place=np.zeros(FIRST_SPACE // 2, np.int32),
        watch_blocker=np.zeros(FIRST_SPACE // 2, np.int32),
        watches_at=np.zeros(2 * variables, np.int64),
        watch_count=np.zeros(2 * variables, np.int32),
        watch_room=np.zeros(2 * variables, np.int32),
        random_words=np.random.default_rng(0).integers(2**62, size=2 * variables),
        fingerprints=np.zeros(steps, np.int64),
        buckets=np.full(1 << max(steps, 1).bit_length(), NONE, np.int32),
        next_in_bucket=np.full(steps, NONE, np.int32),
        antecedents=np.zeros(FIRST_SPACE, np.int32),
        antecedents_at=np.zeros(steps + 1, np.int64),
        first_occurrence=np.full(2 * variables, NONE, np.int32),
        next_occurrence=np.full(literals.size, NONE, np.int32),
        numbers=numbers,
    )


def _numbered(literals: NDArray[np.int32], variables: int) -> tuple[NDArray[np.int32], int]:
    """Literal v as 2v-2 and -v as 2v-1, and the number of variables.

    A proof may have new variables with any numbers; they get the next free ones.
    """
    numbers = np.abs(literals.astype(np.int64)) - 1
    new = numbers >= variables
    if new.any():
        names, places = np.unique(numbers[new], return_inverse=True)
        numbers[new] = variables + places
        variables += names.size
    return (2 * numbers + (literals < 0)).astype(np.int32), variables


def _bytes_to_grow(state: ProofCheck) -> int:
    return state.watch_place.nbytes + state.watch_blocker.nbytes + state.antecedents.nbytes


def _with_more_space(state: ProofCheck) -> ProofCheck:
    """Double the space for watches and antecedents, whichever ran out."""
    return state._replace(
        watch_place=_doubled(state.watch_place),
        watch_blocker=_doubled(state.watch_blocker),
        antecedents=_doubled(state.antecedents),
    )


def _doubled(array: NDArray[np.int32]) -> NDArray[np.int32]:
    # One more, so that an array of size 0 grows too.
    return np.concatenate([array, np.zeros(array.size + 1, array.dtype)])
