"""The knowledge base of a board, on top of its kernel. Whoever imports this imports Numba."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encodings import template
from gemhunter.cnf.formula import Cnf
from gemhunter.core.puzzle import TOTAL_CLUE, Puzzle, untouched_cells
from gemhunter.kernels.resolution import knowledge_base as kernels
from gemhunter.kernels.resolution.infer import derive
from gemhunter.kernels.resolution.knowledge_base import KnowledgeState

ALL_WIDTHS = 2**31 - 1
PLACES = ("literals", "clause_of", "following")
CLAUSES = ("start", "size", "signature", "alive", "serial", "matched_to", "partners")
"""The arrays that grow: with the literals, and with the clauses."""

Codes = NDArray[np.int32]


class KnowledgeBase:
    """What is known about a board: clauses over its hidden cells, counted from 1, and marked cells.

    `cnf` has the clauses of the clues. If the total is known, its clauses come in when nothing else is new
    and at most `last_cells` cells are left, or when it leaves no choice. Clauses are matched if one of them
    has at most `width` literals, any two for 0. With `room` for events, they are kept for `heard`.
    """

    def __init__(
        self, cnf: Cnf, puzzle: Puzzle, *, width: int = 2, last_cells: int = 10, room: int = 0
    ) -> None:
        self._width = width or ALL_WIDTHS
        self._last_cells = last_cells
        self._cells = puzzle.hidden.size
        self._touched = int(np.count_nonzero(~untouched_cells(puzzle)))
        self._total = int(puzzle.traps[-1]) if TOTAL_CLUE in puzzle.clues[-1:] else None
        self._state = empty_knowledge(
            self._cells, clauses=2 * cnf.size + 16, places=2 * cnf.literals.size + 64, room=room
        )._replace(inbox=_codes(cnf.literals), inbox_at=cnf.starts.astype(np.int64))

    @property
    def steps(self) -> int:
        """Steps made so far."""
        return int(self._state.numbers[kernels.STEPS])

    @property
    def bytes(self) -> int:
        """How much room everything takes."""
        return sum(array.nbytes for array in self._state)

    @property
    def decided(self) -> tuple[int, ...]:
        """The marked cells in reading order, negative for gems."""
        return signed(np.flatnonzero(self._state.value).tolist())

    @property
    def left(self) -> int:
        """How many cells that a clue or the total touches are not marked."""
        return self._touched - int(self._state.numbers[kernels.MARKED])

    @property
    def counters(self) -> dict[str, int]:
        """What has been done so far."""
        names = ["units", "pairs", "resolvents", "subsumed", "rounds"]
        places = [kernels.MARKED, kernels.PAIRS, kernels.RESOLVENTS, kernels.SUBSUMED, kernels.ROUNDS]
        return dict(zip(names, self._state.numbers[places].tolist(), strict=True))

    def derive(self, steps: int) -> int:
        """Make so many steps; the code of the kernel says why it returned."""
        code = derive(self._state, self._width, steps)
        if code == kernels.NOTHING_NEW and (clauses := self._clauses_of_total()):
            self._tell(clauses)
            return kernels.MORE
        return code

    def larger(self) -> int:
        """How many bytes there will be after `grow`."""
        return self.bytes + sum(int(getattr(self._state, name).nbytes) for name in _lacking(self._state))

    def grow(self) -> None:
        """Make room for twice as many clauses, or literals, whichever there is too little of."""
        self._state = grown(self._state)

    def heard(self) -> list[int]:
        """The events since the last call; afterwards there is room for more."""
        numbers, events = self._state.numbers, self._state.events
        words: list[int] = events[: numbers[kernels.TOLD]].tolist()
        numbers[kernels.TOLD] = 0
        if (needed := kernels.needed_for_events(self._state)) > events.size:
            self._state = self._state._replace(events=np.zeros(2 * needed, np.int32))
        return words

    def _clauses_of_total(self) -> list[list[int]]:
        """What the total says about the cells that are left, once; nothing if they are too many to list."""
        if self._total is None:
            return []
        marked = self.decided
        left = sorted(set(range(1, self._cells + 1)) - {abs(literal) for literal in marked})
        traps = self._total - sum(literal > 0 for literal in marked)
        if 0 < traps < len(left) and len(left) > self._last_cells:
            return []
        self._total = None
        clauses = template("binomial", len(left), traps).clauses
        return [[left[abs(i) - 1] * (1 if i > 0 else -1) for i in clause] for clause in clauses]

    def _tell(self, clauses: list[list[int]]) -> None:
        ends = np.cumsum([0, *map(len, clauses)])
        inbox = _codes(np.array(list(chain.from_iterable(clauses)), np.int64))
        self._state.numbers[kernels.ARRIVED] = 0
        self._state = self._state._replace(inbox=inbox, inbox_at=ends)


def empty_knowledge(cells: int, *, clauses: int, places: int, room: int = 0) -> KnowledgeState:
    """Nothing known about so many cells; room for so many clauses, their literals' places, and events."""
    numbers = np.zeros(kernels.NUMBERS, np.int64)
    numbers[[kernels.INCOMING, kernels.UNIT]] = kernels.NONE
    return KnowledgeState(
        inbox=np.zeros(0, np.int32),
        inbox_at=np.zeros(1, np.int64),
        incoming=np.zeros(cells, np.int32),
        literals=np.zeros(places, np.int32),
        clause_of=np.zeros(places, np.int32),
        following=np.zeros(places, np.int64),
        head=np.full(2 * cells, kernels.NONE),
        start=np.zeros(clauses, np.int64),
        size=np.zeros(clauses, np.int32),
        signature=np.zeros(clauses, np.uint64),
        alive=np.zeros(clauses, bool),
        serial=np.zeros(clauses, np.int64),
        matched_to=np.zeros(clauses, np.int64),
        partners=np.zeros(clauses, np.int64),
        cursors=np.zeros(cells, np.int64),
        value=np.zeros(2 * cells, bool),
        queued=np.zeros(2 * cells, bool),
        queue=np.zeros(2 * cells, np.int32),
        marked_after=np.zeros(2 * cells, np.int64),
        stamps=np.zeros(2 * cells, np.int64),
        events=np.zeros(room, np.int32),
        numbers=numbers,
    )


def grown(state: KnowledgeState) -> KnowledgeState:
    """The same, with room for twice as many clauses, or literals, whichever there is too little of."""
    longer: dict[str, Any] = {name: _twice(getattr(state, name)) for name in _lacking(state)}
    return state._replace(**longer)


def _lacking(state: KnowledgeState) -> Sequence[str]:
    full = state.numbers[kernels.CLAUSES] == state.start.size
    incoming = max(int(state.numbers[kernels.INCOMING]), 0)
    cramped = state.numbers[kernels.USED] + incoming > state.literals.size
    return [*(CLAUSES if full else ()), *(PLACES if cramped else ())]


def _twice(array: NDArray[np.generic]) -> NDArray[np.generic]:
    return np.concatenate([array, np.zeros_like(array)])


def _codes(literals: NDArray[np.integer]) -> Codes:
    """From 1, -1, 2, -2, … to 0, 1, 2, 3, …"""
    codes: Codes = (2 * (np.abs(literals) - 1) + (literals < 0)).astype(np.int32)
    return codes


def signed(codes: Iterable[int]) -> tuple[int, ...]:
    """The way back: the literals of a clause, in reading order."""
    return tuple(-(code // 2 + 1) if code % 2 else code // 2 + 1 for code in sorted(codes))
