"""Solves a board part by part: an exact search, a local search for large parts, then the rest together.

Read `_PartByPart.solve` first. Below it are the search for conflicts near a wrong clue, the exact search of
parts, and the layout of the others for a local search. What both leave goes to the `portfolio`.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.puzzle import Puzzle, Solution, read_puzzle
from gemhunter.counting.parts import (
    TAKE_APART_BYTES_PER_CELL,
    ConflictingClues,
    Parts,
    TakenApart,
    take_apart,
)
from gemhunter.counting.propagate import Int
from gemhunter.engines.auto.portfolio import FLIPS_PER_STEP, solve_coupled
from gemhunter.engines.local_search import WRONG_COUNT, LocalSearchState
from gemhunter.engines.local_search import walk as make_flips
from gemhunter.engines.pysat import DEFAULT, SOLVERS, ClausalPySat
from gemhunter.jit.kernel import Bytes, Codes, Ints, kernel, tight_kernel
from gemhunter.jit.search_state import RandomState, below, new_random_state
from gemhunter.solving.conflict_sentences import after_decisions
from gemhunter.solving.conflict_sets import clue_cells, refuted_by_any_clues, refuted_by_clues
from gemhunter.solving.engine import CnfEngine
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run

PART_GROUPS_LIMIT = 300
"""In larger parts, backtracking revises a wrong choice too late; a local search solves them."""

NODES_PER_GROUP = 10
"""How many nodes the exact search of a part may visit. The few parts that need more need many more."""

PART_UNDECIDED, PART_SOLVED, PART_REFUTED = 0, 1, 2
"""The status of a part; one that took too many nodes stays undecided."""


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
        """Search parts exactly, then walk, then solve what is left together; the total comes last."""
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
        search = new_search(parts, PART_GROUPS_LIMIT)
        first = 0
        while first < status.size and not run.spend():
            end = int(np.searchsorted(parts.part_groups, parts.part_groups[first] + 50_000))
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
        """Solve parts by a local search; return conflicting clues, if it gets stuck at any."""
        parts, status = self._parts, self._status
        walk = new_walk(parts, status, new_random_state(self._run.seed))
        clue_indices = parts.clue_indices[np.repeat(status == PART_UNDECIDED, np.diff(parts.part_clues))]
        seen = set[int]()
        for stuck in walk_on(walk, self._run):
            # On a lattice, wrong clues move about, and no conflict is near them: look at no more than eight.
            for clue in sorted(set(clue_indices[stuck].tolist()) - seen)[: 8 - len(seen)]:
                seen.add(clue)
                for reach in (4, 10):
                    clues = conflict_near(self._apart.codes, clue, reach)
                    if clues is not None:
                        return clues
        fill_walked(parts, status, walk.surplus, walk.traps, self._codes.ravel())
        return None

    def _fill_up(self) -> bool:
        """Fill the cells that are in no part so that the total is right; return whether that works."""
        flat = self._codes.ravel()
        hidden = np.flatnonzero(flat == HIDDEN)
        missing = 0
        if self._puzzle.total is not None:
            missing = self._puzzle.total - int(np.count_nonzero(flat == TRAP))
        flat[hidden] = GEM
        flat[hidden[: max(missing, 0)]] = TRAP
        return 0 <= missing <= hidden.size

    def _solve_rest(self) -> Outcome:
        """Solve the unsolved parts together or, with a total, all undecided cells."""
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

    Yield the numbers of the wrong clues, as the walk numbers them, after each slice that leaves only a few.
    """
    cap = 30 * walk.traps.size  # most walks need one or two flips for each cell
    piece = min(max(walk.traps.size, 1000), 250_000)
    flipped = steps = 0
    stop = run.spend()
    while walk.numbers[WRONG_COUNT] and flipped < cap and not stop:
        # For each unit by which it lowers the sum of all errors, a flip is twice as likely at the beginning,
        # and 20 times at the end.
        greed = 2.0 * 10.0 ** math.sqrt(flipped / cap)
        most = (steps + run.slice(piece)) * FLIPS_PER_STEP - flipped
        flips = make_flips(walk, greed ** -np.arange(-8.0, 9.0), min(piece, most))
        flipped += flips
        run.count(flips=flips)
        stop = run.spend(flipped // FLIPS_PER_STEP - steps)
        steps = flipped // FLIPS_PER_STEP
        # If clues conflict, one of them is always wrong, so the few that stay wrong are worth a look.
        if not stop and 0 < walk.numbers[WRONG_COUNT] <= 8:
            yield walk.wrong[: walk.numbers[WRONG_COUNT]].copy()


def conflict_near(codes: Codes, clue: int, reach: int) -> Ints | None:
    """The indices of the clues within reach of one, if a short search shows that they conflict, or None.

    Only clues whose neighbours are all within reach are considered.
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
        read_puzzle(Grid(window)), Run(Limits(steps=500))
    )
    if not isinstance(outcome, Refuted):
        return None
    found_row, found_col = np.nonzero(window >= 0)
    indices: Ints = (found_row - 1 + top) * cols + found_col - 1 + left
    return indices


# The exact search of a part: how many traps are in each of its groups.
#
# Group g has at least `low[g]` and at most `high[g]` traps. For a clue c, `least[c]` and `most[c]` are the
# sums of these over its groups; it cannot hold if what it needs is not between them. The clues of group g are
# `touching[at[g]:at[g+1]]`.

# The scalars of a search: places in `PartSearch.numbers`.
CHANGES_MADE = 0  # changes that can be undone: the length of `trail`
CLUES_WAITING = 1  # clues on `line`, whose groups may get tighter bounds


class PartSearch(NamedTuple):
    """The bounds of all groups, and what is needed to undo changes.

    Change i was made to the group `trail[i]`, whose bounds were `old_low[i]` and `old_high[i]` before. The
    stack `line` has the clues to look at again, and `waits[c]` says whether clue c is on it.
    """

    at: Ints
    touching: Ints
    low: Codes
    high: Codes
    least: Ints
    most: Ints
    trail: Ints
    old_low: Codes
    old_high: Codes
    line: Ints
    waits: Bytes
    numbers: Ints


@kernel(estimate=lambda p, _: 1e-6 * p.group_cells.size)
def new_search(p: Parts, largest: int) -> PartSearch:
    """A search in which each group may have any number of traps, with room for parts of `largest` groups."""
    groups, clues = p.group_starts.size - 1, p.need.size
    at = np.zeros(groups + 1, np.int64)
    for i in range(p.clue_groups.size):
        at[p.clue_groups[i] + 1] += 1
    for group in range(groups):
        at[group + 1] += at[group]
    free = at.copy()
    touching = np.empty(p.clue_groups.size, np.int64)
    low = np.zeros(groups, np.int8)
    high = np.empty(groups, np.int8)
    for group in range(groups):
        high[group] = p.group_starts[group + 1] - p.group_starts[group]
    least = np.zeros(clues, np.int64)
    most = np.zeros(clues, np.int64)
    for clue in range(clues):
        for i in range(p.clue_starts[clue], p.clue_starts[clue + 1]):
            group = p.clue_groups[i]
            touching[free[group]] = clue
            free[group] += 1
            most[clue] += high[group]
    room = 8 * largest + 1  # a group has at most eight cells, and each change takes one choice away
    return PartSearch(
        at,
        touching,
        low,
        high,
        least,
        most,
        np.empty(room, np.int64),
        np.empty(room, np.int8),
        np.empty(room, np.int8),
        np.empty(clues, np.int64),
        np.zeros(clues, np.uint8),
        np.zeros(2, np.int64),
    )


@kernel(estimate=lambda p, _, __, first, end, *___: 3e-5 * (p.part_groups[end] - p.part_groups[first]))
def search_parts(
    p: Parts, s: PartSearch, status: Codes, first: int, end: int, nodes_per_group: int, most_nodes: int
) -> int:
    """Search the parts from `first` to `end` that are not too large; return the number of nodes visited.

    That is at most `most_nodes`. Writes the status of each part to `status`, and leaves the traps of each
    group of a solved part in `s.low`.
    """
    visited = 0
    for part in range(first, end):
        groups = p.part_groups[part + 1] - p.part_groups[part]
        if 8 * groups < s.trail.size:
            s.numbers[CHANGES_MADE] = 0
            most = min(groups * nodes_per_group, most_nodes - visited)
            visited += search_part(p, s, part, most, status)
    return visited


@kernel
def search_part(p: Parts, s: PartSearch, part: int, most_nodes: int, status: Codes) -> int:
    """Search a part until it is solved, refuted, or has had `most_nodes` nodes; return the number visited."""
    first, end = p.part_clues[part], p.part_clues[part + 1]
    groups = p.part_groups[part + 1] - p.part_groups[part]
    # Decision d was made when there were sizes[d] changes; it holds a group to its least number of traps, and
    # once that has failed, to more.
    sizes = np.empty(8 * groups + 1, np.int64)
    depth = 0
    nodes = 0
    while True:
        # Every clue can still hold. If no group has a choice left, each does: the part is solved.
        group = choose(p, s, first, end)
        if group < 0:
            status[part] = PART_SOLVED
            return nodes
        if nodes >= most_nodes:
            undo(s, np.int64(0))
            return nodes
        # Decide that the group has as few traps as it can, and see what follows.
        sizes[depth] = s.numbers[CHANGES_MADE]
        depth += 1
        nodes += 1
        low = np.int64(s.low[group])
        bound(s, group, low, low)
        # After a conflict, undo the latest decision: its group has more traps, which may be a conflict too.
        while not tighten(p, s):
            if depth == 0:
                status[part] = PART_REFUTED
                return nodes
            if nodes >= most_nodes:
                undo(s, np.int64(0))
                return nodes
            depth -= 1
            group = s.trail[sizes[depth]]
            undo(s, sizes[depth])
            nodes += 1
            bound(s, group, np.int64(s.low[group]) + 1, np.int64(s.high[group]))


@tight_kernel
def choose(p: Parts, s: PartSearch, first: int, end: int) -> int:
    """A group of the first clue with the least choice left; -1 if no clue has a choice left."""
    best = -1
    slack = 1 << 60
    for clue in range(first, end):
        if s.least[clue] == s.most[clue]:
            continue
        here = min(p.need[clue] - s.least[clue], s.most[clue] - p.need[clue])
        if here < slack:
            best, slack = clue, here
        if slack <= 1:
            break
    if best < 0:
        return -1
    chosen = -1
    for i in range(p.clue_starts[best], p.clue_starts[best + 1]):
        group = p.clue_groups[i]
        if s.low[group] < s.high[group] and (
            chosen < 0 or s.at[group + 1] - s.at[group] > s.at[chosen + 1] - s.at[chosen]
        ):
            chosen = group
    return chosen


@tight_kernel
def bound(s: PartSearch, group: Int, low: Int, high: Int) -> None:
    """Give a group new bounds, and put its clues on the stack `line`."""
    size = s.numbers[CHANGES_MADE]
    s.trail[size] = group
    s.old_low[size] = s.low[group]
    s.old_high[size] = s.high[group]
    s.numbers[CHANGES_MADE] = size + 1
    more, fewer = low - s.low[group], high - s.high[group]
    for i in range(s.at[group], s.at[group + 1]):
        clue = s.touching[i]
        s.least[clue] += more
        s.most[clue] += fewer
        if s.waits[clue] == 0:
            s.waits[clue] = 1
            s.line[s.numbers[CLUES_WAITING]] = clue
            s.numbers[CLUES_WAITING] += 1
    s.low[group] = low
    s.high[group] = high


@tight_kernel
def tighten(p: Parts, s: PartSearch) -> bool:
    """Bring all bounds as close as the waiting clues allow; return False if one of these cannot hold."""
    holds = True
    while s.numbers[CLUES_WAITING] > 0:
        s.numbers[CLUES_WAITING] -= 1
        clue = s.line[s.numbers[CLUES_WAITING]]
        s.waits[clue] = 0
        need = p.need[clue]
        if need < s.least[clue] or need > s.most[clue]:
            holds = False
        if not holds or s.least[clue] == s.most[clue]:
            continue
        for i in range(p.clue_starts[clue], p.clue_starts[clue + 1]):
            group = p.clue_groups[i]
            low, high = np.int64(s.low[group]), np.int64(s.high[group])
            tight_low = max(low, need - (s.most[clue] - high))
            tight_high = min(high, need - (s.least[clue] - low))
            if tight_low > low or tight_high < high:
                bound(s, group, tight_low, tight_high)
    return holds


@tight_kernel
def undo(s: PartSearch, size: Int) -> None:
    """Undo all changes but the first `size`."""
    for i in range(s.numbers[CHANGES_MADE] - 1, size - 1, -1):
        group = s.trail[i]
        more, fewer = s.old_low[i] - s.low[group], s.old_high[i] - s.high[group]
        for j in range(s.at[group], s.at[group + 1]):
            s.least[s.touching[j]] += more
            s.most[s.touching[j]] += fewer
        s.low[group] = s.old_low[i]
        s.high[group] = s.old_high[i]
    s.numbers[CHANGES_MADE] = size


# Fill in the parts that were solved, and lay out the others for a local search.


@kernel(estimate=lambda p, *_: 2e-6 * p.group_cells.size)
def fill_solved(p: Parts, status: Codes, traps: Codes, codes: Codes) -> None:
    """Fill the cells of all solved parts: the first `traps[g]` of each group g become traps, the others gems.

    `codes` are those of the board in reading order.
    """
    for part in range(status.size):
        if status[part] != PART_SOLVED:
            continue
        for group in range(p.part_groups[part], p.part_groups[part + 1]):
            start = p.group_starts[group]
            for i in range(start, p.group_starts[group + 1]):
                codes[p.group_cells[i]] = TRAP if i - start < traps[group] else GEM


@kernel(estimate=lambda p, *_: 1e-5 * p.group_cells.size)
def new_walk(p: Parts, status: Codes, random: RandomState) -> LocalSearchState:
    """A walk over all unsolved parts: their clues are its regions and their cells its cells, in order.

    Cells are filled at random, clue by clue, with as many traps as the clue still needs.
    """
    cells, clues, entries = 0, 0, 0
    number = np.zeros(p.group_starts.size, np.int64)
    for part in range(status.size):
        if status[part] == PART_UNDECIDED:
            for group in range(p.part_groups[part], p.part_groups[part + 1]):
                number[group] = cells
                cells += p.group_starts[group + 1] - p.group_starts[group]
            for clue in range(p.part_clues[part], p.part_clues[part + 1]):
                clues += 1
                for i in range(p.clue_starts[clue], p.clue_starts[clue + 1]):
                    group = p.clue_groups[i]
                    entries += p.group_starts[group + 1] - p.group_starts[group]
    starts, members = np.zeros(clues + 1, np.int64), np.empty(entries, np.int64)
    surplus, traps = np.empty(clues, np.int64), np.full(cells, -1, np.int8)
    at = np.zeros(cells + 1, np.int64)
    region = 0
    for part in range(status.size):
        if status[part] != PART_UNDECIDED:
            continue
        for clue in range(p.part_clues[part], p.part_clues[part + 1]):
            end = starts[region]
            for i in range(p.clue_starts[clue], p.clue_starts[clue + 1]):
                group = p.clue_groups[i]
                for j in range(p.group_starts[group + 1] - p.group_starts[group]):
                    members[end] = number[group] + j
                    at[members[end] + 1] += 1
                    end += 1
            starts[region + 1] = end
            missing, room = p.need[clue], 0
            for i in range(starts[region], end):
                if traps[members[i]] < 0:
                    room += 1
                else:
                    missing -= traps[members[i]]
            for i in range(starts[region], end):
                if traps[members[i]] < 0:
                    traps[members[i]] = below(random, room) < missing
                    missing -= traps[members[i]]
                    room -= 1
            surplus[region] = -missing
            region += 1
    for cell in range(cells):
        at[cell + 1] += at[cell]
    next_entry, regions = at.copy(), np.empty(entries, np.int64)
    broken, place = np.zeros(clues, np.int64), np.zeros(clues, np.int64)
    wrong = 0
    for region in range(clues):
        for i in range(starts[region], starts[region + 1]):
            regions[next_entry[members[i]]] = region
            next_entry[members[i]] += 1
        if surplus[region] != 0:
            broken[wrong] = region
            place[region] = wrong
            wrong += 1
    numbers = np.zeros(1, np.int64)
    numbers[WRONG_COUNT] = wrong
    return LocalSearchState(at, regions, starts, members, surplus, traps, broken, place, numbers, random)


@kernel(estimate=lambda p, *_: 2e-6 * p.group_cells.size)
def fill_walked(p: Parts, status: Codes, surplus: Ints, traps: Codes, codes: Codes) -> None:
    """Fill the unsolved parts in which no clue is wrong as the walk left them, and mark them as solved."""
    cell, region = 0, 0
    for part in range(status.size):
        if status[part] != PART_UNDECIDED:
            continue
        first, end = p.group_starts[p.part_groups[part]], p.group_starts[p.part_groups[part + 1]]
        clues = p.part_clues[part + 1] - p.part_clues[part]
        holds = True
        for i in range(region, region + clues):
            holds = holds and surplus[i] == 0
        if holds:
            status[part] = PART_SOLVED
            for i in range(first, end):
                codes[p.group_cells[i]] = TRAP if traps[cell + i - first] else GEM
        cell += end - first
        region += clues
