"""Sets of clues that cannot all hold: small ones, and the smallest, found by a SAT solver."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, OFFSETS, TRAP, Cell, Grid, clue_neighbours
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle
from gemhunter.cnf.encodings import FOR_THE_TOTAL, IMPOSSIBLE, template
from gemhunter.jit.kernel import Ints
from gemhunter.solving.conflict_sentences import conflict
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.run import Run, never
from gemhunter.solving.session import SatSession

CONFLICT_SET_BUDGET = 20_000
"""How many conflicts of the solver shrinking a set may take by default: tenths of a second."""

COMPARED_CLUES = 3000
"""On a board with more clues, a smaller conflict set is only searched for near the one that is known."""


@dataclass(frozen=True, slots=True)
class ConflictSet:
    """Clues that cannot all hold, in reading order, and whether the total is one of the members.

    If `is_minimal`, the others can hold when any one member is left out; if not, the budget ended before that
    was certain. If `is_smallest`, no conflict set of the board has fewer members. If not `is_proven`, the
    budget ended before it was even certain that the members conflict: they are all the suspects.
    """

    clues: tuple[Cell, ...]
    with_total: bool
    is_minimal: bool
    is_proven: bool = True
    is_smallest: bool = False

    @property
    def size(self) -> int:
        """The number of members: the clues, and the total if it is one."""
        return len(self.clues) + self.with_total


def refuted_by_any_clues(puzzle: Puzzle, run: Run) -> Refuted:
    """Refute a board for an unknown reason: every clue, and the total if known, is a suspect."""
    return refuted_by_clues(puzzle, clue_cells(puzzle, puzzle.clues), run, total=puzzle.total)


def refuted_by_clues(
    puzzle: Puzzle, suspects: Collection[Cell], run: Run, *, total: int | None = None
) -> Refuted:
    """Refute a board by a conflict set among these clues, which conflict, or by all of them.

    A total that is given is a suspect too. The search for a conflict set ends at the limits of the run;
    without a step limit it also ends when it has taken half a second longer than the refutation.
    """
    # With more than 2,000 suspects the search would take longer than most refutations; and clauses that count
    # more than 2,000 cells take tenths of a second to load.
    if len(suspects) > 2000 or (total is not None and puzzle.hidden.size > 2000):
        clues = tuple(sorted(suspects))
        return Refuted(conflict(clues, total), clues)
    # With a step limit every machine gives the same answer, so the clock must not end the search.
    end = 2 * run.elapsed + 0.5 if run.limits.steps is None else math.inf

    def stop() -> bool:
        return run.spend() is not None or run.elapsed > end

    with run.stage("explain"):
        named = find_conflict_set(puzzle.grid, suspects, total, budget=5000, stop=stop)
    return Refuted(conflict(named.clues, total if named.with_total else None), named.clues)


def clue_cells(puzzle: Puzzle, clues: Ints) -> tuple[Cell, ...]:
    """The cells of these clues, without the total, which has none."""
    return tuple(puzzle.grid.cell(index) for index in clues if index != TOTAL_CLUE)


def find_conflict_set(
    grid: Grid,
    suspects: Collection[Cell],
    total: int | None = None,
    *,
    budget: int = CONFLICT_SET_BUDGET,
    stop: Callable[[], bool] = never,
) -> ConflictSet:
    """A conflict set among `suspects`, not necessarily the smallest; `ValueError` if all can hold.

    A `total`, the number of traps on the whole board, is a suspect too. Only the cells next to suspects
    matter. The set is shrunk until it is minimal, `stop` returns true, or the solver has had `budget`
    conflicts.
    """
    clues = sorted(set(suspects))
    unproven = ConflictSet(tuple(clues), total is not None, is_minimal=False, is_proven=False)
    if stop():
        return unproven
    with clue_selection(grid, clues, total, budget=budget, stop=stop) as selection:
        chosen = conflicting(selection)
        if chosen is None:
            return unproven
        chosen, is_minimal = minimal(selection, chosen, clues)
    return _as_set(clues, chosen, is_minimal=is_minimal)


def smallest_conflict_set(
    grid: Grid, found: ConflictSet, total: int | None = None, *, stop: Callable[[], bool] = never
) -> ConflictSet:
    """A smallest conflict set, or `found` itself if the search would take too long.

    `is_smallest` says whether it is certain that no set is smaller.
    """
    if found.size == 1 or not found.is_minimal:
        return replace(found, is_smallest=found.is_minimal)
    near = every = np.argwhere(grid.cells >= 0)
    if len(every) > COMPARED_CLUES:
        distance = np.min([np.abs(every - clue).max(axis=1) for clue in found.clues], axis=0)
        near = every[np.sort(np.argsort(distance, kind="stable")[:100])]
    clues = [Cell(row, col) for row, col in near.tolist()]
    with clue_selection(grid, clues, total, budget=CONFLICT_SET_BUDGET, stop=stop) as selection:
        chosen, is_certain = smallest(selection, found.size)
    best = found if chosen is None else _as_set(clues, chosen, is_minimal=True)
    return replace(best, is_smallest=is_certain and len(clues) == len(every))


def _as_set(clues: Sequence[Cell], chosen: Collection[int], *, is_minimal: bool) -> ConflictSet:
    named = tuple(clues[index] for index in sorted(chosen) if index < len(clues))
    return ConflictSet(named, len(clues) in chosen, is_minimal)


# The search for a conflict set, a minimal unsatisfiable subset, among suspects, which are numbers from 0 on.


def conflicting(selection: "Selection") -> list[int] | None:
    """Suspects that conflict, as few as the solver's cores name; None if it is not certain that any do."""
    chosen = list(range(selection.size))
    can_hold = selection.can_hold(chosen)
    if can_hold:
        raise ValueError("these clues do not conflict")
    if can_hold is None:
        return None
    while can_hold is False and len(selection.core) < len(chosen):
        chosen = selection.core[::-1]  # another order, another core
        can_hold = selection.can_hold(chosen)
    return chosen


