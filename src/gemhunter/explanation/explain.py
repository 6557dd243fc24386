"""The question "why?", answered for a board, a cell or a conflict in steps that a person can follow.

`explain` answers it for a board and `explain_cell` for a cell; on a large board the cell is explained within
a window around it. Both follow a `DeductionSearch`, which puts the chain of deductions into words.
`explain_conflict` shows why a board has no solution.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import CELL_MARKS, GEM, HIDDEN, TRAP, Cell, Grid, require_grid
from gemhunter.board.puzzle import Puzzle, read_puzzle
from gemhunter.errors import InputError
from gemhunter.explanation.chain import Chain
from gemhunter.explanation.clue_sets import ClueSets, decided_by_set
from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, UNDECIDED, Knowledge
from gemhunter.explanation.rules import THE_TOTAL, Deduction, Supposition, what_if
from gemhunter.explanation.sentences import broken_text, explained_step
from gemhunter.explanation.steps import (
    NEEDS_A_GUESS,
    NOT_KNOWN,
    WITHOUT_SOLUTION,
    Difficulty,
    ExplanationStep,
    cells_around,
    needed_steps,
    rate,
)
from gemhunter.questions.forced import Forced, forced
from gemhunter.questions.solve import solve
from gemhunter.solving.conflict_sentences import conflict
from gemhunter.solving.conflict_sets import (
    CONFLICT_SET_BUDGET,
    ConflictSet,
    find_conflict_set,
    smallest_conflict_set,
)
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.wording import capital, joined

SMALL_BOARD_CELLS_EXPLAINED = 5000
"""Boards of up to this size are first looked at as a whole, which also shows whether their clues conflict."""


@dataclass(frozen=True, slots=True)
class ExplainedConflict:
    """Clues that cannot all hold, and the one that fails when the others are followed.

    The total is one of them (`with_total`) only if the clues alone could all hold. If `is_minimal`, leaving
    out any one of them lets the others hold; if `is_smallest`, no set of fewer clues conflicts. If
    `is_followed`, the steps lead to the clue that cannot hold, `broken`, which is None for the total;
    otherwise the run ended first.
    """

    clues: tuple[Cell, ...]
    with_total: bool
    is_minimal: bool
    is_smallest: bool
    broken: Cell | None
    sentence: str
    is_followed: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """Why the forced cells of `grid` are what they are.

    Each step decides cells by its clues alone, once those of all earlier steps are known. `open` has the
    hidden cells that are not forced; if there are any, `examples` has two different solutions. If the clues
    conflict, `conflict` says which, and the steps lead to the clue that cannot hold. `gave_up` says why some
    of the open cells may be forced after all.
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
        """The grid with the cells that the steps decide filled in."""
        return with_steps(self.grid, self.steps)

    def __str__(self) -> str:
        lines = _lines(self.steps, self.conflict, self.total)
        if self.gave_up is not None:
            lines.append(f"{self.gave_up}; more cells may be forced")
        if self.open:
            what = "not forced" if self.gave_up is None else "not explained"
            lines.append(f"{what}: {joined([*map(str, self.open)])}")
        return "\n".join([*lines, f"difficulty: {self.difficulty.word}"])

    def _repr_html_(self) -> str:
        """What notebooks show: a player that goes through the steps."""
        from gemhunter.explanation.pictures import notebook_player

        return notebook_player(self)


@dataclass(frozen=True, slots=True, eq=False)
class CellExplanation:
    """Why one cell is what it is: `value` is `TRAP` or `GEM`, or `HIDDEN` if both are possible.

    `steps` end with the one that decides the cell, and contain only what that one needs; but a line of
    thought can rest on more than its conclusion needs. If both values are possible, `examples` has a solution
    with a trap there and one with a gem. If the clues conflict, `conflict` says which. `gave_up` says why
    there is no answer.
    """

    grid: Grid
    cell: Cell
    total: int | None
    value: int
    steps: tuple[ExplanationStep, ...] = ()
    examples: tuple[Grid, ...] = ()
    conflict: ExplainedConflict | None = None
    gave_up: GaveUp | None = None

    def __str__(self) -> str:
        kinds = {TRAP: "a trap", GEM: "a gem"}
        lines = _lines(self.steps, self.conflict, self.total)
        if self.value != HIDDEN:
            if self.conflict is not None:  # the other value was supposed, which led to the conflict
                lines[0] = f"suppose that {self.cell} is {kinds[GEM if self.value == TRAP else TRAP]}:"
            lines.append(f"{self.cell} is {kinds[self.value]}")
        elif self.gave_up is not None:
            lines.append(str(self.gave_up))
        elif self.conflict is None:
            lines.append(f"{self.cell} is not forced: it can be a trap or a gem")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """What notebooks show: a player that goes through the steps."""
        from gemhunter.explanation.pictures import notebook_player

        return notebook_player(self)


