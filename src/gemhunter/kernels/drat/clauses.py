"""The clauses that a proof is checked against: added, found by their literals, and deleted."""

from gemhunter.compiling.kernel import tight_kernel
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.drat.propagate import add_watch, falsify, remove_watch, reserve_watch
from gemhunter.kernels.drat.state import DELETED, FINAL_CONFLICT, IGNORED_DELETIONS, TAUTOLOGY, ProofCheck


@tight_kernel
def drop_repeated(s: ProofCheck, start: int, end: int) -> int:
    """Drop repeated literals, keeping the order; the new end, or minus the new end for a tautology."""
    literals, marked = s.literals, s.marked
    kept = start
    sign = 1
    for i in range(start, end):
        literal = literals[i]
        if marked[literal]:
            continue
        if marked[literal ^ 1]:
            sign = -1
        marked[literal] = 1
        literals[kept] = literal
        kept += 1
    for i in range(start, kept):
        marked[literals[i]] = 0
    return sign * kept


@tight_kernel
def attach(s: ProofCheck, step: int, end: int) -> bool:
    """Add a clause: watch it, or record what it decides for good; False if there is no space for watches."""
    literals, is_false = s.literals, s.is_false
    start = s.starts[step]
    first, second = NONE, NONE
    for i in range(start, end):
        if is_false[literals[i] ^ 1]:
            return True
        if not is_false[literals[i]]:
            if first == NONE:
                first = i
            elif second == NONE:
                second = i
    if first == NONE:
        s.numbers[FINAL_CONFLICT] = step
        return True
    one = literals[first]
    if second == NONE:
        falsify(s, one ^ 1, step)
        return True
    other = literals[second]
    # No literal may move before there is space: the first one matters if the step is checked again.
    if not reserve_watch(s, one) or not reserve_watch(s, other):
        return False
    literals[first], literals[start] = literals[start], one
    literals[second], literals[start + 1] = literals[start + 1], other
    place = -1 - start if end - start == 2 else start
    add_watch(s, one, place, other)
    add_watch(s, other, place, one)
    return True


@tight_kernel
def register(s: ProofCheck, step: int, end: int) -> None:
    """Let a clause be found by its literals."""
    s.ends[step] = end
    s.fingerprints[step] = fingerprint(s, s.starts[step], end)
    bucket = s.fingerprints[step] & (s.buckets.size - 1)
    s.next_in_bucket[step] = s.buckets[bucket]
    s.buckets[bucket] = step


@tight_kernel
def delete(s: ProofCheck, step: int, end: int) -> None:
    """Delete the latest clause with the literals of a step, unless it may be the reason for a literal."""
    starts, ends = s.starts, s.ends
    wanted = fingerprint(s, starts[step], end)
    bucket = wanted & (s.buckets.size - 1)
    before, clause = NONE, s.buckets[bucket]
    while clause != NONE:
        if s.fingerprints[clause] == wanted and has_literals(s, clause, starts[step], end):
            break
        before, clause = clause, s.next_in_bucket[clause]
    if clause == NONE or (s.kinds[clause] != TAUTOLOGY and is_unit(s, clause)):
        s.numbers[IGNORED_DELETIONS] += 1
        return
    if before == NONE:
        s.buckets[bucket] = s.next_in_bucket[clause]
    else:
        s.next_in_bucket[before] = s.next_in_bucket[clause]
    start = starts[clause]
    if ends[clause] - start == 2:
        remove_watch(s, s.literals[start], -1 - start)
        remove_watch(s, s.literals[start + 1], -1 - start)
    if ends[clause] > start:
        s.literals[start] = DELETED
    ends[clause] = start


@tight_kernel
def has_literals(s: ProofCheck, clause: int, start: int, end: int) -> bool:
    """Whether a clause has exactly the literals from `start` to `end`, in any order."""
    literals, marked = s.literals, s.marked
    if s.ends[clause] - s.starts[clause] != end - start:
        return False
    for i in range(start, end):
        marked[literals[i]] = 1
    alike = True
    for i in range(s.starts[clause], s.ends[clause]):
        if not marked[literals[i]]:
            alike = False
    for i in range(start, end):
        marked[literals[i]] = 0
    return alike


@tight_kernel
def fingerprint(s: ProofCheck, start: int, end: int) -> int:
    """A number that clauses with the same literals share, and few others."""
    total = 0
    for i in range(start, end):
        total ^= s.random_words[s.literals[i]]
    return total


@tight_kernel
def is_unit(s: ProofCheck, clause: int) -> bool:
    """Whether exactly one literal of a clause is true and all others are false."""
    true = 0
    for i in range(s.starts[clause], s.ends[clause]):
        literal = s.literals[i]
        if s.is_false[literal]:
            continue
        if not s.is_false[literal ^ 1]:
            return False
        true += 1
    return true == 1
