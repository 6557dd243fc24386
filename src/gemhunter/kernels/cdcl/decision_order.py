"""The heap of unassigned variables, ordered by activity (EVSIDS), and backjumping, which refills it."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import tight_kernel
from gemhunter.kernels.cdcl.state import (
    ACTIVITY_DECAY,
    ACTIVITY_INCREMENT,
    HEAP_SIZE,
    PHASE_SAVING,
    DecisionOrder,
    Int,
    Numbers,
    Rates,
    Trail,
)
from gemhunter.kernels.codes import (
    DECISION_LEVEL,
    QUEUE_HEAD,
    TRAIL_SIZE,
)
from gemhunter.kernels.random_state import RandomState, below

LARGEST_INCREMENT = 1e100
"""Beyond it all activities are scaled down, so that none overflows."""


@tight_kernel
def sift_up(order: DecisionOrder, at: Int) -> None:
    """Move the variable at an index of the heap up to where it belongs."""
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
def pop_most_active(order: DecisionOrder, numbers: Numbers) -> Int:
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
def next_unassigned(trail: Trail, order: DecisionOrder, numbers: Numbers) -> Int:
    """Take the most active unassigned variable out of the heap; -1 if all are assigned."""
    while numbers[HEAP_SIZE] > 0:
        v = pop_most_active(order, numbers)
        if trail.value[2 * v] == 0:
            return v
    return np.int64(-1)


@tight_kernel
def random_unassigned(trail: Trail, order: DecisionOrder, random: RandomState, numbers: Numbers) -> Int:
    """Take an unassigned variable, drawn at random, out of the heap; -1 if all are assigned.

    The last variable of the heap takes its place, which leaves a heap only if all activities are equal.
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
def bump_activities(order: DecisionOrder, variables: NDArray[np.int32], count: Int, rates: Rates) -> None:
    """Raise the activity of the first `count` variables, and then the increment, so that activities decay."""
    increment = rates[ACTIVITY_INCREMENT]
    for i in range(count):
        v = variables[i]
        order.activity[v] += increment
        at = order.place[v]
        if at >= 0:
            order.key[at] = order.activity[v]
            sift_up(order, at)
    rates[ACTIVITY_INCREMENT] = increment / rates[ACTIVITY_DECAY]
    if rates[ACTIVITY_INCREMENT] > LARGEST_INCREMENT:
        for i in range(order.activity.size):
            order.activity[i] /= rates[ACTIVITY_INCREMENT]
            order.key[i] /= rates[ACTIVITY_INCREMENT]
        rates[ACTIVITY_INCREMENT] = 1.0


@tight_kernel
def backjump(trail: Trail, order: DecisionOrder, numbers: Numbers, rates: Rates, level: Int) -> None:
    """Undo all assignments above a decision level, saving phases and putting variables back into the heap."""
    if numbers[DECISION_LEVEL] <= level:
        return
    value, phase, literals = trail.value, trail.phase, trail.literals
    heap, place = order.heap, order.place
    saves_phases = rates[PHASE_SAVING] > 0
    bottom = trail.starts[level]
    for i in range(numbers[TRAIL_SIZE] - 1, bottom - 1, -1):
        literal = np.int64(literals[i])
        v = literal >> 1
        value[literal] = 0
        value[literal ^ 1] = 0
        if saves_phases:
            phase[v] = literal & 1
        if place[v] < 0:
            at = numbers[HEAP_SIZE]
            heap[at] = v
            order.key[at] = order.activity[v]
            numbers[HEAP_SIZE] = at + 1
            sift_up(order, at)
    numbers[TRAIL_SIZE] = bottom
    numbers[QUEUE_HEAD] = bottom
    numbers[DECISION_LEVEL] = level


@tight_kernel
def reusable_level(trail: Trail, order: DecisionOrder, numbers: Numbers, least: Int) -> Int:
    """The level that a restart goes back to, at least `least`: it keeps decisions it would repeat at once."""
    v = next_unassigned(trail, order, numbers)
    if v < 0:
        return np.int64(numbers[DECISION_LEVEL])
    at = numbers[HEAP_SIZE]
    order.heap[at] = v
    order.key[at] = order.activity[v]
    numbers[HEAP_SIZE] = at + 1
    sift_up(order, at)
    level = np.int64(min(least, numbers[DECISION_LEVEL]))
    while level < numbers[DECISION_LEVEL]:
        if order.activity[trail.literals[trail.starts[level]] >> 1] <= order.activity[v]:
            break
        level += 1
    return level
