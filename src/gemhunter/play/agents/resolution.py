"""`resolution`, the agent of S5: it marks a cell when its knowledge base has a clause of one literal."""

from collections.abc import Mapping, Sequence

import numpy as np

from gemhunter.board.grid import HIDDEN, TRAP, Cell
from gemhunter.board.position import ANY_CLICK, Status
from gemhunter.engines.resolution import (
    EMPTY_DERIVED,
    INBOX_READ,
    INCOMING_SIZE,
    MARKED_CELLS,
    NOTHING_NEW,
    QUEUED_CELLS,
    ROUND_COUNT,
    STEP_COUNT,
    UNIT_LITERAL,
    KnowledgeState,
    begin_round,
    empty_knowledge,
    grown,
    in_round,
    match_next,
    take_in,
)
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Codes, Ints, kernel
from gemhunter.jit.search_state import GROW, MORE, NONE
from gemhunter.play.deal import deal, show_initial_cells
from gemhunter.play.game import View
from gemhunter.play.player import CellMark, Choice, Stuck

# The kernels: the clauses of clues and of the total, marking cells, and whole games.
#
# The variable of a cell is its index, so literal 2v says that cell v is a trap and 2v+1 that it is a gem.
# Clauses of clues are put at the end of the inbox, which has room for the most that ever arrive at once.


ASK_FOR_CLUE = 10
"""A code beside those of `derive`: the clue of the cell that was marked last is needed."""

SHORT_CLAUSE = 2
"""Two clauses are matched if one of them has at most this many literals."""

ASKED_ABOUT, KNOWS_TOTAL, MEMORIES = range(3)
"""What the player remembers: the number of marked cells whose clues it has, whether it knows the total, and
the number of these values."""

CELLS_MARKED, MATCHING_ROUNDS, WRONG_MARKS, HAS_CONFLICT, RESOLUTION_COLUMNS = range(5)
"""The result of a game: cells marked, matching rounds, wrong marks, and whether the knowledge base had a
conflict; then the number of columns."""

UNLIMITED_STEPS = 2**40
"""More steps than any game takes, so that a game is never interrupted."""

LAST_CELLS = 10
"""The clauses of the total are added when at most this many cells are unmarked."""


