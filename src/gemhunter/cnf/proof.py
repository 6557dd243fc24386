"""A proof that a formula has no model: clauses added and deleted, one after another (DRAT)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Ints, Literals


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """Step i is the clause `literals[starts[i]:starts[i+1]]`, deleted if `deletes[i]`, otherwise added.

    An added clause follows from those before it; the last one is empty.
    """

    literals: Literals
    starts: Ints
    deletes: NDArray[np.bool_]

    def __post_init__(self) -> None:
        for array in (self.literals, self.starts, self.deletes):
            array.setflags(write=False)

    @property
    def size(self) -> int:
        """The number of steps."""
        return int(self.deletes.size)

    @property
    def added(self) -> int:
        """The number of steps that add a clause; the others delete one."""
        return self.size - int(self.deletes.sum())


EMPTY_CLAUSE = Proof(np.empty(0, np.int32), np.zeros(2, np.int64), np.zeros(1, bool))
"""The proof of a formula whose own clauses propagate to a conflict."""
