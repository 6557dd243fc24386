"""The search for deductions on a board or a part of it, the easiest first."""

from collections.abc import Iterator

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.puzzle import Puzzle
from gemhunter.explanation.chain import Chain
from gemhunter.explanation.clue_sets import ClueSets
from gemhunter.explanation.knowledge import IS_GEM, IS_TRAP, UNDECIDED, Knowledge
from gemhunter.explanation.rules import THE_TOTAL
from gemhunter.explanation.sentences import explained_step
from gemhunter.explanation.steps import ExplanationStep, cells_around, needed_steps
from gemhunter.questions.forced import Forced, forced
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Run


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
