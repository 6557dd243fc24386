"""The tables of a count, each made of one or two before it; `plan` says what their sorted keys mean."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

Ints = NDArray[np.int64]
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
