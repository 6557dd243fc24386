"""Formulas and proofs about them, as plain data."""

from itertools import pairwise
from typing import Any, Literal

from gemhunter.cnf.clause_origins import ClauseSum, ListedClauses
from gemhunter.cnf.drat import place_of_step
from gemhunter.cnf.proof import Proof
from gemhunter.queries.proof import Accepted, Rejected, Verdict
from gemhunter.queries.trace_words import Names
from gemhunter.solving.outcomes import GaveUp

Subject = Literal["board", "formula"]
"""What a proof refutes."""


def clause_sum_record(board: str, found: ClauseSum) -> dict[str, Any]:
    """How many clauses each clue of a board gives, and all of them together."""
    return {
        "board": board,
        "clues": clue_records(found),
        "of_clues": found.of_clues,
        "shown": found.shown,
        "untouched": found.untouched,
        "untouched_units": found.untouched_units,
        "of_total": found.of_total,
        "total": found.total,
        "without_duplicates": found.distinct,
    }


def clue_records(found: ClauseSum) -> list[dict[str, Any]]:
    """How many clauses each clue gives, a record per clue."""
    return [
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


def listed_clauses_record(found: ListedClauses) -> dict[str, Any]:
    """The clauses of one clue, with literals as names of cells and their values."""
    clue = found.clue
    return {
        "cell": str(clue.cell),
        "clue": clue.clue,
        "n": clue.hidden,
        "k": clue.traps,
        "upper": [[f"{cell}=G" for cell in clause] for clause in found.upper],
        "lower": [[f"{cell}=T" for cell in clause] for clause in found.lower],
    }


def proof_steps_record(
    subject: Subject, source: str, file: str, *, proof: Proof, names: Names, most: int
) -> dict[str, Any]:
    """How long the proof in a file is, and its first steps, `most` of them, with literals as names."""
    steps = [
        {
            "step": place + 1,
            "kind": "delete" if proof.deletes[place] else "add",
            "clause": [*map(names.literal, proof.literals[start:end].tolist())],
        }
        for place, (start, end) in enumerate(pairwise(proof.starts[: most + 1].tolist()))
    ]
    return {
        **_proof_fields(subject, source, file, proof),
        "complete": len(steps) == proof.size,
        "steps": steps,
    }


def proof_record(
    subject: Subject, source: str, file: str, *, proof: Proof, verdict: Verdict, content: bytes
) -> dict[str, Any]:
    """Whether the proof in a file holds; in its `content` the place of a wrong step is found."""
    return {**_proof_fields(subject, source, file, proof), **_verdict_fields(verdict, content)}


def _proof_fields(subject: Subject, source: str, file: str, proof: Proof) -> dict[str, Any]:
    """What a proof is about, and how many clauses all of its steps add and delete."""
    deleted = proof.size - proof.added
    return {subject: source, "proof": file, "added": proof.added, "deleted": deleted}


def _verdict_fields(verdict: Verdict, content: bytes) -> dict[str, Any]:
    match verdict:
        case Accepted(checked, needed, passed_over):
            return {"verdict": "accepted", "checked": checked, "needed": needed, "passed_over": passed_over}
        case Rejected(step, reason):
            place = None if step is None else place_of_step(content, step)
            return {"verdict": "rejected", "step": step, "place": place, "reason": reason}
        case GaveUp() as gave_up:
            return {"verdict": "gave-up", "reason": gave_up.reason}
