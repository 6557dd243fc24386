"""A position as `expert` sees it before it guesses, and the cells it weighs against each other.

Read `outlook` first. It takes the steps that the agent takes when it plays, one by one in plain Python, so
that everything that was weighed can be shown. Only the end of a game is searched for longer: as long as the
run that is given.
"""

from dataclasses import dataclass, replace
from functools import cache, partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, Cell, Grid, cells_where
from gemhunter.board.position import FirstClick
from gemhunter.counting.propagate import GRID_MARGIN, ROW_WIDTH, reading_index
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.kernel import Codes
from gemhunter.play.game_ids import Level
from gemhunter.play.guessing.choose import (
    EXACT_SETS,
    EXACT_SOLUTIONS,
    LOOK_AHEAD_SIZE,
    ROUNDING,
    SAFE_TWICE,
    STANDOFF_WEIGHT,
    closed_choice,
    look_ahead,
    promising,
    standoff_factor,
    standoff_shares,
    worth,
)
from gemhunter.play.guessing.end_game import (
    ANY_NUMBER,
    BUDGET_SPENT,
    NO_CELL,
    TRAPPED,
    EndGame,
    Listed,
    begin_with,
    list_solutions,
    new_end_game,
    search_on,
    shown_by,
    undecided_cells,
)
from gemhunter.play.guessing.end_without_total import EndWithoutTotal
from gemhunter.play.notes import PlayerNotes, blank_notes, read_grid, work_out
from gemhunter.play.player import ELSEWHERE, END_GAME, FIFTY_FIFTY, FRONTIER, WHY
from gemhunter.play.risks import (
    BY_TOTAL,
    WITH_RISKS,
    WeighedPosition,
    clues_around,
    left_over,
    log_factorials,
    note_certain,
    risks_by_index,
    weigh_in_play,
)
from gemhunter.solving.run import Limits, Run

SHOWN_CANDIDATES = 8
"""How many cells are shown, including the best one."""

SOLUTIONS_SEARCHED = 20_000
"""With more solutions, no end of a game could be searched within a second."""

SOLUTIONS_WITHOUT_TOTAL = 500
"""How many can be searched within a second if the number of traps is not known."""

TABLE_BITS = 20
"""The table of answered sets has 2^TABLE_BITS places, and takes 12 MB."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that could be opened next.

    `risk` is the probability that it is a trap. `win_chance` is the probability that a player who opens it
    and plays perfectly from then on wins, if that is known exactly. `safe_twice` is the probability that it
    and the safest cell after it are both gems, and `worth` is what `expert` compares; both are None if it
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


@dataclass(frozen=True, slots=True, eq=False)
class AnalysedPosition:
    """A grid, its total if it is known, and what the kernels have worked out about it.

    `notes` has all that is certain, and `weighed` the risks of the other cells. Without a total, a trap
    weighs `trap_weight` where a gem weighs 1.
    """

    grid: Grid
    total: int | None
    trap_weight: float
    notes: PlayerNotes
    weighed: WeighedPosition
    logs: NDArray[np.float64]

    @property
    def is_weighed(self) -> bool:
        """Whether risks are known; they are not if there are too many ways to place the traps."""
        return bool(self.weighed.answer == WEIGHED)

    def indices(self) -> NDArray[np.int64]:
        """The index of each cell on the kernels' board, which has margins."""
        rows, cols = np.indices(self.grid.cells.shape)
        width = self.notes.board.numbers[ROW_WIDTH]
        indices: NDArray[np.int64] = (rows + GRID_MARGIN) * width + cols + GRID_MARGIN
        return indices

    def codes(self) -> Codes:
        """The grid with everything certain filled in."""
        return self.notes.board.codes[self.indices()]

    def solutions(self) -> Listed | None:
        """All solutions, if they are few enough for an exact search.

        The cells include gems that are certain but not revealed yet, because their clues distinguish
        solutions.
        """
        w, board = self.weighed, self.notes.board
        if not self.is_weighed:
            return None
        traps, limit = ANY_NUMBER, SOLUTIONS_WITHOUT_TOTAL
        if self.total is not None:
            if w.log_count > np.log(SOLUTIONS_SEARCHED + 0.5):
                return None
            traps = self.total - left_over(board)[0]
            limit = int(np.exp(w.log_count)) + 1  # the exponential can be off by a rounding error
        cells = undecided_cells(board, w)
        listed = list_solutions(board, w.parts, 0, cells, traps, limit)
        if listed.shows.shape[0] == 0:
            return None
        gems = np.flatnonzero((self.grid.cells == HIDDEN) & (self.codes() == GEM))
        trapped = (listed.shows == TRAPPED).astype(np.uint8)
        trapped = np.concatenate([trapped, np.zeros((len(trapped), gems.size), np.uint8)], axis=1)
        cells = np.concatenate([cells, gems])
        return Listed(cells, shown_by(board, cells, trapped))


