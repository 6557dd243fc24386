"""Puzzles to order: deal traps, show all clues, and take clues away while the request holds."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from random import Random
from types import MappingProxyType
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, LARGEST_CLUE, OFFSETS, TRAP, Cell, Grid, count_around
from gemhunter.board.numbers import LARGEST_SEED, whole_number
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cnf.encode import encode
from gemhunter.cnf.encodings import template
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.explanation.chain import Chain
from gemhunter.explanation.explain import explain
from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.explanation.rules import HARDEST_LEVEL, RULES, TOTAL, TOTAL_REACHED
from gemhunter.explanation.steps import DIFFICULTY_WORDS, LEVEL_WORDS, WITHOUT_SOLUTION, Difficulty, rate
from gemhunter.generate.parallel import Order, Watch, WorkersAsked, made_in_order, seeds_from
from gemhunter.printable import counted
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Refuted, StopReason
from gemhunter.solving.run import Limits, Run, given_run

# What a puzzle is to be like, and what comes of it.


LARGEST_PUZZLE_CELLS = 250_000
"""A mistyped size must not take all day."""

DIFFICULTIES = DIFFICULTY_WORDS[:-1]
"""What can be asked for: a puzzle with one solution never needs a guess."""

RULES_WITH_TOTAL = (TOTAL_REACHED.name, TOTAL.name)

Solutions = Literal["one", "many", "none"]

SOLUTIONS: tuple[Solutions, ...] = ("one", "many", "none")
"""How many solutions a puzzle can be asked to have."""

Turn = Callable[[int, int, int, int], tuple[int, int]]
"""From a row, a column, the last row and the last column to the place that must look alike."""

SYMMETRIES: MappingProxyType[str, tuple[Turn, ...]] = MappingProxyType(
    {
        "none": (),
        "half-turn": (lambda row, col, last_row, last_col: (last_row - row, last_col - col),),
        "left-right": (lambda row, col, _, last_col: (row, last_col - col),),
        "top-bottom": (lambda row, col, last_row, _: (last_row - row, col),),
        "both": (
            lambda row, col, _, last_col: (row, last_col - col),
            lambda row, col, last_row, _: (last_row - row, col),
            lambda row, col, last_row, last_col: (last_row - row, last_col - col),
        ),
    }
)
"""How the places of clues can be arranged."""


@dataclass(frozen=True, slots=True)
class PuzzleWish:
    """A puzzle to order.

    `clues` is the share of all cells that show a clue; None means as few as possible: with any clue taken
    away, the puzzle would have a second solution, or a harder one than `difficulty` allows. `given` is the
    share of cells that are shown as traps and gems without a clue. `rule` is the name of a rule that must be
    the hardest one needed.
    """

    rows: int
    cols: int
    density: float = 0.2
    clues: float | None = None
    given: float = 0.0
    difficulty: str | None = None
    rule: str | None = None
    symmetry: str = "none"
    solutions: Solutions = "one"
    clauses: int | None = None
    """The number of clauses to come near to, in the default encoding, as `gemhunter cnf` writes them."""

    def __post_init__(self) -> None:
        for name, number in (("rows", self.rows), ("columns", self.cols)):
            whole_number(number, f"the number of {name}", 1)
        if self.cells > LARGEST_PUZZLE_CELLS:
            raise InputError(f"a puzzle has at most {LARGEST_PUZZLE_CELLS:,} cells, not {self.cells:,}")
        for name, share in (("density", self.density), ("share of clues", self.clues), ("given", self.given)):
            if share is not None and not (isfinite(share) and 0 <= share <= 1):
                raise InputError(f"the {name} is a number from 0 to 1, not {share}")
        _require_name(self.difficulty, DIFFICULTIES, "difficulty")
        _require_name(self.rule, tuple(RULES), "rule")
        _require_name(self.symmetry, tuple(SYMMETRIES), "symmetry")
        _require_name(self.solutions, SOLUTIONS, "number of solutions")
        if self.solutions != "one" and (self.difficulty or self.rule):
            raise InputError("a difficulty or a rule can only be asked for puzzles with one solution")
        if self.rule is not None and self.rule in RULES_WITH_TOTAL:
            raise InputError(f"puzzles carry no total, so none needs the rule {self.rule}")
        if self.rule and self.difficulty and LEVEL_WORDS[RULES[self.rule].level] != self.difficulty:
            raise InputError(f"a puzzle that needs the rule {self.rule} is not {self.difficulty}")
        if self.clauses is not None:
            whole_number(self.clauses, "the number of clauses", 1)
            if self.clues is not None:
                raise InputError("a share of clues and a number of clauses cannot both be asked for")
        if self.traps == self.cells:
            raise InputError(f"a density of {self.density} leaves no cell of {self.cells} for a clue")
        if self.fewest_clues > self.cells - self.traps:
            gems = self.cells - self.traps
            raise InputError(
                f"a density of {self.density} leaves {gems} of {self.cells} cells for clues, "
                f"not {self.fewest_clues}"
            )

    @property
    def cells(self) -> int:
        """How many cells the puzzle has."""
        return self.rows * self.cols

    @property
    def traps(self) -> int:
        """How many of them are traps."""
        return round(self.density * self.cells)

    @property
    def fewest_clues(self) -> int:
        """The number of clues to stop at."""
        return 0 if self.clues is None else round(self.clues * self.cells)


def _require_name(name: str | None, known: tuple[str, ...], kind: str) -> None:
    if name is not None and name not in known:
        raise UnknownNameError(kind, name, known)


@dataclass(frozen=True, slots=True, eq=False)
class GeneratedPuzzle:
    """A puzzle with the board behind it.

    `solution` is that board: the only solution, one of many, or what the puzzle was before a clue was
    changed. `conflict` then has the clues that cannot all hold. The seed gives the same puzzle again.
    """

    grid: Grid
    solution: Grid
    difficulty: Difficulty
    seed: int
    conflict: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class NotGenerated:
    """No puzzle was found that is as wished, and why; the nearest one that was found, if any.

    `stop_reason` says that the run was stopped first.
    """

    reason: str
    seed: int
    nearest: GeneratedPuzzle | None = None
    stop_reason: StopReason | None = None


# Which clues a board needs to have one solution: a SAT solver that is asked for another one.


CONFLICTS_PER_QUESTION = 2000
"""Conflicts of a question between two looks at whether to stop."""

LOCAL_RADII = (4, 10)
"""How far from a clue its surroundings reach that are asked about before the whole board."""

UNIQUENESS_SOLVER = "minisat22"
"""Of PySAT's solvers, the quickest at many questions under many assumptions."""


