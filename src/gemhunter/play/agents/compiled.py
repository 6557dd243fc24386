"""The compiled agents `logic`, `logic+random`, `fast` and `expert`: one decision, or whole games.

An agent decides by its notes, which contain only what was revealed. `play/guessing/choose.py` says how
`expert` guesses. `next_move` is what an agent does in a position: `decide` calls it once, for a player that
sees views, and `play_on` until the game is over. At the end of the file: how much of a result was luck.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.position import ANY_CLICK, LOST, SAFE_CLICK, STUCK, WON, FirstClick
from gemhunter.counting.propagate import (
    CELLS_DECIDED,
    CONFLICT_AT,
    QUEUE_LENGTH,
    GridState,
    index_with_margins,
    reading_index,
)
from gemhunter.counting.weigh import WEIGHED
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Codes, Floats, Ints, kernel
from gemhunter.jit.search_state import NONE, RandomState
from gemhunter.play.deal import PLAYER_STREAM, deal, set_seed
from gemhunter.play.game import View, reveal
from gemhunter.play.game_ids import Level
from gemhunter.play.guessing.candidates import first_move_of_expert
from gemhunter.play.guessing.choose import CLUE_LOGIC, EXPERT, LOGIC, SHARE_NOT_KNOWN, choose
from gemhunter.play.guessing.end_game import NO_CELL
from gemhunter.play.notes import (
    PlayerNotes,
    blank_notes,
    compare_next,
    follow_up,
    note_clue,
    read_clue,
    read_grid,
)
from gemhunter.play.player import FIRST_MOVE, PROVEN, WHY, Choice, Stuck
from gemhunter.play.risks import (
    BY_TOTAL,
    TOTAL_UNKNOWN,
    WITH_RISKS,
    WeighedPosition,
    left_over,
    log_factorials,
    note_certain,
    risks_by_index,
    weigh_in_play,
)

OUTCOME, REVEALS, GUESSES, LAST_REASON, LUCK, RESULT_COLUMNS = range(6)
"""Columns of results: how a game ended (`board.position`), how many cells were revealed, including those
that a 0 opened and a trap at the end, how many reveals could have hit a trap, the reason of the last of
these, and the luck of all of them; then the number of columns."""

LUCK_UNITS = 1_000_000
"""Luck is kept in whole numbers: this many are a win."""


class KernelPlayer:
    """Plays as the agent of a number in `play.expert`; the seed determines its random choices."""

    def __init__(self, agent: int, seed: int) -> None:
        self._agent = agent
        self._random = np.empty(1, np.uint64)
        set_seed(seed, PLAYER_STREAM, self._random)

    def choose(self, view: View) -> Choice | Stuck:
        """Cells that are certain, otherwise a guess; an agent that never guesses is stuck instead."""
        grid = view.grid
        if view.is_fresh:
            level = Level(grid.rows, grid.cols, view.total)
            first, reason = first_of_agent(self._agent, level, view.first_click)
            return Choice((first,), (), view.risk_of_first, reason)
        certain = np.empty_like(grid.cells)
        logs = log_factorials(grid.cells.size)
        # A copy is writable, like the arrays for which whole games are compiled.
        guess, why, risk = decide(self._agent, grid.cells.copy(), view.total, logs, self._random, certain)
        traps = tuple(cell for cell in Grid(certain).where(TRAP) if not view.flags[cell])
        if guess != NO_CELL:
            return Choice((grid.cell(guess),), traps, risk, WHY[why])
        gems = tuple(cell for cell in Grid(certain).where(GEM) if view.is_hidden(cell))
        if gems:
            return Choice(gems, traps, 0.0, WHY[PROVEN])
        if not (grid.cells == HIDDEN).any():
            raise InputError("nothing is hidden in this position")
        return Stuck(traps, "no cell is certain to be a gem, and this agent does not guess")


def first_of_agent(agent: int, level: Level, first_click: FirstClick) -> tuple[Cell, str]:
    """The cell that an agent begins with, and why."""
    exact = first_move_of_expert(level, first_click) if agent == EXPERT else None
    if exact is not None:
        return exact.candidates[0].cell, exact.why
    index = first_cell(level.rows, level.cols, level.total, first_click.code)
    return Cell(*divmod(index, level.cols)), WHY[FIRST_MOVE]


@kernel
def first_cell(rows: int, cols: int, total: int, first_click: int) -> int:
    """Where to begin: in a corner, which is most likely a 0; if every first cell is a 0, further inside.

    Openings are larger there. `benchmarks/first_cells.py` measures other cells.
    """
    if first_click in (SAFE_CLICK, ANY_CLICK):
        return 0
    # One step further if at least one in six cells is a trap.
    inwards = 3 if 6 * total >= rows * cols else 2
    return min(inwards, (rows - 1) // 2) * cols + min(inwards, (cols - 1) // 2)


@kernel(estimate=lambda _, grid, *__: 4e-5 * grid.size)
def decide(
    agent: int, grid: Codes, total: int, logs: Floats, random: RandomState, certain: Codes
) -> tuple[int, int, float]:
    """What an agent does in a position: the cell that it guesses, why, and the risk of it.

    The cell is `NO_CELL` if the agent need not guess, or never does. `certain` becomes a copy of the grid
    with certain gems and traps: all of them if no gem is certain, otherwise at least one gem.
    """
    rows, cols = grid.shape
    n, scratch, asked = read_grid(grid), blank_notes(rows, cols), np.zeros(1, np.int64)
    index, why, risk, _ = next_move(agent, n, scratch, asked, total, logs, random)
    for cell in range(rows * cols):
        certain[cell // cols, cell % cols] = n.board.codes[index_with_margins(n.board, cell)]
    if index == NO_CELL or why == PROVEN:
        return NO_CELL, why, risk
    return int(reading_index(n.board, index)), why, risk


def plain_seconds_of_games(agent: int, rows: int, cols: int, total: int, *more: Any) -> float:
    """About how long plain Python takes; looking ahead takes longer if there are more traps."""
    return (4e-5 * rows * cols + (2.4e-5 * total**2 if agent == EXPERT else 0.0)) * len(more[-1])


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
    """Play a game for each row of `results`, with seeds from `first_seed`, beginning at the cell `first`.

    `dealt` has the boards one below the other, or no row if they are to be dealt here. `begun` is what the
    player sees at first, all hidden in a new game; if `first` is `NO_CELL`, the agent chooses the next cell.
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
        play_on(
            agent,
            truth,
            shown,
            read_grid(shown),
            np.zeros(1, np.int64),
            total,
            first,
            logs,
            random,
            results[i],
        )


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
    """Play to the end, beginning with `cell` unless that is `NO_CELL`; `result` is a row of results.

    `shown` and the notes on it are updated. Gems before place `asked` on the trail of the notes are skipped.
    """
    rows, cols = truth.shape
    no_flags = np.zeros((rows, cols), np.bool_)
    opened = np.empty(rows * cols, np.int32)
    scratch = blank_notes(rows if agent == EXPERT else 1, cols if agent == EXPERT else 1)
    left = -total
    for code in shown.ravel():
        left += code == HIDDEN
    luck, hoped = 0.0, 0.0  # `hoped` is the forecast of the guess that is revealed next
    while True:
        if cell != NO_CELL:
            count = reveal(truth, shown, no_flags, cell, opened)
            result[REVEALS] += max(count, 1)
            left -= count
            luck += hoped if count >= 0 else 0.0
            if count < 0 or left == 0:
                result[LUCK] = round(luck * LUCK_UNITS)
                result[OUTCOME] = LOST if count < 0 else WON
                return
            note_opened(n, shown, opened, count)
        index, why, risk, hoped = next_move(agent, n, scratch, asked, total, logs, random)
        if index == NO_CELL:
            result[OUTCOME] = STUCK
            return
        if why != PROVEN:
            luck -= (1.0 - risk) * hoped
            result[GUESSES] += 1
            result[LAST_REASON] = why
        cell = int(reading_index(n.board, index))


