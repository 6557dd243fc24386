"""The backbone of a board: the values that all solutions share, found by asking for solutions that differ.

Each other solution clears all cells on which it differs, so the solver prefers values that differ.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.puzzle import Ints
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.protocols import Satisfied
from gemhunter.solving.session import SatSession

CELLS_PER_QUESTION = 100
"""The number of cells that one question is about: "does any of these differ in another solution?"."""


class Backbone:
    """The values of one solution, and which of them may still be in every solution.

    Variable i + 1 of the session is cell i. Cells of one group can be swapped, so what holds for one of them
    holds for all: a group with traps and gems is forced nowhere, and of others only one cell is asked about.
    """

    def __init__(self, session: SatSession, traps: NDArray[np.bool_], groups: Ints) -> None:
        self._session = session
        self._groups = groups
        self._first = np.unique(groups, return_index=True)[1]
        self._traps = traps[self._first]
        self._suspected = np.ones(self._first.size, bool)
        self._forced = np.zeros(self._first.size, bool)
        self._clear(traps)

    @property
    def forced(self) -> NDArray[np.bool_]:
        """True for each cell that is known to be the same in every solution."""
        known: NDArray[np.bool_] = self._forced[self._groups]
        return known

    @property
    def has_other(self) -> bool:
        """Whether another solution is known."""
        return not (self._suspected | self._forced).all()

    def find(self, *, until_other: bool = False) -> GaveUp | None:
        """Ask until every cell is decided, or another solution is known; returns why if it gave up."""
        while self._suspected.any() and not (until_other and self.has_other):
            suspects = np.flatnonzero(self._suspected)
            chunk = suspects[-CELLS_PER_QUESTION:]
            switch = self._session.new_variable()
            others = [-value for value in self._values(suspects)]
            self._session.prefer(others)
            self._session.add([-switch, *others[-CELLS_PER_QUESTION:]])
            answer = self._session.ask([switch])
            if isinstance(answer, GaveUp):
                return answer
            self._session.add([-switch])
            if isinstance(answer, Satisfied):
                self._clear(answer.model[: self._groups.size] > 0)
                continue
            self._suspected[chunk], self._forced[chunk] = False, True
            for value in self._values(chunk):
                self._session.add([value])
        return None

    def _clear(self, traps: NDArray[np.bool_]) -> None:
        """Note another solution: groups in which a cell differs are not forced."""
        self._suspected[self._groups[traps != self._traps[self._groups]]] = False

    def _values(self, groups: Ints) -> list[int]:
        """The literal of the value of each group's first cell."""
        cells = self._first[groups] + 1
        values: list[int] = np.where(self._traps[groups], cells, -cells).tolist()
        return values
