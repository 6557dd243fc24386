"""The circuit of a board: all tables of a count, and the links that say how their states arise.

It is an arithmetic circuit. A state that arises from one state with a gem or from another with a trap is a
sum; a state that two tables make together is a sum of products; at the end there is one state for each part.
All answers about all solutions come from two sweeps over the links. Forwards, each state gets its weight, the
number of ways to reach it. Backwards, each state gets its share, the number of ways to complete it. A link
that puts a trap into a cell is used by as many solutions as the weight below it times the share above it.

`BoardCircuit` builds the circuit once, within the limits of runs, and `CompleteCircuit` sweeps it in slices.
Below them are the kernels: `build` with `add_cell` and `join_tables`, then `sweep`.
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
from gemhunter.jit.kernel import Flags, Floats, Ints, kernel
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

Links = NDArray[np.int32]
Scalar = TypeVar("Scalar", bound=np.generic)

NO_LINK = -1
TABLE_FULL = -1

COMPLETE, INCOMPLETE, NO_STATES, NO_PAIRS, EMPTY_TABLE = 0, 1, 2, 3, 4
"""Why building stopped: it is done; it has made as many states as it may; there is no room for another state,
or for another pair; a table has no states, so there is no solution."""

NEXT_STEP, STACK_DEPTH = 0, 1
"""Places in `Circuit.numbers`: the next step, and the number of tables on the stack."""

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


class Circuit(NamedTuple):
    """The states of all tables; step s makes those from `starts[s]` to `starts[s+1]`, with the keys `keys`.

    `ADD_CELL` makes them from the table of step `below[s]`: state i arises from state `gem[i]` of that table
    with a gem and from state `trap[i]` with a trap; either can be `NO_LINK`. `JOIN_TABLES` makes them from
    the tables of steps `below[s]` and `beside[s]`: each row of `pairs` from `pair_starts[s]` to
    `pair_starts[s+1]` has a state of the first table, a state of the second, and the new state that they
    make. These links count from the beginning of their table. State i has at least `fewest[i]` and at most
    `most[i]` traps. `stack` has the steps whose tables are not used yet.
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


class Weights(NamedTuple):
    """The weight of every live state: the number of ways to reach it, each trap counted `trap_weight` times.

    A live state is one that a solution goes through. A state has one weight, or with `by_traps` one for each
    number of traps it can have: the weights of state i begin at `values[spans[i]]`, that for `fewest[i]`
    traps first. The weights of step s are multiplied by `scale[s]`, a power of two, to stay within range.
    Nothing is subtracted, so relative errors stay small. With `only_whether` every positive weight becomes 1,
    so that no possibility is lost because it is too small for a floating-point number.
    """

    live: Flags
    spans: Ints
    values: Floats
    scale: Floats
    by_traps: bool
    trap_weight: float
    only_whether: bool


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


