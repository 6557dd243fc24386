"""The knowledge base of a board: clauses over its hidden cells, kept and derived by kernels."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encodings import template
from gemhunter.cnf.formula import Cnf
from gemhunter.core.puzzle import TOTAL_CLUE, Puzzle, untouched_cells
from gemhunter.kernels.codes import MORE, NONE
from gemhunter.kernels.resolution import knowledge_base as kernels
from gemhunter.kernels.resolution.infer import derive
from gemhunter.kernels.resolution.knowledge_base import KnowledgeState

ALL_WIDTHS = 2**31 - 1
LITERAL_ARRAYS = ("literals", "clause_of", "following")
"""The arrays that grow with the literals of clauses."""

CLAUSE_ARRAYS = ("start", "size", "signature", "alive", "serial", "matched_to", "partners")
"""The arrays that grow with the clauses."""

Codes = NDArray[np.int32]


class KnowledgeBase:
    """What is known about a board: clauses over its hidden cells, counted from 1, and marked cells.

    `cnf` has the clauses of the clues. If the total is known, its clauses are added when nothing else is new
    and at most `last_cells` cells are left, or when it forces them all. Two clauses are matched if one has at
    most `width` literals, or always if that is 0. With `room` for events, `read_events` returns them.
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
        return int(self._state.numbers[kernels.STEP_COUNT])

    @property
    def bytes(self) -> int:
        """How many bytes the state takes."""
        return sum(array.nbytes for array in self._state)

    @property
    def decided(self) -> tuple[int, ...]:
        """The marked cells in reading order, negative for gems."""
        return signed_literals(np.flatnonzero(self._state.value).tolist())

    @property
    def left(self) -> int:
        """How many cells that a clue or the total touches are not marked."""
        return self._touched - int(self._state.numbers[kernels.MARKED_CELLS])

    @property
    def counters(self) -> dict[str, int]:
        """What has been done so far."""
        names = ["units", "pairs", "resolvents", "subsumed", "rounds"]
        places = [
            kernels.MARKED_CELLS,
            kernels.MATCHED_PAIRS,
            kernels.RESOLVENT_COUNT,
            kernels.SUBSUMED_COUNT,
            kernels.ROUND_COUNT,
        ]
        return dict(zip(names, self._state.numbers[places].tolist(), strict=True))

    def derive(self, steps: int) -> int:
        """Make `steps` steps; the code of the kernel says why it returned."""
        code = derive(self._state, self._width, steps)
        if code == kernels.NOTHING_NEW and (clauses := self._clauses_of_total()):
            self._fill_inbox(clauses)
            return MORE
        return code

    def larger(self) -> int:
        """How many bytes the state takes after `grow`."""
        return self.bytes + sum(int(getattr(self._state, name).nbytes) for name in _lacking(self._state))

    def grow(self) -> None:
        """Double whichever arrays ran out of space, those of clauses or those of literals."""
        self._state = grown(self._state)

    def read_events(self) -> list[int]:
        """The events since the last call, as the kernel writes them; it makes room for more."""
        numbers, events = self._state.numbers, self._state.events
        words: list[int] = events[: numbers[kernels.EVENTS_SIZE]].tolist()
        numbers[kernels.EVENTS_SIZE] = 0
        if (needed := kernels.needed_for_events(self._state)) > events.size:
            self._state = self._state._replace(events=np.zeros(2 * needed, np.int32))
        return words

    def _clauses_of_total(self) -> list[list[int]]:
        """The clauses of the total about the cells that are left, once; none while too many are left."""
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

    def _fill_inbox(self, clauses: list[list[int]]) -> None:
        ends = np.cumsum([0, *map(len, clauses)])
        inbox = _codes(np.array(list(chain.from_iterable(clauses)), np.int64))
        self._state.numbers[kernels.INBOX_READ] = 0
        self._state = self._state._replace(inbox=inbox, inbox_at=ends)


def empty_knowledge(cells: int, *, clauses: int, places: int, room: int = 0) -> KnowledgeState:
    """An empty knowledge base about `cells` cells, with room for clauses, their literals, and events."""
    numbers = np.zeros(kernels.KNOWLEDGE_NUMBERS, np.int64)
    numbers[[kernels.INCOMING_SIZE, kernels.UNIT_LITERAL]] = NONE
    return KnowledgeState(
        inbox=np.zeros(0, np.int32),
        inbox_at=np.zeros(1, np.int64),
        incoming=np.zeros(cells, np.int32),
        literals=np.zeros(places, np.int32),
        clause_of=np.zeros(places, np.int32),
        following=np.zeros(places, np.int64),
        head=np.full(2 * cells, NONE),
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
    """Double whichever arrays ran out of space, those of clauses or those of literals."""
    longer: dict[str, Any] = {name: _twice(getattr(state, name)) for name in _lacking(state)}
    return state._replace(**longer)


def _lacking(state: KnowledgeState) -> Sequence[str]:
    full = state.numbers[kernels.CLAUSES_USED] == state.start.size
    incoming = max(int(state.numbers[kernels.INCOMING_SIZE]), 0)
    cramped = state.numbers[kernels.LITERALS_USED] + incoming > state.literals.size
    return [*(CLAUSE_ARRAYS if full else ()), *(LITERAL_ARRAYS if cramped else ())]


def _twice(array: NDArray[np.generic]) -> NDArray[np.generic]:
    return np.concatenate([array, np.zeros_like(array)])


def _codes(literals: NDArray[np.integer]) -> Codes:
    """From 1, -1, 2, -2, … to 0, 1, 2, 3, …"""
    codes: Codes = (2 * (np.abs(literals) - 1) + (literals < 0)).astype(np.int32)
    return codes


def signed_literals(codes: Iterable[int]) -> tuple[int, ...]:
    """From 0, 1, 2, 3, … to 1, -1, 2, -2, …, in reading order."""
    return tuple(-(code // 2 + 1) if code % 2 else code // 2 + 1 for code in sorted(codes))