def analyse_position(grid: Grid, total: int | None, trap_weight: float) -> AnalysedPosition:
    """Analyse a position by its total or, without one, by what a trap counts if a gem counts 1."""
    notes, logs = read_grid(grid.cells.copy()), log_factorials(grid.cells.size)

    def weighed_by(total: int, trap_weight: float) -> WeighedPosition:
        """Note everything certain, and weigh the rest."""
        while True:
            work_out(notes)
            w = weigh_in_play(notes.board, total, trap_weight, WITH_RISKS, logs)
            if w.answer != WEIGHED or not note_certain(notes, w):
                return w

    if total is None:
        w = weighed_by(0, trap_weight)
        if w.answer != WEIGHED or w.untouched > 0 or w.spread.any():
            return AnalysedPosition(grid, None, trap_weight, notes, w, logs)
        # The clues alone decide the number of traps, so that is the total.
        total = int(left_over(notes.board)[0]) + round(float(w.risk.sum()))
    return AnalysedPosition(grid, total, trap_weight, notes, weighed_by(total, BY_TOTAL), logs)


def search_run(run: Run) -> Run:
    """A run for an exact search: as many sets as take about a second, and not much longer in plain Python."""
    return run.within(400_000, seconds=5.0)


def outlook(position: AnalysedPosition, run: Run) -> Outlook:
    """What `expert` weighs if no cell is certain to be a gem and the risks are known.

    The run ends the exact search of the rest of the game.
    """
    return played_to_the_end(position, run) or _closed_part(position) or _looked_ahead(position)