class StoppedError(Exception):
    """The run is to stop, and why."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class OtherSolutions:
    """All clues that a map of traps allows, and whether some of them leave a second solution.

    Cell i, in reading order, is the variable i + 1; its clue holds if the selector of i is true. A solution
    that differs from the map in at least one cell is asked for.
    """

    def __init__(self, traps: NDArray[np.bool_], shown: Iterable[int], run: Run) -> None:
        """`shown` are cells that the board shows as traps or gems without a clue."""
        from pysat.solvers import Solver

        self._run, self._size = run, traps.size
        self._shape: tuple[int, int] = (traps.shape[0], traps.shape[1])
        self._fixed: set[int] = set()
        self._solver: Any = Solver(name=UNIQUENESS_SOLVER)
        self._top = 2 * self._size
        self._truth: list[bool] = traps.ravel().tolist()
        values = [cell + 1 if is_trap else -(cell + 1) for cell, is_trap in enumerate(self._truth)]
        self._others = [-value for value in values]
        self._solver.add_clause(self._others)
        for cell in shown:
            self._solver.add_clause([values[cell]])
        self._solver.set_phases(values)
        for cell, is_trap in enumerate(self._truth):
            if not is_trap:
                self._add_clue(cell, self._neighbours(cell))

    def _add_clue(self, cell: int, around: Sequence[int]) -> None:
        selector, number = self._selector(cell), sum(self._truth[near] for near in around)
        names = [0, *(near + 1 for near in around)]
        self._solver.add_clause([-selector, -(cell + 1)])
        for clause in template("binomial", len(around), number).clauses:
            self._solver.add_clause([*(names[x] if x > 0 else -names[-x] for x in clause), -selector])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def fix(self, kept: Iterable[int], dropped: Iterable[int]) -> None:
        """Show some clues, and never again others: all further questions are about the rest."""
        for cell in kept:
            self._fixed.add(cell)
            self._solver.add_clause([self._selector(cell)])
        for cell in dropped:
            self._solver.add_clause([-self._selector(cell)])

    def exist(self, clues: Iterable[int], near: Sequence[int] = ()) -> bool:
        """Whether a second solution has these clues.

        `near` are cells whose clues were the last to be taken away. With them there was no second solution,
        so one that exists now differs around them. It is looked for there, and first with the clues of the
        surroundings alone: they often rule it out, or the change they allow breaks no other clue.
        """
        wanted = set(clues)
        if not near:
            return self._ask(wanted)
        differs = self._new_variable()
        around = {cell for each in near for cell in (each, *self._neighbours(each))}
        self._solver.add_clause([*(self._others[cell] for cell in sorted(around)), -differs])
        try:
            for radius in LOCAL_RADII:
                window = self._window(near, radius)
                if not self._ask(wanted & window, differs):
                    return False
                if self._is_local_change(window, wanted):
                    return True
            return self._ask(wanted, differs)
        finally:
            self._solver.add_clause([-differs])

    def _ask(self, clues: Iterable[int], *more: int) -> bool:
        assumptions = [self._selector(cell) for cell in sorted(clues) if cell not in self._fixed]
        answer: bool | None = None
        while answer is None:
            if reason := self._run.spend(1):
                raise StoppedError(reason)
            self._solver.conf_budget(CONFLICTS_PER_QUESTION)
            answer = self._solver.solve_limited(assumptions=[*assumptions, *more], expect_interrupt=True)
        return answer

    def _is_local_change(self, window: set[int], clues: set[int]) -> bool:
        """Whether the last solution, inside the window, and the map outside of it keep all clues."""
        model = self._solver.get_model()
        changed = {cell for cell in window if model[cell] == self._others[cell]}
        traps = {cell: (not self._truth[cell]) if cell in changed else self._truth[cell] for cell in window}
        touched = {clue for cell in changed for clue in (cell, *self._neighbours(cell))} & clues
        return all(self._holds(clue, traps) for clue in touched)

    def _holds(self, clue: int, traps: dict[int, bool]) -> bool:
        """Whether a clue holds once these cells are traps or gems."""
        around = self._neighbours(clue)
        count = sum(traps.get(cell, self._truth[cell]) for cell in around)
        return not traps.get(clue, False) and count == sum(self._truth[cell] for cell in around)

    def _window(self, cells: Sequence[int], radius: int) -> set[int]:
        """The cells at most `radius` away from some cell, up to the edges of the board."""
        rows, cols = self._shape
        found: set[int] = set()
        for cell in cells:
            row, col = divmod(cell, cols)
            across = range(max(col - radius, 0), min(col + radius + 1, cols))
            for down in range(max(row - radius, 0), min(row + radius + 1, rows)):
                found.update(down * cols + each for each in across)
        return found

    def _new_variable(self) -> int:
        self._top += 1
        return self._top

    def _selector(self, cell: int) -> int:
        return self._size + 1 + cell

    def _neighbours(self, cell: int) -> list[int]:
        rows, cols = self._shape
        row, col = divmod(cell, cols)
        return [
            (row + down) * cols + col + right
            for down, right in OFFSETS
            if 0 <= row + down < rows and 0 <= col + right < cols
        ]


# Puzzles to order: deal traps, show all clues, and take clues away while the puzzle stays as wished.


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
