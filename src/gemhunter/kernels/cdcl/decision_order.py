"""The heap of open variables, ordered by activity (EVSIDS), and taking back what was assigned."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import tight_kernel
from gemhunter.kernels.cdcl.state import (
    BUMP,
    DECAY,
    HEAD,
    HEAP_SIZE,
    LEVEL,
    SAVING_PHASES,
    TRAIL_SIZE,
    Int,
    Numbers,
    Order,
    Rates,
    Trail,
)
from gemhunter.kernels.random_state import Chance, below

LARGEST_BUMP = 1e100


@tight_kernel
def sift_up(order: Order, at: Int) -> None:
    """Move the variable at a place of the heap up to where it belongs."""
    heap, place, key = order.heap, order.place, order.key
    v = heap[at]
    own = key[at]
    while at > 0:
        parent = (at - 1) >> 2
        if key[parent] >= own:
            break
        heap[at] = heap[parent]
        key[at] = key[parent]
        place[heap[at]] = at
        at = parent
    heap[at] = v
    key[at] = own
    place[v] = at


@tight_kernel
def pop_most_active(order: Order, numbers: Numbers) -> Int:
    """Take the most active variable out of the heap, which is not empty."""
    heap, place, key = order.heap, order.place, order.key
    top = np.int64(heap[0])
    place[top] = -1
    size = numbers[HEAP_SIZE] - 1
    numbers[HEAP_SIZE] = size
    v = heap[size]
    own = key[size]
    at = 0
    child = 1
    while child < size:
        largest = child
        for other in range(child + 1, min(child + 4, size)):
            if key[other] > key[largest]:
                largest = other
        if key[largest] <= own:
            break
        heap[at] = heap[largest]
        key[at] = key[largest]
        place[heap[at]] = at
        at = largest
        child = 4 * at + 1
    if size > 0:
        heap[at] = v
        key[at] = own
        place[v] = at
    return top


@tight_kernel
def next_open(trail: Trail, order: Order, numbers: Numbers) -> Int:
    """Take the most active open variable out of the heap; -1 if all are assigned."""
    while numbers[HEAP_SIZE] > 0:
        v = pop_most_active(order, numbers)
        if trail.value[2 * v] == 0:
            return v
    return np.int64(-1)


@tight_kernel
def random_open(trail: Trail, order: Order, random: Chance, numbers: Numbers) -> Int:
    """Take any open variable out of the heap, each as likely as the others; -1 if all are assigned.

    The last of the heap takes its place, which leaves a heap only as long as all activities are the same.
    """
    heap, place = order.heap, order.place
    while numbers[HEAP_SIZE] > 0:
        at = below(random, numbers[HEAP_SIZE])
        v = np.int64(heap[at])
        size = numbers[HEAP_SIZE] - 1
        numbers[HEAP_SIZE] = size
        heap[at] = heap[size]
        place[heap[at]] = at
        place[v] = -1
        if trail.value[2 * v] == 0:
            return v
    return np.int64(-1)


@tight_kernel
def bump(order: Order, variables: NDArray[np.int32], count: Int, rates: Rates) -> None:
    """Make the first `count` variables more active, and let all activities fade: later bumps weigh more."""
    weight = rates[BUMP]
    for i in range(count):
        v = variables[i]
        order.activity[v] += weight
        at = order.place[v]
        if at >= 0:
            order.key[at] = order.activity[v]
            sift_up(order, at)
    rates[BUMP] = weight / rates[DECAY]
    if rates[BUMP] > LARGEST_BUMP:
        for i in range(order.activity.size):
            order.activity[i] /= rates[BUMP]
            order.key[i] /= rates[BUMP]
        rates[BUMP] = 1.0


@tight_kernel
def go_back(trail: Trail, order: Order, numbers: Numbers, rates: Rates, level: Int) -> None:
    """Take back everything above a level; the heap gets the variables again, their phase remembers them."""
    if numbers[LEVEL] <= level:
        return
    value, phase, literals = trail.value, trail.phase, trail.literals
    heap, place = order.heap, order.place
    saving = rates[SAVING_PHASES] > 0
    bottom = trail.starts[level]
    for i in range(numbers[TRAIL_SIZE] - 1, bottom - 1, -1):
        literal = np.int64(literals[i])
        v = literal >> 1
        value[literal] = 0
        value[literal ^ 1] = 0
        if saving:
            phase[v] = literal & 1
        if place[v] < 0:
            at = numbers[HEAP_SIZE]
            heap[at] = v
            order.key[at] = order.activity[v]
            numbers[HEAP_SIZE] = at + 1
            sift_up(order, at)
    numbers[TRAIL_SIZE] = bottom
    numbers[HEAD] = bottom
    numbers[LEVEL] = level


@tight_kernel
def level_to_keep(trail: Trail, order: Order, numbers: Numbers, least: Int) -> Int:
    """How far a restart goes back, `least` at least: decisions that it would make again at once can stay."""
    v = next_open(trail, order, numbers)
    if v < 0:
        return np.int64(numbers[LEVEL])
    at = numbers[HEAP_SIZE]
    order.heap[at] = v
    order.key[at] = order.activity[v]
    numbers[HEAP_SIZE] = at + 1
    sift_up(order, at)
    level = np.int64(min(least, numbers[LEVEL]))
    while level < numbers[LEVEL]:
        if order.activity[trail.literals[trail.starts[level]] >> 1] <= order.activity[v]:
            break
        level += 1
    return level
