"""Reference verdicts about DRAT proofs: the definition in plain loops, shared with nothing in the program.

A formula is a list of clauses, a clause a list of literals; a step is `(deletes, clause)`.
"""

from collections.abc import Iterable

Clause = list[int]
Step = tuple[bool, Clause]


def propagated(clauses: Iterable[frozenset[int]], assumed: Iterable[int]) -> set[int] | None:
    """What follows from assumptions by unit propagation, or None if a clause breaks."""
    true = set(assumed)
    if any(-literal in true for literal in true):
        return None
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if clause & true:
                continue
            rest = [literal for literal in clause if -literal not in true]
            if not rest:
                return None
            if len(rest) == 1:
                true.add(rest[0])
                changed = True
    return true


def is_rup(clauses: list[frozenset[int]], clause: Iterable[int]) -> bool:
    """Whether assuming the opposite of a clause breaks another by unit propagation."""
    return propagated(clauses, {-literal for literal in clause}) is None


def is_rat(clauses: list[frozenset[int]], clause: Clause) -> bool:
    """Whether that holds together with the rest of each clause that has the opposite of its first literal."""
    opposite = -clause[0]
    return all(
        is_rup(clauses, {*clause, *other} - {opposite}) if -opposite not in other else True
        for other in clauses
        if opposite in other
    )


def is_tautology(clause: Iterable[int]) -> bool:
    """Whether a clause has a variable and its opposite."""
    literals = set(clause)
    return any(-literal in literals for literal in literals)


def first_fault(formula: list[Clause], steps: list[Step]) -> int | None:
    """The number of the first step that does not follow, counted from 1; None if the proof is right.

    One more than there are if all follow but nothing contradicts.
    """
    clauses = [frozenset(clause) for clause in formula]
    for number, (deletes, clause) in enumerate(steps, 1):
        live = [each for each in clauses if not is_tautology(each)]
        known = propagated(live, [])
        if known is None:
            return None
        if deletes:
            _delete(clauses, frozenset(clause), known)
            continue
        if not is_tautology(clause) and not is_rup(live, clause) and not (clause and is_rat(live, clause)):
            return number
        clauses.append(frozenset(clause))
    live = [each for each in clauses if not is_tautology(each)]
    return None if propagated(live, []) is None else len(steps) + 1


def _delete(clauses: list[frozenset[int]], clause: frozenset[int], known: set[int]) -> None:
    """Delete one copy of a clause, unless one of its literals may be known because of it."""
    holding = [literal for literal in clause if literal in known]
    false = [literal for literal in clause if -literal in known]
    if len(holding) == 1 and len(false) == len(clause) - 1 and not is_tautology(clause):
        return
    if clause in clauses:
        clauses.remove(clause)
