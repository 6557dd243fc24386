"""The circuit of a board: built once within the limits of runs, and weighed in slices, there and back."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import Grid
from gemhunter.counting.plan import BoardPlan, NoSolution, plan_board
from gemhunter.kernels.counting.circuit import (
    COMPLETE,
    EMPTY_TABLE,
    INCOMPLETE,
    NEXT_STEP,
    NO_STATES,
    Circuit,
    build,
    make_circuit,
)
from gemhunter.kernels.counting.weights import lay_out, mark_live, root_shares, trace_back, weigh
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)

STATE_LIMIT = 100_000_000
"""The number of states that are made where no step limit is given: about ten seconds."""

MOST_KEPT_STATES = 16_000_000
"""The number of states that are kept at a time, of some 40 bytes each."""

FIRST_STATE_SLICE = 10_000
STATES_AT_FIRST, PAIRS_AT_FIRST = 4_096, 1_024
BYTES_PER_STATE, BYTES_PER_PAIR = 24, 12

MOST_WEIGHT_BYTES = 4_000_000_000
"""What weights may take where there is no memory limit."""

BYTES_PER_WEIGHT = 24
"""A weight, its share of the whole, and where it is."""

WORK_PER_SLICE = 20_000_000
"""Additions between two looks at the clock."""

OUT_OF_RANGE = GaveUp(
    StopReason.UNDECIDED, "the weights of its solutions differ by more than a number can hold"
)


class BoardCircuit:
    """The plan and the circuit of a board: each is made when a question first needs it, and then kept.

    Questions that share one of these have a run each. A run is charged for every state that its question
    uses, whichever question made it. So a step limit stops a question where it would have stopped alone.
    Time is charged as it passes: what is there already takes none. A question that gives up leaves the
    states it has made to the next one.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._states, self._pairs = STATES_AT_FIRST, PAIRS_AT_FIRST
        self._built: Circuit | None = None
        self._complete: CompleteCircuit | NoSolution | None = None

    @cached_property
    def plan(self) -> BoardPlan | NoSolution | GaveUp:
        """The plan, or why there is none."""
        return plan_board(self.grid)

    def complete(self, run: Run) -> "CompleteCircuit | NoSolution | GaveUp":
        """The circuit with all its states; gives up at a limit of the run."""
        plan = self.plan
        if not isinstance(plan, BoardPlan):
            return plan
        if self._built is None:
            self._built = make_circuit(plan.steps, self._states, self._pairs)
        else:
            gave_up = self._charged(plan, run, self._built)
            if gave_up is not None:
                return gave_up
        if self._complete is None:
            return self._go_on(plan, run, self._built)
        return self._complete

    def _charged(self, plan: BoardPlan, run: Run, circuit: Circuit) -> GaveUp | None:
        """Charge a run for the states that are there; gives up where it would have while making them."""
        if self._states + self._pairs > STATES_AT_FIRST + PAIRS_AT_FIRST and not run.fits(self._size):
            return GaveUp(StopReason.STATES, plan.width)
        # A step begins if the tables before it have fewer states than the run has steps left.
        begun = circuit.starts[: min(int(circuit.numbers[NEXT_STEP]) + 1, plan.steps)]
        left = run.steps_left
        stopped = begun.size if left is None else int(np.searchsorted(begun, left))
        if stopped < begun.size:
            return GaveUp(run.spend(int(begun[stopped])) or StopReason.STEPS, plan.width)
        limit = run.spend(_made(circuit))
        return GaveUp(limit, plan.width) if limit and self._complete is None else None

    def _go_on(self, plan: BoardPlan, run: Run, circuit: Circuit) -> "CompleteCircuit | NoSolution | GaveUp":
        """Make the states that are missing."""
        sizes = state_slice_sizes(run)
        while True:
            made = _made(circuit)
            answer = build(plan.plan, plan.steps, circuit, made + run.slice(next(sizes)))
            limit = run.spend(_made(circuit) - made)
            if answer == COMPLETE:
                self._complete = CompleteCircuit(plan, circuit)
                return self._complete
            if answer == EMPTY_TABLE:
                self._complete = NoSolution()
                return self._complete
            if answer == INCOMPLETE:
                if limit or run.steps >= STATE_LIMIT > (run.limits.steps or 0):
                    return GaveUp(limit or StopReason.STATES, plan.width)
                continue
            if limit or not self._has_grown(run, answer):
                return GaveUp(limit or StopReason.STATES, plan.width)
            circuit = self._built = _longer_circuit(circuit, self._states, self._pairs)

    def _has_grown(self, run: Run, answer: int) -> bool:
        """Double the room for states or for pairs, if so much may be held."""
        states, pairs = self._states, self._pairs
        if answer == NO_STATES:
            self._states *= 2
        else:
            self._pairs *= 2
        if max(self._states, self._pairs) <= MOST_KEPT_STATES and run.fits(self._size):
            return True
        self._states, self._pairs = states, pairs
        return False

    @property
    def _size(self) -> int:
        """The bytes that the circuit takes."""
        return BYTES_PER_STATE * self._states + BYTES_PER_PAIR * self._pairs


