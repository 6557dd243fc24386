"""Proofs as lists of steps, and back."""

from collections.abc import Sequence

import numpy as np

from drat_oracle import Step
from gemhunter.cnf.drat import Proof


def proof_of(steps: Sequence[Step]) -> Proof:
    """The steps as a proof."""
    literals = np.array([literal for _, clause in steps for literal in clause], np.int32)
    ends = np.cumsum([len(clause) for _, clause in steps])
    starts = np.concatenate([[0], ends]).astype(np.int64)
    return Proof(literals, starts, np.array([deletes for deletes, _ in steps], bool))


def steps_of(proof: Proof) -> list[Step]:
    """The proof as steps."""
    bounds = zip(proof.deletes.tolist(), proof.starts[:-1], proof.starts[1:], strict=True)
    return [(deletes, proof.literals[start:end].tolist()) for deletes, start, end in bounds]
