"""A position as `expert` sees it before it guesses, and the cells it weighs against each other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.position import FirstClick
from gemhunter.counting.grid_state import CONFLICT_AT, GRID_MARGIN, ROW_WIDTH
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.arrays import Codes
from gemhunter.jit.codes import NONE
from gemhunter.play.agents.player import WHY
from gemhunter.play.end_game import (
    BUDGET_SPENT,
    CHOICE,
    NO_CELL,
    TRAPPED,
    Listed,
    list_solutions,
    new_end_game,
    search,
    shown_by,
    undecided_cells,
)
from gemhunter.play.guess import (
    LOOK_AHEAD_SIZE,
    MOST_SETS,
    MOST_SOLUTIONS,
    ROUNDING,
    SAFE_TWICE,
    STANDOFF_WEIGHT,
    exact_choice,
    look_ahead,
    promising,
    search_listed,
    standoff_factor,
    standoff_shares,
    worth,
)
from gemhunter.play.levels import Level
from gemhunter.play.notes import (
    ELSEWHERE,
    END_GAME,
    FIFTY_FIFTY,
    FRONTIER,
    PlayerNotes,
    blank_notes,
    decide_cell,
    follow_up,
    index_with_margins,
    read_clue,
    take_down,
    work_out,
)
from gemhunter.play.risks import (
    BY_TOTAL,
    WITH_RISKS,
    WeighedPosition,
    left_over,
    log_factorials,
    note_certain,
    risks_by_index,
    weigh_in_play,
)

# A position worked out as far as the agent `expert` does before it guesses.
#
# The steps are those of the kernel `decide`, made one by one as plain Python, so that all that was weighed
# can be shown. Known traps and gems of the grid count; a known gem never shows a clue.


NO_TOTAL = 0
"""Stands for the total where cells are weighed by a trap weight, which does not depend on it."""


@dataclass(frozen=True, slots=True, eq=False)
class WorkedOut:
    """A grid, its total if it is known, and what the kernels have worked out about it.

    `notes` has all that is certain, and `weighed` the risks of the other cells.
    """

    grid: Grid
    total: int | None
    notes: PlayerNotes
    weighed: WeighedPosition
    logs: NDArray[np.float64]

    @property
    def is_weighed(self) -> bool:
        """Whether risks are known; they are not where there are too many ways to place the traps."""
        return bool(self.weighed.answer == WEIGHED)

    @property
    def total_or_none(self) -> int:
        """The total as the kernels take it."""
        return NO_TOTAL if self.total is None else self.total

    def indices(self) -> NDArray[np.int64]:
        """The index of each cell on the kernels' board, which has margins."""
        rows, cols = np.indices(self.grid.cells.shape)
        indices: NDArray[np.int64] = (
            (rows + GRID_MARGIN) * self.notes.board.numbers[ROW_WIDTH] + cols + GRID_MARGIN
        )
        return indices

    def codes(self) -> Codes:
        """The grid with all that is certain filled in."""
        return self.notes.board.codes[self.indices()]

    def risks(self) -> NDArray[np.float64]:
        """The risk of each cell, by its index on the kernels' board."""
        return risks_by_index(self.notes.board, self.weighed, self.grid.cols)

    def solutions(self) -> Listed | None:
        """All solutions, if they are few enough for `expert` to play the rest exactly.

        Gems that are certain and not revealed yet are among the cells: their clues distinguish solutions.
        """
        w, board, cols = self.weighed, self.notes.board, self.grid.cols
        if self.total is None or not self.is_weighed or w.log_count > np.log(MOST_SOLUTIONS + 0.5):
            return None
        known, _ = left_over(board)
        cells = undecided_cells(board, w, cols)
        found = list_solutions(board, w.parts, 0, cells, cols, self.total - known, MOST_SOLUTIONS)
        if found.shows.shape[0] == 0:
            return None
        gems = np.flatnonzero((self.grid.cells == HIDDEN) & (self.codes() == GEM))
        traps = (found.shows == TRAPPED).astype(np.uint8)
        traps = np.concatenate([traps, np.zeros((len(traps), gems.size), np.uint8)], axis=1)
        cells = np.concatenate([cells, gems])
        return Listed(cells, shown_by(board, cells, cols, traps))


def work_out_position(grid: Grid, total: int | None, trap_weight: float) -> WorkedOut:
    """Work a position out by its total; without one by `trap_weight`, what a trap counts if a gem counts 1.

    Where the clues alone decide the number of traps, that is the total.
    """
    notes, logs = _notes(grid), log_factorials(grid.cells.size)
    if total is not None:
        return WorkedOut(
            grid, total, notes, _weigh(notes, grid.cols, logs, total=total, trap_weight=BY_TOTAL), logs
        )
    found = WorkedOut(
        grid, None, notes, _weigh(notes, grid.cols, logs, total=NO_TOTAL, trap_weight=trap_weight), logs
    )
    left = found.weighed
    if not found.is_weighed or left.untouched > 0 or left.spread.any():
        return found
    known, _ = left_over(notes.board)
    implied = int(known) + round(float(left.risk.sum()))
    return WorkedOut(
        grid, implied, notes, _weigh(notes, grid.cols, logs, total=implied, trap_weight=BY_TOTAL), logs
    )


