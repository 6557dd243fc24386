"""`backtracking`: cell by cell on the grid, or variable by variable on clauses.

Read `search_cells` first: it is the algorithm in thirty lines. Above it is what a caller sees (settings,
engine with its events) and the state of a search; below it what it rests on: the choice of a cell, filling
it, propagation. The second half is `backtracking:clauses`, the variant of S4, in this order too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from gemhunter.board.puzzle import Puzzle, Solution, impossible_regions, regions_by_cell, untouched_cells
from gemhunter.cnf.formula import Cnf
from gemhunter.jit.kernel import Flags, Ints, Shorts, Signs, kernel
from gemhunter.jit.search_state import (
    CONFLICT_CLAUSE,
    DECISION_LEVEL,
    EXHAUSTED,
    FOUND,
    MORE,
    NODE_COUNT,
    OWN_PLACES,
    QUEUE_HEAD,
    TRAIL_SIZE,
    UNASSIGNED,
)
from gemhunter.solving.engine import CnfEngine, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.events import (
    CellForced,
    ClauseConflict,
    Decided,
    Event,
    Exhausted,
    Flipped,
    ModelFound,
    RegionConflict,
)
from gemhunter.solving.outcomes import (
    CLUE_CANNOT_HOLD,
    SINGLE_CLUES_CONFLICT,
    GaveUp,
    Outcome,
    Refuted,
    Solved,
    StopReason,
)
from gemhunter.solving.run import Run
from gemhunter.solving.settings import (
    CLAUSE_MODE,
    FirstValue,
    defaults,
    name_with,
    read_settings,
    values,
    without_word,
)
from gemhunter.wording import counted

Order = Literal["most-constrained", "reading"]

CELL_ORDERS: dict[Order, str] = {
    "most-constrained": "most constrained cell first, forced cells filled at once",
    "reading": "cells in reading order, clues checked by running counts",
}

FIRST_SLICE_NODES = 1000
"""Nodes of the first slice: few, because finding the most constrained cell takes long on large boards."""


def make_engine(argument: str) -> Engine:
    """The engine with the settings in `argument`, the others at their defaults."""
    rest = without_word(argument, CLAUSE_MODE)
    if rest is None:
        return read_settings(Backtracking, "backtracking", argument, also=(*CELL_ORDERS, CLAUSE_MODE))
    return CnfEngine(read_settings(ClauseBacktracking, BACKTRACKING_ON_CLAUSES, rest), variables="all")


@dataclass(frozen=True, slots=True)
class Backtracking:
    """Fills one cell after another, `value` first, and backtracks when a clue can no longer hold."""

    order: Order = "most-constrained"
    value: FirstValue = "gem"

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        about = f"backtracking, {CELL_ORDERS[self.order]}"
        name = f"backtracking:{self.order}" + (",value=trap" if self.value == "trap" else "")
        return EngineInfo(name, about, step="node", memory_limit=True, settings=values(self))

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Search in slices of nodes; the search is a loop, so no board is too deep for it."""
        if impossible_regions(puzzle).size:
            return Refuted(CLUE_CANNOT_HOLD)
        touched = np.flatnonzero(~untouched_cells(puzzle))
        # Memory for the search, and for the two arrays that sort its cells.
        size = 4 * puzzle.cells.size + 3 * puzzle.sizes.size + 5 * touched.size + puzzle.hidden.size
        if not run.fits(8 * size):
            return GaveUp(StopReason.MEMORY)
        constrained, first = self.order == "most-constrained", int(self.value == "trap")
        search = _beginning(puzzle, touched)
        if constrained and not fill_forced(search):
            return Refuted(SINGLE_CLUES_CONFLICT)
        sizes = run.slice_sizes(FIRST_SLICE_NODES)
        while True:
            before = int(search.numbers[NODE_COUNT])
            code = search_cells(search, constrained, first, run.slice(next(sizes)))
            visited = int(search.numbers[NODE_COUNT]) - before
            run.count(nodes=visited)
            limit = run.spend(visited)
            if code == FOUND:
                traps = np.zeros(puzzle.hidden.size, bool)
                traps[touched] = search.value == 1
                return Solved(Solution(traps))
            if code == EXHAUSTED:
                return Refuted(f"all ways to fill the cells break a clue (shown by {self.info.name})")
            if limit is not None:
                return GaveUp(limit)

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """All events of the search, in order; the last is `ModelFound` or `Exhausted`."""
        constrained, first = self.order == "most-constrained", int(self.value == "trap")
        touched = np.flatnonzero(~untouched_cells(puzzle))
        search = _beginning(puzzle, touched)

        def literal(index: int) -> int:
            cell = search.trail[index]
            return int(touched[cell] + 1) * (1 if search.value[cell] == 1 else -1)

        if constrained:
            holds = fill_forced(search)
            yield from (CellForced(literal(index)) for index in range(search.numbers[TRAIL_SIZE]))
            if not holds:
                yield from _conflict(search)
                yield Exhausted()
                return
        while (code := search_cells(search, constrained, first, 1)) == MORE:
            level = int(search.numbers[DECISION_LEVEL])
            index = int(search.decided[level - 1])
            flipped = search.flipped[level - 1]
            yield Flipped(literal(index), level) if flipped else Decided(literal(index), level)
            yield from (CellForced(literal(later)) for later in range(index + 1, search.numbers[TRAIL_SIZE]))
            yield from _conflict(search)
        yield ModelFound() if code == FOUND else Exhausted()