def played_to_the_end(position: AnalysedPosition, run: Run) -> Outlook | None:
    """The best cell by exact search to the end, and others with their win chances; None if there is none."""
    listed = position.solutions()
    if listed is None:
        return None
    if position.total is None:
        return _played_without_total(position, listed, run)
    shows, cells = listed.shows, listed.cells.tolist()
    end_game = new_end_game(shows, TABLE_BITS)
    won, column = _searched(end_game, np.arange(len(shows)), run)
    if won == BUDGET_SPENT:
        return None
    if column == NO_CELL:
        # Only one solution can be won, whatever is revealed. Of the cells with a risk, take the safest.
        traps = np.count_nonzero(shows == TRAPPED, axis=0)
        column = int(np.where(traps > 0, traps, len(shows)).argmin())
    best, others = _best_and_others(position, position.grid.cell(cells[column]))
    column_of = {position.grid.cell(index): column for column, index in enumerate(cells)}
    # Each of the other cells may take a tenth of what the best one may take.
    seconds, steps = run.limits.seconds, run.limits.steps
    a_tenth = partial(run.within, steps and steps // 10, seconds=seconds and seconds / 10)
    others = [
        replace(other, win_chance=_share_won_after(end_game, column_of[other.cell], a_tenth()))
        for other in others
    ]
    others.sort(key=lambda other: (-(other.win_chance or 0.0), other.risk))
    candidates = replace(best, win_chance=won / len(shows)), *others
    return Outlook(candidates, WHY[FIFTY_FIFTY if len(shows) == 2 else END_GAME])


def _played_without_total(position: AnalysedPosition, listed: Listed, run: Run) -> Outlook | None:
    """The answer of `played_to_the_end` if the number of traps is not known."""
    end = _end_without_total(position, listed, run)
    won: dict[Cell, float] = {}
    for column, index in enumerate(listed.cells.tolist()):
        if (share := end.share_won(column)) is None:
            return None
        won[position.grid.cell(index)] = share
    best, others = _best_and_others(position, max(won, key=lambda cell: round(won[cell], 9)))
    compared = [replace(each, win_chance=won[each.cell]) for each in (best, *others)]
    compared[1:] = sorted(compared[1:], key=lambda other: (-(other.win_chance or 0.0), other.risk))
    return Outlook(tuple(compared), WHY[FIFTY_FIFTY if len(listed.shows) == 2 else END_GAME])


def _end_without_total(position: AnalysedPosition, listed: Listed, run: Run) -> EndWithoutTotal:
    """The search over these solutions, of as many sets as take plain Python about a second."""
    traps = np.count_nonzero(listed.shows == TRAPPED, axis=1)
    return EndWithoutTotal(listed.shows, (position.trap_weight**traps).tolist(), run.within(30_000))


def _closed_part(position: AnalysedPosition) -> Outlook | None:
    """The best cell of a closed part, about which clues elsewhere say nothing; None if no part is closed."""
    index, why = closed_choice(position.notes, position.weighed)
    if index == NO_CELL:
        return None
    cell = position.grid.cell(int(reading_index(position.notes.board, index)))
    best, others = _best_and_others(position, cell)
    return Outlook((best, *others), WHY[why])


def _best_and_others(position: AnalysedPosition, cell: Cell) -> tuple[Candidate, list[Candidate]]:
    """The candidate of this cell, and the safest of the others."""
    risks = risks_by_index(position.notes.board, position.weighed)[position.indices()]
    undecided = cells_where(position.codes() == HIDDEN)
    by_risk = sorted((Candidate(each, float(risks[each])) for each in undecided), key=lambda each: each.risk)
    best = next(each for each in by_risk if each.cell == cell)
    by_risk.remove(best)
    return best, by_risk[: SHOWN_CANDIDATES - 1]


def _looked_ahead(position: AnalysedPosition) -> Outlook:
    """The cells from which `expert` looks ahead, weighed by the clues that they can show."""
    grid, notes, weighed, logs = position.grid, position.notes, position.weighed, position.logs
    total = position.total or 0  # without a total, cells are weighed by a trap weight
    scratch, risks = blank_notes(grid.rows, grid.cols), risks_by_index(notes.board, weighed)
    shares = standoff_shares(notes, scratch, weighed, risks, total, logs)
    seen = np.empty(LOOK_AHEAD_SIZE, np.float64)
    best, most = 0, -np.inf
    found: list[Candidate] = []
    for index in promising(notes.board, risks, shares).tolist():
        safety, share = float(1.0 - risks[index]), float(shares[index])
        look = partial(look_ahead, notes, scratch, weighed, index, total, logs, safety)
        is_whole = look(most / standoff_factor(share, safety, STANDOFF_WEIGHT), seen)
        if (value := worth(seen, safety, share)) > most + ROUNDING:
            best, most = len(found), value
        if not is_whole:  # `expert` stops here, but people want to see what the cell is worth
            look(-np.inf, seen)
            value = worth(seen, safety, share)
        cell = grid.cell(int(reading_index(notes.board, index)))
        found.append(Candidate(cell, float(risks[index]), None, float(seen[SAFE_TWICE]), float(value)))
    first = found.pop(best)
    others = sorted(found, key=lambda each: -(each.worth or 0.0))
    return Outlook((first, *others), WHY[FRONTIER if clues_around(grid, first.cell) else ELSEWHERE])


@cache
def first_move_of_expert(level: Level, first_click: FirstClick) -> Outlook | None:
    """The best first cells of a game that `expert` searches to its end; see `first_move`."""
    cells = level.rows * level.cols
    if cells > EXACT_SOLUTIONS or comb(cells, level.total) > EXACT_SOLUTIONS:
        return None
    return first_move(level, first_click, Run(Limits(steps=EXACT_SETS)))


def first_move(level: Level, first_click: FirstClick, run: Run) -> Outlook | None:
    """The best first cells of a game, by exact search to its end.

    None if there are too many boards, or if the rule for the first click concerns more than the first cell.
    """
    cells = level.rows * level.cols
    if cells > SOLUTIONS_SEARCHED or not 1 < comb(cells, level.total) <= SOLUTIONS_SEARCHED:
        return None
    if first_click not in (FirstClick.ANY, FirstClick.SAFE):
        return None
    grid = Grid(np.full((level.rows, level.cols), HIDDEN, np.int8))
    begun = played_to_the_end(analyse_position(grid, level.total, 1.0), run)
    if begun is None or first_click is FirstClick.ANY:
        return begun
    # Every cell is a gem on the same number of boards, so the best cell stays the best without its risk.
    safe = 1 - level.total / cells
    candidates = (
        replace(each, risk=0.0, win_chance=None if each.win_chance is None else each.win_chance / safe)
        for each in begun.candidates
    )
    return Outlook(tuple(candidates), begun.why)


def win_chance(position: AnalysedPosition, run: Run) -> float | None:
    """The probability that a perfect player wins from here; None if it is not found within the run."""
    listed = position.solutions()
    if listed is None:
        return None
    if position.total is None:
        return _end_without_total(position, listed, run).share_won()
    solutions = len(listed.shows)
    won, _ = _searched(new_end_game(listed.shows, TABLE_BITS), np.arange(solutions), run)
    return None if won == BUDGET_SPENT else won / solutions


def win_chance_after(position: AnalysedPosition, cell: Cell, run: Run) -> float | None:
    """The probability that a perfect player wins after opening this cell; None if it is not known."""
    listed = position.solutions()
    if listed is None or position.grid.cells[cell] != HIDDEN:
        return None
    column = (listed.cells == cell.row * position.grid.cols + cell.col).nonzero()[0]
    if not column.size:
        return 0.0
    if position.total is None:
        return _end_without_total(position, listed, run).share_won(int(column[0]))
    return _share_won_after(new_end_game(listed.shows, TABLE_BITS), int(column[0]), run)


def _share_won_after(end_game: EndGame, column: int, run: Run) -> float | None:
    """The share of all solutions won if the cell of a column is opened first; None if the run ends."""
    clues = end_game.shows[:, column]
    won = 0
    for clue in np.unique(clues[clues != TRAPPED]):
        more, _ = _searched(end_game, np.flatnonzero(clues == clue), run)
        if more == BUDGET_SPENT:
            return None
        won += more
    return won / len(clues)


def _searched(end_game: EndGame, solutions: NDArray[np.int64], run: Run) -> tuple[int, int]:
    """The answer of `search` if one of these solutions is the truth; `BUDGET_SPENT` if the run ends first.

    A step of the run is a set. The searches of one `end_game` share the sets that they have answered.
    """
    begin_with(end_game, solutions)
    # A search of all boards of 4×4 cells with 4 traps takes plain Python twenty seconds.
    search_on.prepare(7e-4 * end_game.shows[solutions].size, end_game, 1)
    won, column = BUDGET_SPENT, NO_CELL
    for size in run.slice_sizes(20):
        sets = run.slice(size)
        won, column = search_on(end_game, sets)
        if won != BUDGET_SPENT or run.spend(sets) is not None:
            break
    return won, column
