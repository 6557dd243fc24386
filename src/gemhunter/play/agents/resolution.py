"""`resolution`: a logical agent that marks a cell when its knowledge base has a clause of one literal."""

from collections.abc import Mapping, Sequence

import numpy as np

from gemhunter.core.game_status import Status
from gemhunter.core.grid import Cell
from gemhunter.engines.resolution.knowledge_base import empty_knowledge, grown
from gemhunter.errors import InputError
from gemhunter.kernels.codes import GROW
from gemhunter.kernels.play.resolution_player import (
    ASK_FOR_CLUE,
    ASKED_ABOUT,
    MEMORIES,
    MOST_CLAUSES,
    MOST_LITERALS,
    mark_cells,
    queue_shown_cells,
)
from gemhunter.kernels.resolution import knowledge_base as codes
from gemhunter.kernels.resolution.knowledge_base import INBOX_READ, MARKED_CELLS, ROUND_COUNT, KnowledgeState
from gemhunter.play.agents.player import Choice, Stuck
from gemhunter.play.view import View
from gemhunter.play.watched_games import CellMark

MARKING_STEPS = 10_000
"""Steps between two checks for Ctrl-C; a tenth of a second at most."""


def new_knowledge(cells: int) -> KnowledgeState:
    """An empty knowledge base, with an inbox for the clauses of clues."""
    empty = empty_knowledge(cells, clauses=16 * cells + 16, places=64 * cells + 64)
    empty.numbers[INBOX_READ] = MOST_CLAUSES
    return empty._replace(
        inbox=np.zeros(MOST_LITERALS, np.int32), inbox_at=np.zeros(MOST_CLAUSES + 1, np.int64)
    )


class ResolutionPlayer:
    """Marks cells one by one and never guesses, but for its first cell if it is given none.

    It believes the cells that are shown when it begins. From then on it asks for the clue of every cell that
    it marks as a gem. It uses cells that a 0 opened only after it has marked them, or once it would be stuck
    without them.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._known: KnowledgeState | None = None
        self._memory = np.zeros(0, np.int64)
        self._cols = 1
        self._risk_of: dict[Cell, float] = {}

    def counters(self, view: View) -> Mapping[str, int]:
        """The numbers of marked cells and of matching rounds; a won game is marked to its end first."""
        if view.status is Status.WON:
            self._next_gem(view)
        numbers = (0, 0) if self._known is None else self._known.numbers[[MARKED_CELLS, ROUND_COUNT]].tolist()
        return dict(zip(("marked cells", "matching rounds"), numbers, strict=True))

    def marks(self, first: int) -> Sequence[CellMark]:
        """The cells marked so far, from number `first` on, in the order of marking."""
        if self._known is None:
            return []
        end = int(self._known.numbers[MARKED_CELLS])
        literals = self._known.queue[first:end].tolist()
        cells = [Cell(*divmod(literal // 2, self._cols)) for literal in literals]
        rounds = self._known.marked_after[first:end].tolist()
        return [
            CellMark(cell, literal % 2 == 0, after, self._risk_of.get(cell, 0.0))
            for cell, literal, after in zip(cells, literals, rounds, strict=True)
        ]

    def choose(self, view: View) -> Choice | Stuck:
        """The next gem that follows, or that none does."""
        if view.is_fresh:
            return self._begin(view)
        cell = self._next_gem(view)
        unflagged = tuple(trap for trap in self._traps(view) if not view.flags[trap])
        if cell is None:
            return Stuck(unflagged, "nothing more can be derived")
        return Choice((cell,), unflagged, 0.0, "a clause by itself")

    def _begin(self, view: View) -> Choice:
        """Choose a random cell: nothing is known that could distinguish them."""
        place = int(np.random.default_rng(self._seed).integers(view.grid.cells.size))
        cell = view.grid.cell(place)
        self._risk_of[cell] = view.risk_of_first
        return Choice((cell,), (), view.risk_of_first, "the first cell, at random")

    def _next_gem(self, view: View) -> Cell | None:
        shown = view.grid.cells.copy()
        if self._known is None:
            self._known, self._memory = new_knowledge(shown.size), np.zeros(MEMORIES, np.int64)
            self._cols = view.grid.cols
            queue_shown_cells(self._known, shown)
        while True:
            code = mark_cells(self._known, self._memory, shown, view.total, MARKING_STEPS)
            if code == ASK_FOR_CLUE:
                return view.grid.cell(self._known.queue[self._memory[ASKED_ABOUT]] // 2)
            if code == codes.EMPTY_DERIVED:
                raise InputError("the clues of this game conflict")
            if code == GROW:
                self._known = grown(self._known)
            if code == codes.NOTHING_NEW:
                waiting = self._known.numbers[codes.QUEUED_CELLS]
                queue_shown_cells(self._known, shown)
                if self._known.numbers[codes.QUEUED_CELLS] == waiting:
                    return None

    def _traps(self, view: View) -> list[Cell]:
        """All that are marked, in the order of marking."""
        if self._known is None:
            return []
        marked = self._known.queue[: self._known.numbers[MARKED_CELLS]]
        return [view.grid.cell(literal // 2) for literal in marked[marked % 2 == 0]]