def _conflict(search: "BacktrackingState") -> Iterator[Event]:
    """The first region that can no longer hold, if there is one."""
    regions = np.flatnonzero((search.need < 0) | (search.need > search.room))
    yield from (RegionConflict(int(region)) for region in regions[:1])


# The state of a search over cells.
#
# Region r needs `need[r]` more traps and has `room[r]` unassigned cells left; it is in conflict if that is
# less than 0 or more than it has room for. The regions of cell c are `regions[at[c]:at[c+1]]`, the cells of
# region r are `cells[starts[r]:starts[r+1]]`.

IN_CONFLICT = 9  # a place in `BacktrackingState.numbers`: 1 if a region is in conflict
BACKTRACKING_NUMBERS = OWN_PLACES + 1


class BacktrackingState(NamedTuple):
    """Everything a search remembers between two slices.

    `value[c]` is UNASSIGNED, 0 for a gem or 1 for a trap. `trail` has the assigned cells in order; decision d
    assigned `trail[decided[d]]`, and `flipped[d]` says that its other value has failed.
    """

    at: Ints
    regions: Ints
    starts: Ints
    cells: Ints
    need: Ints
    room: Ints
    value: Signs
    trail: Ints
    decided: Ints
    flipped: Flags
    numbers: Ints


def _beginning(puzzle: Puzzle, touched: Ints) -> BacktrackingState:
    """A search in which no cell has a value, over the cells of all regions."""
    number = np.cumsum(~untouched_cells(puzzle)) - 1
    return new_search(puzzle.starts, number[puzzle.cells], puzzle.traps, touched.size)


def new_search(starts: Ints, cells: Ints, traps: Ints, size: int) -> BacktrackingState:
    """A search in which none of `size` cells has a value."""
    at, regions = regions_by_cell(starts, cells, size)
    return BacktrackingState(
        at=at,
        regions=regions,
        starts=starts.copy(),
        cells=cells.copy(),
        need=traps.copy(),
        room=np.diff(starts),
        value=np.full(size, UNASSIGNED, np.int8),
        trail=np.zeros(size, np.int64),
        decided=np.zeros(size + 1, np.int64),
        flipped=np.zeros(size + 1, bool),
        numbers=np.zeros(BACKTRACKING_NUMBERS, np.int64),
    )


# The search: give a cell a value; after a conflict, give the latest decided cell its other value.