def _weigh(
    notes: PlayerNotes, cols: int, logs: NDArray[np.float64], *, total: int, trap_weight: float
) -> WeighedPosition:
    """Note all that is certain, and weigh the rest."""
    while True:
        work_out(notes)
        found = weigh_in_play(notes.board, total, trap_weight, WITH_RISKS, logs)
        if found.answer != WEIGHED or not note_certain(notes, found, cols):
            return found


def _notes(grid: Grid) -> PlayerNotes:
    """What single clues say, after known traps and gems have been noted."""
    notes, cols = blank_notes(grid.rows, grid.cols), grid.cols
    for index, code in enumerate(grid.cells.ravel().tolist()):
        if code in (TRAP, GEM):
            decide_cell(notes.board, index_with_margins(notes.board, cols, index), code)
        elif code != HIDDEN:
            take_down(notes.board, index_with_margins(notes.board, cols, index), code)
    follow_up(notes)
    for index in np.flatnonzero(grid.cells >= 0).tolist():
        if notes.board.numbers[CONFLICT_AT] == NONE:
            read_clue(notes, index_with_margins(notes.board, cols, index))
    return notes


# The cells that the agent `expert` weighs against each other when no cell is certain to be a gem.


MOST_COMPARED = 8
"""Cells that are shown, the best one among them; `expert` looks ahead from as many."""

SETS_PER_CELL = 200
"""Sets of solutions that may be looked at for the win chance of a cell that is not the best."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that could be opened next.

    `risk` is the probability that it is a trap. `win_chance` is the probability that a player who opens it
    and plays perfectly from then on wins, where that is known exactly. `safe_twice` is the probability that
    it and the safest cell after it are both gems, and `worth` what `expert` compares; both are None where it
    does not look ahead.
    """

    cell: Cell
    risk: float
    win_chance: float | None = None
    safe_twice: float | None = None
    worth: float | None = None


@dataclass(frozen=True, slots=True)
class Outlook:
    """The candidates, the best one first, and why it is the best."""

    candidates: tuple[Candidate, ...]
    why: str


def outlook(position: WorkedOut) -> Outlook:
    """What `expert` weighs where no cell is certain to be a gem, and the risks are known."""
    return played_to_the_end(position) or _tried_now(position) or _looked_ahead(position)


def win_chance(position: WorkedOut) -> float | None:
    """The probability that a perfect player wins from here; None where there are too many solutions."""
    found = position.solutions()
    return None if found is None else _share_won(found.shows, found.shows.shape[0], MOST_SETS)


def win_chance_after(position: WorkedOut, cell: Cell) -> float | None:
    """The probability of winning if a cell is opened and a perfect player goes on; None where not known."""
    found = position.solutions()
    if found is None or position.grid.cells[cell] != HIDDEN:
        return None
    column = (found.cells == cell.row * position.grid.cols + cell.col).nonzero()[0]
    return _share_won_after(found, int(column[0]), MOST_SETS) if column.size else 0.0


@cache
def first_move(level: Level, first_click: FirstClick) -> Outlook | None:
    """The best cells to begin a game with, by exact search to its end.

    None if there are too many boards, or if the rule for the first click concerns more than the first cell.
    """
    cells = level.rows * level.cols
    if cells > MOST_SOLUTIONS or not 1 < comb(cells, level.total) <= MOST_SOLUTIONS:
        return None
    if first_click not in (FirstClick.ANY, FirstClick.SAFE):
        return None
    grid = Grid(np.full((level.rows, level.cols), HIDDEN, np.int8))
    found = played_to_the_end(work_out_position(grid, level.total, 1.0))
    if found is None or first_click is FirstClick.ANY:
        return found
    # Every cell is a gem on the same number of boards, so a cell that is best at a risk is best without it.
    safe = 1 - level.total / cells
    chances = [None if each.win_chance is None else each.win_chance / safe for each in found.candidates]
    candidates = (
        replace(each, risk=0.0, win_chance=chance)
        for each, chance in zip(found.candidates, chances, strict=True)
    )
    return Outlook(tuple(candidates), found.why)


