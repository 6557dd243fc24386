"""The circuit of a board: made when a question first needs it, swept in slices, and kept for the next one."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import Grid
from gemhunter.counting.circuit import (
    COMPLETE,
    EMPTY_TABLE,
    INCOMPLETE,
    NEXT_STEP,
    NO_PAIRS,
    NO_STATES,
    Circuit,
    build,
    make_circuit,
)
from gemhunter.counting.plan import BoardPlan, NoSolution, plan_board
from gemhunter.counting.sweep import Weights, mark_live, place_weights, root_shares, sweep
from gemhunter.jit.kernel import Flags, Floats, Ints
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

Scalar = TypeVar("Scalar", bound=np.generic)

STATE_LIMIT = 100_000_000
"""The most states made if the run has no step limit: about ten seconds of work."""

KEPT_STATE_LIMIT = 16_000_000
"""The most states, and the most pairs, kept at a time: 36 bytes for one of each."""

WEIGHT_BYTE_LIMIT = 4_000_000_000
"""The most bytes that weights take if the run has no memory limit."""

FIRST_STATE_SLICE = 10_000
FIRST_STATE_ROOM, FIRST_PAIR_ROOM = 4_096, 1_024

OUT_OF_RANGE = GaveUp(
    StopReason.UNDECIDED, "the weights of its solutions exceed the range of floating-point numbers"
)


class BoardCircuit:
    """The plan and the circuit of a board, which are made when a question first needs them, and then kept.

    Each question that shares them has its own run. The run is charged for every state that the question uses,
    even if another question made it, so a step limit stops each question where it would stop alone. States
    that exist already cost no time. If a question gives up, its states are kept for the next one.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._states, self._pairs = FIRST_STATE_ROOM, FIRST_PAIR_ROOM
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
            return self._build_rest(plan, run, self._built)
        return self._complete

    def _charged(self, plan: BoardPlan, run: Run, circuit: Circuit) -> GaveUp | None:
        """Charge a run for the states that are there; give up where making them would have."""
        has_grown = self._states + self._pairs > FIRST_STATE_ROOM + FIRST_PAIR_ROOM
        if has_grown and not run.fits(_circuit_bytes(self._states, self._pairs)):
            return GaveUp(StopReason.STATES, plan.width)
        # A step begins if the tables before it have fewer states than the run has steps left.
        begun = circuit.starts[: min(int(circuit.numbers[NEXT_STEP]) + 1, plan.steps)]
        left = run.steps_left
        stopped = begun.size if left is None else int(np.searchsorted(begun, left))
        if stopped < begun.size:
            return GaveUp(run.spend(int(begun[stopped])) or StopReason.STEPS, plan.width)
        limit = run.spend(_states_made(circuit))
        return GaveUp(limit, plan.width) if limit and self._complete is None else None

    def _build_rest(
        self, plan: BoardPlan, run: Run, circuit: Circuit
    ) -> "CompleteCircuit | NoSolution | GaveUp":
        """Make the states that are missing."""
        sizes = state_slice_sizes(run)
        while True:
            before = _states_made(circuit)
            answer = build(plan.plan, plan.steps, circuit, before + run.slice(next(sizes)))
            limit = run.spend(_states_made(circuit) - before)
            if answer == COMPLETE:
                self._complete = CompleteCircuit(plan, circuit)
                return self._complete
            if answer == EMPTY_TABLE:
                self._complete = NoSolution()
                return self._complete
            if limit or (answer == INCOMPLETE and run.steps >= STATE_LIMIT > (run.limits.steps or 0)):
                return GaveUp(limit or StopReason.STATES, plan.width)
            if answer == INCOMPLETE:
                continue
            # Double whichever array ran out of space, if the run may hold that much.
            states = self._states * (2 if answer == NO_STATES else 1)
            pairs = self._pairs * (2 if answer == NO_PAIRS else 1)
            if max(states, pairs) > KEPT_STATE_LIMIT or not run.fits(_circuit_bytes(states, pairs)):
                return GaveUp(StopReason.STATES, plan.width)
            self._states, self._pairs = states, pairs
            circuit = self._built = circuit._replace(
                keys=longer(circuit.keys, states),
                gem=longer(circuit.gem, states),
                trap=longer(circuit.trap, states),
                fewest=longer(circuit.fewest, states),
                most=longer(circuit.most, states),
                pairs=longer(circuit.pairs, pairs),
            )


