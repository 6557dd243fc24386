"""Puzzles on request: deal traps, show all clues, and take clues away while the request is met.

Read `generate_puzzle` first, then `_Attempt.puzzle`, which makes a puzzle from one board. `OtherSolutions`
asks a SAT solver whether clues can be taken away without allowing a second solution.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from math import isfinite
from random import Random
from types import MappingProxyType
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, LARGEST_CLUE, OFFSETS, TRAP, Cell, Grid, count_around
from gemhunter.board.puzzle import read_puzzle
from gemhunter.cnf.encode import encode
from gemhunter.cnf.encodings import template
from gemhunter.errors import LARGEST_SEED, InputError, UnknownNameError, whole_number
from gemhunter.explanation.chain import Chain
from gemhunter.explanation.explain import explain
from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.explanation.rules import HARDEST_LEVEL, RULES, TOTAL, TOTAL_REACHED
from gemhunter.explanation.steps import DIFFICULTY_WORDS, LEVEL_WORDS, WITHOUT_SOLUTION, Difficulty, rate
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Refuted, StopReason
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.solving.session import SatSession
from gemhunter.wording import counted
from gemhunter.work.pieces import Piece, Pieces, Watch, WorkersAsked, made_in_order, seeds_from

DIFFICULTIES = DIFFICULTY_WORDS[:-1]
"""The difficulties on request; the last word is for puzzles that need a guess, which have many solutions."""

Solutions = Literal["one", "many", "none"]

SOLUTIONS: tuple[Solutions, ...] = ("one", "many", "none")
"""How many solutions a puzzle can have."""

SYMMETRIES: MappingProxyType[str, tuple[tuple[bool, bool], ...]] = MappingProxyType(
    {
        "none": (),
        "half-turn": ((True, True),),
        "left-right": ((False, True),),
        "top-bottom": ((True, False),),
        "both": ((False, True), (True, False), (True, True)),
    }
)
"""Symmetries of the places of clues: whether each mirrors the rows, and whether it mirrors the columns."""


@dataclass(frozen=True, slots=True)
class PuzzleWish:
    """The requested puzzle.

    `clues` is the share of all cells that show a clue; None means as few as possible: without any one of
    them, the puzzle would have a second solution, or be harder than `difficulty`. `given` is the share of
    cells that are shown as traps and gems without a clue. `rule` is the name of a rule that must be the
    hardest one needed. `clauses` is the number of clauses to come near to, in the default encoding, as
    `gemhunter cnf` writes them.
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

    def __post_init__(self) -> None:
        for name, number in (("rows", self.rows), ("columns", self.cols)):
            whole_number(number, f"the number of {name}", 1)
        if self.cells > 250_000:  # a mistyped size must not take all day
            raise InputError(f"a puzzle has at most 250,000 cells, not {self.cells:,}", field="rows")
        for name, share in (("density", self.density), ("share of clues", self.clues), ("given", self.given)):
            if share is not None and not (isfinite(share) and 0 <= share <= 1):
                raise InputError(f"the {name} must be a number from 0 to 1, not {share}")
        for field, kind, word, known in (
            ("difficulty", "difficulty", self.difficulty, DIFFICULTIES),
            ("rule", "rule", self.rule, tuple(RULES)),
            ("symmetry", "symmetry", self.symmetry, tuple(SYMMETRIES)),
            ("solutions", "number of solutions", self.solutions, SOLUTIONS),
        ):
            if word is not None and word not in known:
                raise UnknownNameError(kind, word, known, field=field)
        if self.solutions != "one" and (self.difficulty or self.rule):
            only_one = "a difficulty or a rule can only be requested for puzzles with one solution"
            raise InputError(only_one, field="solutions")
        if self.rule is not None and self.rule in (TOTAL_REACHED.name, TOTAL.name):
            raise InputError(f"puzzles have no total, so none can need the rule {self.rule}", field="rule")
        if self.rule and self.difficulty and LEVEL_WORDS[RULES[self.rule].level] != self.difficulty:
            raise InputError(
                f"a puzzle that needs the rule {self.rule} is not {self.difficulty}", field="rule"
            )
        if self.clauses is not None:
            whole_number(self.clauses, "the number of clauses", 1)
            if self.clues is not None:
                raise InputError("a share of clues and a number of clauses cannot both be requested")
        if self.traps == self.cells:
            none_left = f"a density of {self.density} leaves none of the {self.cells} cells for a clue"
            raise InputError(none_left, field="density")
        if self.fewest_clues > (gems := self.cells - self.traps):
            left = f"a density of {self.density} leaves {gems} of {self.cells} cells for clues"
            raise InputError(f"{left}, not {self.fewest_clues}", field="density")

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