def played_to_the_end(position: WorkedOut) -> Outlook | None:
    """The best cell by exact search to the end, and others with their win chances; None if there is none."""
    found = position.solutions()
    if found is None:
        return None
    count = found.shows.shape[0]
    game = new_end_game(found.shows, MOST_SETS)
    won = search(game)
    if won == BUDGET_SPENT or count == 1:
        return None
    choice = int(game.numbers[CHOICE])
    index = search_listed(found)[0] if choice == NO_CELL else int(found.cells[choice])
    safest = _by_risk(position)
    best = next(each for each in safest if each.cell == position.grid.cell(index))
    others = [*_with_win_chances(position, found, [each for each in safest if each != best])]
    others.sort(key=lambda each: (-(each.win_chance or 0.0), each.risk))
    first = Candidate(best.cell, best.risk, won / count)
    return Outlook((first, *others), WHY[FIFTY_FIFTY if count == 2 else END_GAME])


def _tried_now(position: WorkedOut) -> Outlook | None:
    """A cell of a closed part, about which no clue elsewhere will ever say more; None if there is none."""
    # With infinitely many solutions the kernel looks at closed parts only.
    weighed = position.weighed._replace(log_count=np.inf)
    index, why, _ = exact_choice(position.notes, weighed, position.grid.cols, NO_TOTAL)
    if index == NO_CELL:
        return None
    safest = _by_risk(position)
    best = next(each for each in safest if each.cell == position.grid.cell(index))
    others = [each for each in safest if each != best]
    return Outlook((best, *others[: MOST_COMPARED - 1]), WHY[why])


def _looked_ahead(position: WorkedOut) -> Outlook:
    """The cells that `expert` looks at, with what follows from the clues that they can show."""
    grid, notes, total, logs = position.grid, position.notes, position.total_or_none, position.logs
    scratch, risks, indices = blank_notes(grid.rows, grid.cols), position.risks(), position.indices().ravel()
    shares = standoff_shares(notes, scratch, position.weighed, risks, total, logs)
    seen = np.empty(LOOK_AHEAD_SIZE, np.float64)
    best, most = 0, -np.inf
    found: list[Candidate] = []
    for cell in promising(notes.board, risks, shares, grid.rows, grid.cols).tolist():
        index = indices[cell]
        safety, share = float(1.0 - risks[index]), float(shares[index])
        look = partial(look_ahead, notes, scratch, position.weighed, index, total, logs, safety)
        is_whole = look(most / standoff_factor(share, safety, STANDOFF_WEIGHT), seen)
        if (value := worth(seen, safety, share)) > most + ROUNDING:
            best, most = len(found), value
        if not is_whole:  # `expert` looks no further, but people want to see what it is worth
            look(-np.inf, seen)
            value = worth(seen, safety, share)
        found.append(
            Candidate(grid.cell(cell), float(risks[index]), None, float(seen[SAFE_TWICE]), float(value))
        )
    first = found.pop(best)
    others = sorted(found, key=lambda each: -(each.worth or 0.0))
    return Outlook((first, *others), _why(position, first.cell))


def _why(position: WorkedOut, cell: Cell) -> str:
    has_clue = any(position.grid[near] >= 0 for near in position.grid.around(cell))
    return WHY[FRONTIER if has_clue else ELSEWHERE]


def _by_risk(position: WorkedOut) -> list[Candidate]:
    """All cells about which nothing is certain, the safest first."""
    cells = np.argwhere(position.codes() == HIDDEN)
    risks = position.risks()[position.indices()]
    found = [Candidate(Cell(row, col), float(risks[row, col])) for row, col in cells.tolist()]
    return sorted(found, key=lambda each: each.risk)


def _with_win_chances(position: WorkedOut, found: Listed, candidates: list[Candidate]) -> Iterator[Candidate]:
    """The safest of these, each with its win chance; None for those that take too long."""
    column_of = {position.grid.cell(index): column for column, index in enumerate(found.cells.tolist())}
    for each in candidates[: MOST_COMPARED - 1]:
        share_won = _share_won_after(found, column_of[each.cell], SETS_PER_CELL)
        yield Candidate(each.cell, each.risk, share_won)


def _share_won_after(found: Listed, column: int, budget: int) -> float | None:
    """The share of all solutions that are won if the cell of a column is opened first.

    Each clue that it can show has the whole budget; None if one takes more.
    """
    clues, solutions = found.shows[:, column], found.shows.shape[0]
    won = 0.0
    for clue in np.unique(clues[clues != TRAPPED]):
        share = _share_won(found.shows[clues == clue], solutions, budget)
        if share is None:
            return None
        won += share
    return won


def _share_won(shows: NDArray[np.uint8], solutions: int, budget: int) -> float | None:
    """How many of `solutions` a perfect player wins who knows that one of these is true, as a share."""
    won = search(new_end_game(np.ascontiguousarray(shows), budget))
    return None if won == BUDGET_SPENT else won / solutions
