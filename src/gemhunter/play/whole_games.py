"""Whole games in compiled code. An agent decides by its notes, which hold what was revealed and no more."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN
from gemhunter.board.position import ANY_CLICK, LOST, SAFE_CLICK, STUCK, WON
from gemhunter.counting.grid_state import CELLS_DECIDED, CONFLICT_AT, GRID_MARGIN, ROW_WIDTH, GridState
from gemhunter.counting.propagate import QUEUE_LENGTH
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.arrays import Codes, Floats, Ints
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel
from gemhunter.jit.random_state import RandomState
from gemhunter.play.deal import PLAYER_STREAM, deal, reveal, set_seed
from gemhunter.play.end_game import NO_CELL
from gemhunter.play.guess import choose
from gemhunter.play.luck import LUCK_UNITS
from gemhunter.play.notes import (
    CLUE_LOGIC,
    EXPERT,
    FIRST_MOVE,
    GUESSES,
    LAST_REASON,
    LOGIC,
    LUCK,
    OUTCOME,
    REVEALS,
    PlayerNotes,
    blank_notes,
    compare_next,
    follow_up,
    index_with_margins,
    read_clue,
    read_grid,
    take_down,
)
from gemhunter.play.risks import (
    BY_TOTAL,
    TOTAL_UNKNOWN,
    WITH_RISKS,
    log_factorials,
    note_certain,
    weigh_in_play,
)

NEAR, FAR = 2, 3
"""Rows and columns from the corner to the first cell where that is a 0 for certain; more with many traps."""

MANY_TRAPS = 6
"""A board has many traps if one in this many cells is a trap."""


@kernel
def first_cell(rows: int, cols: int, total: int, first_click: int) -> int:
    """Where to begin: in a corner, which is most often a 0, or a little inside where it is one anyway.

    There an opening is larger. `benchmarks/first_cells.py` measures what other cells lead to.
    """
    if first_click in (SAFE_CLICK, ANY_CLICK):
        return 0
    inwards = FAR if MANY_TRAPS * total >= rows * cols else NEAR
    return min(inwards, (rows - 1) // 2) * cols + min(inwards, (cols - 1) // 2)


@kernel
def index_without_margins(board: GridState, cols: int, index: int) -> int:
    """The reading index of a cell, given by its index on the board with margins."""
    width = board.numbers[ROW_WIDTH]
    return int((index // width - GRID_MARGIN) * cols + index % width - GRID_MARGIN)


@kernel
def next_certain(n: PlayerNotes, asked: Ints) -> int:
    """The index of the next gem on the trail, from `asked` on, that has not been revealed, or `NO_CELL`.

    Clues that wait are compared as long as there is none.
    """
    board = n.board
    while True:
        while asked[0] < board.numbers[CELLS_DECIDED]:
            index = np.int64(board.trail[asked[0]])
            asked[0] += 1
            if board.codes[index] == GEM:
                return int(index)
        if n.line[QUEUE_LENGTH] == 0 or board.numbers[CONFLICT_AT] != NONE:
            return NO_CELL
        compare_next(n)


@kernel
def note_opened(n: PlayerNotes, shown: Codes, opened: NDArray[np.int32], count: int) -> None:
    """Note the clues of cells that have just been revealed."""
    board, cols = n.board, shown.shape[1]
    for i in range(count):
        take_down(
            board, index_with_margins(board, cols, opened[i]), shown[opened[i] // cols, opened[i] % cols]
        )
    follow_up(n)
    for i in range(count):
        read_clue(n, index_with_margins(board, cols, opened[i]))


@kernel(inline=True)
def play_on(
    agent: int,
    truth: Codes,
    shown: Codes,
    n: PlayerNotes,
    asked: Ints,
    total: int,
    cell: int,
    logs: Floats,
    random: RandomState,
    result: Ints,
) -> None:
    """Reveal a cell and play to the end; `shown` and the notes on it go along. `result` is a row of
    results.

    Gems on the trail of the notes before `asked` are not revealed.
    """
    rows, cols = truth.shape
    held = np.zeros((rows, cols), np.bool_)
    opened = np.empty(rows * cols, np.int32)
    scratch = blank_notes(rows if agent == EXPERT else 1, cols if agent == EXPERT else 1)
    weight = TOTAL_UNKNOWN if agent == CLUE_LOGIC else BY_TOTAL
    left = -total
    for code in shown.ravel():
        left += code == HIDDEN
    luck, hoped = 0.0, 0.0  # `hoped` is the forecast of the guess that is revealed next
    while True:
        count = reveal(truth, shown, held, cell, opened)
        result[REVEALS] += max(count, 1)
        left -= count
        luck, hoped = luck + (hoped if count >= 0 else 0.0), 0.0
        if count < 0 or left == 0:
            result[LUCK] = round(luck * LUCK_UNITS)
            result[OUTCOME] = LOST if count < 0 else WON
            return
        note_opened(n, shown, opened, count)
        index = next_certain(n, asked)
        while index == NO_CELL:
            w = weigh_in_play(n.board, total, weight, WITH_RISKS, logs)
            if w.answer == WEIGHED and note_certain(n, w, cols):
                index = next_certain(n, asked)
                continue
            if agent in (LOGIC, CLUE_LOGIC):
                result[OUTCOME] = STUCK
                return
            cell, why, risk, hoped = choose(agent, n, scratch, w, rows, cols, total, logs, random)
            luck -= (1.0 - risk) * hoped
            result[GUESSES] += 1
            result[LAST_REASON] = why
            break
        if index != NO_CELL:
            cell = index_without_margins(n.board, cols, index)


def plain_seconds_of_games(agent: int, rows: int, cols: int, total: int, *more: Any) -> float:
    """About how long plain Python takes; looking ahead takes longer the more traps there are."""
    return (4e-5 * rows * cols + (2.4e-5 * total**2 if agent == EXPERT else 0.0)) * len(more[-1])


@kernel
def cell_to_open(
    agent: int,
    n: PlayerNotes,
    asked: Ints,
    shape: tuple[int, int],
    total: int,
    logs: Floats,
    random: RandomState,
) -> int:
    """The index of the cell that an agent opens next in a position of which it has made notes."""
    rows, cols = shape
    index = next_certain(n, asked)
    if index == NO_CELL:
        w = weigh_in_play(n.board, total, BY_TOTAL, WITH_RISKS, logs)
        if w.answer == WEIGHED and note_certain(n, w, cols):
            index = next_certain(n, asked)
        if index == NO_CELL:
            return int(choose(agent, n, blank_notes(rows, cols), w, rows, cols, total, logs, random)[0])
    return index_without_margins(n.board, cols, index)


@kernel(estimate=plain_seconds_of_games)
def play_seeds(
    agent: int,
    rows: int,
    cols: int,
    total: int,
    first_click: int,
    first: int,
    first_seed: int,
    dealt: Codes,
    begun: Codes,
    results: Ints,
) -> None:
    """Play the games of as many seeds as there are rows, each from the cell `first` on; see `results`.

    `dealt` has the boards below each other if they are not to be dealt here, otherwise no row. `begun` is
    what the player sees at first, all hidden in a new game; if `first` is `NO_CELL`, the agent, which has to
    be one that guesses, opens what it chooses.
    """
    logs = log_factorials(rows * cols)
    random = np.empty(1, np.uint64)
    truth = np.empty((rows, cols), np.int8)
    for i in range(results.shape[0]):
        if dealt.shape[0] > 0:
            truth[:] = dealt[i * rows : (i + 1) * rows]
        else:
            deal(first_seed + i, first_click, first, total, truth)
        set_seed(first_seed + i, PLAYER_STREAM, random)
        shown = begun.copy()
        results[i] = 0
        results[i, LAST_REASON] = FIRST_MOVE
        results[i, GUESSES] = first_click == ANY_CLICK
        n, asked = read_grid(shown), np.zeros(1, np.int64)
        cell = first
        if first == NO_CELL:
            cell = cell_to_open(agent, n, asked, (rows, cols), total, logs, random)
        play_on(agent, truth, shown, n, asked, total, cell, logs, random, results[i])


@kernel(estimate=lambda _, grid, *__: 4e-5 * grid.size)
def decide(
    agent: int, grid: Codes, total: int, logs: Floats, random: RandomState, certain: Codes
) -> tuple[int, int, float]:
    """What an agent does in a position: the cell that it guesses, why, and how risky that is.

    The cell is `NO_CELL` if it need not guess, or never does. `certain` becomes a copy of the grid with gems
    and traps that are certain: all of them if there is no gem among these, else at least one gem.
    """
    rows, cols = grid.shape
    n = read_grid(grid)
    asked = np.zeros(1, np.int64)
    index = next_certain(n, asked)
    answer = (NO_CELL, FIRST_MOVE, 0.0)
    while index == NO_CELL:
        w = weigh_in_play(n.board, total, BY_TOTAL, WITH_RISKS, logs)
        if w.answer == WEIGHED and note_certain(n, w, cols):
            index = next_certain(n, asked)
            continue
        if agent != LOGIC:
            scratch = blank_notes(rows, cols)
            cell, why, risk, _ = choose(agent, n, scratch, w, rows, cols, total, logs, random)
            answer = (cell, why, risk)
        break
    for cell in range(rows * cols):
        certain[cell // cols, cell % cols] = n.board.codes[index_with_margins(n.board, cols, cell)]
    return answer
