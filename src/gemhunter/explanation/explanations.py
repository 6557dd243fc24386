"""What an explanation consists of: the steps, and the conflict of a board without a solution."""

from collections.abc import Sequence
from dataclasses import dataclass

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.explanation.deductions import with_steps
from gemhunter.explanation.steps import (
    NEEDS_A_GUESS,
    NOT_KNOWN,
    WITHOUT_SOLUTION,
    Difficulty,
    ExplanationStep,
    rate,
)
from gemhunter.solving.outcomes import GaveUp
from gemhunter.wording import joined


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
