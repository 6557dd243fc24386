"""Records about formulas and proofs."""

from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from gemhunter.cnf.accounts import ClauseSum, ClueClauses, ListedClauses
from gemhunter.cnf.drat import Proof, place_of_step
from gemhunter.solving.outcomes import GaveUp

if TYPE_CHECKING:
    from gemhunter.questions.proof_checker import Verdict
    from gemhunter.questions.trace import Names


Subject = Literal["board", "formula"]
"""What a proof refutes."""


def clause_sum_record(board: str, clauses: ClauseSum) -> dict[str, Any]:
    """How many clauses a board has, by where they come from."""
    return {
        "board": board,
        "clues": clue_records(clauses),
        "of_clues": clauses.of_clues,
        "shown": clauses.shown,
        "untouched": clauses.untouched,
        "untouched_units": clauses.untouched_units,
        "of_total": clauses.of_total,
        "total": clauses.total,
        "without_duplicates": clauses.distinct,
    }


def clue_records(clauses: ClauseSum) -> list[dict[str, Any]]:
    """How many clauses each clue has, a record per clue."""
    return [
        {**_clue_fields(clue), "upper": clue.upper, "lower": clue.lower, "clauses": clue.clauses}
        for clue in clauses.clues
    ]


def listed_clauses_record(listed: ListedClauses) -> dict[str, Any]:
    """The clauses of one clue; a literal is the name of a cell and its value."""
    return {
        **_clue_fields(listed.clue),
        "upper": [[f"{cell}=G" for cell in clause] for clause in listed.upper],
        "lower": [[f"{cell}=T" for cell in clause] for clause in listed.lower],
    }


def _clue_fields(clue: ClueClauses) -> dict[str, Any]:
    return {"cell": str(clue.cell), "clue": clue.clue, "n": clue.hidden, "k": clue.traps}


def proof_steps_record(
    subject: Subject, source: str, file: str, *, proof: Proof, names: "Names", most: int
) -> dict[str, Any]:
    """How long the proof in a file is, and its first steps, at most `most`, with literals as names."""
    steps = [
        {
            "step": place + 1,
            "kind": "delete" if proof.deletes[place] else "add",
            "clause": [*map(names.literal, proof.literals[start:end].tolist())],
        }
        for place, (start, end) in enumerate(pairwise(proof.starts[: most + 1].tolist()))
    ]
    fields = _proof_fields(subject, source, file, proof)
    return {**fields, "complete": len(steps) == proof.size, "steps": steps}


def proof_record(
    subject: Subject, source: str, file: str, *, proof: Proof, verdict: "Verdict", content: bytes
) -> dict[str, Any]:
    """Whether the proof in a file holds; `content` is that of the file, for the place of a wrong step."""
    from gemhunter.questions.proof_checker import Accepted, Rejected

    fields = _proof_fields(subject, source, file, proof)
    match verdict:
        case Accepted():
            return {**fields, "verdict": "accepted", **asdict(verdict)}
        case Rejected(step, reason):
            place = None if step is None else place_of_step(content, step)
            return {**fields, "verdict": "rejected", "step": step, "place": place, "reason": reason}
        case GaveUp():
            return {**fields, "verdict": "gave-up", "reason": verdict.reason}


def _proof_fields(subject: Subject, source: str, file: str, proof: Proof) -> dict[str, Any]:
    """What a proof is about, and how many clauses its steps add and delete."""
    deleted = proof.size - proof.added
    return {subject: source, "proof": file, "added": proof.added, "deleted": deleted}
