"""Unit propagation of the proof checker: false literals, and the watches that find the clauses they touch."""

from gemhunter.compiling.kernel import tight_kernel
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.drat.state import (
    CHECK_WORK,
    FALSE_COUNT,
    NO_SPACE,
    PROPAGATED_COUNT,
    WATCHES_TAKEN,
    ProofCheck,
)


@tight_kernel
def falsify(s: ProofCheck, literal: int, reason: int) -> None:
    """Make a literal false."""
    s.is_false[literal] = 1
    s.reason[literal >> 1] = reason
    s.falsified[s.numbers[FALSE_COUNT]] = literal
    s.numbers[FALSE_COUNT] += 1


@tight_kernel
def retract(s: ProofCheck, count: int) -> None:
    """Remove the latest false literals, until `count` are left."""
    while s.numbers[FALSE_COUNT] > count:
        s.numbers[FALSE_COUNT] -= 1
        s.is_false[s.falsified[s.numbers[FALSE_COUNT]]] = 0
    s.numbers[PROPAGATED_COUNT] = min(s.numbers[PROPAGATED_COUNT], count)


@tight_kernel
def propagate(s: ProofCheck) -> int:
    """Falsify the negations of all literals that unit clauses imply: the conflict clause, NONE or NO_SPACE.

    After NO_SPACE the literal that was being propagated has to be propagated again.
    """
    literals, is_false, falsified = s.literals, s.is_false, s.falsified
    index_with_margins, blocker_of = s.watch_place, s.watch_blocker
    done, count = s.numbers[PROPAGATED_COUNT], s.numbers[FALSE_COUNT]
    conflict = NONE
    while done < count and conflict == NONE:
        false = falsified[done]
        i = s.watches_at[false]
        end = i + s.watch_count[false]
        s.numbers[CHECK_WORK] += 1 + end - i
        lost = 0
        while i < end:
            # Close the gap that watches before this one have left. A true blocker satisfies the clause.
            place, blocker = index_with_margins[i], blocker_of[i]
            if lost:
                index_with_margins[i - lost] = place
                blocker_of[i - lost] = blocker
            i += 1
            if is_false[blocker ^ 1]:
                continue
            implied = blocker
            if place < 0:
                place = -1 - place
            else:
                one, other = literals[place], literals[place + 1]
                if one < 0:  # the clause has been deleted
                    lost += 1
                    continue
                watched = place
                implied = other
                if other == false:
                    watched = place + 1
                    implied = one
                if is_false[implied ^ 1]:
                    blocker_of[i - 1 - lost] = implied
                    continue
                # Look for a third literal that is not false, to be watched instead of the false one.
                third, last = place + 2, s.ends[s.owner[place]]
                while third < last and is_false[literals[third]]:
                    third += 1
                if third < last:
                    found = literals[third]
                    if not add_watch(s, found, place, implied):
                        conflict = NO_SPACE
                        break
                    literals[watched] = found
                    literals[third] = false
                    lost += 1
                    continue
            # All other literals are false: the last one is implied, unless it is false too.
            if is_false[implied]:
                conflict = s.owner[place]
                break
            is_false[implied ^ 1] = 1
            s.reason[implied >> 1] = s.owner[place]
            falsified[count] = implied ^ 1
            count += 1
        if lost:
            while i < end:
                index_with_margins[i - lost] = index_with_margins[i]
                blocker_of[i - lost] = blocker_of[i]
                i += 1
            s.watch_count[false] -= lost
        done += conflict == NONE
    s.numbers[PROPAGATED_COUNT], s.numbers[FALSE_COUNT] = done, count
    return conflict


@tight_kernel
def add_watch(s: ProofCheck, literal: int, place: int, blocker: int) -> bool:
    """Add a watch to the list of a literal; False if there is no space for it."""
    if not reserve_watch(s, literal):
        return False
    i = s.watches_at[literal] + s.watch_count[literal]
    s.watch_place[i] = place
    s.watch_blocker[i] = blocker
    s.watch_count[literal] += 1
    return True


@tight_kernel
def reserve_watch(s: ProofCheck, literal: int) -> bool:
    """Make sure that a literal can have one more watch, moving its list if necessary; False if it cannot."""
    count = s.watch_count[literal]
    if count < s.watch_room[literal]:
        return True
    room = max(4, 2 * count)
    old, new = s.watches_at[literal], s.numbers[WATCHES_TAKEN]
    if new + room > s.watch_place.size:
        return False
    for i in range(count):
        s.watch_place[new + i] = s.watch_place[old + i]
        s.watch_blocker[new + i] = s.watch_blocker[old + i]
    s.watches_at[literal] = new
    s.watch_room[literal] = room
    s.numbers[WATCHES_TAKEN] = new + room
    return True


@tight_kernel
def remove_watch(s: ProofCheck, literal: int, place: int) -> None:
    """Remove the watch with this place from the list of a literal, if it is there."""
    begin = s.watches_at[literal]
    last = begin + s.watch_count[literal] - 1
    for i in range(begin, last + 1):
        if s.watch_place[i] == place:
            s.watch_place[i] = s.watch_place[last]
            s.watch_blocker[i] = s.watch_blocker[last]
            s.watch_count[literal] -= 1
            return
