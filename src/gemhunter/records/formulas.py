"""Formulas and proofs about them, as plain data."""

from typing import Any

from gemhunter.cnf.clause_sum import ClauseSum
from gemhunter.cnf.drat import place_of_step
from gemhunter.queries.proof import Accepted, Rejected


def clause_sum_record(found: ClauseSum) -> dict[str, Any]:
    """How many clauses each clue gives, and all of them together."""
    clues = [
        {
            "cell": str(each.cell),
            "clue": each.clue,
            "n": each.hidden,
            "k": each.traps,
            "upper": each.upper,
            "lower": each.lower,
            "clauses": each.clauses,
        }
        for each in found.clues
    ]
    return {
        "clues": clues,
        "of_clues": found.of_clues,
        "shown": found.shown,
        "untouched": found.untouched,
        "untouched_units": found.untouched_units,
        "of_total": found.of_total,
        "total": found.total,
        "without_duplicates": found.distinct,
    }


def proof_record(verdict: Accepted | Rejected, content: bytes) -> dict[str, Any]:
    """Whether a proof holds; `content` is its file, in which the place of a wrong step is found."""
    match verdict:
        case Accepted(checked, needed, passed_over):
            return {"verdict": "accepted", "checked": checked, "needed": needed, "passed_over": passed_over}
        case Rejected(step, reason):
            place = None if step is None else place_of_step(content, step)
            return {"verdict": "rejected", "step": step, "place": place, "reason": reason}
