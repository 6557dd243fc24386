"""What a puzzle is to be like, and what comes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Literal

from gemhunter.core.grid import Cell, Grid
from gemhunter.core.numbers import whole_number
from gemhunter.deduce.difficulty import DIFFICULTY_WORDS, LEVEL_WORDS, Difficulty
from gemhunter.deduce.rules import RULES, TOTAL, TOTAL_REACHED
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.solving.outcomes import StopReason

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
