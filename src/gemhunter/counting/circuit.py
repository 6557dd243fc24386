"""The circuit of a board: all tables of a count, and how their states arise from each other.

Every question about all solutions is answered from it: it is built once, within the limits of a run, and
weighed in slices, forwards for sums and backwards for the share of each cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import Grid
from gemhunter.counting.plan import ADD_CELL, BEGIN_TABLE, BoardPlan, CountPlan, NoSolution, plan_board
from gemhunter.jit.arrays import Floats, Ints
from gemhunter.jit.kernel import kernel
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

# The tables of a count, each made of one or two before it; `plan` says what their sorted keys mean.


Links = NDArray[np.int32]

NO_LINK = -1
TABLE_FULL = -1


@kernel
def extend(
    old: Ints,
    new: Ints,
    gem: Links,
    trap: Links,
    step: int,
    bias: int,
    least: int,
    guard: int,
    finished: int,
) -> int:
    """Decide one cell: state i of the new table is `old[gem[i]]` with a gem, or `old[trap[i]]` with a trap.

    Either can be `NO_LINK`. Adding one number to all keys keeps them sorted, so the new table is the old one
    merged with itself moved. Returns how many states there are, or `TABLE_FULL`.
    """
    size, room = old.size, new.size
    count, i, j = 0, 0, 0
    while True:
        while i < size and ((old[i] + bias) & guard or ((old[i] | guard) - least) & guard != guard):
            i += 1
        while j < size:
            moved = old[j] + step
            if (moved + bias) & guard == 0 and ((moved | guard) - least) & guard == guard:
                break
            j += 1
        if i == size and j == size:
            return count
        if count == room:
            return TABLE_FULL
        if j == size or (i < size and old[i] < old[j] + step):
            new[count] = old[i] - finished
            gem[count] = i
            trap[count] = NO_LINK
            i += 1
        elif i == size or old[i] > old[j] + step:
            new[count] = old[j] + step - finished
            gem[count] = NO_LINK
            trap[count] = j
            j += 1
        else:
            new[count] = old[i] - finished
            gem[count] = i
            trap[count] = j
            i += 1
            j += 1
        count += 1


@kernel
def scattered(key: int) -> int:
    """A number that differs in its low bits for keys that differ anywhere; it stays within 63 bits."""
    return ((key & 0x7FFFFFFF) * 0x5BD1E995 + (key >> 31) * 0x1B873593) >> 15


@kernel
def join(
    left: Ints,
    right: Ints,
    new: Ints,
    pairs: Links,
    bias: int,
    least: int,
    guard: int,
    finished: int,
    bound: float,
) -> tuple[int, int]:
    """Put two tables together: row p of `pairs` has a state of each, and the state that comes of them.

    `bound` is the most states there can be. Returns how many states and how many pairs there are, or
    `TABLE_FULL` and which of the two has none: 0 for states, 1 for pairs.
    """
    most = min(bound, float(left.size) * float(right.size), float(new.size) + 1.0)
    slots = 16
    while slots < 2 * most:
        slots *= 2
    owner = np.full(slots, NO_LINK, np.int64)
    found = np.empty(slots // 2 + 1, np.int64)
    count, made = 0, 0
    for i in range(left.size):
        for j in range(right.size):
            key = left[i] + right[j]
            if (key + bias) & guard or ((key | guard) - least) & guard != guard:
                continue
            slot = scattered(key) & (slots - 1)
            while owner[slot] != NO_LINK and owner[slot] != key:
                slot = (slot + 1) & (slots - 1)
            if owner[slot] == NO_LINK:
                if count == new.size:
                    return TABLE_FULL, 0
                owner[slot] = key
                found[count] = slot
                count += 1
            if made == pairs.shape[0]:
                return TABLE_FULL, 1
            pairs[made, 0] = i
            pairs[made, 1] = j
            pairs[made, 2] = slot
            made += 1
    for i in range(count):
        new[i] = owner[found[i]]
    new[:count].sort()
    for i in range(count):
        key = new[i]
        slot = scattered(key) & (slots - 1)
        while owner[slot] != key:
            slot = (slot + 1) & (slots - 1)
        owner[slot] = -2 - i
        new[i] = key - finished
    for i in range(made):
        pairs[i, 2] = -2 - owner[pairs[i, 2]]
    return count, made


# All tables of a count and how their states arise from each other: what every question is answered from.


COMPLETE, INCOMPLETE, NO_STATES, NO_PAIRS, EMPTY_TABLE = 0, 1, 2, 3, 4

NEXT_STEP, STACK_DEPTH = 0, 1
"""Places in `Circuit.numbers`: the step to make next, and the number of tables on the stack."""


class Circuit(NamedTuple):
    """Step s makes the states from `starts[s]` to `starts[s+1]`, of the table that step `below[s]` has made.

    For a cell, state i arises from `gem[i]` with a gem and from `trap[i]` with a trap, counted in the
    table below. For a join with the table of step `beside[s]`, row p of `pairs`, from `pair_starts[s]` to
    `pair_starts[s+1]`, is a state of the table below, one of the table beside it and the state that
    arises. State i has at least `fewest[i]` and at most `most[i]` traps.
    """

    starts: Ints
    below: Ints
    beside: Ints
    pair_starts: Ints
    keys: Ints
    gem: Links
    trap: Links
    fewest: Links
    most: Links
    pairs: Links
    stack: Ints
    numbers: Ints


@kernel
def make_circuit(steps: int, states: int, pairs: int) -> Circuit:
    """An empty circuit with room for `states` states and `pairs` pairs."""
    return Circuit(
        np.zeros(steps + 1, np.int64),
        np.full(steps, NO_LINK, np.int64),
        np.full(steps, NO_LINK, np.int64),
        np.zeros(steps + 1, np.int64),
        np.empty(states, np.int64),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty((pairs, 3), np.int32),
        np.empty(steps + 1, np.int64),
        np.zeros(2, np.int64),
    )


@kernel(
    estimate=lambda plan, steps, circuit, last: (
        1e-5 * min(last - circuit.starts[circuit.numbers[NEXT_STEP]], plan.bound[:steps].sum())
    )
)
def build(plan: CountPlan, steps: int, circuit: Circuit, last: int) -> int:
    """Make the tables of a plan one after the other, until there are `last` states or more.

    Returns `COMPLETE`, `INCOMPLETE`, or what ran out of room; the last two can be followed by another call.
    `EMPTY_TABLE` says that there is no solution: the table of the step that would be next has no states.
    """
    starts, pair_starts, keys = circuit.starts, circuit.pair_starts, circuit.keys
    gem, trap, fewest, most, pairs = circuit.gem, circuit.trap, circuit.fewest, circuit.most, circuit.pairs
    stack, numbers = circuit.stack, circuit.numbers
    step, depth = numbers[NEXT_STEP], numbers[STACK_DEPTH]
    while step < steps:
        begin, first = starts[step], pair_starts[step]
        if begin >= last:
            return INCOMPLETE
        made = 0
        if plan.kind[step] == BEGIN_TABLE:
            if begin == keys.size:
                return NO_STATES
            keys[begin], gem[begin], trap[begin], fewest[begin], most[begin] = 0, NO_LINK, NO_LINK, 0, 0
            count = 1
            depth += 1
        elif plan.kind[step] == ADD_CELL:
            source = stack[depth - 1]
            low, high = starts[source], starts[source + 1]
            count = extend(
                keys[low:high],
                keys[begin:],
                gem[begin:],
                trap[begin:],
                plan.step[step],
                plan.bias[step],
                plan.least[step],
                plan.guard[step],
                plan.finished[step],
            )
            if count == TABLE_FULL:
                return NO_STATES
            bound_by_cell(low, gem[begin : begin + count], trap[begin : begin + count], begin, fewest, most)
            circuit.below[step] = source
        else:
            left, right = stack[depth - 2], stack[depth - 1]
            low, high = starts[left], starts[right]
            count, made = join(
                keys[low : starts[left + 1]],
                keys[high : starts[right + 1]],
                keys[begin:],
                pairs[first:],
                plan.bias[step],
                plan.least[step],
                plan.guard[step],
                plan.finished[step],
                plan.bound[step],
            )
            if count == TABLE_FULL:
                return NO_STATES if made == 0 else NO_PAIRS
            bound_by_pairs(low, high, begin, count, pairs[first : first + made], fewest, most)
            circuit.below[step], circuit.beside[step] = left, right
            depth -= 1
        if count == 0:
            numbers[NEXT_STEP] = step
            return EMPTY_TABLE
        stack[depth - 1] = step
        starts[step + 1] = begin + count
        pair_starts[step + 1] = first + made
        step += 1
        numbers[NEXT_STEP], numbers[STACK_DEPTH] = step, depth
    return COMPLETE


@kernel
def bound_by_cell(low: int, gem: Links, trap: Links, begin: int, fewest: Links, most: Links) -> None:
    """The fewest and most traps of the states from `begin` on, which arise from the table at `low`."""
    for i in range(gem.size):
        state = begin + i
        if gem[i] == NO_LINK:
            fewest[state] = fewest[low + trap[i]] + 1
            most[state] = most[low + trap[i]] + 1
        elif trap[i] == NO_LINK:
            fewest[state] = fewest[low + gem[i]]
            most[state] = most[low + gem[i]]
        else:
            fewest[state] = min(fewest[low + gem[i]], fewest[low + trap[i]] + 1)
            most[state] = max(most[low + gem[i]], most[low + trap[i]] + 1)


@kernel
def bound_by_pairs(
    low: int, high: int, begin: int, count: int, pairs: Links, fewest: Links, most: Links
) -> None:
    """The fewest and most traps of `count` states from `begin` on, which join those at `low` and `high`."""
    most[begin : begin + count] = -1
    for pair in range(pairs.shape[0]):
        left, right, state = low + pairs[pair, 0], high + pairs[pair, 1], begin + pairs[pair, 2]
        few, many = fewest[left] + fewest[right], most[left] + most[right]
        if most[state] < 0:
            fewest[state], most[state] = few, many
        else:
            fewest[state] = min(fewest[state], few)
            most[state] = max(most[state], many)


# The states of a circuit weighed in floating point, forwards and backwards.
#
# A state has a weight, or with `by_traps` one for each number of traps that it can have: state i has
# `most[i] - fewest[i] + 1` of them from `values[spans[i]]` on. Those of step s are multiplied by
# `scale[s]`, a power of two. All are positive, so errors stay relative. With `only_whether` every positive
# weight becomes 1, so that no possibility is lost by being too small for a number. Only states that a
# solution goes through are weighed.


LARGE = 2.0**200

SMALLEST = 2.0**-960
"""A state whose weights are all smaller, beside one of 1, has lost precision."""


@kernel(estimate=lambda _, steps, circuit: 1e-6 * circuit.starts[steps])
def mark_live(plan: CountPlan, steps: int, circuit: Circuit) -> NDArray[np.bool_]:
    """Which states a solution goes through."""
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    pairs = circuit.pairs
    live = np.zeros(starts[steps], np.bool_)
    for root in plan.roots:
        live[starts[root]] = True
    for step in range(steps - 1, -1, -1):
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN_TABLE:
            continue
        low = starts[circuit.below[step]]
        if plan.kind[step] == ADD_CELL:
            for state in range(begin, end):
                if live[state] and gem[state] != NO_LINK:
                    live[low + gem[state]] = True
                if live[state] and trap[state] != NO_LINK:
                    live[low + trap[state]] = True
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                if live[begin + pairs[pair, 2]]:
                    live[low + pairs[pair, 0]] = True
                    live[high + pairs[pair, 1]] = True
    return live


@kernel(estimate=lambda _, states, __: 2e-7 * states)
def lay_out(circuit: Circuit, states: int, by_traps: bool) -> Ints:
    """Where the weights of each state begin; behind the last state, the number of weights."""
    spans = np.empty(states + 1, np.int64)
    at = 0
    for state in range(states):
        spans[state] = at
        at += circuit.most[state] - circuit.fewest[state] + 1 if by_traps else 1
    spans[states] = at
    return spans


@kernel
def rescale(
    live: NDArray[np.bool_], begin: int, end: int, spans: Ints, values: Floats, only_whether: bool
) -> float:
    """Bring the weights of the states from `begin` to `end` into range; returns what they are multiplied by.

    That is 0 if a live state has become too small for a number.
    """
    largest, scale = 0.0, 1.0
    for i in range(spans[begin], spans[end]):
        if only_whether and values[i] > 0.0:
            values[i] = 1.0
        largest = max(largest, values[i])
    while largest > LARGE:
        largest /= LARGE
        scale /= LARGE
    while 0.0 < largest < 1.0 / LARGE:
        largest *= LARGE
        scale *= LARGE
    for state in range(begin, end):
        heaviest = 0.0
        for i in range(spans[state], spans[state + 1]):
            values[i] *= scale
            heaviest = max(heaviest, values[i])
        if live[state] and heaviest < SMALLEST:
            return 0.0
    return scale


@kernel(
    estimate=lambda _, first, last, circuit, __, spans, *___: (
        2e-6 * (spans[circuit.starts[last]] - spans[circuit.starts[first]])
    )
)
def weigh(
    plan: CountPlan,
    first: int,
    last: int,
    circuit: Circuit,
    live: NDArray[np.bool_],
    spans: Ints,
    by_traps: bool,
    trap_weight: float,
    only_whether: bool,
    values: Floats,
    scale: Floats,
) -> bool:
    """Weigh the states of the steps from `first` to `last`, summed over the ways to reach them.

    Each trap counts `trap_weight`. False if weights differ by more than a number can hold.
    """
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    fewest, pairs = circuit.fewest, circuit.pairs
    for step in range(first, last):
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN_TABLE:
            values[spans[begin]] = 1.0
            continue
        low = starts[circuit.below[step]]
        if plan.kind[step] == ADD_CELL:
            for state in range(begin, end):
                if not live[state]:
                    continue
                to = spans[state]
                if gem[state] != NO_LINK:
                    source = low + gem[state]
                    shift = fewest[source] - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        values[to + shift + i - spans[source]] += values[i]
                if trap[state] != NO_LINK:
                    source = low + trap[state]
                    shift = fewest[source] + 1 - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        values[to + shift + i - spans[source]] += values[i] * trap_weight
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                left, right = low + pairs[pair, 0], high + pairs[pair, 1]
                state = begin + pairs[pair, 2]
                if not live[state]:
                    continue
                to = spans[state]
                if by_traps:
                    to += fewest[left] + fewest[right] - fewest[state]
                for i in range(spans[left], spans[left + 1]):
                    factor = values[i]
                    at = to + i - spans[left] - spans[right]
                    for j in range(spans[right], spans[right + 1]):
                        values[at + j] += factor * values[j]
        scale[step] = rescale(live, begin, end, spans, values, only_whether)
        if scale[step] == 0.0:
            return False
    return True


@kernel(estimate=lambda _, __, ___, values: 1e-7 * values.size)
def root_weights(plan: CountPlan, circuit: Circuit, spans: Ints, values: Floats) -> tuple[Floats, Ints, int]:
    """The weights of all parts one after the other, where each begins, and the fewest traps of all."""
    parts = plan.roots.size
    bounds = np.zeros(parts + 1, np.int64)
    fewest = 0
    for part in range(parts):
        step = plan.roots[part]
        first, last = circuit.starts[step], circuit.starts[step + 1]
        bounds[part + 1] = bounds[part] + spans[last] - spans[first]
        fewest += circuit.fewest[first]
    roots = np.empty(bounds[parts], np.float64)
    for part in range(parts):
        first = spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            roots[bounds[part] + i] = values[first + i]
    return roots, bounds, fewest


@kernel(estimate=lambda _, __, ___, ____, counts: 1e-7 * counts.size)
def root_shares(plan: CountPlan, circuit: Circuit, spans: Ints, bounds: Ints, counts: Floats) -> Floats:
    """What `trace_back` begins with: how much each weight of a root counts, and 0 for all others."""
    share = np.zeros(spans[-1], np.float64)
    for part in range(plan.roots.size):
        first = spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            share[first + i] = counts[bounds[part] + i]
    return share


@kernel(
    estimate=lambda _, first, last, circuit, __, spans, *___: (
        4e-6 * (spans[circuit.starts[last]] - spans[circuit.starts[first]])
    )
)
def trace_back(
    plan: CountPlan,
    first: int,
    last: int,
    circuit: Circuit,
    live: NDArray[np.bool_],
    spans: Ints,
    by_traps: bool,
    trap_weight: float,
    only_whether: bool,
    values: Floats,
    scale: Floats,
    share: Floats,
    with_traps: Floats,
    with_gems: Floats,
) -> None:
    """Go through the steps from `last` back to `first`, and find what the traps and gems of a cell weigh.

    For each cell, `with_traps` gets the weight of all solutions with a trap in it, and `with_gems` that of
    all with a gem. `share` has for each weight of a root how much it counts; the rest of it is filled in
    with what a weight adds to the sum over all solutions.
    """
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    fewest, pairs = circuit.fewest, circuit.pairs
    for step in range(last - 1, first - 1, -1):
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN_TABLE:
            continue
        low, factor = starts[circuit.below[step]], scale[step]
        if only_whether:
            for i in range(spans[begin], spans[end]):
                if share[i] > 0.0:
                    share[i] = 1.0
        if plan.kind[step] == ADD_CELL:
            with_trap, with_gem = 0.0, 0.0
            for state in range(begin, end):
                if not live[state]:
                    continue
                to = spans[state]
                if gem[state] != NO_LINK:
                    source = low + gem[state]
                    shift = fewest[source] - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        passed = share[to + shift + i - spans[source]] * factor
                        share[i] += passed
                        with_gem += passed * values[i]
                if trap[state] != NO_LINK:
                    source = low + trap[state]
                    shift = fewest[source] + 1 - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        passed = share[to + shift + i - spans[source]] * factor * trap_weight
                        share[i] += passed
                        with_trap += passed * values[i]
            with_traps[plan.cell[step]], with_gems[plan.cell[step]] = with_trap, with_gem
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                left, right = low + pairs[pair, 0], high + pairs[pair, 1]
                state = begin + pairs[pair, 2]
                if not live[state]:
                    continue
                to = spans[state]
                if by_traps:
                    to += fewest[left] + fewest[right] - fewest[state]
                for i in range(spans[left], spans[left + 1]):
                    at = to + i - spans[left] - spans[right]
                    for j in range(spans[right], spans[right + 1]):
                        passed = share[at + j] * factor
                        share[i] += passed * values[j]
                        share[j] += passed * values[i]


@kernel(estimate=lambda with_traps, _: 2e-7 * with_traps.size)
def all_certain(with_traps: Floats, with_gems: Floats) -> bool:
    """Whether every cell has a weight that is positive and finite."""
    sums = with_traps + with_gems
    return bool(np.all((sums > 0.0) & (sums < np.inf)))


# The circuit of a board: built once within the limits of runs, and weighed in slices, there and back.


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
    """The weight of every state, as `counting.circuit` lays them out, and how each trap counts."""

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
