"""The circuit of a count: all its tables, and the links that say how their states arise.

It is an arithmetic circuit. A state that arises from one state with a gem or from another with a trap is a
sum; a state that two tables make together is a sum of products; at the end there is one state for each part.
All answers about all solutions come from two sweeps over the links (`sweep.py`). Forwards, each state gets
its weight, the number of ways to reach it. Backwards, each state gets its share, the number of ways to
complete it. A link that puts a trap into a cell is used by as many solutions as the weight below it times the
share above it. `board_circuit.py` builds the circuit of a board and sweeps it, within the limits of runs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.counting.plan import ADD_CELL, BEGIN_TABLE, CountPlan
from gemhunter.jit.kernel import Ints, kernel

Links = NDArray[np.int32]

NO_LINK = -1
TABLE_FULL = -1

COMPLETE, INCOMPLETE, NO_STATES, NO_PAIRS, EMPTY_TABLE = 0, 1, 2, 3, 4
"""Why building stopped: it is done; it has made as many states as it may; there is no room for another state,
or for another pair; a table has no states, so there is no solution."""

NEXT_STEP, STACK_DEPTH = 0, 1
"""Places in `Circuit.numbers`: the next step, and the number of tables on the stack."""


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
