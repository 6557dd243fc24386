"""Solving a board by its structure: taken apart, easy parts one by one, then the rest together."""

from dataclasses import replace

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Codes, Grid
from gemhunter.core.puzzle import Ints, Puzzle, read_puzzle
from gemhunter.core.solution import Solution
from gemhunter.deduce.conflicts import clue_cells, refuted_by_any_clues, refuted_by_clues
from gemhunter.deduce.sentences import after_decisions
from gemhunter.engines.auto.part_walk import MOST_LOOKS, REACHES, conflict_near, walk_on
from gemhunter.engines.auto.portfolio import solve_coupled
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run
from gemhunter.structure.take_apart import TAKE_APART_BYTES_PER_CELL, ConflictingClues, TakenApart, take_apart

LARGEST_PART = 300
"""Groups. In larger parts backtracking comes back to a wrong choice too late; a local search takes them."""

NODES_PER_GROUP = 10
"""What a part may cost. The few that need more need many more."""

GROUPS_PER_SLICE = 50_000


def solve_by_parts(puzzle: Puzzle, run: Run) -> Outcome:
    """Solve a board by taking it apart; the report counts what was decided and how many parts were left."""
    if not run.fits(TAKE_APART_BYTES_PER_CELL * puzzle.grid.cells.size):
        return GaveUp(StopReason.MEMORY)
    apart = take_apart(puzzle.grid)
    if isinstance(apart, ConflictingClues):
        return refuted_by_clues(puzzle, apart.clues, run)
    sizes = np.diff(apart.parts.part_groups)
    run.count(decided=apart.decided, parts=sizes.size, largest_part=int(sizes.max(initial=0)))
    return _PartByPart(puzzle, apart, run).solve()


class _PartByPart:
    """The work on one board: `codes` is it as far as it is filled in, `status` what is known of each part."""

    def __init__(self, puzzle: Puzzle, apart: TakenApart, run: Run) -> None:
        self._puzzle, self._apart, self._run = puzzle, apart, run
        self._parts = apart.parts
        self._codes = apart.codes.copy()
        self._status = np.zeros(apart.parts.part_groups.size - 1, np.int8)

    def solve(self) -> Outcome:
        """An exact search, then a walk, then whatever is left together; the total comes last."""
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
        """Solve parts by an exact search; the clues of a part without a solution, if it meets one."""
        from gemhunter.kernels.structure.fill_parts import fill_solved
        from gemhunter.kernels.structure.part_search import PART_REFUTED, new_search, search_parts

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
        """Solve parts by a local search; the clues of a contradiction, if it gets stuck at one."""
        from gemhunter.kernels.random_state import new_random_state
        from gemhunter.kernels.structure.fill_parts import fill_walked, new_walk
        from gemhunter.kernels.structure.part_search import PART_OPEN

        parts, status = self._parts, self._status
        walk = new_walk(parts, status, new_random_state(self._run.seed))
        places = parts.clue_indices[np.repeat(status == PART_OPEN, np.diff(parts.part_clues))]
        seen = set[int]()
        for stuck in walk_on(walk, self._run):
            for clue in sorted(set(places[stuck].tolist()) - seen)[: MOST_LOOKS - len(seen)]:
                seen.add(clue)
                for reach in REACHES:
                    clues = conflict_near(self._apart.codes, clue, reach)
                    if clues is not None:
                        return clues
        fill_walked(parts, status, walk.surplus, walk.traps, self._codes.ravel())
        return None

    def _fill_up(self) -> bool:
        """Fill the cells in no part, so that the total comes out if there is one; whether it does."""
        flat = self._codes.ravel()
        free = np.flatnonzero(flat == HIDDEN)
        missing = 0
        if self._puzzle.total is not None:
            missing = self._puzzle.total - int(np.count_nonzero(flat == TRAP))
        flat[free] = GEM
        flat[free[: max(missing, 0)]] = TRAP
        return 0 <= missing <= free.size

    def _solve_rest(self) -> Outcome:
        """Solve the parts that are open, or everything that is not decided if there is a total."""
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
        """The refutation by a combination of clues of the rest, perhaps with the total."""
        if self._puzzle.total is not None:
            # What is left of the total depends on every decided cell.
            suspects = self._behind(np.union1d(clues, self._apart.deciding()))
            return refuted_by_clues(self._puzzle, suspects, self._run, total=self._puzzle.total)
        behind = self._behind(clues)
        return Refuted(after_decisions(reason, len(behind) - clues.size), behind)

    def _rest(self) -> Codes:
        """The board with nothing hidden but the cells of open parts, and no clues but those of open parts."""
        parts, is_open = self._parts, self._status == 0
        codes = self._codes.copy()
        flat = codes.ravel()
        flat[flat == HIDDEN] = GEM
        flat[parts.group_cells[np.repeat(is_open, np.diff(parts.group_starts[parts.part_groups]))]] = HIDDEN
        flat[parts.clue_indices[np.repeat(~is_open, np.diff(parts.part_clues))]] = GEM
        return codes

    def _solved(self, codes: Codes) -> Solved:
        return Solved(Solution(codes.ravel()[self._puzzle.hidden] == TRAP))

    def _behind(self, clues: Ints) -> tuple[Cell, ...]:
        """These clues and those that decided the cells around them."""
        return clue_cells(self._puzzle, self._apart.behind(clues))

    def _decided(self) -> tuple[int, ...]:
        """The cells that clues and pairs of clues have decided, as `GaveUp` has them."""
        codes = self._apart.codes.ravel()[self._puzzle.hidden]
        numbers = np.arange(1, codes.size + 1)
        return tuple(np.where(codes == TRAP, numbers, -numbers)[codes != HIDDEN].tolist())
