"""The resolution player: marks cells until it wants a hint, and whole games of it."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.play.deal import ANY, deal
from gemhunter.kernels.play.initial_cells import give
from gemhunter.kernels.play.resolution_clauses import LAST_CELLS, believe, tell_hint, tell_total
from gemhunter.kernels.resolution.infer import take_in
from gemhunter.kernels.resolution.knowledge_base import (
    ARRIVED,
    EMPTY,
    GROW,
    INCOMING,
    MARKED,
    MORE,
    NONE,
    NOTHING_NEW,
    ROUNDS,
    STEPS,
    UNIT,
    KnowledgeState,
)
from gemhunter.kernels.resolution.matching import begin_round, in_round, match_next

ASK = 10
"""Beside the codes of `derive`: the hint of the cell that was marked last is wanted."""

WIDTH = 2
"""Two clauses are matched if one of them has at most so many literals."""

HEARD, COUNTED, MEMORIES = range(3)
"""What the player remembers: how many marked cells it has asked about, and whether it was told the total."""

CELLS_MARKED, MATCHING_ROUNDS, WRONG_MARKS, CLASHES, COLUMNS = range(5)
"""What became of a game: cells marked, matching rounds, marks that are not true, whether the knowledge base
contradicted itself, and the number of columns."""

STEPS_AT_ONCE = 2**40
"""No end to a game but its own."""

Codes = NDArray[np.int8]
Numbers = NDArray[np.int64]


@kernel(estimate=lambda _, __, ___, ____, steps: 1e-6 * steps)
def go_on(kb: KnowledgeState, memory: Numbers, shown: Codes, total: int, steps: int) -> int:
    """Mark cells, and derive clauses if there is none to mark, until a hint of a hidden cell is wanted.

    That is ASK, and the cell is the one marked last; once it is shown, this can be called again. Other codes
    are those of `derive`: NOTHING_NEW says that all cells are marked or that the player is stuck.
    """
    numbers, cells = kb.numbers, kb.incoming.size
    cols = shown.shape[1]
    end = numbers[STEPS] + steps
    while numbers[STEPS] < end:
        if in_round(kb):
            # What a round decides is marked after it.
            code = take_in(kb, end, 0)
            if code != NOTHING_NEW:
                return code
            match_next(kb, WIDTH)
            numbers[STEPS] += 1
            continue
        has_inbox = numbers[INCOMING] != NONE or numbers[ARRIVED] < kb.inbox_at.size - 1
        is_idle = not has_inbox and numbers[UNIT] == NONE
        has_heard = is_idle and memory[HEARD] == numbers[MARKED]
        if is_idle and not has_heard:
            literal = kb.queue[memory[HEARD]]
            if literal & 1:
                if shown[literal // 2 // cols, literal // 2 % cols] == HIDDEN:
                    return ASK
                tell_hint(kb, shown, literal // 2)
            memory[HEARD] += 1
        elif has_heard and not memory[COUNTED] and cells - numbers[MARKED] <= LAST_CELLS:
            tell_total(kb, total)
            memory[COUNTED] = 1
        else:
            code = take_in(kb, end, memory[HEARD] + 1 if has_heard else 0)
            if code != NOTHING_NEW:
                return code
            if has_heard and memory[HEARD] == numbers[MARKED] and not begin_round(kb):
                return code
    return MORE


@kernel
def forget_everything(kb: KnowledgeState, memory: Numbers) -> None:
    """A knowledge base as it was before anything was told."""
    kb.head[:] = NONE
    kb.value[:] = False
    kb.queued[:] = False
    kb.stamps[:] = 0
    kb.numbers[:] = 0
    kb.numbers[INCOMING] = NONE
    kb.numbers[UNIT] = NONE
    kb.numbers[ARRIVED] = kb.inbox_at.size - 1
    memory[:] = 0


@kernel
def play(kb: KnowledgeState, memory: Numbers, truth: Codes, shown: Codes, result: Numbers) -> bool:
    """Play one game from the cells that are shown, which must all be gems; False if there was no room."""
    total = int(np.count_nonzero(truth == TRAP))
    cols = truth.shape[1]
    forget_everything(kb, memory)
    believe(kb, shown)
    code = ASK
    while code == ASK:
        code = go_on(kb, memory, shown, total, STEPS_AT_ONCE)
        if code == ASK:
            cell = kb.queue[memory[HEARD]] // 2
            if truth[cell // cols, cell % cols] == TRAP:
                break
            shown[cell // cols, cell % cols] = truth[cell // cols, cell % cols]
    if code == GROW:
        return False
    result[CELLS_MARKED] = kb.numbers[MARKED]
    result[MATCHING_ROUNDS] = kb.numbers[ROUNDS]
    result[CLASHES] = code == EMPTY
    result[WRONG_MARKS] = 0
    for cell in range(truth.size):
        is_trap = truth[cell // cols, cell % cols] == TRAP
        result[WRONG_MARKS] += kb.value[2 * cell] and not is_trap
        result[WRONG_MARKS] += kb.value[2 * cell + 1] and is_trap
    return True


@kernel(estimate=lambda _, __, codes, *more: 1e-3 * codes[0].size * len(more[-1]))
def play_seeds(
    kb: KnowledgeState,
    memory: Numbers,
    codes: Codes,
    total: int,
    given: int,
    first_seed: int,
    results: Numbers,
) -> int:
    """Play the games of the seeds from `first_seed` on, a row of `results` each, with `given` cells to begin.

    `codes` is room for two boards, the truth and what is shown. Returns how many games have been played:
    less than there are rows if the knowledge base has to grow, and then the game has to be played anew.
    """
    truth, shown = codes[0], codes[1]
    for game in range(results.shape[0]):
        deal(first_seed + game, ANY, 0, total, truth)
        shown[:] = HIDDEN
        give(first_seed + game, given, truth, shown)
        if not play(kb, memory, truth, shown, results[game]):
            return game
    return int(results.shape[0])