# Building: one table after the other, each made from one or two earlier ones. `plan.py` explains their keys.


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

    Return `COMPLETE`, `INCOMPLETE`, what ran out of room, or `EMPTY_TABLE` if the next table has no states
    and there is no solution. A step that runs out of room leaves nothing behind, so a call with more room can
    repeat it.
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
        # The new table begins after all others, and replaces the topmost one or two on the stack.
        if plan.kind[step] == BEGIN_TABLE:
            if begin == keys.size:
                return NO_STATES
            keys[begin], gem[begin], trap[begin], fewest[begin], most[begin] = 0, NO_LINK, NO_LINK, 0, 0
            count = 1
            depth += 1
        elif plan.kind[step] == ADD_CELL:
            source = stack[depth - 1]
            low, high = starts[source], starts[source + 1]
            count = add_cell(plan, step, keys[low:high], keys[begin:], gem[begin:], trap[begin:])
            if count == TABLE_FULL:
                return NO_STATES
            bound_by_cell(low, gem[begin : begin + count], trap[begin : begin + count], begin, fewest, most)
            circuit.below[step] = source
        else:
            left, right = stack[depth - 2], stack[depth - 1]
            low, high = starts[left], starts[right]
            count, made = join_tables(
                plan,
                step,
                keys[low : starts[left + 1]],
                keys[high : starts[right + 1]],
                keys[begin:],
                pairs[first:],
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
def add_cell(plan: CountPlan, step: int, old: Ints, new: Ints, gem: Links, trap: Links) -> int:
    """Decide one cell: new state i arises from `old[gem[i]]` with a gem and from `old[trap[i]]` with a trap.

    Either can be `NO_LINK`. Return the number of new states, or `TABLE_FULL`.
    """
    bias, least, guard = plan.bias[step], plan.least[step], plan.guard[step]
    change, finished = plan.step[step], plan.finished[step]
    count, i, j = 0, 0, 0
    # Keys are sorted. A gem leaves them as they are, and a trap adds the same number to all, so the new table
    # is a merge of the old one with a shifted copy: i walks through the keys with a gem, j through those with
    # a trap. Where both have the same key, they make one state, which arises in two ways.
    while True:
        # Skip keys at which a clue has too many traps, or cannot get enough any more.
        while i < old.size and ((old[i] + bias) & guard or ((old[i] | guard) - least) & guard != guard):
            i += 1
        while j < old.size:
            moved = old[j] + change
            if (moved + bias) & guard == 0 and ((moved | guard) - least) & guard == guard:
                break
            j += 1
        if i == old.size and j == old.size:
            return count
        if count == new.size:
            return TABLE_FULL
        takes_gem = i < old.size and (j == old.size or old[i] <= old[j] + change)
        takes_trap = j < old.size and (i == old.size or old[j] + change <= old[i])
        # Keys that passed have equal digits for finished clues: what each clue needs. So subtracting them
        # keeps the keys sorted and distinct.
        new[count] = (old[i] if takes_gem else old[j] + change) - finished
        gem[count] = i if takes_gem else NO_LINK
        trap[count] = j if takes_trap else NO_LINK
        i += takes_gem
        j += takes_trap
        count += 1


@kernel
def bound_by_cell(low: int, gem: Links, trap: Links, begin: int, fewest: Links, most: Links) -> None:
    """Bound the traps of the states from `begin` on, which arise from the table at `low` by one more cell."""
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
def join_tables(
    plan: CountPlan, step: int, left: Ints, right: Ints, new: Ints, pairs: Links
) -> tuple[int, int]:
    """Join two tables with different cells: each row of `pairs` has a state of both, and the state they make.

    The traps of a clue add up, so the keys do. Return the numbers of states and pairs; or `TABLE_FULL` and 0
    if there is no room for states, 1 if there is none for pairs.
    """
    bias, least, guard = plan.bias[step], plan.least[step], plan.guard[step]
    # A hash table with open addressing, at most half full, finds equal sums of keys.
    most = min(plan.bound[step], float(left.size) * float(right.size), float(new.size) + 1.0)
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
    # Sort the new table, because `add_cell` merges sorted ones. In the hash table, replace each key by its
    # rank r, stored as -2 - r, which no key can equal. Then replace the slot in each pair by that rank.
    for i in range(count):
        new[i] = owner[found[i]]
    new[:count].sort()
    for i in range(count):
        key = new[i]
        slot = scattered(key) & (slots - 1)
        while owner[slot] != key:
            slot = (slot + 1) & (slots - 1)
        owner[slot] = -2 - i
        new[i] = key - plan.finished[step]
    for i in range(made):
        pairs[i, 2] = -2 - owner[pairs[i, 2]]
    return count, made


@kernel
def scattered(key: int) -> int:
    """A hash of a key that mixes all its bits into the low ones; it stays within 63 bits."""
    return ((key & 0x7FFFFFFF) * 0x5BD1E995 + (key >> 31) * 0x1B873593) >> 15


@kernel
def bound_by_pairs(
    low: int, high: int, begin: int, count: int, pairs: Links, fewest: Links, most: Links
) -> None:
    """Bound the traps of `count` states from `begin` on, which join states from `low` and from `high` on."""
    most[begin : begin + count] = -1
    for pair in range(pairs.shape[0]):
        left, right, state = low + pairs[pair, 0], high + pairs[pair, 1], begin + pairs[pair, 2]
        few, many = fewest[left] + fewest[right], most[left] + most[right]
        if most[state] < 0:
            fewest[state], most[state] = few, many
        else:
            fewest[state] = min(fewest[state], few)
            most[state] = max(most[state], many)


# Weighing: forwards, the ways to reach each state; backwards, what each state adds to the whole.


@kernel(estimate=lambda _, steps, circuit: 1e-6 * circuit.starts[steps])
def mark_live(plan: CountPlan, steps: int, circuit: Circuit) -> NDArray[np.bool_]:
    """Mark the states that a solution goes through, from the roots of the parts backwards."""
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
def place_weights(circuit: Circuit, states: int, by_traps: bool) -> Ints:
    """Where the weights of each state begin; after the last state, the number of weights."""
    spans = np.empty(states + 1, np.int64)
    at = 0
    for state in range(states):
        spans[state] = at
        at += circuit.most[state] - circuit.fewest[state] + 1 if by_traps else 1
    spans[states] = at
    return spans


@kernel(
    estimate=lambda _, first, last, circuit, w, *more: (
        (4e-6 if more[-1] else 2e-6) * (w.spans[circuit.starts[last]] - w.spans[circuit.starts[first]])
    )
)
def sweep(
    plan: CountPlan,
    first: int,
    last: int,
    circuit: Circuit,
    w: Weights,
    share: Floats,
    with_trap: Floats,
    with_gem: Floats,
    backwards: bool,
) -> bool:
    """Follow every link between the states of the steps from `first` to `last`, forwards or backwards.

    Forwards, each state sums the weights of the states that it arises from. Return false if weights exceed
    the range of floating-point numbers. Backwards (the chain rule), `share` says at first how much each
    weight of a root counts. Each state passes its share on to the states that it arises from, until `share`
    says how much each weight counts in the sum over all solutions. For each cell, `with_trap` gets the weight
    of all solutions with a trap in it, and `with_gem` of those with a gem. Forwards these three arrays are
    not used.
    """
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    fewest, pairs = circuit.fewest, circuit.pairs
    live, spans, values, scale, by_traps = w.live, w.spans, w.values, w.scale, w.by_traps
    for number in range(last - first):
        step = last - 1 - number if backwards else first + number
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN_TABLE:
            if not backwards:
                values[spans[begin]] = 1.0
            continue
        # Forwards, this step's weights were multiplied by `factor`, so backwards its shares are too.
        low, factor = starts[circuit.below[step]], scale[step]
        if backwards and w.only_whether:
            for i in range(spans[begin], spans[end]):
                if share[i] > 0.0:
                    share[i] = 1.0
        if plan.kind[step] == ADD_CELL:
            for state in range(begin, end):
                if not live[state]:
                    continue
                for is_trap in range(2):
                    link = trap[state] if is_trap else gem[state]
                    if link == NO_LINK:
                        continue
                    source = low + link
                    # Weight i of the source goes into weight `to + i` of the state: with `by_traps`, the one
                    # for as many traps, or one more.
                    to = spans[state] - spans[source]
                    if by_traps:
                        to += fewest[source] + is_trap - fewest[state]
                    cell_weight = w.trap_weight if is_trap else 1.0
                    if backwards:
                        sums = with_trap if is_trap else with_gem
                        total = sums[plan.cell[step]]
                        for i in range(spans[source], spans[source + 1]):
                            passed = share[to + i] * factor * cell_weight
                            share[i] += passed
                            total += passed * values[i]
                        sums[plan.cell[step]] = total
                    else:
                        for i in range(spans[source], spans[source + 1]):
                            values[to + i] += values[i] * cell_weight
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                left, right = low + pairs[pair, 0], high + pairs[pair, 1]
                state = begin + pairs[pair, 2]
                if not live[state]:
                    continue
                # Weights i and j of the two states go into weight `to + i + j` of the state they make.
                to = spans[state] - spans[left] - spans[right]
                if by_traps:
                    to += fewest[left] + fewest[right] - fewest[state]
                for i in range(spans[left], spans[left + 1]):
                    if backwards:
                        for j in range(spans[right], spans[right + 1]):
                            passed = share[to + i + j] * factor
                            share[i] += passed * values[j]
                            share[j] += passed * values[i]
                    else:
                        weight = values[i]
                        for j in range(spans[right], spans[right + 1]):
                            values[to + i + j] += weight * values[j]
        if not backwards:
            scale[step] = rescale(live, begin, end, spans, values, w.only_whether)
            if scale[step] == 0.0:
                return False
    return True


@kernel
def rescale(
    live: NDArray[np.bool_], begin: int, end: int, spans: Ints, values: Floats, only_whether: bool
) -> float:
    """Multiply the weights of the states from `begin` to `end` to bring them into range; return the factor.

    It is 0 if the weights of a live state are too small for a floating-point number.
    """
    large = 2.0**200
    largest, scale = 0.0, 1.0
    for i in range(spans[begin], spans[end]):
        if only_whether and values[i] > 0.0:
            values[i] = 1.0
        largest = max(largest, values[i])
    while largest > large:
        largest /= large
        scale /= large
    while 0.0 < largest < 1.0 / large:
        largest *= large
        scale *= large
    for state in range(begin, end):
        heaviest = 0.0
        for i in range(spans[state], spans[state + 1]):
            values[i] *= scale
            heaviest = max(heaviest, values[i])
        # Below this, parts of the sum may have fallen below the smallest normal number and lost precision.
        if live[state] and heaviest < 2.0**-960:
            return 0.0
    return scale


@kernel(estimate=lambda *arguments: 1e-7 * arguments[-1].values.size)
def root_weights(plan: CountPlan, circuit: Circuit, w: Weights) -> tuple[Floats, Ints, int]:
    """The weights of the roots of all parts, where those of each part begin, and the fewest traps in all."""
    parts = plan.roots.size
    bounds = np.zeros(parts + 1, np.int64)
    fewest = 0
    for part in range(parts):
        step = plan.roots[part]
        first, last = circuit.starts[step], circuit.starts[step + 1]
        bounds[part + 1] = bounds[part] + w.spans[last] - w.spans[first]
        fewest += circuit.fewest[first]
    roots = np.empty(bounds[parts], np.float64)
    for part in range(parts):
        first = w.spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            roots[bounds[part] + i] = w.values[first + i]
    return roots, bounds, fewest


@kernel(estimate=lambda _, __, ___, ____, counts: 1e-7 * counts.size)
def root_shares(plan: CountPlan, circuit: Circuit, spans: Ints, bounds: Ints, counts: Floats) -> Floats:
    """The shares with which `sweep` begins backwards: those of the roots, and 0 for all other weights."""
    share = np.zeros(spans[-1], np.float64)
    for part in range(plan.roots.size):
        first = spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            share[first + i] = counts[bounds[part] + i]
    return share


@kernel(estimate=lambda with_traps, _: 2e-7 * with_traps.size)
def all_certain(with_traps: Floats, with_gems: Floats) -> bool:
    """Whether the weight of all solutions is positive and finite at every cell."""
    sums = with_traps + with_gems
    return bool(np.all((sums > 0.0) & (sums < np.inf)))