@kernel
def queue_shown_cells(kb: KnowledgeState, shown: Codes) -> None:
    """Queue every shown cell that is not queued yet, in reading order, to be marked as a gem."""
    cols = shown.shape[1]
    for cell in range(shown.size):
        literal = 2 * cell + 1
        if shown[cell // cols, cell % cols] != HIDDEN and not kb.queued[literal]:
            kb.queued[literal] = True
            kb.queue[kb.numbers[QUEUED_CELLS]] = literal
            kb.numbers[QUEUED_CELLS] += 1


@kernel
def add_clue(kb: KnowledgeState, shown: Codes, cell: int) -> None:
    """Put the clauses of a clue into the empty inbox: how many traps are left among its unmarked cells."""
    rows, cols = shown.shape
    row, col = cell // cols, cell % cols
    unmarked = np.empty(8, np.int64)
    count, traps = 0, int(shown[row, col])
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            near = r * cols + c
            if near == cell or kb.value[2 * near + 1]:
                continue
            if kb.value[2 * near]:
                traps -= 1
                continue
            unmarked[count] = near
            count += 1
    add_exactly(kb, unmarked[:count], traps)


@kernel
def add_total(kb: KnowledgeState, total: int) -> None:
    """Put the clauses of the total into the empty inbox; at most `LAST_CELLS` cells are unmarked."""
    unmarked = np.empty(LAST_CELLS, np.int64)
    count, traps = 0, total
    for cell in range(kb.incoming.size):
        if kb.value[2 * cell]:
            traps -= 1
        elif not kb.value[2 * cell + 1]:
            unmarked[count] = cell
            count += 1
    add_exactly(kb, unmarked[:count], traps)


@kernel
def add_exactly(kb: KnowledgeState, cells: Ints, traps: int) -> None:
    """Put the clauses for exactly `traps` traps in these cells into the inbox, or else the empty clause."""
    # One trap in any cells.size - traps + 1 of them, one gem in any traps + 1 of them.
    for_traps, for_gems = max(cells.size - traps + 1, 0), max(traps + 1, 0)
    count = combinations(cells.size, for_traps) + combinations(cells.size, for_gems)
    first = kb.inbox_at.size - 1 - count
    kb.numbers[INBOX_READ] = first
    kb.inbox_at[first] = 0
    middle = list_clauses(kb, first, cells, for_traps, 0)
    list_clauses(kb, middle, cells, for_gems, 1)


@kernel
def combinations(n: int, k: int) -> int:
    """How many ways there are to choose `k` of `n`."""
    if k > n:
        return 0
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel
def list_clauses(kb: KnowledgeState, clause: int, cells: Ints, size: int, sign: int) -> int:
    """Write every choice of `size` cells as a clause, from number `clause`; returns the next number."""
    if size > cells.size:
        return clause
    chosen = np.arange(size)
    while True:
        begin = kb.inbox_at[clause]
        for i in range(size):
            kb.inbox[begin + i] = 2 * cells[chosen[i]] + sign
        clause += 1
        kb.inbox_at[clause] = begin + size
        i = size - 1
        while i >= 0 and chosen[i] == cells.size - size + i:
            i -= 1
        if i < 0:
            return clause
        chosen[i] += 1
        for j in range(i + 1, size):
            chosen[j] = chosen[j - 1] + 1


@kernel(estimate=lambda _, __, ___, ____, steps: 1e-6 * steps)
def mark_cells(kb: KnowledgeState, memory: Ints, shown: Codes, total: int, steps: int) -> int:
    """Mark cells, and derive clauses if there is none to mark, until the clue of a hidden cell is needed.

    The code is then ASK_FOR_CLUE, and the cell is the one marked last; once it is shown, call this again.
    Other codes are those of `derive`: NOTHING_NEW means that all cells are marked or the player is stuck.
    """
    numbers, cells = kb.numbers, kb.incoming.size
    cols = shown.shape[1]
    end = numbers[STEP_COUNT] + steps
    while numbers[STEP_COUNT] < end:
        if in_round(kb):
            # What a round decides is marked after it.
            code = take_in(kb, end, 0)
            if code != NOTHING_NEW:
                return code
            match_next(kb, SHORT_CLAUSE)
            numbers[STEP_COUNT] += 1
            continue
        has_inbox = numbers[INCOMING_SIZE] != NONE or numbers[INBOX_READ] < kb.inbox_at.size - 1
        is_idle = not has_inbox and numbers[UNIT_LITERAL] == NONE
        has_heard = is_idle and memory[ASKED_ABOUT] == numbers[MARKED_CELLS]
        if is_idle and not has_heard:
            literal = kb.queue[memory[ASKED_ABOUT]]
            if literal & 1:
                if shown[literal // 2 // cols, literal // 2 % cols] == HIDDEN:
                    return ASK_FOR_CLUE
                add_clue(kb, shown, literal // 2)
            memory[ASKED_ABOUT] += 1
        elif has_heard and not memory[KNOWS_TOTAL] and cells - numbers[MARKED_CELLS] <= LAST_CELLS:
            add_total(kb, total)
            memory[KNOWS_TOTAL] = 1
        else:
            code = take_in(kb, end, memory[ASKED_ABOUT] + 1 if has_heard else 0)
            if code != NOTHING_NEW:
                return code
            if has_heard and memory[ASKED_ABOUT] == numbers[MARKED_CELLS] and not begin_round(kb):
                return code
    return MORE


@kernel
def reset_knowledge(kb: KnowledgeState, memory: Ints) -> None:
    """Empty a knowledge base and the memory of its player."""
    kb.head[:] = NONE
    kb.value[:] = False
    kb.queued[:] = False
    kb.stamps[:] = 0
    kb.numbers[:] = 0
    kb.numbers[INCOMING_SIZE] = NONE
    kb.numbers[UNIT_LITERAL] = NONE
    kb.numbers[INBOX_READ] = kb.inbox_at.size - 1
    memory[:] = 0


@kernel
def play(kb: KnowledgeState, memory: Ints, truth: Codes, shown: Codes, result: Ints) -> bool:
    """Play one game from the cells that are shown, which must all be gems; False if it ran out of space."""
    total = int(np.count_nonzero(truth == TRAP))
    cols = truth.shape[1]
    reset_knowledge(kb, memory)
    queue_shown_cells(kb, shown)
    code = ASK_FOR_CLUE
    while code == ASK_FOR_CLUE:
        code = mark_cells(kb, memory, shown, total, UNLIMITED_STEPS)
        if code == ASK_FOR_CLUE:
            cell = kb.queue[memory[ASKED_ABOUT]] // 2
            if truth[cell // cols, cell % cols] == TRAP:
                break
            shown[cell // cols, cell % cols] = truth[cell // cols, cell % cols]
    if code == GROW:
        return False
    result[CELLS_MARKED] = kb.numbers[MARKED_CELLS]
    result[MATCHING_ROUNDS] = kb.numbers[ROUND_COUNT]
    result[HAS_CONFLICT] = code == EMPTY_DERIVED
    result[WRONG_MARKS] = 0
    for cell in range(truth.size):
        is_trap = truth[cell // cols, cell % cols] == TRAP
        result[WRONG_MARKS] += kb.value[2 * cell] and not is_trap
        result[WRONG_MARKS] += kb.value[2 * cell + 1] and is_trap
    return True


@kernel(estimate=lambda _, __, codes, *more: 1e-3 * codes[0].size * len(more[-1]))
def play_seeds(
    kb: KnowledgeState,
    memory: Ints,
    codes: Codes,
    total: int,
    given: int,
    first_seed: int,
    results: Ints,
) -> int:
    """Play a game for each row of `results`, with seeds from `first_seed` and `given` initial safe cells.

    `codes` has space for two boards, the truth and what is shown. Returns how many games have been played; if
    that is fewer than all, the knowledge base must grow, and the next game must be played again.
    """
    truth, shown = codes[0], codes[1]
    for game in range(results.shape[0]):
        deal(first_seed + game, ANY_CLICK, 0, total, truth)
        shown[:] = HIDDEN
        show_initial_cells(first_seed + game, given, truth, shown)
        if not play(kb, memory, truth, shown, results[game]):
            return game
    return int(results.shape[0])


# The player.


MARKING_STEPS = 10_000
"""Steps between two checks for Ctrl-C; a tenth of a second at most."""


def new_knowledge(cells: int) -> KnowledgeState:
    """An empty knowledge base, with an inbox for the clauses of clues."""
    empty = empty_knowledge(cells, clauses=16 * cells + 16, places=64 * cells + 64)
    # Five traps in ten cells have the most clauses: any six of the cells, as traps and as gems.
    clauses, literals = 420, 2520
    empty.numbers[INBOX_READ] = clauses
    return empty._replace(inbox=np.zeros(literals, np.int32), inbox_at=np.zeros(clauses + 1, np.int64))


class ResolutionPlayer:
    """Marks cells one by one and never guesses, except its first cell if none is shown.

    It uses the cells that are shown when it begins, and then asks for the clue of every cell that it marks as
    a gem. It uses cells that a 0 opened only after it has marked them, or when it would otherwise be stuck.
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
        """The next gem that follows; `Stuck` if there is none."""
        if view.is_fresh:
            index = int(np.random.default_rng(self._seed).integers(view.grid.cells.size))
            cell = view.grid.cell(index)
            self._risk_of[cell] = view.risk_of_first
            return Choice((cell,), (), view.risk_of_first, "the first cell, at random")
        gem = self._next_gem(view)
        unflagged = tuple(trap for trap in self._traps(view) if not view.flags[trap])
        if gem is None:
            return Stuck(unflagged, "nothing more can be derived")
        return Choice((gem,), unflagged, 0.0, "a single clause")

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
            if code == EMPTY_DERIVED:
                raise InputError("the clues of this game conflict")
            if code == GROW:
                self._known = grown(self._known)
            if code == NOTHING_NEW:
                waiting = self._known.numbers[QUEUED_CELLS]
                queue_shown_cells(self._known, shown)
                if self._known.numbers[QUEUED_CELLS] == waiting:
                    return None

    def _traps(self, view: View) -> list[Cell]:
        """The cells marked as traps, in the order of marking."""
        if self._known is None:
            return []
        marked = self._known.queue[: self._known.numbers[MARKED_CELLS]]
        return [view.grid.cell(literal // 2) for literal in marked[marked % 2 == 0]]