@dataclass(frozen=True, slots=True, eq=False)
class GeneratedPuzzle:
    """A puzzle with the board behind it.

    `solution` is that board: the only solution, one of many, or the solution before a clue was changed; then
    `conflict` has the clues that cannot all hold. The seed gives the same puzzle again.
    """

    grid: Grid
    solution: Grid
    difficulty: Difficulty
    seed: int
    conflict: tuple[Cell, ...] = ()

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: the puzzle, without its solution."""
        from gemhunter.draw.grids import draw_grid

        return draw_grid(self.grid)


@dataclass(frozen=True, slots=True)
class NotGenerated:
    """Why no puzzle was found, and the one nearest to the request, if any.

    `stop_reason` is None unless the run was stopped.
    """

    reason: str
    seed: int
    nearest: GeneratedPuzzle | None = None
    stop_reason: StopReason | None = None


ATTEMPTS = 200
"""The number of boards that are dealt before the program gives up on a puzzle."""


def generate_puzzles(
    wish: PuzzleWish,
    *,
    seed: int = 0,
    number: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    limits: Limits | None = None,
    workers: WorkersAsked = 1,
    watch: Watch | None = None,
) -> Generator[GeneratedPuzzle | NotGenerated, None, None]:
    """Yield one puzzle per seed from `seed` on: `number` of them, or endlessly.

    The limits apply to each; `limits` is their old form. The puzzles and their order do not depend on the
    number of workers.
    """
    pieces = Pieces([Piece(wish, seeds_from(seed, number))], workers)
    limits = given_limits(limits, Limits(time_limit, step_limit))
    return made_in_order(pieces, partial(make_puzzles, limits=limits), watch=watch)


def given_limits(old: Limits | None, limits: Limits) -> Limits:
    """The limits of a caller, who may still give them as `limits=` until version 0.2."""
    if old is None:
        return limits
    if limits != Limits():
        raise InputError("give limits as time_limit= and step_limit=, without limits=")
    return old


def make_puzzles(
    piece: Piece[PuzzleWish], watch: Watch, *, limits: Limits
) -> list[GeneratedPuzzle | NotGenerated]:
    """The puzzles of these seeds, up to the one that is cancelled."""
    puzzles = []
    for seed in piece.seeds:
        run = Run(limits, cancel=watch.cancel, progress=watch.progress)
        puzzle = generate_puzzle(piece.kind, seed=seed, run=run)
        if isinstance(puzzle, NotGenerated) and puzzle.stop_reason is StopReason.CANCELLED:
            break
        puzzles.append(puzzle)
    return puzzles


def generate_puzzle(
    wish: PuzzleWish,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> GeneratedPuzzle | NotGenerated:
    """The puzzle of a seed, the same on every machine. A step is a question to a solver, or a deduction."""
    seed = whole_number(seed, "a seed", 0, LARGEST_SEED)
    run = given_run(run, Limits(time_limit, step_limit))
    nearest: GeneratedPuzzle | None = None
    reason, fitting = "", list[GeneratedPuzzle]()
    for attempt in range(ATTEMPTS):
        try:
            random = Random(seed * ATTEMPTS + attempt)  # noqa: S311 - a puzzle is no secret
            puzzle = _Attempt(wish, random, run).puzzle(seed)
        except StoppedError as stopped:
            return NotGenerated(stopped.reason.value, seed, nearest, stopped.reason)
        if isinstance(puzzle, str):
            reason = reason or puzzle
        elif (missing := _missing(wish, puzzle)) is None:
            fitting.append(puzzle)
            # Of 50 puzzles, the one nearest to the number of clauses is good enough.
            if wish.clauses is None or clauses_of(puzzle) == wish.clauses or len(fitting) == 50:
                break
        elif nearest is None or _shown(puzzle) < _shown(nearest):
            nearest, reason = puzzle, missing
    if not fitting:
        return NotGenerated(f"{reason}, in {ATTEMPTS} attempts", seed, nearest)
    if (aim := wish.clauses) is None:
        return fitting[0]
    best = min(fitting, key=lambda puzzle: abs(clauses_of(puzzle) - aim))
    reached = clauses_of(best)
    if abs(reached - aim) <= max(2, 0.1 * aim):
        return best
    size = f"{wish.rows}x{wish.cols} with a density of {wish.density:g}"
    words = f"the nearest puzzle of {size} has {counted(reached, 'clause')}, not {aim:,}"
    return NotGenerated(f"{words}; choose another size", seed, best)


def clauses_of(puzzle: GeneratedPuzzle) -> int:
    """The number of clauses of a puzzle in the default encoding."""
    return encode(puzzle.grid).size


def _missing(wish: PuzzleWish, puzzle: GeneratedPuzzle) -> str | None:
    """How a puzzle misses the request; None if it does not."""
    difficulty, clues = puzzle.difficulty, _shown(puzzle)
    if wish.difficulty is not None and difficulty.word != wish.difficulty:
        return f"the nearest puzzle is {difficulty.word}, not {wish.difficulty}"
    if wish.rule is not None and difficulty.rule != wish.rule:
        return f"the hardest rule of the nearest puzzle is {difficulty.rule}, not {wish.rule}"
    if wish.clues is not None and clues > wish.fewest_clues:
        return f"the nearest puzzle needs {clues} clues, not {wish.fewest_clues}"
    if wish.symmetry == "none" and clues < wish.fewest_clues:
        return f"the nearest puzzle has room for {clues} clues, not {wish.fewest_clues}"
    return None


def _shown(puzzle: GeneratedPuzzle) -> int:
    return int(np.count_nonzero(puzzle.grid.cells >= 0))


class StoppedError(Exception):
    """The run has reached a limit or was cancelled."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class _Attempt:
    """A random board, and the puzzle that is made from it."""

    def __init__(self, wish: PuzzleWish, random: Random, run: Run) -> None:
        self.wish, self.random, self.run = wish, random, run
        traps = np.zeros(wish.cells, bool)
        traps[self._random_cells(wish.traps)] = True
        self.traps = traps.reshape(wish.rows, wish.cols)
        self.truth: list[bool] = self.traps.ravel().tolist()
        self.given = self._random_cells(round(wish.given * wish.cells))
        numbers = np.where(self.traps, TRAP, count_around(self.traps)).astype(np.int8)
        self.codes: list[int] = numbers.ravel().tolist()

    def puzzle(self, seed: int) -> GeneratedPuzzle | str:
        """The puzzle, or why this board leads to none."""
        candidates = self._orbits()
        with OtherSolutions(self.traps, self.given, self.run) as others:
            everything = [cell for orbit in candidates for cell in orbit]
            if others.exist(everything):
                return "even with every clue shown, there is more than one solution"
            fits = self._test(others)
            if not fits(everything, []):
                return f"even with every clue shown, the puzzle is not {self.wish.difficulty}"
            clues = self._taken_away(candidates, fits, others)
        if self.wish.clauses is not None:
            clues = self._towards(self.wish.clauses, clues, candidates)
        if self.wish.solutions == "many":
            # Take away the last clues, with those symmetric to them, until there is a second solution.
            orbit_of = {cell: orbit for orbit in candidates for cell in orbit}
            with OtherSolutions(self.traps, self.given, self.run) as others:
                while not others.exist(clues):
                    clues = [cell for cell in clues if cell not in orbit_of[clues[-1]]]
        grid = self._grid(clues)
        explanation = explain(grid, run=self.run)
        if explanation.gave_up is not None:
            raise StoppedError(explanation.gave_up.stop_reason)
        filled = np.where(grid.cells >= 0, grid.cells, np.where(self.traps, TRAP, GEM)).astype(np.int8)
        puzzle = GeneratedPuzzle(grid, Grid(filled), explanation.difficulty, seed)
        return self._with_a_changed_clue(puzzle) if self.wish.solutions == "none" else puzzle

    def _random_cells(self, number: int) -> list[int]:
        """Random cells, in reading order."""
        # `random()` is the one method whose numbers are the same in every version of Python.
        keys = sorted((self.random.random(), cell) for cell in range(self.wish.cells))
        return sorted(cell for _, cell in keys[:number])

    def _orbits(self) -> list[list[int]]:
        """Cells that can show a clue, in random order, in groups that show their clues together."""
        wish, free = self.wish, set(range(self.wish.cells)) - set(self.given)
        orbits: dict[int, list[int]] = {}
        for cell in sorted(free):
            row, col = divmod(cell, wish.cols)
            places = [
                (wish.rows - 1 - row if flips_rows else row, wish.cols - 1 - col if flips_cols else col)
                for flips_rows, flips_cols in SYMMETRIES[wish.symmetry]
            ]
            orbit = sorted({cell, *(down * wish.cols + right for down, right in places)})
            if orbit[0] == cell and all(each in free and not self.truth[each] for each in orbit):
                orbits[cell] = orbit
        keys = sorted((self.random.random(), cell) for cell in orbits)
        return [orbits[cell] for _, cell in keys]

    def _test(self, others: "OtherSolutions") -> Callable[[list[int], list[int]], bool]:
        """A test whether clues, without the last ones that were taken away, still leave one solution.

        If an easier rule or difficulty is requested than the hardest, rules up to its level must find it.
        """
        level, difficulty = HARDEST_LEVEL, self.wish.difficulty
        if self.wish.rule is not None:
            level = RULES[self.wish.rule].level
        elif difficulty is not None:
            level = max(level for level, word in LEVEL_WORDS.items() if word == difficulty)
        if level == HARDEST_LEVEL:
            return lambda clues, last: not others.exist(clues, last)
        return lambda clues, _: self._is_solved(clues, level)

    def _is_solved(self, clues: list[int], level: int) -> bool:
        """Whether rules up to a level decide every cell."""
        puzzle = read_puzzle(self._grid(clues))
        known, hidden = Knowledge(puzzle), puzzle.hidden.tolist()
        values = {cell: IS_TRAP if self.truth[index] else IS_GEM for cell, index in enumerate(hidden)}
        # Up to level 2, rules do not need the forced cells.
        chain = Chain(known, dict if level <= 2 else lambda: values, lambda _: None, run=self.run)
        for deduction, _ in chain:
            if deduction.rule.level > level:
                return False
        if chain.stop_reason is not None:
            raise StoppedError(chain.stop_reason)
        return known.undecided == 0

    def _taken_away(
        self, orbits: list[list[int]], fits: Callable[[list[int], list[int]], bool], others: "OtherSolutions"
    ) -> list[int]:
        """Clues none of which can be taken away, or the requested number; the last one is needed.

        The number that is taken away at once doubles while that succeeds.
        """
        kept: list[list[int]] = []
        left = list(orbits)
        size = 1
        while left:
            # Take the first orbits, as many as leave the requested number of clues.
            room = sum(map(len, (*kept, *left))) - self.wish.fewest_clues
            sums = accumulate(map(len, left[:size]))
            batch = [orbit for orbit, clues in zip(left, sums, strict=False) if clues <= room]
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
        """These clues and more, so that the number of clauses is as near as possible to `clauses`.

        A further clue adds clauses, but its cell is no longer unknown, which removes some clauses of other
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

    def _with_a_changed_clue(self, puzzle: GeneratedPuzzle) -> GeneratedPuzzle | str:
        """The puzzle with one clue raised or lowered by one, so that there is no solution."""
        clues = np.flatnonzero(puzzle.grid.cells >= 0).tolist()
        changes = [(self.random.random(), cell, by) for cell in clues for by in (-1, 1)]

        def grids() -> Iterator[Grid]:
            for _, cell, by in sorted(changes):
                codes = puzzle.grid.cells.copy()
                codes.flat[cell] += by
                if 0 <= codes.flat[cell] <= LARGEST_CLUE:
                    yield Grid(codes)

        changed_grids: Iterable[Grid] = grids()
        if (aim := self.wish.clauses) is not None:
            changed_grids = sorted(changed_grids, key=lambda grid: abs(encode(grid).size - aim))
        for changed in changed_grids:
            if isinstance(solve(changed, run=self.run).outcome, Refuted):
                conflict = explain(changed, run=self.run).conflict
                in_conflict = () if conflict is None else conflict.clues
                difficulty = rate((), word=WITHOUT_SOLUTION)
                return replace(puzzle, grid=changed, difficulty=difficulty, conflict=in_conflict)
        return "no clue can be changed so that there is no solution"


class OtherSolutions:
    """All clues of a board, and whether some of them leave a second solution.

    Cell i, in reading order, is the variable i + 1; its clue holds if the selector of i is true. The solver
    looks for a solution that differs from the board in at least one cell.
    """

    def __init__(self, traps: NDArray[np.bool_], shown: Iterable[int], run: Run) -> None:
        """`shown` are cells that are shown as traps or gems without a clue."""
        self._run, self._size = run, traps.size
        self._shape: tuple[int, int] = (traps.shape[0], traps.shape[1])
        self._fixed: set[int] = set()
        self._session = SatSession(run)
        self._top = 2 * self._size
        self._truth: list[bool] = traps.ravel().tolist()
        values = [cell + 1 if is_trap else -(cell + 1) for cell, is_trap in enumerate(self._truth)]
        self._others = [-value for value in values]
        self._session.add(self._others)
        for cell in shown:
            self._session.add([values[cell]])
        self._session.prefer(values)
        for cell, is_trap in enumerate(self._truth):
            if not is_trap:
                around, selector = self._neighbours(cell), self._selector(cell)
                clue, names = sum(self._truth[near] for near in around), [0, *(near + 1 for near in around)]
                self._session.add([-selector, -(cell + 1)])
                for clause in template("binomial", len(around), clue).clauses:
                    self._session.add([*(names[x] if x > 0 else -names[-x] for x in clause), -selector])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def fix(self, kept: Iterable[int], dropped: Iterable[int]) -> None:
        """Show some clues from now on, and drop others; further questions are about the rest."""
        for cell in kept:
            self._fixed.add(cell)
            self._session.add([self._selector(cell)])
        for cell in dropped:
            self._session.add([-self._selector(cell)])

    def exist(self, clues: Iterable[int], near: Sequence[int] = ()) -> bool:
        """Whether there is a second solution with these clues.

        `near` are the cells whose clues were taken away last. With their clues there was no second solution,
        so one that exists now differs around them. The search is for such a solution, at first with only the
        clues nearby: often they rule it out, or the difference they allow breaks no other clue.
        """
        wanted = set(clues)
        if not near:
            return self._ask(wanted)
        self._top += 1
        differs = self._top
        around = {cell for each in near for cell in (each, *self._neighbours(each))}
        self._session.add([*(self._others[cell] for cell in sorted(around)), -differs])
        try:
            for radius in (4, 10):
                window = self._window(near, radius)
                if not self._ask(wanted & window, differs):
                    return False
                if self._is_local_change(window, wanted):
                    return True
            return self._ask(wanted, differs)
        finally:
            self._session.add([-differs])

    def _ask(self, clues: Iterable[int], *more: int) -> bool:
        assumptions = [self._selector(cell) for cell in sorted(clues) if cell not in self._fixed]
        answer = self._session.decide([*assumptions, *more], self._slices())
        assert answer is not None  # noqa: S101 - the slices do not end
        return answer

    def _slices(self) -> Iterator[int]:
        while True:
            if reason := self._run.spend(1):
                raise StoppedError(reason)
            yield 2000  # conflicts until the run is checked again

    def _is_local_change(self, window: set[int], clues: set[int]) -> bool:
        """Whether the last solution inside the window, with the board outside of it, keeps all clues."""
        model = self._session.model()
        changed = {cell for cell in window if model[cell] == self._others[cell]}
        touched = {clue for cell in changed for clue in (cell, *self._neighbours(cell))} & clues
        # A clue holds if its cell stays a gem, and as many gems around it become traps as traps become gems.
        return touched.isdisjoint(changed) and all(
            sum(-1 if self._truth[cell] else 1 for cell in changed.intersection(self._neighbours(clue))) == 0
            for clue in touched
        )

    def _window(self, cells: Sequence[int], radius: int) -> set[int]:
        """The cells of the board that are at most `radius` rows and columns away from one of these."""
        rows, cols = self._shape
        window: set[int] = set()
        for row, col in (divmod(cell, cols) for cell in cells):
            across = range(max(col - radius, 0), min(col + radius + 1, cols))
            for down in range(max(row - radius, 0), min(row + radius + 1, rows)):
                window.update(down * cols + right for right in across)
        return window

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