@kernel(estimate=lambda s, constrained, _, nodes: (3e-7 * s.value.size if constrained else 5e-6) * nodes)
def search_cells(s: BacktrackingState, constrained: bool, first: int, nodes: int) -> int:
    """Visit at most `nodes` nodes: FOUND if all cells have values, EXHAUSTED if no node is left, or MORE.

    With `constrained`, the most constrained cell is next and forced cells are filled at once; without it,
    cells are filled in order and regions are only checked. A cell gets the value `first` before the other.
    """
    end = s.numbers[NODE_COUNT] + nodes
    while s.numbers[NODE_COUNT] < end:
        if s.numbers[IN_CONFLICT]:
            # Undo the decisions of which both values have failed, and flip the latest of the others.
            while s.numbers[DECISION_LEVEL] > 0 and s.flipped[s.numbers[DECISION_LEVEL] - 1]:
                s.numbers[DECISION_LEVEL] -= 1
            if s.numbers[DECISION_LEVEL] == 0:
                return EXHAUSTED
            decision = s.numbers[DECISION_LEVEL] - 1
            cell = s.trail[s.decided[decision]]
            backtrack(s, s.decided[decision])
            s.flipped[decision] = True
            value = 1 - first
        else:
            # No region is in conflict: if no cell is left, every clue holds. Otherwise decide the next cell.
            if s.numbers[TRAIL_SIZE] == s.value.size:
                return FOUND
            cell = most_constrained(s) if constrained else s.numbers[TRAIL_SIZE]
            s.decided[s.numbers[DECISION_LEVEL]] = s.numbers[TRAIL_SIZE]
            s.flipped[s.numbers[DECISION_LEVEL]] = False
            s.numbers[DECISION_LEVEL] += 1
            value = first
        # Fill it, and the cells that it forces. If that breaks a region, the next turn backtracks.
        s.numbers[NODE_COUNT] += 1
        s.numbers[IN_CONFLICT] = not (fill(s, cell, value) and (not constrained or propagate(s)))
    return MORE


@kernel
def most_constrained(s: BacktrackingState) -> int:
    """The unassigned cell whose smallest region has the least room; of equals, the one in most regions."""
    best = -1
    best_room = 0
    best_degree = 0
    for cell in range(s.value.size):
        if s.value[cell] != UNASSIGNED:
            continue
        degree = s.at[cell + 1] - s.at[cell]
        least = 1 << 60
        for i in range(s.at[cell], s.at[cell + 1]):
            least = min(least, s.room[s.regions[i]])
        if best < 0 or least < best_room or (least == best_room and degree > best_degree):
            best, best_room, best_degree = cell, least, degree
    return best


@kernel
def fill(s: BacktrackingState, cell: int, value: int) -> bool:
    """Give a cell a value; False if a region is in conflict."""
    s.value[cell] = value
    s.trail[s.numbers[TRAIL_SIZE]] = cell
    s.numbers[TRAIL_SIZE] += 1
    holds = True
    for i in range(s.at[cell], s.at[cell + 1]):
        region = s.regions[i]
        s.need[region] -= value
        s.room[region] -= 1
        if s.need[region] < 0 or s.need[region] > s.room[region]:
            holds = False
    return holds


@kernel
def propagate(s: BacktrackingState) -> bool:
    """Fill the cells that the cells in the queue force; False if a region is in conflict."""
    while s.numbers[QUEUE_HEAD] < s.numbers[TRAIL_SIZE]:
        cell = s.trail[s.numbers[QUEUE_HEAD]]
        s.numbers[QUEUE_HEAD] += 1
        for i in range(s.at[cell], s.at[cell + 1]):
            region = s.regions[i]
            if s.room[region] == 0 or 0 < s.need[region] < s.room[region]:
                continue
            value = 1 if s.need[region] > 0 else 0
            for j in range(s.starts[region], s.starts[region + 1]):
                if s.value[s.cells[j]] == UNASSIGNED and not fill(s, s.cells[j], value):
                    return False
    return True


@kernel(estimate=lambda s: 3e-6 * s.cells.size)
def fill_forced(s: BacktrackingState) -> bool:
    """Fill the cells that single regions force, and propagate; False if a region is in conflict."""
    for region in range(s.need.size):
        if 0 < s.need[region] < s.room[region]:
            continue
        value = 1 if s.need[region] > 0 else 0
        for j in range(s.starts[region], s.starts[region + 1]):
            if s.value[s.cells[j]] == UNASSIGNED and not fill(s, s.cells[j], value):
                return False
    return propagate(s)


