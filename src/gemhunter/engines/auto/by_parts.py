"""Solve a board part by part: an exact search, a local search for large parts, then the rest together."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Codes, Grid
from gemhunter.core.puzzle import Ints, Puzzle, read_puzzle
from gemhunter.core.solution import Solution
from gemhunter.deduce.conflicts import clue_cells, refuted_by_any_clues, refuted_by_clues
from gemhunter.deduce.sentences import after_decisions
from gemhunter.engines.auto.portfolio import FLIPS_PER_STEP, solve_coupled
from gemhunter.engines.pysat.engine import ClausalPySat
from gemhunter.engines.pysat.solvers import DEFAULT, SOLVERS
from gemhunter.kernels.local_search import WRONG_COUNT, LocalSearchState
from gemhunter.kernels.local_search import walk as make_flips
from gemhunter.kernels.random_state import new_random_state
from gemhunter.kernels.structure.fill_parts import fill_solved, fill_walked, new_walk
from gemhunter.kernels.structure.part_search import PART_REFUTED, PART_UNDECIDED, new_search, search_parts
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run
from gemhunter.structure.take_apart import TAKE_APART_BYTES_PER_CELL, ConflictingClues, TakenApart, take_apart

LARGEST_PART = 300
"""Groups. In larger parts backtracking revises a wrong choice too late; a local search solves them."""

NODES_PER_GROUP = 10
"""What the exact search of a part may cost. The few parts that need more need many more."""

GROUPS_PER_SLICE = 50_000

FLIPS_PER_CELL = 30
"""When a walk gives up: most need one or two flips for each cell."""

GREED, GREEDIEST = 2.0, 20.0
"""How many times as likely a flip is with one wrong trap fewer, at the beginning of a walk and at its end."""

FLIPS_PER_SLICE = 250_000

FEW_WRONG_CLUES = 8
"""Once no more clues than this are wrong, each is looked at: of conflicting clues, one is always wrong."""

REACHES = (4, 10)
"""How far around a wrong clue a conflict is looked for, one reach after the other."""

MOST_LOOKS = 8
"""Around how many clues. On a lattice, wrong clues move about, and no conflict is to be found near them."""

CONFLICTS_PER_REACH = 500
"""What the search for a conflict may cost at each reach."""


def solve_by_parts(puzzle: Puzzle, run: Run) -> Outcome:
    """Solve a board by taking it apart; the report counts the decided cells and the parts that are left."""
    if not run.fits(TAKE_APART_BYTES_PER_CELL * puzzle.grid.cells.size):
        return GaveUp(StopReason.MEMORY)
    apart = take_apart(puzzle.grid)
    if isinstance(apart, ConflictingClues):
        return refuted_by_clues(puzzle, apart.clues, run)
    sizes = np.diff(apart.parts.part_groups)
    run.count(decided=apart.decided, parts=sizes.size, largest_part=int(sizes.max(initial=0)))
    return _PartByPart(puzzle, apart, run).solve()


class _PartByPart:
    """The work on one board: `codes` is the board filled in so far, `status` the state of each part."""

    def __init__(self, puzzle: Puzzle, apart: TakenApart, run: Run) -> None:
        self._puzzle, self._apart, self._run = puzzle, apart, run
        self._parts = apart.parts
        self._codes = apart.codes.copy()
        self._status = np.zeros(apart.parts.part_groups.size - 1, np.int8)

    def solve(self) -> Outcome:
        """Search parts exactly, then walk, then solve the rest together; the total comes last."""
        clues = self._search()
        if clues is None and not self._status.all():
            clues = self._walk()
        if clues is not None:
            return refuted_by_clues(self._puzzle, self._behind(clues), self._run)
        if self._status.all() and self._fill_up():
            return self._solved(self._codes)
        if stop := self._run.spend():
            return GaveUp(stop, decided=self._decided())
        return self._solve_rest()

    def _search(self) -> Ints | None:
        """Solve parts by an exact search; return the clues of a part without a solution, if there is one."""
        parts, status, run = self._parts, self._status, self._run
        search = new_search(parts, LARGEST_PART)
        first = 0
        while first < status.size and not run.spend():
            end = int(np.searchsorted(parts.part_groups, parts.part_groups[first] + GROUPS_PER_SLICE))
            end = min(max(end, first + 1), status.size)
            most = run.slice(NODES_PER_GROUP * int(parts.part_groups[end] - parts.part_groups[first]))
            nodes = search_parts(parts, search, status, first, end, NODES_PER_GROUP, most)
            run.count(nodes=nodes)
            run.spend(nodes)
            first = end
        fill_solved(parts, status, search.low, self._codes.ravel())
        if not (status == PART_REFUTED).any():
            return None
        part = int(np.argmax(status == PART_REFUTED))
        return parts.clue_indices[parts.part_clues[part] : parts.part_clues[part + 1]]

    def _walk(self) -> Ints | None:
        """Solve parts by a local search; return conflicting clues, if it gets stuck at some."""
        parts, status = self._parts, self._status
        walk = new_walk(parts, status, new_random_state(self._run.seed))
        clue_indices = parts.clue_indices[np.repeat(status == PART_UNDECIDED, np.diff(parts.part_clues))]
        seen = set[int]()
        for stuck in walk_on(walk, self._run):
            for clue in sorted(set(clue_indices[stuck].tolist()) - seen)[: MOST_LOOKS - len(seen)]:
                seen.add(clue)
                for reach in REACHES:
                    clues = conflict_near(self._apart.codes, clue, reach)
                    if clues is not None:
                        return clues
        fill_walked(parts, status, walk.surplus, walk.traps, self._codes.ravel())
        return None

    def _fill_up(self) -> bool:
        """Fill the cells in no part, so that a total comes out; return whether it does."""
        flat = self._codes.ravel()
        hidden = np.flatnonzero(flat == HIDDEN)
        missing = 0
        if self._puzzle.total is not None:
            missing = self._puzzle.total - int(np.count_nonzero(flat == TRAP))
        flat[hidden] = GEM
        flat[hidden[: max(missing, 0)]] = TRAP
        return 0 <= missing <= hidden.size

    def _solve_rest(self) -> Outcome:
        """Solve the unsolved parts together, or all undecided cells if there is a total."""
        puzzle = self._puzzle
        rest = read_puzzle(Grid(self._rest() if puzzle.total is None else self._apart.codes), puzzle.total)
        self._run.count(coupled=rest.hidden.size)
        match solve_coupled(rest, self._run):
            case Solved(solution):
                return self._solved(solution.fill(rest.grid).cells)
            case Refuted(reason, clues) if clues:
                return self._refuted_by(reason, np.array([row * puzzle.cols + col for row, col in clues]))
            case Refuted() if puzzle.total is not None:
                return refuted_by_any_clues(puzzle, self._run)
            case Refuted():
                return refuted_by_clues(puzzle, self._behind(rest.clues), self._run)
            case GaveUp() as gave_up:
                return replace(gave_up, decided=self._decided())

    def _refuted_by(self, reason: str, clues: Ints) -> Refuted:
        """The refutation by clues of the rest, perhaps together with the total."""
        if self._puzzle.total is not None:
            # What is left of the total depends on every decided cell.
            suspects = self._behind(np.union1d(clues, self._apart.deciding()))
            return refuted_by_clues(self._puzzle, suspects, self._run, total=self._puzzle.total)
        behind = self._behind(clues)
        return Refuted(after_decisions(reason, len(behind) - clues.size), behind)

    def _rest(self) -> Codes:
        """The board with only the cells of unsolved parts hidden, and only their clues shown."""
        parts, is_unsolved = self._parts, self._status == PART_UNDECIDED
        codes = self._codes.copy()
        flat = codes.ravel()
        flat[flat == HIDDEN] = GEM
        flat[parts.group_cells[np.repeat(is_unsolved, np.diff(parts.group_starts[parts.part_groups]))]] = (
            HIDDEN
        )
        flat[parts.clue_indices[np.repeat(~is_unsolved, np.diff(parts.part_clues))]] = GEM
        return codes

    def _solved(self, codes: Codes) -> Solved:
        return Solved(Solution(codes.ravel()[self._puzzle.hidden] == TRAP))

    def _behind(self, clues: Ints) -> tuple[Cell, ...]:
        """These clues and those that decided the cells around them."""
        return clue_cells(self._puzzle, self._apart.behind(clues))

    def _decided(self) -> tuple[int, ...]:
        """The cells that propagation has decided, as `GaveUp` has them."""
        codes = self._apart.codes.ravel()[self._puzzle.hidden]
        numbers = np.arange(1, codes.size + 1)
        return tuple(np.where(codes == TRAP, numbers, -numbers)[codes != HIDDEN].tolist())


def walk_on(walk: LocalSearchState, run: Run) -> Iterator[Ints]:
    """Walk in slices until no clue is wrong, or the walk gives up.

    After a slice that leaves only a few clues wrong, yield their numbers in the walk.
    """
    cap = FLIPS_PER_CELL * walk.traps.size
    piece = min(max(walk.traps.size, 1000), FLIPS_PER_SLICE)
    made = spent = 0
    stop = run.spend()
    while walk.numbers[WRONG_COUNT] and made < cap and not stop:
        greed = GREED * (GREEDIEST / GREED) ** math.sqrt(made / cap)
        most = (spent + run.slice(piece)) * FLIPS_PER_STEP - made
        flips = make_flips(walk, greed ** -np.arange(-8.0, 9.0), min(piece, most))
        made += flips
        run.count(flips=flips)
        stop = run.spend(made // FLIPS_PER_STEP - spent)
        spent = made // FLIPS_PER_STEP
        if not stop and 0 < walk.numbers[WRONG_COUNT] <= FEW_WRONG_CLUES:
            yield walk.wrong[: walk.numbers[WRONG_COUNT]].copy()


def conflict_near(codes: Codes, clue: int, reach: int) -> Ints | None:
    """The indices of the clues within reach of one, if they conflict; None if that was not found.

    Only clues whose neighbours are all within reach are looked at.
    """
    rows, cols = codes.shape
    row, col = divmod(clue, cols)
    top, left = max(row - reach, 0), max(col - reach, 0)
    bottom, right = min(row + reach + 1, rows), min(col + reach + 1, cols)
    window = np.full((bottom - top + 2, right - left + 2), GEM, np.int8)
    around = codes[max(top - 1, 0) : bottom + 1, max(left - 1, 0) : right + 1]
    at_row, at_col = int(top == 0), int(left == 0)
    window[at_row : at_row + around.shape[0], at_col : at_col + around.shape[1]] = around
    for edge in (window[0], window[-1], window[:, 0], window[:, -1]):
        edge[edge >= 0] = GEM
    outcome = CnfEngine(ClausalPySat(SOLVERS[DEFAULT])).solve(
        read_puzzle(Grid(window)), Run(Limits(steps=CONFLICTS_PER_REACH))
    )
    if not isinstance(outcome, Refuted):
        return None
    found_row, found_col = np.nonzero(window >= 0)
    indices: Ints = (found_row - 1 + top) * cols + found_col - 1 + left
    return indices
