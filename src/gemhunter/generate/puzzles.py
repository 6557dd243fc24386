"""Puzzles to order: deal traps, show all clues, and take clues away while the puzzle stays as wished."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encode import encode
from gemhunter.core.grid import GEM, HIDDEN, LARGEST_CLUE, TRAP, Grid
from gemhunter.core.neighbours import count_around
from gemhunter.core.numbers import LARGEST_SEED, whole_number
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import read_puzzle
from gemhunter.deduce.chain import Chain
from gemhunter.deduce.difficulty import LEVEL_WORDS, WITHOUT_SOLUTION, rate
from gemhunter.deduce.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.deduce.rules import HARDEST_LEVEL, RULES
from gemhunter.generate.parallel import Order, Watch, WorkersAsked, made_in_order, seeds_from
from gemhunter.generate.uniqueness import OtherSolutions, StoppedError
from gemhunter.generate.wishes import SYMMETRIES, GeneratedPuzzle, NotGenerated, PuzzleWish
from gemhunter.queries.explain import explain
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import Refuted, StopReason
from gemhunter.solving.run import Limits, Run, given_run

MOST_ATTEMPTS = 200
"""Boards that are dealt for one puzzle before the wish is given up."""

CLAUSE_ATTEMPTS = 50
"""Puzzles of which the one nearest to a number of clauses is taken, unless one has that number."""

NEAR_CLAUSES, NEAR_SHARE = 2, 0.1
"""How far from the wished number of clauses a puzzle may be: this many, or this share of them."""

RULES_WITHOUT_SEARCH = 2
"""Up to this level rules need not know which cells are forced."""


def generate_puzzles(
    wish: PuzzleWish,
    *,
    seed: int = 0,
    number: int | None = None,
    limits: Limits | None = None,
    workers: WorkersAsked = 1,
    watch: Watch | None = None,
) -> Generator[GeneratedPuzzle | NotGenerated, None, None]:
    """Puzzles of the seeds from `seed` on: `number` of them, or without end.

    Each may use `limits`. They are the same, in the same order, with any number of workers.
    """
    order = Order(wish, seeds_from(seed, number))
    return made_in_order([order], partial(make_puzzles, limits=limits), workers=workers, watch=watch)


def make_puzzles(
    order: Order[PuzzleWish], watch: Watch, *, limits: Limits | None
) -> list[GeneratedPuzzle | NotGenerated]:
    """The puzzles of an order, up to the one that is cancelled."""
    made = []
    for seed in order.seeds:
        run = Run(limits, cancel=watch.cancel, progress=watch.progress)
        found = generate_puzzle(order.wish, seed=seed, run=run)
        if isinstance(found, NotGenerated) and found.stop_reason is StopReason.CANCELLED:
            break
        made.append(found)
    return made


def generate_puzzle(
    wish: PuzzleWish,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> GeneratedPuzzle | NotGenerated:
    """The puzzle of a seed; the same on every machine. A step is a question to a solver, or a deduction."""
    seed = whole_number(seed, "a seed", 0, LARGEST_SEED)
    run = given_run(run, Limits(time_limit, step_limit))
    nearest: GeneratedPuzzle | None = None
    reason, fitting = "", list[GeneratedPuzzle]()
    for attempt in range(MOST_ATTEMPTS):
        try:
            random = Random(seed * MOST_ATTEMPTS + attempt)  # noqa: S311 - a puzzle is no secret
            made = _Attempt(wish, random, run).puzzle(seed)
        except StoppedError as stopped:
            return NotGenerated(stopped.reason.value, seed, nearest, stopped.reason)
        if isinstance(made, GeneratedPuzzle):
            missing = _missing(wish, made)
            if missing is None:
                fitting.append(made)
                if wish.clauses is None or clauses_of(made) == wish.clauses:
                    break
                if len(fitting) == CLAUSE_ATTEMPTS:
                    break
                continue
            if nearest is None or _shown(made) < _shown(nearest):
                nearest, reason = made, missing
        else:
            reason = reason or made
    if not fitting:
        return NotGenerated(f"{reason}, in {MOST_ATTEMPTS} attempts", seed, nearest)
    return fitting[0] if wish.clauses is None else _nearest_by_clauses(wish, wish.clauses, fitting)


def _nearest_by_clauses(
    wish: PuzzleWish, clauses: int, fitting: list[GeneratedPuzzle]
) -> GeneratedPuzzle | NotGenerated:
    """The puzzle whose number of clauses is nearest to the wished one, unless even that is far away."""
    found = min(fitting, key=lambda made: abs(clauses_of(made) - clauses))
    reached = clauses_of(found)
    if abs(reached - clauses) <= max(NEAR_CLAUSES, NEAR_SHARE * clauses):
        return found
    size = f"{wish.rows}x{wish.cols} with a density of {wish.density:g}"
    words = f"the nearest puzzle of {size} has {counted(reached, 'clause')}, not {clauses:,}"
    return NotGenerated(f"{words}; choose another size", found.seed, found)


def clauses_of(made: GeneratedPuzzle) -> int:
    """How many clauses a puzzle has in the default encoding."""
    return encode(made.grid).size


def _missing(wish: PuzzleWish, made: GeneratedPuzzle) -> str | None:
    """What a puzzle lacks to be as wished; None if nothing."""
    found = made.difficulty
    if wish.difficulty is not None and found.word != wish.difficulty:
        return f"the nearest puzzle is {found.word}, not {wish.difficulty}"
    if wish.rule is not None and found.rule != wish.rule:
        return f"the hardest rule of the nearest puzzle is {found.rule}, not {wish.rule}"
    if wish.clues is not None and _shown(made) > wish.fewest_clues:
        return f"the nearest puzzle needs {_shown(made)} clues, not {wish.fewest_clues}"
    if wish.symmetry == "none" and _shown(made) < wish.fewest_clues:
        return f"the nearest puzzle has room for {_shown(made)} clues, not {wish.fewest_clues}"
    return None


def _shown(made: GeneratedPuzzle) -> int:
    """How many clues a puzzle shows."""
    return int(np.count_nonzero(made.grid.cells >= 0))


class _Attempt:
    """One board, and what is made of it."""

    def __init__(self, wish: PuzzleWish, random: Random, run: Run) -> None:
        self.wish, self.random, self.run = wish, random, run
        self.traps = self._dealt()
        self.truth: list[bool] = self.traps.ravel().tolist()
        self.given = self._chosen(round(wish.given * wish.cells), range(wish.cells))
        numbers = np.where(self.traps, TRAP, count_around(self.traps)).astype(np.int8)
        self.codes: list[int] = numbers.ravel().tolist()

    def puzzle(self, seed: int) -> GeneratedPuzzle | str:
        """The puzzle, or why this board leads to none."""
        candidates = self._orbits()
        with OtherSolutions(self.traps, self.given, self.run) as others:
            everything = [cell for orbit in candidates for cell in orbit]
            if others.exist(everything):
                return "not even all clues together leave one solution"
            fits = self._test(others)
            if not fits(everything, []):
                return f"not even all clues together make a puzzle that is {self.wish.difficulty}"
            clues = self._taken_away(candidates, fits, others)
        if self.wish.clauses is not None:
            clues = self._towards(self.wish.clauses, clues, candidates)
        if self.wish.solutions == "many":
            clues = self._fewer(clues)
        grid = self._grid(clues)
        found = explain(grid, run=self.run)
        if found.gave_up is not None:
            raise StoppedError(found.gave_up.stop_reason)
        made = GeneratedPuzzle(grid, self._filled(grid), found.difficulty, seed)
        return self._with_a_changed_clue(made) if self.wish.solutions == "none" else made

    def _dealt(self) -> NDArray[np.bool_]:
        """As many traps as wished, at random."""
        wish = self.wish
        traps = np.zeros(wish.cells, bool)
        traps[self._chosen(wish.traps, range(wish.cells))] = True
        return traps.reshape(wish.rows, wish.cols)

    def _chosen(self, number: int, cells: range) -> list[int]:
        """Some of the cells, in reading order."""
        # `random()` is the one method whose numbers Python promises to keep.
        keys = sorted((self.random.random(), cell) for cell in cells)
        return sorted(cell for _, cell in keys[:number])

    def _orbits(self) -> list[list[int]]:
        """Cells that can show a clue, in groups that come and go together, in random order."""
        wish, free = self.wish, set(range(self.wish.cells)) - set(self.given)
        turns = SYMMETRIES[wish.symmetry]
        found: dict[int, list[int]] = {}
        for cell in sorted(free):
            row, col = divmod(cell, wish.cols)
            places = [turn(row, col, wish.rows - 1, wish.cols - 1) for turn in turns]
            orbit = sorted({cell, *(down * wish.cols + right for down, right in places)})
            if orbit[0] == cell and all(each in free and not self.truth[each] for each in orbit):
                found[cell] = orbit
        keys = sorted((self.random.random(), cell) for cell in found)
        return [found[cell] for _, cell in keys]

    def _test(self, others: OtherSolutions) -> Callable[[list[int], list[int]], bool]:
        """Whether clues are still enough without the last ones: they leave one solution, by easy rules."""
        level = self._hardest_level()
        if level == HARDEST_LEVEL:
            return lambda clues, last: not others.exist(clues, last)
        return lambda clues, _: self._is_solved(clues, level)

    def _fewer(self, clues: list[int]) -> list[int]:
        """Clues with a second solution: the last ones are taken away until there is one."""
        with OtherSolutions(self.traps, self.given, self.run) as others:
            while not others.exist(clues):
                clues = clues[:-1]
        return clues

    def _hardest_level(self) -> int:
        if self.wish.rule is not None:
            return RULES[self.wish.rule].level
        if self.wish.difficulty is None:
            return HARDEST_LEVEL
        return max(level for level, word in LEVEL_WORDS.items() if word == self.wish.difficulty)

    def _is_solved(self, clues: list[int], level: int) -> bool:
        """Whether rules up to a level decide every cell."""
        puzzle = read_puzzle(self._grid(clues))
        known = Knowledge(puzzle)
        values = {
            cell: IS_TRAP if self.truth[index] else IS_GEM
            for cell, index in enumerate(puzzle.hidden.tolist())
        }
        chain = Chain(
            known, dict if level <= RULES_WITHOUT_SEARCH else lambda: values, lambda _: None, run=self.run
        )
        for deduction, _ in chain:
            if deduction.rule.level > level:
                return False
        if chain.stop_reason is not None:
            raise StoppedError(chain.stop_reason)
        return known.undecided == 0

    def _taken_away(
        self,
        orbits: list[list[int]],
        fits: Callable[[list[int], list[int]], bool],
        others: OtherSolutions,
    ) -> list[int]:
        """Clues from which none can be taken away, or as few as wished; the last one is needed.

        Several are taken away at once while that goes well.
        """
        kept: list[list[int]] = []
        left = list(orbits)
        size = 1
        while left:
            room = sum(map(len, kept)) + sum(map(len, left)) - self.wish.fewest_clues
            batch = _within(left, size, room)
            if not batch:
                break
            rest, last = left[len(batch) :], [cell for orbit in batch for cell in orbit]
            if fits([cell for orbit in (*kept, *rest) for cell in orbit], last):
                left, size = rest, 2 * size
                others.fix((), last)
            elif len(batch) == 1:
                kept, left = [*kept, batch[0]], rest
                others.fix(last, ())
            else:
                size = len(batch) // 2
        return [cell for orbit in (*left, *kept) for cell in orbit]

    def _towards(self, clauses: int, clues: list[int], orbits: list[list[int]]) -> list[int]:
        """Clues with more beside them, so that the number of clauses is as near as possible to `clauses`.

        A further clue adds clauses of its own, but its cell is no longer unknown, which takes some from other
        clues. The solution stays the only one.
        """
        shown, distance, is_nearer = set(clues), self._distance(clauses, clues), True
        while distance and is_nearer:
            is_nearer = False
            for orbit in orbits:
                if orbit[0] in shown:
                    continue
                if reason := self.run.spend(1):
                    raise StoppedError(reason)
                with_orbit = self._distance(clauses, [*clues, *orbit])
                if with_orbit < distance:
                    clues, distance, is_nearer = [*clues, *orbit], with_orbit, True
                    shown.update(orbit)
        return clues

    def _distance(self, clauses: int, clues: list[int]) -> int:
        return abs(encode(self._grid(clues)).size - clauses)

    def _grid(self, clues: list[int]) -> Grid:
        codes = np.full(self.wish.cells, HIDDEN, np.int8)
        for cell in self.given:
            codes[cell] = TRAP if self.truth[cell] else GEM
        for cell in clues:
            codes[cell] = self.codes[cell]
        return Grid(codes.reshape(self.wish.rows, self.wish.cols))

    def _filled(self, grid: Grid) -> Grid:
        codes = np.where(self.traps, TRAP, GEM)
        return Grid(np.where(grid.cells >= 0, grid.cells, codes).astype(np.int8))

    def _with_a_changed_clue(self, made: GeneratedPuzzle) -> GeneratedPuzzle | str:
        """The puzzle with one clue raised or lowered by one, so that there is no solution."""
        clues = np.flatnonzero(made.grid.cells >= 0).tolist()
        changes = [(self.random.random(), cell, by) for cell in clues for by in (-1, 1)]
        changed_grids: Iterable[Grid] = (
            _changed(made.grid, cell, by)
            for _, cell, by in sorted(changes)
            if 0 <= made.grid.cells.flat[cell] + by <= LARGEST_CLUE
        )
        if (aim := self.wish.clauses) is not None:
            changed_grids = sorted(changed_grids, key=lambda grid: abs(encode(grid).size - aim))
        for changed in changed_grids:
            outcome = solve(changed, run=self.run).outcome
            if isinstance(outcome, Refuted):
                conflict = explain(changed, run=self.run).conflict
                difficulty = rate((), word=WITHOUT_SOLUTION)
                clues_at_fault = () if conflict is None else conflict.clues
                return replace(made, grid=changed, difficulty=difficulty, conflict=clues_at_fault)
        return "no clue can be changed so that there is no solution"


def _changed(grid: Grid, cell: int, by: int) -> Grid:
    """The grid with another clue on a cell."""
    codes = grid.cells.copy()
    codes.flat[cell] += by
    return Grid(codes)


def _within(orbits: list[list[int]], size: int, room: int) -> list[list[int]]:
    """The first orbits, at most `size` of them, with at most `room` clues in all."""
    batch: list[list[int]] = []
    for orbit in orbits[:size]:
        room -= len(orbit)
        if room < 0:
            break
        batch.append(orbit)
    return batch