def _made(circuit: Circuit) -> int:
    """The number of states that have been made."""
    return int(circuit.starts[circuit.numbers[NEXT_STEP]])


def state_slice_sizes(run: Run, weight: int = 1) -> Iterator[int]:
    """The number of states to make before the run is asked again, each as much work as `weight` others."""
    return run.slice_sizes(max(FIRST_STATE_SLICE // weight, 1))


def _longer_circuit(circuit: Circuit, states: int, pairs: int) -> Circuit:
    """A circuit with room for `states` states and `pairs` pairs."""
    return circuit._replace(
        keys=longer(circuit.keys, states),
        gem=longer(circuit.gem, states),
        trap=longer(circuit.trap, states),
        fewest=longer(circuit.fewest, states),
        most=longer(circuit.most, states),
        pairs=longer(circuit.pairs, pairs),
    )


def longer(array: NDArray[Scalar], length: int) -> NDArray[Scalar]:
    """A copy of an array with room for `length` rows."""
    grown = np.empty((length, *array.shape[1:]), array.dtype)
    grown[: array.shape[0]] = array
    return grown


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weight of every state, as `kernels.counting.weights` lays them out, and how each trap counts."""

    spans: Ints
    values: Floats
    scale: Floats
    by_traps: bool
    trap_weight: float
    only_whether: bool


@dataclass(frozen=True, eq=False)
class CompleteCircuit:
    """All states of a planned board, which are weighed in slices that ask a run whether to go on."""

    board: BoardPlan
    states: Circuit

    @cached_property
    def live(self) -> NDArray[np.bool_]:
        """Which states a solution goes through."""
        return mark_live(self.board.plan, self.board.steps, self.states)

    def weigh(
        self, run: Run, *, by_traps: bool, trap_weight: float, only_whether: bool = False
    ) -> Weights | GaveUp:
        """Weigh every state; gives up at a limit, or if weights differ by more than a number can hold."""
        circuit, steps = self.states, self.board.steps
        spans = lay_out(circuit, int(circuit.starts[steps]), by_traps)
        size = BYTES_PER_WEIGHT * int(spans[-1])
        if not run.fits(size) or (run.limits.memory is None and size > MOST_WEIGHT_BYTES):
            return GaveUp(StopReason.MEMORY, f"{spans[-1]:,} weights would not fit")
        found = Weights(spans, np.zeros(spans[-1]), np.ones(steps), by_traps, trap_weight, only_whether)
        for first, last in self._slices(spans):
            in_range = weigh(
                self.board.plan,
                first,
                last,
                circuit,
                self.live,
                spans,
                by_traps,
                trap_weight,
                only_whether,
                found.values,
                found.scale,
            )
            if not in_range:
                return OUT_OF_RANGE
            if limit := run.spend():
                return GaveUp(limit)
        return found

    def trace_back(
        self, run: Run, weights: Weights, bounds: Ints, counts: Floats
    ) -> tuple[Floats, Floats] | GaveUp:
        """For each cell of a part, the weight of all solutions with a trap in it, and with a gem.

        Weight i of part p, from `bounds[p]` on, counts `counts[i]`.
        """
        share = root_shares(self.board.plan, self.states, weights.spans, bounds, counts)
        cells = self.board.parts.group_cells.size
        with_trap, with_gem = np.zeros(cells), np.zeros(cells)
        for first, last in reversed(list(self._slices(weights.spans))):
            trace_back(
                self.board.plan,
                first,
                last,
                self.states,
                self.live,
                weights.spans,
                weights.by_traps,
                weights.trap_weight,
                weights.only_whether,
                weights.values,
                weights.scale,
                share,
                with_trap,
                with_gem,
            )
            if limit := run.spend():
                return GaveUp(limit)
        return with_trap, with_gem

    def _slices(self, spans: Ints) -> Iterator[tuple[int, int]]:
        """Ranges of steps that take about the same time each."""
        circuit, steps = self.states, self.board.steps
        sizes = np.diff(circuit.starts[: steps + 1])
        weights = np.diff(spans[circuit.starts[: steps + 1]])
        width = weights / np.maximum(sizes, 1)
        pairs = np.diff(circuit.pair_starts[: steps + 1])
        # A pair multiplies all weights of one state with all of another; a cell adds up a state's own.
        work = np.cumsum(weights + pairs * width[circuit.below[:steps]] * width[circuit.beside[:steps]])
        cuts = np.searchsorted(work, np.arange(0.0, work[-1] if steps else 0.0, WORK_PER_SLICE)[1:])
        yield from pairwise([0, *sorted(set(cuts[cuts > 0].tolist())), steps])