@kernel
def backtrack(s: BacktrackingState, size: int) -> None:
    """Unassign the latest cells on the trail, until `size` are left."""
    while s.numbers[TRAIL_SIZE] > size:
        s.numbers[TRAIL_SIZE] -= 1
        cell = s.trail[s.numbers[TRAIL_SIZE]]
        for i in range(s.at[cell], s.at[cell + 1]):
            region = s.regions[i]
            s.need[region] += s.value[cell]
            s.room[region] += 1
        s.value[cell] = UNASSIGNED
    s.numbers[QUEUE_HEAD] = min(s.numbers[QUEUE_HEAD], size)


# `backtracking:clauses`: variable by variable on the clauses, without any propagation.

BACKTRACKING_ON_CLAUSES = f"backtracking:{CLAUSE_MODE}"


@dataclass(frozen=True, slots=True)
class ClauseBacktracking:
    """Assigns variables in the order in which clauses mention them and checks all clauses after each.

    Variables that no clause mentions come last. `value` is tried first. The search ends when all clauses are
    true; variables without a value are then false. It backtracks when all variables have values and a clause
    is false or, with `prune`, as soon as a clause is false.
    """

    value: FirstValue = "trap"
    prune: bool = False

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with(BACKTRACKING_ON_CLAUSES, self),
            "backtracking on the clauses of all cells without propagation, all clauses checked each time",
            step="node",
            memory_limit=True,
            settings=defaults(ClauseBacktracking),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Search in slices of nodes; the search is a loop, so no formula is too deep for it."""
        # Besides the formula, sorting its variables and the search take memory.
        if not run.fits(cnf.nbytes + 40 * cnf.literals.size + 40 * cnf.variables):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        search = _beginning_on_clauses(cnf)
        # About 20,000 literals are looked at before the first look at the clock.
        sizes = run.slice_sizes(max(20_000 // max(cnf.literals.size, 1), 1))
        while True:
            before = int(search.numbers[NODE_COUNT])
            code = search_clauses(search, self._first, self.prune, run.slice(next(sizes)))
            visited = int(search.numbers[NODE_COUNT]) - before
            run.count(nodes=visited)
            limit = run.spend(visited)
            if code == FOUND:
                return Satisfied(model_of(search.value))
            if code == EXHAUSTED:
                return Unsatisfiable()
            if limit is not None:
                return GaveUp(limit, f"{counted(run.counters['nodes'], 'node')} visited")

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """All events of the search, in order; the last is `ModelFound` or `Exhausted`."""
        search = _beginning_on_clauses(cnf)
        yield from self._conflict(cnf, search)
        code = MORE
        while code == MORE:
            before = int(search.numbers[NODE_COUNT])
            code = search_clauses(search, self._first, self.prune, 1)
            if search.numbers[NODE_COUNT] > before:
                level = int(search.numbers[DECISION_LEVEL])
                variable = int(search.order[level - 1])
                literal = variable + 1 if search.value[variable] == 1 else -variable - 1
                yield Flipped(literal, level) if search.flipped[level - 1] else Decided(literal, level)
                yield from self._conflict(cnf, search)
        yield ModelFound() if code == FOUND else Exhausted()

    @property
    def _first(self) -> int:
        return int(self.value == "trap")

    def _conflict(self, cnf: Cnf, search: "ClauseBacktrackingState") -> Iterator[Event]:
        """The false clause that makes the search backtrack, if there is one."""
        clause = int(search.numbers[CONFLICT_CLAUSE])
        if clause >= 0 and (self.prune or search.numbers[DECISION_LEVEL] == search.order.size):
            yield ClauseConflict(tuple(cnf.literals[cnf.starts[clause] : cnf.starts[clause + 1]].tolist()))


def model_of(value: Signs) -> Ints:
    """The literals that are true; variables without a value are false."""
    variables = np.arange(1, value.size + 1)
    return np.where(value == 1, variables, -variables)


class ClauseBacktrackingState(NamedTuple):
    """Everything a search remembers between two slices.

    Clause i is `literals[starts[i]:starts[i+1]]` over variables counted from 1. `order` has the variables,
    counted from 0, in the order in which clauses mention them, those in no clause last; each assigned one is
    a decision level. `value` is UNASSIGNED, 0 for false or 1 for true. `flipped[d]` says that `order[d]` has
    its second value. CONFLICT_CLAUSE is the first false clause, ALL_SATISFIED or NONE_FALSE.
    """

    literals: Shorts
    starts: Ints
    order: Ints
    value: Signs
    flipped: Flags
    numbers: Ints


ALL_SATISFIED, NONE_FALSE = -1, -2
"""Instead of a conflict clause: every clause is true, or none is false yet."""


def _beginning_on_clauses(cnf: Cnf) -> ClauseBacktrackingState:
    """A search before its first decision, with the clauses checked."""
    # Each variable once, by where clauses first mention it; then those that no clause mentions.
    mentioned = np.concatenate([np.abs(cnf.literals).astype(np.int64), np.arange(1, cnf.variables + 1)])
    variables, places = np.unique(mentioned, return_index=True)
    search = ClauseBacktrackingState(
        literals=cnf.literals,
        starts=cnf.starts,
        order=variables[np.argsort(places)] - 1,
        value=np.full(cnf.variables, UNASSIGNED, np.int8),
        flipped=np.zeros(variables.size, bool),
        numbers=np.zeros(OWN_PLACES, np.int64),
    )
    search.numbers[CONFLICT_CLAUSE] = check_clauses(cnf.literals, cnf.starts, search.value)
    return search


@kernel(estimate=lambda s, *more: 4e-7 * s.literals.size * more[-1])
def search_clauses(s: ClauseBacktrackingState, first: int, prune: bool, nodes: int) -> int:
    """Visit at most `nodes` nodes: FOUND if all clauses are true, EXHAUSTED if no node is left, or MORE.

    A node gives a variable a value, `first` before the other one. With `prune` the search backtracks as soon
    as a clause is false, otherwise only when all variables have values.
    """
    numbers, value, order, flipped = s.numbers, s.value, s.order, s.flipped
    end = numbers[NODE_COUNT] + nodes
    while True:
        if numbers[CONFLICT_CLAUSE] == ALL_SATISFIED:
            return FOUND
        # A false clause ends the path. Without `prune`, that counts only once every variable has a value.
        depth = numbers[DECISION_LEVEL]
        backtracks = numbers[CONFLICT_CLAUSE] >= 0 and (prune or depth == order.size)
        if backtracks:
            while depth > 0 and flipped[depth - 1]:
                depth -= 1
            if depth == 0:
                return EXHAUSTED
        if numbers[NODE_COUNT] == end:
            return MORE
        # Flip the latest variable that has its first value, or give the next one a value; check all clauses.
        if backtracks:
            for i in range(depth, numbers[DECISION_LEVEL]):
                value[order[i]] = UNASSIGNED
            value[order[depth - 1]] = 1 - first
            flipped[depth - 1] = True
            numbers[DECISION_LEVEL] = depth
        else:
            value[order[depth]] = first
            flipped[depth] = False
            numbers[DECISION_LEVEL] = depth + 1
        numbers[NODE_COUNT] += 1
        numbers[CONFLICT_CLAUSE] = check_clauses(s.literals, s.starts, value)


@kernel(estimate=lambda literals, *_: 4e-7 * literals.size)
def check_clauses(literals: Shorts, starts: Ints, value: Signs) -> int:
    """The first false clause; otherwise ALL_SATISFIED or NONE_FALSE."""
    state = ALL_SATISFIED
    for clause in range(starts.size - 1):
        is_true, is_open = False, False
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            known = value[abs(literal) - 1]
            if known == UNASSIGNED:
                is_open = True
            elif (known == 1) == (literal > 0):
                is_true = True
                break
        if not is_true and not is_open:
            return clause
        if not is_true:
            state = NONE_FALSE
    return state