@kernel(inline=True)
def next_move(
    agent: int,
    n: PlayerNotes,
    scratch: PlayerNotes,
    asked: Ints,
    total: int,
    logs: Floats,
    random: RandomState,
) -> tuple[int, int, float, float]:
    """The index of the cell that an agent reveals next, why, its risk, and the forecast of winning.

    The index is `NO_CELL` if the agent is stuck. Everything certain is noted on the way.
    """
    # Three of four cells follow from single clues and pairs of clues. Only if no gem does, all solutions are
    # weighed; and only if no cell is the same in all of them, the agent guesses.
    index = next_certain(n, asked)
    while index == NO_CELL:
        w = weigh_in_play(
            n.board, total, TOTAL_UNKNOWN if agent == CLUE_LOGIC else BY_TOTAL, WITH_RISKS, logs
        )
        if w.answer == WEIGHED and note_certain(n, w):
            index = next_certain(n, asked)
            continue
        if agent in (LOGIC, CLUE_LOGIC):
            break
        index, why, risk, won = choose(agent, n, scratch, w, total, logs, random)
        return index, why, risk, forecast(n.board, w, total, risk, won)
    return index, PROVEN, 0.0, 0.0


@kernel
def note_opened(n: PlayerNotes, shown: Codes, opened: NDArray[np.int32], count: int) -> None:
    """Note the clues of cells that have just been revealed."""
    board, cols = n.board, shown.shape[1]
    for i in range(count):
        note_clue(board, index_with_margins(board, opened[i]), shown[opened[i] // cols, opened[i] % cols])
    follow_up(n)
    for i in range(count):
        read_clue(n, index_with_margins(board, opened[i]))


@kernel
def next_certain(n: PlayerNotes, asked: Ints) -> int:
    """The index of the next gem on the trail, from place `asked`, that has not been revealed, or `NO_CELL`.

    Waiting clues are compared until there is one.
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


# Luck: the part of a result that depends on how guesses turn out, not on how they are chosen.
#
# The luck of a guess is (1 if it was safe, otherwise 0, less the probability that it is) × a forecast of
# winning if it is safe. Its mean is 0 for any forecast that is made before the cell is revealed. So the
# result of a game without its luck has the mean of the result, and varies less the better the forecast is.


FORECAST_WEIGHTS = np.array([3.325, 1.186, -9.414, 4.655, -9.106, 0.514, 8.036])
"""The weights of `forecast_terms` in a logistic forecast, fitted to games of `expert` and `fast`."""

FORECAST_TERMS = FORECAST_WEIGHTS.size


@kernel(estimate=lambda grid, *_: 4e-5 * grid.size)
def luck_of_reveal(grid: Codes, total: int, cell: int, is_safe: bool, logs: Floats) -> float:
    """The luck of revealing a cell, given by its reading index, in a grid of clues and hidden cells."""
    n = read_grid(grid)
    w = weigh_in_play(n.board, total, BY_TOTAL, WITH_RISKS, logs)
    while w.answer == WEIGHED and note_certain(n, w):
        w = weigh_in_play(n.board, total, BY_TOTAL, WITH_RISKS, logs)
    if w.answer != WEIGHED:
        return 0.0
    risk = float(risks_by_index(n.board, w)[index_with_margins(n.board, cell)])
    return ((1.0 if is_safe else 0.0) - 1.0 + risk) * forecast(n.board, w, total, risk, SHARE_NOT_KNOWN)


@kernel
def forecast(board: GridState, w: WeighedPosition, total: int, risk: float, won: float) -> float:
    """The probability that a game is won if a guess with this risk is safe.

    `won` is the share of solutions that an exact search wins, or `SHARE_NOT_KNOWN`. The forecast is 0, so
    that no luck is counted, if the risk is not known exactly or nothing is at risk.
    """
    if w.answer != WEIGHED or w.trap_weight != BY_TOTAL or not 0.0 < risk < 1.0:
        return 0.0
    if won != SHARE_NOT_KNOWN:
        return min(won / (1.0 - risk), 1.0)
    terms = np.empty(FORECAST_TERMS, np.float64)
    forecast_terms(board, w, total, risk, terms)
    return float(1.0 / (1.0 + np.exp(-(terms * FORECAST_WEIGHTS).sum())))


@kernel
def forecast_terms(board: GridState, w: WeighedPosition, total: int, risk: float, terms: Floats) -> None:
    """Fill in what a forecast is made from, each a number near 1."""
    known, undecided = left_over(board)
    undecided = max(undecided, 1)  # conflicting clues can leave none
    terms[0] = 1.0  # its weight is the constant of the forecast
    terms[1] = w.log_count / 100.0
    terms[2] = np.sqrt(max(w.log_count, 0.0)) / 10.0
    terms[3] = risk
    terms[4] = (total - known) / undecided
    terms[5] = w.untouched / undecided
    terms[6] = np.sqrt(undecided) / 20.0