def minimal(
    selection: "Selection", chosen: list[int], clues: Sequence[tuple[int, int]]
) -> tuple[list[int], bool]:
    """A minimal conflict set among the chosen suspects, and whether it is certain to be minimal.

    `clues` are the cells of the suspects; the suspect after the last of them is the total, which has no cell.
    """
    cells = np.array([clues[index] for index in chosen if index < len(clues)], np.int64).reshape(-1, 2)
    middle = np.median(cells, axis=0) if cells.size else np.zeros(2)

    def distance(index: int) -> float:
        return float(np.abs(np.array(clues[index]) - middle).max()) if index < len(clues) else np.inf

    # Leave out one suspect after the other, the total first and then from the far ones inwards. A suspect is
    # needed if the others can hold without it; if they cannot, the solver's core drops more of them.
    untried, needed = sorted(chosen, key=distance), list[int]()
    while untried:
        suspect = untried.pop()
        can_hold = selection.can_hold(needed + untried)
        if can_hold is None:
            return [*needed, *untried, suspect], False
        if can_hold:
            needed.append(suspect)
        else:
            core = set(selection.core)
            untried = [other for other in untried if other in core]
    return needed, True


def smallest(selection: "Selection", size: int) -> tuple[list[int] | None, bool]:
    """The smallest conflict set if it has fewer than `size` members, or None; and whether that is certain.

    A correction set is a set of clues without which the others can hold, so every conflict set contains one
    of its members. The smallest choice that hits all correction sets known so far either conflicts, and is
    then a smallest conflict set, or shows another correction set.
    """
    from pysat.examples.hitman import Hitman

    with Hitman(htype="sorted") as chooser:
        for _ in range(100):  # with one wrong clue, ten choices are typical
            chosen = list(chooser.get() or [])
            if len(chosen) >= size:
                return None, True
            can_hold = selection.can_hold(chosen)
            if can_hold is False:
                return chosen, True
            correction = None if can_hold is None else _correction_set(selection)
            if correction is None:
                break
            chooser.hit(correction)
    return None, False


def _correction_set(selection: "Selection") -> list[int] | None:
    """Suspects without which all others can hold; None if it is time to stop.

    The last choice that was tried must be one that can hold.
    """
    kept, left_out = selection.satisfied(), list[int]()
    for suspect in range(selection.size):
        if suspect not in kept:
            can_hold = selection.can_hold({*kept, suspect})
            if can_hold is None:
                return None
            if can_hold:
                kept |= selection.satisfied()
            else:
                left_out.append(suspect)
    return left_out


# Suspects in a SAT session: each has a selector, a variable that switches its clauses on.

CONFLICT_SET_SOLVER = "glucose4"
"""One of PySAT's solvers that answers quickly under changing assumptions."""