def _circuit_bytes(states: int, pairs: int) -> int:
    return 24 * states + 12 * pairs


def _states_made(circuit: Circuit) -> int:
    return int(circuit.starts[circuit.numbers[NEXT_STEP]])


def state_slice_sizes(run: Run, weight: int = 1) -> Iterator[int]:
    """Yield how many states to make in each slice, if each is as much work as `weight` usual ones."""
    return run.slice_sizes(max(FIRST_STATE_SLICE // weight, 1))


def longer(array: NDArray[Scalar], length: int) -> NDArray[Scalar]:
    """A copy of an array with room for `length` rows."""
    grown = np.empty((length, *array.shape[1:]), array.dtype)
    grown[: array.shape[0]] = array
    return grown


@dataclass(frozen=True, eq=False)
class CompleteCircuit:
    """A plan and all its states, which are swept in slices that ask a run whether to continue."""

    board: BoardPlan
    states: Circuit

    @cached_property
    def live(self) -> Flags:
        """Which states a solution goes through."""
        return mark_live(self.board.plan, self.board.steps, self.states)

    def weigh(
        self, run: Run, *, by_traps: bool, trap_weight: float, only_whether: bool = False
    ) -> Weights | GaveUp:
        """Weigh every state; give up at a limit, or if weights exceed the range of floating-point numbers."""
        spans = place_weights(self.states, int(self.states.starts[self.board.steps]), by_traps)
        size = 24 * int(spans[-1])  # a weight, its share of the whole, and where it is
        if not run.fits(size) or (run.limits.memory is None and size > WEIGHT_BYTE_LIMIT):
            return GaveUp(StopReason.MEMORY, f"{spans[-1]:,} weights would not fit")
        values, scale, none = np.zeros(spans[-1]), np.ones(self.board.steps), np.empty(0)
        weights = Weights(self.live, spans, values, scale, by_traps, trap_weight, only_whether)
        gave_up = self._sweep(run, weights, none, none, none, backwards=False)
        return weights if gave_up is None else gave_up

    def trace_back(
        self, run: Run, weights: Weights, bounds: Ints, counts: Floats
    ) -> tuple[Floats, Floats] | GaveUp:
        """The weight of all solutions with a trap in each of `Parts.group_cells`, and with a gem.

        Each weight of the root of part p counts `counts[bounds[p]:bounds[p+1]]`.
        """
        share = root_shares(self.board.plan, self.states, weights.spans, bounds, counts)
        cells = self.board.parts.group_cells.size
        with_trap, with_gem = np.zeros(cells), np.zeros(cells)
        gave_up = self._sweep(run, weights, share, with_trap, with_gem, backwards=True)
        return (with_trap, with_gem) if gave_up is None else gave_up

    def _sweep(
        self, run: Run, w: Weights, share: Floats, with_trap: Floats, with_gem: Floats, *, backwards: bool
    ) -> GaveUp | None:
        plan, circuit, steps = self.board.plan, self.states, self.board.steps
        # Cut the steps into slices that take about the same time, 20 million additions each. Adding a cell
        # adds up a state's weights; each pair of a join multiplies all weights of one state with all of
        # another.
        sizes = np.diff(circuit.starts[: steps + 1])
        weights = np.diff(w.spans[circuit.starts[: steps + 1]])
        width = weights / np.maximum(sizes, 1)
        pairs = np.diff(circuit.pair_starts[: steps + 1])
        work = np.cumsum(weights + pairs * width[circuit.below[:steps]] * width[circuit.beside[:steps]])
        cuts = np.searchsorted(work, np.arange(0.0, work[-1] if steps else 0.0, 20_000_000)[1:])
        slices = list(pairwise([0, *sorted(set(cuts[cuts > 0].tolist())), steps]))
        for first, last in reversed(slices) if backwards else slices:
            if not sweep(plan, first, last, circuit, w, share, with_trap, with_gem, backwards):
                return OUT_OF_RANGE
            if limit := run.spend():
                return GaveUp(limit)
        return None
