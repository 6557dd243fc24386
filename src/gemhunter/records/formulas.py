"""Formulas and proofs about them, as plain data."""

from itertools import pairwise
from typing import Any

from gemhunter.cnf.clause_origins import ClauseSum
from gemhunter.cnf.drat import place_of_step
from gemhunter.cnf.proof import Proof
from gemhunter.queries.proof import Accepted, Rejected, Verdict
from gemhunter.queries.trace_words import Names
from gemhunter.solving.outcomes import GaveUp


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


def proof_steps_record(proof: Proof, names: Names, most: int) -> dict[str, Any]:
    """How long a proof is, and its first steps, `most` of them, with literals as names."""
    steps = [
        {
            "step": place + 1,
            "kind": "delete" if proof.deletes[place] else "add",
            "clause": [*map(names.literal, proof.literals[start:end].tolist())],
        }
        for place, (start, end) in enumerate(pairwise(proof.starts[: most + 1].tolist()))
    ]
    deleted = int(proof.deletes.sum())
    complete = len(steps) == proof.size
    return {"added": proof.size - deleted, "deleted": deleted, "complete": complete, "steps": steps}


def proof_record(verdict: Verdict, content: bytes) -> dict[str, Any]:
    """Whether a proof holds; `content` is its file, in which the place of a wrong step is found."""
    match verdict:
        case Accepted(checked, needed, passed_over):
            return {"verdict": "accepted", "checked": checked, "needed": needed, "passed_over": passed_over}
        case Rejected(step, reason):
            place = None if step is None else place_of_step(content, step)
            return {"verdict": "rejected", "step": step, "place": place, "reason": reason}
        case GaveUp() as gave_up:
            return {"verdict": "gave-up", "reason": gave_up.reason}