class Selection:
    """Suspects, numbered as in `selectors`, and a session that says which of them can all hold."""

    def __init__(
        self,
        session: SatSession,
        selectors: Sequence[int],
        *,
        budget: int,
        stop: Callable[[], bool],
        supposed: Sequence[int] = (),
    ) -> None:
        """`supposed` are literals that are true in every question; `budget` is for all questions together."""
        self.core: list[int] = []
        self.size = len(selectors)
        self._session, self._selectors, self._supposed = session, selectors, supposed
        self._index = {selector: index for index, selector in enumerate(selectors)}
        self._end, self._stop = session.conflicts + budget, stop
        # The solver then finds solutions in which more suspects hold than it has to satisfy.
        session.prefer(list(selectors))

    def can_hold(self, chosen: Iterable[int]) -> bool | None:
        """Whether these suspects can all hold; None if the budget is used up or it is time to stop.

        After "no", `core` lists some of them that conflict; after "yes", `satisfied` has all that hold.
        """
        assumptions = [*self._supposed, *(self._selectors[index] for index in chosen)]
        answer = self._session.decide(assumptions, self._slices())
        if answer is False:
            self.core = [self._index[literal] for literal in self._session.core() if literal in self._index]
        return answer

    def satisfied(self) -> set[int]:
        """The suspects that hold in the solution to the last question."""
        model = self._session.model()
        # A selector in no clause can be missing at the end of the model.
        return {
            i for i, selector in enumerate(self._selectors) if model[selector - 1 : selector] == [selector]
        }

    def _slices(self) -> Iterator[int]:
        while (left := self._end - self._session.conflicts) > 0 and not self._stop():
            # A hundred conflicts take some hundredths of a second, even with a total.
            yield min(left, 100)


@contextmanager
def clue_selection(
    grid: Grid, clues: Sequence[Cell], total: int | None, *, budget: int, stop: Callable[[], bool]
) -> Iterator[Selection]:
    """The clues of a grid as suspects, and after them the total, in a new session."""
    regions, traps = _regions(grid, clues)
    cells = sorted({cell for region in regions for cell in region})
    variable_of = {cell: variable for variable, cell in enumerate(cells, 1)}
    selectors = range(len(cells) + 1, len(cells) + len(clues) + (total is not None) + 1)
    with SatSession(Run(), solver=CONFLICT_SET_SOLVER) as session:
        for selector, region, needed in zip(selectors, regions, traps, strict=False):
            add_under(session, selector, exactly([variable_of[cell] for cell in region], needed))
        if total is not None:
            needed = total - int(np.count_nonzero(grid.cells == TRAP))
            others = int(np.count_nonzero(grid.cells == HIDDEN)) - len(cells)
            clauses = between(range(1, len(cells) + 1), needed - others, needed, top=selectors[-1])
            add_under(session, selectors[-1], clauses)
        yield Selection(session, selectors, budget=budget, stop=stop)


def add_under(session: SatSession, selector: int, clauses: Iterable[Iterable[int]]) -> None:
    """Add clauses that must hold if the selector is true."""
    for clause in clauses:
        session.add([*clause, -selector])


def exactly(variables: Sequence[int], traps: int) -> list[list[int]]:
    """Clauses that say that exactly `traps` of these cells are traps."""
    names = [0, *variables]
    clauses = template("binomial", len(variables), traps).clauses
    return [[names[x] if x > 0 else -names[-x] for x in clause] for clause in clauses]


def between(variables: Sequence[int], least: int, most: int, *, top: int) -> list[list[int]]:
    """Clauses that say that `least` to `most` of these cells are traps; auxiliary variables follow `top`."""
    from pysat.card import CardEnc, EncType

    if most < 0 or least > len(variables):
        return [list(clause) for clause in IMPOSSIBLE.clauses]
    cells, encoding = list(variables), getattr(EncType, FOR_THE_TOTAL)
    clauses: list[list[int]] = []
    if most < len(cells):
        upper = CardEnc.atmost(cells, most, top_id=top, encoding=encoding)
        clauses, top = clauses + upper.clauses, max(top, upper.nv)
    if least > 0:
        clauses += CardEnc.atleast(cells, least, top_id=top, encoding=encoding).clauses
    return clauses


def _regions(grid: Grid, clues: Sequence[Cell]) -> tuple[list[list[int]], list[int]]:
    """The indices of the hidden cells next to each clue, and how many of them are traps."""
    indices = np.array([row * grid.cols + col for row, col in clues], np.int64)
    around = clue_neighbours(grid.cells, indices, outside=GEM)
    beside = indices[:, None] + np.array([down * grid.cols + right for down, right in OFFSETS])
    regions = [row[hidden].tolist() for row, hidden in zip(beside, around == HIDDEN, strict=True)]
    traps = grid.cells.ravel()[indices] - np.count_nonzero(around == TRAP, axis=1)
    return regions, traps.tolist()