def _lines(
    steps: Sequence[ExplanationStep], conflict: ExplainedConflict | None, total: int | None
) -> list[str]:
    """The steps, numbered; if the clues conflict, below a line that says so and above what they lead to."""
    lines = [f"{place}. {step.sentence}" for place, step in enumerate(steps, 1)]
    if conflict is None:
        return lines
    clues = [f"the clue at {cell}" for cell in conflict.clues] + [
        f"the total of {total}"
    ] * conflict.with_total
    first = f"no solution: {joined(clues)} cannot {'all ' * (len(clues) > 1)}hold"
    return [first, *lines, *([conflict.sentence] * conflict.is_followed)]


def explain(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Explanation:
    """Why each forced cell of `grid` is what it is, always by the easiest deduction available.

    A step of the run is a deduction, or a step of `forced`.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    search = DeductionSearch(read_puzzle(grid, total), run)
    steps = tuple(search.steps())
    if search.is_refuted:
        return explained_conflict(grid, total, run, search.suspects())
    known = search.known
    open_cells = known.names(known.undecided_cells())
    if search.gave_up is not None:
        return Explanation(grid, total, steps, open_cells, gave_up=search.gave_up)
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


def explain_cell(
    grid: Grid,
    cell: tuple[int, int],
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> CellExplanation:
    """Why a hidden cell is a trap or a gem, or that it can be either.

    On a large board, wider and wider windows around the cell are searched until one decides it.
    """
    return _explained(grid, cell, total, given_run(run, Limits(time_limit, step_limit)))[0]


def explain_opposite(
    grid: Grid,
    cell: tuple[int, int],
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> CellExplanation:
    """What goes wrong if a forced cell has the other value: the steps lead to a clue that cannot hold."""
    run = given_run(run, Limits(time_limit, step_limit))
    answer, window = _explained(grid, cell, total, run)
    if answer.value == HIDDEN:
        return answer
    codes = window.grid.cells.copy()
    codes[window.inside(answer.cell)] = GEM if answer.value == TRAP else TRAP
    steps, conflict = explain_conflict(Grid(codes), window.total, run, origin=window.corner)
    return replace(answer, steps=steps, conflict=conflict)


def _explained(
    grid: Grid, cell: tuple[int, int], total: int | None, run: Run
) -> tuple[CellExplanation, "Window"]:
    """The answer about a cell, and the window that gave it."""
    require_grid(grid)
    asked = grid.on_board(cell)
    if grid[asked] != HIDDEN:
        raise InputError(f"{asked} is not hidden: the board shows {CELL_MARKS[grid[asked]]} there")
    nothing = CellExplanation(grid, asked, total, HIDDEN)
    whole = next(windows(grid, asked, total, radius=max(grid.cells.shape)))
    is_large = grid.cells.size > SMALL_BOARD_CELLS_EXPLAINED
    if not is_large:
        return _of_small_board(nothing, whole, run), whole
    filled: Grid | None = None
    for window in windows(grid, asked, total):
        answer = _by_steps(nothing, window, run)
        if answer is not None:
            return answer, window
        # The clues of this window do not decide the cell. On a large board it may be open. To show that, one
        # solution of the whole board is found, and changed within the window so that the cell differs.
        if filled is None and not window.is_small:
            outcome = solve(grid, total=total, run=run).outcome
            if isinstance(outcome, GaveUp):
                return replace(nothing, gave_up=outcome), window
            if isinstance(outcome, Refuted):
                return _without_solution(nothing, outcome.clues, run), window
            filled = outcome.solution.fill(grid)
        other = None if filled is None else _changed(filled, window, asked, run)
        if filled is not None and other is not None:
            pair = (filled, other) if filled[asked] == TRAP else (other, filled)
            return replace(nothing, examples=pair), window
    return replace(nothing, examples=two_solutions(grid, asked, total, run)), whole


def _of_small_board(nothing: CellExplanation, whole: "Window", run: Run) -> CellExplanation:
    """The answer from the whole board, or from windows if they have easier or fewer steps."""
    found = explain(nothing.grid, total=nothing.total, run=run)
    if found.conflict is not None:
        return replace(nothing, steps=found.steps, conflict=found.conflict, gave_up=found.gave_up)
    if nothing.cell in found.open:
        if found.gave_up is not None:
            return replace(nothing, gave_up=found.gave_up)
        return replace(nothing, examples=two_solutions(found.filled, nothing.cell, nothing.total, run))
    steps = _with_fewer_clues(nothing.cell, needed_steps(found.steps, [nothing.cell]), whole, run)
    far = replace(nothing, value=TRAP if nothing.cell in steps[-1].traps else GEM, steps=steps)
    answers = (
        _by_steps(nothing, window, run) for window in windows(nothing.grid, nothing.cell, nothing.total)
    )
    near = next((answer for answer in answers if answer is not None and answer.steps), far)
    return min(near, far, key=lambda answer: _effort(answer.steps))


def _effort(steps: Sequence[ExplanationStep]) -> tuple[int, int, int]:
    """The effort of these steps: their score, their hardest level, and how many clues they rest on."""
    difficulty = rate(steps)
    return difficulty.score, difficulty.level, sum(len(step.clues) + step.with_total for step in steps)


def _by_steps(nothing: CellExplanation, window: "Window", run: Run) -> CellExplanation | None:
    """The answer if the clues of a window decide the cell, conflict, or take too long; otherwise None.

    In the smallest windows only easy steps are taken, because there may be easier ones further away.
    """
    puzzle = read_puzzle(window.grid, window.total)
    search = DeductionSearch(puzzle, run, origin=window.corner, focus=nothing.cell)
    steps = _steps_to(nothing.cell, search, hardest=2 if window.is_small else None)
    if steps:
        value = TRAP if nothing.cell in steps[-1].traps else GEM
        return replace(nothing, value=value, steps=_with_fewer_clues(nothing.cell, steps, window, run))
    if search.is_refuted:
        return _without_solution(nothing, search.suspects(), run)
    return None if search.gave_up is None else replace(nothing, gave_up=search.gave_up)


def _steps_to(cell: Cell, search: "DeductionSearch", *, hardest: int | None) -> tuple[ExplanationStep, ...]:
    """The steps that a search needs to decide a cell; none if it cannot, or needs a rule above `hardest`."""
    steps: list[ExplanationStep] = []
    for step in search.steps():
        if hardest is not None and step.rule.level > hardest:
            break
        steps.append(step)
        if cell in step.decides:
            return needed_steps(steps, [cell])
    return ()


def _with_fewer_clues(
    cell: Cell, steps: tuple[ExplanationStep, ...], window: "Window", run: Run
) -> tuple[ExplanationStep, ...]:
    """Steps that decide the cell and take less effort, none of whose clues can be left out.

    Without a clue, cells that it would have decided stay hidden, so a later step may need no mention of them.
    """
    followed = 0  # each attempt follows about as many steps; very long explanations are not tried to the end
    needed = set[Cell]()
    while clue := next((clue for step in steps for clue in step.clues if clue not in needed), None):
        kept = {window.inside(each) for step in steps for each in step.clues} - {window.inside(clue)}
        followed += len(steps)
        # Without any clue, the total alone may decide the cell.
        if len(steps) == 1 or not (kept or window.total is not None) or followed > 2000:
            break
        is_kept = np.zeros(window.grid.cells.shape, bool)
        for each in kept:
            is_kept[each] = True
        codes = np.where(is_kept | (window.grid.cells < 0), window.grid.cells, GEM)
        top = left = 0
        if window.total is None:  # only the cells around these clues matter
            top, left = (max(min(places) - 1, 0) for places in zip(*kept, strict=True))
            bottom, right = (max(places) + 2 for places in zip(*kept, strict=True))
            codes = codes[top:bottom, left:right]
        puzzle = read_puzzle(Grid(codes), window.total)
        corner = Cell(window.corner.row + top, window.corner.col + left)
        search = DeductionSearch(puzzle, run, origin=corner, focus=cell)
        shorter = _steps_to(cell, search, hardest=rate(steps).level)
        if shorter and _effort(shorter) < _effort(steps):
            # With fewer clues, another one may no longer be needed.
            steps, needed = shorter, set()
        else:
            needed.add(clue)
    return steps


def _without_solution(nothing: CellExplanation, suspects: Collection[Cell], run: Run) -> CellExplanation:
    whole = explained_conflict(nothing.grid, nothing.total, run, suspects)
    return replace(nothing, steps=whole.steps, conflict=whole.conflict, gave_up=whole.gave_up)


def _changed(filled: Grid, window: "Window", cell: Cell, run: Run) -> Grid | None:
    """A solution that differs in `cell`, and otherwise only inside the window; None if there is none."""
    row, col = window.corner
    place = slice(row, row + window.grid.rows), slice(col, col + window.grid.cols)
    there = filled.cells[place]
    codes = np.where(window.fixed() & (window.grid.cells == HIDDEN), there, window.grid.cells)
    inside = window.inside(cell)
    codes[inside] = GEM if there[inside] == TRAP else TRAP
    changed = Grid(codes)
    traps = int(np.count_nonzero(there == TRAP)) if window.keeps_traps else None
    outcome = solve(changed, total=traps, run=run).outcome
    if not isinstance(outcome, Solved):
        return None
    board = filled.cells.copy()
    found = outcome.solution.fill(changed).cells
    board[place] = np.where(window.grid.cells == HIDDEN, found, there)
    return Grid(board)


def two_solutions(grid: Grid, cell: Cell, total: int | None, run: Run) -> tuple[Grid, ...]:
    """Two solutions that differ in a cell that is not forced; fewer if the run ends first."""
    found = []
    for code in (TRAP, GEM):
        codes = grid.cells.copy()
        codes[cell] = code
        outcome = solve(Grid(codes), total=total, run=run).outcome
        if isinstance(outcome, Solved):
            found.append(outcome.solution.fill(Grid(codes)))
    return tuple(found)


def with_steps(grid: Grid, steps: tuple[ExplanationStep, ...]) -> Grid:
    """The grid with the cells that these steps decide filled in."""
    codes = grid.cells.copy()
    for step in steps:
        for cells, code in ((step.traps, TRAP), (step.gems, GEM)):
            for cell in cells:
                codes[cell] = code
    return Grid(codes)


class DeductionSearch:
    """Puts the chain of deductions on one board into words step by step, and records how it ended."""

    def __init__(
        self,
        puzzle: Puzzle,
        run: Run,
        *,
        origin: tuple[int, int] = (0, 0),
        focus: tuple[int, int] | None = None,
    ) -> None:
        """`origin` is where the puzzle begins on the board; `focus` is the cell that matters."""
        self.known = Knowledge(puzzle, origin, run=run)
        self.refuted: Refuted | None = None
        self.gave_up: GaveUp | None = None
        self._puzzle, self._run, self._origin = puzzle, run, origin
        self._chain = Chain(self.known, self._forced, ClueSets(self.known, run).find, focus, run=run)
        self._steps: list[ExplanationStep] = []

    @property
    def is_refuted(self) -> bool:
        """Whether the clues conflict: a clue can no longer hold, or an engine has refuted the board."""
        return self.refuted is not None or self._chain.broken is not None

    def steps(self) -> Iterator[ExplanationStep]:
        """The steps, until nothing more is forced, a clue can no longer hold, or the run ends."""
        for deduction, choices in self._chain:
            step = explained_step(self.known, deduction, choices)
            self._steps.append(step)
            yield step
        if self._chain.stop_reason is not None and self.known.undecided:
            self.gave_up = GaveUp(self._chain.stop_reason)

    def suspects(self) -> tuple[Cell, ...]:
        """The clues that were refuted and those behind them; they conflict, perhaps only with the total."""
        broken = self._chain.broken
        if self.refuted is not None:
            down, right = self._origin
            clues = {Cell(row + down, col + right) for row, col in self.refuted.clues}
        else:
            clues = set[Cell]() if broken in (None, THE_TOTAL) else {self.known.clue(broken)}
        behind = needed_steps(self._steps, cells_around(clues), with_total=broken == THE_TOTAL)
        return tuple(sorted(clues.union(*(step.clues for step in behind))))

    def _forced(self) -> dict[int, int]:
        """The values of the forced cells, as many as are found within the limits of the run."""
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


# Why a board has no solution: a smallest set of conflicting clues, followed to the one that cannot hold.


def explained_conflict(grid: Grid, total: int | None, run: Run, suspects: Collection[Cell]) -> Explanation:
    """The explanation of a board whose clues conflict, probably these `suspects`."""
    steps, conflict = explain_conflict(grid, total, run, suspects)
    reason = None if conflict.is_followed else run.spend()
    gave_up = None if reason is None else GaveUp(reason)
    return Explanation(grid, total, steps, conflict=conflict, gave_up=gave_up)


def explain_conflict(
    grid: Grid,
    total: int | None,
    run: Run,
    suspects: Collection[Cell] = (),
    *,
    origin: tuple[int, int] = (0, 0),
) -> tuple[tuple[ExplanationStep, ...], ExplainedConflict]:
    """The steps from a smallest set of conflicting clues to the one that cannot hold.

    `suspects` are clues that are likely to conflict; they are tried first. `origin` is where the grid begins
    on the board that people see.
    """
    found = _conflict_set(grid, total, run, suspects)
    known = _known_of(grid, found, total, origin)
    chain = Chain(known, lambda: _refutable(known, run), _LastResort(known, run), run=run)
    steps = tuple(explained_step(known, deduction, choices) for deduction, choices in chain)
    clues = tuple(Cell(row + origin[0], col + origin[1]) for row, col in found.clues)
    is_followed = chain.broken is not None
    if chain.broken is None:
        broken, sentence = None, conflict(clues, total if found.with_total else None) + "."
    else:
        broken = None if chain.broken == THE_TOTAL else known.clue(chain.broken)
        sentence = broken_text(known, chain.broken, {})
    return steps, ExplainedConflict(
        clues, found.with_total, found.is_minimal, found.is_smallest, broken, capital(sentence), is_followed
    )


def _conflict_set(grid: Grid, total: int | None, run: Run, suspects: Collection[Cell]) -> ConflictSet:
    """A smallest conflict set, if it is found quickly; with the total only if the clues alone can hold."""
    clues = tuple(Cell(row, col) for row, col in np.argwhere(grid.cells >= 0).tolist())

    def stop() -> bool:
        return run.spend(1) is not None

    # The suspects first, then all clues, then all clues and the total.
    attempts: list[tuple[Collection[Cell], int | None]] = [(clues, None), (clues, total)]
    if suspects:
        attempts.insert(0, (suspects, None))
    can_hold = False
    for some, needed in attempts:
        try:
            found = find_conflict_set(grid, some, needed, stop=stop)
        except ValueError:
            can_hold = True
            continue
        if found.is_proven:
            best = smallest_conflict_set(grid, found, needed, stop=stop)
            return replace(best, is_smallest=best.is_smallest and (needed is None or can_hold))
        can_hold = False
    return ConflictSet(clues, total is not None, is_minimal=False, is_proven=False)


def _known_of(grid: Grid, found: ConflictSet, total: int | None, origin: tuple[int, int]) -> Knowledge:
    """What the clues of a conflict set say, of the whole board or, without the total, of their neighbours."""
    codes = np.where(grid.cells >= 0, GEM, grid.cells).astype(np.int8)
    for clue in found.clues:
        codes[clue] = grid.cells[clue]
    if found.with_total:
        return Knowledge(read_puzzle(Grid(codes), total), origin)
    places = np.array(found.clues)
    (top, left), (bottom, right) = np.maximum(places.min(axis=0) - 1, 0).tolist(), places.max(axis=0) + 2
    return Knowledge(read_puzzle(Grid(codes[top:bottom, left:right])), (origin[0] + top, origin[1] + left))


def _refutable(known: Knowledge, run: Run) -> dict[int, int]:
    """A value for every cell whose opposite can be refuted.

    Where clues conflict, either value can be shown. If following single clues refutes that a cell is a gem,
    it is easier to show that it is a trap.
    """
    found = {}
    for cell in known.undecided_cells():
        if known.regions_of[cell]:
            is_trap = Supposition(known, {cell: IS_GEM}).broken is not None
            found[cell] = IS_TRAP if is_trap else IS_GEM
        if run.spend() is not None:
            break
    return found


class _LastResort:
    """Decides cells by sets of clues that are known to conflict."""

    def __init__(self, known: Knowledge, run: Run) -> None:
        self._known, self._run = known, run
        self._sets: ClueSets | None = ClueSets(known, run)

    def __call__(self, left: dict[int, int]) -> Deduction | None:
        """A cell that a supposition decides, or else one that a set of clues decides."""
        for cell, value in left.items():
            deduction, _ = what_if(self._known, cell, 1 - value)
            if deduction is not None:
                return deduction
            if self._run.spend() is not None:
                return None
        # The cell with the most clues leads furthest.
        cell = max(left, key=lambda each: (len(self._known.regions_of[each]), -each))
        if self._sets is not None:
            deduction = self._sets.find({cell: left[cell]}, budget=CONFLICT_SET_BUDGET)
            if deduction is not None or self._run.spend() is not None:
                return deduction
            self._sets = None
        everything = self._known.unfinished_regions()
        among = everything if self._known.traps_left is None else [*everything, THE_TOTAL]
        return decided_by_set(self._known, cell, left[cell], among)


# Windows: parts of a large board around a cell, which are searched instead of the board.


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A part of a board with the clues whose neighbours it all contains; other clues are left out."""

    grid: Grid
    corner: Cell
    total: int | None
    edges: tuple[bool, bool, bool, bool]
    """Whether the board continues above, below, on the left and on the right."""
    keeps_traps: bool
    """Whether the number of traps in the window is fixed, because the total is known."""

    def inside(self, cell: Cell) -> Cell:
        """The cell of the board as a cell of the window."""
        return Cell(cell.row - self.corner.row, cell.col - self.corner.col)

    @property
    def is_whole(self) -> bool:
        """Whether this is the whole board."""
        return not any(self.edges)

    @property
    def is_small(self) -> bool:
        """Whether only easy steps are taken here."""
        return not self.is_whole and max(self.grid.cells.shape) <= 9

    def fixed(self) -> NDArray[np.bool_]:
        """True for each cell that clues outside the window, or left out of it, can touch."""
        rows, cols = self.grid.rows, self.grid.cols
        above, below, left, right = self.edges
        fixed = np.ones((rows, cols), bool)
        fixed[2 * above : rows - 2 * below, 2 * left : cols - 2 * right] = False
        return fixed


def windows(grid: Grid, cell: Cell, total: int | None, radius: int = 2) -> Iterator[Window]:
    """Windows around a cell: the first has this radius, each next one twice that, the last is the board."""
    while True:
        top, left = max(cell.row - radius, 0), max(cell.col - radius, 0)
        bottom, right = min(cell.row + radius + 1, grid.rows), min(cell.col + radius + 1, grid.cols)
        edges = (top > 0, bottom < grid.rows, left > 0, right < grid.cols)
        codes = grid.cells[top:bottom, left:right].copy()
        for border, continues in zip((codes[0], codes[-1], codes[:, 0], codes[:, -1]), edges, strict=True):
            if continues:
                border[border >= 0] = GEM
        is_whole = not any(edges)
        yield Window(Grid(codes), Cell(top, left), total if is_whole else None, edges, total is not None)
        if is_whole:
            return
        radius *= 2
