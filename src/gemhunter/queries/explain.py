"""The question "why?": a board explained in steps that a person can follow."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid, require_grid
from gemhunter.core.puzzle import Puzzle, read_puzzle
from gemhunter.deduce.chain import Chain
from gemhunter.deduce.clue_sets import ClueSets
from gemhunter.deduce.difficulty import NEEDS_A_GUESS, NOT_KNOWN, WITHOUT_SOLUTION, Difficulty, rate
from gemhunter.deduce.knowledge import IS_GEM, IS_TRAP, UNDECIDED, Knowledge
from gemhunter.deduce.lines import THE_TOTAL
from gemhunter.deduce.step_sentences import explained_step
from gemhunter.deduce.steps import ExplanationStep, cells_around, needed_steps
from gemhunter.queries.answers import Forced
from gemhunter.queries.explain_conflict import ExplainedConflict, explain_conflict
from gemhunter.queries.forced import forced
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.solving.run import Limits, Run, given_run


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """Why the forced cells of `grid` are what they are.

    Each step decides cells by its clues alone, once those of all earlier steps are known. `open` are the
    hidden cells that are not forced; `examples` then has two solutions that differ. If the clues conflict,
    `conflict` says which, and the steps lead to the clue that cannot hold. `gave_up` says why some forced
    cells may be missing; they are then among the open ones.
    """

    grid: Grid
    total: int | None
    steps: tuple[ExplanationStep, ...]
    open: tuple[Cell, ...] = ()
    examples: tuple[Grid, ...] = ()
    conflict: ExplainedConflict | None = None
    gave_up: GaveUp | None = None

    @property
    def difficulty(self) -> Difficulty:
        """How hard the board is for a person."""
        if self.conflict is not None:
            return rate(self.steps, word=WITHOUT_SOLUTION)
        if self.gave_up is not None:
            return rate(self.steps, word=NOT_KNOWN)
        return rate(self.steps, word=NEEDS_A_GUESS if self.open else None)

    @property
    def filled(self) -> Grid:
        """The grid with everything that the steps decide."""
        return with_steps(self.grid, self.steps)

    def _repr_html_(self) -> str:
        """What notebooks show: a player that goes through the steps."""
        from gemhunter.queries.explain_pictures import notebook_player

        return notebook_player(self)


def with_steps(grid: Grid, steps: tuple[ExplanationStep, ...]) -> Grid:
    """The grid with the cells that these steps decide."""
    codes = grid.cells.copy()
    for step in steps:
        for cells, code in ((step.traps, TRAP), (step.gems, GEM)):
            for cell in cells:
                codes[cell] = code
    return Grid(codes)


def explain(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Explanation:
    """Why each forced cell of `grid` is what it is, always by the easiest deduction there is.

    A step of the run is a deduction, or what the question for forced cells counts.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    thinking = Thinking(read_puzzle(grid, total), run)
    steps = tuple(thinking.steps())
    if thinking.is_refuted:
        return explained_conflict(grid, total, run, thinking.suspects())
    known = thinking.known
    open_cells = known.names(known.undecided_cells())
    if thinking.gave_up is not None:
        return Explanation(grid, total, steps, open_cells, gave_up=thinking.gave_up)
    examples = two_solutions(with_steps(grid, steps), open_cells[0], total, run) if open_cells else ()
    return Explanation(grid, total, steps, open_cells, examples)


def difficulty(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Difficulty | GaveUp:
    """How hard a board is for a person, judged by the steps that explain it."""
    found = explain(grid, total=total, time_limit=time_limit, step_limit=step_limit, run=run)
    return found.difficulty if found.gave_up is None else found.gave_up


def explained_conflict(grid: Grid, total: int | None, run: Run, suspects: Collection[Cell]) -> Explanation:
    """The explanation of a board whose clues conflict; it is likely that these suspects do."""
    steps, conflict = explain_conflict(grid, total, run, suspects)
    reason = None if conflict.is_followed else run.spend()
    gave_up = None if reason is None else GaveUp(reason)
    return Explanation(grid, total, steps, conflict=conflict, gave_up=gave_up)


class Thinking:
    """The chain of deductions on one board, as it goes on, and how it ended."""

    def __init__(
        self,
        puzzle: Puzzle,
        run: Run,
        *,
        origin: tuple[int, int] = (0, 0),
        focus: tuple[int, int] | None = None,
    ) -> None:
        """`origin` is where the puzzle begins on the board, `focus` the cell that matters."""
        self.known = Knowledge(puzzle, origin)
        self.refuted: Refuted | None = None
        self.gave_up: GaveUp | None = None
        self._puzzle, self._run, self._origin = puzzle, run, origin
        self._chain = Chain(self.known, self._forced, ClueSets(self.known, run).find, focus, run=run)
        self._steps: list[ExplanationStep] = []

    @property
    def is_refuted(self) -> bool:
        """Whether the clues conflict: a clue cannot hold any more, or an engine has refuted the board."""
        return self.refuted is not None or self._chain.broken is not None

    def steps(self) -> Iterator[ExplanationStep]:
        """The steps, until nothing more is forced, a clue cannot hold, or the run is to stop."""
        for deduction, choices in self._chain:
            step = explained_step(self.known, deduction, choices)
            self._steps.append(step)
            yield step
        if self._chain.stop_reason is not None and self.known.undecided:
            self.gave_up = GaveUp(self._chain.stop_reason)

    def suspects(self) -> tuple[Cell, ...]:
        """Clues that conflict, unless it takes the total: those that were refuted, and all behind them."""
        broken = self._chain.broken
        if self.refuted is not None:
            down, right = self._origin
            clues = {Cell(row + down, col + right) for row, col in self.refuted.clues}
        else:
            clues = set[Cell]() if broken in (None, THE_TOTAL) else {self.known.clue(broken)}
        behind = needed_steps(self._steps, cells_around(clues), with_total=broken == THE_TOTAL)
        return tuple(sorted(clues.union(*(step.clues for step in behind))))

    def _forced(self) -> dict[int, int]:
        """The values of all cells that are forced, as far as they are found."""
        hidden, grid = self._puzzle.hidden, self.known.grid()
        found = forced(grid, total=self._puzzle.total, run=self._run)
        if isinstance(found, Refuted):
            self.refuted = found
            return {}
        if isinstance(found, GaveUp):
            self.gave_up = found
        filled = found.filled if isinstance(found, Forced) else found.fill(grid)
        values = filled.cells.ravel()[hidden].tolist()
        return {
            cell: IS_TRAP if code == TRAP else IS_GEM
            for cell, code in enumerate(values)
            if code != HIDDEN and self.known.value[cell] == UNDECIDED
        }


def two_solutions(grid: Grid, cell: Cell, total: int | None, run: Run) -> tuple[Grid, ...]:
    """Two solutions that differ in a cell that is not forced; fewer if the run ends before."""
    found = []
    for code in (TRAP, GEM):
        codes = grid.cells.copy()
        codes[cell] = code
        outcome = solve(Grid(codes), total=total, run=run).outcome
        if isinstance(outcome, Solved):
            found.append(outcome.solution.fill(Grid(codes)))
    return tuple(found)
